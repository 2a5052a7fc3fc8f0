"""NumPy rules: shape and layout of values. Results may be views of the operands; nobody writes to a value."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeline.dtypes import DType
from pipeline.ir.jaxpr import Eqn, Prim
from pipeline.simulate.numerics.dtypes import integer_range, is_narrow, numpy_dtype
from pipeline.simulate.numerics.elementwise import in_dtype, out_aval
from pipeline.simulate.numerics.rules import Compile, Rules, Step
from pipeline.simulate.numerics.rules import Value as Array


def ints(eqn: Eqn, name: str) -> tuple[int, ...]:
    """A param that is a tuple of ints."""
    value = eqn.param(name)
    assert isinstance(value, tuple), name
    return tuple(v for v in value if isinstance(v, int))


def _integer(eqn: Eqn, name: str) -> int:
    value = eqn.param(name)
    assert isinstance(value, int), name
    return value


def eval_broadcast_in_dim(eqn: Eqn, compile: Compile) -> Step:
    out = out_aval(eqn)
    dims = ints(eqn, "broadcast_dimensions")
    if not dims:
        own = numpy_dtype(out.dtype)

        def fill(x: Array) -> Array:
            result = np.empty(out.shape, own)
            result[...] = x
            return result

        return fill
    unit = [1] * len(out.shape)
    for axis, dim in enumerate(dims):
        unit[dim] = eqn.inputs[0].aval.shape[axis]
    shape = tuple(unit)
    if shape == out.shape:
        return lambda x: x.reshape(shape)
    return lambda x: np.broadcast_to(x.reshape(shape), out.shape)


def eval_reshape(eqn: Eqn, compile: Compile) -> Step:
    shape = out_aval(eqn).shape
    return lambda x: np.reshape(x, shape)


def eval_transpose(eqn: Eqn, compile: Compile) -> Step:
    order = ints(eqn, "permutation")
    return lambda x: np.transpose(x, order)


def eval_concatenate(eqn: Eqn, compile: Compile) -> Step:
    axis = _integer(eqn, "dimension")
    return lambda *xs: np.concatenate(xs, axis)


def eval_stack(eqn: Eqn, compile: Compile) -> Step:
    axis = _integer(eqn, "axis")
    return lambda *xs: np.stack(xs, axis)


def eval_split(eqn: Eqn, compile: Compile) -> Step:
    axis = _integer(eqn, "axis")
    starts = np.cumsum(ints(eqn, "sizes"))[:-1]
    if len(eqn.outputs) == 1:
        return lambda x: x
    return lambda x: tuple(np.split(x, starts, axis))


def eval_slice(eqn: Eqn, compile: Compile) -> Step:
    starts, limits = ints(eqn, "start_indices"), ints(eqn, "limit_indices")
    strides = (1,) * len(starts) if eqn.param("strides") is None else ints(eqn, "strides")
    index = tuple(slice(a, b, s) for a, b, s in zip(starts, limits, strides, strict=True))
    return lambda x: x[index]


def eval_dynamic_slice(eqn: Eqn, compile: Compile) -> Step:
    """Starts are clamped so that the slice fits, as XLA does."""
    shape, sizes = eqn.inputs[0].aval.shape, ints(eqn, "slice_sizes")

    def cut(x: Array, *starts: Array) -> Array:
        return x[_clamped(shape, sizes, starts)]

    return cut


def eval_dynamic_update_slice(eqn: Eqn, compile: Compile) -> Step:
    shape, sizes = eqn.inputs[0].aval.shape, eqn.inputs[1].aval.shape

    def update(x: Array, value: Array, *starts: Array) -> Array:
        out = np.array(x)
        out[_clamped(shape, sizes, starts)] = value
        return out

    return update


def _clamped(shape: tuple[int, ...], sizes: tuple[int, ...], starts: tuple[Array, ...]) -> tuple[slice, ...]:
    first = [min(max(int(s), 0), n - k) for n, k, s in zip(shape, sizes, starts, strict=True)]
    return tuple(slice(a, a + k) for a, k in zip(first, sizes, strict=True))


def eval_pad(eqn: Eqn, compile: Compile) -> Step:
    """(low, high, interior) per axis; a negative low or high cuts off."""
    config: Any = eqn.param("padding_config")
    edges: list[tuple[int, int, int]] = [tuple(edge) for edge in config]
    out = out_aval(eqn)
    own = numpy_dtype(out.dtype)
    shape = eqn.inputs[0].aval.shape

    def pad(x: Array, value: Array) -> Array:
        result = np.full(out.shape, value, own)
        into, source = [], []
        for (low, _, interior), n, size in zip(edges, shape, out.shape, strict=True):
            stride = interior + 1
            first = max(0, -(low // stride)) if low < 0 else 0
            count = 0 if size <= 0 else max(0, min(n, (size - 1 - low) // stride + 1))
            into.append(slice(low + first * stride, max(low + (count - 1) * stride + 1, 0), stride))
            source.append(slice(first, count))
        result[tuple(into)] = x[tuple(source)]
        return result

    return pad


def eval_rev(eqn: Eqn, compile: Compile) -> Step:
    axes = ints(eqn, "dimensions")
    return lambda x: np.flip(x, axes)


def eval_iota(eqn: Eqn, compile: Compile) -> Step:
    out = out_aval(eqn)
    axis = _integer(eqn, "dimension")
    unit = [1] * len(out.shape)
    unit[axis] = out.shape[axis]
    values = np.arange(out.shape[axis]).astype(numpy_dtype(out.dtype)).reshape(unit)
    values = np.broadcast_to(values, out.shape)
    return lambda: values


def eval_tile(eqn: Eqn, compile: Compile) -> Step:
    reps = ints(eqn, "reps")
    return lambda x: np.tile(x, reps)


def _rolled(x: Array, shift: int, axis: int) -> Array:
    """`np.roll` along one axis, without what it takes to look at its arguments."""
    at = -shift % max(x.shape[axis], 1)
    if at == 0:
        return x
    before: tuple[slice, ...] = (slice(None),) * axis
    return np.concatenate((x[(*before, slice(at, None))], x[(*before, slice(at))]), axis)


def eval_roll(eqn: Eqn, compile: Compile) -> Step:
    """Rotate along `axis`; with a stride, row r of `stride_axis` by `stride * r` more."""
    axis = _integer(eqn, "axis")
    stride, stride_axis = eqn.param("stride"), eqn.param("stride_axis")
    if stride is None or stride_axis is None:
        return lambda x, shift: _rolled(x, int(shift), axis)
    assert isinstance(stride, int) and isinstance(stride_axis, int)

    def roll(x: Array, shift: Array) -> Array:
        lanes = np.moveaxis(np.moveaxis(x, axis, -1), stride_axis if stride_axis < axis else stride_axis - 1, 0)
        rows = [np.roll(row, int(shift) + stride * r, -1) for r, row in enumerate(lanes)]
        back = np.moveaxis(np.stack(rows), 0, stride_axis if stride_axis < axis else stride_axis - 1)
        return np.moveaxis(back, -1, axis)

    return roll


def eval_gather(eqn: Eqn, compile: Compile) -> Step:
    """XLA's gather: one index array per axis of the operand, broadcast over the result, then one NumPy lookup."""
    numbers: Any = eqn.param("dimension_numbers")
    fields: dict[str, Any] = dict(numbers)
    offset_dims, collapsed = fields["offset_dims"], fields["collapsed_slice_dims"]
    start_map, batching = fields["start_index_map"], fields.get("operand_batching_dims", ())
    index_batching = fields.get("start_indices_batching_dims", ())
    sizes = ints(eqn, "slice_sizes")
    mode = str(eqn.param("mode"))
    out = out_aval(eqn)
    shape = eqn.inputs[0].aval.shape
    rank = len(out.shape)
    batch_dims = [i for i in range(rank) if i not in offset_dims]
    kept = [d for d in range(len(shape)) if d not in collapsed and d not in batching]
    fill = _fill(eqn, in_dtype(eqn))
    machine, span = compile.machine, eqn.span

    def axis_iota(axis: int, n: int) -> Array:
        unit = [1] * rank
        unit[axis] = n
        return np.arange(n).reshape(unit)

    def gather(x: Array, starts: Array) -> Array:
        index: list[Array] = [0] * len(shape)
        bad: Array = False
        for column, d in enumerate(start_map):
            value = starts[..., column].astype(np.int64)
            limit = shape[d] - sizes[d]
            outside = (value < 0) | (value > limit)
            unit = [1] * rank
            for position, axis in enumerate(batch_dims):
                unit[axis] = value.shape[position]
            if mode == "PROMISE_IN_BOUNDS" and outside.any():
                machine.report(
                    "R303", f"gather{d}",
                    f"a gather that promises to stay in bounds reads index {int(value[outside].flat[0])} of axis {d}, "
                    f"size {shape[d]}, at {machine.place()}", span, "mask the index before the gather",
                )  # fmt: skip
            elif mode == "FILL_OR_DROP":
                bad = bad | outside.reshape(unit)
            index[d] = np.clip(value, 0, limit).reshape(unit)
        for d, position in zip(batching, index_batching, strict=True):
            axis = batch_dims[position]
            index[d] = axis_iota(axis, out.shape[axis])
        for axis, d in zip(offset_dims, kept, strict=True):
            index[d] = index[d] + axis_iota(axis, sizes[d])
        result = x[tuple(np.broadcast_arrays(*index))] if index else x
        if bad is not False:
            result = np.where(np.broadcast_to(bad, result.shape), fill, result)
        return result.reshape(out.shape)

    return gather


def _fill(eqn: Eqn, dtype: DType) -> Array:
    """What an index out of bounds reads in fill mode: NaN, the smallest signed, the largest unsigned value."""
    value = eqn.param("fill_value")
    if isinstance(value, (bool, int, float)):
        return numpy_dtype(dtype).type(value)
    if dtype.is_float:
        return numpy_dtype(dtype).type(float("nan"))
    low, high = integer_range(dtype)
    return numpy_dtype(dtype).type(low if dtype.is_signed else high)


def eval_sort(eqn: Eqn, compile: Compile) -> Step:
    """Stable; NaN last; further operands move along with the first `num_keys`."""
    axis, keys = _integer(eqn, "dimension"), _integer(eqn, "num_keys")
    narrow = [is_narrow(in_dtype(eqn, i)) for i in range(len(eqn.inputs))]

    def sort(*xs: Array) -> Any:
        wide = [x.astype(np.float32) if n else x for x, n in zip(xs, narrow, strict=True)]
        order = np.lexsort(tuple(reversed(wide[:keys])), axis=axis)
        result = tuple(np.take_along_axis(x, order, axis) for x in xs)
        return result if len(result) > 1 else result[0]

    return sort


RULES: Rules = {
    Prim.BROADCAST_IN_DIM: eval_broadcast_in_dim,
    Prim.RESHAPE: eval_reshape,
    Prim.SQUEEZE: eval_reshape,
    Prim.EXPAND_DIMS: eval_reshape,
    Prim.TRANSPOSE: eval_transpose,
    Prim.CONCATENATE: eval_concatenate,
    Prim.STACK: eval_stack,
    Prim.SPLIT: eval_split,
    Prim.SLICE: eval_slice,
    Prim.DYNAMIC_SLICE: eval_dynamic_slice,
    Prim.DYNAMIC_UPDATE_SLICE: eval_dynamic_update_slice,
    Prim.PAD: eval_pad,
    Prim.REV: eval_rev,
    Prim.IOTA: eval_iota,
    Prim.TILE: eval_tile,
    Prim.ROLL: eval_roll,
    Prim.GATHER: eval_gather,
    Prim.SORT: eval_sort,
}
