"""Kernels that divide integers against what libtpu scheduled for them, recorded in `divisions.jsonl`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
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
