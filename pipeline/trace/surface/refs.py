"""Refs: views (`ref.at[...]`, `pl.ds`), reads, writes, masked loads and stores."""

from __future__ import annotations

from itertools import pairwise
from math import prod

from pipeline.ir.jaxpr import Param, Prim, RefBitcast, RefReshape
from pipeline.trace.builder import Builder, PendingIndex, PendingIndexer, PendingSlice, RefTracer, Tracer, kind_of
from pipeline.trace.surface.common import as_dtype, convert, operand, static_int, static_ints
from pipeline.trace.surface.indexing import expand_index, slice_bounds
from pipeline.trace.types.memory import DYNAMIC

_DS_HINT = "use pl.ds(start, size), whose start may be traced"


def a_ref(ctx: Builder, value: object, what: str) -> RefTracer:
    if isinstance(value, RefTracer):
        return value
    ctx.fail("T211", f"{what} is {kind_of(value)}, where a ref is needed")


def ds(ctx: Builder, start: object, size: object = None, stride: object = None) -> object:
    """`pl.ds(start, size, stride)`; with one argument, that many elements from 0."""
    if start is None:
        return slice(None)
    if size is None:
        if stride is not None:
            ctx.fail("T201", "pl.ds: a stride needs a size")
        return slice(0, static_int(ctx, start, "pl.ds: the size"))
    step = 1 if stride is None else static_int(ctx, stride, "pl.ds: the stride")
    if step < 1:
        ctx.fail("T206", f"pl.ds: stride {step} is not positive")
    return PendingSlice(_scalar(ctx, start, "pl.ds: the start"), _scalar(ctx, size, "pl.ds: the size"), step)


def make_slice(ctx: Builder, start: object, size: object, stride: object = 1) -> object:
    """`pl.Slice(start, size, stride)`."""
    return ds(ctx, 0 if start is None else start, size, stride)


def _scalar(ctx: Builder, value: object, what: str) -> int | Tracer:
    if isinstance(value, bool) or not isinstance(value, int | Tracer):
        ctx.fail("T202", f"{what} is {kind_of(value)}, where an integer is needed")
    if isinstance(value, Tracer):
        if value.shape or not value.dtype.is_integer:
            ctx.fail("T203", f"{what} is {value.aval}, where a scalar integer is needed")
        number = ctx.known(value)
        if number is not None:
            return int(number)
    return value


def view(ctx: Builder, ref: RefTracer, index: object) -> RefTracer:
    """`ref.at[index]`: a view, nothing read."""
    entries = expand_index(ctx, index, ref.ndim, f"a ref {ref.aval}")
    indices: list[PendingIndex] = []
    shape: list[int] = []
    arrays: tuple[int, ...] = ()
    places: list[int] = []
    axes: list[int] = []
    for axis, entry in enumerate(entries):
        if entry is None:
            ctx.fail("T207", "None is no index of a ref", "read the ref and index the value: ref[...][None]")
        if axis >= ref.ndim:
            break
        size = ref.shape[axis]
        if isinstance(entry, slice):
            if size == DYNAMIC:
                if entry != slice(None):
                    ctx.fail("T216", "slicing an axis of traced size is not supported here")
                last = _last_size(ref, axis)
                indices.append(PendingSlice(0, last))
                shape.append(DYNAMIC)
                continue
            start, stop, step = slice_bounds(ctx, entry, size, _DS_HINT)
            if step < 1:
                ctx.fail("T207", f"a ref cannot be sliced with step {step}", "reverse the value with jnp.flip")
            count = max(0, -((start - stop) // step))
            indices.append(PendingSlice(start, count, step))
            shape.append(count)
        elif isinstance(entry, PendingSlice):
            _check_slice(ctx, entry, size, axis, ref)
            indices.append(entry)
            shape.append(entry.size if isinstance(entry.size, int) else DYNAMIC)
        else:
            at = _position(ctx, entry, size, axis, ref)
            if isinstance(at, Tracer) and at.shape:
                if arrays and arrays != at.shape:
                    ctx.fail(
                        "T216", f"index arrays of shapes {list(arrays)} and {list(at.shape)}: broadcast them first"
                    )
                arrays = at.shape
            # an int is a literal of the scope where the view is made: used in a scope within, it becomes an operand
            indices.append(_literal(ctx, at) if isinstance(at, int) else at)
            places.append(len(shape))
            axes.append(axis)
    contiguous = all(b == a + 1 for a, b in pairwise(axes))
    first = places[0] if places and contiguous else 0
    result = (*shape[:first], *arrays, *shape[first:])
    return ref.view(PendingIndexer(tuple(indices)), result)


def _last_size(ref: RefTracer, axis: int) -> int | Tracer:
    """The traced size of a view's axis: that of the slice that made it."""
    transform = ref.transforms[-1]
    assert isinstance(transform, PendingIndexer)
    kept = [index for index in transform.indices if isinstance(index, PendingSlice)]
    return kept[axis].size


def _check_slice(ctx: Builder, entry: PendingSlice, size: int, axis: int, ref: RefTracer) -> None:
    if size == DYNAMIC or not isinstance(entry.size, int):
        return
    if entry.size < 0:
        ctx.fail("T206", f"a slice of {entry.size} elements")
    start = entry.start if isinstance(entry.start, int) else 0
    last = start + (entry.size - 1) * entry.stride
    if start < 0 or (entry.size and last >= size):
        stride = f", stride {entry.stride}" if entry.stride != 1 else ""
        ctx.fail(
            "T206",
            f"{entry.size} elements from {start if isinstance(entry.start, int) else 'a traced start'}{stride} do not "
            f"fit axis {axis} of {ref.aval}, which has {size}",
        )


def _position(ctx: Builder, entry: object, size: int, axis: int, ref: RefTracer) -> int | Tracer:
    if isinstance(entry, Tracer):
        if not entry.dtype.is_integer:
            ctx.fail("T207", f"an index is {entry.aval}: indices are integers")
        number = ctx.known(entry)
        if number is None:
            return entry
        entry = int(number)
    assert isinstance(entry, int)
    if size != DYNAMIC and not 0 <= entry < size:
        if -size <= entry < 0:
            ctx.fail("T206", f"index {entry} counts from the end, which a ref does not do", f"write {entry % size}")
        ctx.fail("T206", f"index {entry} is out of range for axis {axis} of {ref.aval}, which has {size}")
    return entry


def _literal(ctx: Builder, value: int) -> Tracer:
    literal = Tracer(ctx.literal(value))
    ctx.settle(literal)
    return literal


def _applied(ctx: Builder, ref: RefTracer, index: object) -> RefTracer:
    """`ref` with `index` applied; `...` and () leave it as it is."""
    if index is None or index is Ellipsis or (isinstance(index, tuple) and not index):
        return ref
    return view(ctx, ref, index)


def get(ctx: Builder, ref: RefTracer, index: object) -> Tracer:
    """`ref[index]`: a read."""
    target = _applied(ctx, ref, index)
    dynamic: list[Tracer] = []
    transforms = ctx.transforms(target, dynamic, 1)
    return ctx.emit1(Prim.GET, [target, *dynamic], {"transforms": transforms})


def _cast_for(ctx: Builder, ref: RefTracer, value: object) -> Tracer:
    """A value about to be stored: weakly typed floats and any integers take the ref's dtype."""
    stored = operand(ctx, value, "the stored value")
    tracer = ctx.asarray(stored)
    floats = tracer.weak_type and ref.dtype.is_float and tracer.dtype.is_float
    integers = ref.dtype.is_integer and tracer.dtype.is_integer
    return convert(ctx, tracer, ref.dtype) if floats or integers else tracer


def swap(ctx: Builder, ref: RefTracer, index: object, value: object) -> Tracer:
    """Store and give back the old contents."""
    stored = _cast_for(ctx, ref, value)
    target = _applied(ctx, ref, index)
    dynamic: list[Tracer] = []
    transforms = ctx.transforms(target, dynamic, 2)
    return ctx.emit1(Prim.SWAP, [target, stored, *dynamic], {"transforms": transforms})


def store(ctx: Builder, ref: RefTracer, index: object, value: object) -> None:
    """`ref[index] = value`."""
    swap(ctx, ref, index, value)


def addupdate(ctx: Builder, ref: object, idx: object, x: object) -> None:
    """`jax.ref.addupdate`: add to the contents in one step."""
    target = _applied(ctx, a_ref(ctx, ref, "addupdate: the target"), idx)
    dynamic: list[Tracer] = []
    transforms = ctx.transforms(target, dynamic, 2)
    value = ctx.asarray(x)
    ctx.emit(Prim.ADDUPDATE, [target, value, *dynamic], {"transforms": transforms})


def masked_load(ctx: Builder, ref: object, *, mask: object = None) -> Tracer:
    """`pltpu.load(ref, mask=..)`: the whole view, where the mask holds."""
    target = a_ref(ctx, ref, "load: the source")
    extra = [] if mask is None else [ctx.asarray(mask)]
    dynamic: list[Tracer] = []
    transforms = ctx.transforms(target, dynamic, 1 + len(extra))
    ctx.lift([target, *dynamic, *extra])
    params: dict[str, Param] = {"transforms": transforms, "has_mask": mask is not None, "has_other": False}
    return ctx.emit1(Prim.MASKED_LOAD, [target, *extra, *dynamic], params)


def masked_store(ctx: Builder, ref: object, val: object, *, mask: object = None) -> None:
    """`pltpu.store(ref, value, mask=..)`."""
    target = a_ref(ctx, ref, "store: the target")
    extra = [ctx.asarray(val, "the stored value")]
    if mask is not None:
        extra.append(ctx.asarray(mask))
    dynamic: list[Tracer] = []
    transforms = ctx.transforms(target, dynamic, 1 + len(extra))
    ctx.lift([target, *dynamic, *extra])
    ctx.emit(Prim.MASKED_SWAP, [target, *extra, *dynamic], {"transforms": transforms, "has_mask": mask is not None})


def reshape(ctx: Builder, ref: RefTracer, *shape: object) -> RefTracer:
    """`ref.reshape(..)`: the same elements under another shape."""
    if DYNAMIC in ref.shape:
        ctx.fail("T216", "reshaping a view of traced size is not supported here")
    given = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
    sizes = list(static_ints(ctx, given, "ref.reshape: the shape"))
    if sizes.count(-1) > 1:
        ctx.fail("T204", f"ref.reshape: shape {sizes} has more than one -1")
    if -1 in sizes:
        rest = -prod(sizes)
        if rest == 0 or ref.size % rest:
            ctx.fail("T204", f"ref.reshape: {ref.size} elements do not divide into shape {sizes}")
        sizes[sizes.index(-1)] = ref.size // rest
    if prod(sizes) != ref.size or any(n < 0 for n in sizes):
        ctx.fail("T204", f"ref.reshape: shape {sizes} has {prod(sizes)} elements, the ref {ref.size}")
    return ref.view(RefReshape(tuple(sizes)), tuple(sizes))


def bitcast(ctx: Builder, ref: RefTracer, dtype: object) -> RefTracer:
    """`ref.bitcast(dtype)`: the second-minor axis takes up the ratio of the widths."""
    if DYNAMIC in ref.shape:
        ctx.fail("T216", "a bitcast of a view of traced size is not supported here")
    wanted = as_dtype(ctx, dtype, "ref.bitcast")
    shape = list(ref.shape)
    if wanted.bits != ref.dtype.bits:
        if len(shape) < 2:
            ctx.fail("T204", f"ref.bitcast to another width takes rank 2 or more, not {ref.aval}")
        bits = shape[-2] * ref.dtype.bits
        if bits % wanted.bits:
            ctx.fail("T204", f"ref.bitcast: {shape[-2]} rows of {ref.dtype.name} are no whole rows of {wanted.name}")
        shape[-2] = bits // wanted.bits
    return ref.view(RefBitcast(wanted, tuple(shape)), tuple(shape), wanted)
