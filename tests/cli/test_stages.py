"""The table of stages and what running a spec through it means, with stages of this test's own."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from stand_ins import make_spec

from pipeline.capture import names
from pipeline.errors import Diagnostic, Severity, SpecError
from pipeline.spec.spec import Spec, Target
from pipeline.stages import STAGES, Stage, run_spec


def test_the_table_is_ordered_and_agrees_with_the_names() -> None:
    seen: set[str] = set()
    for stage in STAGES:
        assert set(stage.needs) <= seen
        seen.add(stage.name)
    printed = [(stage.name, stage.per_target) for stage in STAGES if stage.print is not None]
    assert printed == [(name, per_target) for name, _, _, per_target in names.CAPTURES]


def spec(tmp_path: Path) -> Spec:
    (tmp_path / "s.toml").write_text("")
    return make_spec(tmp_path / "s.toml", {"name": "s", "targets": ["v5e", "v6e"]})


def test_a_failure_stops_what_needs_it_and_nothing_else(tmp_path: Path) -> None:
    warning = Diagnostic("P901", "w", severity=Severity.WARNING)

    def second(spec: Spec, target: Target, first: str) -> Any:
        if target.name == "v5e":
            raise SpecError("P101", "no")
        return SimpleNamespace(findings=(warning,), text=f"{first} {target.name}")

    def third(spec: Spec, target: Target, second: Any, chipless: int) -> str:
        return f"{second.text} {chipless // 0 if spec.params else chipless}"

    table = (
        Stage("first", (), False, lambda spec, target: "one", str),
        Stage("second", ("first",), True, second, lambda value: str(value.text), reports=True),
        Stage("chipless", ("first",), False, lambda spec, target, first: 7, None),
        Stage("third", ("second", "chipless"), True, third, str),
    )
    asked = ("first", "second", "third")
    found = [(r.stage, r.target, r.status, r.text) for r in run_spec(spec(tmp_path), wanted=asked, stages=table)]
    assert found == [
        ("first", None, "ok", "one"),
        ("second", "v5e", "failed", None),
        ("second", "v6e", "ok", "one v6e"),
        ("chipless", None, "ok", None),
        ("third", "v5e", "not run", None),
        ("third", "v6e", "ok", "one v6e 7"),
    ]


def test_what_no_target_needs_is_not_run(tmp_path: Path) -> None:
    ran: list[str] = []

    def fail(spec: Spec, target: Target) -> None:
        raise SpecError("P101", "no")

    table = (
        Stage("refused", (), True, fail, None),
        Stage("slow", (), False, lambda spec, target: ran.append("slow"), None),
        Stage("last", ("refused", "slow"), True, lambda *inputs: "", str),
    )
    results = run_spec(spec(tmp_path), wanted=("last",), stages=table)
    assert ran == []
    assert [r.status for r in results] == ["failed", "failed", "not run", "not run"]


def test_an_exception_of_ours_is_a_result(tmp_path: Path) -> None:
    table = (Stage("first", (), False, lambda spec, target: 1 // 0, str),)
    (result,) = run_spec(spec(tmp_path), wanted=("first",), stages=table)
    assert result.status == "bug"
    assert result.bug is not None
    assert result.bug.rstrip().endswith("ZeroDivisionError: integer division or modulo by zero")
