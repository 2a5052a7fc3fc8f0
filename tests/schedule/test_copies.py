"""Kernels that copy by themselves, and windows, against the compiler's recorded schedules."""

from __future__ import annotations

import pytest
from recorded_calls import records

from pipeline.chips.load import load_chip
from pipeline.ir.call import KernelCall
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.bundle_accuracy import memory_call, rank_correlation, relative_errors
from pipeline.oracles.directed_copies import directed_copies
from pipeline.oracles.directed_tables import directed_tables
from pipeline.oracles.directed_windows import directed_windows
from pipeline.oracles.kernel_text import call_of
from pipeline.schedule.schedule import schedule

CHIPS = ("v4", "v5e", "v5p", "v6e", "7x")
FILES = ("copies.jsonl", "windows.jsonl", "tables.jsonl")
SAID = {record["name"]: record["said"] for name in FILES for record in records(name)}
TEXTS = {**dict(directed_copies()), **dict(directed_windows()), **dict(directed_tables())}
MOST = {
    "cut": (0.04, 0.16),
    "slots": (0.04, 0.15),
    "unread": (0.04, 0.17),
}  # of families that are farther off than others
QUOTED = [record for record in records("memory_kernels.jsonl") if record["seed"] % 2]


def bundles(call: KernelCall, name: str) -> int:
    chip = load_chip(name)
    found = schedule(call, lower(call, chip), chip).estimate
    assert found is not None
    return found.bundles


def test_every_kernel_is_recorded() -> None:
    assert list(SAID) == list(TEXTS)


@pytest.mark.parametrize("family", sorted({name.partition(" ")[0] for name in TEXTS}))
def test_each_is_near(family: str) -> None:
    ours, said = [], []
    for name, text in TEXTS.items():
        if name.partition(" ")[0] == family:
            call = call_of(text)
            ours += [bundles(call, chip) for chip in SAID[name]]
            said += list(SAID[name].values())
    errors = relative_errors(ours, said)
    middle, most = MOST.get(family, (0.04, 0.13))
    assert errors[len(errors) // 2] <= middle
    assert errors[len(errors) * 9 // 10] <= most


@pytest.mark.parametrize("chip", CHIPS)
def test_random_kernels_of_odd_seeds(chip: str) -> None:
    """Whose schedules nobody looked at."""
    said = {record["seed"]: record["said"][chip] for record in QUOTED if chip in record["said"]}
    calls = {seed: memory_call(seed) for seed in said}
    ours = [bundles(call, chip) for call in calls.values() if call is not None]
    errors = relative_errors(ours, list(said.values()))
    assert len(errors) >= 20
    assert errors[len(errors) // 2] <= 0.08
    assert errors[len(errors) * 9 // 10] <= 0.27
    assert rank_correlation(ours, list(said.values())) >= 0.8
