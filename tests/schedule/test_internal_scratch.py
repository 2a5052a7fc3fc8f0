"""The compiler's own scratch: counted where libtpu took it, by the record of `pipeline.oracles.internal_scratch`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.chips.load import load_chip
from pipeline.ir.jaxpr import MemorySpace
from pipeline.oracles.internal_scratch import Question, call_of
from pipeline.schedule.schedule import schedule

RECORD = Path(__file__).parent / "internal_scratch.jsonl"


def _records() -> list[tuple[Question, bool]]:
    found = []
    for line in RECORD.read_text(encoding="utf-8").splitlines()[1:]:
        before, after, dtype, body, chip, taken = json.loads(line)
        found.append((Question(tuple(before), tuple(after), dtype, body, chip), taken))
    return found


def _counted(question: Question, limit: int = 1) -> int:
    found = schedule(call_of(question, limit), None, load_chip(question.chip))
    return sum(a.bytes for a in found.allocations if a.space is MemorySpace.VMEM and a.kind == "internal")


@pytest.mark.parametrize("chip", ["v4", "v5e", "v5p", "v6e", "7x"])
def test_counted_where_it_was_taken(chip: str) -> None:
    """Never counted where it was not; left out only of single rows and single registers, which follow no rule found."""
    records = [(question, taken) for question, taken in _records() if question.chip == chip]
    assert len(records) >= 10
    for question, taken in records:
        small = 1 in (question.before[0], question.after[0]) or question.before[0] * question.before[1] <= 1024
        counted = _counted(question)
        assert counted in (0, load_chip(chip).internal_scratch_bytes)
        assert not counted or taken, question
        assert counted or not taken or small, question


def test_both_answers_are_held() -> None:
    for chip in ("v4", "v5e", "v5p"):
        assert {taken for question, taken in _records() if question.chip == chip} == {True, False}
    assert not any(taken for question, taken in _records() if question.chip in ("v6e", "7x"))


def test_it_is_part_of_the_sum() -> None:
    question = Question((64, 256), (32, 512), "float32", 0, "v5e")
    windows, whole = 4 * 64 * 256 * 4, 4 * 64 * 256 * 4 + 36864
    use = schedule(call_of(question), None, load_chip("v5e")).use(MemorySpace.VMEM)
    assert use is not None and use.used == whole
    for limit, fits in ((windows, False), (whole - 1, False), (whole, True)):
        findings = schedule(call_of(question, limit), None, load_chip("v5e")).findings
        assert ("P201" not in [one.code for one in findings]) == fits
