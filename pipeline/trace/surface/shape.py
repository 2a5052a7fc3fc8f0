"""Functions that change an array's shape or the order of its axes, and broadcast it."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, Tracer
from pipeline.trace.surface.common import (
    Shape,
    axes_of,
    axis_of,
    broadcast_in_dim,
    broadcast_shapes,
    operand,
    refuse,
    static_ints,
    static_shape,
)
from pipeline.trace.surface.common import broadcast_to as to_shape


def reshape_to(ctx: Builder, value: Tracer, shape: Shape) -> Tracer:
    """`value` under `shape`; nothing is emitted where it has that already."""
    if value.shape == shape:
        return value
    return ctx.emit1(Prim.RESHAPE, [value], {"new_sizes": shape, "dimensions": None})


def _sizes(ctx: Builder, given: object, size: int, what: str) -> Shape:
    """A shape that may have one -1 in it."""
    sizes = list(static_ints(ctx, given, f"{what}: the shape"))
    if sizes.count(-1) > 1:
        ctx.fail("T204", f"{what}: shape {sizes} has more than one -1")
    if -1 in sizes:
        rest = -prod(sizes)
        if rest == 0 or size % rest:
            ctx.fail("T204", f"{what}: {size} elements do not divide into shape {sizes}")
        sizes[sizes.index(-1)] = size // rest
    if any(n < 0 for n in sizes):
        ctx.fail("T204", f"{what}: shape {sizes} has a negative size")
    if prod(sizes) != size:
        ctx.fail("T204", f"{what}: shape {sizes} has {prod(sizes)} elements, the array {size}")
    return tuple(sizes)


def reshape(ctx: Builder, a: object, shape: object, order: object = "C", *, copy: object = None) -> Tracer:
    """`jnp.reshape`."""
    if order != "C":
        ctx.fail("T216", "reshape: only order='C' is supported here")
    value = ctx.asarray(operand(ctx, a, "reshape"))
    return reshape_to(ctx, value, _sizes(ctx, shape, value.size, "reshape"))


def lax_reshape(ctx: Builder, operand: object, new_sizes: object, dimensions: object = None) -> Tracer:
    refuse(ctx, "lax.reshape", dimensions=dimensions)
    return reshape(ctx, operand, new_sizes)


def method_reshape(ctx: Builder, a: Tracer, *shape: object, order: object = "C") -> Tracer:
    return reshape(ctx, a, shape[0] if len(shape) == 1 else shape, order)


def ravel(ctx: Builder, a: object, order: object = "C") -> Tracer:
    value = ctx.asarray(operand(ctx, a, "ravel"))
    return reshape(ctx, value, (value.size,), order)


def transpose(ctx: Builder, a: object, axes: object = None) -> Tracer:
    """`jnp.transpose`, `lax.transpose`: all axes reversed by default."""
    value = ctx.asarray(operand(ctx, a, "transpose"))
    order = tuple(reversed(range(value.ndim))) if axes is None else axes_of(ctx, axes, value.ndim, "transpose")
    if len(order) != value.ndim:
        ctx.fail("T205", f"transpose: {len(order)} axes for {value.aval} of rank {value.ndim}")
    if order == tuple(range(value.ndim)):
        return value
    return ctx.emit1(Prim.TRANSPOSE, [value], {"permutation": order})


def lax_transpose(ctx: Builder, operand: object, permutation: object) -> Tracer:
    return transpose(ctx, operand, permutation)


def method_transpose(ctx: Builder, a: Tracer, *axes: object) -> Tracer:
    if not axes:
        return transpose(ctx, a)
    return transpose(ctx, a, axes[0] if len(axes) == 1 and isinstance(axes[0], tuple | list) else axes)


def matrix_transpose(ctx: Builder, x: object) -> Tracer:
    value = ctx.asarray(operand(ctx, x, "matrix_transpose"))
    if value.ndim < 2:
        ctx.fail("T204", f"the last two axes of {value.aval} cannot be swapped: rank {value.ndim}")
    return swapaxes(ctx, value, -1, -2)


def swapaxes(ctx: Builder, a: object, axis1: object, axis2: object) -> Tracer:
    value = ctx.asarray(operand(ctx, a, "swapaxes"))
    first, second = (axis_of(ctx, axis, value.ndim, "swapaxes") for axis in (axis1, axis2))
    order = list(range(value.ndim))
    order[first], order[second] = order[second], order[first]
    return transpose(ctx, value, tuple(order))


def moveaxis(ctx: Builder, a: object, source: object, destination: object) -> Tracer:
    value = ctx.asarray(operand(ctx, a, "moveaxis"))
    origins = axes_of(ctx, source, value.ndim, "moveaxis")
    places = axes_of(ctx, destination, value.ndim, "moveaxis")
    if len(origins) != len(places):
        ctx.fail("T205", f"moveaxis: {len(origins)} source axes for {len(places)} destinations")
    order = [axis for axis in range(value.ndim) if axis not in origins]
    for place, origin in sorted(zip(places, origins, strict=True)):
        order.insert(place, origin)
    return transpose(ctx, value, tuple(order))


def expand_dims(ctx: Builder, a: object, axis: object) -> Tracer:
    """`jnp.expand_dims`, `lax.expand_dims`: new axes of 1."""
    value = ctx.asarray(operand(ctx, a, "expand_dims"))
    given = axis if isinstance(axis, tuple | list) else (axis,)
    rank = value.ndim + len(given)
    axes = axes_of(ctx, tuple(given), rank, "expand_dims")
    return insert_axes(ctx, value, axes)


def insert_axes(ctx: Builder, value: Tracer, axes: Sequence[int]) -> Tracer:
    """New axes of 1 at `axes` of the result."""
    if not axes:
        return value
    rank = value.ndim + len(axes)
    kept = [axis for axis in range(rank) if axis not in axes]
    sizes = iter(value.shape)
    shape = tuple(1 if axis in axes else next(sizes) for axis in range(rank))
    return ctx.emit1(Prim.BROADCAST_IN_DIM, [value], {"shape": shape, "broadcast_dimensions": tuple(kept)})


def lax_expand_dims(ctx: Builder, array: object, dimensions: object) -> Tracer:
    return expand_dims(ctx, array, dimensions)


def squeeze(ctx: Builder, a: object, axis: object = None) -> Tracer:
    """`jnp.squeeze`: all axes of 1 by default."""
    value = ctx.asarray(operand(ctx, a, "squeeze"))
    if axis is None:
        axes = tuple(k for k, n in enumerate(value.shape) if n == 1)
    else:
        axes = tuple(sorted(axes_of(ctx, axis, value.ndim, "squeeze")))
    return ctx.emit1(Prim.SQUEEZE, [value], {"dimensions": axes}) if axes else value


def lax_squeeze(ctx: Builder, array: object, dimensions: object) -> Tracer:
    return squeeze(ctx, array, dimensions)


def broadcast_to(ctx: Builder, array: object, shape: object) -> Tracer:
    """`jnp.broadcast_to`."""
    value = ctx.asarray(operand(ctx, array, "jnp.broadcast_to"))
    return to_shape(ctx, value, static_shape(ctx, shape, "jnp.broadcast_to"))


def broadcast_arrays(ctx: Builder, *args: object) -> list[Tracer]:
    values = [ctx.asarray(operand(ctx, arg, "jnp.broadcast_arrays")) for arg in args]
    shape = broadcast_shapes(ctx, [value.shape for value in values], "jnp.broadcast_arrays")
    return [to_shape(ctx, value, shape) for value in values]


def lax_broadcast(ctx: Builder, operand: object, sizes: object) -> Tracer:
    """`lax.broadcast`: new leading axes."""
    value = ctx.asarray(operand)
    leading = static_shape(ctx, sizes, "lax.broadcast")
    return broadcast_in_dim(ctx, value, (*leading, *value.shape), range(len(leading), len(leading) + value.ndim))


def lax_broadcast_in_dim(ctx: Builder, operand: object, shape: object, broadcast_dimensions: object) -> Tracer:
    value = ctx.asarray(operand)
    dims = static_ints(ctx, broadcast_dimensions, "lax.broadcast_in_dim: broadcast_dimensions")
    sizes = static_shape(ctx, shape, "lax.broadcast_in_dim")
    if value.shape == sizes and dims == tuple(range(len(sizes))):
        return value
    return ctx.emit1(Prim.BROADCAST_IN_DIM, [value], {"shape": sizes, "broadcast_dimensions": dims})
