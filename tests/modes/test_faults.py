"""Faulty kernels: reported here, all of them; what JAX's interpreters told of them is recorded with its version."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.capture.outcome import is_error
from pipeline.ir.call import Role
from pipeline.oracles.faults import FAULTS, load, names, page, recorded, right_answer, told_here, word
from pipeline.oracles.interpret_record import lenient_run
from pipeline.oracles.interpreters import MODES
from pipeline.stages import run_spec

ROOT = Path(__file__).parents[2]


def test_each_kind_of_fault_is_there() -> None:
    assert list(FAULTS) == ["bounds", "races", "aliasing", "initialisation", "copies"]
    assert len(set(names())) == len(names()) >= 20
    assert {name: list(found) for name, found in recorded().items()} == {name: list(MODES) for name in names()}


@pytest.mark.parametrize("name", names())
def test_the_fault_is_reported_here(name: str) -> None:
    broken, _ = load(name)
    assert broken.expect in told_here(broken)


@pytest.mark.parametrize("name", names())
def test_without_the_fault_nothing_is(name: str) -> None:
    _, fixed = load(name)
    results = run_spec(fixed, fixed.targets[:1])
    assert [d.code for result in results for d in result.diagnostics if is_error(d)] == []
    assert all(result.passed and result.status == "ok" for result in results)


@pytest.mark.parametrize("name", names())
def test_the_lenient_mode_shows_what_interpret_mode_showed(name: str) -> None:
    """Right, wrong or NaN, as JAX's own was seen to."""
    broken, _ = load(name)
    run = lenient_run(broken)
    assert run is not None
    outputs = [run.outputs[operand.name] for operand in broken.operands if operand.role is Role.OUTPUT]
    assert word(broken, right_answer(name), outputs) == recorded()[name]["interpret"]


def test_the_page_is_up_to_date() -> None:
    """Else: python -m pipeline.oracles.faults page > docs/faults.md."""
    assert (ROOT / "docs" / "faults.md").read_text(encoding="utf-8") == page()
