"""`pltpu.emit_pipeline` traces to what JAX traced for it (pipelines.json, which names JAX's version)."""

from __future__ import annotations

import json

import pytest

from pipeline.dtypes import BY_NAME
from pipeline.errors import SpecError
from pipeline.ir.jaxpr import Jaxpr, MemorySpace, RefAval, ShapedArray
from pipeline.ir.jaxpr_text import print_jaxpr
from tests.surface.pipelines import CASES, GRID, RECORDED, Ref
from tests.surface.shim import trace_source

_RECORDED: dict[str, str] = json.loads(RECORDED.read_text())["cases"]


def _trace(source: str, refs: list[Ref]) -> Jaxpr:
    avals = [RefAval(ShapedArray(shape, BY_NAME[dtype]), MemorySpace(space)) for shape, dtype, space in refs]
    return trace_source(source, avals, GRID)


@pytest.mark.parametrize("name", CASES)
def test_traces_as_jax_does(name: str) -> None:
    assert print_jaxpr(_trace(*CASES[name])) == _RECORDED[name]


_BLOCK = "pl.BlockSpec((8, 256), lambda i: (i, 0))"


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("T201", f"grid=(4,), in_specs=[{_BLOCK}])(x, y, o)"),
        ("T201", "grid=(4,), in_specs=[pl.BlockSpec((8, 256))])(x)"),
        ("T202", f"grid=(0,), in_specs=[{_BLOCK}])(x)"),
        ("T202", f"grid=4, in_specs=[{_BLOCK}])(x)"),
        ("T202", "grid=(4,), in_specs=[x])(x)"),
        ("T202", "grid=(4,), in_specs=[pl.BlockSpec(8, lambda i: (i, 0))])(x)"),
        ("T202", "grid=(4,), in_specs=[pl.BlockSpec((8, 256), 3)])(x)"),
        ("T202", "grid=(4,), in_specs=[pl.BlockSpec((8, 256), lambda i: (i, 0), memory_space='vmem')])(x)"),
        ("T202", "grid=(4,), in_specs=[pl.BlockSpec((8, 256), lambda i: (i * 0.5, 0))])(x)"),
        ("T204", "grid=(4,), in_specs=[pl.BlockSpec((8,), lambda i: (i,))])(x)"),
        ("T204", "grid=(4,), in_specs=[pl.BlockSpec((8, 256), lambda i: i)])(x)"),
        ("T204", "grid=(4,), in_specs=[pl.BlockSpec((12, 256), lambda i: (i, 0))])(x)"),
        ("T204", "grid=(4,), in_specs=[pl.BlockSpec((0, 256), lambda i: (i, 0))])(x)"),
        ("T211", f"grid=(4,), in_specs=[{_BLOCK}])(x[...])"),
        ("T215", f"grid=(pl.program_id(0),), in_specs=[{_BLOCK}])(x)"),
        ("T216", f"grid=(4,), in_specs=[{_BLOCK}], core_axis=0)(x)"),
        ("T216", f"grid=(4,), in_specs=[{_BLOCK}])(x, allocations=[x])"),
        ("T216", "grid=(4,), out_specs=[pl.BlockSpec((8, 256), lambda i: (i, 0), pipeline_mode=pl.Buffered(3))])(x)"),
        ("T216", "grid=(4,), in_specs=[pl.BlockSpec((8, 256), pipeline_mode=pl.Buffered(3, use_lookahead=True))])(x)"),
        ("T219", f"grid=(4,), in_specs=[{_BLOCK}])(x)"),
    ],
)
def test_misuse_is_an_error(code: str, call: str) -> None:
    body = "pl.program_id(1)" if code == "T219" else "None"
    source = f"def kernel(x, y, o):\n    pltpu.emit_pipeline(lambda *refs: {body}, {call}\n"
    refs: list[Ref] = [((32, 256), "float32", "any")] * 3
    with pytest.raises(SpecError) as caught:
        _trace(source, refs)
    assert [one.code for one in caught.value.diagnostics] == [code]
