"""Kernels that divide integers against what libtpu scheduled for them, recorded in `divisions.jsonl`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from recorded_calls import records

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_divisions import directed_divisions
from pipeline.oracles.kernel_text import call_of
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import parse_candidate
from pipeline.trace.trace import trace

RECORDS = [json.loads(line) for line in (Path(__file__).parent / "divisions.jsonl").read_text().splitlines()[1:]]


@pytest.mark.parametrize("chip_name", ["v4", "v5e", "v5p", "v6e", "7x"])
def test_a_division_takes_what_libtpu_takes(chip_name: str) -> None:
    """Within 2.5 % each: quotients, remainders and both, with and without a sign, by a block and by a scalar."""
    chip = load_chip(chip_name)
    assert len(RECORDS) == 7
    for record in RECORDS:
        call = trace(parse_candidate(record["spec"], Path("k.toml"), None, {}))
        found = schedule(call, lower(call, chip), chip).estimate
        assert found is not None
        assert found.bundles == pytest.approx(record["said"][chip_name], rel=0.025), record["spec"]


@pytest.mark.parametrize(("chip_name", "nine", "worst"), [
    ("v4", 0.07, 0.08),
    ("v5e", 0.03, 0.06),
    ("v5p", 0.03, 0.04),
    ("v6e", 0.1, 0.1),
    ("7x", 0.14, 0.26),
])  # fmt: skip
def test_a_division_by_a_constant_takes_what_libtpu_takes(chip_name: str, nine: float, worst: float) -> None:
    """Half within 3.5 %; made bit by bit a division would take several times as long."""
    chip = load_chip(chip_name)
    texts = dict(directed_divisions())
    said = {record["name"]: record["said"][chip_name] for record in records("constant_divisions.jsonl")}
    assert list(said) == list(texts)
    ours = []
    for text in texts.values():
        call = call_of(text)
        found = schedule(call, lower(call, chip), chip).estimate
        assert found is not None
        ours.append(found.bundles)
    errors = relative_errors(ours, list(said.values()))
    assert errors[len(errors) // 2] <= 0.035
    assert errors[len(errors) * 9 // 10] <= nine
    assert errors[-1] <= worst
