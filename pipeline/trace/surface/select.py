"""Choosing between values: `where`, `select`, `clip`, `clamp`."""

from __future__ import annotations

from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, Tracer
from pipeline.trace.surface.common import (
    broadcast_shapes,
    broadcast_to,
    operand,
    promote,
    promote_args,
    refuse,
)
from pipeline.trace.surface.elementwise import _as_bool, choose


def where_body(ctx: Builder, condition: Tracer, x: Tracer, y: Tracer) -> Tracer:
    """What `jit[name=_where]` holds."""
    condition = _as_bool(ctx, condition)
    x, y = promote(ctx, "jnp.where", x, y)
    shapes = [x.shape, y.shape] if condition.ndim == 0 else [condition.shape, x.shape, y.shape]
    shape = broadcast_shapes(ctx, shapes, "jnp.where")
    if condition.ndim:
        condition = broadcast_to(ctx, condition, shape)
    x, y = broadcast_to(ctx, x, shape), broadcast_to(ctx, y, shape)
    return choose(ctx, condition, x, y)


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
