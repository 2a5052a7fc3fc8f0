"""The cache answers only while everything a result hangs on is as it was; a damaged one is as good as none."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from stand_ins import tree, write_spec

from pipeline.capture import cache
from pipeline.cli import main

Calls = list[tuple[str, str, str | None]]
CACHE = Path("snapshots/.cache/build")


def ran(fakes: Calls, *argv: str) -> bool:
    fakes.clear()
    assert main(list(argv)) == 0
    return bool(fakes)


def settle(path: str) -> None:
    """Date a file back: one written within the last tick is not trusted yet."""
    os.utime(path, (1_600_000_000, 1_600_000_000))


def test_a_file_the_spec_was_read_from(fakes: Calls) -> None:
    write_spec("specs/a.toml", "a", 'files = ["k.py"]\ntargets = ["chips/mine.toml"]')
    Path("specs/chips").mkdir()
    for path, text in (
        ("specs/k.py", "one"),
        ("specs/chips/mine.toml", 'extends = "base"'),
        ("specs/chips/base.toml", 'costs = "table.json"'),
        ("specs/chips/table.json", "{}"),
    ):
        Path(path).write_text(text)
        settle(path)
    assert ran(fakes, "build")
    assert not ran(fakes, "build")
    for path in ("specs/k.py", "specs/chips/mine.toml", "specs/chips/base.toml", "specs/chips/table.json"):
        Path(path).write_text(Path(path).read_text() + " ")
        settle(path)
        assert ran(fakes, "build"), path
        assert not ran(fakes, "build"), path
        assert not ran(fakes, "check"), path
    os.rename("specs/chips/table.json", "specs/chips/other.json")
    assert ran(fakes, "build")


def test_a_file_touched_while_it_is_read_is_not_trusted(fakes: Calls) -> None:
    write_spec("specs/a.toml", "a")
    soon = time.time() + 100
    os.utime("specs/a.toml", (soon, soon))
    assert ran(fakes, "build")
    assert ran(fakes, "build")


def test_another_pipeline_is_another_cache(fakes: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    write_spec("specs/a.toml", "a")
    assert ran(fakes, "build")
    monkeypatch.setattr("pipeline.cli.build.tool_digest", lambda: "another")
    assert ran(fakes, "build")
    assert not ran(fakes, "build")


def test_tool_digest_is_of_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "pipeline"
    (package / "capture").mkdir(parents=True)
    (package / "chips").mkdir()
    monkeypatch.setattr(cache, "__file__", str(package / "capture/cache.py"))
    (package / "a.py").write_text("1")
    (package / "chips/v5e.toml").write_text("1")
    first = cache.tool_digest()
    (package / "chips/v5e.toml").write_text("2")
    second = cache.tool_digest()
    (package / "chips/v5e.toml").write_text("1")
    os.rename(package / "a.py", package / "b.py")
    third = cache.tool_digest()
    (package / "__pycache__").mkdir()
    (package / "__pycache__/b.pyc").write_text("x")
    assert len({first, second, third}) == 3
    assert cache.tool_digest() == third


@pytest.mark.parametrize("damage", ["empty", "text", "cut", "flipped", "deep", "other format", "wrong shape"])
def test_a_damaged_cache_is_ignored(fakes: Calls, damage: str) -> None:
    write_spec("specs/a.toml", "a", schedule="warning P901")
    ran(fakes, "build")
    before = tree()
    data = CACHE.read_bytes()
    tool = cache.tool_digest()
    deep, shape = b"[" * 100_000, b'{"specs/a.toml":{"files":7,"records":8,"names":9,"targets":0}}'
    damaged = {
        "empty": b"",
        "text": b"not a cache",
        "cut": data[: len(data) // 2],
        "flipped": data.replace(b"captured", b"captureD", 1),
        "deep": cache._head(tool, deep) + b"\n" + deep,
        "other format": b"9" + data,
        "wrong shape": cache._head(tool, shape) + b"\n" + shape,
    }[damage]
    CACHE.write_bytes(damaged)
    assert ran(fakes, "build", "--prune")
    assert tree() == before
    assert not ran(fakes, "build")


def test_a_cache_that_cannot_be_written(fakes: Calls) -> None:
    write_spec("specs/a.toml", "a")
    os.mkdir("snapshots")
    Path("snapshots/.cache").write_text("in the way")
    assert ran(fakes, "build")
    assert Path("snapshots/.cache").read_text() == "in the way"


def test_check_and_no_cache_write_none(fakes: Calls) -> None:
    write_spec("specs/a.toml", "a")
    assert ran(fakes, "build", "--no-cache")
    assert ran(fakes, "check")
    assert not CACHE.exists()


def test_a_moved_checkout_keeps_its_cache(fakes: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "one"
    project.mkdir()
    monkeypatch.chdir(project)
    write_spec("specs/a.toml", "a")
    assert ran(fakes, "build")
    before = tree()
    os.rename(project, tmp_path / "two")
    monkeypatch.chdir(tmp_path / "two")
    assert not ran(fakes, "check")
    assert ran(fakes, "build", "--no-cache")
    assert tree() == before


def test_entries_of_other_specs_stay(fakes: Calls) -> None:
    write_spec("specs/a.toml", "a")
    write_spec("specs/b.toml", "b")
    ran(fakes, "build")
    write_spec("specs/b.toml", "b", lower="x")
    assert ran(fakes, "build", "specs/b.toml")
    assert not ran(fakes, "build")
    os.remove("specs/b.toml")
    write_spec("specs/a.toml", "a", lower="y")
    assert ran(fakes, "build")
    assert b"specs/a.toml" in CACHE.read_bytes()
    assert b"specs/b.toml" not in CACHE.read_bytes()  # it does not grow for ever
