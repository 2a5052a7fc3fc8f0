"""Targets of several kinds in one spec: each has its own stages, and a stage that it lacks is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.capture.evaluate import evaluate, possible_captures
from pipeline.chips.load import list_chips, load_target
from pipeline.cli import main
from pipeline.spec.load import load_specs
from pipeline.stages import KINDS, STAGES

SOFTMAX = Path(__file__).parents[2] / "specs" / "softmax_kernel.toml"


@pytest.fixture
def spec(tmp_path: Path) -> str:
    lines = SOFTMAX.read_text(encoding="utf-8").splitlines()
    shown = ['targets = ["v5e", "interpret"]' if line.startswith("targets") else line for line in lines]
    (tmp_path / "s.toml").write_text("\n".join(shown) + "\n", encoding="utf-8")
    return str(tmp_path / "s.toml")


def test_every_kind_names_stages_that_there_are() -> None:
    names = {stage.name for stage in STAGES}
    assert {load_target(name).kind for name in list_chips()} <= set(KINDS)
    for forms in KINDS.values():
        assert set(forms) <= names
        for form in forms.values():
            assert form is None or set(form.needs) <= names


def test_each_target_has_the_captures_of_its_kind(spec: str) -> None:
    outcome = evaluate(spec)
    assert outcome.exit_status() == 0
    paths = [record.path for record in outcome.records]
    assert paths == [
        "softmax_kernel/1-trace.jaxpr",
        "softmax_kernel/2-lower.v5e.mlir",
        "softmax_kernel/2-lower.interpret.mlir",
        "softmax_kernel/2-portability.v5e.txt",
        "softmax_kernel/3-schedule.v5e.txt",
        "softmax_kernel/4-simulate.v5e.txt",
        "softmax_kernel/4-simulate.interpret.txt",
    ]
    (loaded,) = load_specs(Path(spec))
    assert set(paths) <= set(possible_captures(loaded))
    assert "softmax_kernel/3-schedule.interpret.txt" not in possible_captures(loaded)


def test_a_stage_that_the_target_lacks(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", spec, "--target", "interpret", "--stage", "schedule"]) == 2
    assert "error[C111]: the stage 'schedule' does not apply to the target 'interpret'" in capsys.readouterr().err
    assert main(["show", spec, "--target", "interpret", "--stage", "simulate"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("simulation of softmax_kernel on interpret\n")
    assert "timeline" not in shown and "numerics: PASS" in shown
