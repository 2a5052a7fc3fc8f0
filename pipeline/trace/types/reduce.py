"""Abstract rules: reductions and cumulative operations."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.dtypes import BOOL, DType
from pipeline.errors import Span
from pipeline.ir.jaxpr import Aval, Param, Prim, ShapedArray
from pipeline.trace.types.common import Rule, fail, param_ints, value


def _without(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for axis, n in enumerate(shape) if axis not in axes)


def type_reduce(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Sum, product, max, min over `axes`; the dtype stays."""
    array = value(avals[0], span)
    return (ShapedArray(_without(array.shape, param_ints(params["axes"])), array.dtype, array.weak_type),)


def type_reduce_bits(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """and, or over `axes` of bools or integers."""
    array = value(avals[0], span)
    if array.dtype is not BOOL and not array.dtype.is_integer:
        fail("T203", f"this reduction takes bools or integers, not {array.dtype.name}", span)
    return (ShapedArray(_without(array.shape, param_ints(params["axes"])), array.dtype, array.weak_type),)


def type_arg(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """argmax, argmin over one axis: positions of `index_dtype`."""
    array = value(avals[0], span)
    dtype = params["index_dtype"]
    assert isinstance(dtype, DType)
    axes = param_ints(params["axes"])
    if any(array.shape[axis] == 0 for axis in axes):
        fail("T204", f"no position to find along an empty axis of {array}", span)
    return (ShapedArray(_without(array.shape, axes), dtype),)


def type_cumulative(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """cumsum and its like: shape and dtype stay."""
    array = value(avals[0], span)
    return (ShapedArray(array.shape, array.dtype, array.weak_type),)


RULES: dict[Prim, Rule] = {
    **dict.fromkeys((Prim.REDUCE_SUM, Prim.REDUCE_MAX, Prim.REDUCE_MIN, Prim.REDUCE_PROD), type_reduce),
    **dict.fromkeys((Prim.REDUCE_AND, Prim.REDUCE_OR), type_reduce_bits),
    **dict.fromkeys((Prim.ARGMAX, Prim.ARGMIN), type_arg),
    **dict.fromkeys((Prim.CUMSUM, Prim.CUMPROD, Prim.CUMMAX, Prim.CUMMIN), type_cumulative),
}
