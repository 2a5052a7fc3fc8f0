"""S12: not one byte of the goldens changes when the kernel moves in its file, or the file, or a local is renamed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.cli import main

SPEC = Path(__file__).parent / "s12_two_steps.toml"
PACKAGE = Path(__file__).parents[2]


def captures(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".cache" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def built(spec: Path, text: str, seed: str | None = None) -> dict[str, bytes]:
    """The captures of `text` as the file `spec`; with a seed by a process of its own."""
    spec.parent.mkdir(parents=True, exist_ok=True)
    spec.write_text(text, encoding="utf-8")
    out = spec.parent / f"snapshots{seed or ''}"
    arguments = ["build", str(spec), "--no-cache", "--snapshots", str(out)]
    if seed is None:
        assert main(arguments) == 0
    else:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(PACKAGE)}
        subprocess.run([sys.executable, "-m", "pipeline", *arguments], env=environment, check=True, capture_output=True)
    return captures(out)


def moved_down(text: str) -> str:
    return text.replace("[kernel]", "\n\n# a comment\n\n# and another\n[kernel]").replace(
        "def ", "# one\n\n\n# two\n\ndef "
    )


def renamed(text: str) -> str:
    return text.replace("    a = ", "    doubled = ").replace("= a + 1", "= doubled + 1")


@pytest.mark.parametrize("change", [moved_down, renamed], ids=["moved down", "renamed"])
def test_edits(change: Callable[[str], str], tmp_path: Path) -> None:
    text = SPEC.read_text(encoding="utf-8")
    assert change(text) != text
    assert built(tmp_path / "a" / SPEC.name, change(text)) == built(tmp_path / "b" / SPEC.name, text)


def test_another_path_and_twice_in_one_process(tmp_path: Path) -> None:
    text = SPEC.read_text(encoding="utf-8")
    first = built(tmp_path / "a" / SPEC.name, text)
    assert len(first) == 7
    assert built(tmp_path / "some where" / "else" / SPEC.name, text) == first
    assert built(tmp_path / "a" / SPEC.name, text) == first


def test_two_processes_with_other_hash_seeds(tmp_path: Path) -> None:
    text = SPEC.read_text(encoding="utf-8")
    first = built(tmp_path / SPEC.name, text, "1")
    assert built(tmp_path / SPEC.name, text, "31337") == first == built(tmp_path / SPEC.name, text)
