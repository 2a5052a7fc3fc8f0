"""What stands around a run: closed streams, a folder that is gone, captures that are no files or far too large,
a parent that is killed. No traceback, no hang, no process left over."""

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

import pipeline
from pipeline.capture.diff import WIDEST, unified
from pipeline.cli.app import run

ROOT = Path(pipeline.__file__).parent.parent
POSIX = pytest.mark.skipif(os.name != "posix", reason="a POSIX shell, signals and pipes")


def shell(folder: Path, line: str) -> tuple[int, str, str]:
    """A line for `sh`, in which $P is the command line tool."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "P": f"{sys.executable} -m pipeline"}
    done = subprocess.run(["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, timeout=60,
                          check=False)  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "specs/softmax.toml", tmp_path)
    return tmp_path


@POSIX
@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("$P show softmax.toml --stage trace >&-", 0),
        ("$P show softmax.toml --stage trace >&- 2>&- <&-", 0),
        ("$P build nope.toml 2>&- >/dev/null", 2),
        ("$P build softmax.toml -v --target v5e >&- 2>&-", 0),
    ],
)
def test_closed_streams(project: Path, line: str, status: int) -> None:
    assert shell(project, line) == (status, "", "")


@POSIX
def test_a_capture_does_not_become_a_closed_stream(project: Path) -> None:
    """The first file that is opened takes the number of a closed stdout."""
    assert shell(project, "$P build softmax.toml -v --target v5e >&- 2>&- <&-")[0] == 0
    assert shell(project, "$P check softmax.toml --target v5e --no-cache")[0] == 0


@POSIX
def test_a_folder_that_is_gone(project: Path) -> None:
    for command in ("build", "build ../softmax.toml", "check"):
        status, _, err = shell(project, f"mkdir gone && cd gone && rmdir ../gone && $P {command}")
        assert (status, err) == (2, "pipeline: the current folder is not there any more\n")


@POSIX
def test_a_capture_that_is_a_pipe(project: Path) -> None:
    place = project / "snapshots/softmax/3-schedule.v5e.txt"
    assert shell(project, "$P build softmax.toml --target v5e")[0] == 0
    text = place.read_text()
    place.unlink()
    os.mkfifo(place)
    status, out, _ = shell(project, "$P check softmax.toml --target v5e")
    assert (status, out.splitlines()[0]) == (1, "  missing    snapshots/softmax/3-schedule.v5e.txt")
    assert shell(project, "$P build softmax.toml --target v5e")[0] == 0
    assert place.read_text() == text


def test_a_capture_that_is_far_too_large(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(project / "softmax.toml"), "--target", "v5e", "--snapshots", str(project / "snapshots")]
    place = project / "snapshots/softmax/3-schedule.v5e.txt"
    assert run(["build", *arguments]) == 0
    text = place.read_text()
    capsys.readouterr()
    with place.open("wb") as file:
        file.truncate(1 << 32)  # without a line end
    start = time.monotonic()
    assert run(["check", *arguments]) == 1
    assert time.monotonic() - start < 10
    assert len(capsys.readouterr().out) < 100_000
    assert run(["build", *arguments]) == 0
    assert place.read_text() == text


def test_a_wide_line_of_a_diff_is_cut() -> None:
    lines = unified("a" * (WIDEST + 5) + "\n", "b\n", "old", "new")
    assert lines[3] == f"-{'a' * WIDEST} (5 more characters)"


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("nowhere/", "S001]: there is no file or folder 'nowhere'"),
        ("nowhere.toml", "S001]: there is no file 'nowhere.toml'"),
    ],
)
def test_a_name_of_nothing(argument: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["build", argument]) == 2
    assert said in capsys.readouterr().err


def test_show_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(tmp_path)]) == 2
    assert "is a folder, not a spec file" in capsys.readouterr().err


def test_a_timeline_of_an_unknown_form(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["timeline", str(project / "softmax.toml"), "-o", str(project / "x.txt")]) == 2
    assert "FILE.json, FILE.json.gz or FILE.svg" in capsys.readouterr().err
    assert not (project / "x.txt").exists()


def test_a_sweep_ranks_on_chips_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sweep", str(ROOT / "specs/softmax.toml"), "--vary", "block.x.0=256,512", "-j", "1"]) == 0
    chips = {line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]}
    assert chips == {"v5e", "v6e"}  # and not interpret, which the spec declares, too
    assert run(["sweep", str(ROOT / "specs/softmax.toml"), "--vary", "block.x.0=64.."]) == 2
    assert "'64..' is no range" in capsys.readouterr().err


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(word) for word in listed]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are looked up in /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_their_parent(tmp_path: Path, how: signal.Signals) -> None:
    text = (ROOT / "specs/softmax.toml").read_text()
    for copy in range(40):  # enough that it cannot be done by then
        (tmp_path / f"copy{copy}.toml").write_text(text.replace('name = "softmax"', f'name = "copy{copy}"', 1))
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline", "build", ".", "-j", "2", "-q"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while len(_children(process.pid)) < 3 and time.monotonic() < deadline:  # two workers, and what tracks resources
        time.sleep(0.01)
    time.sleep(0.5)
    process.send_signal(how)
    process.communicate(timeout=20)  # returns only when no worker holds the pipe any more
    assert process.returncode == -how


@pytest.mark.parametrize(
    "command",
    [
        ["run", "nope.toml"],
        ["run", "softmax.toml", "--input", "q=q.npy"],
        ["sweep", "nope.toml", "--vary", "X=1"],
        ["sweep", "softmax.toml", "--vary", "X=1"],
        ["show", "nope.toml"],
        ["build", "nope.toml"],
    ],
    ids=" ".join,
)
def test_json_says_what_keeps_a_command_from_its_work(
    command: list[str], project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    assert run([*command, "--format", "json"]) == 2
    out, err = capsys.readouterr()
    (record,) = json.loads(out)
    assert (record["file"], record["status"], err) == (command[1], "error", "")
    assert record["diagnostics"][0]["code"] in ("S001", "C112", "C114")


@POSIX
def test_fix_writes_to_the_file_that_is_there(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Through a link, with the file's permissions; and not to one that may not be written to."""
    text = (project / "softmax.toml").read_text().replace("block = [256, 512]", "block = [4, 512]")
    broken = text.replace("shape = [8]", "shape = [512]")
    place, link = project / "real.toml", project / "link.toml"
    place.write_text(broken)
    place.chmod(0o640)
    link.symlink_to(place)
    assert run(["fix", str(link), "--write"]) == 0
    assert link.is_symlink()
    assert "block = [8, 512]" in place.read_text()
    assert place.stat().st_mode & 0o777 == 0o640
    place.write_text(broken)
    place.chmod(0o440)
    writable = os.access(place, os.W_OK)  # for root it is, whatever its permissions say
    assert run(["fix", str(place), "--write"]) == (0 if writable else 2)
    assert (place.read_text() == broken) == (not writable)
    place.chmod(0o640)
    capsys.readouterr()
