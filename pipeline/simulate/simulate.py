"""The simulate stage: a functional run (shared by all chips), and on one chip a timeline, a roofline, a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.errors import Diagnostic, Severity
from pipeline.ir.call import KernelCall
from pipeline.schedule.result import Estimate, Schedule
from pipeline.simulate.compare_modes import ModeResult
from pipeline.simulate.functional import Functional
from pipeline.simulate.roofline import Roofline, make_roofline
from pipeline.simulate.timing import Timeline, make_timeline

NUMERIC_CODES = frozenset({"R401"})


class Verdict(NamedTuple):
    """One line of the verdict. `passed` is None where nothing could be judged."""

    subject: str
    passed: bool | None
    detail: str


@dataclass(frozen=True, slots=True)
class Simulation:
    """The result of the stage for one chip. `findings` are the functional run's; the schedule has its own.

    A target that is no chip has neither timeline nor roofline nor estimate. `modes` are the functional run's and
    the chips'.
    """

    call: str
    chip: str
    functional: Functional
    timeline: Timeline | None
    roofline: Roofline | None
    estimate: Estimate | None
    verdicts: tuple[Verdict, ...]
    findings: tuple[Diagnostic, ...]
    modes: tuple[ModeResult, ...] = ()

    @property
    def passed(self) -> bool:
        """No verdict fails."""
        return all(v.passed is not False for v in self.verdicts)


def simulate(call: KernelCall, schedule: Schedule, chip: Chip, functional: Functional) -> Simulation:
    """Put the functional run and the schedule together on `chip`. Never raises for what a kernel does."""
    own = sum(functional.copied)
    timeline = make_timeline(schedule, chip, functional.changes, own)
    roofline = make_roofline(call, schedule, chip, timeline, functional.counts, own)
    modes = (*functional.modes, legal_on(schedule.chip, schedule.findings))
    verdicts = (_legality(schedule), _numerics(functional), _hazards(functional), *_modes(functional, modes))
    return Simulation(
        schedule.call,
        schedule.chip,
        functional,
        timeline,
        roofline,
        schedule.estimate,
        verdicts,
        functional.findings,
        modes,
    )


def judge(call: KernelCall, target: str, functional: Functional, chips: tuple[ModeResult, ...] = ()) -> Simulation:
    """The functional run alone, on a target that is no chip; `chips` says which of the spec's chips take the kernel."""
    modes = (*functional.modes, *chips)
    verdicts = (_numerics(functional), _hazards(functional), *_modes(functional, modes))
    return Simulation(call.name, target, functional, None, None, None, verdicts, functional.findings, modes)


def legal_on(chip: str, findings: Iterable[Diagnostic]) -> ModeResult:
    """Whether a chip takes the kernel, with the first reason why not, as a line among the modes."""
    error = next((f for f in findings if f.severity is Severity.ERROR), None)
    return ModeResult(f"legal on {chip}", error is None, "" if error is None else f"{error.code}: {error.message}")


def count_words(findings: Iterable[Diagnostic]) -> str:
    """ "2 errors, 1 warning"."""
    found = list(findings)
    errors = sum(f.severity is Severity.ERROR for f in found)
    warnings = len(found) - errors
    words = []
    if errors:
        words.append(f"{errors} error{'s' if errors != 1 else ''}")
    if warnings:
        words.append(f"{warnings} warning{'s' if warnings != 1 else ''}")
    return ", ".join(words) or "no findings"


def _has_error(findings: Iterable[Diagnostic]) -> bool:
    return any(f.severity is Severity.ERROR for f in findings)


def _legality(schedule: Schedule) -> Verdict:
    return Verdict("legality", not _has_error(schedule.findings), count_words(schedule.findings))


def _numerics(functional: Functional) -> Verdict:
    if functional.status == "left out":
        return Verdict("numerics", None, "the functional run was left out")
    if functional.status == "stopped":
        return Verdict("numerics", False, "the functional run stopped")
    if functional.reference is None:
        return Verdict("numerics", None, "no reference in the spec")
    passed = functional.numerics_pass
    bad = [o.name for o in functional.outputs if o.comparison is not None and o.comparison.outside]
    return Verdict(
        "numerics", passed, f"outside tolerance: {', '.join(bad)}" if bad else "all outputs within tolerance"
    )


def _modes(functional: Functional, modes: tuple[ModeResult, ...]) -> tuple[Verdict, ...]:
    """A kernel that only some of the modes pass is wrong, however many those are."""
    if not functional.modes:
        return ()
    passed, failed = ([mode.name for mode in modes if mode.passed is which] for which in (True, False))
    if failed:
        return (Verdict("modes", False, f"passed by {', '.join(passed)} only" if passed else "passed by none"),)
    if len(passed) < len(modes):
        return (Verdict("modes", None, "not every mode was run"),)
    return (Verdict("modes", True, "every mode passes"),)


def _hazards(functional: Functional) -> Verdict:
    found = [f for f in functional.findings if f.code not in NUMERIC_CODES]
    if functional.status == "left out":
        return Verdict("hazards", None, "the functional run was left out")
    return Verdict("hazards", not _has_error(found), count_words(found))
