"""Sums over lanes that end as vectors of one axis, against the compiler's recorded schedules."""

from __future__ import annotations

import pytest
from recorded_calls import bundles_of, records

from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_columns import directed_columns
from pipeline.oracles.kernel_text import call_of

CHIPS = ("v5e", "v5p", "v6e", "7x")  # v4's compiler has no way from sublanes to lanes
SAID = {record["name"]: record["said"] for record in records("columns.jsonl")}
TEXTS = dict(directed_columns())


def bundles(name: str, chip_name: str) -> int:
    return bundles_of(call_of(TEXTS[name]), chip_name)


def test_every_kernel_is_recorded() -> None:
    assert list(SAID) == list(TEXTS)
    assert {chip for said in SAID.values() for chip in said} == set(CHIPS)


@pytest.mark.parametrize("chip", CHIPS)
def test_they_are_near(chip: str) -> None:
    points = [(bundles(name, chip), said[chip]) for name, said in SAID.items()]
    errors = relative_errors([p[0] for p in points], [p[1] for p in points])
    assert errors[len(errors) // 2] <= 0.02
    assert errors[-1] <= 0.21


@pytest.mark.parametrize("chip", CHIPS)
def test_each_register_is_laid_along_lanes(chip: str) -> None:
    """The slope over the rows, within a few hundredths."""
    ours, said = (
        [of(f"stored {rows}") for rows in (128, 512)]
        for of in (lambda name: bundles(name, chip), lambda name: SAID[name][chip])
    )
    assert ours[1] - ours[0] == pytest.approx(said[1] - said[0], rel=0.04)


@pytest.mark.parametrize("chip", CHIPS)
def test_beside_counted_lanes_they_go_there_at_once(chip: str) -> None:
    """And what a constant does not choose costs nothing."""
    for name in TEXTS:
        if name.startswith(("masked", "count", "unchosen")):
            assert bundles(name, chip) == pytest.approx(SAID[name][chip], rel=0.035), name
