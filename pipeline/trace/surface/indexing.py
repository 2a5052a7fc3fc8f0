"""Indexing of values: static indices are slices, a traced scalar makes it a `dynamic_slice`, as JAX has it."""

from __future__ import annotations

from pipeline.dtypes import I32, Kind
from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, PendingSlice, RefTracer, Tracer, kind_of
from pipeline.trace.surface.common import (
    Value,
    axis_of,
    convert,
    literal,
    operand,
    static_bool,
    static_int,
    static_shape,
)
from pipeline.trace.surface.select import lax_select
from pipeline.trace.surface.shape import insert_axes


def expand_index(ctx: Builder, index: object, rank: int, what: str) -> list[object]:
    """`index` as one entry for each axis and each None: `...` and missing axes become full slices."""
    entries = list(index) if isinstance(index, tuple) else [index]
    for entry in entries:
        if isinstance(entry, list):
            ctx.fail("T207", "a list is no index", "use a tuple of indices, or an array of positions")
        if isinstance(entry, RefTracer):
            ctx.fail("T211", f"an index is a ref, {entry.aval}", "read it: ref[...]")
        if isinstance(entry, bool):
            ctx.fail("T207", "a bool is no index", "select elements with jnp.where")
        if not (entry is None or entry is Ellipsis or isinstance(entry, int | slice | Tracer | PendingSlice)):
            ctx.fail("T207", f"{kind_of(entry)} is no index")
    used = sum(1 for entry in entries if entry is not None and entry is not Ellipsis)
    if used > rank:
        ctx.fail("T207", f"{used} indices for {what} of rank {rank}")
    dots = [k for k, entry in enumerate(entries) if entry is Ellipsis]
    if len(dots) > 1:
        ctx.fail("T207", "an index has more than one `...`")
    full: list[object] = [slice(None)] * (rank - used)
    if dots:
        entries[dots[0] : dots[0] + 1] = full
    else:
        entries += full
    return entries


def slice_bounds(ctx: Builder, entry: slice, size: int, hint: str) -> tuple[int, int, int]:
    """(start, stop, step) of a Python slice of `size` elements; traced bounds are an error."""
    for part in (entry.start, entry.stop, entry.step):
        if isinstance(part, Tracer):
            ctx.fail("T215", f"a slice has a traced bound ({part.aval})", hint)
        if part is not None:
            static_int(ctx, part, "a slice's bound")
    parts = [
        None if part is None else static_int(ctx, part, "a bound") for part in (entry.start, entry.stop, entry.step)
    ]
    if parts[2] == 0:
        ctx.fail("T206", "a slice has step 0")
    start, stop, step = slice(*parts).indices(size)
    return start, stop, step


def getitem(ctx: Builder, x: Tracer, index: object) -> Tracer:
    """`x[index]`."""
    entries = expand_index(ctx, index, x.ndim, f"an array {x.aval}")
    dynamic = False
    for entry in entries:
        if isinstance(entry, Tracer):
            if not entry.dtype.is_integer:
                ctx.fail("T207", f"an index is {entry.aval}: indices are integers", "a mask selects with jnp.where")
            if entry.shape:
                ctx.fail("T216", f"indexing an array with an array ({entry.aval}) is not supported here",
                         "jnp.take_along_axis gathers along one axis")  # fmt: skip
            dynamic = True
        dynamic = dynamic or isinstance(entry, PendingSlice)
    return _dynamic(ctx, x, entries) if dynamic else _static(ctx, x, entries)


_DS_HINT = "use jax.lax.dynamic_slice, or pl.ds(start, size) on the ref"


def _check_int(ctx: Builder, entry: int, axis: int, x: Tracer) -> int:
    size = x.shape[axis]
    if not -size <= entry < size:
        ctx.fail("T206", f"index {entry} is out of range for axis {axis} of {x.aval}")
    return entry % size


def _static(ctx: Builder, x: Tracer, entries: list[object]) -> Tracer:
    starts: list[int] = []
    limits: list[int] = []
    strides: list[int] = []
    reversed_axes: list[int] = []
    squeezed: list[int] = []
    new_axes: list[int] = []
    for entry in entries:
        axis = len(starts)
        if entry is None:
            new_axes.append(axis - len(squeezed) + len(new_axes))
        elif isinstance(entry, int):
            at = _check_int(ctx, entry, axis, x)
            starts.append(at)
            limits.append(at + 1)
            strides.append(1)
            squeezed.append(axis)
        else:
            assert isinstance(entry, slice)
            size = x.shape[axis]
            start, stop, step = slice_bounds(ctx, entry, size, _DS_HINT)
            if step < 0:
                first = min(size, stop + 1 + abs(start - stop - 1) % -step)
                starts.append(first)
                limits.append(max(first, start + 1))
                reversed_axes.append(axis)
            else:
                starts.append(start)
                limits.append(max(start, stop))
            strides.append(abs(step))
    unit = all(step == 1 for step in strides)
    out = x
    if not unit or any(a != 0 or b != n for a, b, n in zip(starts, limits, x.shape, strict=True)):
        params = {
            "start_indices": tuple(starts),
            "limit_indices": tuple(limits),
            "strides": None if unit else tuple(strides),
        }
        out = ctx.emit1(Prim.SLICE, [x], params)
    return _finish(ctx, out, reversed_axes, squeezed, new_axes)


def _finish(ctx: Builder, out: Tracer, reversed_axes: list[int], squeezed: list[int], new_axes: list[int]) -> Tracer:
    if reversed_axes:
        out = ctx.emit1(Prim.REV, [out], {"dimensions": tuple(reversed_axes)})
    if squeezed:
        out = ctx.emit1(Prim.SQUEEZE, [out], {"dimensions": tuple(squeezed)})
    return insert_axes(ctx, out, new_axes)


def _dynamic(ctx: Builder, x: Tracer, entries: list[object]) -> Tracer:
    starts: list[Value] = []
    sizes: list[int] = []
    reversed_axes: list[int] = []
    squeezed: list[int] = []
    new_axes: list[int] = []
    for entry in entries:
        axis = len(starts)
        if entry is None:
            new_axes.append(axis - len(squeezed) + len(new_axes))
            continue
        size = x.shape[axis]
        if isinstance(entry, int | Tracer):
            starts.append(_check_int(ctx, entry, axis, x) if isinstance(entry, int) else entry)
            sizes.append(1)
            squeezed.append(axis)
        elif isinstance(entry, PendingSlice):
            if entry.stride != 1 or not isinstance(entry.size, int):
                ctx.fail("T207", "a slice of a value has a static size and no stride", "index the ref instead")
            starts.append(entry.start)
            sizes.append(entry.size)
        else:
            assert isinstance(entry, slice)
            start, stop, step = slice_bounds(ctx, entry, size, _DS_HINT)
            if step not in (1, -1):
                ctx.fail("T216", "a stride together with a traced index is not supported here", "slice twice")
            if step < 0:
                start, stop = stop + 1, start + 1
                reversed_axes.append(axis)
            starts.append(start)
            sizes.append(max(0, stop - start))
    if len(starts) > 1:
        starts = [convert(ctx, start, I32) for start in starts]
    out = dynamic_slice(ctx, x, tuple(starts), tuple(sizes))
    return _finish(ctx, out, reversed_axes, squeezed, new_axes)


def _start_indices(ctx: Builder, x: Tracer, starts: object, what: str, allow_negative: list[bool]) -> list[Tracer]:
    """Start positions as JAX prepares them: negative traced ones count from the end."""
    if not isinstance(starts, tuple | list):
        ctx.fail("T202", f"{what}: the starts are {kind_of(starts)}, where a tuple is needed")
    if len(starts) != x.ndim:
        ctx.fail("T204", f"{what}: {len(starts)} starts for {x.aval} of rank {x.ndim}")
    out: list[Tracer] = []
    for start, size, negative in zip(starts, x.shape, allow_negative, strict=True):
        value = operand(ctx, start, f"{what}: a start")
        if isinstance(value, int) and not isinstance(value, bool):
            at = value + size if value < 0 and negative else value
            out.append(convert(ctx, at, I32))
            continue
        tracer = ctx.asarray(value)
        if not tracer.dtype.is_integer or tracer.shape:
            ctx.fail("T203", f"{what}: a start is {tracer.aval}, where a scalar integer is needed")
        if tracer.dtype.kind is Kind.UINT or not negative:
            out.append(tracer)
            continue
        below = ctx.emit1(Prim.LT, [tracer, literal(0, tracer.dtype, tracer.weak_type)])
        wrapped = ctx.emit1(Prim.ADD, [tracer, literal(size, tracer.dtype)])
        out.append(lax_select(ctx, below, wrapped, tracer))
    return out


def dynamic_slice(ctx: Builder, operand: object, start_indices: object, slice_sizes: object, *,
                  allow_negative_indices: object = True) -> Tracer:  # fmt: skip
    """`lax.dynamic_slice`."""
    x = ctx.asarray(operand)
    negative = static_bool(ctx, allow_negative_indices, "lax.dynamic_slice: allow_negative_indices")
    starts = _start_indices(ctx, x, start_indices, "lax.dynamic_slice", [negative] * x.ndim)
    sizes = static_shape(ctx, slice_sizes, "lax.dynamic_slice")
    return ctx.emit1(Prim.DYNAMIC_SLICE, [x, *starts], {"slice_sizes": sizes})


def _one_start(ctx: Builder, x: Tracer, start: object, axis: int) -> list[object]:
    starts: list[object] = [literal(0, I32)] * x.ndim
    if isinstance(start, Tracer):
        starts = [literal(0, start.dtype, start.weak_type)] * x.ndim
    starts[axis] = start
    return starts


def dynamic_slice_in_dim(ctx: Builder, operand: object, start_index: object, slice_size: object, axis: object = 0, *,
                         allow_negative_indices: object = True) -> Tracer:  # fmt: skip
    """`lax.dynamic_slice_in_dim`."""
    x = ctx.asarray(operand)
    place = axis_of(ctx, axis, x.ndim, "lax.dynamic_slice_in_dim")
    negative = [False] * x.ndim
    negative[place] = static_bool(ctx, allow_negative_indices, "allow_negative_indices")
    starts = _start_indices(ctx, x, _one_start(ctx, x, start_index, place), "lax.dynamic_slice_in_dim", negative)
    sizes = list(x.shape)
    sizes[place] = static_int(ctx, slice_size, "lax.dynamic_slice_in_dim: the size")
    return ctx.emit1(Prim.DYNAMIC_SLICE, [x, *starts], {"slice_sizes": tuple(sizes)})


def dynamic_index_in_dim(ctx: Builder, operand: object, index: object, axis: object = 0, keepdims: object = True, *,
                         allow_negative_indices: object = True) -> Tracer:  # fmt: skip
    """`lax.dynamic_index_in_dim`."""

    def body(x: Tracer, at: Tracer) -> Tracer:
        out = dynamic_slice_in_dim(ctx, x, at, 1, axis, allow_negative_indices=allow_negative_indices)
        if keepdims:
            return out
        place = axis_of(ctx, axis, x.ndim, "lax.dynamic_index_in_dim")
        return ctx.emit1(Prim.SQUEEZE, [out], {"dimensions": (place,)})

    (result,) = ctx.jit("dynamic_index_in_dim", body, operand, index)
    return result


def dynamic_update_slice(ctx: Builder, operand: object, update: object, start_indices: object, *,
                         allow_negative_indices: object = True) -> Tracer:  # fmt: skip
    """`lax.dynamic_update_slice`."""
    x = ctx.asarray(operand)
    negative = static_bool(ctx, allow_negative_indices, "lax.dynamic_update_slice: allow_negative_indices")
    starts = _start_indices(ctx, x, start_indices, "lax.dynamic_update_slice", [negative] * x.ndim)
    return ctx.emit1(Prim.DYNAMIC_UPDATE_SLICE, [x, ctx.asarray(update), *starts])


def dynamic_update_slice_in_dim(ctx: Builder, operand: object, update: object, start_index: object, axis: object, *,
                                allow_negative_indices: object = True) -> Tracer:  # fmt: skip
    """`lax.dynamic_update_slice_in_dim`."""
    x = ctx.asarray(operand)
    place = axis_of(ctx, axis, x.ndim, "lax.dynamic_update_slice_in_dim")
    negative = [False] * x.ndim
    negative[place] = static_bool(ctx, allow_negative_indices, "allow_negative_indices")
    starts = _start_indices(ctx, x, _one_start(ctx, x, start_index, place), "lax.dynamic_update_slice_in_dim", negative)
    return ctx.emit1(Prim.DYNAMIC_UPDATE_SLICE, [x, ctx.asarray(update), *starts])
