"""Kernels about one thing of scalar code against the compiler's recorded schedules."""

from __future__ import annotations

import pytest
from recorded_calls import records

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_scalars import directed_kernels
from pipeline.oracles.kernel_text import call_of
from pipeline.schedule.schedule import schedule

SAID = {record["name"]: record["said"] for record in records("scalar_directed.jsonl")}
TEXTS = dict(directed_kernels())
FAMILIES = sorted({name.partition(" ")[0] for name in TEXTS})


def bundles(text: str, name: str) -> int:
    call, chip = call_of(text), load_chip(name)
    found = schedule(call, lower(call, chip), chip).estimate
    assert found is not None
    return found.bundles


def test_every_kernel_is_recorded() -> None:
    assert list(SAID) == list(TEXTS)


@pytest.mark.parametrize("family", FAMILIES)
def test_each_is_near(family: str) -> None:
    points = [
        (bundles(text, chip), said)
        for name, text in TEXTS.items()
        if name.partition(" ")[0] == family
        for chip, said in SAID[name].items()
    ]
    errors = relative_errors([p[0] for p in points], [p[1] for p in points])
    assert errors[len(errors) // 2] <= 0.05
    assert errors[-1] <= 0.17


@pytest.mark.parametrize("name", ["once 1 1", "split 1 1", "split 0 1"])
def test_a_core_of_a_device_knows_whether_it_is_alone(name: str) -> None:
    """One step on one core: the others leave. Two steps shared out: each core has one, so there is no loop."""
    assert abs(bundles(TEXTS[name], "v5p") - SAID[name]["v5p"]) <= 1
