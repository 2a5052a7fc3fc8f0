"""`pipeline run`: execute a spec's kernel here, on its data or on arrays given, and compare with its reference."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline.capture.outcome import Finding, findings, problem
from pipeline.cli import report
from pipeline.cli.choose import choose_variant
from pipeline.errors import Diagnostic, Severity, SpecError
from pipeline.ir.call import Role
from pipeline.spec.spec import Data, Spec


def run_kernel(args: argparse.Namespace) -> int:
    """Exit status: 0 passed, or ended in the error that the spec expects; 1 a verdict fails; 2 wrong input."""
    from pipeline.spec.load import load_specs

    try:
        specs = load_specs(Path(args.spec))
        spec = choose_variant(specs, args.variant)
        if spec is None:
            known = ", ".join(spec.variant for spec in specs if spec.variant) or "none"
            return _refuse([problem("C110", f"no variant {args.variant!r}", args.spec, f"there are {known}")])
        given, problems = _given(spec, args.input)
        if problems:
            return _refuse(problems)
        return _run(given, args)
    except SpecError as error:
        return _refuse(findings(error.diagnostics))


def _refuse(problems: list[Finding]) -> int:
    for found in problems:
        report.print_finding(found)
    return 2


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
    from pipeline.trace.trace import trace

    def tell(text: str) -> None:
        print(report.plain(text), flush=True)

    order, _, seed = args.order.partition(":")
    cores, _, turns = args.cores.partition(":")
    mode = Mode(order, int(seed or turns or "0"), args.dma == "eager", tell, cores=int(cores))
    filling = None
    if args.uninitialized == "zero":
        filling = Filling(padding=False, memory=False)
    elif args.uninitialized == "random":
        filling = Filling(seed=mode.seed)
    call = trace(spec)
    functional = run_functional(spec, call, mode, filling)
    simulation = judge(call, "this machine", functional)
    sys.stdout.write(print_simulation(simulation))
    if args.output is not None and functional.status == "ran":
        _write(Path(args.output), functional.values)
    as_expected = spec.ends_as_expected(_error_codes(simulation.findings))
    return 0 if simulation.passed or as_expected else 1


def _error_codes(found: tuple[Diagnostic, ...]) -> set[str]:
    return {finding.code for finding in found if finding.severity is Severity.ERROR}


def _write(folder: Path, values: Mapping[str, Any]) -> None:
    """One NAME.npy for each output. NumPy has no name for bf16 and fp8: it keeps them as raw bytes of their width."""
    import numpy as np

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, array in values.items():
            with open(folder / f"{name}.npy", "wb") as file:
                np.save(file, np.ascontiguousarray(array), allow_pickle=False)
    except OSError as error:
        raise SpecError("C113", f"cannot write outputs to {folder}: {error.strerror}") from None
