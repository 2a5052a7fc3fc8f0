"""Kernels that want many registers at once against the compiler's recorded schedules: bundles, spills, loads."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest
from recorded_calls import records

from pipeline.chips.load import load_chip
from pipeline.ir.call import KernelCall
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_registers import directed_registers
from pipeline.oracles.kernel_text import call_of
from pipeline.schedule.result import Estimate
from pipeline.schedule.schedule import schedule

SAID = {record["name"]: record["said"] for record in records("register_directed.jsonl")}
TEXTS = dict(directed_registers())


class Said(NamedTuple):
    bundles: int
    spills: int
    loads: int


@cache
def call(name: str) -> KernelCall:
    return call_of(TEXTS[name])


@cache
def ours(name: str, chip_name: str) -> Estimate:
    chip = load_chip(chip_name)
    found = schedule(call(name), lower(call(name), chip), chip).estimate
    assert found is not None
    return found


def loads(found: Estimate) -> float:
    return sum(n for family in found.families for unit, n in family.slots if unit == "vload")


def test_every_kernel_is_recorded() -> None:
    assert list(SAID) == list(TEXTS)


@pytest.mark.parametrize(("chip", "median", "nine", "worst"), [
    ("v4", 0.03, 0.07, 0.18),
    ("v5e", 0.02, 0.07, 0.17),
    ("v5p", 0.02, 0.07, 0.16),
    ("v6e", 0.01, 0.06, 0.20),
    ("7x", 0.02, 0.06, 0.22),
])  # fmt: skip
def test_bundles_are_near(chip: str, median: float, nine: float, worst: float) -> None:
    errors = relative_errors([ours(name, chip).bundles for name in SAID], [SAID[name][chip][0] for name in SAID])
    assert len(errors) > 90
    assert errors[len(errors) // 2] <= median
    assert errors[len(errors) * 9 // 10] <= nine
    assert errors[-1] <= worst


@pytest.mark.parametrize(("chip", "most"), [("v4", 0.18), ("v5e", 0.19), ("v5p", 0.19), ("v6e", 0.14), ("7x", 0.15)])
def test_spills_are_near(chip: str, most: float) -> None:
    """The differences, all together, as a share of what is spilled; kernels that spill and that do not."""
    pairs = [(ours(name, chip).spills, Said(*SAID[name][chip]).spills) for name in SAID]
    assert sum(abs(a - b) for a, b in pairs) <= most * sum(b for _, b in pairs)
    assert sum(not a and not b for a, b in pairs) > 20
    assert sum(bool(a) == bool(b) for a, b in pairs) > 0.88 * len(pairs)


@pytest.mark.parametrize("chip", ["v4", "v5e", "v5p", "v6e", "7x"])
def test_what_is_wanted_late_is_loaded_again(chip: str) -> None:
    """One register that is added to more and more others, most registers free."""
    names = [f"one with many {n}" for n in (64, 170, 341, 512)]
    first = loads(ours(names[0], chip)) - Said(*SAID[names[0]][chip]).loads
    assert [loads(ours(name, chip)) - first for name in names] == [Said(*SAID[name][chip]).loads for name in names]
    assert Said(*SAID[names[3]][chip]).loads - Said(*SAID[names[1]][chip]).loads == 512 - 170 + 2
