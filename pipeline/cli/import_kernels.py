"""`pipeline import`: write the kernels that a Python function calls as spec files."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import Any

from pipeline.capture.outcome import findings, problem
from pipeline.cli import report
from pipeline.errors import SpecError


def run_import(args: argparse.Namespace) -> int:
    """Write the specs that `args` asks for; exit status 2 where one cannot be made."""
    from pipeline.frontend.importing import import_function, spec_texts
    from pipeline.frontend.python_function import split_arguments
    from pipeline.frontend.write_spec import parse_static

    out = Path(args.output)
    name = re.sub(r"[^a-z0-9_]+", "_", out.stem.lower()).strip("_")
    if out.suffix != ".toml" or not name:
        found = problem("F110", f"{args.output!r} is no spec file's name", None, "specs/NAME.toml")
        report.print_finding(found)
        return 2
    targets = args.target or ["v5e", "v6e"]
    try:
        static = [parse_static(text) for text in args.static]
        kernels = import_function(args.function, split_arguments(args.args), static, Path.cwd(), targets[0])
        module, _, function = args.function.partition(":")
        if module.endswith(".py"):  # the spec names it from where it lies itself
            place = os.path.relpath(os.path.abspath(module), os.path.abspath(out.parent))
            named = f"{Path(place).as_posix()}:{function}"
            kernels = [one._replace(origin=one.origin._replace(function=named)) for one in kernels]
        written = spec_texts(kernels, name, targets)
    except SpecError as error:
        for finding in findings(error.diagnostics):
            report.print_finding(finding)
        return 2
    paths = [out.with_name(f"{own}.toml") for own in written]
    there = [path for path in paths if path.exists()]
    if there and not args.force:
        message = f"there is a file {str(there[0])!r} already"
        report.print_finding(problem("F110", message, None, "--force writes over it"))
        return 2
    out.parent.mkdir(parents=True, exist_ok=True)
    for (_, (text, arrays)), path, kernel in zip(written.items(), paths, kernels, strict=True):
        for file, array in arrays.items():
            _save(path.parent / file, array)
        _write(path, text.encode())
        print(f"{path}: {kernel.call.name}, {equations(kernel.call.body)} equations, grid {kernel.call.grid}")
        if kernel.note:
            print(f"note: {path} has no values from the code around the kernel: {kernel.note}", file=sys.stderr)
    sys.stdout.flush()
    return 0


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _save(path: Path, array: Any) -> None:
    import io

    import numpy as np

    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    _write(path, buffer.getvalue())


def equations(jaxpr: Any) -> int:
    """Equations of a jaxpr, nested ones too."""
    from pipeline.ir.jaxpr import Jaxpr

    count = 0
    for eqn in jaxpr.eqns:
        count += 1
        for _, value in eqn.params:
            for item in value if isinstance(value, tuple) else (value,):
                count += equations(item) if isinstance(item, Jaxpr) else 0
    return count
