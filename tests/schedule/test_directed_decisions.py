"""Branches and loops that are decided before the kernel runs, against the compiler's recorded schedules."""

from __future__ import annotations

import pytest
from recorded_calls import bundles_of, records

from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_decisions import directed_decisions
from pipeline.oracles.kernel_text import call_of

SAID = {record["name"]: record["said"] for record in records("decisions.jsonl")}
TEXTS = dict(directed_decisions())
FAMILIES = sorted({name.partition(" ")[0] for name in TEXTS})


def bundles(name: str, chip_name: str) -> int:
    return bundles_of(call_of(TEXTS[name]), chip_name)


def test_every_kernel_is_recorded() -> None:
    assert list(SAID) == list(TEXTS)


@pytest.mark.parametrize("family", FAMILIES)
def test_each_is_near(family: str) -> None:
    names = [name for name in TEXTS if name.partition(" ")[0] == family]
    points = [(bundles(name, chip), said) for name in names for chip, said in SAID[name].items()]
    errors = relative_errors([p[0] for p in points], [p[1] for p in points])
    assert errors[len(errors) // 2] <= 0.05
    assert errors[-1] <= 0.18


@pytest.mark.parametrize("chip", ["v4", "v6e"])
def test_what_never_runs_takes_nothing(chip: str) -> None:
    """A branch that is decided, on either side; not one that only the range of an index decides."""
    never, always = "one 1 of [6, 1] != 0", "one 1 of [6, 1] == 0"
    assert bundles(never, chip) < bundles(always, chip) < bundles("range < 0", chip)
    assert bundles("range < 0", chip) == bundles("range >= 0", chip)
