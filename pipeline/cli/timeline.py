"""`pipeline timeline`: a spec's timeline on a chip as a file that Perfetto opens, or as a picture."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.capture.outcome import findings, problem
from pipeline.capture.write import write_file
from pipeline.cli import report
from pipeline.cli.choose import choose_target, choose_variant
from pipeline.errors import Diagnostic, Severity, SpecError
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec, Target

if TYPE_CHECKING:
    from pipeline.chips.chip import Chip
    from pipeline.ir.call import KernelCall
    from pipeline.schedule.bundles.step import Step
    from pipeline.schedule.result import Schedule

_LARGE = 2_000_000  # bytes of events beyond which the file is packed


def run_timeline(args: argparse.Namespace) -> int:
    """Write the file; exit status 2 where something keeps it from being made."""
    path = Path(args.output)
    if path.suffix not in (".json", ".gz", ".svg"):
        hint = "it is written as FILE.json, FILE.json.gz or FILE.svg"
        return _fail([problem("C113", f"the name {args.output!r} does not say what to write", args.spec, hint)])
    try:
        specs = load_specs(Path(args.spec))
        spec = choose_variant(specs, args.variant)
        if spec is None:
            known = ", ".join(s.variant for s in specs if s.variant)
            hint = f"there are {known}" if known else "the spec has no variants"
            return _fail([problem("C110", f"no variant {args.variant!r}", args.spec, hint)])
        target = choose_target(spec, args.target)
        made = _schedule(spec, target)
    except SpecError as error:
        return _fail(findings(error.diagnostics))
    if made is None:
        hint = "choose a target that is a chip with a clock and a bandwidth"
        return _fail([problem("C116", f"the target {target.name!r} has no timeline", args.spec, hint)])
    if path.suffix == ".svg":
        from pipeline.simulate.picture import draw

        text, cycles = draw(*made)
        data, said = text.encode(), "open it in a browser"
    else:
        from pipeline.simulate.trace_events import trace_events

        events, cycles = trace_events(*made, args.steps)
        text = json.dumps({"displayTimeUnit": "ns", "traceEvents": events}, separators=(",", ":")) + "\n"
        data, said = text.encode(), f"{len(events)} events; open it at https://ui.perfetto.dev"
        if len(data) > _LARGE and path.suffix != ".gz":
            path = path.with_name(path.name + ".gz")
        if path.suffix == ".gz":
            data = gzip.compress(data, mtime=0)
    try:
        write_file(str(path), data)
    except OSError as error:
        return _fail([problem("C113", f"cannot write {path}: {error.strerror}", args.spec, "choose a place")])
    print(f"{path}: {cycles} cycles, {cycles / (made[2].clock_hz or 1) * 1e6:.1f} us; {said}")
    return 0


def _schedule(spec: Spec, target: Target) -> tuple[KernelCall, Schedule, Chip, Step | None] | None:
    """What is drawn; None for a target that has no timeline."""
    from pipeline.chips.costs import load_costs
    from pipeline.chips.load import load_chip
    from pipeline.lower.mosaic_tpu.lower import lower
    from pipeline.schedule.bundles.graph import TooLarge
    from pipeline.schedule.bundles.kept import kept_inputs
    from pipeline.schedule.bundles.step import schedule_step
    from pipeline.schedule.schedule import schedule
    from pipeline.stages import applies
    from pipeline.trace.trace import trace

    if not (applies("lower", target) and applies("schedule", target)):
        return None
    call, chip = trace(spec), load_chip(target)
    if chip.clock_hz is None or chip.hbm_bytes_per_second is None:
        return None
    module = lower(call, chip)
    made = schedule(call, module, chip)
    errors: list[Diagnostic] = [f for f in made.findings if f.severity is Severity.ERROR]
    if errors:
        raise SpecError.of(errors)
    costs = load_costs(chip)
    try:
        kept = kept_inputs(call, chip)
        step = schedule_step(module, chip, costs, call.grid, kept) if costs is not None else None
    except TooLarge:
        step = None
    return call, made, chip, step


def _fail(found: list[Any]) -> int:
    from pipeline.capture.outcome import Record

    report.print_findings([Record(None, None, "spec", None, "error", diagnostics=found)])
    sys.stdout.flush()
    return 2
