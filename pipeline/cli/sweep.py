"""`pipeline sweep`: a spec at other params and blocks, ranked on each chip by the predicted time of the call."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.capture.outcome import findings, problem
from pipeline.capture.write import write_file
from pipeline.cli import report
from pipeline.cli.choose import choose_target, choose_variant
from pipeline.cli.workers import in_processes, job_count
from pipeline.errors import NOWHERE, Span, SpecError
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec, Static, Target
from pipeline.spec.suggest import did_you_mean
from pipeline.spec.vary import is_path, links_of, parse_path, paths_of, values_of
from pipeline.stages import applies

if TYPE_CHECKING:
    from pipeline.ir.call import KernelCall
    from pipeline.simulate.sweep import Row

MAX_CANDIDATES = 10_000
_HOW = "--vary NAME=1,2,3 or NAME=64..512, or a [sweep] table in the spec, with fewer or more values"
_FIELDS = (
    *("cycles", "nanoseconds", "step_bundles", "steps", "vmem_bytes", "hbm_bytes", "bound", "roof", "reached"),
    "refused",
)


def run_sweep(args: argparse.Namespace) -> int:
    """Evaluate and print; exit status 2 where nothing can be ranked."""
    path = Path(args.spec)
    try:
        specs = load_specs(path)
    except SpecError as error:
        return report.refuse(findings(error.diagnostics), args.spec, args.format)
    spec = choose_variant(specs, args.variant)
    if spec is None:
        return report.refuse(
            [problem("C110", f"no variant {args.variant!r}", args.spec, "see the spec's variants")],
            args.spec,
            args.format,
        )
    try:
        vary = _vary(args.vary, spec)
    except SpecError as error:
        return report.refuse(findings(error.diagnostics), args.spec, args.format)
    count = prod(map(len, vary.values())) if vary else 0
    if not 1 <= count <= MAX_CANDIDATES:
        fact = f"{count} candidates; from 1 to {MAX_CANDIDATES} are tried"
        return report.refuse([problem("C115", fact, args.spec, _HOW)], args.spec, args.format)
    candidates = [dict(zip(vary, values, strict=True)) for values in product(*vary.values())]
    targets = [choose_target(spec, name) for name in args.target] if args.target else _chips(spec)
    try:
        rows = _rows(args, spec, path.read_text(encoding="utf-8"), candidates, targets)
    except SpecError as error:
        return report.refuse(findings(error.diagnostics), args.spec, args.format)
    ranked = _ranked(rows, [t.name for t in targets])
    sys.stdout.write({"text": _table, "json": _json, "csv": _csv}[args.format](ranked, list(vary)))
    return 0 if any(row["refused"] is None for row in ranked) else 2


def _chips(spec: Spec) -> list[Target]:
    """The spec's targets that have cycles to rank by; all of them where none has."""
    return [target for target in spec.targets if applies("schedule", target)] or list(spec.targets)


def _vary(asked: Sequence[str], spec: Spec) -> dict[str, list[Static]]:
    """Values by name, of the command line or else of the spec.

    Errors: SpecError C114 for a name that is nothing of the spec, or values that are none.
    """
    entries: list[tuple[str, Sequence[Static] | str, Span]] = []
    for entry in asked:
        name, _, text = entry.partition("=")
        entries.append((name.strip(), text, NOWHERE))
    if not asked:
        entries = [(name, values, spec.locate("sweep", name)) for name, values in spec.sweep.items()]
    found: dict[str, list[Static]] = {}
    for name, values, span in entries:
        if name not in spec.params and parse_path(name, spec) is None:
            known = paths_of(spec)
            hint = did_you_mean(name, known) or f"it has {', '.join(known)}"
            raise SpecError("C114", f"the spec has no {name!r} to vary", span, hint=hint)
        try:
            found[name] = values_of(values) if isinstance(values, str) else list(values)
        except ValueError as error:
            raise SpecError("C114", f"{name}: {error}", span) from None
    return found


def _rows(
    args: argparse.Namespace, spec: Spec, text: str, candidates: list[dict[str, Static]], targets: list[Target]
) -> list[dict[str, Any]]:
    """Rows of all candidates. With --resume, those in the file are not tried again, and new ones are added to it.

    Errors: SpecError C113 for a file that is something else, or cannot be written.
    """
    done: dict[str, dict[str, Any]] = {}
    if args.resume:
        try:
            kept = _kept(Path(args.resume), text)
            done = {_key(row): row for row in kept}
            lines = "".join(json.dumps(one) + "\n" for one in (_head(text), *kept))
            write_file(args.resume, lines.encode())
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no text"
            raise SpecError("C113", f"cannot keep rows in {args.resume}: {why}", hint="choose another file") from None
    names = [target.name for target in targets]
    todo = [c for c in candidates if any(_key({"params": c, "chip": n}) not in done for n in names)]
    with Path(args.resume).open("a", encoding="utf-8") if args.resume else nullcontext() as log:
        for count, rows in enumerate(_evaluated(args, spec, text, todo, targets), start=1):
            for row in rows:
                done[_key(row)] = row
                if log is not None:
                    log.write(json.dumps(row) + "\n")
            if log is not None:
                log.flush()
            if sys.stderr.isatty():
                print(f"\r{count} of {len(todo)} candidates", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty() and todo:
        print(file=sys.stderr)
    return [done[_key({"params": c, "chip": n})] for c in candidates for n in names]


def _head(text: str) -> dict[str, Any]:
    """The first line of a file of rows: what they are of. Rows of another spec, or of other figures, are of no use."""
    return {"spec": text, "rows": ["params", "chip", *_FIELDS]}


def _kept(path: Path, text: str) -> list[dict[str, Any]]:
    """Rows of an earlier run of the same spec; a line that a killed run left half written is passed over.

    Errors: SpecError C113 for a file that no sweep wrote.
    """
    if not path.exists():
        return []
    parsed: list[dict[str, Any]] = []
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in lines:
        try:
            one = json.loads(line)
        except ValueError:
            continue
        if isinstance(one, dict):
            parsed.append(one)
    if lines and not (parsed and "spec" in parsed[0]):
        raise SpecError("C113", f"{path} is not a file of a sweep's rows", hint="choose another file for --resume")
    if not parsed or parsed[0] != _head(text):
        return []
    return [row for row in parsed[1:] if sorted(row) == sorted(_head(text)["rows"])]


def _key(row: dict[str, Any]) -> str:
    return json.dumps([row["params"], row["chip"]], sort_keys=True)


def _evaluated(
    args: argparse.Namespace, spec: Spec, text: str, todo: Sequence[dict[str, Static]], targets: list[Target]
) -> Iterator[list[dict[str, Any]]]:
    """Rows of each candidate, in order."""
    from pipeline.simulate.sweep import Sweep, candidate

    if not todo:
        return
    links = links_of(_trace(spec)) if any(is_path(name) for name in todo[0]) else {}
    sweep = Sweep(text, args.spec, spec.variant or None, tuple(targets), links, _partial(spec, targets))
    jobs = job_count(args.jobs, len(todo))
    found: Iterable[list[Row]]
    if args.dask is not None:
        from pipeline.cli.on_dask import on_dask

        found = on_dask(args.dask, sweep, todo)
    elif jobs <= 1:
        found = (candidate(sweep, settings) for settings in todo)
    else:
        found = in_processes(candidate, [(sweep, settings) for settings in todo], jobs)
    for rows in found:
        yield [row._asdict() for row in rows]


def _trace(spec: Spec) -> KernelCall:
    from pipeline.trace.trace import trace

    return trace(spec)


def _partial(spec: Spec, targets: list[Target]) -> frozenset[str]:
    """Operands that the spec itself does not go over entirely; none where it does not get that far."""
    from pipeline.chips.load import load_chip
    from pipeline.schedule.schedule import schedule
    from pipeline.simulate.sweep import uncovered

    try:
        return frozenset(uncovered(schedule(_trace(spec), None, load_chip(targets[0]))))
    except SpecError:
        return frozenset()


def _ranked(rows: list[dict[str, Any]], chips: list[str]) -> list[dict[str, Any]]:
    """Chip by chip, the quickest first; equal ones by less VMEM; refused ones last, in the order they were given."""
    found = []
    for chip in chips:
        mine = [row for row in rows if row["chip"] == chip]
        legal = sorted((r for r in mine if r["refused"] is None), key=lambda r: (r["cycles"], r["vmem_bytes"] or 0))
        for rank, row in enumerate(legal, start=1):
            found.append({"rank": rank, **row})
        found.extend({"rank": None, **row} for row in mine if row["refused"] is not None)
    return found


def _table(rows: list[dict[str, Any]], names: list[str]) -> str:
    heads = ["chip", "rank", *names, "time", "cycles", "a step", "steps", "VMEM", "bound", "of the roof"]
    lines = [heads]
    for row in rows:
        cells = [row["chip"], str(row["rank"] or "-"), *(str(row["params"][n]) for n in names)]
        if row["refused"] is None:
            vmem = f"{row['vmem_bytes'] / 2**20:.2f} MiB"
            time = row["nanoseconds"]
            cells += [
                f"{time} ns" if time < 10_000 else f"{time // 1000} us",
                str(row["cycles"]),
                str(row["step_bundles"]),
            ]
            cells += [str(row["steps"]), vmem, str(row["bound"]), f"{row['reached']}% of {row['roof']}"]
        else:
            cells += [row["refused"]]
        lines.append(cells)
    full = [line for line in lines if len(line) == len(heads)]
    widths = [max(len(line[c]) for line in full) for c in range(len(heads))]
    return "".join("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=False)).rstrip() + "\n" for line in lines)


def _json(rows: list[dict[str, Any]], names: list[str]) -> str:
    return json.dumps(rows, indent=2) + "\n"


def _csv(rows: list[dict[str, Any]], names: list[str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["chip", "rank", *names, *_FIELDS])
    for row in rows:
        writer.writerow([row["chip"], row["rank"], *(row["params"][n] for n in names), *(row[f] for f in _FIELDS)])
    return out.getvalue()
