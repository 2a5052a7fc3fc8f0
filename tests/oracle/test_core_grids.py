"""How libtpu shares a grid between the two cores of a device, now, for grids that nobody recorded."""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.chips.load import load_chip
from pipeline.schedule.cores import split_grid

sys.path.insert(0, str(Path(__file__).parents[1] / "simulate"))

from any_grid import call_of
from record_core_grids import CHIP, ask, cases, moves


def test_the_grid_of_one_core_is_libtpus() -> None:
    asked = cases(range(1000, 1016))
    chip = load_chip(CHIP)
    assert len(asked) > 10
    for (grid, words), theirs in zip(asked, ask(asked), strict=True):
        split = split_grid(call_of(grid, moves(len(grid)), words), (), chip)
        assert theirs == (grid if split is None else split.shares[0].places.own), (grid, words)
