"""`pipeline sweep`: what is ranked, what is refused, and rows kept for the next run."""

from __future__ import annotations

import csv
import json
import sys
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
SOFTMAX = MATMUL.with_name("softmax.toml")
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


def test_a_file_that_is_something_else_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes, binary = tmp_path / "notes.txt", tmp_path / "x.bin"
    notes.write_text("name = 1\n[1, 2]\n")
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (notes, binary, tmp_path, tmp_path / "none" / "rows.jsonl"):
        before = path.read_bytes() if path.is_file() else None
        assert run([*BASE, "--vary", "BM=128", "--resume", str(path)]) == 2
        assert "error[C113]" in capsys.readouterr().err
        assert (path.read_bytes() if path.is_file() else None) == before


def test_rows_of_another_spec_are_tried_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep = tmp_path / "rows.jsonl"
    first = rows(capsys, "--vary", "BM=128", "--resume", str(keep))
    head, *lines = keep.read_text().splitlines()
    wrong = [json.dumps({**json.loads(line), "cycles": 1}) for line in lines]
    keep.write_text("\n".join([head.replace("matmul", "other"), *wrong]) + "\n")
    assert rows(capsys, "--vary", "BM=128", "--resume", str(keep)) == first
    assert keep.read_text().splitlines() == [head, *lines]
    keep.write_text("\n".join([head, '{"chip": "v5e"}', "3", *wrong]) + "\n")
    assert [row["cycles"] for row in rows(capsys, "--vary", "BM=128", "--resume", str(keep))] == [1]


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


def test_blocks_and_buffer_slots_by_path(capsys: pytest.CaptureFixture[str]) -> None:
    softmax = ["sweep", str(SOFTMAX), "--target", "v5e", "--format", "json"]
    assert run([*softmax, "--vary", "block.x.0=128..512", "--vary", "buffers.x=2,1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["steps"] for row in found if row["params"]["buffers.x"] == 2] == [4, 8, 16]
    single, double = ({r["params"]["block.x.0"]: r for r in found if r["params"]["buffers.x"] == n} for n in (1, 2))
    for rows_, row in single.items():
        assert row["cycles"] > double[rows_]["cycles"] and row["vmem_bytes"] < double[rows_]["vmem_bytes"]
        assert 0 < row["reached"] <= 100 and row["roof"]


def test_the_spec_says_what_is_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "softmax.toml"
    text = SOFTMAX.read_text().replace("#:schema", "# schema")
    path.write_text(text + '\n[sweep]\n"block.x.0" = [128, 256]\n"vmem_limit_bytes" = "524288..1048576"\n')
    assert run(["sweep", str(path), "--target", "v5e", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found) == 4
    (refused,) = (row for row in found if row["refused"] is not None)
    assert refused["params"] == {"block.x.0": 256, "vmem_limit_bytes": 524288} and refused["refused"][:4] == "P201"
    assert run(["sweep", str(path), "--target", "v5e", "--format", "json", "--vary", "block.x.0=64"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 1
    path.write_text(text + '\n[sweep]\n"block.z" = [128]\n')
    assert run(["sweep", str(path)]) == 2
    assert "softmax.toml:38:13: error[C114]" in capsys.readouterr().err.replace(str(tmp_path) + "/", "")


def test_what_is_refused_is_not_lowered(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lowered: list[object] = []

    def count(call: object, chip: object) -> object:
        lowered.append(call)
        return lower(call, chip)  # type: ignore[arg-type]

    monkeypatch.setattr("pipeline.simulate.sweep.lower", count)
    found = rows(capsys, "--vary", "BM=256,192,100")
    assert len(lowered) == sum(row["refused"] is None for row in found) == 1


def test_without_a_cluster(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run([*BASE, "--vary", "BM=128", "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "error[C117]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("vary", "code"), [("XX=1", "C114"), ("BM=", "C115"), ("block.z=1", "C114"), ("BM=9..1", "C114"), ("BM", "C115")]
)
def test_what_cannot_be_swept(vary: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*BASE, "--vary", vary]) == 2
    assert f"error[{code}]" in capsys.readouterr().err
