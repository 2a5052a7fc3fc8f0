"""What a run says: diagnostics, captures and the summary, as text for people or as one JSON list.

Text: captures and diffs go to stdout, problems to stderr. Colors only on a terminal, never with NO_COLOR.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from pipeline.capture.outcome import Finding, Outcome, Record

_RED, _GREEN, _YELLOW, _CYAN, _BOLD = "31", "32", "33", "36", "1"
_STATUS_COLORS = {"written": _GREEN, "changed": _YELLOW, "differs": _RED, "missing": _RED}
_SHOWN = ("written", "changed", "differs", "missing")  # statuses that get a line of their own
_COUNTED = ("written", "changed", "unchanged", "differs", "missing")
FEW_FILES = 8  # of more than these, only those where something happened get a line
_PLACES = 8  # targets and variants named under a finding that many share


def uses_color(stream: TextIO) -> bool:
    """Whether to color: a terminal that can, and nobody who says otherwise."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()


def paint(text: str, color: str, stream: TextIO) -> str:
    return f"\x1b[{color}m{text}\x1b[0m" if uses_color(stream) else text


def plain(text: str) -> str:
    """`text` without characters that would act on a terminal: a spec's text is not ours."""
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)


def print_findings(records: Iterable[Record], known: bool = True) -> None:
    """Every finding of `records` to stderr, each once, with the targets and variants it was made for.

    An exhibit's expected errors are its capture, and not repeated; nor, without `known`, are known warnings.
    """
    everywhere: set[str] = set()
    places: dict[str, list[str]] = {}
    shown: dict[str, Finding] = {}
    for record in records:
        place = " ".join(part for part in (record.variant, record.target) if part)
        everywhere.update([place] if record.target else [])
        if record.status == "expected error":
            continue
        for finding in record.diagnostics:
            if not known and is_known(record, finding):
                continue
            text = finding["rendered"]
            shown.setdefault(text, finding)
            if place and place not in places.setdefault(text, []):
                places[text].append(place)
    for text, finding in shown.items():
        print_finding(finding, places.get(text, []) if len(everywhere) > 1 else [])


def is_known(record: Record, finding: Finding) -> bool:
    """Whether a finding is a warning that an unchanged capture holds: somebody has seen it and let it stand."""
    return record.status == "unchanged" and finding["severity"] == "warning"


def print_finding(finding: Finding, places: list[str] | None = None) -> None:
    """One finding to stderr."""
    stream = sys.stderr
    color = _RED if finding["severity"] == "error" else _YELLOW
    head, *rest = plain(finding["rendered"]).split("\n")
    label = f"{finding['severity']}[{finding['code']}]"
    print(head.replace(label, paint(label, f"{_BOLD};{color}", stream), 1), file=stream)
    gutter = " " * len(str(finding["line"] or ""))
    for line in rest:
        print(paint(line, color, stream) if _is_carets(line) else line, file=stream)
    if places:
        more = f", and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
        print(f"{gutter} = for: {', '.join(places[:_PLACES])}{more}", file=stream)


def print_outcome(outcome: Outcome, root: str, verbose: bool, quiet: bool, one_of_many: bool = False) -> None:
    """What became of one spec file; of one of many nothing, if it is all as before."""
    print_findings(outcome.records, known=verbose)
    print_bugs(outcome.file, outcome.records)
    for name, records in _by_spec(outcome.records).items():
        for record in records:
            if record.path is not None and (record.status in _SHOWN or verbose) and not quiet:
                _print_capture(record, root)
            for line in record.diff or ():
                _print_diff_line(line)
            if not record.passed and record.path is not None:
                where = f" on {record.target}" if record.target else ""
                print(paint(f"verdict fails: {name}{where}, see {os.path.join(root, record.path)}", _RED, sys.stdout))
        settled = all(record.passed and record.status in ("unchanged", "expected error") for record in records)
        if not quiet and not (one_of_many and settled and not verbose):
            print(f"{paint(name, _BOLD, sys.stdout)}: {_counts(records)}")


def print_summary(outcomes: list[Outcome], verbose: bool, quiet: bool) -> None:
    records = [record for outcome in outcomes for record in outcome.records]
    specs = {(outcome.file, record.spec, record.variant) for outcome in outcomes for record in outcome.records}
    if not quiet:
        print(f"{_plural(len(specs), 'spec')}, {_counts(records)}")
    known = {
        (outcome.file, finding["rendered"])
        for outcome in outcomes
        for record in outcome.records
        for finding in record.diagnostics
        if is_known(record, finding)
    }
    if known and not verbose and not quiet:
        files = len({file for file, _ in known})
        print(f"{_plural(len(known), 'warning')} in {_plural(files, 'file')} as before; --verbose shows them")


def json_records(outcomes: list[Outcome], root: str) -> list[dict[str, Any]]:
    """The records of a run as JSON values."""
    return [json_record(record, outcome.file, root) for outcome in outcomes for record in outcome.records]


def json_record(record: Record, file: str | None, root: str | None) -> dict[str, Any]:
    """One record: which capture of which spec, what became of it, and what was found."""
    found: dict[str, Any] = {
        "file": file,
        "spec": record.spec,
        "variant": record.variant,
        "stage": record.stage,
        "target": record.target,
        "path": os.path.join(root, record.path) if record.path is not None and root is not None else None,
        "status": record.status,
        "diagnostics": _bare(record.diagnostics),
    }
    if not record.passed:
        found["verdict"] = "fail"
    if record.status in ("changed", "differs"):
        found["added"], found["removed"] = record.added, record.removed
    if record.diff is not None:
        found["diff"] = record.diff
    if record.bug is not None:
        found["bug"] = last_line(record.bug)
    return found


def json_profile(chip: str, found: list[Finding]) -> dict[str, Any]:
    """What checking one chip profile found."""
    return {"chip": chip, "status": "error" if found else "ok", "diagnostics": _bare(found)}


def print_json(value: object) -> None:
    import json

    print(json.dumps(value, indent=2))


def refuse(found: list[Finding], file: str, form: str) -> int:
    """What keeps a command from its work: to stderr, or in JSON as the one record on stdout. Returns the status."""
    record = Record(None, None, "spec", None, "error", diagnostics=found)
    if form == "json":
        print_json([json_record(record, file, None)])
    else:
        print_findings([record])
    return record.exit_status()


def print_bug(what: str, error: Exception) -> None:
    """An exception of ours outside any spec, in two lines; with PIPELINE_DEBUG=1 its traceback."""
    import traceback

    _print_bug(what, "".join(traceback.format_exception(error)))


def last_line(text: str) -> str:
    """A traceback's last line: the exception's type and message."""
    return plain(text.strip().rpartition("\n")[2])[:500]


class Progress:
    """One line on stderr that is overwritten: only on a terminal, only for many specs."""

    def __init__(self, total: int, enabled: bool) -> None:
        self.total = total
        self.done = 0
        self.enabled = enabled and total > 8 and sys.stderr.isatty()

    def step(self, file: str) -> None:
        self.done += 1
        if self.enabled:
            sys.stderr.write(f"\r\x1b[K[{self.done}/{self.total}] {plain(file)[:100]}")
            sys.stderr.flush()

    def clear(self) -> None:
        if self.enabled:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def print_bugs(file: str, records: Iterable[Record]) -> None:
    """Say of each stage that ended in an exception of ours which one it was."""
    for record in records:
        if record.status == "bug":
            _print_bug_record(file, record)


def _print_bug_record(file: str, record: Record) -> None:
    where = f"stage {record.stage} of {record.spec or file}"
    if record.variant:
        where += f" ({record.variant})"
    if record.target:
        where += f" on {record.target}"
    _print_bug(where if record.spec is None else f"{where}, {file}", record.bug or "")


def _print_bug(where: str, trace: str) -> None:
    print(
        f"{paint('bug in pipeline', f'{_BOLD};{_RED}', sys.stderr)}: {plain(where)}: {last_line(trace)}",
        file=sys.stderr,
    )
    if os.environ.get("PIPELINE_DEBUG") == "1":
        print(trace.rstrip("\n"), file=sys.stderr)
    else:
        print("  This is our mistake, not the spec's; PIPELINE_DEBUG=1 shows where.", file=sys.stderr)


def _print_capture(record: Record, root: str) -> None:
    status = paint(f"{record.status:<9}", _STATUS_COLORS.get(record.status, _CYAN), sys.stdout)
    counts = f"  (+{record.added} -{record.removed})" if record.status in ("changed", "differs") else ""
    print(f"  {status}  {os.path.join(root, record.path or '')}{counts}")


def _print_diff_line(line: str) -> None:
    color = (
        _RED if line.startswith("-") else _GREEN if line.startswith("+") else _CYAN if line.startswith("@@") else None
    )
    text = plain(line)
    print(paint(text, color, sys.stdout) if color is not None else text)


def _bare(found: list[Finding]) -> list[Finding]:
    """Findings without their text form."""
    return [{key: value for key, value in finding.items() if key != "rendered"} for finding in found]


def _by_spec(records: list[Record]) -> dict[str, list[Record]]:
    """Records by spec and variant, as `name` or `name/variant`; those of no spec are left out."""
    found: dict[str, list[Record]] = {}
    for record in records:
        if record.spec is not None:
            name = f"{record.spec}/{record.variant}" if record.variant else record.spec
            found.setdefault(plain(name), []).append(record)
    return found


def _counts(records: list[Record]) -> str:
    """How many captures are in which status, and how many stages failed."""
    parts = []
    for status in _COUNTED:
        count = sum(record.status == status and record.path is not None for record in records)
        if count:
            parts.append(f"{count} {status}")
    failed = sum(record.status in ("error", "bug") for record in records)
    if failed:
        parts.append(f"{failed} failed")
    verdicts = sum(not record.passed for record in records)
    if verdicts:
        parts.append(_plural(verdicts, "verdict") + (" fails" if verdicts == 1 else " fail"))
    captures = sum(record.path is not None for record in records)
    return f"{_plural(captures, 'capture')}: {', '.join(parts) or 'none'}"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _is_carets(line: str) -> bool:
    body = line.strip().removeprefix("|").strip()
    return bool(body) and not body.strip("^")
