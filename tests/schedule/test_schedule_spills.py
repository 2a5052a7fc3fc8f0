"""The VMEM that spilled registers take: our estimate against what the compiler allocated, recorded."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import NamedTuple

import pytest

from pipeline.chips.load import load_chip
from pipeline.errors import Severity
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.agreement import FOLDER, read_records
from pipeline.oracles.call_data import read_call
from pipeline.schedule.schedule import schedule

RECORDED = Path(__file__).parent / "spills.jsonl"
LEAST = 8 * 4096  # fewer spills are of no weight


class Spill(NamedTuple):
    """Bytes, whether we warn, whether the compiler takes the kernel."""

    ours: int
    theirs: int
    warned: bool
    accepted: bool


@pytest.fixture(scope="module")
def spills() -> list[Spill]:
    theirs = {(name, chip): size for name, chip, size in map(json.loads, RECORDED.read_text().splitlines()[1:])}
    names = {name for name, _ in theirs}
    found = []
    for record in read_records(sorted(FOLDER.glob("cases*.jsonl"))):
        for said in record["said"] if record["id"] in names else ():
            for chip in map(load_chip, said["chips"]):
                if chip.costs is None:
                    continue  # nothing is estimated
                call = read_call(record["call"])
                made = schedule(call, lower(call, chip), chip)
                assert made.estimate is not None
                warned = any(f.code == "P206" for f in made.findings)
                assert all(f.severity is Severity.WARNING for f in made.findings if f.code == "P206")
                size = theirs.get((record["id"], chip.name), 0)
                found.append(Spill(made.estimate.spill_bytes, size, warned, said["ok"]))
    return found


def test_most_are_within_a_factor_of_two(spills: list[Spill]) -> None:
    ratios = [(s.ours + LEAST) / (s.theirs + LEAST) for s in spills if max(s.ours, s.theirs) >= LEAST]
    assert len(ratios) > 130
    assert 0.75 < median(ratios) < 1.33
    assert sum(0.5 <= ratio <= 2 for ratio in ratios) > 0.65 * len(ratios)


def test_most_that_are_refused_are_warned_of(spills: list[Spill]) -> None:
    """28 of the 39 kernels whose windows fit and whose spilled registers do not; the others move data about."""
    refused = [s for s in spills if not s.accepted and s.theirs]
    assert sum(s.warned for s in refused) >= 0.65 * len(refused)


def test_few_that_are_taken_are_warned_of(spills: list[Spill]) -> None:
    """So a warning, and no verdict."""
    assert sum(s.warned for s in spills if s.accepted) <= 3
