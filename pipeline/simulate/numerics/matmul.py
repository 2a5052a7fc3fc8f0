"""NumPy rules: contraction. Floats are multiplied and added in f32 (f64 operands: f64) by BLAS, integers exactly.

A compiled TPU kernel rounds f32 operands to bf16 unless it is asked for full precision; this run does not, as
`interpret=True` does not.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from pipeline.dtypes import F64, DType
from pipeline.ir.jaxpr import Eqn, Prim
from pipeline.simulate.numerics.dtypes import integer_range, is_narrow, numpy_dtype, widening
from pipeline.simulate.numerics.elementwise import in_dtype, out_aval
from pipeline.simulate.numerics.rules import Compile, Rules, Step
from pipeline.simulate.numerics.rules import Value as Array


def dimension_numbers(eqn: Eqn) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Contracting axes of lhs and rhs, batch axes of lhs and rhs, of a dot_general."""
    numbers: Any = eqn.param("dimension_numbers")
    (lhs_contract, rhs_contract), (lhs_batch, rhs_batch) = numbers
    return tuple(lhs_contract), tuple(rhs_contract), tuple(lhs_batch), tuple(rhs_batch)


class Contraction(NamedTuple):
    """A dot_general as a matrix product: `left` and `right` bring the operands into its form, `product` ends it.

    Each function takes operands with any number of leading axes that both sides, or one, may have besides the
    equation's own.
    """

    left: Step
    right: Step
    product: Callable[[Array, Array], Array]


def contraction(eqn: Eqn) -> Contraction:
    """The matrix product behind a dot_general."""
    lhs_contract, rhs_contract, lhs_batch, rhs_batch = dimension_numbers(eqn)
    lhs_shape, rhs_shape = eqn.inputs[0].aval.shape, eqn.inputs[1].aval.shape
    lhs_free = tuple(i for i in range(len(lhs_shape)) if i not in lhs_contract + lhs_batch)
    rhs_free = tuple(i for i in range(len(rhs_shape)) if i not in rhs_contract + rhs_batch)
    batch = tuple(lhs_shape[i] for i in lhs_batch)
    k = prod(lhs_shape[i] for i in lhs_contract)
    m, n = prod(lhs_shape[i] for i in lhs_free), prod(rhs_shape[i] for i in rhs_free)
    out = out_aval(eqn)
    own = numpy_dtype(out.dtype)
    lhs, rhs = in_dtype(eqn, 0), in_dtype(eqn, 1)
    exact = 0  # terms that an integer's sum may have before it is rounded
    if lhs.is_float or rhs.is_float:
        work = np.dtype(np.float64 if F64 in (lhs, rhs, out.dtype) else np.float32)
    elif max(lhs.bits, rhs.bits) <= 16:
        largest = max(map(abs, integer_range(lhs))) * max(map(abs, integer_range(rhs)))
        work = np.dtype(np.float32 if largest << 6 <= 1 << 24 else np.float64)
        exact = (1 << (24 if work.itemsize == 4 else 53)) // largest
    else:
        work = own

    def arranged(given: tuple[int, ...], order: tuple[int, ...], shape: tuple[int, ...], dtype: DType) -> Step:
        rank = len(given)
        still = order == tuple(range(rank)) and given == shape
        wide = widening(dtype) if is_narrow(dtype) and work.itemsize == 4 else lambda x: x.astype(work, copy=False)

        def arrange(x: Array) -> Array:
            x = wide(x)
            if still:
                return _plain(x)
            outer = x.ndim - rank
            if outer:
                x = np.transpose(x, (*range(outer), *(outer + i for i in order)))
                return _plain(x.reshape(*x.shape[:outer], *shape))
            return _plain(np.transpose(x, order).reshape(shape))

        return arrange

    def product(x: Array, y: Array) -> Array:
        if not exact:
            result = np.matmul(x, y)
        else:
            result = _exactly(x, y, exact, np.dtype(np.int32 if own.itemsize <= 4 else np.int64))
        outer = result.ndim - len(batch) - 2
        return result.reshape((*result.shape[:outer], *out.shape)).astype(own, copy=False)

    left = arranged(lhs_shape, lhs_batch + lhs_free + lhs_contract, (*batch, m, k), lhs)
    right = arranged(rhs_shape, rhs_batch + rhs_contract + rhs_free, (*batch, k, n), rhs)
    return Contraction(left, right, product)


def _exactly(x: Array, y: Array, terms: int, total: np.dtype[Any]) -> Array:
    """The product of integers that are held as floats: so many terms at a time, as many as a float adds up exactly."""
    whole = np.dtype(np.int32 if x.dtype.itemsize == 4 else np.int64)  # holds what is exact
    found: Array = 0
    for start in range(0, max(x.shape[-1], 1), terms):
        part = slice(start, start + terms)
        found = found + np.matmul(x[..., part], y[..., part, :]).astype(whole).astype(total, copy=False)
    return found


def _plain(x: Array) -> Array:
    """`x` in a layout that BLAS takes: without, NumPy adds in its own order, and the sums would hang on the layout."""
    (m, k), (down, along), item = x.shape[-2:], x.strides[-2:], x.itemsize
    fits = (along == item and down >= k * item) or (down == item and along >= m * item)
    return x if fits else np.ascontiguousarray(x)


def eval_dot_general(eqn: Eqn, compile: Compile) -> Step:
    left, right, product = contraction(eqn)
    return lambda x, y: product(left(x), right(y))


RULES: Rules = {Prim.DOT_GENERAL: eval_dot_general}
