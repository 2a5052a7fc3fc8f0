"""What a run left in its outputs that no kernel may promise: elements never written, or that depend on padding or on
uninitialised memory. Races are seen while a kernel runs (`races.py`).

Dependence is found by running again with other fillings: an output element that changes with what the padding (or a
scratch buffer) holds depends on it. A float's NaN shows such a dependence at once, so floats need the further runs only
when a NaN turns up; integers have no NaN, so a kernel whose integer memory was poisoned is always run twice.
A masked-out element never changes: partial blocks are no hazard by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeline.errors import Diagnostic, Severity
from pipeline.ir.call import KernelCall, Role
from pipeline.simulate.clearing import clearing
from pipeline.simulate.executor import Run
from pipeline.simulate.machine import Filling
from pipeline.simulate.mode import SEQUENTIAL, Mode
from pipeline.simulate.prepared import Prepared
from pipeline.simulate.sharing import watch_for

Array = Any
RACES = frozenset({"R330", "R331", "R332", "R333"})
_ZEROS = Filling(padding=False, memory=False)


def find_races(prepared: Prepared, inputs: Mapping[str, Array], filling: Filling | None) -> list[Diagnostic]:
    """Findings R330 to R333 for a run in another order: those of a run in the grid's order, which are the same."""
    if not watch_for(prepared.call):
        return []
    run = prepared.run(inputs, filling, mode=Mode(record=True))
    return [finding for finding in run.findings if finding.code in RACES]


def find_hazards(
    prepared: Prepared,
    inputs: Mapping[str, Array],
    run: Run,
    wants: Mapping[str, Array] | None,
    mode: Mode = SEQUENTIAL,
) -> list[Diagnostic]:
    """Findings R321 to R325 about a run in `mode` that finished. `wants`: reference results, which tell expected NaN
    apart."""
    call = prepared.call
    found = _unwritten(call, run)
    if not run.poisoned_integers and not any(_unexpected_nan(run, name, wants) for name in run.outputs):
        return found

    def again(filling: Filling) -> Run:
        return prepared.run(inputs, filling, mode=mode._replace(tell=None, record=False, checks=()))

    zeros = again(_ZEROS)
    if not zeros.finished or not _dependent(call, again, zeros, Filling(), run):
        return found
    return found + _blame(call, again, zeros, run)


def _unwritten(call: KernelCall, run: Run) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    aliased = {output for _, output in call.aliases}
    for position, output in enumerate(call.with_role(Role.OUTPUT)):
        marks = run.written[output.name]
        if marks is None:
            continue
        if position not in aliased:
            count, at = int(marks.size - marks.sum()), _place(~marks)
            found.append(
                Diagnostic(
                    "R321",
                    f"{count} of {marks.size} elements of output '{output.name}' are never written, first {at}",
                    output.span,
                    "store to the whole block in every step that visits it, and let the index map visit every block",
                )
            )
        elif output.block is not None and run.stale[output.name].any():
            count, at = int(run.stale[output.name].sum()), _place(run.stale[output.name])
            found.append(
                Diagnostic(
                    "R325",
                    f"{count} of {marks.size} elements of the aliased output '{output.name}' are in a block that is "
                    f"visited, but not written, first {at}; a window starts uninitialised although the array does not",
                    output.span,
                    "copy the input block to the output block first",
                    Severity.WARNING,
                )
            )
    return found


def _blame(call: KernelCall, again: Callable[[Filling], Run], zeros: Run, run: Run) -> list[Diagnostic]:
    """Which padding and which memory the outputs depend on, each tried alone."""
    found: list[Diagnostic] = []
    operands = {operand.name: operand for operand in call.operands}
    for partial in run.partial:
        hit = _dependent(call, again, zeros, Filling(memory=False, only=partial.name), None)
        if hit:
            output, count, at = hit
            found.append(
                Diagnostic(
                    "R322",
                    f"{count} elements of output '{output}' depend on what lies past the end of '{partial.name}', "
                    f"first {at}: at {partial.step} its block covers {partial.first} to {partial.last} of "
                    f"{partial.extent} along axis {partial.axis}",
                    operands[partial.name].block_span,
                    f"mask '{partial.name}' past {partial.extent} (and what it is combined with: NaN times 0 is NaN), "
                    "or pad the array",
                )
            )
    names: list[tuple[str, Any]] = [(s.name, s.span) for s in call.scratch if not s.ref.dtype.is_semaphore]
    names += [(o.name, o.span) for o in call.with_role(Role.OUTPUT)]
    for name, span in names:
        hit = _dependent(call, again, zeros, Filling(padding=False, only=name), None)
        if hit:
            output, count, at = hit
            what = "its own uninitialised block" if output == name else f"uninitialised memory of '{name}'"
            found.append(
                Diagnostic(
                    "R323",
                    f"{count} elements of output '{output}' depend on {what}, first {at}",
                    span,
                    f"write '{name}' before reading it, in the first step that uses it (a block that was left and is "
                    "visited again is uninitialised too)",
                    fixes=clearing(call, name),
                )
            )
    if not found:
        output, count, at = _dependent(call, again, zeros, Filling(), run) or ("?", 0, "?")
        found.append(
            Diagnostic(
                "R323",
                f"{count} elements of output '{output}' depend on uninitialised memory, first {at}",
                call.span,
                "write every buffer, scoped ones too, before reading it",
            )
        )
    return found


def _dependent(
    call: KernelCall, again: Callable[[Filling], Run], zeros: Run, filling: Filling, known: Run | None
) -> tuple[str, int, str] | None:
    """The first output whose written elements change with the filling: name, how many, where first."""
    runs = [known if known is not None else again(filling)]
    if runs[0].poisoned_integers:
        runs.append(again(Filling(filling.padding, filling.memory, filling.only, 1)))
    for output in call.with_role(Role.OUTPUT):
        base = zeros.outputs[output.name]
        changed = np.zeros(base.shape, bool)
        for run in runs:
            changed |= _differs(run.outputs[output.name], base)
        marks = runs[0].written[output.name]
        if marks is not None:
            changed &= marks
        if changed.any():
            return output.name, int(changed.sum()), _place(changed)
    return None


def _differs(a: Array, b: Array) -> Array:
    kind = np.dtype(f"u{a.dtype.itemsize}")
    return np.ascontiguousarray(a).view(kind) != np.ascontiguousarray(b).view(kind)


def _place(mask: Array) -> str:
    at = np.unravel_index(int(np.argmax(mask)), mask.shape)
    return f"at [{', '.join(str(int(i)) for i in at)}]"


def _unexpected_nan(run: Run, name: str, wants: Mapping[str, Array] | None) -> bool:
    got = run.outputs[name]
    if got.dtype.kind in "iub" or got.dtype.name in ("int4", "uint4"):
        return False
    nan = np.isnan(got if got.dtype.kind == "f" else got.astype(np.float32))
    if wants is None or not nan.any():
        return bool(nan.any())
    return bool((nan & ~np.isnan(wants[name].astype(np.float64))).any())
