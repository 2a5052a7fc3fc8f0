"""build and check over stand-in stages: what is written, what is said, and the exit status."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from stand_ins import tree, write_spec

from pipeline.cli import main

Calls = list[tuple[str, str, str | None]]


def run(*argv: str) -> int:
    return main(list(argv))


def records(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, list)
    return found


ALL = [
    "a/1-trace.jaxpr",
    "a/2-lower.v5e.mlir",
    "a/2-portability.v5e.txt",
    "a/3-schedule.v5e.txt",
    "a/4-simulate.v5e.txt",
]


def test_build_writes_every_capture_then_none(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a")
    assert run("build") == 0
    assert list(tree()) == ALL
    assert tree()["a/2-lower.v5e.mlir"] == "lower of a  v5e \n"
    out = capsys.readouterr().out
    assert "  written    snapshots/a/1-trace.jaxpr\n" in out
    assert out.endswith("1 spec, 5 captures: 5 written\n")
    before = {name: os.stat(f"snapshots/{name}").st_mtime_ns for name in ALL}
    fakes.clear()
    assert run("build") == 0
    assert capsys.readouterr().out == "a: 5 captures: 5 unchanged\n1 spec, 5 captures: 5 unchanged\n"
    assert fakes == []  # nothing was run: the cache knew
    assert run("build", "--no-cache", "-v") == 0
    assert len(fakes) == 7
    assert "  unchanged  snapshots/a/1-trace.jaxpr\n" in capsys.readouterr().out
    assert {name: os.stat(f"snapshots/{name}").st_mtime_ns for name in ALL} == before


def test_of_many_files_only_the_changed_get_a_line(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "abcdefghi":
        write_spec(f"specs/{name}.toml", name)
    alone = ("--jobs", "1")
    run("build", *alone)
    capsys.readouterr()
    assert run("check", *alone) == 0
    assert capsys.readouterr().out == "9 specs, 45 captures: 45 unchanged\n"
    write_spec("specs/c.toml", "c", lower="x")
    assert run("check", "-q", *alone) == run("check", *alone) == 1
    out = capsys.readouterr().out
    assert "\nc: 5 captures: " in out and "\nb: " not in out and "\nd: " not in out
    assert run("check", "-v", *alone) == 1
    assert "\nb: 5 captures: 5 unchanged\n" in capsys.readouterr().out


def test_a_change_is_counted(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a")
    run("build")
    write_spec("specs/a.toml", "a", lower="x")
    capsys.readouterr()
    assert run("build") == 0
    assert "  changed    snapshots/a/2-lower.v5e.mlir  (+1 -1)\n" in capsys.readouterr().out
    assert tree()["a/2-lower.v5e.mlir"] == "lower of a  v5e x\n"


def test_check_writes_nothing_and_shows_the_diff(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a")
    assert run("check") == 1
    assert not os.path.exists("snapshots")
    assert capsys.readouterr().out.count("  missing    snapshots/a/") == 5
    run("build")
    assert run("check") == 0
    write_spec("specs/a.toml", "a", schedule="new")
    before = tree()
    cache = Path("snapshots/.cache/build").read_bytes()
    capsys.readouterr()
    assert run("check") == 1
    assert tree() == before
    assert Path("snapshots/.cache/build").read_bytes() == cache
    out = capsys.readouterr().out
    assert "  differs    snapshots/a/3-schedule.v5e.txt  (+1 -1)\n" in out
    assert "\n-schedule of a  v5e \n+schedule of a  v5e new\n" in out
    assert run("check", "--quiet") == 1
    assert "+schedule of a  v5e new" in capsys.readouterr().out


def test_an_edited_golden_is_found_behind_the_cache(fakes: Calls) -> None:
    write_spec("specs/a.toml", "a")
    run("build")
    Path("snapshots/a/1-trace.jaxpr").write_bytes(b"trace of a   \r\n")
    assert run("check") == 1
    os.remove("snapshots/a/1-trace.jaxpr")
    assert run("check") == 1
    assert run("build") == 0
    assert run("check") == 0


def test_an_error_stops_its_target_and_later_stages_only(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    extra = 'targets = ["v5e", "v6e"]'
    write_spec("specs/a.toml", "a", extra)
    run("build")
    old = tree()
    write_spec("specs/a.toml", "a", extra, schedule="error P101 v6e", lower="x", simulate="x")
    write_spec("specs/b.toml", "b")
    capsys.readouterr()
    assert run("build") == 2
    new = tree()
    assert new["a/2-lower.v6e.mlir"] != old["a/2-lower.v6e.mlir"]  # succeeded: written
    assert new["a/3-schedule.v6e.txt"] == old["a/3-schedule.v6e.txt"]  # failed: golden kept
    assert new["a/4-simulate.v6e.txt"] == old["a/4-simulate.v6e.txt"]
    assert new["a/4-simulate.v5e.txt"] != old["a/4-simulate.v5e.txt"]
    assert "b/4-simulate.v5e.txt" in new
    err = capsys.readouterr().err
    assert err.startswith("specs/a.toml:1:1: error[P101]: schedule fails\n")
    assert "= hint: do better\n" in err
    assert "= for: v6e\n" in err
    assert run("build") == 2  # errors are not cached away


def test_one_finding_on_many_targets_is_said_once(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a", 'targets = ["v5e", "v6e", "7x"]', schedule="error P101")
    assert run("build") == 2
    err = capsys.readouterr().err
    assert err.count("P101") == 1
    assert "= for: v5e, v6e, 7x\n" in err
    assert run("build", "--format", "json") == 2
    failed = [r for r in records(capsys) if r["status"] == "error"]
    assert [(r["stage"], r["target"]) for r in failed] == [("schedule", t) for t in ("v5e", "v6e", "7x")]
    assert failed[0]["diagnostics"] == [
        {
            "code": "P101",
            "message": "schedule fails",
            "file": "specs/a.toml",
            "line": 1,
            "column": 1,
            "end_column": 5,
            "origin": None,
            "hint": "do better",
            "severity": "error",
            "details": [],
            "fixes": [],
        }
    ]


def test_a_broken_file_reports_all_and_others_go_on(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/b.toml", "b")
    Path("specs/a.toml").write_text("name = \n")
    assert run("build") == 2
    err = capsys.readouterr().err
    assert "error[S101]" in err
    assert "error[S102]" in err
    assert "b/1-trace.jaxpr" in tree()
    assert run("build", "missing.toml") == 2
    assert "missing.toml:1:1: error[S001]" in capsys.readouterr().err


def test_warnings_do_not_fail_and_come_back_from_the_cache(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a", schedule="warning P901")
    assert run("build") == 0
    first = capsys.readouterr().err
    assert first.startswith("specs/a.toml:1:1: warning[P901]: schedule finds\n")
    fakes.clear()
    assert run("check", "--verbose") == 0
    assert fakes == []
    assert capsys.readouterr().err == first


def test_known_warnings_are_counted_and_shown_again_where_a_capture_changes(
    fakes: Calls, capsys: pytest.CaptureFixture[str]
) -> None:
    write_spec("specs/a.toml", "a", schedule="warning P901")
    run("build")
    capsys.readouterr()
    assert run("check") == 0
    out, err = capsys.readouterr()
    assert out.endswith("1 warning in 1 file as before; --verbose shows them\n")
    assert err == ""
    (path,) = Path("snapshots/a").glob("3-schedule*")
    path.write_text("another\n")
    assert run("check") == 1
    out, err = capsys.readouterr()
    assert "as before" not in out
    assert "warning[P901]" in err


def test_a_failing_verdict_is_kept_and_is_status_1(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a", simulate="fail")
    for command in ("build", "build", "check"):
        assert run(command) == 1
        assert "verdict fails: a on v5e, see snapshots/a/4-simulate.v5e.txt\n" in capsys.readouterr().out
    assert run("check", "--format", "json") == 1
    assert [r["verdict"] for r in records(capsys) if r["stage"] == "simulate"] == ["fail"]


def test_a_bug_of_ours(fakes: Calls, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    write_spec("specs/a.toml", "a", lower="bug")
    write_spec("specs/b.toml", "b")
    assert run("build") == 70
    err = capsys.readouterr().err
    assert "bug in pipeline: stage lower of a on v5e, specs/a.toml: KeyError: 'a bug'\n" in err
    assert "Traceback" not in err
    assert "b/4-simulate.v5e.txt" in tree()
    monkeypatch.setenv("PIPELINE_DEBUG", "1")
    assert run("build") == 70
    assert "Traceback" in capsys.readouterr().err
    write_spec("specs/a.toml", "a", "crash = true")
    assert run("check", "--format", "json") == 70
    assert records(capsys)[0]["bug"] == "ZeroDivisionError: in the loader"


def test_an_exhibit_gives_its_diagnostics(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    extra = 'targets = ["v5e", "v6e"]\nexpect = { error = "P101" }'
    write_spec("specs/deep/a.toml", "a", extra, schedule="error P101")
    assert run("build") == 0
    assert list(tree()) == [
        "a/1-trace.jaxpr",
        "a/2-lower.v5e.mlir",
        "a/2-lower.v6e.mlir",
        "a/2-portability.v5e.txt",
        "a/2-portability.v6e.txt",
        "a/5-diagnostics.v5e.txt",
        "a/5-diagnostics.v6e.txt",
    ]
    golden = tree()["a/5-diagnostics.v5e.txt"]
    assert golden == 'a.toml: error[P101]: schedule fails\n |\n | name = "a"\n | ^^^^\n = hint: do better\n'
    assert capsys.readouterr().err == ""
    fakes.clear()
    assert run("check") == 0
    assert fakes == []  # an exhibit is cached like any other


def test_an_exhibit_that_fails_before_any_target(fakes: Calls) -> None:
    write_spec("specs/a.toml", "a", 'expect = { error = "T101" }', trace="error T101")
    assert run("build") == 0
    assert list(tree()) == ["a/5-diagnostics.txt"]


def test_an_exhibit_of_a_verdict(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a", 'expect = { error = "R201" }', simulate="finding R201")
    assert run("build") == 0
    assert "R201" not in capsys.readouterr().err  # its golden tells it
    assert [name for name in tree() if name[2] in "45"] == ["a/4-simulate.v5e.txt", "a/5-diagnostics.v5e.txt"]
    assert "error[R201]" in tree()["a/5-diagnostics.v5e.txt"]


def test_an_expected_error_must_occur_on_every_target(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    extra = 'targets = ["v5e", "v6e"]\nexpect = { error = "P101" }'
    write_spec("specs/a.toml", "a", extra, schedule="error P101 v5e")
    assert run("build") == 2
    assert "error[C101]: expected error P101 does not occur on v6e\n" in capsys.readouterr().err
    assert "a/5-diagnostics.v5e.txt" not in tree()
    write_spec("specs/a.toml", "a", extra)
    assert run("check") == 2
    assert "does not occur on v5e, v6e\n" in capsys.readouterr().err
    write_spec("specs/b.toml", "b", 'targets = ["7x"]')
    assert run("build", "specs/a.toml", "specs/b.toml", "--target", "7x") == 0  # none of a's targets: nothing to say


def test_another_error_is_not_the_expected_one(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a", 'expect = { error = "P101" }', schedule="error P102")
    assert run("build") == 2
    err = capsys.readouterr().err
    assert "error[P102]" in err
    assert "error[C101]" in err


def test_an_expected_error_may_have_others_beside_it(fakes: Calls) -> None:
    expect = 'expect = { error = "P101", also = ["P102"] }'
    write_spec("specs/a.toml", "a", expect, schedule="error P102")
    assert run("build") == 2  # the one alone is not what the exhibit shows
    write_spec("specs/a.toml", "a", 'expect = { error = "P102", also = ["P101"] }', schedule="error P102")
    assert run("build") == 0


def test_an_exhibit_of_a_warning(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a", 'expect = { warning = "P501" }', schedule="warning P501")
    assert run("build") == 0
    assert "P501" not in capsys.readouterr().err  # its golden tells it
    assert [name for name in tree() if name[2] in "345"] == [
        "a/3-schedule.v5e.txt",
        "a/4-simulate.v5e.txt",
        "a/5-diagnostics.v5e.txt",
    ]
    assert "warning[P501]" in tree()["a/5-diagnostics.v5e.txt"]
    write_spec("specs/a.toml", "a", 'expect = { warning = "P501" }')
    assert run("build") == 2
    assert "error[C101]: expected warning P501 does not occur on v5e\n" in capsys.readouterr().err
    write_spec("specs/a.toml", "a", 'expect = { error = "P501" }', schedule="warning P501")
    assert run("build") == 2  # a warning is no error
    write_spec("specs/a.toml", "a", 'expect = { warning = "P101" }', schedule="error P101")
    assert run("build") == 2


def test_variants_have_folders(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    variants = 'variants = [{ name = "x", params = { lower = "one" } }, { name = "y" }]'
    write_spec("specs/a.toml", "a", variants)
    assert run("build") == 0
    assert tree()["a/x/2-lower.v5e.mlir"] == "lower of a x v5e one\n"
    assert "a/y/1-trace.jaxpr" in tree()
    assert "2 specs, 10 captures" in capsys.readouterr().out
    write_spec("specs/a.toml", "a", 'variants = [{ name = "x" }, { name = "X" }]')
    assert run("build") == 2
    assert "error[C102]" in capsys.readouterr().err


def test_names_that_cannot_be_files(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "../out")
    write_spec("specs/b.toml", "b", 'variants = [{ name = ".." }]')
    write_spec("specs/c.toml", "c", 'targets = ["my chip.toml"]')
    write_spec("specs/d.toml", "d", 'targets = ["v5e", "chips/V5E.toml"]')
    assert run("build") == 2
    err = capsys.readouterr().err
    assert err.count("error[C103]") == 3
    assert err.count("error[C104]") == 1
    assert not os.path.exists("out")
    assert tree() == {}


def test_two_files_with_one_name(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "same", lower="first")
    write_spec("specs/b.toml", "Same", lower="second")
    for command in ("build", "build", "check"):
        assert run(command) == 2
        assert "specs/b.toml: error[C102]: the name 'Same' is taken by specs/a.toml\n" in capsys.readouterr().err
    assert {name.split("/")[0] for name in tree()} == {"same"}
    os.remove("specs/a.toml")
    write_spec("specs/b.toml", "same", lower="second")
    assert run("build") == 0


def test_orphans(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a")
    write_spec("specs/old.toml", "old")
    run("build")
    os.remove("specs/old.toml")
    capsys.readouterr()
    assert run("build") == 0
    assert "snapshots/old/1-trace.jaxpr: warning[C105]" in capsys.readouterr().err
    assert run("check") == 1
    assert "snapshots/old/1-trace.jaxpr: error[C105]" in capsys.readouterr().err
    assert run("check", "specs/a.toml") == 0  # a part of the specs: says nothing of the rest
    capsys.readouterr()
    assert run("check", "--format", "json") == 1
    assert next(r["path"] for r in records(capsys) if r["status"] == "orphan") == "snapshots/old/1-trace.jaxpr"
    assert run("build", "--prune", "specs/a.toml") == 2
    assert "old/1-trace.jaxpr" in tree()
    assert run("build", "--prune") == 0
    assert list(tree()) == ALL
    assert not os.path.exists("snapshots/old")
    assert run("check") == 0


def test_what_a_broken_spec_owns_is_no_orphan(fakes: Calls) -> None:
    write_spec("specs/a.toml", "a")
    write_spec("specs/b.toml", "b")
    run("build")
    before = tree()
    Path("specs/b.toml").write_text("name = ")
    assert run("build", "--prune") == 2
    assert tree() == before
    write_spec("specs/b.toml", "b", lower="error L101")
    assert run("build", "--prune") == 2
    assert tree() == before


def test_a_part_of_the_specs_touches_nothing_else(fakes: Calls) -> None:
    write_spec("specs/a.toml", "a")
    write_spec("specs/sub/b.toml", "b")
    run("build")
    before = tree()
    write_spec("specs/a.toml", "a", lower="new")
    write_spec("specs/sub/b.toml", "b", lower="new")
    assert run("build", "specs/sub") == 0
    assert {name for name in before if tree()[name] != before[name]} == {"b/2-lower.v5e.mlir"}
    assert run("check", "specs/sub") == 0


def test_target_selects(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a", 'targets = ["v5e", "v6e"]')
    write_spec("specs/b.toml", "b")
    assert run("build", "--target", "v6e") == 0
    assert [name for name in tree() if ".v5e." in name] == []
    assert "a/2-lower.v6e.mlir" in tree()
    assert "b/1-trace.jaxpr" in tree()
    assert run("build", "--target", "v9") == 2
    assert "error[C109]: no spec of this run declares the target 'v9'\n" in capsys.readouterr().err


def test_folders_and_what_is_not_a_spec(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a")
    write_spec("specs/chips/mine.toml", "chip")
    write_spec("specs/.hidden/b.toml", "b")
    write_spec("specs/.c.toml", "c")
    Path("specs/notes.txt").write_text("no spec")
    assert run("build", "specs", "specs/a.toml", "./specs/../specs/a.toml") == 0
    assert list(tree()) == ALL
    os.mkdir("empty")
    assert run("check", "empty") == 2
    assert "empty: error[C108]: no spec files in this folder\n" in capsys.readouterr().err
    os.rename("specs", "others")
    assert run("check") == 2
    assert "specs: error[C108]: there is no such folder\n" in capsys.readouterr().err


def test_a_snapshots_folder_that_cannot_be(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a")
    Path("snapshots").write_text("a file")
    assert run("build") == 2
    assert "error[C106]: cannot write the capture: " in capsys.readouterr().err
    assert Path("snapshots").read_text() == "a file"
    os.remove("snapshots")
    os.makedirs("snapshots")
    os.symlink("/", "snapshots/a")
    assert run("build") == 2
    assert "snapshots/a: error[C107]" in capsys.readouterr().err


def test_text_of_a_spec_cannot_act_on_the_terminal(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    Path("specs").mkdir()
    Path("specs/\x1b[31m.toml").write_text("name = ")
    assert run("build") == 2
    assert "\x1b" not in capsys.readouterr().err


def test_quiet_and_json_are_quiet(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a")
    assert run("build", "-q") == 0
    assert capsys.readouterr() == ("", "")
    assert run("build", "--format", "json") == 0
    assert records(capsys)[0] == {
        "file": "specs/a.toml",
        "spec": "a",
        "variant": "",
        "stage": "trace",
        "target": None,
        "path": "snapshots/a/1-trace.jaxpr",
        "status": "unchanged",
        "diagnostics": [],
    }
