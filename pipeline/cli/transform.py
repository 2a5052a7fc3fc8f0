"""`pipeline transform`: what JAX's transformations make of a spec's kernel, without JAX; the call that vmap gives."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pipeline.capture.outcome import findings, problem
from pipeline.cli import report
from pipeline.cli.choose import choose_variant
from pipeline.errors import SpecError


def run_transform(args: argparse.Namespace) -> int:
    """Print the verdicts, or with --vmap N the call batched. Exit status 0; 2 for a wrong spec."""
    from pipeline.spec.load import load_specs
    from pipeline.trace.text import print_call
    from pipeline.trace.trace import trace
    from pipeline.transforms.verdict import print_verdicts, verdicts
    from pipeline.transforms.vmap import vmap

    try:
        specs = load_specs(Path(args.spec))
        spec = choose_variant(specs, args.variant)
        if spec is None:
            known = ", ".join(one.variant for one in specs if one.variant)
            hint = f"there are {known}" if known else "the spec has no variants"
            report.print_finding(problem("C110", f"no variant {args.variant!r}", args.spec, hint))
            return 2
        call = trace(spec)
    except SpecError as error:
        for finding in findings(error.diagnostics):
            report.print_finding(finding)
        return 2
    text = print_call(vmap(call, args.vmap)) if args.vmap else print_verdicts(call, verdicts(call))
    sys.stdout.write(text)
    return 0
