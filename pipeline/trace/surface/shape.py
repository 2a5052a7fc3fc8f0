"""Functions that make, move, cut and join arrays without computing with their elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil, prod

from pipeline.dtypes import F32, I32, DType
from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, RefTracer, Tracer, kind_of
from pipeline.trace.surface.common import (
    Shape,
    as_dtype,
    axes_of,
    axis_of,
    broadcast_in_dim,
    broadcast_shapes,
    convert,
    dtype_of,
    literal,
    operand,
    promote,
    refuse,
    shape_like,
    static_int,
    static_ints,
    static_shape,
)
from pipeline.trace.surface.common import broadcast_to as to_shape

# making


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
    return _iota(ctx, as_dtype(ctx, dtype, "lax.iota"), (static_int(ctx, size, "lax.iota: the size"),), 0)


def broadcasted_iota(ctx: Builder, dtype: object, shape: object, dimension: object, *,
                     out_sharding: object = None) -> Tracer:  # fmt: skip
    """`lax.broadcasted_iota`: positions along one axis of `shape`."""
    refuse(ctx, "lax.broadcasted_iota", out_sharding=out_sharding)
    sizes = static_shape(ctx, shape, "lax.broadcasted_iota")
    axis = axis_of(ctx, dimension, len(sizes), "lax.broadcasted_iota")
    return _iota(ctx, as_dtype(ctx, dtype, "lax.broadcasted_iota"), sizes, axis)


def _iota(ctx: Builder, dtype: DType, shape: Shape, axis: int) -> Tracer:
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
    positions = _iota(ctx, wanted, (size,), 0)
    if step is not None:
        positions = ctx.emit1(Prim.MUL, [literal(stride, wanted), positions])
    elif first == 0:
        return positions
    return ctx.emit1(Prim.ADD, [literal(first, wanted), positions])


# the shape


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


# joining and cutting


def _arrays(ctx: Builder, arrays: object, what: str) -> list[Tracer]:
    if not isinstance(arrays, tuple | list):
        ctx.fail("T202", f"{what} takes a list of arrays, not {kind_of(arrays)}")
    if not arrays:
        ctx.fail("T202", f"{what} takes at least one array")
    return promote(ctx, what, *arrays)


def concatenate(ctx: Builder, arrays: object, axis: object = 0, dtype: object = None) -> Tracer:
    """`jnp.concatenate`, with promotion."""
    refuse(ctx, "jnp.concatenate", dtype=dtype)
    values = _arrays(ctx, arrays, "jnp.concatenate")
    if axis is None:
        values, axis = [ravel(ctx, value) for value in values], 0
    if values[0].ndim == 0:
        ctx.fail("T204", "jnp.concatenate does not join scalars", "use jnp.stack")
    return _concatenate(ctx, values, axis_of(ctx, axis, values[0].ndim, "jnp.concatenate"))


def _concatenate(ctx: Builder, values: list[Tracer], axis: int) -> Tracer:
    if len(values) == 1:
        return values[0]
    return ctx.emit1(Prim.CONCATENATE, values, {"dimension": axis})


def lax_concatenate(ctx: Builder, operands: object, dimension: object) -> Tracer:
    if not isinstance(operands, tuple | list) or not operands:
        ctx.fail("T202", f"lax.concatenate takes a list of arrays, not {kind_of(operands)}")
    values = [ctx.asarray(value) for value in operands]
    return _concatenate(ctx, values, axis_of(ctx, dimension, values[0].ndim, "lax.concatenate"))


def stack(ctx: Builder, arrays: object, axis: object = 0, out: object = None, dtype: object = None) -> Tracer:
    """`jnp.stack`: a new axis."""
    refuse(ctx, "jnp.stack", out=out, dtype=dtype)
    values = _arrays(ctx, arrays, "jnp.stack")
    return ctx.emit1(Prim.STACK, values, {"axis": axis_of(ctx, axis, values[0].ndim + 1, "jnp.stack")})


def split(ctx: Builder, ary: object, indices_or_sections: object, axis: object = 0) -> list[Tracer]:
    """`jnp.split` into equal parts, or at positions."""
    value = ctx.asarray(operand(ctx, ary, "jnp.split"))
    place = axis_of(ctx, axis, value.ndim, "jnp.split")
    size = value.shape[place]
    if isinstance(indices_or_sections, tuple | list):
        cuts = [0, *static_ints(ctx, indices_or_sections, "jnp.split: positions"), size]
        cuts = [min(n + size if n < 0 else n, size) for n in cuts]
        sizes = tuple(max(b - a, 0) for a, b in pairwise(cuts))
    else:
        parts = static_int(ctx, indices_or_sections, "jnp.split: the number of parts")
        if parts <= 0 or size % parts:
            ctx.fail("T204", f"jnp.split: {size} elements do not split into {parts} equal parts")
        sizes = (size // parts,) * parts
    return ctx.emit(Prim.SPLIT, [value], {"axis": place, "sizes": sizes})


def lax_split(ctx: Builder, operand: object, sizes: object, axis: object = 0) -> list[Tracer]:
    value = ctx.asarray(operand)
    place = axis_of(ctx, axis, value.ndim, "lax.split")
    return ctx.emit(Prim.SPLIT, [value], {"axis": place, "sizes": static_shape(ctx, sizes, "lax.split")})


def tile(ctx: Builder, A: object, reps: object) -> Tracer:
    """`jnp.tile`."""
    value = ctx.asarray(operand(ctx, A, "jnp.tile"))
    counts = static_shape(ctx, reps, "jnp.tile: reps")
    counts = (1,) * (value.ndim - len(counts)) + counts
    if len(counts) > value.ndim:
        value = insert_axes(ctx, value, range(len(counts) - value.ndim))
    return ctx.emit1(Prim.TILE, [value], {"reps": counts})


def lax_tile(ctx: Builder, operand: object, reps: object) -> Tracer:
    value = ctx.asarray(operand)
    counts = static_shape(ctx, reps, "lax.tile: reps")
    if len(counts) != value.ndim:
        ctx.fail("T204", f"lax.tile: {len(counts)} reps for {value.aval} of rank {value.ndim}")
    return ctx.emit1(Prim.TILE, [value], {"reps": counts})


def repeat(ctx: Builder, a: object, repeats: object, axis: object = None, *,
           total_repeat_length: object = None) -> Tracer:  # fmt: skip
    """`jnp.repeat` by one static count."""
    refuse(ctx, "jnp.repeat", total_repeat_length=total_repeat_length)
    value = ctx.asarray(operand(ctx, a, "jnp.repeat"))
    count = static_int(ctx, repeats, "jnp.repeat: repeats")
    if count < 0:
        ctx.fail("T204", f"jnp.repeat: {count} repeats")
    if axis is None:
        value, axis = ravel(ctx, value), 0
    place = axis_of(ctx, axis, value.ndim, "jnp.repeat")
    before, size, after = value.shape[:place], value.shape[place], value.shape[place + 1 :]
    kept = [k if k <= place else k + 1 for k in range(value.ndim)]
    wide = broadcast_in_dim(ctx, value, (*before, size, count, *after), kept)
    return reshape_to(ctx, wide, (*before, size * count, *after))


def lax_slice(ctx: Builder, operand: object, start_indices: object, limit_indices: object,
              strides: object = None) -> Tracer:  # fmt: skip
    starts = static_ints(ctx, start_indices, "lax.slice: starts")
    limits = static_ints(ctx, limit_indices, "lax.slice: limits")
    steps = None if strides is None else static_ints(ctx, strides, "lax.slice: strides")
    return ctx.emit1(
        Prim.SLICE, [ctx.asarray(operand)], {"start_indices": starts, "limit_indices": limits, "strides": steps}
    )


def slice_in_dim(ctx: Builder, operand: object, start_index: object, limit_index: object, stride: object = 1,
                 axis: object = 0) -> Tracer:  # fmt: skip
    """`lax.slice_in_dim`: a slice of one axis; negative positions count from the end."""
    value = ctx.asarray(operand)
    place = axis_of(ctx, axis, value.ndim, "lax.slice_in_dim")
    size = value.shape[place]
    start = 0 if start_index is None else static_int(ctx, start_index, "lax.slice_in_dim: the start")
    limit = size if limit_index is None else static_int(ctx, limit_index, "lax.slice_in_dim: the limit")
    start, limit = (n + size if n < 0 else n for n in (start, limit))
    starts, limits, strides = [0] * value.ndim, list(value.shape), [1] * value.ndim
    starts[place], limits[place] = start, limit
    strides[place] = static_int(ctx, stride, "lax.slice_in_dim: the stride")
    return lax_slice(ctx, value, tuple(starts), tuple(limits), tuple(strides))


def index_in_dim(ctx: Builder, operand: object, index: object, axis: object = 0, keepdims: object = True) -> Tracer:
    """`lax.index_in_dim`: one position of one axis."""
    value = ctx.asarray(operand)
    place = axis_of(ctx, axis, value.ndim, "lax.index_in_dim")
    size = value.shape[place]
    at = static_int(ctx, index, "lax.index_in_dim: the index")
    if not -size <= at < size:
        ctx.fail("T206", f"lax.index_in_dim: index {at} is out of range for axis {place} of {value.aval}")
    at %= size
    out = slice_in_dim(ctx, value, at, at + 1, 1, place)
    return out if keepdims else squeeze(ctx, out, place)


def flip(ctx: Builder, m: object, axis: object = None) -> Tracer:
    value = operand(ctx, m, "jnp.flip")

    def body(x: Tracer) -> Tracer:
        return ctx.emit1(Prim.REV, [x], {"dimensions": axes_of(ctx, axis, x.ndim, "jnp.flip")})

    (out,) = ctx.jit("_flip", body, value)
    return out


def lax_rev(ctx: Builder, operand: object, dimensions: object) -> Tracer:
    value = ctx.asarray(operand)
    return ctx.emit1(Prim.REV, [value], {"dimensions": axes_of(ctx, dimensions, value.ndim, "lax.rev")})


def lax_pad(ctx: Builder, operand: object, padding_value: object, padding_config: object) -> Tracer:
    if not isinstance(padding_config, tuple | list):
        ctx.fail("T202", f"lax.pad: the padding is {kind_of(padding_config)}, where a tuple of triples is needed")
    config = tuple(static_ints(ctx, entry, "lax.pad: padding") for entry in padding_config)
    if any(len(entry) != 3 for entry in config):
        ctx.fail("T202", "lax.pad: each axis takes (low, high, interior)")
    return ctx.emit1(Prim.PAD, [ctx.asarray(operand), ctx.asarray(padding_value)], {"padding_config": config})


def pad(ctx: Builder, array: object, pad_width: object, mode: object = "constant", *,
        constant_values: object = 0) -> Tracer:  # fmt: skip
    """`jnp.pad` with one constant."""
    if mode != "constant":
        ctx.fail("T216", "jnp.pad: only mode='constant' is supported here")
    value = ctx.asarray(operand(ctx, array, "jnp.pad"))
    config = _pad_config(ctx, pad_width, value.ndim)
    fill = operand(ctx, constant_values, "jnp.pad: constant_values")

    def body(x: Tracer, constant: Tracer) -> Tracer:
        scalar = convert(ctx, constant, x.dtype, x.weak_type)
        return ctx.emit1(Prim.PAD, [x, scalar], {"padding_config": config})

    (out,) = ctx.jit("_pad", body, value, fill)
    return out


def _pad_config(ctx: Builder, pad_width: object, rank: int) -> tuple[tuple[int, int, int], ...]:
    if not isinstance(pad_width, tuple | list):
        width = static_int(ctx, pad_width, "jnp.pad: pad_width")
        return ((width, width, 0),) * rank
    rows = [static_ints(ctx, entry, "jnp.pad: pad_width") for entry in pad_width]
    if all(not isinstance(entry, tuple | list) for entry in pad_width):
        flat = [row[0] for row in rows]
        rows = [tuple(flat) if len(flat) == 2 else (flat[0], flat[0])]
    rows = [row if len(row) == 2 else (row[0], row[0]) for row in rows]
    if len(rows) == 1:
        rows = rows * rank
    if len(rows) != rank:
        ctx.fail("T204", f"jnp.pad: {len(rows)} pairs of widths for rank {rank}")
    if any(n < 0 for row in rows for n in row):
        ctx.fail("T204", "jnp.pad: widths cannot be negative")
    return tuple((low, high, 0) for low, high in rows)


def roll(ctx: Builder, a: object, shift: object, axis: object = None) -> Tracer:
    """`jnp.roll` by a static shift."""
    amount = shift
    if not isinstance(amount, int):
        ctx.fail("T216", "jnp.roll: only a static shift is supported here", "pltpu.roll takes a traced one")
    value = operand(ctx, a, "jnp.roll")

    def body(x: Tracer) -> Tracer:
        flat = x if axis is not None else reshape_to(ctx, x, (x.size,))
        place = 0 if axis is None else axis_of(ctx, axis, x.ndim, "jnp.roll")
        size = flat.shape[place]
        cut = amount % size if size else 0
        if cut == 0:
            return x
        pieces = [slice_in_dim(ctx, flat, size - cut, size, 1, place), slice_in_dim(ctx, flat, 0, size - cut, 1, place)]
        return reshape_to(ctx, _concatenate(ctx, pieces, place), x.shape)

    (out,) = ctx.jit("_roll_static", body, value)
    return out


def triangle(name: str) -> Callable[..., Tracer]:
    """`jnp.tril`, `jnp.triu`: elements on one side of a diagonal, the others 0."""

    def jnp_fn(ctx: Builder, m: object, k: object = 0) -> Tracer:
        value = ctx.asarray(operand(ctx, m, f"jnp.{name}"))
        if value.ndim < 2:
            ctx.fail("T204", f"jnp.{name} takes rank 2 or more, not {value.aval}")
        offset = static_int(ctx, k, f"jnp.{name}: k")

        def body(x: Tracer) -> Tracer:
            matrix = x.shape[-2:]
            rows = _iota(ctx, I32, matrix, 0)
            shifted = ctx.emit1(Prim.ADD, [rows, literal(offset if name == "tril" else offset - 1, I32)])
            mask = ctx.emit1(Prim.GE, [shifted, _iota(ctx, I32, matrix, 1)])
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
