"""Functions that join, cut, repeat, pad and reorder arrays."""

from __future__ import annotations

from itertools import pairwise

from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, Tracer, kind_of
from pipeline.trace.surface.common import (
    axes_of,
    axis_of,
    broadcast_in_dim,
    convert,
    operand,
    promote,
    refuse,
    static_int,
    static_ints,
    static_shape,
)
from pipeline.trace.surface.shape import insert_axes, ravel, reshape_to, squeeze


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
    return join(ctx, values, axis_of(ctx, axis, values[0].ndim, "jnp.concatenate"))


def join(ctx: Builder, values: list[Tracer], axis: int) -> Tracer:
    if len(values) == 1:
        return values[0]
    return ctx.emit1(Prim.CONCATENATE, values, {"dimension": axis})


def lax_concatenate(ctx: Builder, operands: object, dimension: object) -> Tracer:
    if not isinstance(operands, tuple | list) or not operands:
        ctx.fail("T202", f"lax.concatenate takes a list of arrays, not {kind_of(operands)}")
    values = [ctx.asarray(value) for value in operands]
    return join(ctx, values, axis_of(ctx, dimension, values[0].ndim, "lax.concatenate"))


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
        if size == 0:
            return x
        cut = -amount % size
        pieces = [slice_in_dim(ctx, flat, cut, size, 1, place), slice_in_dim(ctx, flat, 0, cut, 1, place)]
        return reshape_to(ctx, join(ctx, pieces, place), x.shape)

    (out,) = ctx.jit("_roll_static", body, value)
    return out
