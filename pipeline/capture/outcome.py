"""What came of one spec file, as plain values: handed between processes, kept in the cache, printed as text or JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pipeline.errors import NOWHERE, Diagnostic, Fix, Severity, Source, Span, render

Finding = dict[str, Any]  # a diagnostic's fields, with its text under "rendered"

CLEAN, DIFFERS, WRONG, BUG = 0, 1, 2, 70  # exit statuses; the worst of a run wins


@dataclass(slots=True)
class Record:
    """One capture, or the stage that failed to give one.

    status: "captured" (later "written", "changed", "unchanged", "differs" or "missing"), "expected error" (an
            exhibit's), "error", "not run", "bug"; of a file that no spec makes "orphan" or "removed".
    path:   name below the snapshots folder; None where there is no capture.
    passed: False where a simulation's verdict fails and no error was expected.
    bug:    traceback of an exception that is a mistake of the pipeline.
    """

    spec: str | None
    variant: str | None
    stage: str
    target: str | None
    status: str
    path: str | None = None
    text: str | None = None
    passed: bool = True
    diagnostics: list[Finding] = field(default_factory=list)
    bug: str | None = None
    added: int = 0
    removed: int = 0
    diff: list[str] | None = None

    def exit_status(self) -> int:
        if self.status == "bug":
            return BUG
        if self.status == "error":
            return WRONG
        return CLEAN if self.passed and self.status not in ("differs", "missing", "orphan") else DIFFERS


@dataclass(slots=True)
class Outcome:
    """All records of one spec file.

    file:         as the user gave it.
    names:        the specs' names, to find two files that claim one.
    owned:        every path below the snapshots folder that belongs to the file, also of stages that failed.
    targets:      names of the declared targets.
    dependencies: further files that the result hangs on: kernel file, data, chip profiles outside the package.
    loaded:       False where the file itself could not be read, so that what it owns is not known.
    started_ns:   time.time_ns from before the file was read.
    settled:      False where the captures hang on more than files: on Python that was run.
    cached:       taken from the cache, nothing was run.
    """

    file: str
    records: list[Record]
    names: list[str] = field(default_factory=list)
    owned: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    dependencies: list[str] = field(default_factory=list)
    loaded: bool = True
    started_ns: int | None = None
    settled: bool = True
    cached: bool = False

    def exit_status(self) -> int:
        return max((record.exit_status() for record in self.records), default=CLEAN)


def finding(diagnostic: Diagnostic) -> Finding:
    """A diagnostic as plain values. `file`, `line`, `column` are None where it has no place."""
    span = diagnostic.span
    placed = span.source is not None and span.line > 0
    return {
        "code": diagnostic.code,
        "message": diagnostic.message,
        "file": span.source.name if span.source is not None else None,
        "line": span.line if placed else None,
        "column": span.column if placed else None,
        "end_column": span.end_column if placed else None,
        "origin": span.origin,
        "hint": diagnostic.hint,
        "severity": diagnostic.severity.value,
        "details": list(diagnostic.details),
        "fixes": [_fix(fix) for fix in diagnostic.fixes],
        "rendered": render(diagnostic),
    }


def _fix(fix: Fix) -> Finding:
    value = list(fix.value) if isinstance(fix.value, tuple) else fix.value
    found: Finding = {"kind": fix.kind, "at": fix.at, "key": fix.key, "value": value}
    if fix.span.source is not None:
        found |= {"line": fix.span.line, "column": fix.span.column, "end_column": fix.span.end_column}
    return found


def findings(diagnostics: Iterable[Diagnostic]) -> list[Finding]:
    return [finding(diagnostic) for diagnostic in diagnostics]


def about_file(path: str) -> Span:
    """A span that names a file and no line of it."""
    return Span(Source(path, ""), 0, 0)


def problem(code: str, message: str, path: str | None, hint: str | None = None) -> Finding:
    """A finding of the run itself, about a file or (None) about no file."""
    return finding(Diagnostic(code, message, about_file(path) if path is not None else NOWHERE, hint))


def is_error(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity is Severity.ERROR
