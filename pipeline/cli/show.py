"""`pipeline show`: print one stage of one spec, exactly as its capture holds it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pipeline.capture import names
from pipeline.capture.evaluate import result_record
from pipeline.capture.outcome import Record, findings, problem
from pipeline.cli import report
from pipeline.cli.choose import choose_target, choose_variant
from pipeline.errors import SpecError
from pipeline.spec.spec import Spec, Target
from pipeline.stages import applies, declared, run_spec


def run_show(args: argparse.Namespace) -> int:
    """Print what `args` asks for; exit status 2 where an error keeps it from being made, 1 where a verdict fails."""
    from pipeline.spec.load import load_specs

    try:
        specs = load_specs(Path(args.spec))
    except SpecError as error:
        return _finish(args, [Record(None, None, "spec", None, "error", diagnostics=findings(error.diagnostics))])
    spec = choose_variant(specs, args.variant)
    if spec is None:
        message = f"no variant {args.variant!r}"
        known = ", ".join(spec.variant for spec in specs if spec.variant)
        found = problem("C110", message, args.spec, f"there are {known}" if known else "the spec has no variants")
        return _finish(args, [Record(specs[0].name, None, "spec", None, "error", diagnostics=[found])])
    target = choose_target(spec, args.target)
    wanted = (args.stage,) if args.stage is not None else names.STAGES
    if args.stage is not None and not applies(args.stage, target):
        message = f"the stage {args.stage!r} does not apply to the target {target.name!r}"
        found = problem("C111", message, args.spec, "ask for a chip, or leave out --stage to see what there is")
        return _finish(args, [Record(spec.name, spec.variant, args.stage, target.name, "error", diagnostics=[found])])
    if args.stage is not None and not declared(args.stage, spec):
        hint = 'give the spec the key transforms = ["jvp", "grad", "vmap"], or ask: pipeline transform'
        found = problem("C111", f"the spec does not ask for the stage {args.stage!r}", args.spec, hint)
        return _finish(args, [Record(spec.name, spec.variant, args.stage, None, "error", diagnostics=[found])])
    records = [result_record(spec, result) for result in run_spec(spec, (target,), wanted)]
    per_target = any(record.stage in wanted and record.target is not None for record in records)
    if args.format == "text":
        _note_choice(spec, len(specs), target, args, per_target)
    return _finish(args, [record for record in records if record.text is not None or record.status != "captured"])


def _note_choice(spec: Spec, variants: int, target: Target, args: argparse.Namespace, per_target: bool) -> None:
    """Say on stderr, to a person, what was chosen among several."""
    chosen = []
    if args.variant is None and variants > 1:
        chosen.append(f"variant {spec.variant} of {variants} (choose with --variant)")
    if args.target is None and len(spec.targets) > 1 and per_target:
        others = ", ".join(other.name for other in spec.targets if other is not target)
        chosen.append(f"target {target.name} (--target for {others})")
    if chosen and sys.stderr.isatty():
        print(f"note: {'; '.join(chosen)}", file=sys.stderr)


def _finish(args: argparse.Namespace, records: list[Record]) -> int:
    status = max((record.exit_status() for record in records), default=0)
    if args.format == "json":
        report.print_json([{**report.json_record(record, args.spec, None), "text": record.text} for record in records])
        return status
    report.print_findings(records)
    report.print_bugs(args.spec, records)
    captures = [record for record in records if record.text is not None]
    for position, record in enumerate(captures):
        if args.stage is None:
            gap = "\n" if position else ""
            sys.stdout.write(f"{gap}==> {names.file_name(record.stage, record.target)} <==\n")
        sys.stdout.write(record.text or "")
    return status
