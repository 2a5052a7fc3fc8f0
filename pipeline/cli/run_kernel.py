"""`pipeline run`: execute a spec's kernel here, on its data or on arrays given, and compare with its reference."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.capture.outcome import Finding, findings, problem
from pipeline.cli import report
from pipeline.cli.choose import choose_variant
from pipeline.cli.run_report import Steps, json_result, print_moved, write_outputs
from pipeline.errors import Diagnostic, Severity, SpecError
from pipeline.ir.call import Role
from pipeline.spec.spec import Data, Spec

if TYPE_CHECKING:
    from pipeline.simulate.reorder import Moved


def run_kernel(args: argparse.Namespace) -> int:
    """Exit status: 0 passed, or ended in the error that the spec expects; 1 a verdict fails; 2 wrong input; 130
    interrupted, with nothing written."""
    from pipeline.spec.load import load_specs

    try:
        specs = load_specs(Path(args.spec))
        spec = choose_variant(specs, args.variant)
        if spec is None:
            known = ", ".join(spec.variant for spec in specs if spec.variant) or "none"
            return report.refuse(
                [problem("C110", f"no variant {args.variant!r}", args.spec, f"there are {known}")],
                args.spec,
                args.format,
            )
        given, problems = _given(spec, args.input)
        if problems:
            return report.refuse(problems, args.spec, args.format)
        return _run(given, args)
    except SpecError as error:
        return report.refuse(findings(error.diagnostics), args.spec, args.format)


def _given(spec: Spec, texts: list[str]) -> tuple[Spec, list[Finding]]:
    """The spec with the data of `NAME=FILE` texts in place of its own."""
    problems: list[Finding] = []
    inputs = [operand.name for operand in spec.operands if operand.role is not Role.OUTPUT]
    files: dict[str, Path] = {}
    for text in texts:
        name, _, file = text.partition("=")
        if name not in inputs or not file:
            hint = f"write NAME=FILE.npy; the inputs are {', '.join(inputs) or 'none'}"
            problems.append(problem("C112", f"--input {text!r} names no input of {spec.name!r}", None, hint))
        files[name] = Path(file)
    operands = tuple(
        replace(operand, data=Data(kind="file", file=files[operand.name])) if operand.name in files else operand
        for operand in spec.operands
    )
    return replace(spec, operands=operands), problems


def _run(spec: Spec, args: argparse.Namespace) -> int:
    from pipeline.simulate.functional import run_functional
    from pipeline.simulate.machine import Filling
    from pipeline.simulate.mode import Mode
    from pipeline.simulate.simulate import judge
    from pipeline.simulate.text import print_simulation
    from pipeline.spec.limits import all_checks
    from pipeline.trace.trace import trace

    steps = Steps(max(1, prod(spec.grid)))
    as_json = args.format == "json"

    def tell(text: str) -> None:
        steps.clear()
        print(report.plain(text), file=sys.stderr if as_json else sys.stdout, flush=True)

    order, _, seed = args.order.partition(":")
    cores, _, turns = args.cores.partition(":")
    mode = Mode(order, int(seed or turns or "0"), args.dma == "eager", tell, cores=int(cores), progress=steps,
                checks=all_checks((args.checks or "").split(",")))  # fmt: skip
    filling = None
    if args.uninitialized == "zero":
        filling = Filling(padding=False, memory=False)
    elif args.uninitialized == "random":
        filling = Filling(seed=mode.seed)
    call = trace(spec)
    moved: list[Moved] = []
    try:
        functional = run_functional(spec, call, mode, filling)
        if args.reorder_reductions is not None and functional.status == "ran":
            from pipeline.simulate.reorder import reordered

            moved = reordered(spec, call, mode, filling, args.reorder_reductions, functional.values)
    except KeyboardInterrupt:
        steps.clear()
        print(f"interrupted after {steps.done} of {steps.total} steps, nothing is written", file=sys.stderr)
        return 130
    finally:
        steps.clear()
    simulation = judge(call, ", ".join(["this machine", *_asked(args)]), functional)
    files = []
    if args.output is not None and functional.status == "ran":
        files = write_outputs(Path(args.output), functional.values)
    as_expected = spec.ends_as_expected(_error_codes(simulation.findings))
    passed = (simulation.passed or as_expected) and all(one.within for one in moved)
    if as_json:
        report.print_json(json_result(spec, simulation, passed, files, moved, findings(simulation.findings)))
    else:
        sys.stdout.write(report.plain(print_simulation(simulation, located=True)))
        if args.reorder_reductions is not None:
            print_moved(moved, args.reorder_reductions)
    return 0 if passed else 1


def _asked(args: argparse.Namespace) -> list[str]:
    """How the run differs from an ordinary one, in words."""
    cores, _, turns = args.cores.partition(":")
    words = {
        f"order {args.order}": args.order != "sequential",
        f"{cores} cores" + (f" in turns of seed {turns}" if turns else ""): cores != "1",
        "eager copies": args.dma == "eager",
        f"{args.uninitialized} in memory that nobody wrote": args.uninitialized not in (None, "nan"),
        f"checks {args.checks}": bool(args.checks),
    }
    return [text for text, holds in words.items() if holds]


def _error_codes(found: tuple[Diagnostic, ...]) -> set[str]:
    return {finding.code for finding in found if finding.severity is Severity.ERROR}
