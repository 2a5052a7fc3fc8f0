"""The kernels recorded for the lowering, scheduled on every chip: the bundle schedule takes every op that lowers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.chips.chip import Chip
from pipeline.chips.load import list_chips, load_target
from pipeline.errors import SpecError
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.call_data import read_call
from pipeline.schedule.schedule import schedule
from pipeline.schedule.text import print_schedule

KERNELS = json.loads((Path(__file__).parents[1] / "lower" / "recorded.json").read_text())["kernels"]


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_schedules(name: str) -> None:
    call = read_call(KERNELS[name]["call"])
    for chip in map(load_target, list_chips()):
        if not isinstance(chip, Chip):
            continue
        try:
            module = lower(call, chip)
        except SpecError:
            continue  # refused by JAX too: held by the lowering's own tests
        text = print_schedule(schedule(call, module, chip))
        assert text.startswith("schedule of ") and text.endswith("\n")
