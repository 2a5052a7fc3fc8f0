"""NumPy rules: elementwise primitives.

Semantics are XLA's: floats narrower than 32 bits are computed in f32 and rounded; integers wrap; integer division
truncates, by zero gives -1 (remainder: the dividend); shifts by the width or more give zeros or sign bits; max and min
propagate NaN.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from pipeline.dtypes import BF16, BOOL, DType
from pipeline.ir.jaxpr import Eqn, Literal, Prim, ShapedArray
from pipeline.simulate.numerics.dtypes import compute_dtype, is_narrow, numpy_dtype
from pipeline.simulate.numerics.rules import Compile, Rules, Step
from pipeline.simulate.numerics.rules import Value as Array
from pipeline.simulate.numerics.special import erf, erf_inv

_F32 = np.dtype(np.float32)


def out_aval(eqn: Eqn) -> ShapedArray:
    """Aval of an equation's one array result."""
    aval = eqn.outputs[0].aval
    assert isinstance(aval, ShapedArray), f"{eqn.prim.value} makes no ref"
    return aval


def in_dtype(eqn: Eqn, position: int = 0) -> DType:
    """Dtype of an input."""
    return eqn.inputs[position].aval.dtype


def floating(function: Callable[..., Any], operands: int = 1) -> Callable[[Eqn, Compile], Step]:
    """Rule for an op on floats (and whatever `function` takes as it is): narrow floats go through f32, int4 through
    int8, since NumPy has few functions of it."""

    def rule(eqn: Eqn, compile: Compile) -> Step:
        dtype = in_dtype(eqn)
        if dtype.is_integer and dtype.bits < 8:
            own = numpy_dtype(out_aval(eqn).dtype)
            return lambda *xs: function(*(x.astype(np.int8) for x in xs)).astype(own)
        if not is_narrow(dtype):
            return on_scalars(function, eqn)
        narrow = numpy_dtype(out_aval(eqn).dtype)
        if operands == 1:
            return lambda x: function(x.astype(_F32)).astype(narrow)
        return lambda x, y: function(x.astype(_F32), y.astype(_F32)).astype(narrow)

    return rule


def comparing(function: Callable[..., Any]) -> Callable[[Eqn, Compile], Step]:
    """Rule for a comparison: ordered, so that anything but `ne` is False for NaN."""

    def rule(eqn: Eqn, compile: Compile) -> Step:
        if is_narrow(in_dtype(eqn)):
            return lambda x, y: function(x.astype(_F32), y.astype(_F32))
        return on_scalars(function, eqn)

    return rule


def bitwise(function: Callable[..., Any]) -> Callable[[Eqn, Compile], Step]:
    """Rule for and, or, xor, not; int4 has no such ufunc, so it goes through int8."""

    def rule(eqn: Eqn, compile: Compile) -> Step:
        dtype = in_dtype(eqn)
        if dtype.is_integer and dtype.bits < 8:
            narrow = numpy_dtype(dtype)
            return lambda *xs: function(*(x.astype(np.int8) for x in xs)).astype(narrow)
        return on_scalars(function, eqn)

    return rule


_OPERATORS: dict[Callable[..., Any], Callable[..., Any]] = {
    np.add: operator.add, np.subtract: operator.sub, np.multiply: operator.mul, np.negative: operator.neg,
    np.equal: operator.eq, np.not_equal: operator.ne, np.less: operator.lt, np.less_equal: operator.le,
    np.greater: operator.gt, np.greater_equal: operator.ge, np.bitwise_and: operator.and_,
    np.bitwise_or: operator.or_, np.bitwise_xor: operator.xor,
}  # fmt: skip


def on_scalars(function: Callable[..., Any], eqn: Eqn) -> Step:
    """`function`, or for an equation of scalars Python's operator, which NumPy's scalars answer ten times as fast."""
    short = _OPERATORS.get(function)
    if short is None or any(atom.aval.shape for atom in eqn.inputs):
        return function
    values = [
        numpy_dtype(atom.aval.dtype).type(atom.value) if isinstance(atom, Literal) else None for atom in eqn.inputs
    ]
    if len(values) == 2 and values[0] is None and values[1] is not None:
        return lambda x, _: short(x, values[1])
    if len(values) == 2 and values[0] is not None and values[1] is None:
        return lambda _, y: short(values[0], y)
    return short


def _sign(x: Array) -> Array:
    return np.copysign(np.sign(x), x) if x.dtype.kind == "f" else np.sign(x)


def _square(x: Array) -> Array:
    return x * x


def _rsqrt(x: Array) -> Array:
    return np.reciprocal(np.sqrt(x))


def _logistic(x: Array) -> Array:
    return np.reciprocal(np.exp(-x) + x.dtype.type(1))


def _round_away(x: Array) -> Array:
    # trunc(|x| + 0.5) would round 0.49999997 up
    low = np.trunc(x)
    return np.where(np.abs(x - low) >= 0.5, low + np.copysign(np.ones_like(x), x), low).astype(x.dtype)


def eval_round(eqn: Eqn, compile: Compile) -> Step:
    even = eqn.param("rounding_method") in (1, "TO_NEAREST_EVEN")
    return floating(np.rint if even else _round_away)(eqn, compile)


def eval_neg(eqn: Eqn, compile: Compile) -> Step:
    return floating(np.negative)(eqn, compile)


def eval_abs(eqn: Eqn, compile: Compile) -> Step:
    return floating(np.abs)(eqn, compile)


def eval_is_finite(eqn: Eqn, compile: Compile) -> Step:
    if is_narrow(in_dtype(eqn)):
        return lambda x: np.isfinite(x.astype(_F32))
    return np.isfinite


def eval_integer_pow(eqn: Eqn, compile: Compile) -> Step:
    y = eqn.param("y")
    assert isinstance(y, int)
    times, invert = floating(np.multiply, 2)(eqn, compile), floating(np.reciprocal)(eqn, compile)

    def power(x: Array) -> Array:
        """Square and multiply, as XLA and Mosaic expand it, each product rounded; the reciprocal last."""
        if y == 0:
            return np.ones_like(x)
        base, left, result = x, abs(y), None
        while left:
            if left & 1:
                result = base if result is None else times(result, base)
            left >>= 1
            if left:
                base = times(base, base)
        return invert(result) if y < 0 else result

    return power


def _bits(x: Array) -> Array:
    return np.asarray(x).view(f"u{np.asarray(x).dtype.itemsize}")


_POPCOUNT = np.array([bin(i).count("1") for i in range(256)], np.uint8)


def eval_population_count(eqn: Eqn, compile: Compile) -> Step:
    dtype = numpy_dtype(out_aval(eqn).dtype)

    def count(x: Array) -> Array:
        bits = _bits(x)
        total = np.zeros(bits.shape, np.int64)
        for shift in range(0, bits.dtype.itemsize * 8, 8):
            total += _POPCOUNT[((bits >> bits.dtype.type(shift)) & bits.dtype.type(255)).astype(np.intp)]
        return total.astype(dtype)

    return count


def eval_clz(eqn: Eqn, compile: Compile) -> Step:
    dtype = numpy_dtype(out_aval(eqn).dtype)
    width = in_dtype(eqn).bits

    def count(x: Array) -> Array:
        bits = _bits(x).astype(np.uint64)
        low, high = bits & np.uint64(0xFFFFFFFF), bits >> np.uint64(32)
        # exponents of numbers below 2^32 are exact in a double
        used = np.where(high > 0, 32 + np.frexp(high.astype(np.float64))[1], np.frexp(low.astype(np.float64))[1])
        return (width - used).astype(dtype)

    return count


# --- two operands


_LARGE = 1 << 12  # elements from which other ways are faster
_MOST_FILLED = 1 << 16  # elements
_LEAST_ROW = 64  # elements


def larger(x: Array, y: Array) -> Array:
    """The larger one; of two zeros the positive one, where NumPy takes either."""
    result = np.maximum(x, y)
    return result if result.all() else signed_zeros(result, _is_zero(x, False) | _is_zero(y, False), 0.0)


def smaller(x: Array, y: Array) -> Array:
    """The smaller one; of two zeros the negative one, where NumPy takes either."""
    result = np.minimum(x, y)
    return result if result.all() else signed_zeros(result, _is_zero(x, True) | _is_zero(y, True), -0.0)


def _is_zero(x: Array, negative: bool) -> Array:
    return (x == 0) & (np.signbit(x) == negative)


def signed_zeros(result: Array, found: Array, zero: float) -> Array:
    """`result` with `zero` for its zeros where that is `found` among the operands, else with the other zero."""
    return np.where(result == 0, np.where(found, zero, -zero), result).astype(result.dtype)


def extreme(function: Callable[..., Any], of_floats: Callable[..., Any]) -> Callable[[Eqn, Compile], Step]:
    """Rule for max and min. NumPy takes several times as long with a scalar as with an array: constants are spread."""

    def rule(eqn: Eqn, compile: Compile) -> Step:
        shape, dtype = out_aval(eqn).shape, in_dtype(eqn)
        x, y = eqn.inputs
        if not dtype.is_float:
            return floating(function, 2)(eqn, compile)
        if is_narrow(dtype) or not 0 < prod(shape) <= _MOST_FILLED:
            return floating(of_floats, 2)(eqn, compile)
        for literal, array in ((x, 1), (y, 0)):
            if isinstance(literal, Literal) and shape:
                filled = np.full(shape, literal.value, numpy_dtype(dtype))
                if function is np.maximum and literal.value == 0 and not np.signbit(filled.flat[0]):
                    return lambda *xs: np.maximum(xs[array], filled) + filled  # a zero becomes a positive one
                return lambda *xs: of_floats(xs[array], filled)
        if shape and shape[-1] >= _LEAST_ROW and prod(shape) >= _LARGE and () in (x.aval.shape, y.aval.shape):
            return lambda x, y: of_floats(
                x if x.ndim else np.full(shape[-1], x), y if y.ndim else np.full(shape[-1], y)
            )
        return of_floats

    return rule


def _int_div(x: Array, y: Array) -> Array:
    if np.ndim(y) == 0 and y > 0:
        quotient = np.floor_divide(x, y)  # rounds down; one more where the exact quotient is negative and inexact
        return quotient + ((np.remainder(x, y) != 0) & (x < 0)).astype(quotient.dtype)
    zero = y == 0
    safe = np.where(zero, np.ones_like(y), y)
    quotient = np.floor_divide(x, safe)  # rounds down; one more where the exact quotient is negative and inexact
    inexact = (np.remainder(x, safe) != 0) & ((x < 0) != (safe < 0))
    quotient = quotient + inexact.astype(quotient.dtype)
    return np.where(zero, np.invert(np.zeros_like(x)), quotient)


def _int_rem(x: Array, y: Array) -> Array:
    if np.ndim(y) == 0 and y > 0:
        return np.fmod(x, y)
    zero = y == 0
    return np.where(zero, x, np.fmod(x, np.where(zero, np.ones_like(y), y)))


def _integer_or_float(integer: Callable[..., Any], real: Callable[..., Any]) -> Callable[[Eqn, Compile], Step]:
    def rule(eqn: Eqn, compile: Compile) -> Step:
        dtype = in_dtype(eqn)
        if dtype.is_float:
            return floating(real, 2)(eqn, compile)
        if dtype.bits < 8:
            narrow = numpy_dtype(dtype)
            return lambda x, y: integer(x.astype(np.int8), y.astype(np.int8)).astype(narrow)
        return integer

    return rule


def eval_pow(eqn: Eqn, compile: Compile) -> Step:
    base, exponent = in_dtype(eqn, 0), in_dtype(eqn, 1)
    work, narrow = compute_dtype(base), numpy_dtype(out_aval(eqn).dtype)
    if base.is_float and exponent.is_float:
        return lambda x, y: np.power(x.astype(work), y.astype(work)).astype(narrow)
    if base.is_float:
        return lambda x, y: np.power(x.astype(np.float64), y.astype(np.float64)).astype(narrow)

    def integer_power(x: Array, y: Array) -> Array:
        # negative exponents have no integer value; XLA's expansion gives 1 for base 1, parity for -1, else 0
        positive = np.power(x, np.where(y < 0, np.zeros_like(y), y))
        odd = (y & 1).astype(bool)
        small = np.where(x == 1, 1, np.where((x == -1) & odd, -1, np.where(x == -1, 1, 0))).astype(positive.dtype)
        return np.where(y < 0, small, positive)

    return integer_power


def eval_nextafter(eqn: Eqn, compile: Compile) -> Step:
    dtype = in_dtype(eqn)
    if not is_narrow(dtype):
        return np.nextafter
    signed = np.dtype(f"i{dtype.bits // 8}")
    narrow = numpy_dtype(dtype)

    def step(x: Array, y: Array) -> Array:
        x, y = np.broadcast_arrays(np.asarray(x), np.asarray(y))
        wide, goal = x.astype(_F32), y.astype(_F32)
        bits = np.ascontiguousarray(x).view(signed)
        up = (goal > wide) == (wide > 0)  # away from zero
        moved = bits + np.where(up, 1, -1).astype(signed)
        tiny = np.where(goal > 0, 1, 1 | int(np.iinfo(signed).min)).astype(signed)
        moved = np.where(wide == 0, tiny, moved).astype(signed)
        out = np.where(wide == goal, np.ascontiguousarray(y).view(signed), moved).astype(signed).view(narrow)
        nan = np.isnan(wide) | np.isnan(goal)
        return np.where(nan, narrow.type(np.nan), out)

    return step


def _shift(kind: str) -> Callable[[Eqn, Compile], Step]:
    def rule(eqn: Eqn, compile: Compile) -> Step:
        dtype = in_dtype(eqn)
        width = dtype.bits
        own = numpy_dtype(dtype)
        size = max(1, width // 8)
        signed, unsigned = np.dtype(f"i{size}"), np.dtype(f"u{size}")
        mask = unsigned.type((1 << width) - 1)

        def shift(x: Array, y: Array) -> Array:
            if np.ndim(y) == 0 and width >= 8 and 0 <= int(y) < width:
                bits = np.asarray(x).view(signed if kind == "arithmetic" else unsigned)
                by = bits.dtype.type(y)
                return (bits << by if kind == "left" else bits >> by).view(own)
            amount = np.asarray(y).astype(signed).view(unsigned) & mask  # a negative amount is a large one
            inside = amount < width
            safe = np.where(inside, amount, 0).astype(unsigned)
            value = np.asarray(x).astype(signed if dtype.is_signed else unsigned)
            if kind == "arithmetic":
                last = np.where(inside, safe, width - 1).astype(unsigned)
                if width < 8:
                    value = ((value.view(signed) & 15) ^ 8) - 8
                return (value.view(signed) >> last.view(signed)).astype(own)
            bits = value.view(unsigned) & mask
            moved = bits << safe if kind == "left" else bits >> safe
            return np.where(inside, moved & mask, unsigned.type(0)).astype(unsigned).view(signed).astype(own)

        return shift

    return rule


def choose(which: Array, no: Array, yes: Array) -> Array:
    """`np.where(which, yes, no)`. It jumps at every element, so that large arrays are chosen from by their bits."""
    if max(which.size, no.size, yes.size) < _LARGE or no.dtype != yes.dtype:
        return np.where(which, yes, no)
    bits = np.dtype(f"i{no.dtype.itemsize}")
    first, second = _as_bits(no, bits), _as_bits(yes, bits)
    differ = np.bitwise_xor(first, second)
    chosen = np.multiply(which.astype(bits), differ)
    chosen ^= first
    return chosen.view(no.dtype)


def _as_bits(x: Array, bits: np.dtype[Any]) -> Array:
    """The bits of `x`; of an array that has the same value everywhere, one of them."""
    if x.ndim and not any(x.strides):
        x = x[(0,) * x.ndim]
    return np.asarray(x).view(bits)


def eval_select_n(eqn: Eqn, compile: Compile) -> Step:
    """Case `which` of several, the first or last where it is out of range; a scalar `which` picks a whole array."""
    which = eqn.inputs[0].aval
    if which.shape == () and out_aval(eqn).shape != ():
        return lambda w, *cases: cases[min(max(int(w), 0), len(cases) - 1)]
    if len(eqn.inputs) == 3 and which.dtype is BOOL:
        if which.shape == ():  # an index map's is an array when it is evaluated for all steps
            return lambda w, no, yes: np.where(w, yes, no) if getattr(w, "ndim", 0) else yes if w else no
        return choose

    def pick(w: Array, *cases: Array) -> Array:
        out = cases[0]
        for i, case in enumerate(cases[1:], 1):
            out = np.where(w >= i, case, out)
        return out

    return pick


def eval_reciprocal(eqn: Eqn, compile: Compile) -> Step:
    """1 / x. The approximate form has the precision of bf16, as JAX's interpreters have it."""
    if not dict(eqn.params).get("approx"):
        return floating(np.reciprocal)(eqn, compile)
    own = numpy_dtype(out_aval(eqn).dtype)
    bf16 = numpy_dtype(BF16)
    return lambda x: np.reciprocal(x.astype(bf16).astype(_F32)).astype(bf16).astype(_F32).astype(own)


def eval_clamp(eqn: Eqn, compile: Compile) -> Step:
    if is_narrow(in_dtype(eqn, 1)):
        narrow = numpy_dtype(out_aval(eqn).dtype)
        return lambda low, x, high: np.minimum(np.maximum(x.astype(_F32), low.astype(_F32)), high.astype(_F32)).astype(
            narrow
        )
    return lambda low, x, high: np.minimum(np.maximum(x, low), high)


def eval_multiple_of(eqn: Eqn, compile: Compile) -> Step:
    """A promise to the compiler, checked: a broken one is a finding, since the compiled kernel would rely on it."""
    values = eqn.param("values")
    assert isinstance(values, tuple)
    factors = [v for v in values if isinstance(v, int)]
    machine = compile.machine

    def check(x: Array) -> Array:
        for factor in factors:
            off = np.asarray(x) % factor != 0
            if off.any():
                first = int(np.asarray(x)[off].flat[0])
                machine.report(
                    "R305", "", f"multiple_of({factor}) is given {first} at {machine.place()}", eqn.span,
                    "drop the promise or correct the index",
                )  # fmt: skip
        return x

    return check


def _identity(eqn: Eqn, compile: Compile) -> Step:
    return lambda x: x


def _logical(eqn: Eqn, compile: Compile) -> Step:
    return bitwise(np.invert)(eqn, compile)


RULES: Rules = {
    Prim.NEG: eval_neg,
    Prim.SIGN: floating(_sign),
    Prim.FLOOR: floating(np.floor),
    Prim.CEIL: floating(np.ceil),
    Prim.ROUND: eval_round,
    Prim.EXP: floating(np.exp),
    Prim.EXP2: floating(np.exp2),
    Prim.EXPM1: floating(np.expm1),
    Prim.LOG: floating(np.log),
    Prim.LOG1P: floating(np.log1p),
    Prim.SIN: floating(np.sin),
    Prim.COS: floating(np.cos),
    Prim.TAN: floating(np.tan),
    Prim.TANH: floating(np.tanh),
    Prim.LOGISTIC: floating(_logistic),
    Prim.ERF: floating(erf),
    Prim.ERF_INV: floating(erf_inv),
    Prim.RSQRT: floating(_rsqrt),
    Prim.SQRT: floating(np.sqrt),
    Prim.CBRT: floating(np.cbrt),
    Prim.SQUARE: floating(_square),
    Prim.ABS: eval_abs,
    Prim.NOT: _logical,
    Prim.POPULATION_COUNT: eval_population_count,
    Prim.CLZ: eval_clz,
    Prim.IS_FINITE: eval_is_finite,
    Prim.INTEGER_POW: eval_integer_pow,
    Prim.RECIPROCAL: eval_reciprocal,
    Prim.STOP_GRADIENT: _identity,
    Prim.ADD: floating(np.add, 2),
    Prim.SUB: floating(np.subtract, 2),
    Prim.MUL: floating(np.multiply, 2),
    Prim.DIV: _integer_or_float(_int_div, np.divide),
    Prim.REM: _integer_or_float(_int_rem, np.fmod),
    Prim.POW: eval_pow,
    Prim.ATAN2: floating(np.arctan2, 2),
    Prim.NEXTAFTER: eval_nextafter,
    Prim.MAX: extreme(np.maximum, larger),
    Prim.MIN: extreme(np.minimum, smaller),
    Prim.AND: bitwise(np.bitwise_and),
    Prim.OR: bitwise(np.bitwise_or),
    Prim.XOR: bitwise(np.bitwise_xor),
    Prim.SHIFT_LEFT: _shift("left"),
    Prim.SHIFT_RIGHT_ARITHMETIC: _shift("arithmetic"),
    Prim.SHIFT_RIGHT_LOGICAL: _shift("logical"),
    Prim.EQ: comparing(np.equal),
    Prim.NE: comparing(np.not_equal),
    Prim.LT: comparing(np.less),
    Prim.LE: comparing(np.less_equal),
    Prim.GT: comparing(np.greater),
    Prim.GE: comparing(np.greater_equal),
    Prim.SELECT_N: eval_select_n,
    Prim.CLAMP: eval_clamp,
    Prim.MULTIPLE_OF: eval_multiple_of,
}
