"""Where JAX is not installed, what needs it says so; the command line's own part of import and verify."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from pipeline.cli.app import run
from pipeline.errors import SpecError
from pipeline.frontend.python_function import parse_argument, split_arguments
from pipeline.spec.load import parse_specs

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def no_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> Any:
        return None if name in ("jax", "libtpu") else found(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    monkeypatch.setattr("pipeline.cli.verify.find_spec", find_spec, raising=False)


@pytest.mark.usefixtures("no_jax")
def test_import_names_the_extra(tmp_path: Path, capsys: Capture) -> None:
    assert run(["import", "module:function", "-o", str(tmp_path / "x.toml")]) == 2
    error = capsys.readouterr().err
    assert "error[F100]" in error and "kernel-pipeline[jax]" in error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("no_jax")
@pytest.mark.parametrize("compiler", ["jax", "libtpu"])
def test_verify_names_the_extra(compiler: str, capsys: Capture) -> None:
    assert run(["verify", "specs/softmax.toml", "--against", compiler]) == 2
    error = capsys.readouterr().err
    assert "error[F111]" in error and "kernel-pipeline[oracle]" in error


@pytest.mark.usefixtures("no_jax")
def test_a_python_spec_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'name = "direct"\ntargets = ["v5e"]\n[kernel.python]\nfunction = "m:f"\nargs = []\n'
    for trust, code in (("", "F109"), ("1", "F100")):
        monkeypatch.setenv("PIPELINE_TRUST_PYTHON", trust)
        with pytest.raises(SpecError) as caught:
            parse_specs(text, tmp_path / "direct.toml")
        [found] = caught.value.diagnostics
        assert (found.code, found.span.line) == (code, 3)


def test_output_has_to_be_a_spec_file(capsys: Capture) -> None:
    assert run(["import", "module:function", "-o", "x.txt"]) == 2
    assert "error[F110]" in capsys.readouterr().err


def test_arguments() -> None:
    words = split_arguments(" bf16[8, 128]  i32[4]=values(1, 2, 3, 4) bool[]=constant(1)")
    assert words == ["bf16[8, 128]", "i32[4]=values(1, 2, 3, 4)", "bool[]=constant(1)"]
    first, second, third = map(parse_argument, words)
    assert str(first.aval) == "bf16[8,128]" and first.data is None
    assert second.data is not None and second.data.values == (1, 2, 3, 4)
    assert third.aval.shape == () and third.data is not None and third.data.value == 1


@pytest.mark.parametrize("text", ["f32", "f32[8", "f33[8]", "f32[8]=gauss", "i32[2]=integers(3)", "i32[2]=values(1)"])
def test_wrong_arguments(text: str) -> None:
    with pytest.raises(SpecError, match="F103"):
        parse_argument(text)
