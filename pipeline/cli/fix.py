"""`pipeline fix`: make the changes that a spec's findings propose, in its text."""

from __future__ import annotations

import argparse
import errno
import os
import stat
import sys
from pathlib import Path

from pipeline.capture.diff import unified
from pipeline.capture.outcome import findings, problem
from pipeline.capture.write import write_file
from pipeline.cli import report
from pipeline.errors import SpecError


def run_fix(args: argparse.Namespace) -> int:
    """Print the difference, and with --write make it. Exit status 1 where findings are left, 2 for a wrong file."""
    from pipeline.fix.mend import mend
    from pipeline.spec.load import load_specs

    path = Path(args.spec)
    try:
        [first, *_] = load_specs(path)
        before = first.source.text
        mended = mend(before, path, args.warnings)
    except SpecError as error:
        for finding in findings(error.diagnostics):
            report.print_finding(finding)
        return 2
    for line in unified(before, mended.text, args.spec, f"{args.spec} (fixed)"):
        print(report.plain(line))
    for finding in findings(mended.left):
        report.print_finding(finding)
    if args.write and mended.text != before:
        try:
            _replace(os.path.realpath(path), mended.text.encode("utf-8"))
        except OSError as error:
            report.print_finding(problem("C113", f"cannot write {args.spec}: {error.strerror}", args.spec))
            return 2
    made, left = len(mended.made), len(mended.left)
    print(f"{args.spec}: {made} mended, {left} left", file=sys.stderr)
    return 1 if left else 0


def _replace(path: str, data: bytes) -> None:
    """Write a file that is there, with the permissions it has. Errors: OSError, also where it may not be written to."""
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    mode = stat.S_IMODE(os.stat(path).st_mode)
    write_file(path, data)
    os.chmod(path, mode)
