"""Division, remainders and powers, as JAX expands them."""

from __future__ import annotations

from pipeline.dtypes import BOOL, I32, Kind
from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, Tracer
from pipeline.trace.surface.common import (
    convert,
    operand,
    promote,
    promote_args_inexact,
    promote_shapes,
    static_int,
)
from pipeline.trace.surface.elementwise import both_hold, choose, constant_like, number_for, numeric, ones_like_operand
from pipeline.trace.surface.select import where_call


def floor_divide(ctx: Builder, x1: object, x2: object) -> Tracer:
    """Towards minus infinity, as Python divides."""
    operands = [operand(ctx, value, "floor_divide") for value in (x1, x2)]
    (out,) = ctx.jit("floor_divide", lambda a, b: _floor_divide(ctx, a, b), *operands)
    return out


def _floor_divide(ctx: Builder, a: Tracer, b: Tracer) -> Tracer:
    a, b = numeric(ctx, "floor_divide", a, b)
    kind = a.dtype.kind
    if kind is Kind.UINT:
        return ctx.emit1(Prim.DIV, [a, b])
    if kind is Kind.FLOAT:
        return _float_divmod(ctx, a, b)[0]
    quotient = ctx.emit1(Prim.DIV, [a, b])
    signs = ctx.emit1(
        Prim.NE, promote_shapes(ctx, "floor_divide", ctx.emit1(Prim.SIGN, [a]), ctx.emit1(Prim.SIGN, [b]))
    )
    remainder = ctx.emit1(Prim.REM, [a, b])
    inexact = ctx.emit1(Prim.NE, [remainder, number_for(remainder, 0)])
    select = both_hold(ctx, signs, inexact)
    less = ctx.emit1(Prim.SUB, [quotient, number_for(quotient, 1)])
    return where_call(ctx, select, less, quotient)


def _float_divmod(ctx: Builder, a: Tracer, b: Tracer) -> tuple[Tracer, Tracer]:
    mod = ctx.emit1(Prim.REM, [a, b])
    by_zero = ctx.emit1(Prim.EQ, [b, number_for(b, 0)])
    exact = where_call(ctx, by_zero, a, ctx.emit1(Prim.SUB, [a, mod]))
    quotient = ctx.emit1(Prim.DIV, [exact, b])
    nonzero = ctx.emit1(Prim.NE, [mod, number_for(mod, 0)])
    signs = ctx.emit1(Prim.NE, [ctx.emit1(Prim.SIGN, [b]), ctx.emit1(Prim.SIGN, [mod])])
    adjust = ctx.emit1(Prim.AND, [nonzero, signs])
    mod = choose(ctx, adjust, ctx.emit1(Prim.ADD, [mod, b]), mod)
    quotient = choose(ctx, adjust, ctx.emit1(Prim.SUB, [quotient, number_for(quotient, 1)]), quotient)
    return ctx.emit1(Prim.ROUND, [quotient], {"rounding_method": "AWAY_FROM_ZERO"}), mod


def remainder(ctx: Builder, x1: object, x2: object) -> Tracer:
    """With the divisor's sign, as Python's %."""
    operands = [operand(ctx, value, "remainder") for value in (x1, x2)]
    (out,) = ctx.jit("remainder", lambda a, b: _remainder(ctx, a, b), *operands)
    return out


def _remainder(ctx: Builder, a: Tracer, b: Tracer) -> Tracer:
    a, b = numeric(ctx, "remainder", a, b)
    zero = constant_like(a, 0)
    if b.dtype.is_integer:
        by_zero = ctx.emit1(Prim.EQ, [b, number_for(b, 0)])
        b = where_call(ctx, by_zero, ones_like_operand(ctx, b), b)
    truncated = ctx.emit1(Prim.REM, [a, b])
    nonzero = ctx.emit1(Prim.NE, [truncated, zero])
    signs = ctx.emit1(Prim.NE, [ctx.emit1(Prim.LT, [truncated, zero]), ctx.emit1(Prim.LT, [b, zero])])
    adjust = ctx.emit1(Prim.AND, [signs, nonzero])
    return choose(ctx, adjust, ctx.emit1(Prim.ADD, [truncated, b]), truncated)


def divmod_(ctx: Builder, x1: object, x2: object) -> tuple[Tracer, Tracer]:
    """`jnp.divmod`."""
    operands = [operand(ctx, value, "divmod") for value in (x1, x2)]

    def body(a: Tracer, b: Tracer) -> tuple[Tracer, Tracer]:
        a, b = numeric(ctx, "divmod", a, b)
        if a.dtype.is_float:
            return _float_divmod(ctx, a, b)
        return floor_divide(ctx, a, b), remainder(ctx, a, b)

    quotient, rest = ctx.jit("divmod", body, *operands)
    return quotient, rest


def fmod(ctx: Builder, x1: object, x2: object) -> Tracer:
    operands = [operand(ctx, value, "jnp.fmod") for value in (x1, x2)]
    (out,) = ctx.jit("fmod", lambda a, b: ctx.emit1(Prim.REM, numeric(ctx, "fmod", a, b)), *operands)
    return out


def power(ctx: Builder, x1: object, x2: object) -> Tracer:
    """`x1 ** x2`: a static integer exponent is `integer_pow`; ints to a traced power multiply six times."""
    if isinstance(x2, int):
        (base,) = promote(ctx, "power", x1)
        if base.dtype is BOOL:
            base = convert(ctx, base, I32)
        return integer_pow(ctx, base, int(x2))
    values = [operand(ctx, value, "power") for value in (x1, x2)]
    ctx.lift_all(*values)
    a, b = promote_shapes(ctx, "power", *(ctx.asarray(value) for value in values))
    wide_a, wide_b = promote(ctx, "power", a, b)
    if not wide_a.dtype.is_float:
        return _pow_int_int(ctx, *numeric(ctx, "power", wide_a, wide_b))
    if a.dtype.is_float and b.dtype.is_integer:
        return ctx.emit1(Prim.POW, [a, b])
    return ctx.emit1(Prim.POW, [wide_a, wide_b])


def integer_pow(ctx: Builder, x: object, y: object) -> Tracer:
    """`lax.integer_pow`."""
    base = ctx.asarray(x)
    exponent = static_int(ctx, y, "lax.integer_pow: y")
    if exponent < 0 and not base.dtype.is_float:
        ctx.fail("T203", f"integers have no power {exponent}", "convert the base to a float first")
    return ctx.emit1(Prim.INTEGER_POW, [base], {"y": exponent})


def _pow_int_int(ctx: Builder, a: Tracer, b: Tracer) -> Tracer:
    zero, one = constant_like(b, 0), constant_like(b, 1)
    at_zero = ctx.emit1(Prim.AND, [ctx.emit1(Prim.EQ, [a, zero]), ctx.emit1(Prim.NE, [b, zero])])
    total = where_call(ctx, at_zero, zero, one)
    for _ in range(6):  # anything more overflows whatever is above 1
        bit = ctx.emit1(Prim.AND, [b, one])
        total = where_call(ctx, bit, ctx.emit1(Prim.MUL, [total, a]), total)
        a = ctx.emit1(Prim.MUL, [a, a])
        b = ctx.emit1(Prim.SHIFT_RIGHT_LOGICAL, [b, one])
    return total


def float_power(ctx: Builder, x: object, y: object) -> Tracer:
    ctx.lift_all(x, y)
    return ctx.emit1(Prim.POW, promote_args_inexact(ctx, "jnp.float_power", x, y))
