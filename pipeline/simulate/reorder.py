"""How far the outputs move when sums and contractions add their terms up in another order.

The order in which hardware adds is its own affair, so an answer that hangs on it is worth no more digits than stay.
Within a step every sum, product and contraction permutes its terms, with a seed, and adds them up in the dtype that it
accumulates in; what is added over the grid keeps its order.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeline.errors import SpecError
from pipeline.ir.call import KernelCall, Role
from pipeline.ir.jaxpr import Eqn, Prim
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import execute
from pipeline.simulate.functional import steps_in_place
from pipeline.simulate.machine import Filling
from pipeline.simulate.mode import Mode
from pipeline.simulate.numerics.matmul import dimension_numbers
from pipeline.simulate.numerics.rules import Compile, Step
from pipeline.simulate.numerics.shape import ints
from pipeline.simulate.tolerance import Tolerance, largest_error, rounding_of, tolerance_for
from pipeline.spec.spec import Spec

Array = Any


class Moved(NamedTuple):
    """One output: how many elements changed, the largest change relative to what the tolerance measures by, and in
    units in the last place of the output's dtype (0 for integers)."""

    name: str
    elements: int
    changed: int
    error: float
    ulps: int
    tolerance: Tolerance

    @property
    def within(self) -> bool:
        """Whether the change is within the tolerance that the output is held to."""
        return self.error <= self.tolerance.bound


class Reorder:
    """Looks on while a run is compiled, and has each sum, product and contraction of floats take its terms permuted."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def wrap(self, eqn: Eqn, function: Step, compile: Compile) -> Step:
        """The equation's step with its terms in another order."""
        if not eqn.outputs or not eqn.outputs[0].aval.dtype.is_float:
            return function
        if eqn.prim in (Prim.REDUCE_SUM, Prim.REDUCE_PROD):
            axes = ints(eqn, "axes")
            return lambda x: function(self.permuted(x, axes))
        if eqn.prim is Prim.DOT_GENERAL:
            lhs, rhs, _, _ = dimension_numbers(eqn)
            return lambda x, y: function(self.permuted(x, lhs), self.permuted(y, rhs))
        return function

    def permuted(self, x: Array, axes: tuple[int, ...]) -> Array:
        """`x` with the entries along each of `axes` in another order, which hangs on seed and length alone."""
        for axis in axes:
            order = list(range(x.shape[axis]))
            random.Random(f"{self.seed}/{len(order)}").shuffle(order)
            x = np.take(x, order, axis)
        return x


def reordered(spec: Spec, call: KernelCall, mode: Mode, filling: Filling | None, seed: int,
              values: Mapping[str, Array]) -> list[Moved]:  # fmt: skip
    """Run `call` again, reordered, and compare with `values`. Errors: SpecError; R104 for a run that does not end."""
    run = execute(call, make_inputs(spec), filling, mode=mode._replace(reorder=seed, tell=None))
    if not run.finished:
        raise SpecError.of(run.findings)
    facts = rounding_of(call.body)
    found = []
    for output in call.with_role(Role.OUTPUT):
        before, after = values[output.name], run.outputs[output.name]
        tolerance = tolerance_for(call, facts, output, steps_in_place(call, output))
        marks = run.written[output.name]
        if marks is not None:
            after = np.where(marks, after, before)
        changed = int(np.count_nonzero((before != after) & ~((before != before) & (after != after))))
        error, ulps = 0.0, 0
        if changed:
            error = largest_error(after, before, tolerance)
            ulps = _ulps(before, after) if output.array.dtype.is_float else 0
        found.append(Moved(output.name, before.size, changed, error, ulps, tolerance))
    return found


def _ulps(a: Array, b: Array) -> int:
    """The largest distance in representable values, where both are finite."""
    finite = np.isfinite(a.astype(np.float64)) & np.isfinite(b.astype(np.float64))
    first, second = _ranks(a[finite]), _ranks(b[finite])
    if not first.size:
        return 0
    at = int(np.argmax(np.abs(first.astype(np.float64) - second.astype(np.float64))))
    return abs(int(first[at]) - int(second[at]))


def _ranks(x: Array) -> Array:
    """Floats as integers in the same order, one apart for neighbours."""
    bits = 8 * x.dtype.itemsize
    raw = np.ascontiguousarray(x).view(f"u{x.dtype.itemsize}").astype(np.uint64)
    top = np.uint64(1 << (bits - 1))
    magnitude = (raw & (top - np.uint64(1))).astype(np.int64)
    return np.where(raw & top, -magnitude, magnitude)
