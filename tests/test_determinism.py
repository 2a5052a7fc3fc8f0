"""Goldens move only when what they show moves: not with the checkout, hash seed, number of workers or a comment."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SPECS = sorted(p for p in (ROOT / "specs").iterdir() if p.suffix in (".toml", ".yaml"))


def build(root: Path, out: Path, *arguments: str, seed: str = "0") -> dict[str, bytes]:
    """Every capture of `pipeline build` run in `root`, by its path below `out`."""
    command = [sys.executable, "-m", "pipeline", "build", *arguments, "--snapshots", str(out), "--no-cache"]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return captures(out)


def captures(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".cache" not in path.parts
    }


def goldens() -> dict[str, bytes]:
    return captures(ROOT / "snapshots")


@pytest.mark.parametrize(("seed", "workers"), [("1", "1"), ("4242", "2")])
def test_hash_seed_and_workers(seed: str, workers: str, tmp_path: Path) -> None:
    assert build(ROOT, tmp_path / "out", "specs", "-j", workers, seed=seed) == goldens()


def test_moved_checkout(tmp_path: Path) -> None:
    moved = tmp_path / "some where" / "else"
    for part in ("pipeline", "specs"):
        shutil.copytree(ROOT / part, moved / part, ignore=shutil.ignore_patterns("__pycache__"))
    assert build(moved, tmp_path / "out", "specs") == goldens()


def edited(folder: Path, edit: dict[str, str]) -> None:
    shutil.copytree(ROOT / "specs", folder / "specs")
    changed = 0
    for path in sorted((folder / "specs").rglob("*")):
        if path.is_file() and path.suffix != ".npy":
            old = path.read_text()
            new = old
            for pattern, replacement in edit.items():
                new = re.sub(pattern, replacement, new, flags=re.MULTILINE)
            path.write_text(new)
            changed += new != old
    assert changed >= 2


COMMENTS = "".join(f"# comment {n}\n" for n in range(5))
PYTHON_COMMENTS = "".join(f"\n# comment {n}" for n in range(5))


@pytest.mark.parametrize(
    "edit",
    [
        {r"^\[kernel\]$": COMMENTS + "[kernel]", r"^kernel:$": COMMENTS + "kernel:"},
        {r"^source = '''$": "source = '''" + PYTHON_COMMENTS, r"^import math$": COMMENTS + "import math"},
        {r"\bcentered\b": "deviation", r"\bm_next\b": "new_max", r"\bslot\b": "parity", r"\be\b(?! =? ?-)": "exps"},
    ],
    ids=["comments above the kernel", "comments in the kernel", "renamed locals"],
)
def test_edits_that_change_nothing(edit: dict[str, str], tmp_path: Path) -> None:
    edited(tmp_path, edit)
    shutil.copytree(ROOT / "pipeline", tmp_path / "pipeline", ignore=shutil.ignore_patterns("__pycache__"))
    assert build(tmp_path, tmp_path / "out", "specs") == goldens()


def test_trace_is_the_same_whatever_the_targets(tmp_path: Path) -> None:
    edited(tmp_path, {r"^targets = \[.*\]$": 'targets = ["v4", "7x"]', r"^targets: .*$": "targets: [v4, 7x]"})
    shutil.copytree(ROOT / "pipeline", tmp_path / "pipeline", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pipeline", "build", "specs", "--snapshots", "out", "--no-cache"]
    subprocess.run(command, cwd=tmp_path, capture_output=True)  # some kernels do not fit a v4; their traces stand
    ours = {name: data for name, data in captures(tmp_path / "out").items() if name.endswith(".jaxpr")}
    assert ours == {name: data for name, data in goldens().items() if name.endswith(".jaxpr")}


def test_yaml_twin() -> None:
    toml = captures(ROOT / "snapshots" / "bias_gelu")
    assert toml and toml == captures(ROOT / "snapshots" / "bias_gelu_yaml")
