"""StableHLO rules: elementwise primitives and casts.

Floats narrower than 16 bits, and of 16 bits where the op is a transcendental one, are computed in f32 and rounded, as
the executor does it; XLA would round the steps of its expansions too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipeline.dtypes import BF16, BOOL, BY_NAME, F32, DType, Kind
from pipeline.ir.jaxpr import Eqn, Prim, ShapedArray
from pipeline.ir.module import IntArray, Raw, Value
from pipeline.lower.equations import Unsupported, out_aval, shaped
from pipeline.lower.stablehlo.context import LowerContext, Operand, Rule, Rules, like, shape_of
from pipeline.lower.stablehlo.types import tensor, tensor_type

# primitive -> op; the same for floats and integers
_ARITHMETIC: dict[Prim, str] = {
    Prim.NEG: "negate",
    Prim.ABS: "abs",
    Prim.SIGN: "sign",
    Prim.FLOOR: "floor",
    Prim.CEIL: "ceil",
    Prim.NOT: "not",
    Prim.POPULATION_COUNT: "popcnt",
    Prim.CLZ: "count_leading_zeros",
    Prim.ADD: "add",
    Prim.SUB: "subtract",
    Prim.MUL: "multiply",
    Prim.DIV: "divide",
    Prim.MAX: "maximum",
    Prim.MIN: "minimum",
    Prim.AND: "and",
    Prim.OR: "or",
    Prim.XOR: "xor",
    Prim.SHIFT_LEFT: "shift_left",
    Prim.SHIFT_RIGHT_ARITHMETIC: "shift_right_arithmetic",
    Prim.SHIFT_RIGHT_LOGICAL: "shift_right_logical",
}
_TRANSCENDENTAL: dict[Prim, str] = {
    Prim.EXP: "exponential",
    Prim.EXPM1: "exponential_minus_one",
    Prim.LOG: "log",
    Prim.LOG1P: "log_plus_one",
    Prim.SIN: "sine",
    Prim.COS: "cosine",
    Prim.TAN: "tan",
    Prim.TANH: "tanh",
    Prim.LOGISTIC: "logistic",
    Prim.ERF: "chlo.erf",
    Prim.ERF_INV: "chlo.erf_inv",
    Prim.RSQRT: "rsqrt",
    Prim.SQRT: "sqrt",
    Prim.CBRT: "cbrt",
    Prim.ATAN2: "atan2",
    Prim.REM: "remainder",
}
_COMPARE: dict[Prim, str] = {
    Prim.EQ: "EQ",
    Prim.NE: "NE",
    Prim.LT: "LT",
    Prim.LE: "LE",
    Prim.GT: "GT",
    Prim.GE: "GE",
}


def _spread(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> list[Value]:
    """The operands as values of the result's shape."""
    shape = out_aval(eqn).shape
    return [ctx.value(operand, shape) for operand in operands]


def in_f32(ctx: LowerContext, values: list[Value], aval: ShapedArray, bits: int, op: Callable[..., Value]) -> Value:
    """`op` of the values, computed in f32 and rounded where floats of `aval.dtype` have fewer than `bits` bits."""
    if not aval.dtype.is_float or aval.dtype.bits >= bits:
        return op(*values)
    return ctx.convert(op(*(ctx.convert(value, F32) for value in values)), aval.dtype)


def _op(ctx: LowerContext, name: str) -> Callable[..., Value]:
    return lambda *values: ctx.emit(name, values, values[0].type)


def lower_arithmetic(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    values = _spread(ctx, eqn, operands)
    return (in_f32(ctx, values, out_aval(eqn), 16, _op(ctx, _ARITHMETIC[eqn.prim])),)


def lower_transcendental(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    values = _spread(ctx, eqn, operands)
    return (in_f32(ctx, values, out_aval(eqn), 32, _op(ctx, _TRANSCENDENTAL[eqn.prim])),)


def lower_sign(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    aval = out_aval(eqn)
    if aval.dtype.kind is not Kind.UINT:
        return lower_arithmetic(ctx, eqn, operands)
    (x,) = _spread(ctx, eqn, operands)
    return (ctx.emit("minimum", (x, ctx.full(1, aval)), x.type),)


def lower_abs(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    if out_aval(eqn).dtype.kind is Kind.UINT:
        return (ctx.value(operands[0]),)
    return lower_arithmetic(ctx, eqn, operands)


def lower_exp2(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """2 to the x by `power`: e to the (x ln 2) would lose as many bits as x is large."""

    def exp2(x: Value) -> Value:
        dtype = F32 if aval.dtype.bits < 32 else aval.dtype
        return ctx.emit("power", (ctx.full(2.0, ShapedArray(aval.shape, dtype)), x), x.type)

    aval = out_aval(eqn)
    return (in_f32(ctx, _spread(ctx, eqn, operands), aval, 32, exp2),)


def lower_square(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = _spread(ctx, eqn, operands)
    return (in_f32(ctx, [x], out_aval(eqn), 16, lambda x: ctx.emit("multiply", (x, x), x.type)),)


def lower_round(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    even = eqn.param("rounding_method") in (1, "TO_NEAREST_EVEN")
    name = "round_nearest_even" if even else "round_nearest_afz"
    return (in_f32(ctx, _spread(ctx, eqn, operands), out_aval(eqn), 16, _op(ctx, name)),)


def lower_is_finite(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    x = ctx.value(operands[0])
    if shaped(eqn.inputs[0]).dtype.bits < 16:
        x = ctx.convert(x, F32)
    return (ctx.emit("is_finite", (x,), tensor_type(out_aval(eqn))),)


def lower_compare(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    x, y = _spread(ctx, eqn, operands)
    dtype = shaped(eqn.inputs[0]).dtype
    if dtype.is_float and dtype.bits < 16:
        x, y, dtype = ctx.convert(x, F32), ctx.convert(y, F32), F32
    return (ctx.compare(_COMPARE[eqn.prim], x, y, dtype),)


def lower_select_n(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """`select` between two; more cases, or an integer that chooses, are a chain of them."""
    which, *rest = operands
    aval = shaped(eqn.inputs[0])
    shape = out_aval(eqn).shape
    cases = [ctx.value(case, shape) for case in rest]
    chooser = ctx.value(which)
    if aval.dtype.kind is Kind.BOOL and len(cases) == 2:
        return (ctx.emit("select", (chooser, cases[1], cases[0]), cases[0].type),)
    result = cases[0]
    for position, case in enumerate(cases[1:], 1):
        is_it = ctx.compare("GE", chooser, ctx.full(position, aval), aval.dtype)
        result = ctx.emit("select", (is_it, case, result), case.type)
    return (result,)


def lower_clamp(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    values = _spread(ctx, eqn, operands)
    aval = out_aval(eqn)
    return (in_f32(ctx, values, aval, 16, lambda low, x, high: ctx.emit("clamp", (low, x, high), x.type)),)


def lower_pow(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    aval = out_aval(eqn)
    base, exponent = _spread(ctx, eqn, operands)
    if aval.dtype.is_float:
        exponent = ctx.convert(exponent, aval.dtype)
    return (in_f32(ctx, [base, exponent], aval, 32, _op(ctx, "power")),)


def lower_integer_pow(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Square and multiply; a negative power is one over the positive one."""
    y = eqn.param("y")
    assert isinstance(y, int)
    aval = out_aval(eqn)

    (x,) = _spread(ctx, eqn, operands)
    one = ctx.full(1, aval)
    if y == 0:
        return (one,)
    factor, left, result = x, abs(y), None
    while left:
        if left & 1:
            result = factor if result is None else ctx.emit("multiply", (result, factor), x.type)
        left >>= 1
        if left:
            factor = ctx.emit("multiply", (factor, factor), x.type)
    assert result is not None
    return (result if y > 0 else ctx.emit("divide", (one, result), x.type),)


def lower_reciprocal(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """1 / x; the approximate form rounds operand and result to bf16's precision."""
    aval = out_aval(eqn)
    approximate = bool(dict(eqn.params).get("approx"))

    def reciprocal(x: Value) -> Value:
        one = ctx.full(1.0, ShapedArray(aval.shape, F32 if aval.dtype.bits < 32 else aval.dtype))
        if not approximate:
            return ctx.emit("divide", (one, x), x.type)
        return _rounded(ctx, ctx.emit("divide", (one, _rounded(ctx, x, BF16)), x.type), BF16)

    return (in_f32(ctx, _spread(ctx, eqn, operands), aval, 32, reciprocal),)


_FORMATS: dict[DType, tuple[int, int]] = {BF16: (8, 7)}


def _rounded(ctx: LowerContext, x: Value, dtype: DType) -> Value:
    return _reduce_precision(ctx, x, *_FORMATS[dtype])


def _reduce_precision(ctx: LowerContext, x: Value, exponent: int, mantissa: int) -> Value:
    return ctx.emit("reduce_precision", (x,), x.type, (("format", Raw(f"e{exponent}m{mantissa}")),))


def lower_reduce_precision(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    exponent, mantissa = eqn.param("exponent_bits"), eqn.param("mantissa_bits")
    assert isinstance(exponent, int) and isinstance(mantissa, int)
    (x,) = _spread(ctx, eqn, operands)
    return (_reduce_precision(ctx, x, exponent, mantissa),)


def lower_nextafter(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    if out_aval(eqn).dtype.bits < 16:
        raise Unsupported("L102", f"nextafter of {out_aval(eqn).dtype} has no StableHLO form", "convert to f32 first")
    x, y = _spread(ctx, eqn, operands)
    return (ctx.emit("chlo.next_after", (x, y), x.type),)


def lower_identity(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    return (ctx.value(operands[0]),)


# --- casts


def lower_convert(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """A float becomes an integer by truncation, saturating, NaN as 0 (XLA's convert does); a bool says "not zero"."""
    (x,) = _spread(ctx, eqn, operands)
    source, target = shaped(eqn.inputs[0]).dtype, out_aval(eqn).dtype
    if target is BOOL and source is not BOOL:
        zero = ctx.constant(0.0 if source.is_float else 0, tensor(shape_of(x), source))
        return (ctx.compare("NE", x, zero, source),)
    return (ctx.convert(x, target),)


def lower_bitcast_convert(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Same bits; a change of width adds or drops a trailing axis."""
    return (ctx.emit("bitcast_convert", (ctx.value(operands[0]),), tensor_type(out_aval(eqn))),)


def lower_bitcast(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    return (bitcast_rows(ctx, ctx.value(operands[0]), shaped(eqn.inputs[0]).dtype, out_aval(eqn).dtype),)


def lower_pack_elementwise(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Each operand's low bits, shifted to its place in the word."""
    aval, narrow = out_aval(eqn), eqn.param("packed_dtype")
    assert isinstance(narrow, DType)
    whole: Value | None = None
    for place, x in enumerate(_spread(ctx, eqn, operands)):
        if narrow.is_float:
            half = ctx.emit("bitcast_convert", (ctx.convert(x, narrow),), tensor(aval.shape, BY_NAME["uint16"]))
            word = ctx.convert(half, aval.dtype)
        else:
            word = ctx.emit("bitcast_convert", (x,), tensor_type(aval))
            word = ctx.emit("and", (word, ctx.full((1 << narrow.bits) - 1, aval)), word.type)
        word = ctx.emit("shift_left", (word, ctx.full(place * narrow.bits, aval)), word.type)
        whole = word if whole is None else ctx.emit("or", (whole, word), word.type)
    assert whole is not None
    return (whole,)


def lower_unpack_elementwise(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Shifted up to the top of the word; a bfloat16 is there already, an integer is shifted down with its sign."""
    aval, narrow, index = out_aval(eqn), eqn.param("packed_dtype"), eqn.param("index")
    assert isinstance(narrow, DType) and isinstance(index, int)
    bits = aval.dtype.bits
    words = ShapedArray(aval.shape, BY_NAME[f"int{bits}"])
    word = ctx.emit("bitcast_convert", (_spread(ctx, eqn, operands)[0],), tensor_type(words))
    word = ctx.emit("shift_left", (word, ctx.full(bits - (index + 1) * narrow.bits, words)), word.type)
    down = ctx.full(-(1 << narrow.bits) if narrow.is_float else bits - narrow.bits, words)
    word = ctx.emit("and" if narrow.is_float else "shift_right_arithmetic", (word, down), word.type)
    return (ctx.emit("bitcast_convert", (word,), tensor_type(aval)),)


def bitcast_rows(ctx: LowerContext, x: Value, source: DType, target: DType) -> Value:
    """Reinterpret bits along the second-minor axis: a 32-bit row is 2 rows of 16 bits, low bits first."""
    shape = shape_of(x)
    if source.bits == target.bits:
        return ctx.emit("bitcast_convert", (x,), tensor(shape, target))
    *outer, rows, lanes = shape
    rank = len(shape)
    swap = (*range(rank - 1), rank, rank - 1)
    if source.bits > target.bits:
        ratio = source.bits // target.bits
        parts = ctx.emit("bitcast_convert", (x,), tensor((*shape, ratio), target))
        return ctx.reshape(_transpose(ctx, parts, swap), (*outer, rows * ratio, lanes))
    ratio = target.bits // source.bits
    parts = _transpose(ctx, ctx.reshape(x, (*outer, rows // ratio, ratio, lanes)), swap)
    return ctx.emit("bitcast_convert", (parts,), tensor((*outer, rows // ratio, lanes), target))


def _transpose(ctx: LowerContext, x: Value, order: tuple[int, ...]) -> Value:
    shape = shape_of(x)
    return ctx.emit("transpose", (x,), like(x, tuple(shape[axis] for axis in order)), (("dims", IntArray(order)),))


_RULES: dict[Prim, Rule] = {
    **dict.fromkeys(_ARITHMETIC, lower_arithmetic),
    **dict.fromkeys(_TRANSCENDENTAL, lower_transcendental),
    **dict.fromkeys(_COMPARE, lower_compare),
}
RULES: Rules = {
    **_RULES,
    Prim.SIGN: lower_sign,
    Prim.ABS: lower_abs,
    Prim.EXP2: lower_exp2,
    Prim.SQUARE: lower_square,
    Prim.ROUND: lower_round,
    Prim.IS_FINITE: lower_is_finite,
    Prim.SELECT_N: lower_select_n,
    Prim.CLAMP: lower_clamp,
    Prim.POW: lower_pow,
    Prim.INTEGER_POW: lower_integer_pow,
    Prim.RECIPROCAL: lower_reciprocal,
    Prim.REDUCE_PRECISION: lower_reduce_precision,
    Prim.NEXTAFTER: lower_nextafter,
    Prim.STOP_GRADIENT: lower_identity,
    Prim.MULTIPLE_OF: lower_identity,
    Prim.CONVERT_ELEMENT_TYPE: lower_convert,
    Prim.BITCAST_CONVERT_TYPE: lower_bitcast_convert,
    Prim.BITCAST: lower_bitcast,
    Prim.PACK_ELEMENTWISE: lower_pack_elementwise,
    Prim.UNPACK_ELEMENTWISE: lower_unpack_elementwise,
}
