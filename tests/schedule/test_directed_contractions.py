"""Kernels about products, which axes they contract and what comes between them, against the compiler's recorded
schedules."""

from __future__ import annotations

import pytest
from recorded_calls import records

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_contractions import directed_contractions
from pipeline.oracles.kernel_text import call_of
from pipeline.schedule.result import Estimate
from pipeline.schedule.schedule import schedule

SAID = {record["name"]: record["said"] for record in records("contractions.jsonl")}
TEXTS = dict(directed_contractions())


def estimate(name: str, chip: str) -> Estimate:
    call, profile = call_of(TEXTS[name]), load_chip(chip)
    found = schedule(call, lower(call, profile), profile).estimate
    assert found is not None
    return found


def test_every_kernel_is_recorded() -> None:
    assert list(SAID) == list(TEXTS)


@pytest.mark.parametrize(("chip", "median", "nine", "worst"), [
    ("v4", 0.015, 0.11, 0.29),
    ("v5e", 0.01, 0.025, 0.22),
    ("v5p", 0.01, 0.025, 0.21),
    ("v6e", 0.006, 0.015, 0.04),
    ("7x", 0.008, 0.015, 0.085),
])  # fmt: skip
def test_they_are_near(chip: str, median: float, nine: float, worst: float) -> None:
    points = [(estimate(name, chip).bundles, said[chip][0]) for name, said in SAID.items() if chip in said]
    errors = relative_errors([p[0] for p in points], [p[1] for p in points])
    assert len(errors) > 110
    assert errors[len(errors) // 2] <= median
    assert errors[len(errors) * 9 // 10] <= nine
    assert errors[-1] <= worst


@pytest.mark.parametrize("chip", ["v6e", "7x"])
@pytest.mark.parametrize("kind", ["scores and values 256", "both gradients 256"])
def test_another_round_costs_little_where_units_take_products_of_one_kind(kind: str, chip: str) -> None:
    """Scores of every round go through one unit while what comes of the first is still on its way."""
    names = [f"{kind} rounds {n}" for n in (2, 3, 4)]
    ours, theirs = [estimate(n, chip).bundles for n in names], [SAID[n][chip][0] for n in names]
    assert ours == pytest.approx(theirs, rel=0.02)


@pytest.mark.parametrize("chip", ["v4", "v6e", "7x"])
def test_two_chunks_are_turned_together_where_they_are_rounded(chip: str) -> None:
    for name, said in SAID.items():
        if name.startswith(("turned and", "turned for")):
            slots = [n for family in estimate(name, chip).families for unit, n in family.slots if unit == "xlu"]
            assert sum(slots) == said[chip][1]


@pytest.mark.parametrize("chip", ["v6e", "7x"])
def test_sums_of_products_are_popped_once_where_a_unit_adds_them(chip: str) -> None:
    """But for what others see as well."""
    found = [(name, said[chip]) for name, said in SAID.items() if name.startswith(("sum ", "two sums"))]
    assert len(found) == 17
    for name, (bundles, _, popped) in found:
        ours = estimate(name, chip)
        assert ours.bundles == pytest.approx(bundles, rel=0.015)
        assert sum(n for family in ours.families for unit, n in family.slots if unit == "vpop") == popped


@pytest.mark.parametrize("chip", ["v4", "v5e", "v5p", "v6e", "7x"])
@pytest.mark.parametrize("form", ["nn", "tn"])
def test_a_product_is_not_added_to_zero(form: str, chip: str) -> None:
    """The compiler's schedule of it has no vector operation at all."""
    assert not [
        unit for family in estimate(f"{form} added 1", chip).families for unit, _ in family.slots if unit == "valu"
    ]
