"""Every case of cases.py traces to what JAX traced for it (recorded.json, which names JAX's version)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pipeline.dtypes import BY_NAME
from pipeline.ir.jaxpr import MemorySpace, RefAval, ShapedArray
from pipeline.ir.jaxpr_text import print_jaxpr
from tests.surface.cases import ARGS, GRID, arguments, cases, source
from tests.surface.record import RECORDED
from tests.surface.shim import trace_source

_CASES: dict[str, Any] = json.loads(RECORDED.read_text())["cases"]


def _ref(shape: Any, dtype: str, space: str) -> RefAval:
    return RefAval(ShapedArray(tuple(shape), BY_NAME[dtype]), MemorySpace(space))


@pytest.mark.parametrize("case", _CASES)
def test_traces_as_jax_does(case: str) -> None:
    recorded = _CASES[case]
    avals = [_ref(*ARGS[name]) for name in arguments(case)]
    outputs = [_ref(shape, dtype, "default") for shape, dtype in recorded["outputs"]]
    if not outputs:
        # the recording needed an output; a ref that nobody touches
        avals_out = [_ref((8, 128), "float32", "default")]
        text = source(case, 0).replace("):", ", _unused):", 1).replace("(, ", "(")
        ours = trace_source(text, avals + avals_out, GRID)
    else:
        ours = trace_source(source(case, len(outputs)), avals + outputs, GRID)
    assert print_jaxpr(ours) == recorded["jaxpr"]


def test_every_case_is_recorded() -> None:
    # those that JAX itself refuses are not
    assert len(_CASES) >= len(cases()) - 3
    assert set(_CASES) <= set(cases())
