"""Index maps against brute force: every grid point walked, on small grids of all kinds."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schedule_calls import affine_map

from pipeline.ir.call import Blocked
from pipeline.ir.jaxpr import Jaxpr
from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.schedule.bounds import find_out_of_range
from pipeline.schedule.index_map import IndexMap, analyse
from pipeline.schedule.scalar import Undecided, compile_map
from pipeline.schedule.visits import count_visits, first_revisit

# what jnp's // and % trace to, for i // 2 and i % 3
FLOOR_DIVIDE = """{ lambda ; a:i32[]. let
    b:i32[] = jit[
      name=floor_divide
      jaxpr={ lambda ; a:i32[] c:i32[]. let
          d:i32[] = div a c
          e:i32[] = sign a
          f:i32[] = sign c
          g:bool[] = ne e f
          h:i32[] = rem a c
          i:bool[] = ne h 0:i32[]
          j:bool[] = and g i
          k:i32[] = sub d 1:i32[]
          l:i32[] = select_n j d k
        in (l,) }
    ] a 2:i32[]
  in (b, 0:i32[]) }"""
CLAMPED = "{ lambda ; a:i32[] b:i32[]. let c:i32[] = min a b in (c, b) }"
SUMS = "{ lambda ; a:i32[] b:i32[]. let c:i32[] = add a b\n d:i32[] = sub a b in (c, d) }"

GRIDS = st.lists(st.integers(1, 5), min_size=1, max_size=4).map(tuple)


@st.composite
def grids_and_maps(draw: st.DrawFn) -> tuple[tuple[int, ...], Jaxpr]:
    grid = draw(GRIDS)
    row = st.tuples(st.integers(-3, 3), st.lists(st.integers(-2, 3), min_size=len(grid), max_size=len(grid)))
    return grid, affine_map(len(grid), draw(st.lists(row, min_size=1, max_size=3)))


def walked(index_map: IndexMap) -> list[tuple[int, ...]]:
    return [index_map.at(point) for point in product(*map(range, index_map.grid))]


def check_against_walk(index_map: IndexMap) -> None:
    blocks = walked(index_map)
    visits = count_visits(index_map, 1)
    points = list(product(*map(range, index_map.grid)))
    changes = [0] * len(index_map.grid)
    for before, after, a, b in zip(points, points[1:], blocks, blocks[1:], strict=False):
        axis = next(k for k, (x, y) in enumerate(zip(before, after, strict=True)) if x != y)
        changes[axis] += a != b
    assert visits.exact
    assert visits.steps == len(points)
    assert visits.changes == tuple(changes)
    assert visits.copies == 1 + sum(changes)
    assert sum(visits.advances) == len(points) - 1
    if visits.visited is not None:
        assert visits.visited == len(set(blocks))
    revisits = 1 + sum(changes) > len(set(blocks))
    found = first_revisit(index_map)
    assert (found is not None) == revisits
    if found is not None:
        order = {point: step for step, point in enumerate(points)}
        assert order[found.visited] < order[found.left] < order[found.again]
        assert index_map.at(found.visited) == index_map.at(found.again) == found.block != index_map.at(found.left)
        runs = [block for k, block in enumerate(blocks) if k == 0 or blocks[k - 1] != block]
        first = next(k for k, block in enumerate(runs) if block in runs[:k])
        assert found.block == runs[first]


@given(grids_and_maps())
@settings(max_examples=150, deadline=None)
def test_affine_maps_are_counted_exactly(case: tuple[tuple[int, ...], Jaxpr]) -> None:
    grid, jaxpr = case
    check_against_walk(analyse(jaxpr, grid))


@pytest.mark.parametrize(
    ("text", "grid"), [(FLOOR_DIVIDE, (7,)), (CLAMPED, (4, 3)), (SUMS, (4, 3)), (SUMS, (1, 5)), (CLAMPED, (3, 1))]
)
def test_other_maps_are_counted_exactly(text: str, grid: tuple[int, ...]) -> None:
    check_against_walk(analyse(parse_jaxpr(text), grid))


@given(grids_and_maps(), st.integers(1, 6), st.integers(1, 3))
@settings(max_examples=150, deadline=None)
def test_first_step_out_of_range(case: tuple[tuple[int, ...], Jaxpr], size: int, block: int) -> None:
    grid, jaxpr = case
    index_map = analyse(jaxpr, grid)
    rank = len(jaxpr.outvars)
    found, undecided = find_out_of_range(index_map, (Blocked(block),) * rank, (size,) * rank)
    assert undecided == ()
    last = -(-size // block) - 1
    bad = {axis.axis: axis for axis in found}
    for axis in range(rank):
        steps = [p for p in product(*map(range, grid)) if not 0 <= index_map.at(p)[axis] <= last]
        values = [index_map.at(p)[axis] for p in product(*map(range, grid))]
        assert (axis in bad) == bool(steps)
        if steps:
            assert bad[axis].step == steps[0]
            assert bad[axis].value == index_map.at(steps[0])[axis]
            assert (bad[axis].least, bad[axis].greatest) == (min(values), max(values))


def test_a_grid_of_a_billion_steps_is_counted_at_once() -> None:
    grid = (1000, 1000, 1000)
    index_map = analyse(affine_map(3, [(0, (1, 0, 0)), (0, (0, 0, 1))]), grid)
    visits = count_visits(index_map, 10**6)
    assert visits.steps == prod(grid)
    assert visits.copies == 10**9
    assert visits.visited == 10**6
    assert visits.regular
    found = first_revisit(index_map)
    assert found is not None
    assert index_map.at(found.again) == found.block


def test_a_map_that_is_too_large_is_undecided_and_bounded() -> None:
    visits = count_visits(analyse(parse_jaxpr(FLOOR_DIVIDE), (10**9,)), 5 * 10**8)
    assert not visits.exact
    assert visits.copies == 10**9
    assert visits.visited is None


def test_values_wrap_as_int32_does() -> None:
    doubled = compile_map(parse_jaxpr("{ lambda ; a:i32[]. let b:i32[] = mul a 1073741824:i32[] in (b,) }"))
    assert doubled((2,), None) == (-(2**31),)
    assert doubled((4,), None) == (0,)


def test_division_rounds_towards_zero_and_floor_divide_down() -> None:
    trunc = compile_map(
        parse_jaxpr("{ lambda ; a:i32[]. let b:i32[] = div a 2:i32[]\n c:i32[] = rem a 2:i32[] in (b, c) }")
    )
    assert trunc((-3,), None) == (-1, -1)
    assert compile_map(parse_jaxpr(FLOOR_DIVIDE))((-3,), None) == (-2, 0)


READS = "{ lambda ; a:i32[] b:Ref<smem>{i32[8]}. let c:i32[] <- b[a] in (c, 0:i32[]) }"


def test_prefetched_data_is_read_when_it_is_there() -> None:
    index_map = analyse(parse_jaxpr(READS), (8,))
    assert index_map.data_dependent
    table = [3, 1, 4, 1, 5, 9, 2, 6]
    assert index_map.at((4,), lambda ref, index: table[index[0]]) == (5, 0)
    with pytest.raises(Undecided):
        index_map.at((4,))
    visits = count_visits(index_map, 10)
    assert (visits.exact, visits.data_dependent, visits.copies) == (False, True, 8)


def test_an_endless_loop_ends() -> None:
    text = """{ lambda ; a:i32[]. let
        b:i32[] = while[
          cond_nconsts=0
          cond_jaxpr={ lambda ; a:i32[]. let b:bool[] = ge a 0:i32[] in (b,) }
          body_nconsts=0
          body_jaxpr={ lambda ; a:i32[]. let b:i32[] = mul a 1:i32[] in (b,) }
        ] a
      in (b,) }"""
    with pytest.raises(Undecided):
        compile_map(parse_jaxpr(text))((1,), None)


OPS = ["add", "sub", "mul", "min", "max", "div", "rem", "and"]


@given(st.lists(st.tuples(st.sampled_from(OPS), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=5), GRIDS)
@settings(max_examples=200, deadline=None)
def test_bounds_hold_for_any_chain_of_scalar_operations(
    chain: list[tuple[str, int, int]], grid: tuple[int, ...]
) -> None:
    names = [chr(ord("a") + i) for i in range(len(grid) + len(chain))]
    atoms = [*names[: len(grid)], "3:i32[]", "-2:i32[]", "1:i32[]"]
    lines = []
    for name, (op, x, y) in zip(names[len(grid) :], chain, strict=True):
        lines.append(f"{name}:i32[] = {op} {atoms[x % len(atoms)]} {atoms[y % len(atoms)]}")
        atoms.insert(0, name)
    binders = " ".join(f"{name}:i32[]" for name in names[: len(grid)])
    body = "\n    ".join(lines)
    index_map = analyse(parse_jaxpr(f"{{ lambda ; {binders}. let\n    {body}\n  in ({atoms[0]},) }}"), grid)
    form = index_map.forms[0]
    values = [index_map.at(point)[0] for point in product(*map(range, grid))]
    assert form.least <= min(values)
    assert max(values) <= form.greatest
    if form.coefficients is not None:
        assert (form.least, form.greatest) == (min(values), max(values))
    check_against_walk(index_map)


def test_rounding_division_stays_in_range_on_a_huge_grid() -> None:
    index_map = analyse(parse_jaxpr(FLOOR_DIVIDE), (10**9,))
    assert (index_map.forms[0].least, index_map.forms[0].greatest) == (0, (10**9 - 1) // 2)


def test_clamped_data_is_in_range() -> None:
    text = """{ lambda ; a:i32[] b:Ref<smem>{i32[8]}. let
        c:i32[] <- b[a]
        d:i32[] = max c 0:i32[]
        e:i32[] = min d 3:i32[]
      in (e, 0:i32[]) }"""
    index_map = analyse(parse_jaxpr(text), (8,))
    assert find_out_of_range(index_map, (Blocked(8), Blocked(128)), (32, 128)) == ((), ())
    assert find_out_of_range(index_map, (Blocked(8), Blocked(128)), (24, 128)) == ((), (0,))
