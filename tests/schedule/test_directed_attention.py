"""Parts of attention against the compiler's recorded schedules."""

from __future__ import annotations

from functools import cache

import pytest
from recorded_calls import records

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_attention import directed_attention
from pipeline.oracles.kernel_text import call_of
from pipeline.schedule.schedule import schedule

SAID = {record["name"]: record["said"] for record in records("attention_directed.jsonl")}
TEXTS = dict(directed_attention())


@cache
def bundles(name: str, chip: str) -> int:
    call, loaded = call_of(TEXTS[name]), load_chip(chip)
    found = schedule(call, lower(call, loaded), loaded).estimate
    assert found is not None
    return found.bundles


def errors(chip: str, names: list[str]) -> list[float]:
    return relative_errors([bundles(name, chip) for name in names], [SAID[name][chip] for name in names])


def test_every_kernel_is_recorded() -> None:
    assert list(SAID) == list(TEXTS)


@pytest.mark.parametrize(("chip", "median", "nine"), [
    ("v4", 0.045, 0.16),
    ("v5e", 0.03, 0.06),
    ("v5p", 0.02, 0.06),
    ("v6e", 0.015, 0.05),
    ("7x", 0.03, 0.05),
])  # fmt: skip
def test_they_are_near(chip: str, median: float, nine: float) -> None:
    found = errors(chip, list(SAID))
    assert len(found) == 80
    assert found[len(found) // 2] <= median
    assert found[len(found) * 9 // 10] <= nine


@pytest.mark.parametrize("chip", ["v6e", "7x"])
def test_depth_beside_columns_for_few_rows(chip: str) -> None:
    """Two halves of the depth lie side by side in a unit for up to 16 groups of rows, else one below the other."""
    names = [name for name in SAID if name.startswith("tall weights")]
    assert errors(chip, names)[-1] <= 0.045
    assert bundles("tall weights float32 float32 136 rows", chip) > bundles(names[1], chip) + 20
