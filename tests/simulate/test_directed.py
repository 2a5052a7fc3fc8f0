"""Kernels made for one doubt each come out as independent executors have them (recorded)."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from directed import all_cases, parsed
from simulate_records import entries, read_array

from pipeline.ir.call import Role
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import execute
from pipeline.simulate.functional import steps_in_place
from pipeline.simulate.machine import Filling
from pipeline.simulate.mode import LENIENT
from pipeline.simulate.tolerance import compare, rounding_of, tolerance_for
from pipeline.trace.trace import trace

CASES = all_cases()


def test_the_record_is_of_these_cases() -> None:
    assert list(entries("directed")) == list(CASES)


@pytest.mark.parametrize("name", CASES)
def test_outputs_are_the_recorded_ones(name: str) -> None:
    spec = parsed({name: CASES[name]})[name]
    call, inputs = trace(spec), make_inputs(spec)
    ours = execute(call, inputs, Filling(variant=2), mode=LENIENT)
    facts = rounding_of(call.body)
    for output, record in zip(call.with_role(Role.OUTPUT), entries("directed")[name]["outputs"], strict=True):
        have, want = ours.outputs[output.name], read_array(record)
        assert (have.dtype, have.shape) == (want.dtype, want.shape)
        with np.errstate(all="ignore"):
            assert compare(have, want, tolerance_for(call, facts, output, steps_in_place(call, output))).outside == 0
