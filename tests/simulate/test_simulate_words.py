"""What the capture says of what binds: each kind of sentence, and that the stalls add up."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from any_grid import CHIP, Moves, made

from pipeline.schedule.result import Estimate, SlotUse
from pipeline.simulate.roofline import Roofline
from pipeline.simulate.timing import make_timeline
from pipeline.simulate.words import what_binds

ROOFLINE = Roofline("as executed", (), 0, 0, None, None, None, (("memory", 40), ("body (valu)", 80)))
SLOTS = (SlotUse("valu", 320.0, 4, 80), SlotUse("eup", 20.0, 1, 20))


def estimate(body: int, bound: str = "valu") -> Estimate:
    return Estimate((), SLOTS, bound, 80, body, 0, body, 0, (), (), body_bundles=100)


def said(grid, rows, body, overhead=3, single=False, own=0, bound="valu"):
    moves = [
        Moves("x", rows, "lambda i: (i, 0)", single),
        Moves("o", 8, "lambda i: (i, 0)", False),
    ]
    timeline = make_timeline(made(grid, moves, ["arbitrary"], body=body, overhead=overhead), CHIP, own_copy_bytes=own)
    assert timeline is not None
    return timeline, what_binds(timeline, ROOFLINE, estimate(body, bound))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (((8,), 64, 10), "the copies, 37 cycles against 10 of the body"),
        (((8,), 64, 60), "the body, 60 cycles against 37 of the copies"),
        (((8,), 64, 37), "the copies and the body, 37 cycles each"),
        (((8,), 8, 20, 15), "the pipeline's own code, 15 of 20 cycles; the copies take 9"),
        (((8,), 64, 50, 3, True), "copies of a single buffer slot, which the body waits for: 33 cycles after 50"),
        (((1,), 8, 10), "nothing overlaps in a call of one step"),
    ],
)
def test_a_step(arguments, line):
    _, lines = said(*arguments)
    assert lines[1] == f"  a step: {line}"


def test_the_body():
    _, lines = said((8,), 8, 60)
    assert lines[2] == "  the body: the vector ALUs, busy 80% of its 100 bundles"
    _, lines = said((8,), 8, 60, bound="latency")
    assert lines[2].endswith("no unit is busy half of its 100 bundles; fullest: the vector ALUs, 80%")


@pytest.mark.parametrize("arguments", [((8,), 64, 10), ((8,), 64, 60), ((1,), 8, 10), ((8,), 64, 50, 3, True)])
@pytest.mark.parametrize("own", [0, 10**6])
def test_stalls_add_up(arguments, own):
    timeline, lines = said(*arguments, own=own)
    found = re.fullmatch(r"  no body runs: (\d+) cycles, \d+%: (.*)", lines[3])
    assert found is not None
    parts = [int(part.split()[0]) for part in found[2].split(", ")]
    assert sum(parts) == int(found[1]) == timeline.stalls and all(parts)
    assert ("the body's own copies" in lines[3]) == bool(own)


def test_the_roof():
    timeline, lines = said((8,), 8, 10)
    assert (
        lines[4]
        == f"  at best: 80 cycles, by body (valu); the timeline reaches {8000 // timeline.total}% of that speed"
    )
    assert len(what_binds(timeline, replace(ROOFLINE, roofs=()), None)) == 2
