"""The bundle schedule of the shipped kernels against schedules that libtpu makes of our text now."""

from __future__ import annotations

import json
from pathlib import Path

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.bundle_accuracy import rank_correlation, relative_errors
from pipeline.oracles.libtpu import Job
from pipeline.oracles.libtpu_bundles import step_bundles
from pipeline.oracles.random_scalar_kernel import scalar_call
from pipeline.oracles.shipped import shipped_specs
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import parse_candidate
from pipeline.trace.trace import trace

RECORDS = Path(__file__).parents[1] / "schedule" / "scalar_kernels.jsonl"
DIVISIONS = RECORDS.parent / "divisions.jsonl"


def test_bundles_of_the_shipped_kernels() -> None:
    """On v5e, every other one, for time's sake: half within 5 %, nine in ten within 22 %, in the compiler's order."""
    chip = load_chip("v5e")
    jobs, ours = [], []
    for spec in shipped_specs()[::2]:
        if spec.expect is not None or all(target.name != chip.name for target in spec.targets):
            continue
        call = trace(spec)
        module = lower(call, chip)
        found = schedule(call, module, chip).estimate
        if found is not None:
            jobs.append(Job.of(call, chip.name, print_mosaic(module)))
            ours.append(found.bundles)
    pairs = [(n, count.bundles) for n, count in zip(ours, step_bundles(jobs), strict=True) if count is not None]
    assert len(pairs) > 80
    errors = relative_errors([a for a, _ in pairs], [b for _, b in pairs])
    assert errors[len(errors) // 2] <= 0.05
    assert errors[len(errors) * 9 // 10] <= 0.22
    assert rank_correlation([a for a, _ in pairs], [b for _, b in pairs]) >= 0.98


def test_recorded_scalar_kernels_are_still_so() -> None:
    """A few seeds, on two chips with different delay slots."""
    records = [json.loads(line) for line in RECORDS.read_text().splitlines()[1:5]]
    jobs, said = [], []
    for record in records:
        call = scalar_call(record["seed"])
        for name in ("v4", "v6e"):
            jobs.append(Job.of(call, name, print_mosaic(lower(call, load_chip(name)))))
            said.append(record["said"][name])
    assert [count.bundles for count in step_bundles(jobs) if count is not None] == said


def test_recorded_divisions_are_still_so() -> None:
    """A signed and an unsigned one, on a chip that compares without signs and one that does not."""
    records = [json.loads(line) for line in DIVISIONS.read_text().splitlines()[1:]]
    jobs, said = [], []
    for record in (records[0], records[4]):
        call = trace(parse_candidate(record["spec"], Path("k.toml"), None, {}))
        for name in ("v5e", "7x"):
            jobs.append(Job.of(call, name, print_mosaic(lower(call, load_chip(name)))))
            said.append(record["said"][name])
    assert [count.bundles for count in step_bundles(jobs) if count is not None] == said
