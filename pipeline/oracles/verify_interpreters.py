"""A spec's kernel under JAX's interpreters, held against our executor in the mode that matches.

jax-interpret: `interpret=True` against the lenient mode, which clamps as it does: equal numbers, whatever the kernel
does wrong. tpu-interpret: the TPU interpreter against the strict run: equal numbers and nothing reported where we find
no fault; where we find one, both have to see it, or the spec to expect it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.errors import Severity, SpecError
from pipeline.ir.call import Role
from pipeline.oracles.interpreters import Seen, interpret
from pipeline.oracles.verify import DIFFERENT, EQUAL, UNKNOWN, Layer
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import Run, execute
from pipeline.simulate.functional import hold, run_functional
from pipeline.simulate.machine import Filling
from pipeline.simulate.mode import LENIENT, SEQUENTIAL, Mode
from pipeline.simulate.prepared import Prepared
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

TPU_MODES = ("eager", "races")  # `interpreters.MODES` that a spec is run in; both of them start from the defaults


def verify_against_interpret(spec: Spec, targets: Sequence[str] = ()) -> Iterator[Layer]:
    """One layer. Errors: none."""
    try:
        call, inputs = trace(spec), make_inputs(spec)
        ours = execute(call, inputs, Filling(variant=2), mode=LENIENT)
    except SpecError as error:
        yield _unknown(spec, "interpret", f"refused here: {error.diagnostics[0].code}")
        return
    if not ours.finished:
        yield _unknown(spec, "interpret", f"given up here: {ours.findings[0].code}")
        return
    seen = interpret(spec, inputs, "interpret")
    if seen.outputs is None:
        yield _unknown(spec, "interpret", f"JAX cannot interpret it: {seen.error}")
        return
    elements, problems = differences(spec, ours, seen, everywhere=True)
    said = "; ".join(problems) or f"{elements} elements agree"
    yield Layer(spec.name, spec.variant, "interpret", None, DIFFERENT if problems else EQUAL, said)


def verify_against_tpu_interpret(spec: Spec, targets: Sequence[str] = ()) -> Iterator[Layer]:
    """A layer for each of TPU_MODES. Errors: none."""
    try:
        call, inputs = trace(spec), make_inputs(spec)
        ours = execute(call, inputs)
        codes = sorted(
            {f.code for f in run_functional(spec, call, Mode(record=True)).findings if f.severity is Severity.ERROR}
        )
    except SpecError as error:
        yield _unknown(spec, "tpu-interpret", f"refused here: {error.diagnostics[0].code}")
        return
    for mode in TPU_MODES:
        yield _tpu(spec, mode, ours, codes, None if "R310" in codes else interpret(spec, inputs, mode))


def _tpu(spec: Spec, mode: str, ours: Run, codes: list[str], seen: Seen | None) -> Layer:
    layer = f"tpu-interpret {mode}"
    known = bool(codes) and (spec.expect in codes or (spec.expect or "").startswith("P"))
    if seen is None:
        said = "not asked: a wait that never ends would hang the interpreter"
        return Layer(spec.name, spec.variant, layer, None, EQUAL if known else UNKNOWN, said)
    if seen.outputs is None and not seen.reports:
        return _unknown(spec, layer, f"JAX cannot interpret it: {seen.error}")
    told = "a race" if seen.race else seen.error
    if codes:
        said = f"{', '.join(codes)} here; the interpreter reports {told or 'nothing'}"
        return Layer(spec.name, spec.variant, layer, None, EQUAL if told or known else UNKNOWN, said)
    if told:
        return Layer(spec.name, spec.variant, layer, None, DIFFERENT, f"no fault here; the interpreter reports {told}")
    elements, problems = differences(spec, ours, seen, everywhere=False)
    said = "; ".join(problems) or f"{elements} elements agree"
    return Layer(spec.name, spec.variant, layer, None, DIFFERENT if problems else EQUAL, said)


def differences(spec: Spec, ours: Run, seen: Seen, *, everywhere: bool) -> tuple[int, list[str]]:
    """How many elements were compared, and for each output that differs in how many. Integers have to be equal, floats
    as near as the tolerance is that follows from their dtypes; what nobody wrote is left out unless `everywhere`."""
    import numpy as np

    assert seen.outputs is not None
    call = trace(spec)
    elements, problems = 0, []
    wants = {}
    for output, theirs in zip(call.with_role(Role.OUTPUT), seen.outputs, strict=True):
        got, marks = ours.outputs[output.name], ours.written[output.name]
        if (got.dtype, got.shape) != (theirs.dtype, theirs.shape):
            problems.append(f"{output.name}: {theirs.dtype}{theirs.shape} there")
            continue
        if marks is not None and not everywhere:
            theirs = np.where(marks, theirs, got)
        elements += got.size
        wants[output.name] = theirs
    mode, filling = (LENIENT, Filling(variant=2)) if everywhere else (SEQUENTIAL, None)
    held = hold(Prepared(call), make_inputs(spec), ours.outputs, wants, mode, filling)
    for name, (_, comparison) in held.items():
        if comparison.outside:
            problems.append(f"{name}: {comparison.outside} of {wants[name].size} elements differ")
    return elements, problems


def _unknown(spec: Spec, layer: str, said: str) -> Layer:
    return Layer(spec.name, spec.variant, layer, None, UNKNOWN, said)
