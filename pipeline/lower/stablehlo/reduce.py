"""StableHLO rules: reductions and scans along axes. Narrow floats are accumulated in f32 and rounded at the end."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import F32, DType, Kind
from pipeline.ir.jaxpr import Eqn, Prim, ShapedArray
from pipeline.ir.module import IntArray, Raw, TensorType, Value
from pipeline.lower.equations import ints, out_aval, shaped
from pipeline.lower.stablehlo.context import LowerContext, Operand, Rules, like
from pipeline.lower.stablehlo.types import tensor, tensor_type

_REDUCERS: dict[Prim, str] = {
    Prim.REDUCE_SUM: "add",
    Prim.REDUCE_PROD: "multiply",
    Prim.REDUCE_MAX: "maximum",
    Prim.REDUCE_MIN: "minimum",
    Prim.REDUCE_AND: "and",
    Prim.REDUCE_OR: "or",
    Prim.CUMSUM: "add",
    Prim.CUMPROD: "multiply",
    Prim.CUMMAX: "maximum",
    Prim.CUMMIN: "minimum",
}


def integer_range(dtype: DType) -> tuple[int, int]:
    if dtype.kind is Kind.INT:
        return -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1
    return 0, (1 << dtype.bits) - 1


def neutral(name: str, dtype: DType) -> bool | int | float:
    """What the reducer `name` starts from."""
    bool_ = dtype.kind is Kind.BOOL
    match name:
        case "add":
            return 0.0 if dtype.is_float else 0
        case "multiply":
            return 1.0 if dtype.is_float else 1
        case "maximum" | "minimum":
            sign = -1 if name == "maximum" else 1
            if dtype.is_float:
                return sign * float("inf")
            return name == "minimum" if bool_ else integer_range(dtype)[sign > 0]
        case "and":
            return True if bool_ else -1 if dtype.is_signed else integer_range(dtype)[1]
        case _:
            return False if bool_ else 0


def _wide(dtype: DType) -> DType:
    return F32 if dtype.is_float and dtype.bits < 32 else dtype


def lower_reduce(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    name, aval = _REDUCERS[eqn.prim], out_aval(eqn)
    axes = ints(eqn.param("axes"))
    work = _wide(aval.dtype)
    x = ctx.convert(ctx.value(operands[0]), work)
    return (ctx.convert(reduce(ctx, x, work, name, axes, aval.shape), aval.dtype),)


def reduce(
    ctx: LowerContext, x: Value, dtype: DType, name: str, axes: tuple[int, ...], shape: tuple[int, ...]
) -> Value:
    """`stablehlo.reduce` by the op `name` to `shape`."""
    start = ctx.constant(neutral(name, dtype), tensor((), dtype))
    attrs = (("dimensions", IntArray(axes)), ("reducer", Raw(f"stablehlo.{name}")))
    return ctx.emit("reduce", (x, start), like(x, shape), attrs)


def lower_arg_reduce(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """The first of equals; a NaN wins. Value and position are reduced together."""
    (axis,) = ints(eqn.param("axes"))
    out = out_aval(eqn)
    dtype = _wide(shaped(eqn.inputs[0]).dtype)
    largest = eqn.prim is Prim.ARGMAX
    x = ctx.convert(ctx.value(operands[0]), dtype)
    positions = ctx.iota(shaped(eqn.inputs[0]).shape, axis, out.dtype)
    start = ctx.constant(neutral("maximum" if largest else "minimum", dtype), tensor((), dtype))
    first = ctx.constant(0, tensor((), out.dtype))
    value_type, index_type = tensor((), dtype), tensor((), out.dtype)
    a, i, b, j = Value(value_type), Value(index_type), Value(value_type), Value(index_type)

    def build() -> Sequence[Value]:
        better = ctx.compare("GT" if largest else "LT", a, b, dtype)
        if dtype.is_float:
            better = ctx.emit("or", (better, ctx.compare("NE", a, a, dtype)), better.type)
        equal = ctx.compare("EQ", a, b, dtype)
        earlier = ctx.emit("and", (equal, ctx.compare("LT", i, j, out.dtype)), equal.type)
        chosen = ctx.emit("or", (better, earlier), better.type)
        return ctx.emit("select", (better, a, b), a.type), ctx.emit("select", (chosen, i, j), i.type)

    region = ctx.region((a, i, b, j), build)
    types: tuple[TensorType, ...] = (tensor(out.shape, dtype), tensor_type(out))
    attrs = (("dimensions", IntArray((axis,))),)
    return (ctx.emit_many("reduce", (x, positions, start, first), types, attrs, (region,))[1],)


def lower_scan(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """A window that reaches from the axis's start to each element (from its end, reversed)."""
    name, aval = _REDUCERS[eqn.prim], out_aval(eqn)
    axis, reverse = eqn.param("axis"), bool(eqn.param("reverse"))
    assert isinstance(axis, int)
    work = _wide(aval.dtype)
    x = ctx.convert(ctx.value(operands[0]), work)
    rank, n = len(aval.shape), aval.shape[axis]
    start = ctx.constant(neutral(name, work), tensor((), work))
    reach = (0, n - 1) if reverse else (n - 1, 0)
    padding = ", ".join(str(list(reach if d == axis else (0, 0))) for d in range(rank))
    element = tensor_type(ShapedArray((), work))
    a, b = Value(element), Value(element)
    region = ctx.region((a, b), lambda: (ctx.emit(name, (a, b), element),))
    attrs = (
        ("padding", Raw(f"dense<[{padding}]> : tensor<{rank}x2xi64>" if rank * (n - 1) else _ZERO.format(rank))),
        ("window_dimensions", IntArray(tuple(n if d == axis else 1 for d in range(rank)))),
    )
    result = ctx.emit("reduce_window", (x, start), x.type, attrs, (region,))
    return (ctx.convert(result, aval.dtype),)


_ZERO = "dense<0> : tensor<{}x2xi64>"  # how MLIR prints what is all the same

RULES: Rules = {
    **dict.fromkeys((prim for prim in _REDUCERS if prim.value.startswith("reduce")), lower_reduce),
    **dict.fromkeys((Prim.CUMSUM, Prim.CUMPROD, Prim.CUMMAX, Prim.CUMMIN), lower_scan),
    Prim.ARGMAX: lower_arg_reduce,
    Prim.ARGMIN: lower_arg_reduce,
}
