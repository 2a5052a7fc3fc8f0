"""Timelines as they are drawn: the iterations one by one against the counted timeline, and the SVG as XML."""

from __future__ import annotations

import random
import time
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from any_grid import CHIP, PAIR, Moves, call_of, made, operands, random_grid
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.ir.call import Role
from pipeline.simulate.picture import draw
from pipeline.simulate.play import Player
from pipeline.simulate.timing import make_timeline
from pipeline.simulate.trace_events import vmem_held

SVG = "{http://www.w3.org/2000/svg}"


def player_of(grid, moves, words, chip, body=20):
    schedule = made(grid, moves, words, chip, body)
    return schedule, Player(call_of(grid, moves, words), schedule, chip)


def at_random(seed, chip, most=120):
    rng = random.Random(seed)
    grid = random_grid(rng, most)
    moves = operands(len(grid), rng)
    return player_of(grid, moves, [rng.choice(["parallel", "arbitrary"]) for _ in grid], chip)


@settings(max_examples=40)
@given(st.integers(0, 1 << 32), st.booleans())
def test_what_is_drawn_is_what_is_counted(seed, two):
    chip = PAIR if two else CHIP
    schedule, player = at_random(seed, chip)
    timeline = make_timeline(schedule, chip)
    play = player.first(10**6)
    assert (play.start, play.end) == (0, timeline.total)
    assert [one.step for one in play.iterations] == [None, *range(player.model.steps), None]
    for before, after in pairwise(play.iterations):
        assert before.start + before.cycles == after.start
        assert before.body_start + before.body <= after.start
    copies = Counter(copy.window for one in play.iterations for copy in one.copies)
    for w, window in enumerate(player.windows):
        assert copies[w] == window.visits.copies, window.operand


@settings(max_examples=40)
@given(st.integers(0, 1 << 32), st.booleans())
def test_a_slot_holds_one_block_at_a_time(seed, two):
    schedule, player = at_random(seed, PAIR if two else CHIP)
    play = player.first(10**6)
    slots: dict[tuple[int, int], list] = {}
    for held in play.held:
        assert play.start <= held.start <= held.end <= play.end
        assert held.slot < player.windows[held.window].buffers
        slots.setdefault((held.window, held.slot), []).append(held)
    for stretches in slots.values():
        for before, after in pairwise(sorted(stretches, key=lambda one: one.start)):
            assert before.end <= after.start
    for w, window in enumerate(player.windows):
        assert sum(held.window == w for held in play.held) == window.visits.copies
    most = sum(w.tile_bytes * w.buffers for w in player.windows)
    values = [value for _, value in vmem_held(player, schedule, play)]
    assert max(values) <= most and values[-1] == 0 and min(values) == 0


@settings(max_examples=40)
@given(st.integers(0, 1 << 32), st.booleans())
def test_a_body_runs_on_blocks_that_are_there(seed, two):
    _, player = at_random(seed, PAIR if two else CHIP, 60)
    play = player.first(10**6)
    for one in play.iterations:
        if one.step is None or not one.body:
            continue
        for w, plan in enumerate(player.planned):
            block = plan.index_map.at(one.point)
            there = [h for h in play.held if h.window == w and h.start <= one.body_start < h.end and h.block == block]
            assert there, (plan.window.operand, one)


@settings(max_examples=40)
@given(st.integers(0, 1 << 32), st.booleans(), st.integers(1, 6))
def test_the_end_alone_is_the_end_of_the_whole(seed, two, count):
    _, player = at_random(seed, PAIR if two else CHIP)
    whole, end = player.first(10**6), player.last(count)
    assert end.iterations == whole.iterations[-count:]
    assert end.end == whole.end


def boxes(svg):
    root = ET.fromstring(svg)
    width, height = (float(root.attrib[name]) for name in ("width", "height"))
    assert root.attrib["viewBox"] == f"0 0 {width:g} {height:g}"
    found = []
    for box in root.iter(f"{SVG}rect"):
        x, y = float(box.attrib.get("x", 0)), float(box.attrib.get("y", 0))
        assert x >= 0 and y >= 0 and x + float(box.attrib["width"]) <= width + 0.02
        assert y + float(box.attrib["height"]) <= height
        title = box.find(f"{SVG}title")
        found.append((box, "" if title is None else title.text))
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.attrib["x"]) <= width and float(text.attrib["y"]) <= height
    return found


@pytest.mark.parametrize("chip", [CHIP, PAIR], ids=["one core", "two cores"])
@pytest.mark.parametrize("seed", range(6))
def test_the_picture_of_a_short_call(seed, chip):
    schedule, player = at_random(seed, chip, 10)
    call = call_of_schedule(seed)
    svg, cycles = draw(call, schedule, chip, None)
    assert cycles == player.total
    assert (svg, cycles) == draw(call, schedule, chip, None)
    titles = [title for _, title in boxes(svg)]
    play = player.first(100)
    assert sum(title.startswith("step ") for title in titles) == player.model.steps
    assert sum(" B: cycles" in title for title in titles) == sum(len(one.copies) for one in play.iterations)
    assert sum(title.startswith("block ") for title in titles) == len(play.held)


def call_of_schedule(seed):
    rng = random.Random(seed)
    grid = random_grid(rng, 10)
    moves = operands(len(grid), rng)
    return call_of(grid, moves, [rng.choice(["parallel", "arbitrary"]) for _ in grid])


def test_a_long_call_shows_its_start_and_its_end():
    grid, words = (1000, 1000, 1000), ["arbitrary"] * 3
    moves = [Moves("x", 8, "lambda i, j, k: (i, k)", False), Moves("o", 8, "lambda i, j, k: (i, j)", False)]
    call, schedule = call_of(grid, moves, words), made(grid, moves, words)
    start = time.perf_counter()
    svg, cycles = draw(call, schedule, CHIP, None)
    assert time.perf_counter() - start < 1
    assert cycles == make_timeline(schedule, CHIP).total
    assert "999999992 more iterations" in svg and len(svg) < 20_000
    titles = [title for _, title in boxes(svg)]
    assert any(title.startswith("step 0 at (0, 0, 0)") for title in titles)
    assert any(title.startswith("step 999999999 at (999, 999, 999)") for title in titles)


def test_names_are_text_not_markup():
    grid, words = (4,), ["arbitrary"]
    moves = [Moves("x", 8, "lambda i: (i, 0)", False), Moves("o", 8, "lambda i: (i, 0)", False)]
    schedule = made(grid, moves, words)
    schedule = replace(schedule, call="<script>&", windows=tuple(
        replace(w, operand="a<b&'\"c-very-long-name") if w.role is Role.INPUT else w for w in schedule.windows
    ))  # fmt: skip
    svg, _ = draw(call_of(grid, moves, words), schedule, CHIP, None)
    assert boxes(svg) and "<script>" not in svg
