"""Verdicts and window sizes that libtpu gave, held against ours. The compiler is not needed: what it said is data.

`libtpu_verdicts.jsonl` holds kernels on block shapes, VMEM, SMEM, semaphores and copies, about a third of a larger set,
chosen by a hash of their names. Left out: kernels that were refused for what other stages judge, and those refused for
spilled values or the compiler's internal scratch, which cannot be read off shapes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.chips.load import load_chip
from pipeline.dtypes import BY_NAME
from pipeline.errors import Severity
from pipeline.ir.call import BlockDim, Blocked, Element, KernelCall, Operand, Role, Scratch, Squeezed
from pipeline.ir.jaxpr import RefAval, ShapedArray
from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.schedule.schedule import schedule

_HEADER, *RECORDS = [
    json.loads(line) for line in (Path(__file__).parent / "libtpu_verdicts.jsonl").read_text().splitlines()
]


def _dim(value: Any) -> BlockDim:
    match value:
        case None:
            return Squeezed()
        case int():
            return Blocked(value)
        case _:
            low, high = value["padding"]
            return Element(value["element"], (low, high))


def recorded_call(record: dict[str, Any]) -> KernelCall:
    body = parse_jaxpr(record["body"])
    refs = [var.aval for var in body.invars]
    operands = []
    for said, ref in zip(record["operands"], refs, strict=False):
        assert isinstance(ref, RefAval)
        block = said.get("block")
        operands.append(
            Operand(
                said["name"],
                Role[said["role"]],
                ShapedArray(tuple(said["shape"]), BY_NAME[said["dtype"]]),
                ref,
                None if block is None else tuple(map(_dim, block)),
                parse_jaxpr(said["map"]) if "map" in said else None,
                said.get("buffers"),
            )
        )
    scratch = []
    for name, ref in zip(record["scratch"], refs[len(operands) :], strict=True):
        assert isinstance(ref, RefAval)
        scratch.append(Scratch(name, ref))
    return KernelCall(
        "kern",
        body,
        tuple(record["grid"]),
        tuple(operands),
        tuple(scratch),
        aliases=tuple((i, o) for i, o in record.get("aliases", ())),
        vmem_limit_bytes=record.get("vmem_limit_bytes"),
    )


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_same_verdict_and_windows(record: dict[str, Any]) -> None:
    call = recorded_call(record)
    for said in record["said"]:
        for name in said["chips"]:
            found = schedule(call, None, load_chip(name))
            errors = [finding.code for finding in found.findings if finding.severity is Severity.ERROR]
            assert (not errors) == said["ok"], (name, errors)
            if "windows" in said:
                assert sorted(window.bytes for window in found.windows) == said["windows"], name
