"""`pipeline timeline`: a spec's timeline on a chip as a file that Perfetto opens."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path
from typing import Any

from pipeline.capture.outcome import findings, problem
from pipeline.cli import report
from pipeline.cli.choose import choose_target, choose_variant
from pipeline.errors import Diagnostic, Severity, SpecError
from pipeline.spec.load import load_specs


def run_timeline(args: argparse.Namespace) -> int:
    """Write the file; exit status 2 where something keeps it from being made."""
    try:
        specs = load_specs(Path(args.spec))
        spec = choose_variant(specs, args.variant)
        if spec is None:
            known = ", ".join(s.variant for s in specs if s.variant)
            hint = f"there are {known}" if known else "the spec has no variants"
            return _fail([problem("C110", f"no variant {args.variant!r}", args.spec, hint)])
        target = choose_target(spec, args.target)
        events, cycles, clock = _events(spec, target, args.steps)
    except SpecError as error:
        return _fail(findings(error.diagnostics))
    if events is None:
        hint = "choose a target that is a chip with a clock and a bandwidth"
        return _fail([problem("C116", f"the target {target.name!r} has no timeline", args.spec, hint)])
    text = json.dumps({"displayTimeUnit": "ns", "traceEvents": events}, separators=(",", ":")) + "\n"
    path = Path(args.output)
    data = gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text.encode()
    try:
        path.write_bytes(data)
    except OSError as error:
        return _fail([problem("C113", f"cannot write {args.output}: {error.strerror}", args.spec, "choose a place")])
    micros = cycles / clock * 1e6
    print(f"{args.output}: {len(events)} events, {cycles} cycles, {micros:.1f} us; open it at https://ui.perfetto.dev")
    return 0


def _events(spec: Any, target: Any, steps: int) -> tuple[list[dict[str, Any]] | None, int, float]:
    from pipeline.chips.costs import load_costs
    from pipeline.chips.load import load_chip
    from pipeline.lower.mosaic_tpu.lower import lower
    from pipeline.schedule.bundles.graph import TooLarge
    from pipeline.schedule.bundles.step import schedule_step
    from pipeline.schedule.schedule import schedule
    from pipeline.simulate.trace_events import trace_events
    from pipeline.stages import applies
    from pipeline.trace.trace import trace

    if not applies("schedule", target):
        return None, 0, 0.0
    call, chip = trace(spec), load_chip(target)
    if chip.clock_hz is None or chip.hbm_bytes_per_second is None:
        return None, 0, 0.0
    module = lower(call, chip)
    made = schedule(call, module, chip)
    errors: list[Diagnostic] = [f for f in made.findings if f.severity is Severity.ERROR]
    if errors:
        raise SpecError.of(errors)
    costs = load_costs(chip)
    try:
        step = schedule_step(module, chip, costs) if costs is not None else None
    except TooLarge:
        step = None
    events, cycles = trace_events(call, made, chip, step, steps)
    return events, cycles, chip.clock_hz


def _fail(found: list[Any]) -> int:
    from pipeline.capture.outcome import Record

    report.print_findings([Record(None, None, "spec", None, "error", diagnostics=found)])
    sys.stdout.flush()
    return 2
