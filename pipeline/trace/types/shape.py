"""Abstract rules: primitives that move, cut, join or make elements without computing with them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from pipeline.dtypes import I32, DType
from pipeline.errors import Span
from pipeline.ir.jaxpr import Aval, Param, Prim, ShapedArray
from pipeline.trace.types.common import Rule, fail, param_ints, value


def _one(avals: tuple[Aval, ...], span: Span, shape: tuple[int, ...]) -> tuple[ShapedArray, ...]:
    array = value(avals[0], span)
    return (ShapedArray(shape, array.dtype, array.weak_type),)


def _check_scalars(avals: tuple[Aval, ...], rank: int, what: str, span: Span) -> None:
    if len(avals) != rank:
        fail("T204", f"{what} takes one start for each of {rank} axes, not {len(avals)}", span)
    for aval in avals:
        start = value(aval, span)
        if start.shape or not start.dtype.is_integer:
            fail("T203", f"{what} takes scalar integer starts, not {start}", span)


def type_broadcast_in_dim(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Operand axis k becomes axis `broadcast_dimensions[k]` of `shape`; sizes are equal or 1."""
    array = value(avals[0], span)
    shape, dims = param_ints(params["shape"]), param_ints(params["broadcast_dimensions"])
    if len(dims) != len(array.shape):
        fail("T204", f"broadcast_in_dim: {len(dims)} broadcast_dimensions for {array}", span)
    if any(b <= a for a, b in pairwise(dims)):
        fail("T205", f"broadcast_in_dim: broadcast_dimensions {list(dims)} have to increase", span)
    for size, axis in zip(array.shape, dims, strict=True):
        if not 0 <= axis < len(shape):
            fail("T205", f"broadcast_in_dim: axis {axis} is out of range for shape {list(shape)}", span)
        if size not in (1, shape[axis]):
            fail("T204", f"{array} does not broadcast to {list(shape)}: {size} against {shape[axis]}", span)
    return _one(avals, span, shape)


def type_reshape(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """The same elements in row-major order under another shape."""
    array = value(avals[0], span)
    out = ShapedArray(param_ints(params["new_sizes"]), array.dtype, array.weak_type)
    if out.size != array.size:
        fail("T204", f"{array} has {array.size} elements, shape {list(out.shape)} has {out.size}", span)
    return (out,)


def type_squeeze(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Drop axes of size 1."""
    array = value(avals[0], span)
    dims = param_ints(params["dimensions"])
    for axis in dims:
        if array.shape[axis] != 1:
            fail("T204", f"axis {axis} of {array} has size {array.shape[axis]}: only size 1 can be squeezed", span)
    return _one(avals, span, tuple(n for axis, n in enumerate(array.shape) if axis not in dims))


def type_expand_dims(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """New axes of size 1 at `dimensions` of the result."""
    shape = list(value(avals[0], span).shape)
    for axis in sorted(param_ints(params["dimensions"])):
        shape.insert(axis, 1)
    return _one(avals, span, tuple(shape))


def type_transpose(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Axis k of the result is axis `permutation[k]` of the operand."""
    array = value(avals[0], span)
    permutation = param_ints(params["permutation"])
    if sorted(permutation) != list(range(len(array.shape))):
        fail("T205", f"{list(permutation)} is no permutation of the {len(array.shape)} axes of {array}", span)
    return _one(avals, span, tuple(array.shape[axis] for axis in permutation))


def _check_alike(arrays: list[ShapedArray], what: str, span: Span, axis: int | None = None) -> None:
    """All of one dtype and shape; sizes along `axis` may differ."""
    first = arrays[0]
    for array in arrays[1:]:
        if array.dtype is not first.dtype:
            fail("T203", f"{what} takes one dtype, not {first.dtype.name} and {array.dtype.name}", span)
        same_rank = len(array.shape) == len(first.shape)
        if not same_rank or any(
            a != b for k, (a, b) in enumerate(zip(first.shape, array.shape, strict=True)) if k != axis
        ):
            fail("T204", f"{what}: shapes {list(first.shape)} and {list(array.shape)} do not fit together", span)


def type_concatenate(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Operands one after the other along `dimension`."""
    arrays = [value(aval, span) for aval in avals]
    axis = params["dimension"]
    assert isinstance(axis, int)
    _check_alike(arrays, "concatenate", span, axis)
    shape = list(arrays[0].shape)
    shape[axis] = sum(array.shape[axis] for array in arrays)
    return (ShapedArray(tuple(shape), arrays[0].dtype, all(array.weak_type for array in arrays)),)


def type_stack(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Operands of one shape along a new axis."""
    arrays = [value(aval, span) for aval in avals]
    axis = params["axis"]
    assert isinstance(axis, int)
    _check_alike(arrays, "stack", span)
    shape = (*arrays[0].shape[:axis], len(arrays), *arrays[0].shape[axis:])
    return (ShapedArray(shape, arrays[0].dtype, all(array.weak_type for array in arrays)),)


def type_split(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Pieces of `sizes` along `axis`."""
    array = value(avals[0], span)
    axis = params["axis"]
    assert isinstance(axis, int)
    sizes = param_ints(params["sizes"])
    if sum(sizes) != array.shape[axis]:
        fail("T204", f"split: sizes {list(sizes)} do not add up to {array.shape[axis]}", span)
    before, after = array.shape[:axis], array.shape[axis + 1 :]
    return tuple(ShapedArray((*before, n, *after), array.dtype, array.weak_type) for n in sizes)


def type_tile(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """The operand `reps[k]` times along axis k."""
    array = value(avals[0], span)
    reps = param_ints(params["reps"])
    return _one(avals, span, tuple(n * rep for n, rep in zip(array.shape, reps, strict=True)))


def type_slice(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Elements start, start + stride .. below limit of each axis."""
    array = value(avals[0], span)
    starts, limits = param_ints(params["start_indices"]), param_ints(params["limit_indices"])
    given = params["strides"]
    strides = (1,) * len(starts) if given is None else param_ints(given)
    rank = len(array.shape)
    if not len(starts) == len(limits) == len(strides) == rank:
        fail("T204", f"slice: {len(starts)} starts, {len(limits)} limits for the {rank} axes of {array}", span)
    for axis, (start, limit, stride) in enumerate(zip(starts, limits, strides, strict=True)):
        if not 0 <= start <= limit <= array.shape[axis] or stride < 1:
            fail("T206", f"slice {start}:{limit}:{stride} is out of range for axis {axis} of {array}", span)
    return _one(avals, span, tuple(-((a - b) // c) for a, b, c in zip(starts, limits, strides, strict=True)))


def type_dynamic_slice(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """A window of `slice_sizes` at traced starts."""
    array = value(avals[0], span)
    sizes = param_ints(params["slice_sizes"])
    _check_scalars(avals[1:], len(array.shape), "dynamic_slice", span)
    if len(sizes) != len(array.shape):
        fail("T204", f"dynamic_slice: {len(sizes)} slice_sizes for {array}", span)
    for axis, (size, whole) in enumerate(zip(sizes, array.shape, strict=True)):
        if not 0 <= size <= whole:
            fail("T206", f"dynamic_slice: {size} elements do not fit axis {axis} of {array}", span)
    return _one(avals, span, sizes)


def type_dynamic_update_slice(
    avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span
) -> tuple[ShapedArray, ...]:
    """The operand with a window replaced."""
    array, update = value(avals[0], span), value(avals[1], span)
    _check_scalars(avals[2:], len(array.shape), "dynamic_update_slice", span)
    if array.dtype is not update.dtype:
        fail("T203", f"dynamic_update_slice: an update of {update.dtype.name} into {array.dtype.name}", span)
    if len(update.shape) != len(array.shape) or any(
        n > whole for n, whole in zip(update.shape, array.shape, strict=True)
    ):
        fail("T204", f"dynamic_update_slice: an update of {list(update.shape)} does not fit {array}", span)
    return _one(avals, span, array.shape)


def type_pad(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """(low, high, interior) elements of padding for each axis; negative low or high cuts."""
    array, fill = value(avals[0], span), value(avals[1], span)
    if fill.shape or fill.dtype is not array.dtype:
        fail("T203", f"pad takes a scalar {array.dtype.name} to fill with, not {fill}", span)
    config = params["padding_config"]
    assert isinstance(config, tuple)
    if len(config) != len(array.shape):
        fail("T204", f"pad: {len(config)} entries for the {len(array.shape)} axes of {array}", span)
    shape: list[int] = []
    for size, entry in zip(array.shape, config, strict=True):
        assert isinstance(entry, tuple)
        low, high, interior = param_ints(entry)
        wide = low + high + size + interior * max(size - 1, 0)
        if wide < 0 or interior < 0:
            fail("T204", f"pad ({low}, {high}, {interior}) leaves a negative size of an axis of {size}", span)
        shape.append(wide)
    return _one(avals, span, tuple(shape))


def type_same(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Shape and dtype of the first operand."""
    return _one(avals, span, value(avals[0], span).shape)


def type_sort(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """All operands reordered alike."""
    arrays = [value(aval, span) for aval in avals]
    for array in arrays[1:]:
        if array.shape != arrays[0].shape:
            fail("T204", f"sort: shapes {list(arrays[0].shape)} and {list(array.shape)} differ", span)
    return tuple(arrays)


def type_iota(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Positions along `dimension`."""
    dtype, shape, axis = params["dtype"], param_ints(params["shape"]), params["dimension"]
    assert isinstance(dtype, DType)
    assert isinstance(axis, int)
    if not 0 <= axis < len(shape):
        fail("T205", f"iota: dimension {axis} is out of range for shape {list(shape)}", span)
    return (ShapedArray(shape, dtype),)


def type_roll(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """pltpu.roll: elements moved towards higher positions, by a scalar int32."""
    shift = value(avals[1], span)
    if shift.shape or shift.dtype is not I32:
        fail("T203", f"pltpu.roll takes a scalar int32 shift, not {shift}", span)
    return _one(avals, span, value(avals[0], span).shape)


def type_gather(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Slices of `slice_sizes` at the positions that the second operand's last axis gives.

    `dimension_numbers` holds (field, axes) pairs, the fields being those of XLA's gather.
    """
    array, starts = value(avals[0], span), value(avals[1], span)
    numbers, sizes = params["dimension_numbers"], param_ints(params["slice_sizes"])
    assert isinstance(numbers, tuple)
    fields = {entry[0]: param_ints(entry[1]) for entry in numbers if isinstance(entry, tuple)}
    offset, collapsed, batching = (
        fields.get(name, ()) for name in ("offset_dims", "collapsed_slice_dims", "operand_batching_dims")
    )
    batch = list(starts.shape[:-1])
    kept = [n for axis, n in enumerate(sizes) if axis not in collapsed and axis not in batching]
    shape: list[int] = []
    for axis in range(len(batch) + len(kept)):
        shape.append(kept.pop(0) if axis in offset else batch.pop(0))
    return (ShapedArray(tuple(shape), array.dtype, array.weak_type),)


RULES: dict[Prim, Rule] = {
    Prim.BROADCAST_IN_DIM: type_broadcast_in_dim,
    Prim.RESHAPE: type_reshape,
    Prim.SQUEEZE: type_squeeze,
    Prim.EXPAND_DIMS: type_expand_dims,
    Prim.TRANSPOSE: type_transpose,
    Prim.CONCATENATE: type_concatenate,
    Prim.STACK: type_stack,
    Prim.SPLIT: type_split,
    Prim.TILE: type_tile,
    Prim.SLICE: type_slice,
    Prim.DYNAMIC_SLICE: type_dynamic_slice,
    Prim.DYNAMIC_UPDATE_SLICE: type_dynamic_update_slice,
    Prim.PAD: type_pad,
    Prim.REV: type_same,
    Prim.SORT: type_sort,
    Prim.IOTA: type_iota,
    Prim.ROLL: type_roll,
    Prim.GATHER: type_gather,
}
