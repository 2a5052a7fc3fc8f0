"""Functions that make arrays: `zeros`, `full`, `iota`, `arange` and their like; questions about arrays."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, prod

from pipeline.dtypes import F32, I32, DType
from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, RefTracer, Tracer, kind_of
from pipeline.trace.surface.common import (
    Shape,
    as_dtype,
    axis_of,
    broadcast_in_dim,
    convert,
    dtype_of,
    literal,
    operand,
    refuse,
    shape_like,
    static_int,
    static_shape,
)
from pipeline.trace.surface.common import broadcast_to as to_shape


def full(ctx: Builder, shape: object, fill_value: object, dtype: object = None, *, device: object = None,
         out_sharding: object = None, sharding: object = None) -> Tracer:  # fmt: skip
    """`jnp.full`, `lax.full`: a scalar broadcast."""
    refuse(ctx, "full", device=device, out_sharding=out_sharding, sharding=sharding)
    value = operand(ctx, fill_value, "full: fill_value")
    own, weak = dtype_of(value)
    wanted = own if dtype is None else as_dtype(ctx, dtype, "full")
    scalar = convert(ctx, value, wanted, weak and dtype is None)
    return to_shape(ctx, scalar, static_shape(ctx, shape, "full"))


def _filled(ctx: Builder, shape: object, dtype: object, value: int, what: str) -> Tracer:
    wanted = F32 if dtype is None else as_dtype(ctx, dtype, what)
    return to_shape(ctx, literal(value, wanted), static_shape(ctx, shape, what))


def zeros(ctx: Builder, shape: object, dtype: object = None, *, device: object = None) -> Tracer:
    refuse(ctx, "jnp.zeros", device=device)
    return _filled(ctx, shape, dtype, 0, "jnp.zeros")


def ones(ctx: Builder, shape: object, dtype: object = None, *, device: object = None) -> Tracer:
    refuse(ctx, "jnp.ones", device=device)
    return _filled(ctx, shape, dtype, 1, "jnp.ones")


def full_like(ctx: Builder, a: object, fill_value: object, dtype: object = None, shape: object = None) -> Tracer:
    """`jnp.full_like`, `lax.full_like` of an array or a ref."""
    own_shape, own, weak = shape_like(ctx, a, "full_like")
    wanted = own if dtype is None else as_dtype(ctx, dtype, "full_like")
    scalar = convert(ctx, operand(ctx, fill_value, "full_like"), wanted, weak and dtype is None)
    return to_shape(ctx, scalar, own_shape if shape is None else static_shape(ctx, shape, "full_like"))


def zeros_like(ctx: Builder, a: object, dtype: object = None, shape: object = None) -> Tracer:
    return full_like(ctx, a, 0, dtype, shape)


def ones_like(ctx: Builder, a: object, dtype: object = None, shape: object = None) -> Tracer:
    return full_like(ctx, a, 1, dtype, shape)


def iota(ctx: Builder, dtype: object, size: object) -> Tracer:
    """`lax.iota`."""
    return emit_iota(ctx, as_dtype(ctx, dtype, "lax.iota"), (static_int(ctx, size, "lax.iota: the size"),), 0)


def broadcasted_iota(ctx: Builder, dtype: object, shape: object, dimension: object, *,
                     out_sharding: object = None) -> Tracer:  # fmt: skip
    """`lax.broadcasted_iota`: positions along one axis of `shape`."""
    refuse(ctx, "lax.broadcasted_iota", out_sharding=out_sharding)
    sizes = static_shape(ctx, shape, "lax.broadcasted_iota")
    axis = axis_of(ctx, dimension, len(sizes), "lax.broadcasted_iota")
    return emit_iota(ctx, as_dtype(ctx, dtype, "lax.broadcasted_iota"), sizes, axis)


def emit_iota(ctx: Builder, dtype: DType, shape: Shape, axis: int) -> Tracer:
    if not dtype.is_integer and not dtype.is_float:
        ctx.fail("T203", f"iota counts in integers or floats, not {dtype.name}")
    return ctx.emit1(Prim.IOTA, [], {"dtype": dtype, "shape": shape, "dimension": axis})


def arange(ctx: Builder, start: object, stop: object = None, step: object = None, dtype: object = None) -> Tracer:
    """`jnp.arange` of static numbers."""
    given = [value for value in (start, stop, step) if value is not None]
    for value in given:
        if isinstance(value, Tracer):
            ctx.fail("T215", f"jnp.arange takes static numbers, not a traced one ({value.aval})",
                     "use lax.broadcasted_iota and add the start")  # fmt: skip
        if isinstance(value, bool) or not isinstance(value, int | float):
            ctx.fail("T202", f"jnp.arange takes numbers, not {kind_of(value)}")
    numbers = [value for value in given if isinstance(value, int | float)]
    wanted = F32 if any(isinstance(value, float) for value in numbers) else I32
    if dtype is not None:
        wanted = as_dtype(ctx, dtype, "jnp.arange")
    stride = numbers.pop() if step is not None else 1
    first, last = numbers if len(numbers) == 2 else (0, numbers[0])
    if stride == 0:
        ctx.fail("T202", "jnp.arange: the step is 0")
    try:
        size = max(ceil((last - first) / stride), 0)
    except (OverflowError, ValueError):
        ctx.fail("T202", "jnp.arange: the bounds do not give a finite number of elements")
    positions = emit_iota(ctx, wanted, (size,), 0)
    if step is not None:
        positions = ctx.emit1(Prim.MUL, [literal(stride, wanted), positions])
    elif first == 0:
        return positions
    return ctx.emit1(Prim.ADD, [literal(first, wanted), positions])


def triangle(name: str) -> Callable[..., Tracer]:
    """`jnp.tril`, `jnp.triu`: elements on one side of a diagonal, the others 0."""

    def jnp_fn(ctx: Builder, m: object, k: object = 0) -> Tracer:
        value = ctx.asarray(operand(ctx, m, f"jnp.{name}"))
        if value.ndim < 2:
            ctx.fail("T204", f"jnp.{name} takes rank 2 or more, not {value.aval}")
        offset = static_int(ctx, k, f"jnp.{name}: k")

        def body(x: Tracer) -> Tracer:
            matrix = x.shape[-2:]
            rows = emit_iota(ctx, I32, matrix, 0)
            shifted = ctx.emit1(Prim.ADD, [rows, literal(offset if name == "tril" else offset - 1, I32)])
            mask = ctx.emit1(Prim.GE, [shifted, emit_iota(ctx, I32, matrix, 1)])
            if x.ndim > 2:
                mask = broadcast_in_dim(ctx, mask, x.shape, (x.ndim - 2, x.ndim - 1))
            zero = broadcast_in_dim(ctx, literal(0, x.dtype, x.weak_type), x.shape, ())
            lower, upper = (x, zero) if name == "tril" else (zero, x)
            return ctx.emit1(Prim.SELECT_N, [mask, upper, lower])

        (out,) = ctx.jit(name, body, value)
        return out

    return jnp_fn


def size_of(ctx: Builder, a: object, axis: object = None) -> int:
    shape, _, _ = shape_like(ctx, a, "jnp.size")
    return prod(shape) if axis is None else shape[axis_of(ctx, axis, len(shape), "jnp.size")]


def ndim_of(ctx: Builder, a: object) -> int:
    return len(shape_like(ctx, a, "jnp.ndim")[0])


def shape_tuple(ctx: Builder, a: object) -> Shape:
    return shape_like(ctx, a, "jnp.shape")[0]


def result_dtype(ctx: Builder, *args: object) -> DType:
    """`jnp.result_type` of arrays, refs, numbers and dtypes."""
    from pipeline.ir.jaxpr import Literal, ShapedArray
    from pipeline.trace.surface.common import result_type

    values: list[object] = []
    for arg in args:
        if isinstance(arg, DType | str):
            values.append(Tracer(Literal(0, ShapedArray((), as_dtype(ctx, arg, "jnp.result_type")))))
        elif isinstance(arg, RefTracer):
            values.append(Tracer(Literal(0, ShapedArray((), arg.dtype))))
        else:
            values.append(operand(ctx, arg, "jnp.result_type"))
    if not values:
        ctx.fail("T201", "jnp.result_type takes at least one argument")
    return result_type(ctx, values, "jnp.result_type")[0]  # type: ignore[arg-type]
