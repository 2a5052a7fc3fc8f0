"""Attributes and methods of arrays, refs and what surface functions give back, by tables; nothing else is reachable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeline.dtypes import DType
from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, PendingSlice, RefTracer, Tracer, kind_of
from pipeline.trace.near import near
from pipeline.trace.surface import convert, matmul, pieces, reduce, refs, select, shape, special
from pipeline.trace.surface.async_copy import AsyncCopy
from pipeline.trace.surface.common import Bound, Namespace


class At:
    """`ref.at`, waiting for its index."""

    __slots__ = ("ref",)

    def __init__(self, ref: RefTracer) -> None:
        self.ref = ref


def _method_any(ctx: Builder, a: Tracer, axis: object = None, out: object = None, keepdims: object = False) -> Tracer:
    return reduce.any_(ctx, a, axis, out, keepdims)


def _method_clip(ctx: Builder, a: Tracer, min: object = None, max: object = None) -> Tracer:
    # JAX passes the bounds by keyword, and a jit sorts those by name
    return select.clip_call(ctx, [("arr", a), ("max", max), ("min", min)])


def _method_dot(ctx: Builder, a: Tracer, b: object, *, precision: object = None,
                preferred_element_type: object = None) -> Tracer:  # fmt: skip
    return matmul.dot(ctx, a, b, precision=precision, preferred_element_type=preferred_element_type)


def _method_copy(ctx: Builder, a: Tracer) -> Tracer:
    ctx.fail("T216", "x.copy() is not supported here", "values never change: use x itself")


ARRAY_METHODS: dict[str, Callable[..., Any]] = {
    "all": reduce.all_,
    "any": _method_any,
    "argmax": reduce.arg(Prim.ARGMAX),
    "argmin": reduce.arg(Prim.ARGMIN),
    "astype": convert.astype,
    "clip": _method_clip,
    "copy": _method_copy,
    "cumsum": reduce.jnp_cumulative(Prim.CUMSUM),
    "dot": _method_dot,
    "flatten": shape.ravel,
    "max": reduce.max_,
    "mean": reduce.mean,
    "min": reduce.min_,
    "prod": reduce.prod_,
    "ravel": shape.ravel,
    "repeat": pieces.repeat,
    "reshape": shape.method_reshape,
    "round": special.round_,
    "squeeze": shape.squeeze,
    "std": reduce.std,
    "sum": reduce.sum_,
    "swapaxes": shape.swapaxes,
    "transpose": shape.method_transpose,
    "var": reduce.var,
    "view": convert.view,
}
ARRAY_PROPERTIES: dict[str, Callable[[Builder, Tracer], Any]] = {
    "T": lambda ctx, x: shape.transpose(ctx, x),
    "mT": lambda ctx, x: shape.matrix_transpose(ctx, x),
    "dtype": lambda ctx, x: x.dtype,
    "itemsize": lambda ctx, x: (x.dtype.bits + 7) // 8,
    "nbytes": lambda ctx, x: x.size * ((x.dtype.bits + 7) // 8),
    "ndim": lambda ctx, x: x.ndim,
    "shape": lambda ctx, x: x.shape,
    "size": lambda ctx, x: x.size,
    "weak_type": lambda ctx, x: x.weak_type,
}


def _get(ctx: Builder, ref: RefTracer, idx: object = ()) -> Tracer:
    return refs.get(ctx, ref, idx)


def _set(ctx: Builder, ref: RefTracer, value: object, idx: object = ()) -> None:
    refs.store(ctx, ref, idx, value)


def _swap(ctx: Builder, ref: RefTracer, value: object, idx: object = ()) -> Tracer:
    return refs.swap(ctx, ref, idx, value)


REF_METHODS: dict[str, Callable[..., Any]] = {
    "bitcast": refs.bitcast,
    "get": _get,
    "reshape": refs.reshape,
    "set": _set,
    "swap": _swap,
}
REF_PROPERTIES: dict[str, Callable[[Builder, RefTracer], Any]] = {
    "at": lambda ctx, ref: At(ref),
    "dtype": lambda ctx, ref: ref.dtype,
    "ndim": lambda ctx, ref: ref.ndim,
    "shape": lambda ctx, ref: ref.shape,
    "size": lambda ctx, ref: ref.size,
}
DTYPE_PROPERTIES: dict[str, Callable[[DType], Any]] = {
    "name": lambda dtype: dtype.name,
    "itemsize": lambda dtype: (dtype.bits + 7) // 8,
}

SLICE_PROPERTIES: dict[str, Callable[[PendingSlice], Any]] = {
    "start": lambda part: part.start,
    "size": lambda part: part.size,
    "stride": lambda part: part.stride,
}


def attribute(ctx: Builder, value: object, name: str) -> Any:
    """`value.name`. Errors: T221 where the tables have no such name."""
    if isinstance(value, Tracer):
        if name in ARRAY_PROPERTIES:
            return ARRAY_PROPERTIES[name](ctx, value)
        if name in ARRAY_METHODS:
            return Bound(ctx, f"x.{name}", ARRAY_METHODS[name], value)
        hint = "values never change: store to a ref, or choose elements with jnp.where" if name == "at" else None
        _unknown(ctx, value, name, [*ARRAY_PROPERTIES, *ARRAY_METHODS], hint)
    if isinstance(value, RefTracer):
        if name in REF_PROPERTIES:
            return REF_PROPERTIES[name](ctx, value)
        if name in REF_METHODS:
            return Bound(ctx, f"ref.{name}", REF_METHODS[name], value)
        hint = None
        if name in ARRAY_METHODS or name in ARRAY_PROPERTIES:
            hint = f"read the ref first: ref[...].{name}"
        _unknown(ctx, value, name, [*REF_PROPERTIES, *REF_METHODS], hint)
    if isinstance(value, DType):
        if name in DTYPE_PROPERTIES:
            return DTYPE_PROPERTIES[name](value)
        if name == "type":
            return value
        _unknown(ctx, value, name, list(DTYPE_PROPERTIES))
    if isinstance(value, PendingSlice):
        if name in SLICE_PROPERTIES:
            return SLICE_PROPERTIES[name](value)
        _unknown(ctx, value, name, list(SLICE_PROPERTIES))
    if isinstance(value, Namespace):
        if name in value.table:
            return value.table[name]
        _unknown(ctx, value, name, list(value.table))
    if isinstance(value, AsyncCopy):
        if name in AsyncCopy.METHODS:
            return Bound(ctx, f"copy.{name}", AsyncCopy.METHODS[name], value)
        _unknown(ctx, value, name, list(AsyncCopy.METHODS))
    _unknown(ctx, value, name, [])


def _unknown(ctx: Builder, value: object, name: str, names: list[str], hint: str | None = None) -> Any:
    shown = name if len(name) <= 40 else name[:40] + ".."
    if hint is None and names:
        hint = near(shown, names)
    ctx.fail("T221", f"{kind_of(value)} has no attribute {shown!r} here", hint)
