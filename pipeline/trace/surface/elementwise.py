"""Elementwise functions: `jnp` ones promote their operands, `lax` ones take them as they are."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.dtypes import BOOL, I32, Kind
from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, Tracer
from pipeline.trace.surface.common import (
    broadcast_in_dim,
    convert,
    literal,
    promote,
    promote_args,
    promote_args_inexact,
    promote_inexact,
    refuse,
)

Fn = Callable[..., Tracer]


def lax_unary(prim: Prim) -> Fn:
    """`lax.exp`: one equation on the operand as it is."""

    def lax_fn(ctx: Builder, x: object, *, accuracy: object = None) -> Tracer:
        refuse(ctx, f"lax.{prim.value}", accuracy=accuracy)
        return ctx.emit1(prim, [ctx.asarray(x)])

    return lax_fn


def lax_binary(prim: Prim) -> Fn:
    """`lax.add`: one equation on operands of one dtype; scalars broadcast."""

    def lax_fn(ctx: Builder, x: object, y: object) -> Tracer:
        return ctx.emit1(prim, [ctx.asarray(x), ctx.asarray(y)])

    return lax_fn


def jnp_unary(prim: Prim) -> Fn:
    """A function of any number: `jnp.negative`."""

    def jnp_fn(ctx: Builder, x: object) -> Tracer:
        return ctx.emit1(prim, promote(ctx, f"jnp.{prim.value}", x))

    return jnp_fn


def jnp_abs(ctx: Builder, x: object) -> Tracer:
    """`jnp.abs`: of bools and unsigned integers the operand itself."""
    (value,) = promote(ctx, "jnp.abs", x)
    return value if value.dtype.kind in (Kind.BOOL, Kind.UINT) else ctx.emit1(Prim.ABS, [value])


def jnp_square(ctx: Builder, x: object) -> Tracer:
    return ctx.emit1(Prim.SQUARE, numeric(ctx, "jnp.square", x))


def jnp_inexact(prim: Prim) -> Fn:
    """A function that floats have: `jnp.exp`."""

    def jnp_fn(ctx: Builder, x: object) -> Tracer:
        return ctx.emit1(prim, promote_inexact(ctx, f"jnp.{prim.value}", x))

    return jnp_fn


def jnp_binary(prim: Prim, for_bool: Prim | None = None, inexact: bool = False) -> Fn:
    """A function of two: promoted, then one equation; `for_bool` stands in where both are bools."""

    def jnp_fn(ctx: Builder, x: object, y: object) -> Tracer:
        ctx.lift_all(x, y)
        both = (promote_args_inexact if inexact else promote_args)(ctx, f"jnp.{prim.value}", x, y)
        return ctx.emit1(for_bool if for_bool is not None and both[0].dtype is BOOL else prim, both)

    return jnp_fn


def constant_like(x: Tracer, value: int | float) -> Tracer:
    """A scalar literal of x's dtype, never weak."""
    return literal(value, x.dtype)


def number_for(x: Tracer, value: int | float) -> Tracer:
    """What a Python number becomes as an operand beside x: as weak as x."""
    return literal(value, x.dtype, x.weak_type)


def ones_like_operand(ctx: Builder, x: Tracer, value: int = 1) -> Tracer:
    """An array of x's shape full of `value`."""
    return broadcast_in_dim(ctx, literal(value, x.dtype, x.weak_type), x.shape, ())


def choose(ctx: Builder, pred: Tracer, on_true: Tracer, on_false: Tracer) -> Tracer:
    return ctx.emit1(Prim.SELECT_N, [pred, on_false, on_true])


def numeric(ctx: Builder, what: str, *values: object) -> list[Tracer]:
    out = promote_args(ctx, what, *values)
    return [convert(ctx, value, I32) for value in out] if out[0].dtype is BOOL else out


def _as_bool(ctx: Builder, value: Tracer) -> Tracer:
    return value if value.dtype is BOOL else ctx.emit1(Prim.NE, [value, number_for(value, 0)])


def logical(prim: Prim) -> Fn:
    """`jnp.logical_and` and its like: numbers count as true where they are not 0."""

    def jnp_fn(ctx: Builder, *args: object) -> Tracer:
        count = 1 if prim is Prim.NOT else 2
        if len(args) != count:
            ctx.fail("T201", f"jnp.logical_{prim.value} takes {count} arguments, {len(args)} are given")
        ctx.lift_all(*args)
        values = promote_args(ctx, f"jnp.logical_{prim.value}", *args)
        return ctx.emit1(prim, [_as_bool(ctx, value) for value in values])

    return jnp_fn


def bitwise(prim: Prim) -> Fn:
    """`&`, `|`, `^` and `~` of integers and bools."""

    def jnp_fn(ctx: Builder, *args: object) -> Tracer:
        count = 1 if prim is Prim.NOT else 2
        if len(args) != count:
            ctx.fail("T201", f"bitwise {prim.value} takes {count} arguments, {len(args)} are given")
        ctx.lift_all(*args)
        return ctx.emit1(prim, promote_args(ctx, f"bitwise {prim.value}", *args))

    return jnp_fn


def right_shift(ctx: Builder, x1: object, x2: object) -> Tracer:
    """Arithmetic for signed integers, logical for unsigned ones."""
    ctx.lift_all(x1, x2)
    a, b = numeric(ctx, "right_shift", x1, x2)
    prim = Prim.SHIFT_RIGHT_LOGICAL if a.dtype.kind is Kind.UINT else Prim.SHIFT_RIGHT_ARITHMETIC
    return ctx.emit1(prim, [a, b])


both_hold = logical(Prim.AND)


either_bit = bitwise(Prim.OR)
