"""Mosaic lowering rules: reductions.

A reduction to a scalar keeps one leading unit dimension and extracts the element; bools are reduced as 0.0 and 1.0.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import BOOL, F32, I32, Kind
from pipeline.ir.jaxpr import Eqn, Prim, ShapedArray
from pipeline.ir.module import Raw, Value, VectorType
from pipeline.lower.mosaic_tpu.composite import Steps
from pipeline.lower.mosaic_tpu.context import (
    LowerContext,
    Operand,
    Rule,
    Rules,
    Unsupported,
    ints,
    out_aval,
    shaped,
)
from pipeline.lower.mosaic_tpu.types import array_type

# primitive -> (kind and identity for floats, kind and identity for int32)
_KINDS: dict[Prim, tuple[tuple[str, float], tuple[str, int]]] = {
    Prim.REDUCE_SUM: (("add", 0.0), ("add", 0)),
    Prim.REDUCE_MAX: (("maximumf", float("-inf")), ("maxsi", -(2**31))),
    Prim.REDUCE_MIN: (("minimumf", float("inf")), ("minsi", 2**31 - 1)),
}
_INDEX_KINDS: dict[Prim, str] = {
    Prim.ARGMAX: "#tpu.reduction_kind<arg_max>",
    Prim.ARGMIN: "#tpu.reduction_kind<arg_min>",
}


def lower_reduce(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    return (reduce_vector(ctx, eqn.prim, x, shaped(eqn.inputs[0]), ints(eqn.param("axes"))),)


def reduce_vector(ctx: LowerContext, prim: Prim, x: Value, aval: ShapedArray, axes: tuple[int, ...]) -> Value:
    dtype = aval.dtype
    shape = tuple(n for axis, n in enumerate(aval.shape) if axis not in axes)
    if not shape:
        return _reduce_to_scalar(ctx, prim, x, aval)
    on_floats, on_ints = _KINDS[prim]
    if dtype.is_float:
        kind, identity = on_floats
        start = ctx.constant(identity, array_type(shape, dtype))
    elif dtype == I32:
        kind, identity = on_ints
        start = ctx.constant(identity, array_type(shape, dtype))
    else:
        raise Unsupported(
            "L102", f"{prim.value} of {dtype} has no Mosaic form: floats and int32 do", "convert the operand first"
        )
    attrs = (("kind", Raw(f"<{kind}>")), ("reduction_dims", Raw(f"[{', '.join(map(str, axes))}]")))
    return ctx.emit("vector.multi_reduction", (x, start), array_type(shape, dtype), attrs)


def _reduce_to_scalar(ctx: LowerContext, prim: Prim, x: Value, aval: ShapedArray) -> Value:
    rank = len(aval.shape)
    if aval.dtype.bits != 32:
        raise Unsupported(
            "L102", f"a {aval.dtype} vector cannot become a scalar: scalars have 32 bits", "convert it to 32 bits first"
        )
    lifted = ctx.shape_cast(x, (1, *aval.shape)) if rank else ctx.broadcast(x, (1,))
    lifted_aval = ShapedArray((1, *aval.shape), aval.dtype)
    total = reduce_vector(ctx, prim, lifted, lifted_aval, tuple(range(1, rank + 1)))
    return ctx.extract_scalar(ctx.shape_cast(total, (1,) * (rank + 1)) if rank else total)


def lower_reduce_bool(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """All: the minimum of 0.0 and 1.0 is above zero. Any: the maximum."""
    (x,) = map(ctx.value, operands)
    aval, out = shaped(eqn.inputs[0]), out_aval(eqn)
    if aval.dtype.kind is not Kind.BOOL:
        raise Unsupported("L102", f"{eqn.prim.value} of {aval.dtype} has no Mosaic form, only of bools")
    steps = Steps(ctx, aval.shape)
    numbers = steps.where((x, aval), steps.number(1.0, F32), steps.number(0.0, F32))
    prim = Prim.REDUCE_MIN if eqn.prim is Prim.REDUCE_AND else Prim.REDUCE_MAX
    found = reduce_vector(ctx, prim, ctx.value(numbers[0]), numbers[1], ints(eqn.param("axes")))
    after = Steps(ctx, out.shape)
    result = after.compare(Prim.GT, (found, ShapedArray(out.shape, F32)), after.number(0.0, F32))
    assert result[1].dtype == BOOL
    return after.result(result)


def lower_arg_reduce(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Position of the extreme along one axis, as int32; a vector of rank 1 is taken as a row."""
    (x,) = map(ctx.value, operands)
    aval, out = shaped(eqn.inputs[0]), out_aval(eqn)
    axes = ints(eqn.param("axes"))
    if aval.dtype != F32 or out.dtype != I32 or len(axes) != 1:
        raise Unsupported(
            "L102",
            f"{eqn.prim.value} of {aval.dtype} over axes {list(axes)} with {out.dtype} indices has no Mosaic form: "
            "only float32 over one axis with int32 indices",
            "convert the operand to f32 first",
        )
    (axis,) = axes
    shape = out.shape
    row = len(aval.shape) == 1
    if row:
        x = ctx.shape_cast(x, (1, *aval.shape))
        axis, shape = axis + 1, (1, *shape)
    attrs = (("axis", Raw(f"{axis} : i32")), ("kind", Raw(_INDEX_KINDS[eqn.prim])))
    found = ctx.emit("tpu.reduce_index", (x,), array_type(shape, I32), attrs)
    if row:
        assert isinstance(found.type, VectorType)
        return (ctx.extract_scalar(found),)
    return (found,)


RULES: Rules = {
    **{prim: Rule(lower_reduce) for prim in _KINDS},
    **{prim: Rule(lower_arg_reduce) for prim in _INDEX_KINDS},
    Prim.REDUCE_AND: Rule(lower_reduce_bool),
    Prim.REDUCE_OR: Rule(lower_reduce_bool),
}
