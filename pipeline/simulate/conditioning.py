"""How far a kernel carries its own roundings: a tolerance that follows from dtypes alone knows nothing of the values.

exp, sin or a power of a large argument turn the argument's last bit into many last bits of the result, and no kernel of
that dtype is closer to its reference. So where an output is outside its tolerance, the kernel is run again with every
rounding made larger, at random (D. S. Parker, "Monte Carlo Arithmetic", 1997): how far the outputs then move, scaled
back, is what its roundings can do. The tolerance grows to a multiple of that, within a limit, and only where the output
is then within it; a wrong kernel keeps the one it had.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pipeline.errors import SpecError
from pipeline.ir.call import Role
from pipeline.ir.jaxpr import Eqn, Prim
from pipeline.simulate.data import hashed_bits
from pipeline.simulate.machine import WORK_LIMIT, Filling
from pipeline.simulate.mode import SEQUENTIAL, Mode
from pipeline.simulate.numerics.dtypes import unit_roundoff
from pipeline.simulate.numerics.matmul import dimension_numbers
from pipeline.simulate.numerics.rules import Compile, Step
from pipeline.simulate.numerics.shape import ints
from pipeline.simulate.prepared import Prepared
from pipeline.simulate.tolerance import EXACT, Tolerance, largest_error, rounding_of

Array = Any
WIDE, NARROW = "wide", "narrow"  # which roundings are made larger: to 32 bits and more, or to fewer
GAIN = {WIDE: 2.0**10, NARROW: 2.0}  # by how much: as far as noise asks, and little enough to be a small change still
_MARGIN = 4  # of the moves of one run, over which chance it was
_MOST = 2.0**10  # a tolerance grows by no more than this,
_LARGEST = 0.25  # and no further, where a value says little
_EXACT_SUMS = {Prim.ADD: np.add, Prim.SUB: np.subtract, Prim.MUL: np.multiply}


class Perturb:
    """Looks on while a run is compiled, and moves each rounded float by up to its rounding times the gain."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.drawn = 0

    def wrap(self, eqn: Eqn, function: Step, compile: Compile) -> Step:
        """The equation's step with its result moved."""
        if len(eqn.outputs) != 1 or eqn.prim in EXACT or not eqn.outputs[0].aval.dtype.is_float:
            return function
        to = eqn.outputs[0].aval.dtype
        source = eqn.inputs[0].aval.dtype if eqn.inputs else to
        if (to.bits < 32) != (self.kind == NARROW):
            return function
        if eqn.prim is Prim.CONVERT_ELEMENT_TYPE and (
            not source.is_float or unit_roundoff(source) >= unit_roundoff(to)
        ):
            return function
        step = GAIN[self.kind] * unit_roundoff(to)
        terms = _terms(eqn)
        if terms > 1:
            return self._sum(function, step * math.sqrt(terms))
        exactly = _EXACT_SUMS.get(eqn.prim)

        def moved(*inputs: Any) -> Any:
            result = function(*inputs)
            size = result * self._signs(np.shape(result)) * step
            if exactly is not None:
                wide = exactly(*(np.asarray(x, np.float64) for x in inputs))
                size = np.where(wide == np.asarray(result, np.float64), 0, size)
            return (result + size).astype(result.dtype)

        return moved

    def _sum(self, function: Step, step: float) -> Step:
        """Of a sum or contraction the terms say how large its roundings are, not the result."""

        def moved(x: Any, *more: Any) -> Any:
            result = function(x, *more)
            size = function((x * self._signs(np.shape(x))).astype(x.dtype), *more) * step
            return (result + size).astype(result.dtype)

        return moved

    def _signs(self, shape: tuple[int, ...]) -> Array:
        count = math.prod(shape)
        bits = hashed_bits(0, self.drawn, count)
        self.drawn += count
        return np.where(bits >> np.uint64(63), np.float32(1), np.float32(-1)).reshape(shape)


def _terms(eqn: Eqn) -> int:
    """How many terms an equation adds up into one element."""
    shape = eqn.inputs[0].aval.shape if eqn.inputs else ()
    if eqn.prim is Prim.DOT_GENERAL:
        return math.prod(shape[i] for i in dimension_numbers(eqn)[0])
    if eqn.prim is Prim.REDUCE_SUM:
        return math.prod(shape[i] for i in ints(eqn, "axes"))
    axis = eqn.param("axis") if eqn.prim is Prim.CUMSUM else None
    return shape[axis] if isinstance(axis, int) else 1


def grown(
    prepared: Prepared,
    inputs: Mapping[str, Array],
    values: Mapping[str, Array],
    tolerances: Mapping[str, Tolerance],
    mode: Mode = SEQUENTIAL,
    filling: Filling | None = None,
) -> dict[str, Tolerance]:
    """For each output of `tolerances`, what its tolerance is once it is known how roundings grow on the way to it;
    outputs left out have none that is larger. `values` are those of the ordinary run in `mode` with `filling`.

    Errors: none; a kernel that takes too much work for two further runs keeps its tolerances.
    """
    if prepared.too_much_work(WORK_LIMIT // 4) is not None:
        return {}
    mode = mode._replace(tell=None, progress=None, record=False, checks=())
    # an accumulator of a narrow dtype is a mistake, not a rounding that the body makes on its way
    kinds = (WIDE,) if rounding_of(prepared.call.body).narrow is None else (WIDE, NARROW)
    last = {output.name: unit_roundoff(output.array.dtype) for output in prepared.call.with_role(Role.OUTPUT)
            if output.array.dtype.is_float}  # fmt: skip
    moves = dict.fromkeys(tolerances, 0.0)
    for kind in kinds:
        try:
            run = prepared.run(inputs, filling, mode=mode._replace(perturb=kind))
        except SpecError:
            return {}
        if not run.finished:
            return {}
        for name, tolerance in tolerances.items():
            after, marks = run.outputs[name], run.written[name]
            if marks is not None:
                after = np.where(marks, after, values[name])
            moves[name] += largest_error(after, values[name], tolerance) / GAIN[kind]
    found = {}
    for name, move in moves.items():
        tolerance = tolerances[name]
        if tolerance.absolute or not 0 < move < math.inf:
            continue
        bound = min(2.0 ** math.ceil(math.log2(last[name] + _MARGIN * move)), _LARGEST)
        times = min(bound / tolerance.bound, _MOST) if tolerance.bound else 1
        if times > 1:
            why = f"{tolerance.why}, its roundings grown {times:g} times on their way"
            found[name] = replace(tolerance, bound=tolerance.bound * times, why=why)
    return found
