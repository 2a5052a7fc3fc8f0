"""The lenient mode gives the numbers that JAX's interpret mode gave, recorded for every spec that it can run."""

from __future__ import annotations

import json

import pytest

from pipeline.oracles.interpret_record import RECORD, disagreements, lenient_run
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.spec.spec import Spec

SPECS = shipped_specs()
RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
DATA = RECORDED["specs"]


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec_id(spec) in DATA], ids=spec_id)
def test_numbers_are_interpret_modes(spec: Spec) -> None:
    run = lenient_run(spec)
    assert run is not None
    assert disagreements(spec, run, DATA[spec_id(spec)]) == []


def test_the_record_is_of_specs_that_are_there() -> None:
    assert {*DATA, *RECORDED["refused"]} <= {spec_id(spec) for spec in SPECS}
    # copies of a size that is not known while JAX traces, and packed words, for which its interpreter has no rule
    assert {*RECORDED["refused"]} == {"copy_of_two_lengths_fixed", "dynamic_size_copy", "words_of_pairs"}


def test_a_wrong_number_is_seen() -> None:
    spec = next(spec for spec in SPECS if spec.name == "softmax")
    run = lenient_run(spec)
    assert run is not None
    recorded = {name: [2 * float(value) for value in values] for name, values in DATA["softmax"].items()}
    assert len(disagreements(spec, run, recorded)) == 8  # type: ignore[arg-type]
