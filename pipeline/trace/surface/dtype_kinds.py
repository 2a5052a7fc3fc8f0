"""Kinds of dtypes, `jnp.floating` and its like, and what asks about them."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.dtypes import BOOL, DType
from pipeline.trace.builder import Builder
from pipeline.trace.surface.common import Namespace, as_dtype, functions


class DTypeKind:
    """A kind of dtypes, for `jnp.issubdtype` alone."""

    __slots__ = ("holds", "name")

    def __init__(self, name: str, holds: Callable[[DType], bool]) -> None:
        self.name, self.holds = name, holds


KINDS: dict[str, object] = {
    name: DTypeKind(name, holds)
    for name, holds in {
        "floating": lambda dtype: dtype.is_float,
        "inexact": lambda dtype: dtype.is_float,
        "integer": lambda dtype: dtype.is_integer,
        "number": lambda dtype: dtype.is_float or dtype.is_integer,
        "signedinteger": lambda dtype: dtype.is_integer and dtype.is_signed,
        "unsignedinteger": lambda dtype: dtype.is_integer and not dtype.is_signed,
    }.items()
}


def issubdtype(ctx: Builder, arg1: object, arg2: object) -> bool:
    """`jnp.issubdtype(dtype, kind)`."""
    dtype = as_dtype(ctx, arg1, "jnp.issubdtype")
    if isinstance(arg2, DTypeKind):
        return arg2.holds(dtype)
    return dtype is as_dtype(ctx, arg2, "jnp.issubdtype")


def itemsize_bits(ctx: Builder, dtype: object) -> int:
    """`jax.dtypes.itemsize_bits(dtype)`: a bool takes a byte."""
    found = as_dtype(ctx, dtype, "jax.dtypes.itemsize_bits")
    return 8 if found is BOOL else found.bits


DTYPES = Namespace("jax.dtypes", functions("jax.dtypes", issubdtype=issubdtype, itemsize_bits=itemsize_bits))
