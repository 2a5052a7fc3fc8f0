"""What is seen of an index map: sound, and quick whatever the map. Which maps count is held by tests/agreement."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from schedule_calls import SCALAR

from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, Literal, Prim, Var
from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.schedule.divisible import sees_multiple
from pipeline.schedule.index_map import analyse

PRIMS = (Prim.ADD, Prim.SUB, Prim.MUL, Prim.MIN, Prim.MAX, Prim.AND, Prim.OR)


@st.composite
def maps(draw: st.DrawFn) -> Jaxpr:
    """A map of two grid indices: up to eight operations on them, on constants and on one another."""
    known: list[Atom] = [Var(SCALAR), Var(SCALAR), *(Literal(c, SCALAR) for c in (0, 1, 3, 8, 16))]
    args = (known[0], known[1])
    eqns = []
    for _ in range(draw(st.integers(1, 8))):
        a, b = draw(st.sampled_from(known)), draw(st.sampled_from(known))
        out = Var(SCALAR)
        eqns.append(Eqn(draw(st.sampled_from(PRIMS)), (a, b), (out,)))
        known.append(out)
    assert isinstance(args[0], Var) and isinstance(args[1], Var)
    return Jaxpr((args[0], args[1]), tuple(eqns), (known[-1],))


@given(maps(), st.sampled_from((2, 8, 16)))
def test_what_is_seen_is_so(index_map: Jaxpr, multiple: int) -> None:
    if sees_multiple(index_map, 0, multiple):
        analysed = analyse(index_map, (4, 3))
        assert all(analysed.at((i, j))[0] % multiple == 0 for i in range(4) for j in range(3))


@pytest.mark.parametrize(
    "eqns, seen",
    [
        ("c:i32[] = mul a 8:i32[]", True),
        ("d:i32[] = mul a 8:i32[]\n    c:i32[] = add d 8:i32[]", False),
        ("d:i32[] = mul a 2:i32[]\n    c:i32[] = mul d 4:i32[]", True),
        ("d:i32[] = add a 8:i32[]\n    c:i32[] = sub d a", True),
        ("c:i32[] = multiple_of[values=(8,)] a", True),
        ("d:i32[] = mul a 8:i32[]\n    c:i32[] = multiple_of[values=(4,)] d", None),
    ],
)
def test_sums_are_not_seen_through(eqns: str, seen: bool | None) -> None:
    assert sees_multiple(parse_jaxpr(f"{{ lambda ; a:i32[] b:i32[]. let\n    {eqns}\n  in (c,) }}"), 0, 8) is seen


def test_a_deep_map_is_read_once() -> None:
    x = Var(SCALAR)
    value, eqns = x, []
    for turn in range(2000):
        out = Var(SCALAR)
        eqns.append(Eqn((Prim.MUL, Prim.ADD)[turn % 2], (value, value), (out,)))
        value = out
    started = time.process_time()
    assert sees_multiple(Jaxpr((x,), tuple(eqns), (value,)), 0, 8) is False
    assert time.process_time() - started < 1
