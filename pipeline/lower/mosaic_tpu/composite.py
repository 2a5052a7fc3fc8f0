"""Mosaic lowering rules: primitives without an op of their own, spelled out in others.

Each step is a primitive lowered by its own rule, so that constants and broadcasts come out as they do elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import BOOL, F32, U16, U32, DType
from pipeline.ir.jaxpr import Eqn, Literal, Prim, ShapedArray
from pipeline.ir.module import Value
from pipeline.lower.mosaic_tpu.casts import convert
from pipeline.lower.mosaic_tpu.context import LowerContext, Operand, Rule, Rules, Unsupported, out_aval, shaped
from pipeline.lower.mosaic_tpu.types import scalar_type

NATIVE_BF16_GENERATION = 4  # from here on JAX stays in 16 bits for bf16

Term = tuple[Operand, ShapedArray]


class Steps:
    """Writes elementwise arithmetic over one shape; a Python number is a scalar literal of the other side's dtype."""

    def __init__(self, ctx: LowerContext, shape: tuple[int, ...]) -> None:
        self.ctx = ctx
        self.shape = shape

    def array(self, value: Value, dtype: DType) -> Term:
        return value, ShapedArray(self.shape, dtype)

    def number(self, value: int | float, dtype: DType) -> Term:
        scalar = ShapedArray((), dtype)
        return Literal(value, scalar), scalar

    def binary(self, prim: Prim, x: Term, y: Term) -> Term:
        dtype = x[1].dtype if x[1].shape or not y[1].shape else y[1].dtype
        aval = ShapedArray(self.shape, dtype)
        return self.ctx.apply(prim, aval, x, y), aval

    def compare(self, prim: Prim, x: Term, y: Term) -> Term:
        aval = ShapedArray(self.shape, BOOL)
        return self.ctx.apply(prim, aval, x, y), aval

    def unary(self, prim: Prim, x: Term) -> Term:
        return self.ctx.apply(prim, x[1], x), x[1]

    def bitcast(self, x: Term, dtype: DType) -> Term:
        aval = ShapedArray(x[1].shape, dtype)
        return self.ctx.apply(Prim.BITCAST_CONVERT_TYPE, aval, x, new_dtype=dtype), aval

    def convert(self, x: Term, dtype: DType) -> Term:
        return convert(self.ctx, self.ctx.value(x[0]), x[1], dtype), ShapedArray(x[1].shape, dtype)

    def spread(self, x: Term) -> Term:
        """A scalar, broadcast to the shape."""
        value = self.ctx.value(x[0])
        if x[1].shape == self.shape:
            return value, x[1]
        return self.ctx.broadcast(value, self.shape), ShapedArray(self.shape, x[1].dtype)

    def where(self, condition: Term, x: Term, y: Term) -> Term:
        """`x` where the condition holds, else `y`: both constants come first, then both broadcasts."""
        constants = [(self.ctx.value(value), aval) for value, aval in (x, y)]
        on_true, on_false = (self.spread(term) for term in constants)
        return self.ctx.apply(Prim.SELECT_N, on_true[1], condition, on_false, on_true), on_true[1]

    def result(self, x: Term) -> tuple[Value]:
        return (self.ctx.value(x[0]),)


def lower_sign(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """-1, 0 or 1: from the sign bit for floats (zero and NaN stay as they are), from comparisons for integers."""
    aval = out_aval(eqn)
    dtype = aval.dtype
    steps = Steps(ctx, aval.shape)
    x: Term = (ctx.value(operands[0]), ShapedArray(aval.shape, dtype))
    if dtype.is_float:
        return steps.result(_float_sign(steps, x, ctx.generation >= NATIVE_BF16_GENERATION))
    if not dtype.is_integer:
        raise Unsupported("L102", f"sign of {dtype} has no Mosaic form")
    zero = steps.number(0, dtype)
    if not dtype.is_signed:
        return steps.result(steps.convert(steps.compare(Prim.NE, x, zero), dtype))
    above = steps.convert(steps.compare(Prim.GT, x, zero), dtype)
    below = steps.convert(steps.compare(Prim.LT, x, zero), dtype)
    return steps.result(steps.binary(Prim.SUB, above, below))


def _float_sign(steps: Steps, x: Term, native_bf16: bool) -> Term:
    dtype = x[1].dtype
    narrow = dtype.name == "bfloat16" and native_bf16
    if not narrow:
        x = steps.convert(x, F32)
    float_dtype = x[1].dtype
    bits_dtype, sign_mask, one = (U16, 0x8000, 0x3F80) if narrow else (U32, 0x80000000, 0x3F800000)
    bits = steps.bitcast(x, bits_dtype)
    sign = steps.binary(Prim.AND, bits, steps.number(sign_mask, bits_dtype))
    unit = steps.bitcast(steps.binary(Prim.OR, steps.number(one, bits_dtype), sign), float_dtype)
    magnitude = steps.unary(Prim.ABS, x)
    found = steps.where(steps.compare(Prim.GT, magnitude, steps.number(0.0, float_dtype)), unit, x)
    if dtype.name == "bfloat16" and not native_bf16:
        # the low half of the f32 is all zeros, so the high half is the bf16
        high = steps.binary(Prim.SHIFT_RIGHT_LOGICAL, steps.bitcast(found, U32), steps.number(16, U32))
        return steps.bitcast(steps.convert(high, U16), dtype)
    return steps.convert(found, dtype)


# Mike Giles, "Approximating the erfinv function" (2012), single precision: coefficients for w < 5 and for w >= 5
_ERF_INV_CENTRAL = (
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164,
    0.246640727, 1.50140941,
)  # fmt: skip
_ERF_INV_TAIL = (
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
    1.00167406, 2.83297682,
)  # fmt: skip


def lower_erf_inv(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Giles' polynomial in w = -log((1 - x) (1 + x)); infinite at one and minus one."""
    aval = out_aval(eqn)
    if aval.dtype != F32:
        raise Unsupported("L102", f"erf_inv of {aval.dtype} has no Mosaic form, only of f32", "convert to f32 first")
    steps = Steps(ctx, aval.shape)

    def number(value: float) -> Term:
        return steps.number(value, F32)

    x: Term = (ctx.value(operands[0]), ShapedArray(aval.shape, F32))
    product = steps.binary(Prim.MUL, x, steps.unary(Prim.NEG, x))
    w = steps.unary(Prim.NEG, steps.unary(Prim.LOG1P, product))
    central = steps.compare(Prim.LT, w, number(5.0))
    near = steps.binary(Prim.SUB, w, number(2.5))
    far = steps.binary(Prim.SUB, steps.unary(Prim.SQRT, w), number(3.0))
    w = steps.where(central, near, far)
    total: Term | None = None
    for low, high in zip(_ERF_INV_CENTRAL, _ERF_INV_TAIL, strict=True):
        coefficient = steps.where(central, number(low), number(high))
        total = coefficient if total is None else steps.binary(Prim.ADD, coefficient, steps.binary(Prim.MUL, total, w))
    assert total is not None
    edge = steps.compare(Prim.EQ, steps.unary(Prim.ABS, x), number(1.0))
    at_edge = steps.binary(Prim.MUL, number(float("inf")), x)
    return steps.result(steps.where(edge, at_edge, steps.binary(Prim.MUL, total, x)))


def lower_nextafter(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """The neighbouring float, by counting on the bits."""
    aval = out_aval(eqn)
    if aval.dtype != F32:
        raise Unsupported("L102", f"nextafter of {aval.dtype} has no Mosaic form, only of f32")
    steps = Steps(ctx, aval.shape)
    x: Term = (ctx.value(operands[0]), shaped(eqn.inputs[0]))
    y: Term = (ctx.value(operands[1]), shaped(eqn.inputs[1]))

    def bits(value: int) -> Term:
        return steps.number(value, U32)

    x_bits, y_bits = steps.bitcast(x, U32), steps.bitcast(y, U32)
    any_nan = steps.binary(Prim.OR, steps.compare(Prim.NE, x, x), steps.compare(Prim.NE, y, y))
    nan = steps.spread(bits(0x7FC00000))
    # the mask of everything but the sign is made once, as a scalar
    sign = ctx.constant(0x80000000, scalar_type(U32))
    scalar = ShapedArray((), U32)
    rest: Term = (ctx.apply(Prim.NOT, scalar, (sign, scalar)), scalar)
    x_size, y_size = steps.binary(Prim.AND, x_bits, rest), steps.binary(Prim.AND, y_bits, rest)
    equal = steps.compare(Prim.EQ, x, y)
    zero = steps.spread(bits(0))
    x_zero, y_zero = steps.compare(Prim.EQ, x_size, zero), steps.compare(Prim.EQ, y_size, zero)
    x_sign = steps.binary(Prim.AND, x_bits, bits(0x80000000))
    y_sign = steps.binary(Prim.AND, y_bits, bits(0x80000000))
    one = steps.spread(bits(1))
    smallest = steps.binary(Prim.OR, y_sign, one)
    apart = steps.compare(Prim.NE, x_sign, y_sign)
    shrinks = steps.binary(Prim.OR, steps.compare(Prim.GT, x_size, y_size), apart)
    minus_one = steps.spread(bits(0xFFFFFFFF))
    moved = steps.binary(Prim.ADD, x_bits, steps.where(shrinks, minus_one, one))
    from_zero = steps.where(y_zero, y_bits, smallest)
    found = steps.where(x_zero, from_zero, moved)
    found = steps.where(equal, y_bits, found)
    found = steps.where(any_nan, nan, found)
    return steps.result(steps.bitcast(found, F32))


RULES: Rules = {
    Prim.SIGN: Rule(lower_sign),
    Prim.ERF_INV: Rule(lower_erf_inv),
    Prim.NEXTAFTER: Rule(lower_nextafter),
}
