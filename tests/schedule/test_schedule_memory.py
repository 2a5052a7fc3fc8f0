"""The memory plan: no overlap, nothing lost, larger blocks never take less, limits told apart."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schedule_calls import affine_map, call, operand, scratch

from pipeline.chips.load import load_chip
from pipeline.dtypes import BF16, BOOL, DMA_SEM, F32, I4, I8, I32, DType
from pipeline.ir.call import KernelCall, Operand, Role
from pipeline.ir.jaxpr import Eqn, Jaxpr, MemorySpace, Prim, RefAval, ShapedArray, Var
from pipeline.schedule.layout import tiled_bytes, tiling
from pipeline.schedule.memory_plan import plan_memory
from pipeline.schedule.result import Allocation, Tiling
from pipeline.schedule.schedule import schedule
from pipeline.schedule.windows import plan_windows

V5E = load_chip("v5e")
DTYPES = st.sampled_from([F32, BF16, I8, I4, I32, BOOL])
SHAPES = st.lists(st.integers(1, 300), min_size=1, max_size=3).map(tuple)


@st.composite
def calls(draw: st.DrawFn) -> KernelCall:
    grid = draw(st.lists(st.integers(1, 4), min_size=1, max_size=2).map(tuple))
    operands: list[Operand] = []
    for i in range(draw(st.integers(1, 4))):
        shape, dtype = draw(SHAPES), draw(DTYPES)
        block = tuple(draw(st.integers(1, n)) for n in shape)
        rows = [(0, [draw(st.integers(0, 1)) for _ in grid]) for _ in shape]
        role = draw(st.sampled_from([Role.INPUT, Role.OUTPUT]))
        space = draw(st.sampled_from([MemorySpace.VMEM, MemorySpace.DEFAULT, MemorySpace.SMEM, MemorySpace.ANY]))
        buffers = draw(st.sampled_from([None, 1, 2]))
        mapped = affine_map(len(grid), rows)
        operands.append(operand(f"x{i}", shape, block, mapped, dtype=dtype, role=role, space=space, buffers=buffers))
    scratches = [scratch(f"s{i}", draw(SHAPES), draw(DTYPES)) for i in range(draw(st.integers(0, 2)))]
    if draw(st.booleans()):
        scratches.append(scratch("sem", (draw(st.integers(1, 5)),), DMA_SEM, MemorySpace.SEMAPHORE))
    return call(operands, grid, scratches)


def overlap(a: Allocation, b: Allocation) -> bool:
    return a.space is b.space and a.offset < b.offset + b.bytes and b.offset < a.offset + a.bytes


@given(calls())
@settings(max_examples=150, deadline=None)
def test_allocations_fill_their_memory_without_overlap(made: KernelCall) -> None:
    windows = tuple(entry.window for entry in plan_windows(made, V5E))
    allocations, memory = plan_memory(made, windows, V5E)
    real = [a for a in allocations if a.bytes]
    assert not any(overlap(a, b) for i, a in enumerate(real) for b in real[:i])
    for use in memory:
        mine = [a for a in allocations if a.space is use.space]
        assert sum(a.bytes for a in mine) == use.used
        assert max((a.offset + a.bytes for a in mine), default=0) == use.used
        if use.space is MemorySpace.VMEM:
            assert all(a.offset % 512 == 0 for a in mine)
            assert all(a.offset % 1024 == 0 for a in mine if a.kind == "window")
    for window in windows:
        assert window.bytes >= window.useful_bytes * window.buffers
        assert window.buffers in (1, 2)


@given(SHAPES, DTYPES, st.data())
@settings(max_examples=150, deadline=None)
def test_a_larger_block_never_takes_less(shape: tuple[int, ...], dtype: DType, data: st.DataObject) -> None:
    large = tuple(data.draw(st.integers(1, n)) for n in shape)
    small = tuple(data.draw(st.integers(1, n)) for n in large)
    for rank in (len(shape),):
        tile = tiling(shape if rank > 1 else large, dtype, V5E)
        assert tiled_bytes(small, dtype, tile) <= tiled_bytes(large, dtype, tile)


@pytest.mark.parametrize(
    ("shape", "dtype", "expected"),
    [
        ((3, 256), F32, Tiling(4, 128)),
        ((1, 256), F32, Tiling(1, 128)),
        ((256, 256), F32, Tiling(8, 128)),
        ((1, 256), BF16, Tiling(2, 128)),
        ((256, 256), BF16, Tiling(8, 128)),
        ((200, 256), I8, Tiling(8, 128)),
        ((64, 256), I8, Tiling(32, 128)),
        ((256, 2), I8, Tiling(8, 128)),
        ((96, 256), I4, Tiling(8, 128)),
        ((128, 256), I4, Tiling(64, 128)),
        ((64, 256), BOOL, Tiling(8, 128)),
        ((100,), F32, Tiling(None, 128)),
        ((300,), F32, Tiling(None, 512)),
        ((5000,), F32, Tiling(None, 1024)),
        ((100,), BF16, Tiling(None, 256)),
    ],
)
def test_tilings_that_xla_printed(shape: tuple[int, ...], dtype: DType, expected: Tiling) -> None:
    assert tiling(shape, dtype, V5E) == expected


def blocked(name: str, shape: tuple[int, int], block: tuple[int, int], **kw: object) -> Operand:
    return operand(name, shape, block, affine_map(1, [(0, [1]), (0, [0])]), **kw)  # type: ignore[arg-type]


def test_the_limit_is_passed_at_equality_and_not_above() -> None:
    # 2 slots x 2 windows x 4 MiB: exactly the default limit
    exact = call(
        [blocked("x", (8192, 1024), (1024, 1024)), blocked("o", (8192, 1024), (1024, 1024), role=Role.OUTPUT)], (8,)
    )
    found = schedule(exact, None, V5E)
    use = found.use(MemorySpace.VMEM)
    assert use is not None and (use.used, use.headroom, found.findings) == (16 << 20, 0, ())
    over = replace(
        exact, scratch=(scratch("s", (8, 128)),), body=call(exact.operands, (8,), [scratch("s", (8, 128))]).body
    )
    assert [f.code for f in schedule(over, None, V5E).findings] == ["P201"]
    raised = replace(over, vmem_limit_bytes=17 << 20)
    assert schedule(raised, None, V5E).findings == ()
    assert [f.code for f in schedule(raised, None, load_chip("v4")).findings] == ["P202"]


def test_scratch_that_nobody_reads_is_dropped() -> None:
    made = call([blocked("x", (64, 128), (8, 128))], (8,), [scratch("s", (8, 128))], read_refs=False)
    allocations = schedule(made, None, V5E).allocations
    (dropped,) = [a for a in allocations if a.name == "s"]
    assert dropped.bytes == 0
    assert "never read" in dropped.why


def scoped(*sizes: int) -> Eqn:
    """A run_scoped of `sizes` rows of 128 f32 each, with nothing in it."""
    refs = tuple(Var(RefAval(ShapedArray((n, 128), F32), MemorySpace.VMEM)) for n in sizes)
    return Eqn(Prim.RUN_SCOPED, (), (), (("jaxpr", Jaxpr(refs, (), ())),))


def test_scoped_memory_is_shared_by_scopes_that_are_never_live_together() -> None:
    base = call([blocked("x", (64, 128), (8, 128))], (8,))
    inner = scoped(16)
    outer_refs = (Var(RefAval(ShapedArray((8, 128), F32), MemorySpace.VMEM)),)
    nested = Eqn(Prim.RUN_SCOPED, (), (), (("jaxpr", Jaxpr(outer_refs, (inner,), ())),))
    body = Jaxpr(base.body.invars, (*base.body.eqns, scoped(32), nested, scoped(8, 8)), ())
    found = schedule(replace(base, body=body), None, V5E)
    use = found.use(MemorySpace.VMEM)
    assert use is not None
    assert use.used == 8192 + 32 * 512
    spans = [(a.offset, a.bytes) for a in found.allocations if a.kind == "scoped"]
    assert sorted(spans) == sorted([(8192, 16384), (8192, 4096), (12288, 8192), (8192, 4096), (12288, 4096)])


def test_semaphores_overflow() -> None:
    made = call([blocked("x", (64, 128), (8, 128))], (8,), [scratch("s", (500,), DMA_SEM, MemorySpace.SEMAPHORE)])
    assert [f.code for f in schedule(made, None, V5E).findings] == ["P204"]
    assert schedule(made, None, load_chip("7x")).findings == ()


@given(
    st.integers(1, 64).map(lambda n: 128 * n),
    st.integers(1, 16).map(lambda n: 128 * n),
    st.integers(1, 40),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_a_suggested_block_fits(rows: int, columns: int, times: int, lone: bool) -> None:
    """What the hint says to use is legal and fits, where it names one block."""
    array = (rows * times, columns)
    parts = [blocked("x", array, (rows, columns))] + ([] if lone else [blocked("y", array, (128, columns))])
    made = call(parts, (times,))
    errors = [f for f in schedule(made, None, V5E).findings if f.code == "P201"]
    for finding in errors:
        match = re.search(r"use block \[(\d+), (\d+)\] for '(\w+)'", finding.hint or "")
        if match:
            block = (int(match[1]), int(match[2]))
            smaller = call([blocked(o.name, array, block) if o.name == match[3] else o for o in parts], (times,))
            assert not [f for f in schedule(smaller, None, V5E).findings if f.code in ("P101", "P102", "P201")]


def test_the_search_for_a_smaller_plan_ends_at_once_for_any_size() -> None:
    made = call([blocked("x", (10**9, 10**9), (10**9, 10**9))], (10**9,))
    codes = [finding.code for finding in schedule(made, None, V5E).findings]
    assert codes == ["P202", "P205", "P301"]
