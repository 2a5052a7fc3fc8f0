"""Our captures against what JAX and libtpu said when they were last asked: tests/oracle_records/. Needs neither.

The records are written by `python -m pipeline.oracles.record`; `pytest tests/oracle` asks the real ones.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from pipeline.chips.load import load_chip
from pipeline.errors import Severity, SpecError
from pipeline.ir.jaxpr import MemorySpace
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.agreement import BEYOND
from pipeline.oracles.record import RECORDS, trace_record
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.schedule.schedule import schedule
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

SPECS = shipped_specs()


def read(spec: Spec) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RECORDS / f"{spec_id(spec)}.json").read_text(encoding="utf-8"))
    return found


def test_every_spec_has_a_record_and_every_record_a_spec() -> None:
    assert {path.stem for path in RECORDS.glob("*.json")} == {spec_id(spec) for spec in SPECS}


@pytest.mark.parametrize("spec", SPECS, ids=spec_id)
def test_trace_is_what_jax_traced(spec: Spec) -> None:
    assert trace_record(trace(spec)) == read(spec)["trace"]


@pytest.mark.parametrize("spec", SPECS, ids=spec_id)
def test_module_is_what_jax_emitted(spec: Spec) -> None:
    call, recorded = trace(spec), read(spec)
    for module in recorded["modules"]:
        for chip in module["chips"]:
            assert print_mosaic(lower(call, load_chip(chip))).splitlines() == module["text"]
    refused = {chip for chip, verdict in recorded["verdicts"].items() if verdict.get("refused_by") == "lowering"}
    assert {chip for module in recorded["modules"] for chip in module["chips"]} | refused == set(recorded["verdicts"])


@pytest.mark.parametrize("spec", SPECS, ids=spec_id)
def test_verdict_is_the_compilers(spec: Spec) -> None:
    """What was refused, we refuse, with its sizes; what was accepted, we accept.

    Except for what is wrong though the compiler lets it pass: index maps that leave their array, blocks revisited.
    """
    call = trace(spec)
    for name, verdict in read(spec)["verdicts"].items():
        chip = load_chip(name)
        try:
            found = schedule(call, lower(call, chip), chip)
        except SpecError as error:
            assert verdict == {"refused_by": "lowering"}, name
            assert [one.code for one in error.diagnostics] == [spec.expect], name
            continue
        codes = {finding.code for finding in found.findings if finding.severity is Severity.ERROR}
        if name in {target.name for target in spec.targets}:
            # what only a run shows is compiled, and so is what is a warning
            refused = spec.expect is not None and not spec.expect.startswith("R") and not spec.expects_warning
            assert codes == ({spec.expect} if refused else set()), name
        if spec.expect == "P206":
            continue  # spilled registers are an estimate, and the sizes that the compiler gives hold them
        if verdict.get("accepted"):
            assert codes <= BEYOND, name
        else:
            assert codes, name
        if "vmem_bytes" in verdict:
            use = found.use(MemorySpace.VMEM)
            assert use is not None
            assert (use.used, use.limit) == (verdict["vmem_bytes"], verdict["vmem_limit_bytes"]), name
