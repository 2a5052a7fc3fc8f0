"""How libtpu shares a grid between the two cores of a device, now, for grids that nobody recorded."""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.chips.load import load_chip
from pipeline.schedule.schedule import schedule

sys.path.insert(0, str(Path(__file__).parents[1] / "simulate"))

from any_grid import call_of
from record_core_grids import CHIP, ask, cases, moves


def test_the_grid_of_one_core_is_libtpus() -> None:
    asked = cases(range(1000, 1016))
    chip = load_chip(CHIP)
    assert len(asked) > 10
    for (grid, words), theirs in zip(asked, ask(asked), strict=True):
        ours = schedule(call_of(grid, moves(len(grid)), words), None, chip)
        own = grid if ours.split is None else ours.split.shares[0].places.own
        assert theirs == (own, tuple(window.buffers for window in ours.windows)), (grid, words)
