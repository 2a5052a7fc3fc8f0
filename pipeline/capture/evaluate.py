"""A spec file to its captures' texts: loads it, runs the stages, settles what an exhibit must end in.

Writes nothing, and takes no part in printing: what it returns can cross to another process.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.capture import names
from pipeline.capture.outcome import Finding, Outcome, Record, findings, is_error
from pipeline.errors import Diagnostic, SpecError, render
from pipeline.stages import StageResult, applies, declared, run_spec

if TYPE_CHECKING:
    from pipeline.spec.spec import Spec, Target


def evaluate(file: str, only_targets: tuple[str, ...] = ()) -> Outcome:
    """Everything that one spec file gives. `only_targets` (default: all) selects among the declared targets by name.

    Errors: none; mistakes in the file and bugs of ours are records.
    """
    try:
        from pipeline.spec.load import load_specs

        specs = load_specs(Path(file))
    except SpecError as error:
        record = Record(None, None, "spec", None, "error", diagnostics=findings(error.diagnostics))
        return Outcome(file, [record], loaded=False)
    except Exception:  # reported as a bug with the file's name; other specs go on
        record = Record(None, None, "spec", None, "bug", bug=traceback.format_exc())
        return Outcome(file, [record], loaded=False)
    outcome = Outcome(file, [])
    folders: dict[str, str] = {}
    for spec in specs:
        if spec.name not in outcome.names:
            outcome.names.append(spec.name)
        outcome.targets.extend(target.name for target in spec.targets if target.name not in outcome.targets)
        outcome.dependencies.extend(_dependencies(spec, outcome.dependencies))
        outcome.settled = outcome.settled and not spec.kernel.runs_python
        refused = check_names(spec) + _check_folder(spec, folders)
        if refused:
            outcome.loaded = False
            outcome.records.append(_record(spec, "spec", None, "error", findings(refused)))
            continue
        targets = tuple(target for target in spec.targets if not only_targets or target.name in only_targets)
        records = evaluate_spec(spec, targets)
        outcome.records.extend(records)
        if all(record.status in ("captured", "expected error") for record in records):
            outcome.owned.extend(record.path for record in records if record.path is not None)
        else:
            outcome.owned.extend(possible_captures(spec))
    return outcome


def evaluate_spec(spec: Spec, targets: Iterable[Target]) -> list[Record]:
    """The records of one spec for `targets`, in pipeline order.

    A spec with an expected diagnostic gives the captures of the stages that succeed, and its diagnostics as captures of
    their own. Errors: none.
    """
    asked = tuple(targets)
    results = run_spec(spec, asked)
    found = [(result, diagnostic) for result in results for diagnostic in result.diagnostics]
    wanted = [(result, d) for result, d in found if is_error(d) != spec.expects_warning and d.code == spec.expect]
    absent = _absent(spec, asked, {result.target for result, _ in wanted}) if spec.expect is not None else ()
    records = [result_record(spec, result) for result in results if _has_news(result)]
    for record in records:
        if spec.ends_as_expected({item["code"] for item in record.diagnostics if item["severity"] == "error"}):
            record.passed = True
            if record.status == "error":
                record.status = "expected error"
                continue
        # a capture's findings are told by the capture, and the exhibit's own by its other one
        record.diagnostics = [item for item in record.diagnostics if not spec.shows(item["code"], item["severity"])]
    if absent:
        records.append(_record(spec, names.DIAGNOSTICS, None, "error", findings(absent)))
    if not any(record.status in ("error", "bug") for record in records):
        records.extend(_diagnostics_captures(spec, [(result.target, d) for result, d in found], wanted))
        stopped = [record for record in records if record.status == "not run"]
        records = [record for record in records if record not in stopped]  # as they must be: an exhibit's error came
    return records


def check_names(spec: Spec) -> tuple[Diagnostic, ...]:
    """What keeps the names of spec, variant and targets from naming files."""
    found: list[Diagnostic] = []
    rule = "letters, digits and _, after the first also . - + =, at most 100 characters"
    for what, name, loc in (("spec", spec.name, ("name",)), ("variant", spec.variant or "_", ("variants",))):
        if not names.is_name(name):
            message = f"the {what}'s name {name[:120]!r} cannot name a folder of captures"
            found.append(Diagnostic("C103", message, spec.locate(*loc), f"use {rule}"))
    seen: dict[str, str] = {}
    for target in spec.targets:
        if not names.is_name(target.name):
            message = f"the target's name {target.name[:120]!r} cannot be part of a file name"
            found.append(Diagnostic("C103", message, target.span, f"name the profile's file with {rule}"))
        elif target.name.casefold() in seen:
            message = f"targets {seen[target.name.casefold()]!r} and {target.name!r} would write the same captures"
            found.append(Diagnostic("C104", message, target.span, "give each target once; rename the profile's file"))
        seen.setdefault(target.name.casefold(), target.name)
    return tuple(found)


def _check_folder(spec: Spec, folders: dict[str, str]) -> tuple[Diagnostic, ...]:
    """Whether another variant of the file, in `folders`, has this one's folder."""
    folder = names.folder_name(spec.name, spec.variant)
    first = folders.get(folder.casefold())
    if first is None:
        folders[folder.casefold()] = folder
        return ()
    message = f"two variants would write the same captures: {first} and {folder}"
    return (Diagnostic("C102", message, spec.locate("variants"), "rename one of them"),)


def possible_captures(spec: Spec) -> list[str]:
    """Every capture that the spec may have, whichever of its stages succeed."""
    found = [names.capture_name(spec.name, spec.variant, names.DIAGNOSTICS, None)]
    for stage, _, _, per_target in names.CAPTURES:
        if not declared(stage, spec):
            continue
        for target in spec.targets if per_target else (None,):
            if target is not None and not applies(stage, target):
                continue
            name = target.name if target is not None else None
            found.append(names.capture_name(spec.name, spec.variant, stage, name))
    for target in spec.targets:
        found.append(names.capture_name(spec.name, spec.variant, names.DIAGNOSTICS, target.name))
    return found


def golden_diagnostics(diagnostics: Iterable[Diagnostic]) -> str:
    """The text kept of an exhibit's diagnostics: no line numbers and no folders, so that it moves with nothing."""
    shown = []
    for diagnostic in diagnostics:
        source = diagnostic.span.source
        if source is not None:
            bare = replace(source, name=source.name.replace("\\", "/").rpartition("/")[2])
            diagnostic = replace(diagnostic, span=replace(diagnostic.span, source=bare))
        shown.append(render(diagnostic, line_numbers=False) + "\n")
    return "\n".join(shown)


def _record(spec: Spec, stage: str, target: str | None, status: str, diagnostics: list[Finding]) -> Record:
    return Record(spec.name, spec.variant, stage, target, status, diagnostics=diagnostics)


def _has_news(result: StageResult) -> bool:
    """Whether a result is a record: a capture, or a failure. A chip that loads is neither."""
    return result.text is not None or result.status != "ok" or bool(result.diagnostics)


def result_record(spec: Spec, result: StageResult) -> Record:
    """A stage's result as a record; one without text has no path."""
    status = {"ok": "captured", "failed": "error"}.get(result.status, result.status)
    record = _record(spec, result.stage, result.target, status, findings(result.diagnostics))
    record.passed = result.passed
    record.bug = result.bug
    if result.text is not None:
        record.text = result.text
        record.path = names.capture_name(spec.name, spec.variant, result.stage, result.target)
    return record


def _absent(spec: Spec, targets: tuple[Target, ...], seen: set[str | None]) -> tuple[Diagnostic, ...]:
    """One diagnostic naming the targets on which the expected error does not occur."""
    missing = [target.name for target in targets if target.name not in seen]
    if None in seen or (not missing and (targets or spec.targets)):  # no target selected: nothing to say of any
        return ()
    where = f" on {', '.join(missing)}" if missing else ""
    kind = "warning" if spec.expects_warning else "error"
    message = f"expected {kind} {spec.expect} does not occur{where}"
    hint = "correct [expect], the kernel, or the list of targets: an exhibit shows it on each of them"
    return (Diagnostic("C101", message, spec.locate("expect", kind), hint),)


def _diagnostics_captures(
    spec: Spec, found: list[tuple[str | None, Diagnostic]], wanted: list[tuple[StageResult, Diagnostic]]
) -> list[Record]:
    """An exhibit's goldens: one for what holds on every target, one for each target with findings of its own."""
    records = []
    for target in dict.fromkeys(result.target for result, _ in wanted):
        text = golden_diagnostics(diagnostic for where, diagnostic in found if where == target)
        record = _record(spec, names.DIAGNOSTICS, target, "captured", [])
        record.text = text
        record.path = names.capture_name(spec.name, spec.variant, names.DIAGNOSTICS, target)
        records.append(record)
    return records


def _dependencies(spec: Spec, known: list[str]) -> list[str]:
    """Files beside the spec that its captures hang on; a profile's own references are followed."""
    found: list[str] = [str(path) for path in spec.files]
    for target in spec.targets:
        if target.path is not None:
            _profile_files(str(target.path), found, 8)
    return [path for path in dict.fromkeys(found) if path not in known]


def _profile_files(path: str, found: list[str], depth: int) -> None:
    """`path` and every file that a string in it names: whatever key a profile refers to others by."""
    if path in found or depth == 0:
        return
    found.append(path)
    try:
        import tomli

        with open(path, "rb") as file:
            pending: list[object] = [tomli.load(file)]
    except (OSError, ValueError, RecursionError):
        return  # the chip's loader has reported it
    folder = os.path.dirname(path)
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
        elif isinstance(value, str) and 0 < len(value) < 1000 and "\0" not in value:
            for suffix in ("", ".toml"):
                if os.path.isfile(os.path.join(folder, value + suffix)):
                    _profile_files(os.path.join(folder, value + suffix), found, depth - 1)
