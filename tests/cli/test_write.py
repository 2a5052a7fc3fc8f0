"""Captures on disk: whole or not at all, never outside their folder, and no leftovers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.capture import write
from pipeline.errors import SpecError


def entries(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_bytes_as_given(tmp_path: Path) -> None:
    root = str(tmp_path / "snapshots")
    write.write_captures(root, {"a/1-trace.jaxpr": "one\ntwo é\n", "a/b/2.txt": ""})
    assert (tmp_path / "snapshots/a/1-trace.jaxpr").read_bytes() == "one\ntwo é\n".encode()
    assert entries(tmp_path / "snapshots") == ["a/1-trace.jaxpr", "a/b/2.txt"]
    assert write.read_capture(root, "a/b/2.txt") == b""
    assert write.read_capture(root, "a/none") is None


def test_a_capture_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("x")
    write.write_captures(str(tmp_path), {"a/x": "x"})
    assert (tmp_path / "a/x").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_nothing_is_replaced_if_one_cannot_be_prepared(tmp_path: Path) -> None:
    write.write_captures(str(tmp_path), {"a/1": "old"})
    (tmp_path / "b").write_text("a file where a folder should be")
    with pytest.raises(SpecError) as caught:
        write.write_captures(str(tmp_path), {"a/1": "new", "b/2": "new"})
    assert caught.value.diagnostics[0].code == "C106"
    assert (tmp_path / "a/1").read_text() == "old"
    assert entries(tmp_path) == ["a/1", "b"]


def test_a_folder_in_a_captures_place(tmp_path: Path) -> None:
    (tmp_path / "a/1").mkdir(parents=True)
    with pytest.raises(SpecError) as caught:
        write.write_captures(str(tmp_path), {"a/1": "new"})
    assert caught.value.diagnostics[0].code == "C106"
    with pytest.raises(SpecError) as caught:
        write.read_capture(str(tmp_path), "a/1")
    assert caught.value.diagnostics[0].code == "C106"
    assert entries(tmp_path) == []


def test_a_linked_folder_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "snapshots").mkdir()
    (tmp_path / "snapshots/a").symlink_to(outside)
    root = str(tmp_path / "snapshots")
    for attempt in (
        lambda: write.write_captures(root, {"a/1": "x"}),
        lambda: write.read_capture(root, "a/1"),
        lambda: write.remove_captures(root, ["a/1"]),
    ):
        with pytest.raises(SpecError) as caught:
            attempt()
        assert caught.value.diagnostics[0].code == "C107"
    assert entries(outside) == []


def test_a_linked_capture_is_replaced_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("kept")
    (tmp_path / "s/a").mkdir(parents=True)
    (tmp_path / "s/a/1").symlink_to(tmp_path / "secret")
    assert write.read_capture(str(tmp_path / "s"), "a/1") is None
    write.write_captures(str(tmp_path / "s"), {"a/1": "new"})
    assert (tmp_path / "secret").read_text() == "kept"
    assert not (tmp_path / "s/a/1").is_symlink()


def test_a_linked_snapshots_folder_is_fine(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "s").symlink_to(tmp_path / "real")
    write.write_captures(str(tmp_path / "s"), {"a/1": "new"})
    assert (tmp_path / "real/a/1").read_text() == "new"


def test_temporary_files_of_killed_builds_go_and_those_of_live_ones_stay(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    folder = tmp_path / "a"
    folder.mkdir()
    stale = folder / f".1.{dead.pid}-0123abcd.tmp"
    live = folder / f".1.{os.getppid()}-0123abcd.tmp"
    other = folder / ".1.tmp"
    for path in (stale, live, other):
        path.write_text("half")
    write.write_captures(str(tmp_path), {"a/1": "whole"})
    assert [path.exists() for path in (stale, live, other)] == [False, True, True]


def test_a_temporary_file_taken_away_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, taken = os.replace, []

    def replace(source: str, target: str) -> None:
        if not taken:
            taken.append(source)
            os.remove(source)
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    write.write_captures(str(tmp_path), {"a/1": "one", "a/2": "two"})
    assert (tmp_path / "a/1").read_text() == "one"
    assert entries(tmp_path) == ["a/1", "a/2"]


def test_orphans_and_their_removal(tmp_path: Path) -> None:
    write.write_captures(str(tmp_path), {"a/1": "", "a/v/2": "", "old/x/3": "", "4": "", ".cache/build.json": ""})
    orphans = write.find_orphans(str(tmp_path), {"a/1"})
    assert orphans == ["4", "a/v/2", "old/x/3"]
    write.remove_captures(str(tmp_path), orphans)
    assert entries(tmp_path) == [".cache/build.json", "a/1"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".cache", "a"]
    assert write.find_orphans(str(tmp_path / "none"), set()) == []
