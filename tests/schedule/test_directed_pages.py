"""Pages of few rows copied within VMEM, against the compiler's recorded schedules."""

from __future__ import annotations

import pytest
from recorded_calls import bundles_of, records

from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_pages import directed_pages
from pipeline.oracles.kernel_text import call_of

SAID = {record["name"]: record["said"] for record in records("pages.jsonl")}
TEXTS = dict(directed_pages())


def bundles(name: str, chip_name: str) -> int:
    return bundles_of(call_of(TEXTS[name]), chip_name)


def test_every_kernel_is_recorded() -> None:
    assert list(SAID) == list(TEXTS)


@pytest.mark.parametrize("chip", ["v4", "v5e", "v5p", "v6e", "7x"])
def test_they_are_near(chip: str) -> None:
    points = [(bundles(name, chip), said[chip]) for name, said in SAID.items() if chip in said]
    errors = relative_errors([p[0] for p in points], [p[1] for p in points])
    assert len(errors) > 40
    assert errors[len(errors) // 2] <= 0.03
    assert errors[-1] <= 0.12


@pytest.mark.parametrize(("narrow", "wide"), [
    ("page float32 64x4", "page float32 16x16"),  # 32 registers each
    ("page bfloat16 64x2", "page float32 64x1"),
    ("page int8 16x16", "page float32 16x4"),
    ("odd bfloat16 16x12x128", "page bfloat16 16x16"),  # with the rows that fill the tile
])  # fmt: skip
def test_registers_are_counted_not_rows(narrow: str, wide: str) -> None:
    assert bundles(narrow, "7x") == pytest.approx(bundles(wide, "7x"), abs=2)
