"""Specs broken as users break them: each ends in a diagnostic with a line and a column, soon, and in little memory.

The files under `broken/` say nothing of what is wrong with them; `CODES` says which codes must be reported.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

BROKEN = Path(__file__).parent / "broken"
SECONDS = 2.0
MEGABYTES = 500

CODES: dict[str, tuple[str, ...]] = json.loads((BROKEN / "codes.json").read_text())


# Runs a command, and says what it took. It is small: a child starts with the peak of the process that made it.
MEASURE = """
import json, os, resource, subprocess, sys
status = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as file:
    json.dump([status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss], file)
"""


def build(spec: Path, out: Path) -> tuple[int, str, str, float, float]:
    """Exit status, stdout, stderr, processor seconds and peak megabytes of `pipeline build SPEC`, run by itself."""
    command = [sys.executable, "-m", "pipeline", "build", str(spec), "--snapshots", str(out)]
    took = out.with_suffix(".took")
    done = subprocess.run([sys.executable, "-S", "-c", MEASURE, str(took), *command], capture_output=True, text=True)
    status, seconds, peak = json.loads(took.read_text())  # the wall clock also counts what else the machine is doing
    # ru_maxrss is in KiB on Linux, in bytes on macOS
    return status, done.stdout, done.stderr, seconds, peak / (1024 if sys.platform != "darwin" else 1024**2)


def generated(folder: Path) -> list[Path]:
    """Files too large or too odd to keep in the repository."""
    good = (BROKEN.parent.parent / "specs" / "softmax.toml").read_text()
    (folder / "binary.toml").write_bytes(random.Random(0).randbytes(4096))
    (folder / "binary.yaml").write_bytes(b"\x00\x01\x02" * 100)
    (folder / "ten_megabytes.toml").write_text(good + "# " + "x" * 10_000_000 + "\n")
    (folder / "ten_megabytes.yaml").write_text("name: " + "x" * 10_000_000 + "\n")
    (folder / "latin1.toml").write_bytes(good.replace("Row softmax", "Zeilen-Softmax für").encode("latin-1"))
    (folder / "wrong_suffix.json").write_text("{}")
    (folder / "bad_data.toml").write_text(good.replace('kind = "normal", seed = 0', 'kind = "file", file = "bad.npy"'))
    (folder / "bad.npy").write_bytes(b"\x93NUMPY\x01\x00\xff\xff" + b"{'descr': '|O', " * 10)
    names = (
        "binary.toml binary.yaml ten_megabytes.toml ten_megabytes.yaml latin1.toml wrong_suffix.json"
        " bad_data.toml not_there.toml"
    )
    return [folder / name for name in names.split()]


def assert_refused(spec: Path, out: Path) -> str:
    status, stdout, stderr, seconds, peak = build(spec, out)
    shown = stdout + stderr
    assert status == 2, shown
    assert "Traceback" not in shown
    assert re.search(r"^[^ :]+\.(toml|yaml|json|npy|py):[1-9]\d*:[1-9]\d*: error\[[A-Z]\d+\]: ", shown, re.MULTILINE), (
        shown
    )
    assert seconds < SECONDS, f"{seconds:.2f} s"
    assert peak < MEGABYTES, f"{peak:.0f} MB"
    assert not any(out.rglob("*.mlir")) or "R" in shown, "captures of later stages were written"
    return shown


@pytest.mark.parametrize("name", sorted(CODES))
def test_broken_spec_is_refused(name: str, tmp_path: Path) -> None:
    shown = assert_refused(BROKEN / name, tmp_path / "snapshots")
    for code in CODES[name]:
        assert f"[{code}]" in shown, shown


def test_every_broken_spec_is_listed() -> None:
    assert sorted(CODES) == sorted(p.name for p in BROKEN.iterdir() if p.is_file() and p.name != "codes.json")


@pytest.mark.parametrize("position", range(8))
def test_odd_file_is_refused(position: int, tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    spec = generated(tmp_path / "specs")[position]
    assert_refused(spec, tmp_path / "snapshots")
