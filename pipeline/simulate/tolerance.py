"""How far a kernel may be from its reference: a bound that follows from its dtypes and the lengths it adds up over.

An error is measured relative to the larger of the reference element and a root mean square of the reference, since
cancellation leaves the error of the terms behind: that of the element's row (last axis of 16 elements or more) or of
the whole output, whichever is smaller, so that one huge element does not hide all others. With u = 2^-precision (the
unit roundoff) it is bounded by

    u_out + 2 * (steps_mid * u_mid + (depth + 4 * sqrt(n)) * u_acc), with 5/4 of it rounded up to a power of two

u_out      of the output's dtype: the last rounding.
u_mid      of the narrowest dtype that a float value inside the body is rounded to before it is used again, steps_mid
           the number of places where that happens (each adds one relative error; a chain of them adds up).
u_acc      of the dtype that floats are computed and added up in, at least f32.
n          terms added up into one element: the longest contraction or reduction of the body, times the steps in which
           an output block stays in place (K-accumulation over the grid), times the trips of loops around it.
4 sqrt(n)  rounding errors of n additions behave as a random walk; 4 is four standard deviations (Higham and Mary,
           "A new approach to probabilistic rounding error analysis", 2019).
depth      float equations of the body: each may round once, and exp scales the error of its argument.
2, 5/4     margins, so that the last bits of another machine's BLAS or exp never decide a verdict.

What a function makes of a rounding by the size of its argument no dtype tells: `conditioning.py` measures it where an
output is outside.

Integer and bool outputs must be equal; an integer that a float was rounded to may differ by 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from pipeline.dtypes import BF16, F32, DType
from pipeline.ir.call import KernelCall, Operand
from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, Prim, Var
from pipeline.simulate.numerics.control import jaxpr_param
from pipeline.simulate.numerics.dtypes import unit_roundoff
from pipeline.simulate.numerics.matmul import dimension_numbers
from pipeline.simulate.numerics.shape import ints
from pipeline.simulate.program import inline

Array = Any
_REDUCTIONS = frozenset({Prim.REDUCE_SUM, Prim.REDUCE_PROD, Prim.CUMSUM, Prim.CUMPROD})
EXACT = frozenset(
    {
        Prim.GET, Prim.SWAP, Prim.BROADCAST_IN_DIM, Prim.RESHAPE, Prim.SQUEEZE, Prim.EXPAND_DIMS, Prim.TRANSPOSE,
        Prim.CONCATENATE, Prim.SLICE, Prim.PAD, Prim.REV, Prim.GATHER, Prim.SORT, Prim.TILE, Prim.ROLL, Prim.SPLIT,
        Prim.STACK, Prim.SELECT_N, Prim.NEG, Prim.ABS, Prim.SIGN, Prim.MAX, Prim.MIN, Prim.CLAMP, Prim.REDUCE_MAX,
        Prim.REDUCE_MIN, Prim.CUMMAX, Prim.CUMMIN, Prim.DYNAMIC_SLICE, Prim.DYNAMIC_UPDATE_SLICE, Prim.MASKED_LOAD,
        Prim.MASKED_SWAP, Prim.IOTA, Prim.FLOOR, Prim.CEIL, Prim.ROUND, Prim.STOP_GRADIENT, Prim.BITCAST,
        Prim.UNPACK_ELEMENTWISE,
        Prim.BITCAST_CONVERT_TYPE, Prim.COND, Prim.SCAN, Prim.WHILE, Prim.RUN_SCOPED,
    }
)  # fmt: skip
_MAX_DEPTH = 64
_ROW = 16  # elements; a shorter last axis says little about the scale of its terms
_CHUNK = 1 << 15  # elements compared at a time: the temporaries stay in cache


@dataclass(frozen=True, slots=True)
class Rounding:
    """What a kernel's body does to accuracy. `length` is terms per element in one step; see the module's text."""

    length: int
    depth: int
    narrow: DType | None
    narrow_steps: int
    accumulator: DType
    rounds_to_integer: bool


@dataclass(frozen=True, slots=True)
class Tolerance:
    """`bound` is a power of two, or 0 (equal) or 1 (off by one) for integers; `why` says it in words."""

    bound: float
    absolute: bool
    why: str

    def __str__(self) -> str:
        if self.absolute:
            return "equal" if self.bound == 0 else "off by 1"
        return "equal" if self.bound == 0 else f"2^{round(math.log2(self.bound))}"


def rounding_of(body: Jaxpr) -> Rounding:
    """Read the facts that a tolerance needs off a body."""
    facts = _Facts()
    facts.read(body, 1)
    narrow, steps = None, 0
    for dtype in facts.narrow:
        if narrow is None or unit_roundoff(dtype) > unit_roundoff(narrow):
            narrow = dtype
    if narrow is not None:
        steps = sum(count for dtype, count in facts.narrow.items() if unit_roundoff(dtype) == unit_roundoff(narrow))
    return Rounding(facts.length, min(facts.depth, _MAX_DEPTH), narrow, min(steps, _MAX_DEPTH), F32, facts.to_integer)


class _Facts:
    def __init__(self) -> None:
        self.length = 1
        self.depth = 0
        self.narrow: dict[DType, int] = {}
        self.to_integer = False

    def read(self, jaxpr: Jaxpr, trips: int) -> None:
        eqns, results = inline(jaxpr)
        used_again = _used_beyond_a_store(eqns, results)
        for eqn in eqns:
            match eqn.prim:
                case Prim.COND:
                    branches = eqn.param("branches")
                    for branch in branches if isinstance(branches, tuple) else ():
                        if isinstance(branch, Jaxpr):
                            self.read(branch, trips)
                    continue
                case Prim.SCAN:
                    length = eqn.param("length")
                    self.read(jaxpr_param(eqn, "jaxpr"), trips * max(1, length if isinstance(length, int) else 1))
                    continue
                case Prim.WHILE:
                    self.read(jaxpr_param(eqn, "body_jaxpr"), trips)
                    continue
                case Prim.RUN_SCOPED:
                    self.read(jaxpr_param(eqn, "jaxpr"), trips)
                    continue
                case Prim.DOT_GENERAL:
                    shape = eqn.inputs[0].aval.shape
                    self.length = max(self.length, trips * prod(shape[i] for i in dimension_numbers(eqn)[0]))
                case prim if prim in _REDUCTIONS:
                    shape = eqn.inputs[0].aval.shape
                    if prim in (Prim.REDUCE_SUM, Prim.REDUCE_PROD):
                        terms = prod(shape[i] for i in ints(eqn, "axes"))
                    else:
                        axis = eqn.param("axis")
                        terms = shape[axis] if isinstance(axis, int) else 1
                    self.length = max(self.length, trips * terms)
                case _:
                    pass
            self._rounding(eqn, used_again)

    def _rounding(self, eqn: Eqn, used_again: set[Var]) -> None:
        for var in eqn.outputs:
            dtype = var.aval.dtype
            if eqn.prim is Prim.CONVERT_ELEMENT_TYPE and eqn.inputs[0].aval.dtype.is_float and dtype.is_integer:
                self.to_integer = True
            if not dtype.is_float or eqn.prim in EXACT:
                continue
            widening = eqn.prim is Prim.CONVERT_ELEMENT_TYPE and (
                unit_roundoff(eqn.inputs[0].aval.dtype) >= unit_roundoff(dtype)
            )
            if widening:
                continue
            self.depth += 1
            if eqn.prim is Prim.RECIPROCAL and dict(eqn.params).get("approx"):
                self.narrow[BF16] = self.narrow.get(BF16, 0) + 1
            elif dtype.bits < 32 and var in used_again:
                self.narrow[dtype] = self.narrow.get(dtype, 0) + 1


def _used_beyond_a_store(eqns: list[Eqn], results: list[Atom]) -> set[Var]:
    """Values that something else than a store uses: their rounding is not the last one."""
    found = {atom for atom in results if isinstance(atom, Var)}
    for eqn in eqns:
        skip = 2 if eqn.prim in (Prim.SWAP, Prim.MASKED_SWAP) else 0
        found.update(atom for atom in eqn.inputs[skip:] if isinstance(atom, Var))
    return found


def tolerance_for(call: KernelCall, facts: Rounding, output: Operand, steps_in_place: int) -> Tolerance:
    """The bound for one output. `steps_in_place`: most steps that share one block of it."""
    dtype = output.array.dtype
    if not dtype.is_float:
        if facts.rounds_to_integer and dtype.is_integer:
            return Tolerance(1.0, True, "integers that floats are rounded to")
        return Tolerance(0.0, True, "integers")
    n = facts.length * max(1, steps_in_place)
    if facts.depth == 0 and n == 1:
        return Tolerance(0.0, False, f"{dtype.name} values are only moved")
    acc = facts.accumulator if dtype.bits <= 32 else dtype
    bound = (facts.depth + 4 * math.sqrt(n)) * unit_roundoff(acc)
    words = [f"{dtype.name} output", f"{acc.name} accumulation over {n}" if n > 1 else f"{acc.name} arithmetic"]
    if facts.narrow is not None:
        bound += facts.narrow_steps * unit_roundoff(facts.narrow)
        times = "once" if facts.narrow_steps == 1 else f"{facts.narrow_steps} times"
        words.insert(1, f"rounded to {facts.narrow.name} {times} inside")
    bound = 1.25 * (unit_roundoff(dtype) + 2 * bound)
    return Tolerance(2.0 ** math.ceil(math.log2(bound)), False, ", ".join(words))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Counts over one output: elements outside the tolerance, NaN where the reference has none, the first bad one."""

    outside: int
    unexpected_nan: int
    first: tuple[int, ...] | None


def compare(got: Array, want: Array, tolerance: Tolerance) -> Comparison:
    """Hold an output against its reference. Equal infinities and NaN in both places agree."""
    if tolerance.absolute:
        bad = _integer_distance(got, want) > int(tolerance.bound)
        return Comparison(int(bad.sum()), 0, _first(bad))
    flat, need = got.reshape(-1), want.reshape(-1)
    with np.errstate(all="ignore"):
        scale = _root_mean_square(need)
        outside = unexpected = 0
        first: int | None = None
        row = got.shape[-1] if got.ndim and got.shape[-1] >= _ROW else 1
        for start in range(0, flat.size, step := max(1, _CHUNK // row) * row):
            part = slice(start, start + step)
            bad, nan = _outside(flat[part], need[part], tolerance.bound, _scales(need[part], row, scale))
            if bad is not None:
                outside += int(bad.sum())
                unexpected += nan
                if first is None and bad.any():
                    first = start + int(np.argmax(bad))
    place = None if first is None else tuple(int(i) for i in np.unravel_index(first, got.shape))
    return Comparison(outside, unexpected, place)


def largest_error(got: Array, want: Array, tolerance: Tolerance) -> float:
    """The largest error over elements finite in both, in the measure that the tolerance bounds: absolute for integers,
    else relative to the larger of the element and what stands for its terms."""
    if tolerance.absolute:
        return float(_integer_distance(got, want).max(initial=0))
    row = got.shape[-1] if got.ndim and got.shape[-1] >= _ROW else 1
    flat, need = got.reshape(-1), want.reshape(-1)
    largest = 0.0
    with np.errstate(all="ignore"):
        whole = _root_mean_square(need)
        for start in range(0, flat.size, step := max(1, _CHUNK // row) * row):
            part = slice(start, start + step)
            have, base = flat[part].astype(np.float64), need[part].astype(np.float64)
            error = np.abs(have - base)
            scale = np.maximum(np.abs(base), _scales(need[part], row, whole))
            largest = max(
                largest, float(np.max(np.where(error > 0, error / scale, 0.0), initial=0.0, where=np.isfinite(error)))
            )
    return largest


def _root_mean_square(x: Array) -> float:
    """Over the finite elements; 0 if there are none."""
    total, count = 0.0, 0
    for start in range(0, x.size, _CHUNK):
        part = x[start : start + _CHUNK].astype(np.float64, copy=False)
        squares = float(np.einsum("i,i->", part, part))
        if not math.isfinite(squares):
            part = part[np.isfinite(part)]
            squares = float(np.einsum("i,i->", part, part))
        total += squares
        count += part.size
    return math.sqrt(total / count) if count else 0.0


def _scales(want: Array, row: int, whole: float) -> Array | float:
    """Per element, the smaller of the row's root mean square and the whole output's."""
    if row == 1:
        return whole
    rows = want.reshape(-1, row).astype(np.float64, copy=False)
    own = np.sqrt(np.einsum("ij,ij->i", rows, rows) / row)
    return np.repeat(np.fmin(own, whole), row)


def _outside(got: Array, want: Array, bound: float, scale: Array | float) -> tuple[Array | None, int]:
    """Mask of elements outside the tolerance and the number of NaN that the reference has not; None if all is well."""
    have = got.astype(np.float64)
    need = want.astype(np.float64, copy=False)
    limit = np.maximum(np.abs(need), scale)
    limit *= bound
    good = np.abs(have - need) <= limit
    if good.all() and np.isfinite(limit).all():
        return None, 0
    nan, want_nan = np.isnan(have), np.isnan(need)
    # past the dtype's largest value the reference is rounded as the output was
    rounded = want.astype(got.dtype).astype(np.float64)
    plain = np.isfinite(need) & np.isfinite(have)
    good = np.where(plain, good, (have == rounded) | (nan & want_nan))
    return ~good, int((nan & ~want_nan).sum())


def _integer_distance(got: Array, want: Array) -> Array:
    """|got - want| after the reference is wrapped to the output's width; exact."""
    if got.dtype == np.bool_:
        return (got != want.astype(bool)).astype(np.int64)
    if want.dtype.kind == "f":
        want = np.rint(want).astype(np.int64)
    own = want.astype(got.dtype) if got.dtype.kind in "iu" else want.astype(np.int8).astype(got.dtype)
    wide = np.int64 if got.dtype != np.uint64 else np.uint64
    a, b = got.astype(wide), own.astype(wide)
    return np.where(a > b, a - b, b - a)


def _first(bad: Array) -> tuple[int, ...] | None:
    if not bad.any():
        return None
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(bad)), bad.shape))
