"""Kernels about one way of moving registers against the compiler's recorded schedules."""

from __future__ import annotations

import pytest
from recorded_calls import records

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_vectors import directed_vectors
from pipeline.oracles.kernel_text import call_of
from pipeline.schedule.schedule import schedule

SAID = {record["name"]: record["said"] for record in records("vector_directed.jsonl")}
TEXTS = dict(directed_vectors())
MEDIAN = 0.05


def bundles(text: str, name: str) -> int:
    call, chip = call_of(text), load_chip(name)
    found = schedule(call, lower(call, chip), chip).estimate
    assert found is not None
    return found.bundles


def test_every_kernel_is_recorded() -> None:
    assert list(SAID) == list(TEXTS)


@pytest.mark.parametrize(("chip", "nine", "worst"), [
    ("v4", 0.14, 0.36),
    ("v5e", 0.08, 0.20),
    ("v5p", 0.08, 0.18),
    ("v6e", 0.14, 0.34),
    ("7x", 0.10, 0.35),
])  # fmt: skip
def test_they_are_near(chip: str, nine: float, worst: float) -> None:
    points = [(bundles(TEXTS[name], chip), said[chip]) for name, said in SAID.items() if chip in said]
    errors = relative_errors([p[0] for p in points], [p[1] for p in points])
    assert len(errors) > 55
    assert errors[len(errors) // 2] <= MEDIAN
    assert errors[len(errors) * 9 // 10] <= nine
    assert errors[-1] <= worst


@pytest.mark.parametrize("chip", ["v5e", "v6e", "7x"])
def test_heads_wait_for_each_other(chip: str) -> None:
    """A unit takes matmuls in the order of the program, with few places for weights that come next."""
    ours = [bundles(TEXTS[f"heads {n}"], chip) for n in (1, 2, 4)]
    theirs = [SAID[f"heads {n}"][chip] for n in (1, 2, 4)]
    assert ours == pytest.approx(theirs, rel=0.06)
