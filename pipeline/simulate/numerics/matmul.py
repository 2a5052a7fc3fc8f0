"""NumPy rules: contraction. Floats are multiplied and added in f32 (f64 operands: f64) by BLAS, integers exactly.

A compiled TPU kernel rounds f32 operands to bf16 unless it is asked for full precision; this run does not, as
`interpret=True` does not.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from pipeline.dtypes import F64
from pipeline.ir.jaxpr import Eqn, Prim
from pipeline.simulate.numerics.dtypes import numpy_dtype
from pipeline.simulate.numerics.elementwise import in_dtype, out_aval
from pipeline.simulate.numerics.rules import Compile, Rules, Step
from pipeline.simulate.numerics.rules import Value as Array


def dimension_numbers(eqn: Eqn) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Contracting axes of lhs and rhs, batch axes of lhs and rhs, of a dot_general."""
    numbers: Any = eqn.param("dimension_numbers")
    (lhs_contract, rhs_contract), (lhs_batch, rhs_batch) = numbers
    return tuple(lhs_contract), tuple(rhs_contract), tuple(lhs_batch), tuple(rhs_batch)


def eval_dot_general(eqn: Eqn, compile: Compile) -> Step:
    lhs_contract, rhs_contract, lhs_batch, rhs_batch = dimension_numbers(eqn)
    lhs_shape, rhs_shape = eqn.inputs[0].aval.shape, eqn.inputs[1].aval.shape
    lhs_free = tuple(i for i in range(len(lhs_shape)) if i not in lhs_contract + lhs_batch)
    rhs_free = tuple(i for i in range(len(rhs_shape)) if i not in rhs_contract + rhs_batch)
    batch = tuple(lhs_shape[i] for i in lhs_batch)
    k = prod(lhs_shape[i] for i in lhs_contract)
    m, n = prod(lhs_shape[i] for i in lhs_free), prod(rhs_shape[i] for i in rhs_free)
    lhs_order, rhs_order = lhs_batch + lhs_free + lhs_contract, rhs_batch + rhs_contract + rhs_free
    out = out_aval(eqn)
    own = numpy_dtype(out.dtype)
    lhs, rhs = in_dtype(eqn, 0), in_dtype(eqn, 1)
    if lhs.is_float or rhs.is_float:
        work = np.dtype(np.float64 if F64 in (lhs, rhs, out.dtype) else np.float32)
    elif max(lhs.bits, rhs.bits) <= 16:
        work = np.dtype(np.float64)  # exact below 2^53: products of 16 bits, up to 2^21 of them
    else:
        work = own
    exact_then_wrap = work.kind == "f" and not out.dtype.is_float

    def dot(x: Array, y: Array) -> Array:
        x = np.transpose(x.astype(work, copy=False), lhs_order).reshape(*batch, m, k)
        y = np.transpose(y.astype(work, copy=False), rhs_order).reshape(*batch, k, n)
        result = np.matmul(x, y)
        if exact_then_wrap:
            result = result.astype(np.int64)
        return result.reshape(out.shape).astype(own, copy=False)

    return dot


RULES: Rules = {Prim.DOT_GENERAL: eval_dot_general}
