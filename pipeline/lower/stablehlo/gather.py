"""StableHLO rules: gather."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.dtypes import BOOL, DType
from pipeline.ir.jaxpr import Eqn, Prim, ShapedArray
from pipeline.ir.module import Value
from pipeline.lower.equations import ints, out_aval, shaped
from pipeline.lower.stablehlo.context import LowerContext, Operand, Rules, shape_of
from pipeline.lower.stablehlo.reduce import integer_range, reduce
from pipeline.lower.stablehlo.shape import GatherNumbers, gather
from pipeline.lower.stablehlo.types import tensor


def lower_gather(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Indices out of bounds are clamped, as StableHLO does it, or read a filling where the mode asks for one."""
    x, index = (ctx.value(operand) for operand in operands[:2])
    fields: dict[str, Any] = dict(eqn.param("dimension_numbers"))  # type: ignore[arg-type]
    start_map = fields["start_index_map"]
    batching = fields.get("operand_batching_dims", ())
    index_batching = fields.get("start_indices_batching_dims", ())
    vector_dim = len(shape_of(index)) - 1
    numbers = GatherNumbers(
        fields["offset_dims"], fields["collapsed_slice_dims"], start_map, vector_dim, batching, index_batching
    )
    out = out_aval(eqn)
    sizes = ints(eqn.param("slice_sizes"))
    result = gather(ctx, x, index, numbers, sizes, out.shape)
    if eqn.param("mode") != "FILL_OR_DROP":
        return (result,)
    inside = _inside(ctx, index, shaped(eqn.inputs[1]), shape_of(x), sizes, start_map)
    batch = tuple(d for d in range(len(out.shape)) if d not in fields["offset_dims"])
    inside = ctx.broadcast(inside, out.shape, batch)
    fill = ctx.full(_fill(eqn.param("fill_value"), out.dtype), out)
    return (ctx.emit("select", (inside, result, fill), result.type),)


def _inside(
    ctx: LowerContext,
    index: Value,
    aval: ShapedArray,
    shape: tuple[int, ...],
    sizes: tuple[int, ...],
    start_map: tuple[int, ...],
) -> Value:
    """Whether all of a position's indices leave room for the slice: the index tensor's shape, less its last axis."""
    *batch, columns = aval.shape
    low = ctx.full(0, aval)
    limits = [shape[axis] - sizes[axis] for axis in start_map]
    parts = [ctx.constant(limit, tensor((1,), aval.dtype)) for limit in limits]
    row = parts[0] if len(parts) == 1 else ctx.concatenate(parts, 0)
    high = ctx.broadcast(row, aval.shape, (len(batch),))
    above, below = ctx.compare("GE", index, low, aval.dtype), ctx.compare("LE", index, high, aval.dtype)
    inside = ctx.emit("and", (above, below), above.type)
    if columns == 1:
        return ctx.reshape(inside, tuple(batch))
    return reduce(ctx, inside, BOOL, "and", (len(batch),), tuple(batch))


def _fill(value: object, dtype: DType) -> bool | int | float:
    """NaN, the smallest signed, the largest unsigned value, unless the equation names one."""
    if isinstance(value, (bool, int, float)):
        return value
    if dtype.is_float:
        return float("nan")
    if dtype is BOOL:
        return True
    low, high = integer_range(dtype)
    return low if dtype.is_signed else high


def take(
    ctx: LowerContext, x: Value, index: Value, axes: tuple[int, ...], offset_dims: tuple[int, ...], out: tuple[int, ...]
) -> Value:
    """Elements, or slices along the axes that are not in `axes`, at the positions of `index`'s last axis."""
    shape = shape_of(x)
    sizes = tuple(1 if axis in axes else n for axis, n in enumerate(shape))
    numbers = GatherNumbers(offset_dims, axes, axes, len(shape_of(index)) - 1)
    return gather(ctx, x, index, numbers, sizes, out)


RULES: Rules = {Prim.GATHER: lower_gather}
