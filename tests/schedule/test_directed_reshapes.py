"""Kernels that reshape values, and vectors of one axis, against the compiler's recorded schedules."""

from __future__ import annotations

from functools import cache

import pytest
from recorded_calls import records

from pipeline.chips.load import load_chip
from pipeline.ir.call import KernelCall
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_reshapes import directed_reshapes
from pipeline.oracles.kernel_text import call_of
from pipeline.schedule.result import Estimate
from pipeline.schedule.schedule import schedule

SAID = {record["name"]: record["said"] for record in records("reshape_directed.jsonl")}
TEXTS = dict(directed_reshapes())
CHIPS = ("v4", "v5e", "v5p", "v6e", "7x")


@cache
def call(name: str) -> KernelCall:
    return call_of(TEXTS[name])


def ours(name: str, chip_name: str) -> Estimate:
    chip = load_chip(chip_name)
    found = schedule(call(name), lower(call(name), chip), chip).estimate
    assert found is not None
    return found


def errors_of(kind: str, chip: str) -> list[float]:
    names = [n for n in SAID if n.split()[0] == kind and chip in SAID[n] and not (chip == "v4" and "int8" in n)]
    return relative_errors([ours(n, chip).bundles for n in names], [SAID[n][chip][0] for n in names])


def test_every_kernel_is_recorded() -> None:
    assert list(SAID) == list(TEXTS)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("kind", "median", "worst"), [
    ("split", 0.04, 0.24),
    ("fold", 0.08, 0.22),
    ("line", 0.035, 0.27),
    ("raised", 0.12, 0.35),
])  # fmt: skip
def test_bundles_are_near(kind: str, chip: str, median: float, worst: float) -> None:
    errors = errors_of(kind, chip)
    assert len(errors) >= 8 or (kind, chip) == ("split", "v4")  # which has no such reshape
    assert not errors or (errors[len(errors) // 2] <= median and errors[-1] <= worst)


@pytest.mark.parametrize(("chip", "median", "worst"), [
    ("v4", 0.25, 0.42), ("v5e", 0.02, 0.09), ("v5p", 0.02, 0.07), ("v6e", 0.02, 0.11), ("7x", 0.03, 0.12),
])  # fmt: skip
def test_tiles_laid_out_as_one_axis(chip: str, median: float, worst: float) -> None:
    errors = errors_of("flat", chip)
    assert len(errors) >= 12
    assert errors[len(errors) // 2] <= median
    assert errors[-1] <= worst


@pytest.mark.parametrize("chip", ["v5e", "v5p", "v6e", "7x"])
def test_columns(chip: str) -> None:
    assert errors_of("column", chip)[-1] <= 0.14


@pytest.mark.parametrize("chip", CHIPS)
def test_a_register_of_a_line_is_computed_once(chip: str) -> None:
    """16384 words are sixteen registers: as many products, and as many stores."""
    families = ours("line doubled 16384", chip).families
    units = {u: sum(n for f in families for unit, n in f.slots if unit == u) for u in ("valu", "vstore")}
    assert units == {"valu": 16, "vstore": 16}
