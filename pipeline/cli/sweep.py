"""`pipeline sweep`: a spec at other params, ranked on each chip by the predicted time of the call."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from pipeline.capture.outcome import Record, findings, problem
from pipeline.cli import report
from pipeline.cli.choose import choose_target, choose_variant
from pipeline.cli.workers import job_count
from pipeline.errors import SpecError
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec, Static, Target

MAX_CANDIDATES = 10_000
_FIELDS = ("cycles", "step_bundles", "steps", "vmem_bytes", "hbm_bytes", "bound", "refused")


def run_sweep(args: argparse.Namespace) -> int:
    """Evaluate and print; exit status 2 where nothing can be ranked."""
    path = Path(args.spec)
    try:
        specs = load_specs(path)
    except SpecError as error:
        return _fail(findings(error.diagnostics))
    spec = choose_variant(specs, args.variant)
    if spec is None:
        return _fail([problem("C110", f"no variant {args.variant!r}", args.spec, "see the spec's variants")])
    vary: dict[str, list[Static]] = {}
    for entry in args.vary:
        name, _, values = entry.partition("=")
        if name not in spec.params:
            known = ", ".join(spec.params) or "it has none"
            return _fail([problem("C114", f"the spec has no param {name!r}", args.spec, f"params: {known}")])
        vary[name] = [_value(word) for word in values.split(",") if word]
    candidates = [dict(zip(vary, values, strict=True)) for values in product(*vary.values())]
    if not 1 <= len(candidates) <= MAX_CANDIDATES:
        fact = f"{len(candidates)} candidates; from 1 to {MAX_CANDIDATES} are tried"
        return _fail([problem("C115", fact, args.spec, "--vary NAME=1,2,3 with fewer or more values")])
    targets = [choose_target(spec, name) for name in args.target] if args.target else list(spec.targets)
    rows = _rows(args, spec, path.read_text(encoding="utf-8"), candidates, targets)
    ranked = _ranked(rows, [t.name for t in targets])
    sys.stdout.write({"text": _table, "json": _json, "csv": _csv}[args.format](ranked, list(vary)))
    return 0 if any(row["refused"] is None for row in ranked) else 2


def _value(word: str) -> Static:
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(word, word)


def _rows(
    args: argparse.Namespace, spec: Spec, text: str, candidates: list[dict[str, Static]], targets: list[Target]
) -> list[dict[str, Any]]:
    """Rows of all candidates. With --resume, those in the file are not tried again, and new ones are added to it."""
    keep = Path(args.resume) if args.resume else None
    done = {_key(row): row for row in _kept(keep, text)}
    names = [target.name for target in targets]
    todo = [c for c in candidates if any(_key({"params": c, "chip": n}) not in done for n in names)]
    log = keep.open("a", encoding="utf-8") if keep is not None else None
    if log is not None and keep is not None:
        before = keep.read_text(encoding="utf-8")
        if not before:
            log.write(json.dumps({"spec": text}) + "\n")
        elif not before.endswith("\n"):  # a run was killed while it wrote
            log.write("\n")
    try:
        for count, rows in enumerate(_evaluated(args, spec, text, todo, targets), start=1):
            for row in rows:
                done[_key(row)] = row
                if log is not None:
                    log.write(json.dumps(row) + "\n")
            if log is not None:
                log.flush()
            if sys.stderr.isatty():
                print(f"\r{count} of {len(todo)} candidates", end="", file=sys.stderr, flush=True)
    finally:
        if log is not None:
            log.close()
        if sys.stderr.isatty() and todo:
            print(file=sys.stderr)
    return [done[_key({"params": c, "chip": n})] for c in candidates for n in names]


def _kept(path: Path | None, text: str) -> Iterator[dict[str, Any]]:
    """Rows of an earlier run of the same spec; a line that a killed run left half written is passed over."""
    if path is None or not path.is_file():
        return
    lines = path.read_text(encoding="utf-8").splitlines()
    parsed: list[dict[str, Any]] = []
    for line in lines:
        try:
            parsed.append(json.loads(line))
        except ValueError:
            continue
    if parsed and parsed[0].get("spec") == text:
        yield from (row for row in parsed[1:] if "chip" in row)
    else:
        path.write_text("", encoding="utf-8")


def _key(row: dict[str, Any]) -> str:
    return json.dumps([row["params"], row["chip"]], sort_keys=True)


def _evaluated(
    args: argparse.Namespace, spec: Spec, text: str, todo: Sequence[dict[str, Static]], targets: list[Target]
) -> Iterator[list[dict[str, Any]]]:
    from pipeline.simulate.sweep import candidate

    partial = _partial(spec, targets)
    start = (text, args.spec, spec.variant or None)
    jobs = job_count(args.jobs, len(todo))
    if jobs <= 1:
        for params in todo:
            yield [row._asdict() for row in candidate(*start, params, targets, partial)]
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(candidate, *start, params, targets, partial) for params in todo]
        for future in futures:
            yield [row._asdict() for row in future.result()]


def _partial(spec: Spec, targets: list[Target]) -> frozenset[str]:
    """Operands that the spec itself does not go over entirely; none where it does not get that far."""
    from pipeline.chips.load import load_chip
    from pipeline.schedule.schedule import schedule
    from pipeline.simulate.sweep import uncovered
    from pipeline.trace.trace import trace

    try:
        return frozenset(uncovered(schedule(trace(spec), None, load_chip(targets[0]))))
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
    heads = ["chip", "rank", *names, "cycles", "a step", "steps", "VMEM", "bound"]
    lines = [heads]
    for row in rows:
        cells = [row["chip"], str(row["rank"] or "-"), *(str(row["params"][n]) for n in names)]
        if row["refused"] is None:
            vmem = f"{row['vmem_bytes'] / 2**20:.2f} MiB"
            cells += [str(row["cycles"]), str(row["step_bundles"]), str(row["steps"]), vmem, str(row["bound"])]
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


def _fail(found: list[Any]) -> int:
    report.print_findings([Record(None, None, "spec", None, "error", diagnostics=found)])
    return 2
