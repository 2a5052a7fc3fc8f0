"""A pipeline of stand-in stages, driven by the spec's params: what the command line does must not hang on real ones.

A spec file here is TOML with `name`, `targets` and `[params]`; the param named like a stage says what that stage does:
"error CODE [target]", "warning CODE", "bug", "fail" (a verdict), or any other text, which ends up in the capture.
"""

from __future__ import annotations

import os
import sys
import tomllib
import types
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pipeline.errors import Diagnostic, Severity, Source, Span, SpecError
from pipeline.spec.spec import Code, KernelSource, Spec, Target


def make_spec(file: Path, data: dict[str, Any], variant: str = "", params: dict[str, Any] | None = None) -> Spec:
    source = Source(file.as_posix(), file.read_text())
    span = Span(source, 1, 1, 5)
    expect = data.get("expect", {})
    return Spec(
        name=data["name"],
        variant=variant,
        summary="",
        targets=tuple(
            Target(Path(t).stem if t.endswith(".toml") else t, file.parent / t if t.endswith(".toml") else None, span)
            for t in data.get("targets", ["v5e"])
        ),
        kernel=KernelSource(Code("", source), "f"),
        params={**data.get("params", {}), **(params or {})},
        grid=(),
        semantics=None,
        operands=(),
        scratch=(),
        aliases=(),
        vmem_limit_bytes=None,
        reference=None,
        expect=expect.get("error") or expect.get("warning"),
        expects_warning="warning" in expect,
        expects_also=tuple(expect.get("also", ())),
        locate=lambda *loc: span,
        source=source,
        folder=file.parent,
        files=tuple(file.parent / name for name in data.get("files", [])),
    )


def load_specs(file: Path) -> tuple[Spec, ...]:
    source = Source(file.as_posix(), "name = 1\n")
    try:
        data = tomllib.loads(file.read_text())
    except FileNotFoundError:
        raise SpecError("S001", "there is no such file", Span(source, 1, 1)) from None
    except ValueError:
        second = Diagnostic("S102", "and a second mistake", Span(source, 1, 8, 9))
        raise SpecError.of([Diagnostic("S101", "not TOML", Span(source, 1, 1, 5), "write TOML"), second]) from None
    if data.get("crash"):
        raise ZeroDivisionError("in the loader")
    variants = data.get("variants") or [{"name": ""}]
    return tuple(make_spec(file, data, v["name"], v.get("params")) for v in variants)


def stage(name: str, needs_target: bool = True) -> Callable[..., Any]:
    """A stage that does what the spec's param of its name says."""

    def run(spec: Spec, target: Target | None) -> SimpleNamespace:
        calls.append((spec.name, name, target.name if target else None))
        text = str(spec.params.get(name, ""))
        word, *rest = text.split() or [""]
        if word == "error" and (len(rest) < 2 or target is None or rest[1] == target.name):
            raise SpecError(rest[0], f"{name} fails", spec.locate(), hint="do better")
        if word == "bug":
            raise KeyError("a bug")
        found: tuple[Diagnostic, ...] = ()
        if word in ("finding", "warning"):
            severity = Severity.WARNING if word == "warning" else Severity.ERROR
            found = (Diagnostic(rest[0], f"{name} finds", spec.locate(), severity=severity, details=("a", "b")),)
        shown = f"{name} of {spec.name} {spec.variant} {target.name if target else ''} {text}\n"
        return SimpleNamespace(text=shown, findings=found, passed=word not in ("fail", "finding"))

    return run


calls: list[tuple[str, str, str | None]] = []


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, str, str | None]]:
    """Install the stand-ins and go to an empty folder; the value lists the stages that ran."""
    from pipeline import stages

    calls.clear()
    module = types.ModuleType("pipeline.spec.load")
    module.load_specs = load_specs  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pipeline.spec.load", module)
    table = []
    for entry in stages.STAGES:
        run = stage(entry.name)
        table.append(
            entry._replace(
                run=lambda spec, target, *inputs, run=run: run(spec, target),
                print=(lambda result: result.text) if entry.print is not None else None,
            )
        )
    monkeypatch.setattr(stages, "STAGES", tuple(table))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PIPELINE_DEBUG", raising=False)
    return calls


def write_spec(path: str, name: str, extra: str = "", **params: str) -> None:
    """A spec file of the stand-ins."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    lines = [f'name = "{name}"', extra, "[params]", *(f'{key} = "{value}"' for key, value in params.items())]
    Path(path).write_text("\n".join(lines) + "\n")
    long_ago = 1_600_000_000
    os.utime(path, (long_ago, long_ago))


def tree(root: str = "snapshots") -> dict[str, str]:
    """Every capture below `root`, and what it holds."""
    found = {}
    for path in sorted(Path(root).rglob("*")):
        if path.is_file() and ".cache" not in path.parts:
            found[path.relative_to(root).as_posix()] = path.read_text()
    return found
