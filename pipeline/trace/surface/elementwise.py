"""Elementwise functions: `jnp` ones promote their operands, `lax` ones take them as they are."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.dtypes import BOOL, I32, DType, Kind
from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, Tracer, kind_of
from pipeline.trace.surface.common import (
    as_dtype,
    broadcast_in_dim,
    broadcast_shapes,
    broadcast_to,
    cast,
    convert,
    literal,
    operand,
    promote,
    promote_args,
    promote_args_inexact,
    promote_inexact,
    promote_shapes,
    refuse,
    result_type,
    static_int,
)
from pipeline.trace.tree import flatten

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
    return ctx.emit1(Prim.SQUARE, _numeric(ctx, "jnp.square", x))


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


# where, clip, select


def where_body(ctx: Builder, condition: Tracer, x: Tracer, y: Tracer) -> Tracer:
    """What `jit[name=_where]` holds."""
    condition = _as_bool(ctx, condition)
    x, y = promote(ctx, "jnp.where", x, y)
    shapes = [x.shape, y.shape] if condition.ndim == 0 else [condition.shape, x.shape, y.shape]
    shape = broadcast_shapes(ctx, shapes, "jnp.where")
    if condition.ndim:
        condition = broadcast_to(ctx, condition, shape)
    x, y = broadcast_to(ctx, x, shape), broadcast_to(ctx, y, shape)
    return _select(ctx, condition, x, y)


def where(
    ctx: Builder,
    condition: object,
    x: object = None,
    y: object = None,
    *,
    size: object = None,
    fill_value: object = None,
) -> Tracer:
    """`jnp.where` with three arguments."""
    refuse(ctx, "jnp.where", size=size, fill_value=fill_value)
    if x is None or y is None:
        ctx.fail("T216", "jnp.where with one argument has a result of traced size", "give it both values")
    return where_call(ctx, condition, x, y)


def where_call(ctx: Builder, condition: object, x: object, y: object) -> Tracer:
    """The call that JAX's own functions make of `jnp.where`."""
    operands = [operand(ctx, value, "jnp.where") for value in (condition, x, y)]
    (out,) = ctx.jit("_where", lambda c, a, b: where_body(ctx, c, a, b), *operands)
    return out


def clip(ctx: Builder, arr: object, min: object = None, max: object = None) -> Tracer:
    """`jnp.clip`: max with the lower bound, then min with the upper."""
    return clip_call(ctx, [("arr", arr), ("min", min), ("max", max)])


def clip_call(ctx: Builder, given: list[tuple[str, object]]) -> Tracer:
    """`jit[name=clip]` of what is not None of arr, min and max, in this order."""
    named = [(name, operand(ctx, value, "jnp.clip")) for name, value in given if value is not None or name == "arr"]

    def body(*values: Tracer) -> Tracer:
        args = dict(zip((name for name, _ in named), values, strict=True))
        arr = args["arr"]
        if "min" in args:
            arr = ctx.emit1(Prim.MAX, promote_args(ctx, "jnp.clip", args["min"], arr))
        if "max" in args:
            arr = ctx.emit1(Prim.MIN, promote_args(ctx, "jnp.clip", args["max"], arr))
        return arr

    (out,) = ctx.jit("clip", body, *(value for _, value in named))
    return out


def lax_select(ctx: Builder, pred: object, on_true: object, on_false: object) -> Tracer:
    return ctx.emit1(Prim.SELECT_N, [ctx.asarray(pred), ctx.asarray(on_false), ctx.asarray(on_true)])


def lax_select_n(ctx: Builder, which: object, *cases: object) -> Tracer:
    if not cases:
        ctx.fail("T201", "lax.select_n: at least one case is needed")
    return ctx.emit1(Prim.SELECT_N, [ctx.asarray(which), *(ctx.asarray(case) for case in cases)])


def lax_clamp(ctx: Builder, min: object, x: object, max: object) -> Tracer:
    return ctx.emit1(Prim.CLAMP, [ctx.asarray(min), ctx.asarray(x), ctx.asarray(max)])


# division and remainder


def floor_divide(ctx: Builder, x1: object, x2: object) -> Tracer:
    """Towards minus infinity, as Python divides."""
    operands = [operand(ctx, value, "floor_divide") for value in (x1, x2)]
    (out,) = ctx.jit("floor_divide", lambda a, b: _floor_divide(ctx, a, b), *operands)
    return out


def _floor_divide(ctx: Builder, a: Tracer, b: Tracer) -> Tracer:
    a, b = _numeric(ctx, "floor_divide", a, b)
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
    select = _logical_and(ctx, signs, inexact)
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
    mod = _select(ctx, adjust, ctx.emit1(Prim.ADD, [mod, b]), mod)
    quotient = _select(ctx, adjust, ctx.emit1(Prim.SUB, [quotient, number_for(quotient, 1)]), quotient)
    return ctx.emit1(Prim.ROUND, [quotient], {"rounding_method": "AWAY_FROM_ZERO"}), mod


def _select(ctx: Builder, pred: Tracer, on_true: Tracer, on_false: Tracer) -> Tracer:
    return ctx.emit1(Prim.SELECT_N, [pred, on_false, on_true])


def _numeric(ctx: Builder, what: str, *values: object) -> list[Tracer]:
    out = promote_args(ctx, what, *values)
    return [convert(ctx, value, I32) for value in out] if out[0].dtype is BOOL else out


def remainder(ctx: Builder, x1: object, x2: object) -> Tracer:
    """With the divisor's sign, as Python's %."""
    operands = [operand(ctx, value, "remainder") for value in (x1, x2)]
    (out,) = ctx.jit("remainder", lambda a, b: _remainder(ctx, a, b), *operands)
    return out


def _remainder(ctx: Builder, a: Tracer, b: Tracer) -> Tracer:
    a, b = _numeric(ctx, "remainder", a, b)
    zero = constant_like(a, 0)
    if b.dtype.is_integer:
        by_zero = ctx.emit1(Prim.EQ, [b, number_for(b, 0)])
        b = where_call(ctx, by_zero, ones_like_operand(ctx, b), b)
    truncated = ctx.emit1(Prim.REM, [a, b])
    nonzero = ctx.emit1(Prim.NE, [truncated, zero])
    signs = ctx.emit1(Prim.NE, [ctx.emit1(Prim.LT, [truncated, zero]), ctx.emit1(Prim.LT, [b, zero])])
    adjust = ctx.emit1(Prim.AND, [signs, nonzero])
    return _select(ctx, adjust, ctx.emit1(Prim.ADD, [truncated, b]), truncated)


def divmod_(ctx: Builder, x1: object, x2: object) -> tuple[Tracer, Tracer]:
    """`jnp.divmod`."""
    operands = [operand(ctx, value, "divmod") for value in (x1, x2)]

    def body(a: Tracer, b: Tracer) -> tuple[Tracer, Tracer]:
        a, b = _numeric(ctx, "divmod", a, b)
        if a.dtype.is_float:
            return _float_divmod(ctx, a, b)
        return floor_divide(ctx, a, b), remainder(ctx, a, b)

    quotient, rest = ctx.jit("divmod", body, *operands)
    return quotient, rest


def fmod(ctx: Builder, x1: object, x2: object) -> Tracer:
    operands = [operand(ctx, value, "jnp.fmod") for value in (x1, x2)]
    (out,) = ctx.jit("fmod", lambda a, b: ctx.emit1(Prim.REM, _numeric(ctx, "fmod", a, b)), *operands)
    return out


# powers


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
        return _pow_int_int(ctx, *_numeric(ctx, "power", wide_a, wide_b))
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


# logic


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
    a, b = _numeric(ctx, "right_shift", x1, x2)
    prim = Prim.SHIFT_RIGHT_LOGICAL if a.dtype.kind is Kind.UINT else Prim.SHIFT_RIGHT_ARITHMETIC
    return ctx.emit1(prim, [a, b])


_logical_and = logical(Prim.AND)
_either = bitwise(Prim.OR)


# further functions


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
            return where_call(ctx, _either(ctx, better, absent), a, b)

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
        return _select(ctx, undefined, total, out)

    return custom_jvp(ctx, body, a, b)


def custom_jvp(ctx: Builder, fn: Fn, *args: Tracer) -> Tracer:
    """A `custom_jvp_call` of `fn`, which gives one result."""
    inner = ctx.trace(fn, [arg.aval for arg in args], "a custom_jvp function")
    assert not inner.consts
    return ctx.emit1(Prim.CUSTOM_JVP_CALL, args, {"call_jaxpr": inner.jaxpr})


# conversions


def astype(ctx: Builder, x: object, dtype: object, copy: object = False, device: object = None) -> Tracer:
    """`x.astype(dtype)`, `jnp.astype`."""
    refuse(ctx, "astype", device=device)
    return convert(ctx, operand(ctx, x, "astype"), as_dtype(ctx, dtype, "astype"))


def lax_convert(ctx: Builder, operand: object, new_dtype: object) -> Tracer:
    return astype(ctx, operand, new_dtype)


def bitcast_convert_type(ctx: Builder, operand: object, new_dtype: object) -> Tracer:
    dtype = as_dtype(ctx, new_dtype, "lax.bitcast_convert_type")
    return ctx.emit1(Prim.BITCAST_CONVERT_TYPE, [ctx.asarray(operand)], {"new_dtype": dtype})


def view(ctx: Builder, x: Tracer, dtype: object = None) -> Tracer:
    """`x.view(dtype)` to a dtype of the same width."""
    wanted = as_dtype(ctx, dtype, "view")
    if wanted.bits != x.dtype.bits:
        ctx.fail("T216", f"view from {x.dtype.name} to {wanted.name}: only equal widths are supported here")
    if wanted is x.dtype:
        return x
    return ctx.emit1(Prim.BITCAST_CONVERT_TYPE, [x], {"new_dtype": wanted})


def asarray(ctx: Builder, a: object, dtype: object = None, *, copy: object = None) -> Tracer:
    """`jnp.asarray` of a number or array; without a dtype, a Python scalar stays weakly typed only as an operand."""
    if isinstance(a, tuple | list):
        leaves, _ = flatten(a)
        if not any(isinstance(leaf, Tracer) for leaf in leaves):
            ctx.fail(
                "T216",
                "an array made of numbers alone is a constant that a kernel cannot capture",
                "pass it as an input, or compute it: jnp.arange, jnp.full",
            )
        wanted = as_dtype(ctx, dtype, "jnp.asarray") if dtype is not None else None
        if wanted is None:
            wanted, _ = result_type(ctx, [operand(ctx, leaf, "jnp.array") for leaf in leaves], "jnp.array")
        return _array_of(ctx, a, wanted)
    value = operand(ctx, a, "jnp.asarray")
    if dtype is not None:
        return cast(ctx, value, as_dtype(ctx, dtype, "jnp.asarray"))
    return ctx.asarray(value)


def _array_of(ctx: Builder, rows: object, dtype: DType) -> Tracer:
    if not isinstance(rows, tuple | list):
        return cast(ctx, operand(ctx, rows, "jnp.array"), dtype)
    wide: list[Tracer] = []
    for row in rows:
        part = _array_of(ctx, row, dtype)
        dims = tuple(range(1, part.ndim + 1))
        wide.append(ctx.emit1(Prim.BROADCAST_IN_DIM, [part], {"shape": (1, *part.shape), "broadcast_dimensions": dims}))
    return wide[0] if len(wide) == 1 else ctx.emit1(Prim.CONCATENATE, wide, {"dimension": 0})


def array(ctx: Builder, object: object, dtype: object = None, *, copy: object = True) -> Tracer:
    """`jnp.array` of numbers, or of a list with arrays in it."""
    if isinstance(object, Tracer) and ctx.known(object) is None and copy is not False:
        ctx.fail("T216", "jnp.array of an array is a copy, which is not supported here", "use jnp.asarray")
    return asarray(ctx, object, dtype)


def dtype_object(ctx: Builder, dtype: object) -> DType:
    """`jnp.dtype("float32")`."""
    return as_dtype(ctx, dtype, "jnp.dtype")
