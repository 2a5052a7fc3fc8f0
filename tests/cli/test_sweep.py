"""`pipeline sweep`: what is ranked, what is refused, and rows kept for the next run."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.chips.load import load_chip
from pipeline.cli.app import run
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.schedule import schedule
from pipeline.simulate.timing import make_timeline
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace

MATMUL = Path(__file__).parents[2] / "specs" / "matmul.toml"
BASE = ["sweep", str(MATMUL), "--target", "v5e", "-j", "1"]


def rows(capsys: pytest.CaptureFixture[str], *extra: str) -> list[dict[str, Any]]:
    assert run([*BASE, *extra, "--format", "json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def test_candidates_are_ranked_by_the_calls_cycles(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "--vary", "BM=128,256,512", "--vary", "BK=256,512")
    assert len(found) == 6
    assert [row["rank"] for row in found] == [1, 2, 3, 4, 5, 6]
    cycles = [row["cycles"] for row in found]
    assert cycles == sorted(cycles)


def test_a_candidate_is_the_spec_at_these_params(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = rows(capsys, "--vary", "BK=256")
    spec = next(s for s in load_specs(MATMUL) if s.variant == "k256")
    call, chip = trace(spec), load_chip("v5e")
    made = schedule(call, lower(call, chip), chip)
    timeline = make_timeline(made, chip)
    assert timeline is not None
    assert row["cycles"] == timeline.total


def test_what_is_not_legal_or_not_the_whole_result_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "--vary", "BM=256,192,100")
    refused = {row["params"]["BM"]: row["refused"] for row in found}
    assert refused[256] is None
    assert refused[192] == "blocks left out of a, o"
    assert refused[100] is not None and refused[100].startswith("P101")
    assert [row["rank"] for row in found] == [1, None, None]


def test_rows_are_kept_and_not_tried_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = tmp_path / "rows.jsonl"
    first = rows(capsys, "--vary", "BM=128,256", "--resume", str(keep))
    keep.write_text(keep.read_text() + '{"params": {"BM"')  # a run that was killed
    tried: list[object] = []

    def never(*args: object) -> list[object]:
        tried.append(args)
        return []

    monkeypatch.setattr("pipeline.simulate.sweep.candidate", never)
    assert rows(capsys, "--vary", "BM=128,256", "--resume", str(keep)) == first
    assert tried == []


def test_forms_agree(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "--vary", "BM=128,256")
    assert run([*BASE, "--vary", "BM=128,256", "--format", "csv"]) == 0
    table = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [int(row["cycles"]) for row in table] == [row["cycles"] for row in found]
    assert run([*BASE, "--vary", "BM=128,256"]) == 0
    assert str(found[0]["cycles"]) in capsys.readouterr().out.splitlines()[1]


def test_processes_find_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    one = rows(capsys, "--vary", "BM=128,256")
    assert run(["sweep", str(MATMUL), "--target", "v5e", "-j", "2", "--vary", "BM=128,256", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == one


@pytest.mark.parametrize(("vary", "code"), [("XX=1", "C114"), ("BM=", "C115")])
def test_what_cannot_be_swept(vary: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*BASE, "--vary", vary]) == 2
    assert f"error[{code}]" in capsys.readouterr().err
