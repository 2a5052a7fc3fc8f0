"""The command line itself: help and usage answer at once, streams, colors, interruptions, other commands."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from stand_ins import write_spec

import pipeline
from pipeline.cli import main
from pipeline.cli.app import make_parser
from pipeline.spec.load import load_specs
from pipeline.spec.vary import parse_path

Calls = list[tuple[str, str, str | None]]
HEAVY = ("numpy", "pydantic", "yaml", "tomli", "jsonschema", "dataclasses", "difflib", "concurrent", "multiprocessing")
ROOT = Path(pipeline.__file__).parent.parent


def python(*argv: str, **options: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, *argv], capture_output=True, text=True, env=environment, timeout=120, check=False, **options
    )


# What a command may import grows from row to row; each row is a command and what it still must not import.
_NO_RUN = (
    "numpy",
    "ml_dtypes",
    "pydantic",
    "yaml",
    "jsonschema",
    "difflib",
    "concurrent",
    "multiprocessing",
    "hashlib",
)
LIGHT: list[tuple[list[str], tuple[str, ...]]] = [
    (["explain", "P104"], (*_NO_RUN, "tomli", "pipeline.stages")),
    (["explain"], (*_NO_RUN, "tomli", "pipeline.stages")),
    (["chips", "list"], (*_NO_RUN, "pipeline.stages")),
    (["chips", "show", "v5e"], (*_NO_RUN, "pipeline.stages")),
    (["show", "SPEC", "--stage", "trace"], (*_NO_RUN, "pipeline.lower.mosaic_tpu.lower")),
    (["show", "SPEC", "--stage", "lower"], (*_NO_RUN, "pipeline.schedule.schedule")),
    (["show", "SPEC", "--stage", "schedule"], (*_NO_RUN, "pipeline.simulate.simulate")),
    (["build", "SPEC", "--snapshots", "OUT"], ("pydantic", "yaml", "jsonschema", "difflib", "multiprocessing")),
]


@pytest.mark.parametrize(("argv", "absent"), LIGHT, ids=[" ".join(argv) for argv, _ in LIGHT])
def test_commands_import_what_they_need(argv: list[str], absent: tuple[str, ...], tmp_path: Path) -> None:
    places = {"SPEC": str(ROOT / "specs" / "softmax.toml"), "OUT": str(tmp_path / "out")}
    words = [places.get(word, word) for word in argv]
    code = f"import sys; from pipeline.cli import main; s = main({words!r}); print(s, *sys.modules, file=sys.stderr)"
    status, *loaded = python("-c", code).stderr.splitlines()[-1].split()
    assert status == "0"
    assert [name for name in absent if name in loaded] == []


@pytest.mark.parametrize("argv", [["--help"], ["--version"], ["build", "--help"], ["show", "--help"], ["nonsense"]])
def test_help_and_usage_import_nothing_heavy(argv: list[str]) -> None:
    code = f"import sys; from pipeline.cli import main; main({argv!r}); print(*sys.modules, file=sys.stderr)"
    done = python("-c", code)
    loaded = done.stderr.splitlines()[-1].split()
    assert [name for name in HEAVY if name in loaded] == []


def test_python_m_and_version() -> None:
    done = python("-m", "pipeline", "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"pipeline {pipeline.__version__}\n", "")


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["nonsense"],
        ["build", "--nonsense"],
        ["build", "-j", "0"],
        ["build", "-j", "x"],
        ["build", "-q", "-v"],
        ["show"],
        ["show", "a.toml", "--stage", "nonsense"],
        ["chips"],
        ["check", "--format", "xml"],
    ],
)
def test_usage_errors_are_status_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: pipeline")


def test_every_command_has_help_with_the_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    for command in ("build", "check", "show", "chips", "schema", "explain"):
        assert f"\n    {command} " in out
    assert "exit status:" in out
    assert "examples:" in out


def _examples() -> list[str]:
    """The command lines that the helps give as examples, without what is said of them."""
    (commands,) = (a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction))
    texts = [make_parser().epilog or "", *(parser.epilog or "" for parser in commands.choices.values())]
    lines = [line.strip() for text in texts for line in text.splitlines() if line.startswith("  pipeline ")]
    return [re.split(r"   +| > ", line)[0] for line in lines]


@pytest.mark.parametrize("line", _examples())
def test_examples_of_the_help_are_of_what_is_there(line: str) -> None:
    args = make_parser().parse_args(shlex.split(line)[1:])
    named = getattr(args, "spec", None) or [one for one in getattr(args, "specs", []) if one.endswith(".toml")]
    for path in [named] if isinstance(named, str) else named:
        specs = load_specs(ROOT / path)
        variant = getattr(args, "variant", None)
        assert variant is None or variant in [spec.variant for spec in specs]
        for entry in getattr(args, "input", None) or []:
            assert entry.partition("=")[0] in [operand.name for operand in specs[0].operands]
        for entry in getattr(args, "vary", None) or []:
            name = entry.partition("=")[0]
            assert name in specs[0].params or parse_path(name, specs[0]) is not None


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "colored"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colors(fakes: Calls, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], colored: bool) -> None:
    write_spec("specs/a.toml", "a", schedule="warning P901")
    write_spec("specs/b.toml", "b", schedule="error P101")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    out, err = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert main(["build"]) == 2
    assert main(["check", "--no-cache"]) == 2
    assert ("\x1b[" in out.getvalue(), "\x1b[" in err.getvalue()) == (colored, colored)
    assert "error[P101]" in err.getvalue()


def test_no_colors_into_a_pipe(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/b.toml", "b", schedule="error P101")
    main(["build"])
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err


def test_progress_only_on_a_terminal_and_for_many(fakes: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(9):
        write_spec(f"specs/a{n}.toml", f"a{n}")
    err = Terminal()
    monkeypatch.setattr(sys, "stderr", err)
    assert main(["build", "-j", "1"]) == 0
    assert "[9/9] specs/a8.toml" in err.getvalue()
    err.truncate(0)
    assert main(["build", "-j", "1"]) == 0  # nothing to do
    assert main(["build", "-j", "1", "--no-cache", "--format", "json"]) == 0
    assert "[9/9]" not in err.getvalue()


def test_interrupted(fakes: Calls, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    write_spec("specs/a.toml", "a")
    monkeypatch.setattr("pipeline.cli.build.write_captures", interrupt)
    assert main(["build"]) == 130
    assert capsys.readouterr().err == "\ninterrupted\n"


def test_a_reader_that_leaves() -> None:
    code = "import os, sys; from pipeline.cli import main; os.close(0); sys.exit(main(['explain']))"
    reader, writer = os.pipe()
    os.close(reader)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE, env=environment, timeout=60, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
def test_a_full_disk_under_the_output() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pipeline", "chips", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, "pipeline: cannot write the output: No space left on device\n")


def test_a_bug_outside_any_spec(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def crash(_: object) -> int:
        raise LookupError("lost")

    monkeypatch.setattr("pipeline.cli.app._dispatch", crash)
    monkeypatch.delenv("PIPELINE_DEBUG", raising=False)
    assert main(["schema"]) == 70
    err = capsys.readouterr().err
    assert err.startswith("bug in pipeline: pipeline schema: LookupError: lost\n")
    assert "Traceback" not in err
    monkeypatch.setenv("PIPELINE_DEBUG", "1")
    assert main(["schema"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "c105"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("C105: no spec makes this file\n\n")
    assert max(map(len, out.splitlines())) <= 100
    assert main(["explain"]) == 0
    out = capsys.readouterr().out
    assert "  C105  no spec makes this file\n" in out
    assert main(["explain", "C199"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("there is no code 'C199'; near it:\n  C117  ")


def test_chips(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["chips", "list"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert {"v4", "v5e", "v5p", "v6e", "7x"} <= set(names)
    assert main(["chips", "check"]) == 0
    assert "v5e: ok\n" in capsys.readouterr().out
    assert main(["chips", "show", "v5e"]) == 0
    assert capsys.readouterr().out.startswith("chip v5e\n")
    assert main(["chips", "show", "v5f"]) == 2
    assert "'v5f'" in capsys.readouterr().err
    bad = tmp_path / "bad.toml"
    bad.write_text("name = 3\n")
    assert main(["chips", "check", "v4", str(bad), "--format", "json"]) == 2
    good, found = json.loads(capsys.readouterr().out)
    assert good == {"chip": "v4", "status": "ok", "diagnostics": []}
    assert found["status"] == "error"
    assert found["diagnostics"][0]["file"] == str(bad)


def test_show_prints_what_the_capture_holds(fakes: Calls, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write_spec("specs/a.toml", "a", 'targets = ["v5e", "v6e"]\nvariants = [{ name = "x" }, { name = "y" }]')
    assert main(["build"]) == 0
    capsysbinary.readouterr()
    for stage, path in (("trace", "1-trace.jaxpr"), ("lower", "2-lower.v6e.mlir"), ("simulate", "4-simulate.v6e.txt")):
        fakes.clear()
        assert main(["show", "specs/a.toml", "--stage", stage, "--target", "v6e", "--variant", "y"]) == 0
        assert capsysbinary.readouterr() == (Path("snapshots/a/y", path).read_bytes(), b"")
    assert main(["show", "specs/a.toml", "--stage", "lower"]) == 0
    assert capsysbinary.readouterr().out == Path("snapshots/a/x/2-lower.v5e.mlir").read_bytes()


def test_show_runs_only_what_it_needs(fakes: Calls) -> None:
    write_spec("specs/a.toml", "a")
    for stage, expected in (
        ("trace", ["trace"]),
        ("lower", ["trace", "chip", "lower"]),
        ("portability", ["trace", "chip", "lower", "portability"]),
        ("schedule", ["trace", "chip", "lower", "schedule"]),
    ):
        fakes.clear()
        assert main(["show", "specs/a.toml", "--stage", stage]) == 0
        assert sorted(name for _, name, _ in fakes) == sorted(expected)


def test_show_takes_any_target(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a")
    assert main(["show", "specs/a.toml", "--stage", "lower", "--target", "v9"]) == 0
    assert capsys.readouterr().out == "lower of a  v9 \n"
    assert main(["show", "specs/a.toml", "--stage", "lower", "--target", "chips/my.toml"]) == 0
    assert capsys.readouterr().out == "lower of a  my \n"


def test_show_of_all_stages_and_of_failures(fakes: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    write_spec("specs/a.toml", "a", schedule="error P101")
    assert main(["show", "specs/a.toml"]) == 2
    out, err = capsys.readouterr()
    assert [line for line in out.splitlines() if line.startswith("==>")] == [
        "==> 1-trace.jaxpr <==",
        "==> 2-lower.v5e.mlir <==",
        "==> 2-portability.v5e.txt <==",
    ]
    assert "error[P101]" in err
    assert main(["show", "specs/a.toml", "--stage", "simulate", "--format", "json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert [(r["stage"], r["status"]) for r in found] == [("schedule", "error"), ("simulate", "not run")]
    assert main(["show", "specs/a.toml", "--variant", "z"]) == 2
    assert "error[C110]" in capsys.readouterr().err
    assert main(["show", "none.toml"]) == 2
    assert "none.toml:1:1: error[S001]" in capsys.readouterr().err
    write_spec("specs/b.toml", "b", simulate="fail")
    assert main(["show", "specs/b.toml", "--stage", "simulate"]) == 1
    assert capsys.readouterr().out == "simulate of b  v5e fail\n"
    write_spec("specs/c.toml", "c", lower="bug")
    assert main(["show", "specs/c.toml", "--stage", "lower"]) == 70
    assert "bug in pipeline: stage lower of c on v5e" in capsys.readouterr().err


def test_schema_is_the_published_file(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["schema"]) == 0
    assert capsysbinary.readouterr().out == (ROOT / "pipeline/spec/schema.json").read_bytes()
