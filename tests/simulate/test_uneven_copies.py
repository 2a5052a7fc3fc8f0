"""Copies rounded up to the last tile of an array in HBM: they move padding, which is harmless until it is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.simulate.functional import Functional, run_functional
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace

SPEC = """
name = "k"
targets = ["v5e"]

[kernel]
source = '''
{source}
'''

[[inputs]]
name = "x"
shape = [{rows}, {columns}]
dtype = "{dtype}"
memory_space = "any"
data = {{ kind = "normal", seed = 0 }}

[[outputs]]
name = "o"
shape = [{rows}, {columns}]
dtype = "{dtype}"
memory_space = "any"

[simulate]
reference = "lambda x: x + 1"
"""
PIPELINE = """def k(x_ref, o_ref):
    def body(x, o):
        o[...] = {value}

    block = pl.BlockSpec(({rows}, 128), lambda i, j: (i, j))
    grid = (pl.cdiv(x_ref.shape[0], {rows}), pl.cdiv(x_ref.shape[1], 128))
    pltpu.emit_pipeline(body, grid=grid, in_specs=[block], out_specs=[block])(x_ref, o_ref)
"""
COPY = """def k(x_ref, o_ref):
    def run(buf, sem):
        for start in (0, 8, 16, 24):
            size = pl.multiple_of(jnp.where(start == 24, {last}, 8), 8)
            inside = buf.at[pl.ds(0, size)]
            pltpu.make_async_copy(x_ref.at[pl.ds(start, size)], inside, sem).start()
            pltpu.make_async_copy(x_ref.at[pl.ds(start, size)], inside, sem).wait()
            buf[...] = buf[...] + 1
            pltpu.sync_copy(inside, o_ref.at[pl.ds(start, size)])

    pl.run_scoped(run, pltpu.VMEM((16, 128), jnp.float32), pltpu.SemaphoreType.DMA)
"""


def _run(tmp_path: Path, source: str, rows: int, columns: int, dtype: str = "float32") -> Functional:
    path = tmp_path / "k.toml"
    path.write_text(SPEC.format(source=source, rows=rows, columns=columns, dtype=dtype))
    [spec] = load_specs(path)
    return run_functional(spec, trace(spec))


@pytest.mark.parametrize(
    ("rows", "columns", "block", "dtype"),
    [(29, 256, 8, "float32"), (37, 200, 16, "float32"), (37, 200, 16, "bfloat16"), (3, 130, 8, "float32")],
)
def test_uneven_blocks_agree(rows: int, columns: int, block: int, dtype: str, tmp_path: Path) -> None:
    source = PIPELINE.format(value="x[...] + 1", rows=block)
    found = _run(tmp_path, source, rows, columns, dtype)
    assert found.findings == ()
    assert found.numerics_pass


def test_padding_that_is_used_is_found(tmp_path: Path) -> None:
    source = PIPELINE.format(value="x[...] + 1 + 0 * jnp.sum(x[...])", rows=8)
    found = _run(tmp_path, source, 29, 128)
    assert [one.code for one in found.findings if one.code in ("R323", "R324", "R401")]


@pytest.mark.parametrize(("last", "codes"), [("8", []), ("16", ["R303"])])
def test_no_further_than_the_last_tile(last: str, codes: list[str], tmp_path: Path) -> None:
    found = _run(tmp_path, COPY.format(last=last), 29, 128)
    assert [one.code for one in found.findings if one.code == "R303"][:1] == codes
