"""`pipeline timeline`: the events of a call, and what the command says."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pipeline.chips.costs import load_costs
from pipeline.chips.load import load_chip
from pipeline.cli.app import run
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.bundles.step import schedule_step
from pipeline.schedule.schedule import schedule
from pipeline.simulate.timing import make_timeline
from pipeline.simulate.trace_events import trace_events
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace

SPECS = Path(__file__).parents[2] / "specs"


def drawn(name: str, chip_name: str) -> tuple[list[dict[str, Any]], int, int]:
    """Events of a shipped spec, the cycles they take, and the cycles the simulation counts in closed form."""
    (spec, *_) = load_specs(SPECS / f"{name}.toml")
    call, chip = trace(spec), load_chip(chip_name)
    made = schedule(call, lower(call, chip), chip)
    events, cycles = trace_events(call, made, chip, None, 100_000)
    timeline = make_timeline(made, chip)
    assert timeline is not None
    return events, cycles, timeline.total


@pytest.mark.parametrize("name", ["softmax", "softmax_kernel", "matmul", "layernorm", "rms_norm", "flash_attention"])
@pytest.mark.parametrize("chip", ["v4", "v6e"])
def test_iterations_drawn_one_by_one_take_what_the_closed_form_says(name: str, chip: str) -> None:
    _, cycles, total = drawn(name, chip)
    assert cycles == total


def test_each_step_has_a_body_and_bodies_do_not_overlap() -> None:
    events, _, _ = drawn("matmul", "v5e")
    bodies = [e for e in events if e["ph"] == "X" and (e["pid"], e["tid"]) == (1, 1)]
    (spec, *_) = load_specs(SPECS / "matmul.toml")
    steps = 1
    for n in trace(spec).grid:
        steps *= n
    assert [e["name"] for e in bodies] == [f"step {i}" for i in range(steps)]
    for before, after in pairwise(bodies):
        assert before["ts"] + before["dur"] <= after["ts"] + 1e-3


@pytest.mark.parametrize("name", ["matmul", "flash_attention", "attention/paged_attention", "control/newton_sqrt"])
def test_nothing_overlaps_on_a_track(name: str) -> None:
    (spec, *_) = load_specs(SPECS / f"{name}.toml")
    call, chip = trace(spec), load_chip("v5e")
    module = lower(call, chip)
    costs = load_costs(chip)
    assert costs is not None
    events, _ = trace_events(
        call, schedule(call, module, chip), chip, schedule_step(module, chip, costs, call.grid), 100
    )
    tracks: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for event in events:
        if event["ph"] == "X":
            tracks.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"]))
    assert len(tracks) > 6
    for stretches in tracks.values():
        for before, after in pairwise(sorted(stretches)):
            assert before[1] <= after[0] + 2e-3


def test_a_revisited_block_is_not_copied_again() -> None:
    events, _, _ = drawn("matmul", "v5e")
    (spec, *_) = load_specs(SPECS / "matmul.toml")
    call = trace(spec)
    made = schedule(call, lower(call, load_chip("v5e")), load_chip("v5e"))
    for window in made.windows:
        copies = [e for e in events if e["ph"] == "X" and e["pid"] == 2 and e["name"].endswith(f" {window.operand}")]
        assert len(copies) == window.visits.copies


def test_the_command_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain, packed = tmp_path / "t.json", tmp_path / "t.json.gz"
    arguments = ["timeline", str(SPECS / "softmax.toml"), "--target", "v5e", "-o"]
    assert run([*arguments, str(plain)]) == 0
    assert "ui.perfetto.dev" in capsys.readouterr().out
    assert run([*arguments, str(packed)]) == 0
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    events = json.loads(plain.read_text())["traceEvents"]
    names = {e["args"]["name"] for e in events if e["ph"] == "M"}
    assert {"body", "valu", "xlu", "vload"} <= names
    assert all(e["dur"] > 0 for e in events if e["ph"] == "X" and e["pid"] == 1)


def test_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.svg"
    assert run(["timeline", str(SPECS / "softmax.toml"), "--target", "v5e", "-o", str(path)]) == 0
    assert "browser" in capsys.readouterr().out
    root = ElementTree.parse(path).getroot()
    words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"body", "copy in x", "copy out o", "x, slot 1", "valu", "xlu", "prologue", "epilogue"} <= set(words)
    titles = [title.text or "" for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert sum(title.startswith("step ") for title in titles) == 8
    assert sum(title.startswith("bundles ") for title in titles) > 20
    assert path.stat().st_size < 60_000


def test_what_is_large_is_packed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.cli.timeline._LARGE", 1000)
    assert run(["timeline", str(SPECS / "softmax.toml"), "--target", "v5e", "-o", str(tmp_path / "t.json")]) == 0
    assert "t.json.gz" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["t.json.gz"]
    assert json.loads(gzip.decompress((tmp_path / "t.json.gz").read_bytes()))["traceEvents"]


def test_tracks_and_counters() -> None:
    events, _, _ = drawn("matmul", "v5e")
    held = [e for e in events if e["ph"] == "C" and e["name"] == "VMEM"]
    (spec, *_) = load_specs(SPECS / "matmul.toml")
    call = trace(spec)
    made = schedule(call, lower(call, load_chip("v5e")), load_chip("v5e"))
    most = max(e["args"]["B"] for e in held)
    assert held[-1]["args"]["B"] < most <= sum(a.bytes for a in made.allocations if a.space.value == "vmem")
    for window in made.windows:
        tracks = [e for e in events if e["ph"] == "M" and e["args"]["name"].startswith(f"{window.operand}, slot")]
        assert len(tracks) == window.buffers


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        (["--variant", "none_such"], "C110"),
        (["--target", "interpret"], "C116"),
        (["-o", "/nonexistent-folder/t.json"], "C113"),
    ],
)
def test_what_keeps_it_from_being_written(
    extra: list[str], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = [] if "-o" in extra else ["-o", str(tmp_path / "t.json")]
    assert run(["timeline", str(SPECS / "softmax.toml"), *extra, *output]) == 2
    assert f"error[{code}]" in capsys.readouterr().err
