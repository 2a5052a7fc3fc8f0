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
from pipeline.oracles.shipped_bundles import CHIPS, compare, kernels
from pipeline.spec.load import parse_candidate
from pipeline.trace.trace import trace

RECORDS = Path(__file__).parents[1] / "schedule" / "scalar_kernels.jsonl"
DIVISIONS, READ_AGAIN = (RECORDS.parent / f"{name}.jsonl" for name in ("divisions", "stored_and_read"))


def test_bundles_of_the_shipped_kernels() -> None:
    """Each on one chip, by turns, copies and loops of its own included: half within 4 %, nine in ten within 18 %, in
    the compiler's order."""
    found = list(compare((spec, CHIPS[i % len(CHIPS)]) for i, spec in enumerate(kernels())))
    assert len(found) > 80
    ours, said = [point.ours for point in found], [point.said for point in found]
    errors = relative_errors(ours, said)
    assert errors[len(errors) // 2] <= 0.04
    assert errors[len(errors) * 9 // 10] <= 0.18
    assert rank_correlation(ours, said) >= 0.98


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


def test_what_is_stored_is_still_passed_on() -> None:
    """Of a kernel that adds to what it stored, on two chips; the record has loads and stores beside the bundles."""
    record = json.loads(READ_AGAIN.read_text().splitlines()[1])
    call = trace(parse_candidate(record["spec"], Path("k.toml"), None, {}))
    names = ("v5e", "7x")
    jobs = [Job.of(call, name, print_mosaic(lower(call, load_chip(name)))) for name in names]
    assert [count.bundles for count in step_bundles(jobs) if count is not None] == [
        record["said"][name][0] for name in names
    ]
