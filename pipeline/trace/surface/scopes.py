"""`pl.run_scoped`, `jax.jit` and `jax.named_scope`."""

from __future__ import annotations

from typing import Any

from pipeline.ir.jaxpr import Jaxpr, Prim, RefAval
from pipeline.trace.builder import Builder, Tracer, kind_of
from pipeline.trace.surface.common import (
    Bound,
)
from pipeline.trace.surface.control import array_leaves, as_function
from pipeline.trace.tree import TreeDef, flatten, unflatten


def run_scoped(ctx: Builder, f: object, *types: object, collective_axes: object = (), **kw_types: object) -> object:
    """`pl.run_scoped(f, *types)`: run `f` with refs that live as long as it does."""
    body = as_function(ctx, f, "pl.run_scoped: the function")
    if collective_axes not in ((), []):
        ctx.fail("T216", "pl.run_scoped: collective_axes are not supported here")
    leaves, tree = flatten((types, kw_types))
    avals: list[RefAval] = []
    for leaf in leaves:
        made = getattr(leaf, "ref_aval", None)
        if made is None:
            ctx.fail("T202", f"pl.run_scoped: {kind_of(leaf)} is no scratch type",
                     "use pltpu.VMEM(shape, dtype), pltpu.SMEM(..) or pltpu.SemaphoreType.DMA")  # fmt: skip
        avals.append(made)

    def run(*refs: object) -> object:
        given: Any = unflatten(tree, refs)
        args, kwargs = given
        return body(*args, **kwargs)

    inner = ctx.trace(run, avals, "pl.run_scoped")
    count = len(inner.consts)
    invars = inner.jaxpr.invars
    jaxpr = Jaxpr((*invars[count:], *invars[:count]), inner.jaxpr.eqns, inner.jaxpr.outvars)
    outs = ctx.emit(Prim.RUN_SCOPED, list(inner.consts), {"jaxpr": jaxpr})
    return unflatten(inner.tree, outs)


def with_scoped(ctx: Builder, *types: object, collective_axes: object = (), **kw_types: object) -> Bound:
    """`pl.with_scoped(*types)`: a decorator; the function gets its own arguments first, then the refs."""

    def decorate(ctx: Builder, f: object) -> Bound:
        fn = as_function(ctx, f, "pl.with_scoped: the decorated function")

        def call(ctx: Builder, *args: object) -> object:
            return run_scoped(ctx, lambda *refs, **named: fn(*args, *refs, **named), *types,
                              collective_axes=collective_axes, **kw_types)  # fmt: skip

        return Bound(ctx, "a scoped function", call)

    return Bound(ctx, "pl.with_scoped(..)", decorate)


def jit(ctx: Builder, fun: object, *, inline: object = False) -> Bound:
    """`jax.jit(fun)`: calls become `jit` equations named after the function."""
    fn = as_function(ctx, fun, "jax.jit: the function")
    name = getattr(fn, "name", None) or getattr(fn, "__name__", None) or "<unnamed function>"

    def call(ctx: Builder, *args: object, **kwargs: object) -> object:
        flat, tree = array_leaves(ctx, (args, kwargs), f"{name}: an argument")
        structure: list[TreeDef] = []

        def run(*values: Tracer) -> object:
            given: Any = unflatten(tree, values)
            positional, named = given
            result = fn(*positional, **named)
            structure.append(flatten(result)[1])
            return result

        outs = ctx.jit(str(name), run, *flat)
        return unflatten(structure[0], outs)

    return Bound(ctx, str(name), call)


class NamedScope:
    """`jax.named_scope(name)`: the equations within carry its name; a target may mark them by it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


def named_scope(ctx: Builder, name: object) -> NamedScope:
    if not isinstance(name, str):
        ctx.fail("T202", f"jax.named_scope takes a string, not {kind_of(name)}")
    return NamedScope(name)
