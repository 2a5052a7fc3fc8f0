"""`pipeline verify`: specs against the real compilers, layer by layer."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from pipeline.capture.outcome import Finding, Record, findings, problem
from pipeline.cli import report
from pipeline.cli.discover import find_specs
from pipeline.errors import SpecError
from pipeline.spec.spec import Spec
from pipeline.spec.suggest import counted

_NEEDS = {
    "jax": ("jax",),
    "libtpu": ("jax", "libtpu"),
    "xla": ("jax",),
    "jax-interpret": ("jax",),
    "tpu-interpret": ("jax",),
}


def run_verify(args: argparse.Namespace) -> int:
    """0: all equal; 1: a difference or a refusal; 2: a spec that cannot be held against the compiler."""
    from pipeline.spec.load import load_specs

    missing = [package for package in _NEEDS[args.against] if find_spec(package) is None]
    if missing:
        hint = 'install the extra: pip install "kernel-pipeline[oracle]"'
        found = [problem("F111", f"{' and '.join(missing)} is not installed", None, hint)]
        return report.refuse(found, "", args.format)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    from pipeline.oracles.verify import (
        DIFFERENT,
        EQUAL,
        verify_against_jax,
        verify_against_libtpu,
        verify_against_xla,
    )
    from pipeline.oracles.verify_interpreters import verify_against_interpret, verify_against_tpu_interpret

    files, problems = find_specs(args.specs)
    refused = [("", _refused(problems))] if problems else []
    specs: list[tuple[str, Spec]] = []
    status = 2 if problems else 0
    for file in files:
        try:
            specs.extend((file, spec) for spec in load_specs(Path(file)))
        except SpecError as error:
            status = 2
            refused.append((file, _refused(findings(error.diagnostics))))
    if args.format == "text":
        report.print_findings([record for _, record in refused])
    verifiers = {
        "jax": verify_against_jax,
        "libtpu": verify_against_libtpu,
        "xla": verify_against_xla,
        "jax-interpret": verify_against_interpret,
        "tpu-interpret": verify_against_tpu_interpret,
    }
    verify = verifiers[args.against]
    records: list[dict[str, object]] = []
    for file, layer in ((file, layer) for file, spec in specs for layer in verify(spec, tuple(args.target))):
        records.append({"file": file, **layer._asdict()})
        if layer.status != EQUAL:
            status = max(status, 1 if layer.status == DIFFERENT else 2)
        if args.format == "text":
            place = "/".join(part for part in (layer.spec, layer.variant) if part)
            target = f" on {layer.target}" if layer.target else ""
            print(f"{place}: {layer.layer}{target}: {report.plain(layer.said)}", flush=True)
    if args.format == "json":
        report.print_json([*(report.json_record(record, file, None) for file, record in refused), *records])
    elif specs:
        equal = sum(record["status"] == EQUAL for record in records)
        print(f"{counted(len(specs), 'spec')} against {args.against}: {equal} of {len(records)} equal", file=sys.stderr)
    return status


def _refused(found: list[Finding]) -> Record:
    return Record(None, None, "spec", None, "error", diagnostics=found)
