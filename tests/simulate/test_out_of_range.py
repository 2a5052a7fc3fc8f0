"""Out of range, the lenient mode reads and stores where JAX's interpret mode does; the strict one has a finding."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from out_of_range import BLOCKS, RECORD, specs

from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import execute
from pipeline.simulate.machine import Filling
from pipeline.simulate.mode import LENIENT
from pipeline.trace.trace import trace

SPECS = specs()
SUMS: dict[str, list[int]] = json.loads(RECORD.read_text(encoding="utf-8"))["sums"]


@pytest.mark.parametrize("name", SPECS)
def test_the_lenient_mode_gives_interpret_modes_rows(name: str) -> None:
    run = execute(trace(SPECS[name]), make_inputs(SPECS[name]), Filling(variant=2), mode=LENIENT)
    assert run.outputs["o"].astype("int64").sum(1).tolist() == SUMS[name]


@pytest.mark.parametrize("name", SPECS)
def test_the_strict_mode_has_a_finding(name: str) -> None:
    run = execute(trace(SPECS[name]), make_inputs(SPECS[name]))
    assert {finding.code for finding in run.findings} >= {"R320" if name in BLOCKS else "R303"}
