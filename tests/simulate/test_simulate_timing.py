"""The timeline: closed form against a walk over every step, and its arithmetic on a made-up chip."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.chips.load import load_chip
from pipeline.dtypes import F32
from pipeline.ir.call import Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.schedule.pipeline import plan_pipeline
from pipeline.schedule.result import Estimate, Schedule, Tiling, Visits, Window
from pipeline.simulate.patterns import FIRST, NONE, pair_counts, step_patterns
from pipeline.simulate.timing import copy_cycles, make_timeline

V5E = load_chip("v5e")
CHIP = replace(V5E, clock_hz=1e9, hbm_bytes_per_second=1e11, cores=1, dma_latency_cycles=None)  # 100 bytes a cycle


def steps_of(grid):
    return list(product(*(range(n) for n in grid)))


def visits(grid, axes):
    """Visits of an index map that reads exactly these grid axes."""
    walk = [tuple(step[a] for a in axes) for step in steps_of(grid)]
    changes, advances = [0] * len(grid), [0] * len(grid)
    for before, now, a, b in zip(steps_of(grid), steps_of(grid)[1:], walk, walk[1:], strict=False):
        axis = next(i for i, (x, y) in enumerate(zip(before, now, strict=True)) if x != y)
        advances[axis] += 1
        changes[axis] += a != b
    copies = 1 + sum(changes)
    return Visits(len(walk), copies, tuple(changes), tuple(advances), len(set(walk)), len(set(walk)), True, False)


def window(name, role, grid, axes, nbytes, buffers=2):
    return Window(
        name, 0, role, MemorySpace.VMEM, F32, (8, 128), (8, 128), Tiling(8, 128), nbytes, nbytes, nbytes, buffers, "",
        nbytes * buffers, visits(grid, axes),
    )  # fmt: skip


def schedule(grid, windows, body=10, overhead=3):
    estimate = Estimate((), (), "valu", body, body, overhead, body, 0, (), ())
    return Schedule("k", "chip", grid, tuple(windows), (), (), plan_pipeline(grid, tuple(windows)), estimate, ())


def by_hand(grid, windows, axes, body, overhead):
    """The module's rule, iteration by iteration."""
    steps = steps_of(grid)

    def place(w, s):
        return tuple(steps[s][a] for a in axes[w.operand])

    total = 0
    for i in range(len(steps) + 2):
        moved = 0
        for w in windows:
            if w.role is Role.INPUT:
                moved += w.copy_bytes * (i < len(steps) and (i == 0 or place(w, i) != place(w, i - 1)))
            else:
                s = i - 2
                moved += w.copy_bytes * (s >= 0 and (s + 1 == len(steps) or place(w, s) != place(w, s + 1)))
        runs = 1 <= i <= len(steps)
        total += max(body if runs else overhead, -(-moved // 100))
    return total


grids = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)


@given(grids, st.data())
def test_closed_form_equals_the_walk(grid, data):
    if prod(grid) < 2:
        return
    subset = st.lists(st.sampled_from(range(len(grid))), unique=True)
    axes = {"x": data.draw(subset), "y": data.draw(subset), "o": data.draw(subset)}
    windows = [
        window("x", Role.INPUT, grid, axes["x"], 700),
        window("y", Role.INPUT, grid, axes["y"], 1350),
        window("o", Role.OUTPUT, grid, axes["o"], 910),
    ]
    timeline = make_timeline(schedule(grid, windows), CHIP)
    assert timeline.exact
    assert timeline.total == by_hand(grid, windows, axes, 10, 3)
    assert sum(p.iterations for p in timeline.steady) == prod(grid)
    moved_in = timeline.prologue.bytes_in + sum(p.bytes_in * p.iterations for p in timeline.steady)
    moved_out = sum(p.bytes_out * p.iterations for p in (*timeline.steady, *timeline.epilogue))
    assert moved_in == sum(w.copy_bytes * w.visits.copies for w in windows[:2])
    assert moved_out == windows[2].copy_bytes * windows[2].visits.copies


@given(grids)
def test_pair_counts_equal_the_patterns(grid):
    pattern = [*step_patterns(grid).tolist(), NONE]
    counted: dict[tuple[int, int], int] = {}
    for pair in pairwise(pattern):
        counted[pair] = counted.get(pair, 0) + 1
    assert counted == {pair: n for pair, n in pair_counts(grid).items() if n}
    assert pattern[0] == FIRST


def test_recorded_changes_give_what_the_closed_form_gives():
    import numpy as np

    grid = (3, 2, 4)
    windows = [window("x", Role.INPUT, grid, [0, 2], 700), window("o", Role.OUTPUT, grid, [0], 910)]
    exact = make_timeline(schedule(grid, windows), CHIP)
    blind = replace(windows[0], visits=replace(windows[0].visits, exact=False, data_dependent=True))
    walk = [tuple(s[a] for a in (0, 2)) for s in steps_of(grid)]
    changed = np.array([True, *(a != b for a, b in pairwise(walk))])
    assert make_timeline(schedule(grid, [blind, windows[1]]), CHIP, {"x": changed}) == exact
    bound = make_timeline(schedule(grid, [blind, windows[1]]), CHIP)
    assert not bound.exact
    assert bound.total >= exact.total


def test_a_grid_of_a_billion_steps():
    grid = (1000, 1000, 1000)
    axes = Visits(10**9, 10**9, (999, 999000, 999000000), (999, 999000, 999000000), 10**9, 10**9, True, False)
    rows = Visits(10**9, 1000, (999, 0, 0), (999, 999000, 999000000), 1000, 1000, True, False)
    x = replace(window("x", Role.INPUT, (1,), [], 1350), visits=axes)
    o = replace(window("o", Role.OUTPUT, (1,), [], 910), visits=rows)
    start = time.perf_counter()
    timeline = make_timeline(schedule(grid, [x, o]), CHIP)
    assert time.perf_counter() - start < 0.5
    # every step fetches 14 cycles' worth against a body of 10; 999 steps also write, 23 cycles in all
    assert timeline.total == 14 + 14 * (10**9 - 1 - 999) + 23 * 999 + 10 + 10


def test_one_step_overlaps_nothing():
    timeline = make_timeline(
        schedule((), [window("x", Role.INPUT, (1,), [], 700), window("o", Role.OUTPUT, (1,), [], 910)]), CHIP
    )
    assert timeline.total == 7 + 10 + 10
    assert timeline.stalls == 17


def test_a_single_buffer_slot_is_exposed():
    grid = (4,)
    both = [window("x", Role.INPUT, grid, [0], 1350), window("o", Role.OUTPUT, grid, [0], 910)]
    single = [replace(both[0], buffers=1), both[1]]
    assert make_timeline(schedule(grid, single), CHIP).total == (
        14 + 3 + (10 + 14) + 2 * (10 + 14) + 10 + 10
    )  # prologue, step 0, steps 1 and 2 (the output's 10 cycles hide behind the body), step 3, epilogue


def test_copies_of_the_body_itself_bound_the_total():
    plain = make_timeline(schedule((), []), CHIP)
    assert plain.total == 10
    assert make_timeline(schedule((), []), CHIP, own_copy_bytes=500).total == 10
    assert make_timeline(schedule((), []), CHIP, own_copy_bytes=5000).total == 50


def test_latency_is_paid_by_every_iteration_that_copies():
    late = replace(CHIP, dma_latency_cycles=100)
    grid = (4,)
    timeline = make_timeline(schedule(grid, [window("x", Role.INPUT, grid, [0], 700)]), late)
    assert timeline.total == 4 * 107 + 10 + 3


@pytest.mark.parametrize("missing", ["clock_hz", "hbm_bytes_per_second"])
def test_no_timeline_without_clock_or_bandwidth(missing):
    assert make_timeline(schedule((4,), []), replace(CHIP, **{missing: None})) is None
    assert copy_cycles(replace(CHIP, **{missing: None}), 1) is None


def test_copy_cycles_round_up_and_share_the_bandwidth():
    assert [copy_cycles(CHIP, n) for n in (0, 1, 100, 101)] == [0, 1, 1, 2]
    assert copy_cycles(replace(CHIP, cores=2), 100) == 2
