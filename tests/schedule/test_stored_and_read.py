"""Registers that a block stores and reads again, against libtpu's schedules in `stored_and_read.jsonl`."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from pipeline.chips.costs import load_costs
from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.bundles.step import schedule_step
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import parse_candidate
from pipeline.trace.trace import trace

RECORDS = [json.loads(line) for line in (Path(__file__).parent / "stored_and_read.jsonl").read_text().splitlines()[1:]]
WHOLE = RECORDS[0]["spec"]
AGAIN = "    o_ref[...] = o_ref[...] + y\n"


def counts(text: str, chip_name: str = "v5e") -> tuple[int, int]:
    """Loads and stores of the kernel's body."""
    chip = load_chip(chip_name)
    costs = load_costs(chip)
    assert costs is not None
    call = trace(parse_candidate(text, Path("k.toml"), None, {}))
    units = Counter(kind.unit for kind in schedule_step(lower(call, chip), chip, costs, call.grid).low.graph.kinds)
    return units["vload"], units["vstore"]


@pytest.mark.parametrize("chip_name", ["v4", "v5e", "v6e", "7x"])
def test_bundles_are_as_recorded(chip_name: str) -> None:
    """Within 6 %; the stores exactly."""
    chip = load_chip(chip_name)
    assert len(RECORDS) == 2
    for record in RECORDS:
        call = trace(parse_candidate(record["spec"], Path("k.toml"), None, {}))
        found = schedule(call, lower(call, chip), chip).estimate
        bundles, _, stores = record["said"][chip_name]
        assert found is not None
        assert found.bundles == pytest.approx(bundles, rel=0.06)
        assert counts(record["spec"], chip_name)[1] == stores


def test_only_the_last_store_of_a_place_is_made() -> None:
    """Of 32 registers; four are stored three times: what was there first is not loaded, what came next is loaded once,
    though it is read twice. As many loads as v4's, which has none of the pipeline's own."""
    assert counts(WHOLE) == (32 + 32, 32) == tuple(RECORDS[0]["said"]["v4"][1:])
    assert counts(RECORDS[1]["spec"]) == (32 - 4 + 32, 32) == tuple(RECORDS[1]["said"]["v4"][1:])


@pytest.mark.parametrize("between", ["o_ref[3:11, :]", "o_ref[pl.ds(pl.program_id(0) * 8, 8), :]"])
def test_a_read_across_tiles_or_from_anywhere_needs_what_is_stored(between: str) -> None:
    text = WHOLE.replace(AGAIN, f"    o_ref[8:16, :] = {between}\n" + AGAIN)
    assert text != WHOLE
    loads, stores = counts(text)
    assert stores == 32 + 32  # those between are covered
    assert loads > 32 + 32
