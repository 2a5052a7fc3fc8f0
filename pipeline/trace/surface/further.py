"""`jnp` functions that expand to others of the surface."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.dtypes import BOOL, F32, I32
from pipeline.ir.jaxpr import Param, Prim
from pipeline.trace.builder import Builder, Tracer, kind_of
from pipeline.trace.surface.common import (
    as_dtype,
    axes_of,
    axis_of,
    broadcast_in_dim,
    broadcast_shapes,
    convert,
    literal,
    operand,
    promote,
    promote_args_inexact,
    promote_inexact,
    refuse,
    static_int,
)
from pipeline.trace.surface.common import broadcast_to as to_shape
from pipeline.trace.surface.convert import bitcast_convert_type
from pipeline.trace.surface.elementwise import constant_like, jnp_binary, jnp_unary
from pipeline.trace.surface.indexing import getitem
from pipeline.trace.surface.matmul import emit_dot
from pipeline.trace.surface.pieces import concatenate
from pipeline.trace.surface.reduce import max_, mean, min_, sum_
from pipeline.trace.surface.select import where_call
from pipeline.trace.surface.shape import ravel
from pipeline.trace.surface.special import isnan, round_

_sub, _abs = jnp_binary(Prim.SUB), jnp_unary(Prim.ABS)
Fn = Callable[..., Tracer]


def at_least(rank: int) -> Fn:
    """`jnp.atleast_1d`, `jnp.atleast_2d`."""
    name = f"atleast_{rank}d"

    def jnp_fn(ctx: Builder, *arys: object) -> Tracer:
        if len(arys) != 1:
            ctx.fail("T216", f"jnp.{name}: only one array at a time is supported here")

        def body(x: Tracer) -> Tracer:
            missing = rank - x.ndim
            if missing <= 0:
                return x
            return broadcast_in_dim(ctx, x, (1,) * missing + x.shape, range(missing, rank))

        (out,) = ctx.jit(name, body, operand(ctx, arys[0], f"jnp.{name}"))
        return out

    return jnp_fn


def _stacked(ctx: Builder, tup: object, rank: int, axis: int, name: str) -> Tracer:
    if not isinstance(tup, tuple | list) or not tup:
        ctx.fail("T202", f"jnp.{name} takes a list of arrays, not {kind_of(tup)}")
    arrays = [at_least(rank)(ctx, one) for one in tup]
    return concatenate(ctx, arrays, 0 if arrays[0].ndim == 1 else axis)


def hstack(ctx: Builder, tup: object, dtype: object = None) -> Tracer:
    refuse(ctx, "jnp.hstack", dtype=dtype)
    return _stacked(ctx, tup, 1, 1, "hstack")


def vstack(ctx: Builder, tup: object, dtype: object = None) -> Tracer:
    refuse(ctx, "jnp.vstack", dtype=dtype)
    return _stacked(ctx, tup, 2, 0, "vstack")


def eye(ctx: Builder, N: object, M: object = None, k: object = 0, dtype: object = None) -> Tracer:
    """`jnp.eye`: ones on a diagonal."""
    rows = static_int(ctx, N, "jnp.eye: N")
    columns = rows if M is None else static_int(ctx, M, "jnp.eye: M")
    if min(rows, columns) < 0:
        ctx.fail("T204", f"jnp.eye: a size of {min(rows, columns)} is negative")
    wanted = F32 if dtype is None else as_dtype(ctx, dtype, "jnp.eye")
    i, j = (ctx.emit1(Prim.IOTA, [], {"dtype": I32, "shape": (rows, columns), "dimension": axis}) for axis in (0, 1))
    shifted = ctx.emit1(Prim.ADD, [i, literal(static_int(ctx, k, "jnp.eye: k"), I32)])
    return convert(ctx, ctx.emit1(Prim.EQ, [shifted, j]), wanted)


def identity(ctx: Builder, n: object, dtype: object = None) -> Tracer:
    return eye(ctx, n, dtype=dtype)


def signbit(ctx: Builder, x: object) -> Tracer:
    """`jnp.signbit` of floats."""
    (value,) = promote(ctx, "jnp.signbit", x)
    if not value.dtype.is_float:
        ctx.fail("T216", f"jnp.signbit of {value.dtype.name} is not supported here", "compare with 0")

    def body(a: Tracer) -> Tracer:
        bits = bitcast_convert_type(ctx, a, f"int{a.dtype.bits}")
        sign = ctx.emit1(Prim.SHIFT_RIGHT_ARITHMETIC, [bits, constant_like(bits, a.dtype.bits - 1)])
        return convert(ctx, sign, BOOL)

    (out,) = ctx.jit("signbit", body, value)
    return out


def copysign(ctx: Builder, x1: object, x2: object) -> Tracer:
    values = [operand(ctx, value, "jnp.copysign") for value in (x1, x2)]

    def body(a: Tracer, b: Tracer) -> Tracer:
        a, b = promote_args_inexact(ctx, "jnp.copysign", a, b)
        negative = signbit(ctx, b)
        return where_call(ctx, negative, ctx.emit1(Prim.NEG, [_abs(ctx, a)]), _abs(ctx, a))

    (out,) = ctx.jit("copysign", body, *values)
    return out


def heaviside(ctx: Builder, x1: object, x2: object) -> Tracer:
    values = [operand(ctx, value, "jnp.heaviside") for value in (x1, x2)]

    def body(a: Tracer, b: Tracer) -> Tracer:
        a, b = promote_args_inexact(ctx, "jnp.heaviside", a, b)
        zero, one = constant_like(a, 0), constant_like(a, 1)
        below = ctx.emit1(Prim.LT, [a, zero])
        above = ctx.emit1(Prim.GT, [a, zero])
        inner = where_call(ctx, above, one, where_call(ctx, isnan(ctx, a), a, b))
        return where_call(ctx, below, zero, inner)

    (out,) = ctx.jit("heaviside", body, *values)
    return out


def deg2rad(ctx: Builder, x: object) -> Tracer:
    (value,) = promote_inexact(ctx, "jnp.deg2rad", x)
    return ctx.emit1(Prim.MUL, [value, constant_like(value, 3.141592653589793 / 180)])


def rad2deg(ctx: Builder, x: object) -> Tracer:
    (value,) = promote_inexact(ctx, "jnp.rad2deg", x)
    return ctx.emit1(Prim.MUL, [value, constant_like(value, 180 / 3.141592653589793)])


def rint(ctx: Builder, x: object) -> Tracer:
    def body(a: Tracer) -> Tracer:
        if not a.dtype.is_float:
            return convert(ctx, a, F32)
        return ctx.emit1(Prim.ROUND, [a], {"rounding_method": "TO_NEAREST_EVEN"})

    (out,) = ctx.jit("rint", body, operand(ctx, x, "jnp.rint"))
    return out


def select(ctx: Builder, condlist: object, choicelist: object, default: object = 0) -> Tracer:
    """`jnp.select`: the choice of the first condition that holds."""
    if not isinstance(condlist, tuple | list) or not isinstance(choicelist, tuple | list) or not condlist:
        ctx.fail("T202", "jnp.select takes a list of conditions and a list of choices")
    if len(condlist) != len(choicelist):
        ctx.fail("T202", f"jnp.select: {len(condlist)} conditions for {len(choicelist)} choices")
    choices = promote(ctx, "jnp.select", default, *choicelist)
    conditions = [ctx.asarray(operand(ctx, one, "jnp.select: a condition")) for one in condlist]
    if any(one.dtype is not BOOL for one in conditions):
        ctx.fail("T203", "jnp.select: conditions are bools")
    shape = broadcast_shapes(ctx, [one.shape for one in (*conditions, *choices)], "jnp.select")
    if len({one.shape for one in (*conditions, *choices[1:])}) > 1:
        ctx.fail("T216", "jnp.select of different shapes is not supported here", "use jnp.broadcast_to first")
    never = to_shape(ctx, literal(False, BOOL), shape)
    stacked = ctx.emit1(Prim.STACK, [never, *conditions], {"axis": 0})
    which = ctx.emit1(Prim.ARGMAX, [stacked], {"axes": (0,), "index_dtype": I32})
    return ctx.emit1(Prim.SELECT_N, [which, to_shape(ctx, choices[0], shape), *choices[1:]])


def average(ctx: Builder, a: object, axis: object = None, weights: object = None, returned: object = False,
            keepdims: object = False) -> Tracer:  # fmt: skip
    refuse(ctx, "jnp.average", weights=weights, returned=returned)
    return mean(ctx, a, axis, keepdims=keepdims)


def count_nonzero(ctx: Builder, a: object, axis: object = None, keepdims: object = False) -> Tracer:
    def body(x: Tracer) -> Tracer:
        nonzero = ctx.emit1(Prim.NE, [x, constant_like(x, 0)])
        return sum_(ctx, nonzero, axis, I32, keepdims=keepdims)

    (out,) = ctx.jit("count_nonzero", body, operand(ctx, a, "jnp.count_nonzero"))
    return out


def ptp(ctx: Builder, a: object, axis: object = None, out: object = None, keepdims: object = False) -> Tracer:
    refuse(ctx, "jnp.ptp", out=out)

    def body(x: Tracer) -> Tracer:
        return ctx.emit1(Prim.SUB, [max_(ctx, x, axis, keepdims=keepdims), min_(ctx, x, axis, keepdims=keepdims)])

    (result,) = ctx.jit("_ptp", body, operand(ctx, a, "jnp.ptp"))
    return result


def diff(ctx: Builder, a: object, n: object = 1, axis: object = -1) -> Tracer:
    """`jnp.diff`: differences of neighbours."""
    times = static_int(ctx, n, "jnp.diff: n")
    if not 0 <= times <= 8:
        ctx.fail("T216", f"jnp.diff: n is {times}, only 0 to 8 are supported here")

    def body(x: Tracer) -> Tracer:
        if x.dtype is BOOL:
            ctx.fail("T203", "jnp.diff takes numbers, not bools")
        place = axis_of(ctx, axis, x.ndim, "jnp.diff")
        for _ in range(times):
            before: tuple[object, ...] = (slice(None),) * place
            x = _sub(ctx, getitem(ctx, x, (*before, slice(1, None))), getitem(ctx, x, (*before, slice(None, -1))))
        return x

    (out,) = ctx.jit("diff", body, operand(ctx, a, "jnp.diff"))
    return out


def append(ctx: Builder, arr: object, values: object, axis: object = None) -> Tracer:
    def body(a: Tracer, b: Tracer) -> Tracer:
        if axis is None:
            return concatenate(ctx, [ravel(ctx, a), ravel(ctx, b)], 0)
        return concatenate(ctx, [a, b], axis)

    (out,) = ctx.jit("append", body, operand(ctx, arr, "jnp.append"), operand(ctx, values, "jnp.append"))
    return out


def flip_axis(name: str, axis: int) -> Fn:
    """`jnp.flipud`, `jnp.fliplr`."""

    def jnp_fn(ctx: Builder, m: object) -> Tracer:
        def body(x: Tracer) -> Tracer:
            return ctx.emit1(Prim.REV, [x], {"dimensions": axes_of(ctx, axis, x.ndim, f"jnp.{name}")})

        (out,) = ctx.jit("_flip", body, operand(ctx, m, f"jnp.{name}"))
        return out

    return jnp_fn


def tensordot(ctx: Builder, a: object, b: object, axes: object = 2, *, precision: object = None,
              preferred_element_type: object = None) -> Tracer:  # fmt: skip
    """`jnp.tensordot` over a number of axes, or over those of two sequences."""
    ctx.lift_all(a, b)
    x, y = (ctx.asarray(operand(ctx, value, "jnp.tensordot")) for value in (a, b))
    if isinstance(axes, tuple | list) and len(axes) == 2:
        left, right = (axes_of(ctx, one, t.ndim, "jnp.tensordot") for one, t in zip(axes, (x, y), strict=True))
        if len(left) != len(right):
            ctx.fail("T205", f"jnp.tensordot: {len(left)} axes of {x.aval} with {len(right)} of {y.aval}")
    else:
        count = static_int(ctx, axes, "jnp.tensordot: axes")
        if not 0 <= count <= min(x.ndim, y.ndim):
            ctx.fail("T205", f"jnp.tensordot: {count} axes of {x.aval} and {y.aval}")
        left, right = tuple(range(x.ndim - count, x.ndim)), tuple(range(count))
    if x.dtype is not y.dtype and preferred_element_type is None:
        x, y = promote(ctx, "jnp.tensordot", x, y)
    wanted = x.dtype if preferred_element_type is None else as_dtype(ctx, preferred_element_type, "jnp.tensordot")
    return emit_dot(ctx, x, y, (left, right), ((), ()), precision, wanted)


def reduce_precision(ctx: Builder, operand: object, exponent_bits: object, mantissa_bits: object) -> Tracer:
    """`lax.reduce_precision`."""
    params: dict[str, Param] = {
        "exponent_bits": static_int(ctx, exponent_bits, "lax.reduce_precision: exponent_bits"),
        "mantissa_bits": static_int(ctx, mantissa_bits, "lax.reduce_precision: mantissa_bits"),
    }
    return ctx.emit1(Prim.REDUCE_PRECISION, [ctx.asarray(operand)], params)


def itself(name: str) -> Fn:
    """`jnp.positive`, `jnp.real`, `jnp.conj`: of what is no complex number, the value."""

    def jnp_fn(ctx: Builder, x: object) -> Tracer:
        return ctx.asarray(operand(ctx, x, f"jnp.{name}"))

    return jnp_fn


def is_infinity(name: str, value: float) -> Fn:
    """`jnp.isposinf`, `jnp.isneginf` of floats."""

    def jnp_fn(ctx: Builder, x: object) -> Tracer:
        (a,) = promote(ctx, f"jnp.{name}", x)
        if not a.dtype.is_float:
            ctx.fail("T216", f"jnp.{name} of {a.dtype.name} is not supported here", "no integer is infinite")
        return ctx.emit1(Prim.EQ, [a, constant_like(a, value)])

    return jnp_fn


def around(ctx: Builder, a: object, decimals: object = 0, out: object = None) -> Tracer:
    """`jnp.around`, which calls `jnp.round`."""
    (rounded,) = ctx.jit("around", lambda x: round_(ctx, x, decimals, out), operand(ctx, a, "jnp.around"))
    return rounded


def nansum(ctx: Builder, a: object, axis: object = None, dtype: object = None, out: object = None,
           keepdims: object = False, initial: object = None, where: object = None) -> Tracer:  # fmt: skip
    """`jnp.nansum` of floats: NaN counts as 0."""
    refuse(ctx, "jnp.nansum", dtype=dtype, out=out, initial=initial, where=where)
    value = ctx.asarray(operand(ctx, a, "jnp.nansum"))
    if not value.dtype.is_float:
        ctx.fail("T216", f"jnp.nansum of {value.dtype.name} is not supported here", "jnp.sum: no integer is NaN")

    def body(x: Tracer) -> Tracer:
        return sum_(ctx, where_call(ctx, isnan(ctx, x), literal(0.0, x.dtype), x), axis, keepdims=keepdims)

    (total,) = ctx.jit("nansum", body, value)
    return total
