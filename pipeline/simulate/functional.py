"""The functional run of a spec: data, the kernel over its grid, the reference, what came out. Knows no chip.

Run once per spec and shared by its targets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pipeline.errors import NOWHERE, Diagnostic, Severity, SpecError
from pipeline.ir.call import KernelCall, Operand, Role
from pipeline.simulate.compare_modes import ModeResult, Strict, compare_modes
from pipeline.simulate.counts import Counts
from pipeline.simulate.data import describe, make_inputs
from pipeline.simulate.hazards import find_hazards, find_races
from pipeline.simulate.machine import Filling
from pipeline.simulate.mode import SEQUENTIAL, Mode
from pipeline.simulate.prepared import Prepared
from pipeline.simulate.reference import evaluate
from pipeline.simulate.tolerance import Comparison, Tolerance, compare, rounding_of, tolerance_for
from pipeline.spec.spec import Spec

Array = Any
SIMULATOR_GAPS = frozenset({"R102"})


@dataclass(frozen=True, slots=True)
class OutputCheck:
    """One output against its reference. `comparison` and `tolerance` are None where there is no reference."""

    name: str
    aval: str
    elements: int
    tolerance: Tolerance | None
    comparison: Comparison | None
    nan: int
    unwritten: int


@dataclass(frozen=True, slots=True)
class Functional:
    """What the functional run found.

    status:   "ran"; "stopped" (a finding says why); "left out" (too much work: a warning says so).
    inputs:   (name, how its values are made) of each scalar prefetch and input operand.
    findings: hazards of the run, then numeric mismatches.
    counts:   arithmetic as executed; None if the run was left out.
    copied:   HBM bytes (read, written) by copies that the body makes itself.
    changes:  per window that moves, in which steps its block is not the one of the step before.
    values:   the outputs themselves, for tests and tools; not part of the capture.
    modes:    other ways of running the kernel; none where the caller chose the mode or the filling.
    """

    status: str
    inputs: tuple[tuple[str, str], ...]
    reference: str | None
    outputs: tuple[OutputCheck, ...]
    findings: tuple[Diagnostic, ...]
    counts: Counts | None = field(default=None, compare=False)
    copied: tuple[int, int] = (0, 0)
    changes: Mapping[str, Array] = field(default_factory=dict, compare=False, repr=False)
    values: Mapping[str, Array] = field(default_factory=dict, compare=False, repr=False)
    modes: tuple[ModeResult, ...] = ()

    @property
    def numerics_pass(self) -> bool | None:
        """Whether every output agrees with the reference; None where nothing was compared."""
        checked = [o.comparison for o in self.outputs if o.comparison is not None]
        if self.status == "stopped":
            return False
        return all(c.outside == 0 for c in checked) if checked else None


def run_functional(spec: Spec, call: KernelCall, mode: Mode = SEQUENTIAL, filling: Filling | None = None) -> Functional:
    """Run `call` on the data that `spec` declares.

    Checks are those of the spec and of the mode. With a `filling` of the caller's, outputs are not looked at for what
    they owe to uninitialised memory.
    Errors: SpecError R2xx for data or a reference that cannot be used, R103 for a value that is too large, R104 for
    loops that do not end in reasonable time. What the kernel does wrong while it runs is a
    finding, and so is, as a warning, what the simulator cannot run.
    """
    mode = mode._replace(checks=tuple(dict.fromkeys((*spec.checks, *mode.checks))))
    told = tuple((o.name, describe(o.data, o)) for o in spec.operands if o.role is not Role.OUTPUT)
    text = None if spec.reference is None else _one_line(spec.reference.text)
    prepared = Prepared(call)
    try:
        excess = prepared.too_much_work(mode=mode)
        if excess is not None:
            return Functional("left out", told, text, (), (excess,))
        inputs = make_inputs(spec)
        wants = _reference(spec, call, inputs)
        run = prepared.run(inputs, filling, mode=mode._replace(record=mode.in_order))
    except SpecError as error:
        if not SIMULATOR_GAPS.issuperset(d.code for d in error.diagnostics):
            raise
        # what the simulator cannot run is no mistake of the kernel
        gaps = tuple(replace(d, severity=Severity.WARNING) for d in error.diagnostics)
        return Functional("left out", told, text, (), gaps)
    if not run.finished:
        excess = next((finding for finding in run.findings if finding.code == "R101"), None)
        if excess is not None:
            return Functional("left out", told, text, (), (excess,))
        endless = [finding for finding in run.findings if finding.code == "R104"]
        if endless:
            raise SpecError.of(endless)
        modes = _modes(prepared, inputs, Strict(run, run.findings, wants, _outside(call, wants, {})), mode, filling)[0]
        return Functional("stopped", told, text, (), run.findings, values=run.outputs, modes=modes)
    findings = list(run.findings)
    if not mode.in_order:
        findings += find_races(prepared, inputs, filling)
    if filling is None:
        findings += find_hazards(prepared, inputs, run, wants, mode)
    hazards = bool(findings)
    held = {} if wants is None else hold(prepared, inputs, run.outputs, wants, mode, filling)
    checks = []
    for output in call.with_role(Role.OUTPUT):
        got = run.outputs[output.name]
        marks = run.written[output.name]
        nan = _count_nan(got)
        tolerance = comparison = None
        if wants is not None:
            tolerance, comparison = held[output.name]
            findings += _mismatch(output, got, wants[output.name], tolerance, comparison, spec, hazards)
        checks.append(
            OutputCheck(
                output.name,
                str(output.array),
                got.size,
                tolerance,
                comparison,
                nan,
                0 if marks is None else int(got.size - marks.sum()),
            )
        )
    strict = Strict(run, tuple(findings), wants, _outside(call, wants, held))
    modes, more = _modes(prepared, inputs, strict, mode, filling)
    return Functional("ran", told, text, tuple(checks), (*findings, *more), run.counts, (run.copied_in, run.copied_out),
                      run.changes, run.outputs, modes)  # fmt: skip


def _modes(
    prepared: Prepared, inputs: Mapping[str, Array], strict: Strict, mode: Mode, filling: Filling | None
) -> tuple[tuple[ModeResult, ...], tuple[Diagnostic, ...]]:
    """The other modes, after a run in the strict one."""
    if mode._replace(checks=()) != SEQUENTIAL or filling is not None:
        return (), ()
    return compare_modes(prepared, inputs, strict)


def hold(
    prepared: Prepared,
    inputs: Mapping[str, Array],
    values: Mapping[str, Array],
    wants: Mapping[str, Array],
    mode: Mode = SEQUENTIAL,
    filling: Filling | None = None,
) -> dict[str, tuple[Tolerance, Comparison]]:
    """Each output that something is wanted of: the tolerance that it is held to, and what is outside.

    `values` are those of a run of `inputs` in `mode` with `filling`, which is repeated where a
    tolerance has to be measured.
    """
    call = prepared.call
    facts = rounding_of(call.body)
    held = {}
    for output in call.with_role(Role.OUTPUT):
        if output.name not in wants:
            continue
        tolerance = tolerance_for(call, facts, output, steps_in_place(call, output))
        held[output.name] = tolerance, compare(values[output.name], wants[output.name], tolerance)
    outside = {name: tolerance for name, (tolerance, comparison) in held.items() if comparison.outside}
    if any(not tolerance.absolute for tolerance in outside.values()):
        from pipeline.simulate.conditioning import grown

        for name, tolerance in grown(prepared, inputs, values, outside, mode, filling).items():
            comparison = compare(values[name], wants[name], tolerance)
            if comparison.outside == 0:
                held[name] = tolerance, comparison
    return held


def _outside(
    call: KernelCall, wants: Mapping[str, Array] | None, held: Mapping[str, tuple[Tolerance, Comparison]]
) -> Callable[[str, Array], int]:
    """How many elements of an output are outside its tolerance."""

    def outside(name: str, got: Array) -> int:
        assert wants is not None
        if name in held:
            return compare(got, wants[name], held[name][0]).outside
        (output,) = (o for o in call.with_role(Role.OUTPUT) if o.name == name)
        tolerance = tolerance_for(call, rounding_of(call.body), output, steps_in_place(call, output))
        return compare(got, wants[name], tolerance).outside

    return outside


def _one_line(text: str) -> str:
    """An expression's text without its line breaks and the blanks that go with them."""
    joined = " ".join(text.split())
    for wide, tight in (("( ", "("), (", )", ")"), (" )", ")"), ("[ ", "["), (" ]", "]")):
        joined = joined.replace(wide, tight)
    return joined


def steps_in_place(call: KernelCall, output: Operand) -> int:
    """Steps per block of an output, rounded up: how often an element may be added to over the grid."""
    steps = 1
    for size in call.grid:
        steps *= size
    blocks = 1
    if output.block is not None:
        for dim, n in zip(output.block, output.array.shape, strict=True):
            size = getattr(dim, "size", 1)
            blocks *= -(-n // size)
    return max(1, -(-steps // max(1, blocks)))


def _reference(spec: Spec, call: KernelCall, inputs: Mapping[str, Array]) -> dict[str, Array] | None:
    """The reference's results by output name; SpecError R214, R215 where number or shapes do not fit."""
    if spec.reference is None:
        return None
    results = evaluate(spec.reference, inputs, dict(spec.params))
    outputs = call.with_role(Role.OUTPUT)
    span = spec.reference.span(1, 1)
    if len(results) != len(outputs):
        message = f"the reference gives {len(results)} results, but the kernel has {len(outputs)} outputs"
        raise SpecError("R214", message, span, hint="give one result for each output, as a tuple")
    found = [
        Diagnostic(
            "R215",
            f"the reference of output '{output.name}' has shape {result.shape}, not {output.array.shape}",
            span,
            "reshape or transpose the result",
        )
        for output, result in zip(outputs, results, strict=True)
        if result.shape != output.array.shape
    ]
    if found:
        raise SpecError.of(found)
    return {output.name: result for output, result in zip(outputs, results, strict=True)}


def _apart(a: float, b: float) -> tuple[str, str]:
    """Two numbers with as many digits, three or more, as tell them apart."""
    for digits in range(3, 18):
        one, other = f"{a:.{digits}g}", f"{b:.{digits}g}"
        if one != other:
            break
    return one, other


def _count_nan(x: Array) -> int:
    if x.dtype.kind in "iub" or x.dtype.name in ("int4", "uint4"):
        return 0
    return int(np.isnan(x if x.dtype.kind == "f" else x.astype(np.float32)).sum())


def _mismatch(
    output: Operand, got: Array, want: Array, tolerance: Tolerance, comparison: Comparison, spec: Spec, hazards: bool
) -> list[Diagnostic]:
    if comparison.outside == 0:
        return []
    assert comparison.first is not None
    at = ", ".join(map(str, comparison.first))
    span = NOWHERE if spec.reference is None else spec.reference.span(1, 1)
    have, need = _apart(float(got[comparison.first]), float(want[comparison.first]))
    return [
        Diagnostic(
            "R401",
            f"output '{output.name}' differs from the reference in {comparison.outside} of {got.size} elements, "
            f"first at [{at}]: {have} for {need}, tolerance {tolerance}",
            span,
            "compare the kernel with the reference step by step"
            + ("; the hazards above may be the cause" if hazards else ""),
            Severity.ERROR,
        )
    ]
