"""Whether libtpu takes its own scratch, now, for reshapes that nobody recorded."""

from __future__ import annotations

from pipeline.chips.load import load_chip
from pipeline.ir.jaxpr import MemorySpace
from pipeline.oracles.internal_scratch import ask, call_of, sample
from pipeline.schedule.schedule import schedule


def test_the_scratch_is_counted_where_libtpu_takes_it() -> None:
    questions = sample(1, 40)
    answers = ask(questions)
    assert {True, False} <= set(answers)
    for question, taken in zip(questions, answers, strict=True):
        if taken is None or question.before[0] * question.before[1] <= 1024:
            continue
        plan = schedule(call_of(question), None, load_chip(question.chip)).allocations
        counted = any(a.space is MemorySpace.VMEM and a.kind == "internal" for a in plan)
        assert counted == taken, question
