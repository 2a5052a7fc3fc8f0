"""`pipeline build` and `pipeline check`: run the specs, then write their captures or compare with those on disk."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from pipeline.capture.cache import Cache, tool_digest
from pipeline.capture.outcome import CLEAN, DIFFERS, WRONG, Finding, Outcome, Record, findings, problem
from pipeline.capture.write import find_orphans, read_capture, remove_captures, write_captures
from pipeline.cli import report
from pipeline.cli.discover import find_specs, is_whole
from pipeline.cli.workers import evaluate_all, job_count
from pipeline.errors import SpecError


def run_build(args: argparse.Namespace) -> int:
    """Run `args.command`, build or check; returns the exit status."""
    writes = args.command == "build"
    as_text = args.format == "text"
    targets = tuple(args.target)
    files, problems = find_specs(args.specs)
    whole = is_whole(args.specs, args.snapshots) and not targets
    if writes and args.prune and not whole:
        hint = "leave out --target, and name no SPEC or the folders that hold all specs of these snapshots"
        problems.append(problem("C105", "--prune takes a run over all specs", None, hint))
        files = []
    cache = Cache(args.snapshots, tool_digest()) if not args.no_cache and not targets else None

    many = len(files) > report.FEW_FILES
    outcomes: list[Outcome] = []
    claims: dict[str, str] = {}
    try:
        for outcome in _outcomes(files, targets, args.jobs, cache, as_text and not args.quiet):
            _claim(outcome, claims)
            if writes:
                _write(outcome, args.snapshots)
            else:
                _compare(outcome, args.snapshots)
            if writes and cache is not None and outcome.started_ns is not None and outcome.settled:
                cache.keep(outcome, outcome.started_ns)
            if as_text:
                report.print_outcome(outcome, args.snapshots, args.verbose, args.quiet, many)
            for record in outcome.records:
                record.text = None  # written: a run over many specs need not hold them all
            outcomes.append(outcome)
    finally:
        if writes and cache is not None:
            cache.save()

    problems.extend(_undeclared(targets, outcomes))
    if problems:
        outcomes.append(_of_problems(problems))
        if as_text:
            report.print_findings(outcomes[-1].records)
    status = max((outcome.exit_status() for outcome in outcomes), default=CLEAN)
    if whole and all(outcome.loaded for outcome in outcomes):
        status = max(status, _settle_orphans(args, writes, outcomes))
    if as_text:
        report.print_summary([outcome for outcome in outcomes if outcome.file], args.verbose, args.quiet)
    else:
        report.print_json(report.json_records(outcomes, args.snapshots))
    return status


def _outcomes(
    files: list[str], targets: tuple[str, ...], jobs: int | None, cache: Cache | None, shows_progress: bool
) -> Iterator[Outcome]:
    """The outcome of each file in order: from the cache where it holds, else evaluated now."""
    known = {file: cache.look_up(file) for file in files} if cache is not None else {}
    pending = [file for file in files if known.get(file) is None]
    started = time.time_ns()
    fresh = evaluate_all(pending, targets, job_count(jobs, len(pending)))
    progress = report.Progress(len(pending), shows_progress)
    for file in files:
        outcome = known.get(file)
        if outcome is None:
            progress.step(file)
            outcome = next(fresh)
            outcome.started_ns = started
            progress.clear()
        yield outcome


def _claim(outcome: Outcome, claims: dict[str, str]) -> None:
    """Note which file has which name; a second file with the same name becomes an error and writes nothing."""
    for name in outcome.names:
        first = claims.setdefault(name.casefold(), outcome.file)
        if first != outcome.file:
            message = f"the name {name!r} is taken by {first}"
            found = problem("C102", message, outcome.file, "rename one of the two: the name is the captures' folder")
            outcome.records = [Record(name, None, "spec", None, "error", diagnostics=[found])]
            outcome.loaded = False
            return


def _write(outcome: Outcome, root: str) -> None:
    """Write the captures that are new or changed, all or none of a spec file's, and note each one's status."""
    texts: dict[str, str] = {}
    statuses: dict[str, tuple[str, int, int]] = {}
    try:
        for record in _captures(outcome):
            if record.text is None or record.path is None:  # from the cache: known to be there
                continue
            new = record.text.encode("utf-8")
            old = read_capture(root, record.path, _more_than(new))
            if old == new:
                continue
            texts[record.path] = record.text
            if old is None:
                statuses[record.path] = ("written", 0, 0)
            else:
                from pipeline.capture.diff import count_changes

                statuses[record.path] = ("changed", *count_changes(old.decode("utf-8", "replace"), record.text))
        if texts:
            write_captures(root, texts)
    except SpecError as error:
        _refuse(outcome, error)
        return
    for record in _captures(outcome):
        record.status, record.added, record.removed = statuses.get(record.path or "", ("unchanged", 0, 0))


def _compare(outcome: Outcome, root: str) -> None:
    """Note for each capture whether the file on disk is the same, with a diff where it is not."""
    for record in _captures(outcome):
        if record.text is None or record.path is None:
            record.status = "unchanged"
            continue
        new = record.text.encode("utf-8")
        try:
            old = read_capture(root, record.path, _more_than(new))
        except SpecError as error:
            _refuse(outcome, error)
            return
        if old is None:
            record.status = "missing"
        elif old == new:
            record.status = "unchanged"
        else:
            from pipeline.capture.diff import count_changes, unified

            text = old.decode("utf-8", "replace")
            record.status = "differs"
            record.added, record.removed = count_changes(text, record.text)
            path = f"{root.rstrip('/')}/{record.path}"
            record.diff = unified(text, record.text, path, f"{path} (now)")


def _more_than(new: bytes) -> int:
    """How much to read of what a capture is compared with: whatever stands there, a diff is told in a second."""
    return 4 * len(new) + (1 << 16)


def _refuse(outcome: Outcome, error: SpecError) -> None:
    """The snapshots folder does not let us: no capture of this file counts as written."""
    for record in _captures(outcome):
        record.status, record.path = "not run", None
    record = Record(outcome.names[0] if outcome.names else None, None, "capture", None, "error")
    record.diagnostics = findings(error.diagnostics)
    outcome.records.append(record)
    outcome.loaded = False


def _captures(outcome: Outcome) -> list[Record]:
    return [record for record in outcome.records if record.path is not None]


def _undeclared(targets: tuple[str, ...], outcomes: list[Outcome]) -> list[Finding]:
    """Targets asked for that no spec of the run declares. Silent where a spec could not be read."""
    declared = {target for outcome in outcomes for target in outcome.targets}
    if not outcomes or not all(outcome.loaded for outcome in outcomes):
        return []
    known = ", ".join(sorted(declared))
    return [
        problem("C109", f"no spec of this run declares the target {target!r}", None, f"they declare {known}")
        for target in dict.fromkeys(targets)
        if target not in declared
    ]


def _of_problems(problems: list[Finding]) -> Outcome:
    """The run's own problems as an outcome of no file."""
    record = Record(None, None, "run", None, "error", diagnostics=problems)
    return Outcome("", [record], loaded=False)


def _settle_orphans(args: argparse.Namespace, writes: bool, outcomes: list[Outcome]) -> int:
    """Report captures that no spec makes, or remove them; returns what this adds to the exit status."""
    owned = {path for outcome in outcomes for path in outcome.owned}
    orphans = find_orphans(args.snapshots, owned)
    if not orphans:
        return CLEAN
    if writes and args.prune:
        try:
            remove_captures(args.snapshots, orphans)
        except SpecError as error:
            outcomes.append(_of_problems(findings(error.diagnostics)))
            report.print_findings(outcomes[-1].records if args.format == "text" else [])
            return WRONG
    removed = writes and args.prune
    records = []
    for orphan in orphans:
        record = Record(None, None, "capture", None, "removed" if removed else "orphan", orphan)
        if not removed:
            hint = "`pipeline build --prune` removes it"
            found = problem("C105", "no spec makes this file", f"{args.snapshots.rstrip('/')}/{orphan}", hint)
            found["severity"] = "warning" if writes else "error"
            found["rendered"] = found["rendered"].replace("error[", "warning[", 1) if writes else found["rendered"]
            record.diagnostics = [found]
        elif args.format == "text" and not args.quiet:
            print(f"  removed    {args.snapshots.rstrip('/')}/{orphan}")
        records.append(record)
    outcomes.append(Outcome("", records))
    if args.format == "text":
        sys.stdout.flush()
        report.print_findings(records)
    return CLEAN if writes else DIFFERS
