"""Kernels run three ways: by our executor, as our StableHLO on XLA, by JAX's interpret mode. All of them clamp, keep
what a revisited block holds, and fill memory nobody wrote alike: every element is compared, of faulty kernels too. Our
executor runs them once as what is run once, and once as what is run often, with the same bits.

Many kernels are compiled by JAX together, with few optimisations: that is most of what a comparison takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pipeline.ir.call import KernelCall, Role
from pipeline.lower.stablehlo.lower import lower
from pipeline.lower.stablehlo.text import print_stablehlo
from pipeline.oracles.spec_to_jax import spec_to_jax
from pipeline.oracles.xla import OPTIONS, QUICK, run
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import execute
from pipeline.simulate.functional import steps_in_place
from pipeline.simulate.machine import Filling
from pipeline.simulate.mode import LENIENT
from pipeline.simulate.prepared import Prepared
from pipeline.simulate.tolerance import compare, rounding_of, tolerance_for
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

Array = Any


class Outcome(NamedTuple):
    """`problems` is empty where all three agree; `refused` says why JAX cannot run the kernel, if so."""

    elements: int
    problems: tuple[str, ...]
    refused: str = ""


def three_ways(specs: Sequence[Spec]) -> list[Outcome]:
    """Each kernel on its own data."""
    inputs = [make_inputs(spec) for spec in specs]
    theirs = _interpret(specs, inputs)
    return [_compared(*one) for one in zip(specs, inputs, theirs, strict=True)]


def _compared(spec: Spec, inputs: dict[str, Array], theirs: list[Array] | str) -> Outcome:
    if isinstance(theirs, str):
        return Outcome(0, (), theirs)
    call = trace(spec)
    ours = execute(call, inputs, Filling(variant=2), mode=LENIENT)
    ran = run(print_stablehlo(lower(call)), [inputs[o.name] for o in _given(call)], quick=True)
    often = Prepared(call, often=True).run(inputs, Filling(variant=2), mode=LENIENT)
    facts = rounding_of(call.body)
    elements, problems = 0, []
    if often.findings != ours.findings or often.counts != ours.counts:
        problems.append("run often, it has other findings or counts than run once")
    for output, jax_has, xla_has in zip(call.with_role(Role.OUTPUT), theirs, ran, strict=True):
        have = ours.outputs[output.name]
        tolerance = tolerance_for(call, facts, output, steps_in_place(call, output))
        elements += have.size
        if often.outputs[output.name].tobytes() != have.tobytes():
            problems.append(f"{output.name}: run often, it has other bits than run once")
        for who, want in (("JAX", jax_has), ("XLA", xla_has)):
            if (want.dtype, want.shape) != (have.dtype, have.shape):
                problems.append(f"{output.name}: {have.dtype}{have.shape}, of {who} {want.dtype}{want.shape}")
            elif bad := compare(have, want, tolerance).outside:
                problems.append(f"{output.name}: {bad} of {have.size} elements are not those of {who}")
    return Outcome(elements, tuple(problems))


def _given(call: KernelCall) -> list[Any]:
    return [operand for operand in call.operands if operand.role is not Role.OUTPUT]


def _interpret(specs: Sequence[Spec], inputs: Sequence[dict[str, Array]]) -> list[list[Array] | str]:
    """Each kernel's outputs under `interpret=True`, or why JAX has none."""
    import jax

    calls: list[tuple[Callable[..., Any], list[Array]]] = []
    for spec, data in zip(specs, inputs, strict=True):
        order = [o for role in (Role.SCALAR_PREFETCH, Role.INPUT) for o in spec.operands if o.role is role]
        calls.append((spec_to_jax(spec, True)[0], [data[operand.name] for operand in order]))
    refused: dict[int, str] = {}
    try:
        lowered = _together(calls)
    except Exception:  # one of them, for whatever reason; its like is left out
        for number, one in enumerate(calls):
            try:
                _together([one])
            except Exception as error:
                first, *_ = str(error).strip().split("\n")
                refused[number] = f"{type(error).__name__}: {first[:200]}"
        lowered = _together([one for number, one in enumerate(calls) if number not in refused])
    kept = [arguments for number, (_, arguments) in enumerate(calls) if number not in refused]
    options: dict[str, Any] = {
        name: {"True": True, "False": False, "0": 0}[value] for name, value in (OPTIONS | QUICK).items()
    }
    results = iter(jax.device_get(lowered.compile(compiler_options=options)(kept)))
    return [refused[i] if i in refused else [np.asarray(x) for x in next(results)] for i in range(len(calls))]


def _together(calls: Sequence[tuple[Callable[..., Any], list[Array]]]) -> Any:
    """One function of all the kernels, lowered."""
    import jax

    def together(arguments: list[list[Array]]) -> list[Any]:
        return [function(*given) for (function, _), given in zip(calls, arguments, strict=True)]

    return jax.jit(together).trace([given for _, given in calls]).lower()
