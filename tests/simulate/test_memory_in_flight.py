"""What is used of memory while a copy fills it is found element by element: through bitcasts to another width, array
indices, reshapes and masks, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import execute
from pipeline.spec.load import parse_specs
from pipeline.trace.trace import trace

SPEC = """
name = "k"
targets = ["v5p"]

[kernel]
source = '''
def kernel(n, x, o, s, sem):
    s[...] = jnp.zeros_like(s)
    o[...] = jnp.zeros_like(o)
    copy = pltpu.make_async_copy(x.at[pl.ds(0, {rows})], {end}, sem)
    copy.start()
    {between}
    copy.wait()
'''

[[scalar_prefetch]]
name = "n"
shape = [4]
dtype = "int32"
data = {{ kind = "values", values = [0, 3, 8, 9] }}

[[inputs]]
name = "x"
shape = [16, 128]
dtype = "{dtype}"
memory_space = "any"
data = {{ kind = "normal", seed = 0 }}

[[outputs]]
name = "o"
shape = [16, 128]
dtype = "float32"

[[scratch]]
name = "s"
kind = "vmem"
shape = [16, 128]
dtype = "float32"

[[scratch]]
name = "sem"
kind = "dma_semaphore"
"""
SIXTEEN = "lax.broadcasted_iota(jnp.int32, (16, 8), 0)"
EIGHT = "lax.broadcasted_iota(jnp.int32, (8, 128), 0)"
ROWS = "jnp.arange(4) * 3"  # 0, 3, 6, 9


@pytest.mark.parametrize(
    ("end", "between", "found"),
    [
        ("s.at[pl.ds(0, 8)]", "o[0:2, :] = s.bitcast(jnp.int32)[7:9, :].astype(jnp.float32)", "R301 's'[7, 0:128]"),
        ("s.at[pl.ds(0, 8)]", "o[0:2, :] = s.bitcast(jnp.int32)[8:10, :].astype(jnp.float32)", ""),
        ("s.at[pl.ds(0, 8)]", "o[0:1, :] = s.bitcast(jnp.int16)[15:16, :].astype(jnp.float32)", "R301 's'[7, 0:128]"),
        ("s.at[pl.ds(0, 8)]", "o[0:1, :] = s.bitcast(jnp.int16)[16:17, :].astype(jnp.float32)", ""),
        ("s.at[pl.ds(0, 8)]", "s.bitcast(jnp.int16)[15:18, 0:9] = jnp.zeros((3, 9), jnp.int16)", "R302 's'[7, 0:9]"),
        (
            "s.at[pl.ds(0, 8)]",
            "s.bitcast(jnp.int16)[15:18, 0:9] += jnp.ones((3, 9), jnp.int16)",
            "R301 's'[7, 0:9]; R302 's'[7, 0:9]",
        ),
        # low halves of row 4 are filled, high halves read: the same elements, no common byte
        (
            "s.bitcast(jnp.bfloat16).at[pl.ds(1, 8)]",
            "o[0:1, :] = s.bitcast(jnp.int16)[9:10, :].astype(jnp.float32)",
            "",
        ),
        ("s.bitcast(jnp.bfloat16).at[pl.ds(1, 8)]", "o[0:1, :] = s[4:5, :]", "R301 's'[4, 0:128]"),
        ("s.bitcast(jnp.bfloat16).at[pl.ds(1, 8)]", "o[0:1, :] = s[5:6, :]", ""),
        ("s.at[pl.ds(0, 8)]", f"o[0:4, :] = s[{ROWS}]", "R301 's'[0:7, 0:128]"),
        ("s.at[pl.ds(10, 6)]", f"o[0:4, :] = s[{ROWS}]", ""),
        ("s.at[pl.ds(7, 8)]", f"s[{ROWS}] = o[0:4, :]", "R302 's'[9, 0:128]"),
        ("s.at[:, 0:64].reshape(8, 128)", "o[0:1, :] = s[15:16, :]", "R301 's'[15, 0:64]"),
        ("s.at[:, 0:64].reshape(8, 128)", "o[:, 64:] = s[:, 64:]", ""),
        ("s.at[pl.ds(0, 8)]", f"pltpu.store(s.at[:, 0:8], o[:, 0:8], mask={SIXTEEN} > 7)", ""),
        ("s.at[pl.ds(0, 8)]", f"pltpu.store(s.at[:, 0:8], o[:, 0:8], mask={SIXTEEN} > 6)", "R302 's'[7, 0:8]"),
        (
            "s.at[pl.ds(8, 8)]",
            f"o[0:8, :] = pltpu.load(s.at[pl.ds(n[3], 8), :], mask={EIGHT} < 6)",
            "R301 's'[9:15, 0:128]",
        ),
    ],
)
def test_a_use_of_memory_that_a_copy_fills_is_seen(end: str, between: str, found: str) -> None:
    dtype, rows = "bfloat16" if "bfloat16" in end else "float32", 6 if "10, 6" in end else 8
    [spec] = parse_specs(SPEC.format(end=end, between=between, dtype=dtype, rows=rows), Path("k.toml"))
    findings = execute(trace(spec), make_inputs(spec)).findings
    assert "; ".join(f"{f.code} {f.message.split(' is ')[0]}" for f in findings) == found
