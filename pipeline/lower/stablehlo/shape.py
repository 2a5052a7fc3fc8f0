"""StableHLO rules: shape and layout of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.dtypes import I32
from pipeline.ir.jaxpr import Eqn, Prim
from pipeline.ir.module import IntArray, Raw, TensorType, TypedInt, Value
from pipeline.lower.equations import ints, out_aval, shaped
from pipeline.lower.stablehlo.context import LowerContext, Operand, Rules, like, shape_of
from pipeline.lower.stablehlo.types import tensor, tensor_type


def lower_broadcast_in_dim(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    shape, dims = out_aval(eqn).shape, ints(eqn.param("broadcast_dimensions"))
    if not dims:
        return (ctx.value(operands[0], shape),)
    return (ctx.broadcast(ctx.value(operands[0]), shape, dims),)


def lower_reshape(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    return (ctx.reshape(ctx.value(operands[0]), out_aval(eqn).shape),)


def lower_transpose(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    order = ints(eqn.param("permutation"))
    return (ctx.emit("transpose", (ctx.value(operands[0]),), tensor_type(out_aval(eqn)), (("dims", IntArray(order)),)),)


def lower_concatenate(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    values = [ctx.value(x) for x in operands]
    return (values[0] if len(values) == 1 else ctx.concatenate(values, _int(eqn, "dimension")),)


def lower_stack(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    axis = _int(eqn, "axis")
    shape = shaped(eqn.inputs[0]).shape
    unit = (*shape[:axis], 1, *shape[axis:])
    return (ctx.concatenate([ctx.reshape(ctx.value(x), unit) for x in operands], axis),)


def lower_split(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value, ...]:
    axis, x = _int(eqn, "axis"), ctx.value(operands[0])
    found, start = [], 0
    for size in ints(eqn.param("sizes")):
        starts, limits = [0] * len(shape_of(x)), list(shape_of(x))
        starts[axis], limits[axis] = start, start + size
        found.append(ctx.slice(x, starts, limits))
        start += size
    return tuple(found)


def lower_slice(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    starts, limits = ints(eqn.param("start_indices")), ints(eqn.param("limit_indices"))
    strides = None if eqn.param("strides") is None else ints(eqn.param("strides"))
    return (ctx.slice(ctx.value(operands[0]), starts, limits, strides),)


def lower_dynamic_slice(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    x, *starts = operands
    return (ctx.dynamic_slice(ctx.value(x), scalars(ctx, starts), ints(eqn.param("slice_sizes"))),)


def lower_dynamic_update_slice(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    x, update, *starts = operands
    return (ctx.update_slice(ctx.value(x), ctx.value(update), scalars(ctx, starts)),)


def scalars(ctx: LowerContext, operands: Sequence[Operand]) -> list[Value]:
    """Indices as i32: StableHLO wants all starts of a slice in one dtype."""
    return [ctx.convert(ctx.value(x), I32) for x in operands]


def lower_pad(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    config: Any = eqn.param("padding_config")
    low, high, interior = ([edge[i] for edge in config] for i in range(3))
    return (ctx.pad(ctx.value(operands[0]), ctx.value(operands[1]), low, high, interior),)


def lower_rev(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    x = ctx.value(operands[0])
    return (ctx.emit("reverse", (x,), x.type, (("dims", IntArray(ints(eqn.param("dimensions")))),)),)


def lower_iota(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    aval = out_aval(eqn)
    return (ctx.iota(aval.shape, _int(eqn, "dimension"), aval.dtype),)


def lower_tile(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    reps, x = ints(eqn.param("reps")), ctx.value(operands[0])
    shape = shape_of(x)
    shape = (1,) * (len(reps) - len(shape)) + shape
    reps = (1,) * (len(shape) - len(reps)) + reps
    wide = tuple(n for pair in zip(reps, shape, strict=True) for n in pair)
    dims = tuple(range(1, 2 * len(shape), 2))
    return (ctx.reshape(ctx.broadcast(ctx.reshape(x, shape), wide, dims), out_aval(eqn).shape),)


def lower_roll(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Rotate along `axis`: element i comes from i - shift, less stride * r in row r of `stride_axis`."""
    axis, stride, stride_axis = _int(eqn, "axis"), eqn.param("stride"), eqn.param("stride_axis")
    x, (shift,) = ctx.value(operands[0]), scalars(ctx, operands[1:])
    shape = shape_of(x)
    n = ctx.integer(shape[axis])
    if stride is None or stride_axis is None:
        start = _modulo(ctx, ctx.emit("negate", (shift,), shift.type), n)
        twice = ctx.concatenate((x, x), axis)
        starts = [start if d == axis else ctx.integer(0) for d in range(len(shape))]
        return (ctx.dynamic_slice(twice, starts, shape),)
    assert isinstance(stride, int) and isinstance(stride_axis, int)
    type_ = tensor(shape, I32)
    rows = ctx.iota(shape, stride_axis)
    further = ctx.emit("multiply", (rows, ctx.constant(stride, type_)), type_)
    back = ctx.emit("add", (ctx.broadcast(shift, shape), further), type_)
    source = _modulo(ctx, ctx.emit("subtract", (ctx.iota(shape, axis), back), type_), ctx.constant(shape[axis], type_))
    others = tuple(d for d in range(len(shape)) if d != axis)
    index = ctx.reshape(source, (*shape, 1))
    numbers = GatherNumbers((), (axis,), (axis,), len(shape), others, others)
    return (gather(ctx, x, index, numbers, (1,) * len(shape), type_shape=shape),)


def _modulo(ctx: LowerContext, x: Value, n: Value) -> Value:
    """x mod n, not negative."""
    rest = ctx.emit("remainder", (x, n), x.type)
    moved = ctx.emit("add", (rest, n), x.type)
    return ctx.emit("remainder", (moved, n), x.type)


class GatherNumbers:
    """StableHLO's dimension numbers of a gather."""

    def __init__(
        self,
        offset_dims: tuple[int, ...],
        collapsed: tuple[int, ...],
        start_map: tuple[int, ...],
        vector_dim: int,
        batching: tuple[int, ...] = (),
        index_batching: tuple[int, ...] = (),
    ) -> None:
        self.fields = (
            ("offset_dims", offset_dims),
            ("collapsed_slice_dims", collapsed),
            ("operand_batching_dims", batching),
            ("start_indices_batching_dims", index_batching),
            ("start_index_map", start_map),
        )
        self.vector_dim = vector_dim

    def text(self) -> str:
        parts = [f"{name} = {list(value)}" for name, value in self.fields if value]
        return f"#stablehlo.gather<{', '.join([*parts, f'index_vector_dim = {self.vector_dim}'])}>"


def gather(
    ctx: LowerContext,
    x: Value,
    index: Value,
    numbers: GatherNumbers,
    sizes: tuple[int, ...],
    type_shape: tuple[int, ...],
) -> Value:
    """`stablehlo.gather`; starts are clamped so that the slices fit."""
    attrs = (
        ("dimension_numbers", Raw(numbers.text())),
        ("indices_are_sorted", False),
        ("slice_sizes", IntArray(sizes)),
    )
    return ctx.emit("gather", (x, index), like(x, type_shape), attrs)


def lower_sort(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value, ...]:
    """Stable; NaN last; further operands move along with the first `num_keys`."""
    values = [ctx.value(x) for x in operands]
    keys = _int(eqn, "num_keys")
    pairs: list[tuple[Value, Value]] = []
    for value in values:
        assert isinstance(value.type, TensorType)
        scalar = TensorType((), value.type.element)
        pairs.append((Value(scalar), Value(scalar)))

    def build() -> Sequence[Value]:
        result: Value | None = None
        for (a, b), atom in reversed(list(zip(pairs[:keys], eqn.inputs, strict=False))):
            dtype = shaped(atom).dtype
            less, equal = ctx.compare("LT", a, b, dtype), ctx.compare("EQ", a, b, dtype)
            if dtype.is_float:
                a_nan, b_nan = ctx.compare("NE", a, a, dtype), ctx.compare("NE", b, b, dtype)
                number = ctx.emit("not", (a_nan,), a_nan.type)
                less = ctx.emit("or", (less, ctx.emit("and", (number, b_nan), less.type)), less.type)
                both = ctx.emit("and", (a_nan, b_nan), less.type)
                equal = ctx.emit("or", (equal, both), less.type)
            if result is None:
                result = less
            else:
                result = ctx.emit("or", (less, ctx.emit("and", (equal, result), less.type)), less.type)
        assert result is not None
        return (result,)

    region = ctx.region(tuple(value for pair in pairs for value in pair), build)
    attrs = (("dimension", TypedInt(_int(eqn, "dimension"), "i64")), ("is_stable", True))
    return ctx.emit_many("sort", values, [value.type for value in values], attrs, (region,))


def _int(eqn: Eqn, name: str) -> int:
    value = eqn.param(name)
    assert isinstance(value, int), f"{name} of {eqn.prim.value}"
    return value


RULES: Rules = {
    Prim.BROADCAST_IN_DIM: lower_broadcast_in_dim,
    Prim.RESHAPE: lower_reshape,
    Prim.SQUEEZE: lower_reshape,
    Prim.EXPAND_DIMS: lower_reshape,
    Prim.TRANSPOSE: lower_transpose,
    Prim.CONCATENATE: lower_concatenate,
    Prim.STACK: lower_stack,
    Prim.SPLIT: lower_split,
    Prim.SLICE: lower_slice,
    Prim.DYNAMIC_SLICE: lower_dynamic_slice,
    Prim.DYNAMIC_UPDATE_SLICE: lower_dynamic_update_slice,
    Prim.PAD: lower_pad,
    Prim.REV: lower_rev,
    Prim.IOTA: lower_iota,
    Prim.TILE: lower_tile,
    Prim.ROLL: lower_roll,
    Prim.SORT: lower_sort,
}
