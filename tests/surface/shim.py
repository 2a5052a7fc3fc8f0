"""Runs kernels written as Python functions against the surface tables: operators on tracers, modules as objects.

The evaluator does this by walking the syntax tree; here Python itself does, so that these tests stand alone.
"""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pipeline.dtypes import DType
from pipeline.ir.jaxpr import Jaxpr, RefAval
from pipeline.trace.builder import Builder, RefTracer, Tracer
from pipeline.trace.dce import drop_unused
from pipeline.trace.surface import modules, operators
from pipeline.trace.surface.async_copy import AsyncCopy
from pipeline.trace.surface.attributes import At
from pipeline.trace.surface.common import Function, Namespace

_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "lshift": "<<",
    "rshift": ">>", "and": "&", "or": "|", "xor": "^", "matmul": "@",
}  # fmt: skip
_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


class Module:
    """A table of names, with the builder filled in."""

    def __init__(self, ctx: Builder, table: Any) -> None:
        self._ctx = ctx
        self._table = table

    def __getattr__(self, name: str) -> Any:
        value = self._table[name]
        if isinstance(value, Namespace):
            return Module(self._ctx, value.table)
        if isinstance(value, Function):
            call = functools.partial(value, self._ctx)
            for name in ("ref_aval", "space"):
                if hasattr(value, name):
                    setattr(call, name, getattr(value, name))
            return call
        return value


@contextmanager
def operators_on(ctx: Builder) -> Iterator[None]:
    """Python's operators on tracers and refs, for as long as this lasts."""
    added: list[tuple[type, str]] = []
    old_eq, old_hash = Tracer.__eq__, Tracer.__hash__

    def put(cls: type, name: str, fn: Callable[..., Any]) -> None:
        setattr(cls, name, fn)
        added.append((cls, name))

    for name, sign in _BINARY.items():
        for cls in (Tracer, RefTracer):
            put(cls, f"__{name}__", lambda a, b, sign=sign: operators.binary(ctx, sign, a, b))
            put(cls, f"__r{name}__", lambda a, b, sign=sign: operators.binary(ctx, sign, b, a))
    for name, sign in _COMPARE.items():
        put(Tracer, f"__{name}__", lambda a, b, sign=sign: operators.compare(ctx, sign, a, b))
    Tracer.__hash__ = old_hash  # type: ignore[method-assign]
    for name, sign in {"neg": "-", "pos": "+", "invert": "~", "abs": "abs"}.items():
        put(Tracer, f"__{name}__", lambda a, sign=sign: operators.unary(ctx, sign, a))
    for cls in (Tracer, RefTracer, At):
        put(cls, "__getitem__", lambda a, index: operators.getitem(ctx, a, index))
    for cls in (Tracer, RefTracer):
        put(cls, "__setitem__", lambda a, index, value: operators.setitem(ctx, a, index, value))
    for cls in (Tracer, RefTracer, AsyncCopy, DType, Namespace):
        put(cls, "__getattr__", lambda a, name: _attribute(ctx, a, name))
    put(DType, "__call__", lambda dtype, x=0: operators.cast(ctx, dtype, x))
    try:
        yield
    finally:
        for cls, name in added:
            delattr(cls, name)
        assert Tracer.__eq__ is old_eq


def _attribute(ctx: Builder, value: object, name: str) -> Any:
    if name.startswith("__") or name in ("ref_aval", "name") or name in getattr(type(value), "__slots__", ()):
        raise AttributeError(name)
    return operators.attribute(ctx, value, name)


def names(ctx: Builder) -> dict[str, Any]:
    """The globals of a kernel's source."""
    lax, jnp, nn = (Module(ctx, table) for table in (modules.LAX, modules.JNP, modules.NN))
    pl, pltpu = Module(ctx, modules.PL), Module(ctx, modules.PLTPU)
    jax = Module(ctx, {**modules.JAX, "lax": lax, "numpy": jnp, "nn": nn})
    return {"jax": jax, "jnp": jnp, "lax": lax, "pl": pl, "pltpu": pltpu, "math": math, "functools": functools}


def trace_source(
    source: str, avals: list[RefAval], grid: tuple[int, ...] = (), *, drop: bool = True, limit: int = 10_000
) -> Jaxpr:
    """The jaxpr of the function `kernel` that `source` defines."""
    ctx = Builder(grid, limit)
    scope: dict[str, Any] = names(ctx)
    exec(compile(source, "<kernel>", "exec"), scope)
    kernel = scope["kernel"]
    assert isinstance(kernel, types.FunctionType)
    with operators_on(ctx):
        inner = ctx.trace(kernel, avals, "the kernel")
    assert not inner.consts
    return drop_unused(inner.jaxpr)[0] if drop else inner.jaxpr
