"""Kernels whose loads, stores and blocks go out of range on either side, and what JAX's interpret mode made of them.

    python tests/simulate/out_of_range.py

records that in `data/out_of_range.json` (the `oracle` extra): the sums of each output's rows.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

from pipeline.spec.load import parse_specs
from pipeline.spec.spec import Spec

RECORD = Path(__file__).parent / "data" / "out_of_range.json"
SPEC = """
name = "{name}"
targets = ["interpret"]

[kernel]
source = '''
def kernel(x, o):
    i = pl.program_id(0)
    rows = lax.iota(jnp.int32, 8) * 5 - 20 + i
    o[...] = jnp.zeros_like(o)
    {body}
'''

[grid]
shape = [4]

[[inputs]]
name = "x"
shape = [{height}, 128]
dtype = "int32"
block = [16, 128]
index_map = "lambda i: ({block}, 0)"
data = {{ kind = "integers", low = -1000, high = 1000, seed = 0 }}

[[outputs]]
name = "o"
shape = [64, 128]
dtype = "int32"
block = [16, 128]
index_map = "lambda i: (i, 0)"
"""
# XLA makes one of two slices in a row and clamps the sum of their starts, so in a view nothing is clamped here
BODIES = {
    "load_slice": "o[0:8, :] = x[pl.ds(i * 7 - 5, 8), :]",
    "store_slice": "o[pl.ds(i * 7 - 9, 4), :] = x[0:4, :]",
    "load_row": "o[0, :] = x[i * 9 - 11]",
    "store_row": "o[i * 9 - 11, :] = x[3]",
    "add_slice": "o[pl.ds(i * 7 - 9, 4), :] += x[0:4, :]",
    "gather": "o[0:8, :] = x[rows, :]",
    "scatter": "o[rows, :] = x[0:8, :]",
    "gather_of_slice": "o[0:8, 0:64] = x[rows, pl.ds(i * 50 - 30, 64)]",
    "scatter_of_slice": "o[rows, pl.ds(i * 50 - 30, 64)] = x[0:8, 0:64]",
    "gather_of_element": "o[0, 0:8] = x[rows, i * 90 - 140]",
    "load_strided": "o[0:8, :] = x[pl.ds(i * 5 - 6, 8, 2), :]",
    "store_strided": "o[pl.ds(i * 5 - 6, 8, 2), :] = x[0:8, :]",
    "load_of_view": "o[0:1, :] = x.at[pl.ds(i * 5 - 4, 4), :][pl.ds(0 - i, 1), :]",
    "store_to_view": "o.at[pl.ds(i * 7 - 5, 12), :][pl.ds(3 - i * 2, 4), :] = x[0:4, :]",
    "masked_load": "m = x[0:8, :] > 0; o[0:8, :] = jnp.where(m, pltpu.load(x.at[pl.ds(i * 7 - 5, 8), :], mask=m), 0)",
    "masked_store": "pltpu.store(o.at[pl.ds(i * 7 - 5, 8), :], x[0:8, :], mask=x[8:16, :] > 0)",
}
BLOCKS = {"block": "i * 2 - 3", "block_of_partial": "1 - i"}


def specs() -> dict[str, Spec]:
    """By name."""
    texts = {name: SPEC.format(name=name, body=body, block=0, height=16) for name, body in BODIES.items()}
    for name, block in BLOCKS.items():
        height = 44 if "partial" in name else 48
        texts[name] = SPEC.format(name=name, body="o[...] = x[...]", block=block, height=height)
    found = {}
    for name, text in texts.items():
        (found[name],) = parse_specs(text, Path(f"{name}.toml"))
    return found


if __name__ == "__main__":
    from pipeline.oracles.interpreters import interpret
    from pipeline.simulate.data import make_inputs

    rows = {}
    for name, spec in specs().items():
        seen = interpret(spec, make_inputs(spec), "interpret")
        assert seen.outputs is not None, (name, seen.error)
        rows[name] = seen.outputs[0].astype("int64").sum(1).tolist()
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(sums)}" for name, sums in rows.items())
    RECORD.write_text(f'{{"jax": "{version("jax")}", "sums": {{\n{lines}\n}}}}\n')
