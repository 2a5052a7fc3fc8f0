"""Reductions and cumulative functions. Sums of narrow dtypes are accumulated in f32 (floats) or i32 (integers)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeline.dtypes import BOOL, I32, U32, DType, Kind
from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, Tracer, kind_of
from pipeline.trace.surface.common import (
    as_dtype,
    axes_of,
    axis_of,
    broadcast_in_dim,
    convert,
    inexact,
    literal,
    operand,
    promote_inexact,
    refuse,
    static_bool,
)
from pipeline.trace.surface.constants import largest, smallest
from pipeline.trace.surface.elementwise import where_call

Fn = Callable[..., Any]


def keep_axes(ctx: Builder, reduced: Tracer, shape: tuple[int, ...], axes: tuple[int, ...]) -> Tracer:
    """`reduced` with the reduced axes of `shape` put back as 1."""
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    return broadcast_in_dim(ctx, reduced, tuple(1 if k in axes else n for k, n in enumerate(shape)), kept)


def _widened(dtype: DType) -> DType:
    """The dtype that a sum of `dtype` has: small integers widen to 32 bits."""
    if dtype is BOOL:
        return I32
    if dtype.kind is Kind.INT:
        return I32
    return U32 if dtype.kind is Kind.UINT else dtype


def _reduce(
    ctx: Builder, what: str, prim: Prim, a: object, axis: object, dtype: object, keepdims: object, initial: object,
    where: object, identity: Callable[[DType], int | float | bool | None], widen: bool,
) -> Tracer:  # fmt: skip
    value = ctx.asarray(operand(ctx, a, what))
    wanted = None if dtype is None else as_dtype(ctx, dtype, what)
    result = wanted or (_widened(value.dtype) if widen else value.dtype)
    if prim in (Prim.REDUCE_AND, Prim.REDUCE_OR):
        result = BOOL
    # narrow floats are summed in f32 and rounded once, at the end
    compute = result
    if widen and wanted is None and result.is_float and result.bits < 32:
        compute = inexact(as_dtype(ctx, "float32", what))
    shape = value.shape
    axes = axes_of(ctx, axis, len(shape), what)
    neutral = identity(result)
    if neutral is None and any(shape[k] == 0 for k in axes):
        ctx.fail("T204", f"{what} of an empty axis of {value.aval} has no value", "give `initial`")
    if where is not None and initial is None and neutral is None:
        ctx.fail("T201", f"{what}: `where` needs `initial` here")
    if value.dtype is BOOL and prim in (Prim.REDUCE_SUM, Prim.REDUCE_PROD):
        value = convert(ctx, value, I32)
    value = convert(ctx, value, compute)
    if where is not None:
        fill = identity(compute)
        assert fill is not None or initial is not None
        filler = literal(fill, compute) if fill is not None else operand(ctx, initial, what)
        value = where_call(ctx, where, value, filler)
    params: dict[str, Any] = {"axes": axes}
    out = ctx.emit1(prim, [value], params)
    if initial is not None:
        start = convert(ctx, operand(ctx, initial, what), compute)
        combine = {Prim.REDUCE_SUM: Prim.ADD, Prim.REDUCE_PROD: Prim.MUL, Prim.REDUCE_MAX: Prim.MAX,
                   Prim.REDUCE_MIN: Prim.MIN}[prim]  # fmt: skip
        out = ctx.emit1(combine, [start, out])
    if static_bool(ctx, keepdims, f"{what}: keepdims"):
        out = keep_axes(ctx, out, shape, axes)
    return convert(ctx, out, result)


def sum_(ctx: Builder, a: object, axis: object = None, dtype: object = None, out: object = None,
        keepdims: object = False, initial: object = None, where: object = None, promote_integers: object = True
        ) -> Tracer:  # fmt: skip
    """`jnp.sum`."""
    refuse(ctx, "jnp.sum", out=out)
    return _reduce(ctx, "jnp.sum", Prim.REDUCE_SUM, a, axis, dtype, keepdims, initial, where,
                   lambda dtype: 0, promote_integers is not False)  # fmt: skip


def prod_(ctx: Builder, a: object, axis: object = None, dtype: object = None, out: object = None,
         keepdims: object = False, initial: object = None, where: object = None, promote_integers: object = True
         ) -> Tracer:  # fmt: skip
    """`jnp.prod`."""
    refuse(ctx, "jnp.prod", out=out)
    return _reduce(ctx, "jnp.prod", Prim.REDUCE_PROD, a, axis, dtype, keepdims, initial, where,
                   lambda dtype: 1, promote_integers is not False)  # fmt: skip


def max_(ctx: Builder, a: object, axis: object = None, out: object = None, keepdims: object = False,
        initial: object = None, where: object = None) -> Tracer:  # fmt: skip
    """`jnp.max`."""
    refuse(ctx, "jnp.max", out=out)
    return _reduce(ctx, "jnp.max", Prim.REDUCE_MAX, a, axis, None, keepdims, initial, where,
                   smallest if where is not None else lambda dtype: None, False)  # fmt: skip


def min_(ctx: Builder, a: object, axis: object = None, out: object = None, keepdims: object = False,
        initial: object = None, where: object = None) -> Tracer:  # fmt: skip
    """`jnp.min`."""
    refuse(ctx, "jnp.min", out=out)
    return _reduce(ctx, "jnp.min", Prim.REDUCE_MIN, a, axis, None, keepdims, initial, where,
                   _infinity if where is not None else lambda dtype: None, False)  # fmt: skip


def _infinity(dtype: DType) -> int | float | bool:
    return float("inf") if dtype.is_float else largest(dtype)


def any_(ctx: Builder, a: object, axis: object = None, out: object = None, keepdims: object = False,
        *, where: object = None) -> Tracer:  # fmt: skip
    """`jnp.any`."""
    refuse(ctx, "jnp.any", out=out)
    return _reduce(ctx, "jnp.any", Prim.REDUCE_OR, a, axis, None, keepdims, None, where, lambda dtype: False, False)


def all_(ctx: Builder, a: object, axis: object = None, out: object = None, keepdims: object = False,
        *, where: object = None) -> Tracer:  # fmt: skip
    """`jnp.all`."""
    refuse(ctx, "jnp.all", out=out)
    return _reduce(ctx, "jnp.all", Prim.REDUCE_AND, a, axis, None, keepdims, None, where, lambda dtype: True, False)


def mean(ctx: Builder, a: object, axis: object = None, dtype: object = None, out: object = None,
         keepdims: object = False, *, where: object = None) -> Tracer:  # fmt: skip
    """`jnp.mean`: a sum in f32 or wider over the count."""
    refuse(ctx, "jnp.mean", out=out)
    value = ctx.asarray(operand(ctx, a, "jnp.mean"))
    result = inexact(value.dtype) if dtype is None else as_dtype(ctx, dtype, "jnp.mean")
    compute = as_dtype(ctx, "float32", "jnp.mean") if result.is_float and result.bits < 32 else result
    axes = axes_of(ctx, axis, value.ndim, "jnp.mean")
    if where is None:
        count = 1
        for k in axes:
            count *= value.shape[k]
        normalizer = literal(count, compute)
    else:
        mask = ctx.asarray(operand(ctx, where, "jnp.mean: where"))
        if mask.shape != value.shape:
            ctx.fail("T216", "jnp.mean: a `where` of another shape is not supported here", "use jnp.broadcast_to")
        normalizer = sum_(ctx, convert(ctx, mask, I32), axis, compute, keepdims=keepdims)
    total = sum_(ctx, value, axis, compute, keepdims=keepdims, where=where)
    return convert(ctx, ctx.emit1(Prim.DIV, [total, normalizer]), result)


def var(ctx: Builder, a: object, axis: object = None, dtype: object = None, out: object = None, ddof: object = 0,
        keepdims: object = False, *, where: object = None) -> Tracer:  # fmt: skip
    """`jnp.var`."""
    refuse(ctx, "jnp.var", out=out, dtype=dtype, where=where)
    value = operand(ctx, a, "jnp.var")
    (result,) = ctx.jit("_var", lambda x, d: _var(ctx, x, d, axis, keepdims), value, _ddof(ctx, ddof))
    return result


def std(ctx: Builder, a: object, axis: object = None, dtype: object = None, out: object = None, ddof: object = 0,
        keepdims: object = False, *, where: object = None) -> Tracer:  # fmt: skip
    """`jnp.std`."""
    refuse(ctx, "jnp.std", out=out, dtype=dtype, where=where)
    value = operand(ctx, a, "jnp.std")

    def body(x: Tracer, d: Tracer) -> Tracer:
        (variance,) = ctx.jit("_var", lambda x, d: _var(ctx, x, d, axis, keepdims), x, d)
        return ctx.emit1(Prim.SQRT, [variance])

    (result,) = ctx.jit("_std", body, value, _ddof(ctx, ddof))
    return result


def _ddof(ctx: Builder, ddof: object) -> int | float:
    if isinstance(ddof, bool) or not isinstance(ddof, int | float):
        ctx.fail("T202", f"ddof is {kind_of(ddof)}, where a static number is needed")
    return ddof


def _var(ctx: Builder, x: Tracer, ddof: Tracer, axis: object, keepdims: object) -> Tracer:
    result = inexact(x.dtype)
    compute = as_dtype(ctx, "float32", "jnp.var") if result.bits < 32 else result
    wide = convert(ctx, x, compute)
    centred = ctx.emit1(Prim.SUB, [wide, mean(ctx, wide, axis, compute, keepdims=True)])
    squared = ctx.emit1(Prim.SQUARE, [centred])
    count = 1
    for k in axes_of(ctx, axis, x.ndim, "jnp.var"):
        count *= x.shape[k]
    normalizer = ctx.emit1(Prim.SUB, [literal(count, compute), convert(ctx, ddof, compute)])
    total = sum_(ctx, squared, axis, keepdims=keepdims)
    quotient = convert(ctx, ctx.emit1(Prim.DIV, [total, normalizer]), result)
    defined = ctx.emit1(Prim.GT, [normalizer, literal(0, compute)])
    return where_call(ctx, defined, quotient, float("nan"))


def arg(prim: Prim) -> Fn:
    """`jnp.argmax`, `jnp.argmin`: i32 positions."""

    def jnp_fn(ctx: Builder, a: object, axis: object = None, out: object = None, keepdims: object = None) -> Tracer:
        what = f"jnp.{prim.value}"
        refuse(ctx, what, out=out)
        value = ctx.asarray(operand(ctx, a, what))
        if axis is None:
            from pipeline.trace.surface.shape import reshape_to

            shape: tuple[int, ...] = (1,) * value.ndim
            found = ctx.emit1(prim, [reshape_to(ctx, value, (value.size,))], {"axes": (0,), "index_dtype": I32})
            return reshape_to(ctx, found, shape) if keepdims else found
        place = axis_of(ctx, axis, value.ndim, what)
        found = ctx.emit1(prim, [value], {"axes": (place,), "index_dtype": I32})
        return keep_axes(ctx, found, value.shape, (place,)) if keepdims else found

    return jnp_fn


def lax_arg(prim: Prim) -> Fn:
    """`lax.argmax(x, axis, index_dtype)`."""

    def lax_fn(ctx: Builder, operand: object, axis: object, index_dtype: object) -> Tracer:
        value = ctx.asarray(operand)
        place = axis_of(ctx, axis, value.ndim, f"lax.{prim.value}")
        dtype = as_dtype(ctx, index_dtype, f"lax.{prim.value}")
        return ctx.emit1(prim, [value], {"axes": (place,), "index_dtype": dtype})

    return lax_fn


def lax_reduce(prim: Prim) -> Fn:
    """`lax.reduce_sum(x, axes)`: the dtype stays."""

    def lax_fn(ctx: Builder, operand: object, axes: object, *, out_sharding: object = None) -> Tracer:
        refuse(ctx, f"lax.{prim.value}", out_sharding=out_sharding)
        value = ctx.asarray(operand)
        return ctx.emit1(prim, [value], {"axes": axes_of(ctx, axes, value.ndim, f"lax.{prim.value}")})

    return lax_fn


def lax_cumulative(prim: Prim) -> Fn:
    """`lax.cumsum(x, axis, reverse)`."""

    def lax_fn(ctx: Builder, operand: object, axis: object = 0, reverse: object = False) -> Tracer:
        value = ctx.asarray(operand)
        place = axis_of(ctx, axis, value.ndim, f"lax.{prim.value}")
        backwards = static_bool(ctx, reverse, f"lax.{prim.value}: reverse")
        return ctx.emit1(prim, [value], {"axis": place, "reverse": backwards})

    return lax_fn


def jnp_cumulative(prim: Prim) -> Fn:
    """`jnp.cumsum(x, axis)`, which JAX wraps into a jit of its name."""

    def jnp_fn(ctx: Builder, a: object, axis: object = None, dtype: object = None, out: object = None) -> Tracer:
        what = f"jnp.{prim.value}"
        refuse(ctx, what, out=out)
        wanted = None if dtype is None else as_dtype(ctx, dtype, what)

        def body(x: Tracer) -> Tracer:
            if axis is None:
                from pipeline.trace.surface.shape import reshape_to

                x = reshape_to(ctx, x, (x.size,))
            place = 0 if axis is None else axis_of(ctx, axis, x.ndim, what)
            result = wanted or (I32 if x.dtype is BOOL else x.dtype)
            x = convert(ctx, x, result)
            return ctx.emit1(prim, [x], {"axis": place, "reverse": False})

        (result,) = ctx.jit(prim.value, body, operand(ctx, a, what))
        return result

    return jnp_fn


def logsumexp(ctx: Builder, a: object, axis: object = None, b: object = None, keepdims: object = False,
              return_sign: object = False, where: object = None) -> Tracer:  # fmt: skip
    """log(sum(exp(a))), scaled by the largest element."""
    refuse(ctx, "logsumexp", b=b, return_sign=return_sign, where=where)
    (value,) = promote_inexact(ctx, "logsumexp", a)
    axes = axes_of(ctx, axis, value.ndim, "logsumexp")
    top = max_(ctx, value, axes, initial=float("-inf"), keepdims=keepdims)
    finite = ctx.emit1(Prim.IS_FINITE, [top])
    zero = broadcast_in_dim(ctx, literal(0.0, top.dtype, top.weak_type), top.shape, ())
    shift = ctx.emit1(Prim.STOP_GRADIENT, [ctx.emit1(Prim.SELECT_N, [finite, zero, top])])
    wide = shift if keepdims else keep_axes(ctx, shift, value.shape, axes)
    centred = ctx.emit1(Prim.SUB, [value, wide])
    total = sum_(ctx, ctx.emit1(Prim.EXP, [centred]), axes, keepdims=keepdims)
    return ctx.emit1(Prim.ADD, [ctx.emit1(Prim.LOG, [ctx.emit1(Prim.ABS, [total])]), shift])
