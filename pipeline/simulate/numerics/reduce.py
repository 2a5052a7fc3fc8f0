"""NumPy rules: reductions and scans along axes. Narrow floats are accumulated in f32 and rounded once at the end.

NumPy adds in an order that depends on the layout in memory, so that a float's sum is made of a contiguous array: the
same numbers then have the same sum, however they came to lie.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeline.dtypes import BOOL
from pipeline.ir.jaxpr import Eqn, Prim
from pipeline.simulate.numerics.dtypes import accumulator, is_narrow, numpy_dtype
from pipeline.simulate.numerics.elementwise import in_dtype, out_aval, signed_zeros
from pipeline.simulate.numerics.rules import Compile, Rules, Step
from pipeline.simulate.numerics.rules import Value as Array


def _axes(eqn: Eqn) -> tuple[int, ...]:
    axes = eqn.param("axes")
    assert isinstance(axes, tuple)
    return tuple(axis for axis in axes if isinstance(axis, int))


def _highest(x: Array, axis: Any) -> Array:
    """The largest along axes; of zeros a positive one, if there is one, where NumPy takes any."""
    result = np.maximum.reduce(x, axis=axis)
    if result.all():
        return result
    return signed_zeros(result, np.logical_or.reduce((x == 0) & ~np.signbit(x), axis=axis), 0.0)


def _lowest(x: Array, axis: Any) -> Array:
    result = np.minimum.reduce(x, axis=axis)
    if result.all():
        return result
    return signed_zeros(result, np.logical_or.reduce((x == 0) & np.signbit(x), axis=axis), -0.0)


def _highest_yet(x: Array, axis: int, dtype: Any) -> Array:
    result = np.maximum.accumulate(x, axis=axis)
    if dtype.kind != "f" or result.all():
        return result
    return signed_zeros(result, np.logical_or.accumulate((x == 0) & ~np.signbit(x), axis=axis), 0.0)


def _lowest_yet(x: Array, axis: int, dtype: Any) -> Array:
    result = np.minimum.accumulate(x, axis=axis)
    if dtype.kind != "f" or result.all():
        return result
    return signed_zeros(result, np.logical_or.accumulate((x == 0) & np.signbit(x), axis=axis), -0.0)


_OF_FLOATS = {np.maximum.reduce: _highest, np.minimum.reduce: _lowest}


def reducing(function: Callable[..., Any]) -> Callable[[Eqn, Compile], Step]:
    """Rule for a reduction by `function(x, axis=, dtype=)` or, for an order, `function(x, axis=)`."""
    summing = function in (np.add.reduce, np.multiply.reduce)

    def rule(eqn: Eqn, compile: Compile) -> Step:
        axes = _axes(eqn)
        dtype = in_dtype(eqn)
        own, wide = numpy_dtype(dtype), accumulator(dtype)
        if dtype.is_float:
            of_floats = _OF_FLOATS.get(function, function)
            if is_narrow(dtype):
                return lambda x: of_floats(x.astype(wide, order="C"), axis=axes).astype(own)
            return lambda x: of_floats(x if x.flags.c_contiguous else x.copy(), axis=axes)
        if dtype.bits < 8 and dtype is not BOOL:
            return lambda x: function(x.astype(np.int64), axis=axes).astype(own)
        if summing:
            return lambda x: function(x, axis=axes, dtype=own)  # NumPy would widen a sum of small integers
        return lambda x: function(x, axis=axes)

    return rule


def arg_reducing(function: Callable[..., Any]) -> Callable[[Eqn, Compile], Step]:
    """Rule for argmax and argmin: the first of equals; a NaN wins."""

    def rule(eqn: Eqn, compile: Compile) -> Step:
        (axis,) = _axes(eqn)
        out = numpy_dtype(out_aval(eqn).dtype)
        dtype = in_dtype(eqn)
        if is_narrow(dtype):
            return lambda x: function(x.astype(np.float32), axis=axis).astype(out)
        return lambda x: function(x, axis=axis).astype(out)

    return rule


def scanning(function: Callable[..., Any]) -> Callable[[Eqn, Compile], Step]:
    """Rule for cumsum and its kin, `function(x, axis=, dtype=)`."""

    def rule(eqn: Eqn, compile: Compile) -> Step:
        axis, reverse = eqn.param("axis"), bool(eqn.param("reverse"))
        assert isinstance(axis, int)
        dtype = in_dtype(eqn)
        own, wide = numpy_dtype(dtype), accumulator(dtype)

        def scan(x: Array) -> Array:
            x = x.astype(wide)
            if reverse:
                return np.flip(function(np.flip(x, axis), axis=axis, dtype=wide), axis).astype(own)
            return function(x, axis=axis, dtype=wide).astype(own)

        return scan

    return rule


RULES: Rules = {
    Prim.REDUCE_SUM: reducing(np.add.reduce),
    Prim.REDUCE_PROD: reducing(np.multiply.reduce),
    Prim.REDUCE_MAX: reducing(np.maximum.reduce),
    Prim.REDUCE_MIN: reducing(np.minimum.reduce),
    Prim.REDUCE_AND: reducing(np.bitwise_and.reduce),
    Prim.REDUCE_OR: reducing(np.bitwise_or.reduce),
    Prim.ARGMAX: arg_reducing(np.argmax),
    Prim.ARGMIN: arg_reducing(np.argmin),
    Prim.CUMSUM: scanning(np.add.accumulate),
    Prim.CUMPROD: scanning(np.multiply.accumulate),
    Prim.CUMMAX: scanning(_highest_yet),
    Prim.CUMMIN: scanning(_lowest_yet),
}
