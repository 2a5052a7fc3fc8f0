"""Conditionals: `pl.when`, `lax.cond`, `lax.switch`; and what all control flow shares.

The functions given are the evaluator's closures; each is traced into a nested jaxpr. Values that they close over
become operands, in the order JAX has them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pipeline.dtypes import BOOL, I32
from pipeline.ir.jaxpr import Jaxpr, Prim, ShapedArray, Var
from pipeline.trace.builder import Builder, Inner, Outer, RefTracer, Tracer, kind_of
from pipeline.trace.surface.common import (
    Bound,
    convert,
    literal,
)
from pipeline.trace.tree import TreeDef, describe, flatten, unflatten

Fn = Callable[..., Any]


def as_function(ctx: Builder, fn: object, what: str) -> Fn:
    if callable(fn) and not isinstance(fn, Tracer | RefTracer):
        return fn
    ctx.fail("T202", f"{what} is {kind_of(fn)}, where a function is needed")


def array_leaves(ctx: Builder, value: object, what: str) -> tuple[list[Tracer], TreeDef]:
    """The arrays in a tree of operands."""
    leaves, tree = flatten(value)
    return [ctx.asarray(leaf, what) for leaf in leaves], tree


def same_type(a: ShapedArray, b: ShapedArray) -> bool:
    """Equal but for weak types."""
    return a.shape == b.shape and a.dtype is b.dtype


def when(ctx: Builder, condition: object) -> Bound:
    """`pl.when(condition)`: a decorator that runs a function, traced as a branch where the condition is."""
    return Bound(ctx, "pl.when(..)", _when, condition)


def _when(ctx: Builder, condition: object, fn: object) -> None:
    body = as_function(ctx, fn, "pl.when: the decorated function")
    if isinstance(condition, bool):
        if condition:
            body()
        return
    cond(ctx, condition, body, lambda: None)


def cond(ctx: Builder, pred: object, true_fun: object, false_fun: object, *operands: object,
         operand: object = None) -> object:  # fmt: skip
    """`lax.cond(pred, true_fun, false_fun, *operands)`."""
    if operand is not None:
        operands = (operand,)
    branches = [as_function(ctx, false_fun, "lax.cond: false_fun"), as_function(ctx, true_fun, "lax.cond: true_fun")]
    which = ctx.asarray(pred, "lax.cond: the predicate")
    if which.shape:
        ctx.fail("T202", f"lax.cond: the predicate is {which.aval}, where a scalar is needed", "reduce it: jnp.any(..)")
    if which.dtype is not BOOL:
        which = ctx.emit1(Prim.NE, [which, literal(0, which.dtype, which.weak_type)])
    # JAX traces the true branch first, and its consts come first
    return _branches(ctx, "lax.cond", lambda: convert(ctx, which, I32), branches, (1, 0), operands)


def switch(ctx: Builder, index: object, branches: object, *operands: object) -> object:
    """`lax.switch(index, branches, *operands)`; the index is clamped."""
    if not isinstance(branches, tuple | list) or not branches:
        ctx.fail("T202", f"lax.switch: the branches are {kind_of(branches)}, where a list of functions is needed")
    fns = [as_function(ctx, fn, "lax.switch: a branch") for fn in branches]
    which = ctx.asarray(index, "lax.switch: the index")
    if which.shape or not which.dtype.is_integer:
        ctx.fail("T202", f"lax.switch: the index is {which.aval}, where a scalar integer is needed")
    if len(fns) == 1:
        return fns[0](*operands)
    which = convert(ctx, which, I32)
    clamped = ctx.emit1(Prim.CLAMP, [literal(0, I32), which, literal(len(fns) - 1, I32)])
    return _branches(ctx, "lax.switch", lambda: clamped, fns, tuple(range(len(fns))), operands)


def _branches(
    ctx: Builder, what: str, index: Callable[[], Tracer], fns: Sequence[Fn], order: Sequence[int], operands: object
) -> object:
    """A `cond` of `fns`, traced in `order`. `index` is emitted after the branches are known to agree."""
    args, tree = array_leaves(ctx, operands, f"{what}: an operand")

    def call(fn: Fn) -> Fn:
        def run(*flat: Tracer) -> object:
            given = unflatten(tree, flat)
            assert isinstance(given, tuple)
            return fn(*given)

        return run

    avals = [arg.aval for arg in args]
    traced: dict[int, Inner] = {}
    for k in order:
        traced[k] = ctx.trace(call(fns[k]), avals, f"a branch of {what}")
    first = traced[order[0]]
    for k in order[1:]:
        _check_branches(ctx, what, first, traced[k])
    consts = list(dict.fromkeys(const for k in order for const in traced[k].consts))
    bodies = [_with_consts(traced[k], consts) for k in range(len(fns))]
    # a result that every branch takes from the same operand is that operand
    sources = [forwarded(body) for body in bodies]
    shared = [column[0] if len(set(column)) == 1 else None for column in zip(*sources, strict=True)]
    keep = [source is None for source in shared]
    bodies = [_keep_outputs(body, keep) for body in bodies]
    outs = iter(ctx.emit(Prim.COND, [index(), *consts, *args], {"branches": tuple(bodies)}))
    inputs: list[Outer] = [*consts, *args]
    results = [next(outs) if source is None else _tracer(inputs[source]) for source in shared]
    return unflatten(first.tree, results)


def _tracer(value: Outer) -> Tracer:
    return value if isinstance(value, Tracer) else Tracer(value)


def _with_consts(inner: Inner, consts: Sequence[Outer]) -> Jaxpr:
    """The jaxpr with binders for all of `consts`, of which it may use some."""
    own = dict(zip(inner.consts, inner.jaxpr.invars, strict=False))
    binders = tuple(own.get(const) or Var(const.aval) for const in consts)
    return Jaxpr((*binders, *inner.jaxpr.invars[len(own) :]), inner.jaxpr.eqns, inner.jaxpr.outvars)


def forwarded(jaxpr: Jaxpr) -> list[int | None]:
    """For each result, which binder it is, if it is one."""
    at = {var: k for k, var in enumerate(jaxpr.invars)}
    return [at.get(out) if isinstance(out, Var) else None for out in jaxpr.outvars]


def _keep_outputs(jaxpr: Jaxpr, keep: Sequence[bool]) -> Jaxpr:
    outs = tuple(out for out, wanted in zip(jaxpr.outvars, keep, strict=True) if wanted)
    return Jaxpr(jaxpr.invars, jaxpr.eqns, outs)


def _check_branches(ctx: Builder, what: str, first: Inner, other: Inner) -> None:
    if first.tree != other.tree:
        ctx.fail(
            "T213",
            f"{what}: branches return different structures, {describe(first.tree)} and {describe(other.tree)}",
            "return the same number of values from each",
        )
    for k, (a, b) in enumerate(zip(first.outs, other.outs, strict=True)):
        if not same_type(a, b):
            number = f"result {k}" if len(first.outs) > 1 else "the result"
            ctx.fail("T213", f"{what}: {number} is {a} in one branch and {b} in another",
                     "convert or broadcast it to one type in both")  # fmt: skip
