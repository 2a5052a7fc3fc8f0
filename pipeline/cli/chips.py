"""`pipeline chips`: the built-in chip profiles, what each takes, and checks of one's own."""

from __future__ import annotations

import argparse
import sys

from pipeline.capture.outcome import Finding, findings
from pipeline.chips.load import list_chips, load_chip, load_target
from pipeline.cli import report
from pipeline.errors import SpecError


def run_chips(args: argparse.Namespace) -> int:
    """Run `chips list`, `show`, `matrix` or `check`. Exit status 2 for a profile that cannot be read."""
    match args.action:
        case "list":
            return _list(args.format)
        case "show":
            return _show(args.chip)
        case "matrix":
            return _matrix(args.chip)
        case "check":
            return _check(args.chip or list(list_chips()), args.format)
        case action:
            raise AssertionError(action)


def _list(form: str) -> int:
    chips = [load_target(name) for name in list_chips()]
    if form == "json":
        report.print_json([{"chip": chip.name, "kind": chip.kind, "summary": chip.summary} for chip in chips])
        return 0
    width = max((len(chip.name) for chip in chips), default=0)
    kinds = max((len(chip.kind) for chip in chips), default=0)
    for chip in chips:
        print(f"{chip.name:<{width}}  {chip.kind:<{kinds}}  {chip.summary}")
    return 0


def _show(name: str) -> int:
    from pipeline.chips.text import print_chip

    try:
        text = print_chip(load_target(name))
    except SpecError as error:
        for item in findings(error.diagnostics):
            report.print_finding(item)
        return 2
    sys.stdout.write(text)
    return 0


def _matrix(names: list[str]) -> int:
    """Of the chips that are named, or of all built-in ones; targets that are no chips take what their host takes."""
    from pipeline.chips.chip import Chip
    from pipeline.chips.matrix import print_matrix

    try:
        if names:
            chips = [load_chip(name) for name in names]
        else:
            chips = [chip for name in list_chips() if isinstance(chip := load_target(name), Chip)]
        text = print_matrix(chips)
    except SpecError as error:
        for item in findings(error.diagnostics):
            report.print_finding(item)
        return 2
    sys.stdout.write(text)
    return 0


def _check(chips: list[str], form: str) -> int:
    found: dict[str, list[Finding]] = {}
    for name in chips:
        try:
            load_target(name, thorough=True)
            found[name] = []
        except SpecError as error:
            found[name] = findings(error.diagnostics)
    if form == "json":
        report.print_json([report.json_profile(name, items) for name, items in found.items()])
    else:
        for name, items in found.items():
            for item in items:
                report.print_finding(item)
            if not items:
                print(f"{report.plain(name)}: ok")
    return 2 if any(found.values()) else 0
