"""Gathers and sorts: `jnp.take_along_axis`, `lax.sort`, `jnp.sort`, `jnp.argsort`."""

from __future__ import annotations

from pipeline.dtypes import BOOL, I32, Kind
from pipeline.ir.jaxpr import Param, Prim
from pipeline.trace.builder import Builder, Tracer, kind_of
from pipeline.trace.surface.common import (
    axis_of,
    broadcast_shapes,
    convert,
    literal,
    operand,
    refuse,
    static_bool,
    static_int,
)
from pipeline.trace.surface.shape import ravel, reshape_to, squeeze
from pipeline.trace.types.common import integer_range

_MODES = {"fill": "FILL_OR_DROP", "clip": "CLIP", "promise_in_bounds": "PROMISE_IN_BOUNDS"}


def _fill_value(x: Tracer) -> bool | int | float:
    """What a gather out of bounds gives in mode "fill": NaN, the least integer, the greatest unsigned one."""
    if x.dtype.is_float:
        return float("nan")
    if x.dtype is BOOL:
        return True
    low, high = integer_range(x.dtype)
    return high if x.dtype.kind is Kind.UINT else low


def take_along_axis(ctx: Builder, arr: object, indices: object, axis: object = -1, mode: object = None,
                    fill_value: object = None) -> Tracer:  # fmt: skip
    """`jnp.take_along_axis`: one position along `axis` for each element of `indices`."""
    refuse(ctx, "jnp.take_along_axis", fill_value=fill_value)
    if mode is None:
        mode = "fill"
    if not isinstance(mode, str) or mode not in _MODES:
        ctx.fail("T202", f"jnp.take_along_axis: {kind_of(mode)} is no mode", f"there are: {', '.join(_MODES)}")
    word = _MODES[mode]
    values = [ctx.asarray(operand(ctx, value, "jnp.take_along_axis")) for value in (arr, indices)]
    if not values[1].dtype.is_integer:
        ctx.fail("T203", f"jnp.take_along_axis: indices are integers, not {values[1].aval}")
    if axis is not None and values[0].ndim != values[1].ndim:
        ctx.fail("T204", f"jnp.take_along_axis: {values[0].aval} and indices {values[1].aval} differ in rank")
    (out,) = ctx.jit("take_along_axis", lambda a, i: _take(ctx, a, i, axis, word), *values)
    return out


def _take(ctx: Builder, a: Tracer, indices: Tracer, axis: object, mode: str) -> Tracer:
    if axis is None:
        a, axis = ravel(ctx, a), 0
        if indices.ndim != 1:
            ctx.fail("T204", "jnp.take_along_axis: without an axis the indices are of rank 1")
    place = axis_of(ctx, axis, a.ndim, "jnp.take_along_axis")
    size = a.shape[place]
    indices = convert(ctx, indices, I32)
    if mode != "PROMISE_IN_BOUNDS":
        below = ctx.emit1(Prim.LT, [indices, literal(0, indices.dtype, indices.weak_type)])
        wrapped = ctx.emit1(Prim.ADD, [indices, literal(size, indices.dtype)])
        indices = ctx.emit1(Prim.SELECT_N, [below, indices, wrapped])
    rest = (*a.shape[:place], 1, *a.shape[place + 1 :]), (*indices.shape[:place], 1, *indices.shape[place + 1 :])
    shape = list(broadcast_shapes(ctx, rest, "jnp.take_along_axis"))
    shape[place] = indices.shape[place]
    kept = [k for k in range(a.ndim) if k == place or indices.shape[k] != 1]
    starts = reshape_to(ctx, indices, (*(shape[k] for k in kept), 1))
    sizes: list[int] = []
    offset: list[int] = []
    batch: list[int] = []
    start_batch: list[int] = []
    squeezed: list[int] = []
    collapsed = at = 0  # `at` counts axes of the array without the squeezed ones
    for k in range(a.ndim):
        if k == place:
            collapsed = at
            sizes.append(1)
        elif indices.shape[k] == 1:
            offset.append(k)
            sizes.append(a.shape[k])
        elif a.shape[k] == 1:
            squeezed.append(k)
            continue
        else:
            batch.append(at)
            start_batch.append(kept.index(k))
            sizes.append(min(a.shape[k], 1))
        at += 1
    if squeezed:
        a = squeeze(ctx, a, tuple(squeezed))
    numbers: Param = (
        ("offset_dims", tuple(offset)),
        ("collapsed_slice_dims", (collapsed,)),
        ("start_index_map", (collapsed,)),
        ("operand_batching_dims", tuple(batch)),
        ("start_indices_batching_dims", tuple(start_batch)),
    )
    params: dict[str, Param] = {
        "dimension_numbers": numbers,
        "fill_value": _fill_value(a) if mode == "FILL_OR_DROP" else None,
        "indices_are_sorted": False,
        "mode": mode,
        "slice_sizes": tuple(sizes),
        "unique_indices": False,
    }
    return ctx.emit1(Prim.GATHER, [a, starts], params)


def lax_sort(ctx: Builder, operand: object, dimension: object = -1, is_stable: object = True,
             num_keys: object = 1) -> object:  # fmt: skip
    """`lax.sort` of an array, or of several by the first."""
    many = isinstance(operand, tuple | list)
    values = [ctx.asarray(one) for one in (operand if isinstance(operand, tuple | list) else (operand,))]
    if not values:
        ctx.fail("T202", "lax.sort takes at least one array")
    place = axis_of(ctx, dimension, values[0].ndim, "lax.sort")
    keys = static_int(ctx, num_keys, "lax.sort: num_keys")
    if not 1 <= keys <= len(values):
        ctx.fail("T202", f"lax.sort: num_keys is {keys} for {len(values)} arrays")
    params: dict[str, Param] = {
        "dimension": place,
        "is_stable": static_bool(ctx, is_stable, "lax.sort: is_stable"),
        "num_keys": keys,
    }
    outs = ctx.emit(Prim.SORT, values, params)
    return tuple(outs) if many else outs[0]


def sort(ctx: Builder, a: object, axis: object = -1, *, stable: object = True, descending: object = False) -> Tracer:
    """`jnp.sort`, ascending."""
    refuse(ctx, "jnp.sort", descending=descending)
    value = operand(ctx, a, "jnp.sort")

    def body(x: Tracer) -> object:
        return lax_sort(ctx, ravel(ctx, x) if axis is None else x, 0 if axis is None else axis, stable)

    (out,) = ctx.jit("sort", body, value)
    return out


def argsort(ctx: Builder, a: object, axis: object = -1, *, stable: object = True,
            descending: object = False) -> Tracer:  # fmt: skip
    """`jnp.argsort`, ascending."""
    refuse(ctx, "jnp.argsort", descending=descending)
    value = operand(ctx, a, "jnp.argsort")

    def body(x: Tracer) -> object:
        x = ravel(ctx, x) if axis is None else x
        place = axis_of(ctx, 0 if axis is None else axis, x.ndim, "jnp.argsort")
        positions = ctx.emit1(Prim.IOTA, [], {"dtype": I32, "shape": x.shape, "dimension": place})
        pair = lax_sort(ctx, (x, positions), place, stable)
        assert isinstance(pair, tuple)
        return pair[1]

    (out,) = ctx.jit("argsort", body, value)
    return out
