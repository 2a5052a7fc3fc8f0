"""Mosaic lowering rules: elementwise primitives, casts apart (`casts.py`).

A binary primitive first makes constants of its literals, then broadcasts what is smaller than the result; a float `max`
propagates NaN; comparisons are ordered, `ne` included (so that a NaN is not unequal to itself there).
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import BOOL, F32, DType, Kind
from pipeline.ir.jaxpr import Eqn, Literal, Prim, ShapedArray
from pipeline.ir.module import Raw, Value, VectorType
from pipeline.lower.mosaic_tpu.context import (
    LowerContext,
    Operand,
    Rule,
    Rules,
    Unsupported,
    is_bool,
    out_aval,
    shaped,
)
from pipeline.lower.mosaic_tpu.types import I1, array_type, scalar_type, value_type, with_shape

# primitive -> op for float, signed, unsigned operands; None: there is none
_BINARY: dict[Prim, tuple[str | None, str | None, str | None]] = {
    Prim.ADD: ("arith.addf", "arith.addi", "arith.addi"),
    Prim.SUB: ("arith.subf", "arith.subi", "arith.subi"),
    Prim.MUL: ("arith.mulf", "arith.muli", "arith.muli"),
    Prim.DIV: ("arith.divf", "arith.divsi", "arith.divui"),
    Prim.REM: ("arith.remf", "arith.remsi", "arith.remui"),
    Prim.MAX: ("arith.maximumf", "arith.maxsi", "arith.maxui"),
    Prim.MIN: ("arith.minimumf", "arith.minsi", "arith.minui"),
    Prim.ATAN2: ("math.atan2", None, None),
}
_BITWISE: dict[Prim, str] = {
    Prim.AND: "arith.andi",
    Prim.OR: "arith.ori",
    Prim.XOR: "arith.xori",
    Prim.SHIFT_LEFT: "arith.shli",
    Prim.SHIFT_RIGHT_ARITHMETIC: "arith.shrsi",
    Prim.SHIFT_RIGHT_LOGICAL: "arith.shrui",
}
_MATH: dict[Prim, str] = {
    Prim.EXP: "math.exp",
    Prim.EXP2: "math.exp2",
    Prim.LOG: "math.log",
    Prim.LOG1P: "math.log1p",
    Prim.SIN: "math.sin",
    Prim.COS: "math.cos",
    Prim.TAN: "math.tan",
    Prim.TANH: "math.tanh",
    Prim.ERF: "math.erf",
    Prim.RSQRT: "math.rsqrt",
    Prim.SQRT: "math.sqrt",
    Prim.FLOOR: "math.floor",
    Prim.CEIL: "math.ceil",
}
_ROUNDING: dict[str, str] = {
    "AWAY_FROM_ZERO": "math.round",
    "TO_NEAREST_EVEN": "math.roundeven",
}
# comparison -> predicate for float, signed, unsigned operands
_COMPARE: dict[Prim, tuple[str, str, str]] = {
    Prim.EQ: ("oeq", "eq", "eq"),
    Prim.NE: ("one", "ne", "ne"),
    Prim.LT: ("olt", "slt", "ult"),
    Prim.LE: ("ole", "sle", "ule"),
    Prim.GT: ("ogt", "sgt", "ugt"),
    Prim.GE: ("oge", "sge", "uge"),
}


def pick(prim: Prim, dtype: DType, ops: tuple[str | None, str | None, str | None]) -> str:
    """The op for operands of `dtype`."""
    match dtype.kind:
        case Kind.FLOAT:
            found = ops[0]
        case Kind.INT:
            found = ops[1]
        case Kind.UINT:
            found = ops[2]
        case _:
            found = None
    if found is None:
        raise Unsupported("L102", f"{prim.value} of {dtype} has no Mosaic form", "convert the operands first")
    return found


def broadcast_operands(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value, Value]:
    """Both operands as values of the result's shape; a weakly typed one takes the other's dtype."""
    x, y = operands
    x_aval, y_aval = shaped(eqn.inputs[0]), shaped(eqn.inputs[1])
    x_dtype, y_dtype = x_aval.dtype, y_aval.dtype
    if y_aval.weak_type:
        y_dtype = x_dtype
    elif x_aval.weak_type:
        x_dtype = y_dtype
    shape = out_aval(eqn).shape
    left = ctx.constant(x.value, scalar_type(x_dtype)) if isinstance(x, Literal) else x
    right = ctx.constant(y.value, scalar_type(y_dtype)) if isinstance(y, Literal) else y
    if x_aval.shape != shape:
        left = ctx.broadcast(left, shape)
    if y_aval.shape != shape:
        right = ctx.broadcast(right, shape)
    return left, right


def lower_binary(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    name = pick(eqn.prim, out_aval(eqn).dtype, _BINARY[eqn.prim])
    x, y = broadcast_operands(ctx, eqn, operands)
    result = ctx.emit(name, (x, y), x.type)
    if name in _FOLDABLE and x in ctx.known and y in ctx.known:
        ctx.known[result] = _FOLDABLE[name](ctx.known[x], ctx.known[y])
    return (result,)


# what JAX folds when it asks whether a branch index is known
_FOLDABLE = {"arith.maxsi": max, "arith.minsi": min}


def lower_bitwise(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    x, y = broadcast_operands(ctx, eqn, operands)
    return (ctx.emit(_BITWISE[eqn.prim], (x, y), x.type),)


def lower_math(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    dtype = shaped(eqn.inputs[0]).dtype
    if not dtype.is_float:
        raise Unsupported("L102", f"{eqn.prim.value} of {dtype} has no Mosaic form", "convert the operand to f32 first")
    return (ctx.emit(_MATH[eqn.prim], (x,), x.type),)


def lower_round(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    method = eqn.param("rounding_method")
    name = _ROUNDING.get(str(method))
    if name is None:
        raise Unsupported("L102", f"rounding method {method} has no Mosaic form")
    return (ctx.emit(name, (x,), x.type),)


def lower_abs(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    name = pick(eqn.prim, out_aval(eqn).dtype, ("math.absf", "math.absi", "math.absi"))
    return (ctx.emit(name, (x,), x.type),)


def lower_neg(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Zero minus the operand."""
    aval = shaped(eqn.inputs[0])
    scalar = ShapedArray((), aval.dtype)
    zero = Literal(0.0 if aval.dtype.is_float else 0, scalar)
    return (ctx.apply(Prim.SUB, out_aval(eqn), (zero, scalar), (operands[0], aval)),)


def lower_square(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    name = pick(eqn.prim, out_aval(eqn).dtype, ("arith.mulf", "arith.muli", "arith.muli"))
    return (ctx.emit(name, (x, x), x.type),)


def lower_bit_count(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    if eqn.prim is Prim.POPULATION_COUNT and not out_aval(eqn).shape:
        raise Unsupported("L102", "population_count of a scalar has no Mosaic form", "count in a vector")
    return (ctx.emit("math.ctlz" if eqn.prim is Prim.CLZ else "math.ctpop", (x,), x.type),)


def lower_not(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Exclusive or with all ones: logical for bools, bitwise for integers."""
    (x,) = map(ctx.value, operands)
    return (invert(ctx, x, out_aval(eqn)),)


def invert(ctx: LowerContext, x: Value, aval: ShapedArray) -> Value:
    ones = ctx.constant(-1, value_type(aval))
    return ctx.emit("arith.xori", (x, ones), x.type)


def lower_is_finite(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    dtype = shaped(eqn.inputs[0]).dtype
    if dtype != F32:
        raise Unsupported("L102", f"is_finite of {dtype} has no Mosaic form, only of f32", "convert to f32 first")
    weird = ctx.emit("tpu.weird", (x,), value_type(out_aval(eqn)))
    return (invert(ctx, weird, out_aval(eqn)),)


def lower_compare(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    x, y = broadcast_operands(ctx, eqn, operands)
    aval, out = shaped(eqn.inputs[0]), out_aval(eqn)
    if is_bool(aval):
        return (_compare_bools(ctx, eqn.prim, (x, aval), (y, shaped(eqn.inputs[1])), out),)
    predicate = pick(eqn.prim, aval.dtype, _COMPARE[eqn.prim])
    return (compare(ctx, predicate, x, y, float_=aval.dtype.is_float),)


def compare(ctx: LowerContext, predicate: str, x: Value, y: Value, *, float_: bool = False) -> Value:
    """`arith.cmpi` or `arith.cmpf`: an i1 of the operands' shape."""
    type_ = with_shape(I1, x.type.shape if isinstance(x.type, VectorType) else ())
    return ctx.emit("arith.cmpf" if float_ else "arith.cmpi", (x, y), type_, (("predicate", Raw(predicate)),))


def _compare_bools(
    ctx: LowerContext, prim: Prim, x: tuple[Value, ShapedArray], y: tuple[Value, ShapedArray], out: ShapedArray
) -> Value:
    """Comparison of truth values by and, or, xor, not. JAX broadcasts a side that was a scalar twice."""

    def opposite(side: tuple[Value, ShapedArray]) -> tuple[Value, ShapedArray]:
        return invert(ctx, side[0], out), out

    match prim:
        case Prim.EQ:
            return invert(ctx, ctx.apply(Prim.XOR, out, x, y), out)
        case Prim.NE:
            return ctx.apply(Prim.XOR, out, x, y)
        case Prim.LT:
            return ctx.apply(Prim.AND, out, opposite(x), y)
        case Prim.LE:
            return ctx.apply(Prim.OR, out, opposite(x), y)
        case Prim.GT:
            return ctx.apply(Prim.AND, out, x, opposite(y))
        case _:
            return ctx.apply(Prim.OR, out, x, opposite(y))


def lower_select_n(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    predicate, *cases = map(ctx.value, operands)
    if len(cases) > 2:
        raise Unsupported("L102", f"select_n of {len(cases)} cases has no Mosaic form, only of 2", "nest two selects")
    aval = shaped(eqn.inputs[0])
    if not is_bool(aval):
        scalar = ShapedArray((), aval.dtype)
        flag = ShapedArray(aval.shape, BOOL)
        predicate = ctx.apply(Prim.NE, flag, (predicate, aval), (Literal(0, scalar), scalar))
    if len(cases) == 1:
        return (cases[0],)
    on_false, on_true = cases
    return (ctx.emit("arith.select", (predicate, on_true, on_false), on_true.type),)


def lower_clamp(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """min(max(x, low), high)."""
    low, x, high = ((ctx.value(v), shaped(atom)) for v, atom in zip(operands, eqn.inputs, strict=True))
    out = out_aval(eqn)
    above = ctx.apply(Prim.MAX, out, x, low)
    return (ctx.apply(Prim.MIN, out, (above, out), high),)


def lower_logistic(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """1 / (1 + exp(-x))."""
    (x,) = map(ctx.value, operands)
    aval = out_aval(eqn)
    if not aval.dtype.is_float:
        raise Unsupported("L102", f"logistic of {aval.dtype} has no Mosaic form", "convert the operand to f32 first")
    negated = ctx.emit("arith.negf", (x,), x.type)
    power = ctx.emit("math.exp", (negated,), x.type)
    one = ctx.constant(1.0, scalar_type(aval.dtype))
    if aval.shape:
        one = ctx.broadcast(one, aval.shape)
    total = ctx.emit("arith.addf", (one, power), x.type)
    return (ctx.emit("arith.divf", (one, total), x.type),)


def lower_pow(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """`math.powf` of floats; an integer exponent is converted, 2 to the y is `math.exp2`."""
    x, y = operands
    out, exponent = out_aval(eqn), shaped(eqn.inputs[1])
    if exponent.dtype.is_integer and isinstance(y, Literal):
        raise Unsupported(
            "L102",
            f"pow with the integer constant {y.value} as exponent has no Mosaic form",
            f"write it as a float, x ** {float(y.value)}, or as jax.lax.integer_pow(x, {y.value})",
        )
    if exponent.dtype.is_integer:
        name = "arith.sitofp" if exponent.dtype.is_signed else "arith.uitofp"
        y = ctx.emit(name, (ctx.value(y),), value_type(out))
    if isinstance(x, Literal) and x.value == 2.0:
        return (ctx.emit("math.exp2", (ctx.value(y),), value_type(exponent if exponent.dtype.is_float else out)),)
    left, right = broadcast_operands(ctx, eqn, (x, y))
    return (ctx.emit("math.powf", (left, right), left.type),)


def lower_integer_pow(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Powers by repeated squaring; a negative one is one over the power."""
    (x,) = map(ctx.value, operands)
    aval = out_aval(eqn)
    y = eqn.param("y")
    assert isinstance(y, int)
    one = Literal(1.0 if aval.dtype.is_float else 1, ShapedArray((), aval.dtype))
    if y == 0:
        return (full(ctx, one, aval),)
    power: Value | None = None
    factor, left = x, abs(y)
    while left > 0:
        if left & 1:
            power = factor if power is None else ctx.apply(Prim.MUL, aval, (power, aval), (factor, aval))
        left >>= 1
        if left > 0:
            factor = ctx.apply(Prim.MUL, aval, (factor, aval), (factor, aval))
    assert power is not None
    if y > 0:
        return (power,)
    return (ctx.apply(Prim.DIV, aval, (full(ctx, one, aval), aval), (power, aval)),)


def full(ctx: LowerContext, literal: Literal, aval: ShapedArray) -> Value:
    """A constant, broadcast to the shape of `aval`."""
    value = ctx.constant(literal.value, scalar_type(aval.dtype))
    return ctx.broadcast(value, aval.shape) if aval.shape else value


def lower_reciprocal(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    aval = out_aval(eqn)
    if aval.dtype != F32 or not aval.shape:
        raise Unsupported("L102", f"reciprocal of {aval} has no Mosaic form, only of f32 vectors", "write 1 / x")
    attrs: list[tuple[str, bool]] = []
    if eqn.param("approx"):
        attrs.append(("approx", True))
    if not dict(eqn.params).get("full_range", True):
        attrs.append(("full_range", False))
    return (ctx.emit("tpu.reciprocal", (x,), array_type(aval.shape, aval.dtype), tuple(attrs)),)


def lower_identity(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    return (ctx.value(operands[0]),)


def lower_multiple_of(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    values = eqn.param("values")
    assert isinstance(values, tuple)
    for multiple in values:
        assert isinstance(multiple, int)
        x = ctx.emit("tpu.assume_multiple", (x,), x.type, (("multiple", Raw(str(multiple))),))
    return (x,)


RULES: Rules = {
    **{prim: Rule(lower_binary, literals=True) for prim in _BINARY},
    **{prim: Rule(lower_bitwise, literals=True) for prim in _BITWISE},
    **{prim: Rule(lower_math) for prim in _MATH},
    **{prim: Rule(lower_compare) for prim in _COMPARE},
    Prim.ROUND: Rule(lower_round),
    Prim.ABS: Rule(lower_abs),
    Prim.NEG: Rule(lower_neg, literals=True),
    Prim.SQUARE: Rule(lower_square),
    Prim.POPULATION_COUNT: Rule(lower_bit_count),
    Prim.CLZ: Rule(lower_bit_count),
    Prim.NOT: Rule(lower_not),
    Prim.IS_FINITE: Rule(lower_is_finite),
    Prim.SELECT_N: Rule(lower_select_n),
    Prim.CLAMP: Rule(lower_clamp),
    Prim.LOGISTIC: Rule(lower_logistic),
    Prim.POW: Rule(lower_pow, literals=True),
    Prim.INTEGER_POW: Rule(lower_integer_pow),
    Prim.RECIPROCAL: Rule(lower_reciprocal),
    Prim.STOP_GRADIENT: Rule(lower_identity),
    Prim.MULTIPLE_OF: Rule(lower_multiple_of),
}
