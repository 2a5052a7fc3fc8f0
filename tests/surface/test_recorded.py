"""Every case of cases.py traces to what JAX traced for it (recorded.json, which names JAX's version)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pipeline.dtypes import BY_NAME
from pipeline.errors import SpecError
from pipeline.ir.jaxpr import MemorySpace, RefAval, ShapedArray
from pipeline.ir.jaxpr_text import print_jaxpr
from pipeline.trace.codes import CODES
from tests.surface.cases import ARGS, GRID, arguments, cases, refused, source
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


@pytest.mark.parametrize(("code", "case"), refused(), ids=lambda part: part)
def test_refuses_what_jax_refuses(code: str, case: str) -> None:
    avals = [_ref(*ARGS[name]) for name in arguments(case)]
    with pytest.raises(SpecError) as caught:
        trace_source(source(case, 0), avals, GRID)
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert found.code in CODES


@pytest.mark.parametrize(
    ("code", "case"),
    [
        ("T206", "x_ref[8]"),
        ("T206", "x_ref[0, 128]"),
        ("T206", "x_ref[-1]"),
        ("T207", "x_ref[1.5]"),
        ("T207", "x_ref[x_ref[0, 0]]"),
        ("T220", "pltpu.make_async_copy(x_ref, y_ref, x_ref).start()"),
    ],
)
def test_refuses_what_jax_lets_pass_until_later(code: str, case: str) -> None:
    avals = [_ref(*ARGS[name]) for name in arguments(case)]
    with pytest.raises(SpecError) as caught:
        trace_source(source(case, 0), avals, GRID)
    assert [one.code for one in caught.value.diagnostics] == [code]


def test_dead_code_goes_and_effects_stay() -> None:
    text = "def kernel(x_ref, o_ref):\n    x_ref[...]\n    y = x_ref[0] + 1\n    o_ref[0] = x_ref[1]\n    y * 2\n"
    ref = _ref((8, 128), "float32", "default")
    assert len(trace_source(text, [ref, ref], drop=False).eqns) == 6
    assert len(trace_source(text, [ref, ref]).eqns) == 2


def test_a_value_may_not_leave_the_branch_that_made_it() -> None:
    text = (
        "def kernel(x_ref, n_ref):\n    kept = []\n"
        "    pl.when(n_ref[0] > 0)(lambda: kept.append(x_ref[...] + 1))\n    x_ref[...] = kept[0]\n"
    )
    with pytest.raises(SpecError) as caught:
        trace_source(text, [_ref((8, 128), "float32", "default"), _ref((4,), "int32", "smem")])
    assert caught.value.diagnostics[0].code == "T212"
    assert "a branch of lax.cond" in caught.value.diagnostics[0].message


def test_limits_on_equations_sizes_and_nesting() -> None:
    ref = _ref((8, 128), "float32", "default")

    def code(body: str) -> str:
        with pytest.raises(SpecError) as caught:
            trace_source(f"def kernel(x_ref):\n    x = x_ref[...]\n    {body}\n", [ref])
        return caught.value.diagnostics[0].code

    assert code("for _ in range(10**6): x = x + 1") == "T217"
    assert code("jnp.zeros((2**30, 2**30))") == "T218"
    assert code("jnp.zeros((1,) * 40)") == "T218"
    assert code("f = lambda k: lax.fori_loop(0, 2, lambda i, a: f(k + 1), x); f(0)") == "T217"
