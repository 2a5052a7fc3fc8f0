"""One lane or one row of a register spread over all of it, against the compiler's recorded schedules."""

from __future__ import annotations

import pytest
from recorded_calls import bundles_of, records

from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_spreads import directed_spreads
from pipeline.oracles.kernel_text import call_of

SAID = {record["name"]: record["said"] for record in records("spreads.jsonl")}
TEXTS = dict(directed_spreads())


def bundles(name: str, chip_name: str) -> int:
    return bundles_of(call_of(TEXTS[name]), chip_name)


def test_every_kernel_is_recorded() -> None:
    assert list(SAID) == list(TEXTS)


@pytest.mark.parametrize(("chip", "median", "worst"), [
    ("v4", 0.04, 0.16), ("v5e", 0.06, 0.10), ("v5p", 0.06, 0.08), ("v6e", 0.03, 0.07), ("7x", 0.03, 0.09),
])  # fmt: skip
def test_they_are_near(chip: str, median: float, worst: float) -> None:
    points = [(bundles(name, chip), said[chip]) for name, said in SAID.items()]
    errors = relative_errors([p[0] for p in points], [p[1] for p in points])
    assert errors[len(errors) // 2] <= median
    assert errors[-1] <= worst


@pytest.mark.parametrize("chip", ["v4", "v6e"])
def test_another_lane_is_another_permute(chip: str) -> None:
    """Eight lanes of one register take as many permutes; one lane that is wanted eight times takes one."""
    assert bundles("lanes 8", chip) - bundles("lanes 4", chip) > 50
    assert bundles("same 8", chip) < bundles("lanes 8", chip) - 50
