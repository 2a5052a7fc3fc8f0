"""A spec's text mended: the fixes of its findings made, and the new text judged again, until none is left to make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import Diagnostic, Severity, SpecError
from pipeline.fix.edits import Edit, edits_of
from pipeline.simulate.simulate import NUMERIC_CODES
from pipeline.spec.load import parse_specs
from pipeline.spec.spec import Spec
from pipeline.stages import run_spec

_ROUNDS = 8  # a fix may uncover another finding; more than a few deep it is for the author


class Mended(NamedTuple):
    """The new text, the findings whose fixes it holds, and the errors that are left (with warnings, if asked for)."""

    text: str
    made: tuple[Diagnostic, ...]
    left: tuple[Diagnostic, ...]


def mend(text: str, path: Path, warnings: bool = False) -> Mended:
    """Make every fix there is. Errors: SpecError for a text that is no spec."""
    made: list[Diagnostic] = []
    specs = parse_specs(text, path)
    found = wrong(specs, warnings)
    for _ in range(_ROUNDS):
        changed, done = apply_fixes(text, specs, found)
        if not done or changed == text:
            break
        try:
            specs = parse_specs(changed, path)
        except SpecError:
            break
        after = wrong(specs, warnings)
        if any(one.code.startswith("T") for one in after):
            break  # the rest of the kernel does not go with the change: it is the author's
        computes = any(fix.kind == "clear" for one in done for fix in one.fixes)
        if _differs(after) and (computes or not _differs(found)):
            break  # what is computed is not the reference
        text, found = changed, after
        made.extend(done)
    return Mended(text, tuple(made), found)


def _differs(found: Iterable[Diagnostic]) -> bool:
    """Whether an output is known to differ from the reference."""
    return any(one.code in NUMERIC_CODES for one in found)


def wrong(specs: Iterable[Spec], warnings: bool) -> tuple[Diagnostic, ...]:
    """The findings of all variants on all targets, each once."""
    found: dict[Diagnostic, None] = {}
    for spec in specs:
        for result in run_spec(spec):
            for diagnostic in result.diagnostics:
                if warnings or diagnostic.severity is Severity.ERROR:
                    found.setdefault(diagnostic)
    return tuple(found)


def apply_fixes(
    text: str,
    specs: Sequence[Spec],
    found: Iterable[Diagnostic],
    chosen: Callable[[Diagnostic], bool] = lambda diagnostic: True,
) -> tuple[str, tuple[Diagnostic, ...]]:
    """The text with the fixes of the findings, in order; one that changes what another has changed waits for its turn.

    All specs are variants of the one text.
    """
    taken: dict[tuple[int, int], Edit] = {}
    done: list[Diagnostic] = []
    for diagnostic in found:
        if not diagnostic.fixes or not chosen(diagnostic):
            continue
        edits: list[Edit] = []
        for fix in diagnostic.fixes:
            made = edits_of(specs[0], fix)
            if made is None:
                break
            edits.extend(made)
        else:
            if edits and all(_fits(edit, taken) for edit in edits):
                taken.update({(edit.start, edit.end): edit for edit in edits})
                done.append(diagnostic)
    for edit in sorted(taken.values(), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text, tuple(done)


def _fits(edit: Edit, taken: dict[tuple[int, int], Edit]) -> bool:
    """Whether an edit is the same as one that is taken, or apart from all of them."""
    if (edit.start, edit.end) in taken:
        return taken[edit.start, edit.end] == edit
    return all(edit.end <= start or end <= edit.start for start, end in taken)
