"""Rounding, logarithms to other bases, tests for NaN and infinity, and what is made of several primitives."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.dtypes import BOOL
from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, Tracer, kind_of
from pipeline.trace.surface.common import (
    broadcast_in_dim,
    literal,
    operand,
    promote,
    promote_args,
    promote_args_inexact,
    promote_inexact,
    refuse,
    static_int,
)
from pipeline.trace.surface.division import integer_pow
from pipeline.trace.surface.elementwise import choose, constant_like, either_bit, number_for
from pipeline.trace.surface.select import where_call

Fn = Callable[..., Tracer]


def round_(ctx: Builder, a: object, decimals: object = 0, out: object = None) -> Tracer:
    """`jnp.round` to whole numbers, ties to even."""
    refuse(ctx, "jnp.round", out=out)
    if static_int(ctx, decimals, "jnp.round: decimals") != 0:
        ctx.fail("T216", "jnp.round: only decimals=0 is supported here", "scale, round and scale back")
    value = operand(ctx, a, "jnp.round")

    def body(x: Tracer) -> Tracer:
        if not x.dtype.is_float:
            return x
        return ctx.emit1(Prim.ROUND, [x], {"rounding_method": "TO_NEAREST_EVEN"})

    (out_,) = ctx.jit("round", body, value)
    return out_


def lax_round(ctx: Builder, x: object, rounding_method: object = "AWAY_FROM_ZERO") -> Tracer:
    """`lax.round`: ties away from zero unless told otherwise."""
    method = getattr(rounding_method, "name", rounding_method)
    if method not in ("AWAY_FROM_ZERO", "TO_NEAREST_EVEN"):
        ctx.fail("T202", f"lax.round: {kind_of(rounding_method)} is no rounding method")
    return ctx.emit1(Prim.ROUND, [ctx.asarray(x)], {"rounding_method": method})


def trunc(ctx: Builder, x: object) -> Tracer:
    value = operand(ctx, x, "jnp.trunc")

    def body(a: Tracer) -> Tracer:
        if not a.dtype.is_float:
            return a
        below = ctx.emit1(Prim.LT, [a, number_for(a, 0)])
        return where_call(ctx, below, ctx.emit1(Prim.CEIL, [a]), ctx.emit1(Prim.FLOOR, [a]))

    (out,) = ctx.jit("trunc", body, value)
    return out


def floor_or_ceil(prim: Prim) -> Fn:
    def jnp_fn(ctx: Builder, x: object) -> Tracer:
        (value,) = promote(ctx, f"jnp.{prim.value}", x)
        return ctx.emit1(prim, [value]) if value.dtype.is_float else value

    return jnp_fn


def log2(ctx: Builder, x: object) -> Tracer:
    (value,) = promote_inexact(ctx, "jnp.log2", x)
    two = constant_like(value, 2)
    return ctx.emit1(Prim.DIV, [ctx.emit1(Prim.LOG, [value]), ctx.emit1(Prim.LOG, [two])])


def log10(ctx: Builder, x: object) -> Tracer:
    (value,) = promote_inexact(ctx, "jnp.log10", x)
    return ctx.emit1(Prim.MUL, [ctx.emit1(Prim.LOG, [value]), constant_like(value, 0.4342944819032518)])


def reciprocal(ctx: Builder, x: object) -> Tracer:
    (value,) = promote_inexact(ctx, "jnp.reciprocal", x)
    return integer_pow(ctx, value, -1)


def lax_reciprocal(ctx: Builder, x: object) -> Tracer:
    return integer_pow(ctx, x, -1)


def isnan(ctx: Builder, x: object) -> Tracer:
    (value,) = promote(ctx, "jnp.isnan", x)
    return ctx.emit1(Prim.NE, [value, value])


def isinf(ctx: Builder, x: object) -> Tracer:
    value = operand(ctx, x, "jnp.isinf")

    def body(a: Tracer) -> Tracer:
        if not a.dtype.is_float:
            return broadcast_in_dim(ctx, literal(False, BOOL), a.shape, ())
        return ctx.emit1(Prim.EQ, [ctx.emit1(Prim.ABS, [a]), constant_like(a, float("inf"))])

    (out,) = ctx.jit("isinf", body, value)
    return out


def isfinite(ctx: Builder, x: object) -> Tracer:
    (value,) = promote(ctx, "jnp.isfinite", x)
    if not value.dtype.is_float:
        return broadcast_in_dim(ctx, literal(True, BOOL), value.shape, ())
    return ctx.emit1(Prim.IS_FINITE, [value])


def nan_to_num(
    ctx: Builder, x: object, copy: object = True, nan: object = 0.0, posinf: object = None, neginf: object = None
) -> Tracer:
    """NaN to `nan`, infinities to the largest finite values or what is given."""
    refuse(ctx, "jnp.nan_to_num", posinf=posinf, neginf=neginf)
    value = operand(ctx, x, "jnp.nan_to_num")

    def body(a: Tracer) -> Tracer:
        if not a.dtype.is_float:
            return a
        from pipeline.trace.surface.constants import largest

        top = largest(a.dtype)
        a = where_call(ctx, ctx.emit1(Prim.NE, [a, a]), literal(0.0, a.dtype), a)
        infinite = ctx.emit1(Prim.EQ, [a, literal(float("inf"), a.dtype)])
        a = where_call(ctx, infinite, literal(top, a.dtype), a)
        infinite = ctx.emit1(Prim.EQ, [a, literal(float("-inf"), a.dtype)])
        return where_call(ctx, infinite, literal(-top, a.dtype), a)

    if isinstance(nan, Tracer) or nan != 0.0:
        ctx.fail("T216", "jnp.nan_to_num: only nan=0.0 is supported here")
    (out,) = ctx.jit("nan_to_num", body, value)
    return out


def fmax_or_fmin(prim: Prim, name: str) -> Fn:
    """`jnp.fmax`, `jnp.fmin`: a NaN yields to a number."""

    def jnp_fn(ctx: Builder, x1: object, x2: object) -> Tracer:
        operands = [operand(ctx, value, f"jnp.{name}") for value in (x1, x2)]

        def body(a: Tracer, b: Tracer) -> Tracer:
            a, b = promote_args(ctx, f"jnp.{name}", a, b)
            better = ctx.emit1(prim, [a, b])
            absent = isnan(ctx, b)
            return where_call(ctx, either_bit(ctx, better, absent), a, b)

        (out,) = ctx.jit(name, body, *operands)
        return out

    return jnp_fn


def logaddexp(ctx: Builder, x1: object, x2: object) -> Tracer:
    """log(exp(x1) + exp(x2)) without overflow, a `custom_jvp_call` as JAX has it."""
    ctx.lift_all(x1, x2)
    a, b = promote_args_inexact(ctx, "jnp.logaddexp", x1, x2)

    def body(a: Tracer, b: Tracer) -> Tracer:
        top = ctx.emit1(Prim.MAX, [a, b])
        delta = ctx.emit1(Prim.SUB, [a, b])
        undefined = ctx.emit1(Prim.NE, [delta, delta])
        total = ctx.emit1(Prim.ADD, [a, b])
        small = ctx.emit1(Prim.EXP, [ctx.emit1(Prim.NEG, [ctx.emit1(Prim.ABS, [delta])])])
        out = ctx.emit1(Prim.ADD, [top, ctx.emit1(Prim.LOG1P, [small])])
        return choose(ctx, undefined, total, out)

    return custom_jvp(ctx, body, a, b)


def custom_jvp(ctx: Builder, fn: Fn, *args: Tracer) -> Tracer:
    """A `custom_jvp_call` of `fn`, which gives one result."""
    inner = ctx.trace(fn, [arg.aval for arg in args], "a custom_jvp function")
    assert not inner.consts
    return ctx.emit1(Prim.CUSTOM_JVP_CALL, args, {"call_jaxpr": inner.jaxpr})
