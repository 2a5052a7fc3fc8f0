"""Real builds in real processes: several jobs, two at once, one killed, another hash seed, a moved checkout."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from signals import takes_interrupts

import pipeline
from pipeline.capture.outcome import Outcome
from pipeline.cli import workers

ROOT = Path(pipeline.__file__).parent.parent
SPECS = ("softmax", "softmax_kernel", "layernorm", "bias_gelu")


def start(folder: Path, *argv: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "pipeline", *argv],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=takes_interrupts,
    )


def run(folder: Path, *argv: str, **environment: str) -> tuple[int, str, str]:
    process = start(folder, *argv, **environment)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def make_project(folder: Path) -> Path:
    (folder / "specs").mkdir(parents=True)
    for name in SPECS:
        shutil.copy(ROOT / "specs" / f"{name}.toml", folder / "specs")
    shutil.copytree(ROOT / "specs/exhibits", folder / "specs/exhibits")
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".cache" not in path.parts
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that one process has built."""
    project = make_project(tmp_path_factory.mktemp("built") / "project")
    assert run(project, "build", "-j", "1")[0] == 0
    return project


def test_the_same_bytes_from_several_processes_and_another_hash_seed(built: Path, tmp_path: Path) -> None:
    project = make_project(tmp_path / "elsewhere" / "project")
    status, out, _ = run(project, "build", "-j", "3", PYTHONHASHSEED="4242")
    assert status == 0
    assert tree(project / "snapshots") == tree(built / "snapshots")
    serial = run(make_project(tmp_path / "serial"), "build", "-j", "1", PYTHONHASHSEED="1")
    assert serial[1] == out  # the report is in the same order, too


def test_json_of_several_processes(built: Path) -> None:
    one, three = (run(built, "check", "--no-cache", "--format", "json", "-j", jobs) for jobs in "13")
    assert one == three
    assert {record["status"] for record in json.loads(one[1])} <= {"unchanged", "expected error"}


def test_a_check_in_a_moved_checkout(built: Path, tmp_path: Path) -> None:
    shutil.copytree(built, tmp_path / "moved")
    status, _, err = run(tmp_path / "moved", "check", "--no-cache")
    assert (status, err) == (0, "")
    assert run(tmp_path, "check", "moved/specs", "--snapshots", "moved/snapshots")[0] == 0
    assert str(tmp_path) not in "".join(text.decode() for text in tree(tmp_path / "moved/snapshots").values())


def test_unchanged_specs_import_nothing_heavy(built: Path) -> None:
    code = "import sys; from pipeline.cli import main; s = main(['check', '-q']); print(*sys.modules); sys.exit(s)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=built,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    loaded = done.stdout.split()
    assert [name for name in ("numpy", "pydantic", "yaml", "tomli", "pipeline.stages") if name in loaded] == []


def test_builds_at_once(built: Path, tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    processes = [start(project, "build", "--no-cache") for _ in range(3)]
    for process in processes:
        _, err = process.communicate(timeout=300)
        assert (process.returncode, err) == (0, "")
    assert tree(project / "snapshots") == tree(built / "snapshots")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_build_leaves_whole_files(built: Path, tmp_path: Path) -> None:
    whole = tree(built / "snapshots")
    project = make_project(tmp_path / "project")
    for path in whole:
        target = project / "snapshots" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(b"old\n")
    seen: set[bool] = set()
    for attempt in range(6):
        process = start(project, "build", "--no-cache", "-j", "1")
        time.sleep(0.15 + 0.15 * attempt)
        process.kill()
        process.communicate()
        for path, data in tree(project / "snapshots").items():
            if path.endswith(".tmp"):
                continue
            assert data in (b"old\n", whole[path]), path
            seen.add(data == whole[path])
    status, _, err = run(project, "build")
    assert (status, err) == (0, "")
    assert tree(project / "snapshots") == whole  # no temporary file is left either


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_ends_workers_too(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    for copy in range(40):  # enough that it cannot be done by then
        text = (ROOT / "specs/softmax.toml").read_text()
        (project / f"specs/copy{copy}.toml").write_text(text.replace('name = "softmax"', f'name = "copy{copy}"', 1))
    process = start(project, "build", "-j", "2")
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, err = process.communicate(timeout=60)  # returns only when no worker holds the pipe any more
    assert (process.returncode, err) == (130, "\ninterrupted\n")
    assert list((project / "snapshots").rglob("*.tmp")) == []


def die(file: str, targets: tuple[str, ...]) -> Outcome:
    """Stands in for `evaluate` in a worker: one file takes its process down."""
    if file == "b":
        os._exit(9)
    return Outcome(file, [])


def test_a_worker_that_dies_is_its_files_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.capture.evaluate.evaluate", die)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(Path(__file__).parent)]))
    outcomes = list(workers.evaluate_all(["a", "b", "c", "d"], (), 2))
    assert [outcome.file for outcome in outcomes] == ["a", "b", "c", "d"]
    assert [outcome.exit_status() for outcome in outcomes] == [0, 70, 0, 0]


def test_job_count() -> None:
    assert workers.job_count(None, 8) == 1
    assert 1 <= workers.job_count(None, 100) <= 100
    assert workers.job_count(4, 100) == 4
    assert workers.job_count(4, 2) == 2
    assert workers.job_count(4, 0) == 1
