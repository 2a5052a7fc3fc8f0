"""Loops: `lax.fori_loop`, `scan`, `while_loop`, `pl.loop`; and `pl.cdiv`, which counts their steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pipeline.dtypes import BOOL
from pipeline.ir.jaxpr import Jaxpr, Param, Prim, ShapedArray, Var
from pipeline.trace.builder import Builder, Inner, Outer, Tracer, kind_of
from pipeline.trace.dce import drop_unused
from pipeline.trace.surface.common import (
    Bound,
    convert,
    dtype_of,
    literal,
    operand,
    result_type,
    static_bool,
    static_int,
)
from pipeline.trace.surface.control import array_leaves, as_function, forwarded, same_type
from pipeline.trace.surface.elementwise import jnp_binary
from pipeline.trace.tree import TreeDef, describe, flatten, unflatten

Fn = Callable[..., Any]
_add, _sub, _mul = jnp_binary(Prim.ADD), jnp_binary(Prim.SUB), jnp_binary(Prim.MUL)


def _check_carry(ctx: Builder, what: str, tree: TreeDef, avals: Sequence[ShapedArray], inner: Inner,
                 out_tree: TreeDef, outs: Sequence[ShapedArray]) -> None:  # fmt: skip
    if tree != out_tree:
        ctx.fail(
            "T214",
            f"{what}: the carry goes in as {describe(tree)} and comes out as {describe(out_tree)}",
            "return the carry in the structure that it came in",
        )
    for k, (a, b) in enumerate(zip(avals, outs, strict=True)):
        if not same_type(a, b):
            number = f"carry {k}" if len(avals) > 1 else "the carry"
            ctx.fail("T214", f"{what}: {number} goes in as {a} and comes out as {b}",
                     "give the initial value the type that the body returns, e.g. jnp.zeros(shape, dtype)")  # fmt: skip


def _promote_carry(ctx: Builder, init: Sequence[Tracer], outs: Sequence[ShapedArray]) -> tuple[list[Tracer], bool]:
    """Weakly typed initial values take the dtype that the body gives back."""
    changed = False
    out: list[Tracer] = []
    for value, aval in zip(init, outs, strict=True):
        if value.weak_type and not same_type(value.aval, aval):
            like = Tracer(Var(ShapedArray(aval.shape, aval.dtype, aval.weak_type)))
            dtype, _ = result_type(ctx, [value, like], "the carry")
            value, changed = convert(ctx, value, dtype), True
        out.append(value)
    return out, changed


def scan(ctx: Builder, f: object, init: object, xs: object = None, length: object = None, reverse: object = False,
         unroll: object = 1) -> object:  # fmt: skip
    """`lax.scan` without xs and ys: a loop of static length."""
    if flatten(xs)[0]:
        ctx.fail("T216", "lax.scan over xs is not supported here", "index the ref with the loop counter instead")
    if length is None:
        ctx.fail("T201", "lax.scan: without xs it needs a length")
    body = as_function(ctx, f, "lax.scan: the body")
    steps = static_int(ctx, length, "lax.scan: the length")
    backwards = static_bool(ctx, reverse, "lax.scan: reverse")
    carry = _scan(ctx, "lax.scan", body, init, steps, backwards, unroll)
    return carry, None


def _scan(ctx: Builder, what: str, body: Fn, init: object, length: int, reverse: bool, unroll: object) -> object:
    if length < 0:
        ctx.fail("T202", f"{what}: length {length} is negative")
    if isinstance(unroll, bool):
        unrolled = max(length, 1) if unroll else 1
    else:
        unrolled = static_int(ctx, unroll, f"{what}: unroll")
    if unrolled < 0:
        ctx.fail("T202", f"{what}: unroll {unrolled} is negative")
    args, tree = array_leaves(ctx, init, f"{what}: the carry")

    def run(*flat: Tracer) -> object:
        pair = body(unflatten(tree, flat), None)
        if not isinstance(pair, tuple) or len(pair) != 2:
            ctx.fail("T213", f"{what}: the body returns {kind_of(pair)}, where (carry, None) is needed")
        if flatten(pair[1])[0]:
            ctx.fail("T216", f"{what}: stacked outputs are not supported here", "store to a ref in the body instead")
        return pair[0]

    inner = ctx.trace(run, [arg.aval for arg in args], f"the body of {what}")
    if len(inner.outs) == len(args):
        args, changed = _promote_carry(ctx, args, inner.outs)
        if changed:
            inner = ctx.trace(run, [arg.aval for arg in args], f"the body of {what}")
    _check_carry(ctx, what, tree, [arg.aval for arg in args], inner, inner.tree, inner.outs)
    # a carry that the body hands on unchanged is a const
    count = len(inner.consts)
    fixed = [source == count + k for k, source in enumerate(forwarded(inner.jaxpr))]
    jaxpr = _fix_carry(inner.jaxpr, count, fixed)
    moved: list[Outer] = [arg for arg, is_fixed in zip(args, fixed, strict=True) if is_fixed]
    rest = [arg for arg, is_fixed in zip(args, fixed, strict=True) if not is_fixed]
    params: dict[str, Param] = {
        "jaxpr": jaxpr,
        "length": length,
        "num_carry": len(rest),
        "num_consts": count + len(moved),
        "reverse": reverse,
        "unroll": unrolled,
    }
    outs = iter(ctx.emit(Prim.SCAN, [*moved, *inner.consts, *rest], params))
    return unflatten(tree, [arg if is_fixed else next(outs) for arg, is_fixed in zip(args, fixed, strict=True)])


def _fix_carry(jaxpr: Jaxpr, count: int, fixed: Sequence[bool]) -> Jaxpr:
    """`jaxpr` with the `fixed` ones of its carry moved to the front of its consts, and their results dropped."""
    consts, carry = jaxpr.invars[:count], jaxpr.invars[count:]
    moved = tuple(var for var, is_fixed in zip(carry, fixed, strict=True) if is_fixed)
    rest = tuple(var for var, is_fixed in zip(carry, fixed, strict=True) if not is_fixed)
    outs = tuple(out for out, is_fixed in zip(jaxpr.outvars, fixed, strict=True) if not is_fixed)
    return Jaxpr((*moved, *consts, *rest), jaxpr.eqns, outs)


def fori_loop(ctx: Builder, lower: object, upper: object, body_fun: object, init_val: object, *,
              unroll: object = None) -> object:  # fmt: skip
    """`lax.fori_loop`: a scan where both bounds are Python ints, a while otherwise."""
    body = as_function(ctx, body_fun, "lax.fori_loop: the body")
    bounds = [operand(ctx, bound, "lax.fori_loop: a bound") for bound in (lower, upper)]
    for bound in bounds:
        dtype, _ = dtype_of(bound)
        if not dtype.is_integer or (isinstance(bound, Tracer) and bound.shape):
            ctx.fail("T202", f"lax.fori_loop: a bound is {kind_of(bound)}, where a scalar integer is needed")
    first, last = bounds
    if isinstance(first, int) and isinstance(last, int):

        def step(carry: object, _: object) -> object:
            assert isinstance(carry, tuple)
            i, x = carry
            return (_add(ctx, i, 1), body(i, x)), None

        length = max(last - first, 0)
        result = _scan(
            ctx, "lax.fori_loop", step, (first, init_val), length, False, bool(unroll) if unroll is None else unroll
        )
        assert isinstance(result, tuple)
        return result[1]
    if not (unroll is None or unroll is False or unroll == 1):
        ctx.fail("T202", "lax.fori_loop: `unroll` needs static bounds", "use Python ints as bounds, or leave it out")
    (a, a_weak), (b, b_weak) = dtype_of(first), dtype_of(last)
    dtype = b if a_weak and not b_weak else a
    if a is not b and not (a_weak != b_weak and a.is_signed and b.is_signed):
        ctx.fail("T203", f"lax.fori_loop: the bounds are {a.name} and {b.name}", "convert one of them")
    if a is not dtype:
        first = convert(ctx, first, dtype)
    if b is not dtype:
        last = convert(ctx, last, dtype)

    def more(carry: tuple[Tracer, Tracer, object]) -> Tracer:
        return ctx.emit1(Prim.LT, [carry[0], carry[1]])

    def advance(carry: tuple[Tracer, Tracer, object]) -> object:
        i, end, x = carry
        return ctx.emit1(Prim.ADD, [i, literal(1, i.dtype, i.weak_type)]), end, body(i, x)

    result = _while(ctx, "lax.fori_loop", more, advance, (first, last, init_val))
    assert isinstance(result, tuple)
    return result[2]


def while_loop(ctx: Builder, cond_fun: object, body_fun: object, init_val: object) -> object:
    """`lax.while_loop`."""
    test = as_function(ctx, cond_fun, "lax.while_loop: cond_fun")
    body = as_function(ctx, body_fun, "lax.while_loop: body_fun")
    return _while(ctx, "lax.while_loop", test, body, init_val)


def _while(ctx: Builder, what: str, test: Fn, body: Fn, init: object) -> object:
    args, tree = array_leaves(ctx, init, f"{what}: the carry")

    def trace_both() -> tuple[Inner, Inner]:
        avals = [arg.aval for arg in args]
        condition = ctx.trace(lambda *flat: test(unflatten(tree, flat)), avals, f"the condition of {what}")
        if len(condition.outs) != 1 or condition.tree != ("leaf",):
            ctx.fail("T213", f"{what}: the condition returns {describe(condition.tree)}, where one bool is needed")
        (out,) = condition.outs
        if out.shape or out.dtype is not BOOL:
            ctx.fail("T213", f"{what}: the condition returns {out}, where a scalar bool is needed")
        return condition, ctx.trace(lambda *flat: body(unflatten(tree, flat)), avals, f"the body of {what}")

    condition, inner = trace_both()
    if len(inner.outs) == len(args):
        args, changed = _promote_carry(ctx, args, inner.outs)
        if changed:
            condition, inner = trace_both()
    _check_carry(ctx, what, tree, [arg.aval for arg in args], inner, inner.tree, inner.outs)
    # a carry that the body hands on unchanged and the condition does not read is a const of the body
    count, cond_count = len(inner.consts), len(condition.consts)
    moving = [source != count + k for k, source in enumerate(forwarded(inner.jaxpr))]
    cond_jaxpr, used = drop_unused(condition.jaxpr, None, [True] * cond_count + moving)
    fixed = [not use for use in used[cond_count:]]
    body_jaxpr = _fix_carry(inner.jaxpr, count, fixed)
    if not any(fixed):
        cond_jaxpr = condition.jaxpr
    moved: list[Outer] = [arg for arg, is_fixed in zip(args, fixed, strict=True) if is_fixed]
    rest = [arg for arg, is_fixed in zip(args, fixed, strict=True) if not is_fixed]
    params: dict[str, Param] = {
        "cond_jaxpr": cond_jaxpr,
        "cond_nconsts": cond_count,
        "body_jaxpr": body_jaxpr,
        "body_nconsts": count + len(moved),
    }
    outs = iter(ctx.emit(Prim.WHILE, [*condition.consts, *moved, *inner.consts, *rest], params))
    return unflatten(tree, [arg if is_fixed else next(outs) for arg, is_fixed in zip(args, fixed, strict=True)])


def loop(ctx: Builder, lower: object, upper: object, *, init_carry: object = None, step: object = 1,
         unroll: object = None) -> Bound:  # fmt: skip
    """`pl.loop(lower, upper)`: a decorator that runs a function of the index for each value."""
    return Bound(ctx, "pl.loop(..)", _loop, lower, upper, init_carry, step, unroll)


def _loop(ctx: Builder, lower: object, upper: object, init_carry: object, step: object, unroll: object,
          body: object) -> object:  # fmt: skip
    fn = as_function(ctx, body, "pl.loop: the decorated function")
    bounds = [operand(ctx, bound, "pl.loop: a bound") for bound in (lower, upper, step)]
    zero: object = 0
    count: object
    if all(isinstance(bound, int) for bound in bounds):
        first, last, stride = (static_int(ctx, bound, "pl.loop: a bound") for bound in bounds)
        if stride < 1:
            ctx.fail("T202", f"pl.loop: step {stride} is not positive")
        start: object = first
        by: object = stride
        count = -((first - last) // stride)
    else:
        dtype, _ = result_type(ctx, bounds, "pl.loop")
        start, end, by = (ctx.settle(convert(ctx, bound, dtype)) for bound in bounds)
        zero = ctx.settle(literal(0, dtype))
        count = cdiv(ctx, _sub(ctx, end, start), by)

    def run(i: Tracer, carry: object) -> object:
        index = _add(ctx, start, ctx.settle(_mul(ctx, i, by)))
        return fn(index) if init_carry is None else fn(index, carry)

    return fori_loop(ctx, zero, count, run, init_carry, unroll=unroll)


def cdiv(ctx: Builder, a: object, b: object) -> object:
    """`pl.cdiv`: the quotient rounded up."""
    x, y = operand(ctx, a, "pl.cdiv"), operand(ctx, b, "pl.cdiv")
    if isinstance(x, int) and isinstance(y, int):
        if y == 0:
            ctx.fail("T202", "pl.cdiv: division by zero")
        return (x + y - 1) // y
    less = _sub(ctx, y, 1) if isinstance(y, Tracer) else y - 1
    return ctx.emit1(Prim.DIV, [_add(ctx, x, less), ctx.asarray(y)])
