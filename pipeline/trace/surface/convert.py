"""Conversions: `astype`, casts, bit casts, `jnp.asarray`."""

from __future__ import annotations

from pipeline.dtypes import DType
from pipeline.ir.jaxpr import Param, Prim
from pipeline.trace.builder import Builder, Tracer, kind_of
from pipeline.trace.surface.common import (
    as_dtype,
    cast,
    convert,
    operand,
    refuse,
    result_type,
    static_int,
)
from pipeline.trace.tree import flatten


def astype(ctx: Builder, x: object, dtype: object, copy: object = False, device: object = None) -> Tracer:
    """`x.astype(dtype)`, `jnp.astype`."""
    refuse(ctx, "astype", device=device)
    return convert(ctx, operand(ctx, x, "astype"), as_dtype(ctx, dtype, "astype"))


def lax_convert(ctx: Builder, operand: object, new_dtype: object) -> Tracer:
    return astype(ctx, operand, new_dtype)


def bitcast_convert_type(ctx: Builder, operand: object, new_dtype: object) -> Tracer:
    dtype = as_dtype(ctx, new_dtype, "lax.bitcast_convert_type")
    return ctx.emit1(Prim.BITCAST_CONVERT_TYPE, [ctx.asarray(operand)], {"new_dtype": dtype})


def view(ctx: Builder, x: Tracer, dtype: object = None) -> Tracer:
    """`x.view(dtype)` to a dtype of the same width."""
    wanted = as_dtype(ctx, dtype, "view")
    if wanted.bits != x.dtype.bits:
        ctx.fail("T216", f"view from {x.dtype.name} to {wanted.name}: only equal widths are supported here")
    if wanted is x.dtype:
        return x
    return ctx.emit1(Prim.BITCAST_CONVERT_TYPE, [x], {"new_dtype": wanted})


def pack_elementwise(ctx: Builder, xs: object, *, packed_dtype: object) -> Tracer:
    """`pltpu.pack_elementwise`: narrow elements of several arrays side by side in words."""
    if not isinstance(xs, tuple | list) or not xs:
        ctx.fail("T202", f"pltpu.pack_elementwise takes a list of arrays, not {kind_of(xs)}", "[low, high]")
    dtype = as_dtype(ctx, packed_dtype, "pltpu.pack_elementwise: packed_dtype")
    return ctx.emit1(Prim.PACK_ELEMENTWISE, [ctx.asarray(x) for x in xs], {"packed_dtype": dtype})


def unpack_elementwise(
    ctx: Builder, x: object, *, index: object, packed_dtype: object, unpacked_dtype: object
) -> Tracer:
    """`pltpu.unpack_elementwise`: the narrow elements at one place of each word."""
    what = "pltpu.unpack_elementwise"
    params: dict[str, Param] = {
        "index": static_int(ctx, index, f"{what}: index"),
        "packed_dtype": as_dtype(ctx, packed_dtype, f"{what}: packed_dtype"),
        "unpacked_dtype": as_dtype(ctx, unpacked_dtype, f"{what}: unpacked_dtype"),
    }
    return ctx.emit1(Prim.UNPACK_ELEMENTWISE, [ctx.asarray(x)], params)


def asarray(ctx: Builder, a: object, dtype: object = None, *, copy: object = None) -> Tracer:
    """`jnp.asarray` of a number or array; without a dtype, a Python scalar stays weakly typed only as an operand."""
    if isinstance(a, tuple | list):
        leaves, _ = flatten(a)
        if not any(isinstance(leaf, Tracer) for leaf in leaves):
            ctx.fail(
                "T216",
                "an array made of numbers alone is a constant that a kernel cannot capture",
                "pass it as an input, or compute it: jnp.arange, jnp.full",
            )
        wanted = as_dtype(ctx, dtype, "jnp.asarray") if dtype is not None else None
        if wanted is None:
            wanted, _ = result_type(ctx, [operand(ctx, leaf, "jnp.array") for leaf in leaves], "jnp.array")
        return _array_of(ctx, a, wanted)
    value = operand(ctx, a, "jnp.asarray")
    if dtype is not None:
        return cast(ctx, value, as_dtype(ctx, dtype, "jnp.asarray"))
    return ctx.asarray(value)


def _array_of(ctx: Builder, rows: object, dtype: DType) -> Tracer:
    if not isinstance(rows, tuple | list):
        return cast(ctx, operand(ctx, rows, "jnp.array"), dtype)
    wide: list[Tracer] = []
    for row in rows:
        part = _array_of(ctx, row, dtype)
        dims = tuple(range(1, part.ndim + 1))
        wide.append(ctx.emit1(Prim.BROADCAST_IN_DIM, [part], {"shape": (1, *part.shape), "broadcast_dimensions": dims}))
    return wide[0] if len(wide) == 1 else ctx.emit1(Prim.CONCATENATE, wide, {"dimension": 0})


def array(ctx: Builder, object: object, dtype: object = None, *, copy: object = True) -> Tracer:
    """`jnp.array` of numbers, or of a list with arrays in it."""
    if isinstance(object, Tracer) and ctx.known(object) is None and copy is not False:
        ctx.fail("T216", "jnp.array of an array is a copy, which is not supported here", "use jnp.asarray")
    return asarray(ctx, object, dtype)


def dtype_object(ctx: Builder, dtype: object) -> DType:
    """`jnp.dtype("float32")`."""
    return as_dtype(ctx, dtype, "jnp.dtype")
