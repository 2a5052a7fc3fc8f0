"""Verdicts and window sizes that libtpu gave, held against ours. The compiler is not needed: what it said is data.

`libtpu_verdicts.jsonl` holds kernels on block shapes, VMEM, SMEM, semaphores and copies, about a third of a larger set,
chosen by a hash of their names. Left out: kernels that were refused for what other stages judge, and those refused for
spilled values or the compiler's internal scratch, which cannot be read off shapes.
"""

from __future__ import annotations

from typing import Any

import pytest
from recorded_calls import recorded_call, records

from pipeline.chips.load import load_chip
from pipeline.errors import Severity
from pipeline.schedule.schedule import schedule


@pytest.mark.parametrize("record", records("libtpu_verdicts.jsonl"), ids=lambda record: record["id"])
def test_same_verdict_and_windows(record: dict[str, Any]) -> None:
    call = recorded_call(record)
    for said in record["said"]:
        for name in said["chips"]:
            found = schedule(call, None, load_chip(name))
            errors = [finding.code for finding in found.findings if finding.severity is Severity.ERROR]
            assert (not errors) == said["ok"], (name, errors)
            if "windows" in said:
                assert sorted(window.bytes for window in found.windows) == said["windows"], name
