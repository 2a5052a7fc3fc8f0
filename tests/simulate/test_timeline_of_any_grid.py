"""The counted timeline is the one told step by step: grids, index maps and cores at random."""

from __future__ import annotations

import json
import random
import time
from dataclasses import replace
from math import prod

import pytest
from any_grid import CHIP, PAIR, Moves, call_of, changes_of, expected, hide, made, operands, random_grid
from hypothesis import given
from hypothesis import strategies as st
from record_core_grids import RECORD
from record_core_grids import moves as core_moves

from pipeline.chips.load import load_chip
from pipeline.schedule import cores
from pipeline.simulate.timing import make_timeline

record = json.loads(RECORD.read_text())


@given(st.integers(0, 1 << 32), st.booleans())
def test_counted_is_stepped(seed, two):
    chip = PAIR if two else CHIP
    rng = random.Random(seed)
    grid = random_grid(rng, 1500)
    moves = operands(len(grid), rng)
    words = [rng.choice(["parallel", "arbitrary"]) for _ in grid]
    body = rng.choice([3, 10, 20, 60])
    timeline = make_timeline(made(grid, moves, words, chip, body), chip)
    assert timeline.exact
    assert (timeline.total, timeline.hbm_bytes) == expected(grid, moves, words, chip.cores_per_device, body), (
        grid,
        moves,
    )


@pytest.mark.parametrize("seed", range(4))
def test_large_grids(seed):
    rng = random.Random(seed)
    while prod(grid := random_grid(rng, 100_000)) < 30_000:
        pass
    moves = operands(len(grid), rng)
    words = ["parallel"] * len(grid)
    timeline = make_timeline(made(grid, moves, words, PAIR), PAIR)
    assert timeline.exact
    assert (timeline.total, timeline.hbm_bytes) == expected(grid, moves, words, 2)


def test_grouped_heads_over_a_billion_steps():
    """Keys move with `h // 8`, which only a table tells."""
    grid = (250, 64, 250, 250)
    moves = [
        Moves("x", 8, "lambda b, h, i, j: (b * 64 + h, i)", False),
        Moves("y", 16, "lambda b, h, i, j: (b, h // 8)", False),
        Moves("o", 8, "lambda b, h, i, j: (b * 64 + h, i)", False),
    ]
    schedule = made(grid, moves, ["arbitrary"] * 4)
    start = time.perf_counter()
    timeline = make_timeline(schedule, CHIP)
    assert time.perf_counter() - start < 0.5
    assert timeline.exact and timeline.steps == 10**9
    rows = 250 * 64 * 250  # runs of j with x and o in place
    assert timeline.hbm_bytes == 2 * rows * moves[0].bytes + 250 * 8 * moves[1].bytes


def test_tables_along_every_axis_of_a_large_grid():
    """Each axis is told by a table of its own; together they would have 10^9 places."""
    grid = (1000, 1000, 1000)
    moves = [
        Moves("x", 8, "lambda i, j, k: (i // 3, k // 7)", False),
        Moves("y", 16, "lambda i, j, k: (jnp.minimum(j, 500), 0)", False),
        Moves("o", 8, "lambda i, j, k: (i // 3, j // 10)", False),
    ]
    start = time.perf_counter()
    schedule = made(grid, moves, ["arbitrary"] * 3)
    timeline = make_timeline(schedule, CHIP)
    assert time.perf_counter() - start < 5
    assert timeline.exact
    copies = [window.visits.copies for window in schedule.windows]
    assert copies == [10**6 * 142 + 1000 * 999 + 999 + 1, 1000 * 500 + 999 + 1, 1000 * 99 + 999 + 1]
    assert timeline.hbm_bytes == sum(n * m.bytes for n, m in zip(copies, moves, strict=True))


def test_cores_share_the_first_axis_that_they_divide():
    moves = [Moves("x", 8, "lambda i, j: (i, j)", False), Moves("o", 8, "lambda i, j: (i, 0)", False)]
    for grid, words, axes, joined, own in (
        ((4, 6), ("parallel", "parallel"), (0,), False, (2, 6)),
        ((3, 6), ("parallel", "parallel"), (1,), False, (3, 3)),
        ((4, 6), ("arbitrary", "parallel"), (1,), False, (4, 3)),
        ((3, 5), ("parallel", "parallel"), (0, 1), True, (8,)),
        ((4, 5), ("arbitrary", "parallel"), (1,), True, (3, 4)),
        ((2, 5), ("core_parallel", "parallel"), (0,), False, (1, 5)),
    ):
        split = made(grid, moves, words, PAIR).split
        assert (split.axes, split.joined, split.shares[0].places.own) == (axes, joined, own), (grid, words)
    assert made((4, 6), moves, ("arbitrary", "arbitrary"), PAIR).split is None
    assert made((1, 6), moves, ("parallel", "arbitrary"), PAIR).split is None
    assert made((4, 6), moves, ("parallel", "parallel"), CHIP).split is None


def test_two_cores_take_half_the_time_of_one_on_half_the_bandwidth():
    moves = [Moves("x", 8, "lambda i: (i, 0)", False), Moves("o", 8, "lambda i: (i, 0)", False)]
    both = make_timeline(made((64,), moves, ["parallel"], PAIR), PAIR)
    one = make_timeline(made((32,), moves, ["parallel"]), CHIP)
    assert (both.total, both.cores, both.steps) == (one.total, 2, 32)
    assert both.hbm_bytes == 2 * one.hbm_bytes


@given(st.integers(0, 1 << 32), st.booleans())
def test_recorded_changes_stand_in_for_a_map_that_reads_data(seed, two):
    """Any of the maps may be unknown to us, if the run told when its block changed."""
    chip = PAIR if two else CHIP
    rng = random.Random(seed)
    grid = random_grid(rng, 400)
    moves = operands(len(grid), rng)
    words = ["parallel" if a == 0 else "arbitrary" for a in range(len(grid))]
    schedule = made(grid, moves, words, chip)
    blind = {m.name for m in moves if rng.random() < 0.5}
    found = make_timeline(hide(schedule, blind), chip, changes_of(grid, moves))
    assert found.total >= make_timeline(schedule, chip).total  # a bound at least, and the same where the steps follow
    if schedule.split is None or not schedule.split.joined:
        assert found == make_timeline(schedule, chip)
    assert make_timeline(hide(schedule, blind), chip).total >= found.total


def test_what_libtpu_said_of_two_cores():
    chip = load_chip(record["chip"])
    assert len(record["grids"]) > 40
    for row in record["grids"]:
        grid, words = tuple(row["grid"]), tuple(row["semantics"])
        schedule = made(grid, core_moves(len(grid)), words, chip)
        split = schedule.split
        assert tuple(row["core"]) == (split.shares[0].places.own if split is not None else grid), row
        assert row["slots"] == [window.buffers for window in schedule.windows], row


def test_a_dynamic_grid_is_not_shared():
    call = replace(call_of((4,), core_moves(1), ["parallel"]), dynamic_grid=(0,))
    assert cores.split_grid(call, (), PAIR) is None
    assert cores.split_grid(replace(call, dynamic_grid=()), (), PAIR) is not None
