"""Entry points for the evaluator: operators, indexing, attributes and casts, where a traced value takes part.

Functions in the tables of `modules.py` take the builder first. What functions and attributes give back may be
callable too (methods, decorators): those know their builder and take only the caller's arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeline.dtypes import DType
from pipeline.ir.jaxpr import Prim
from pipeline.trace.builder import Builder, RefTracer, Tracer, kind_of
from pipeline.trace.surface import attributes, elementwise, indexing, matmul, refs
from pipeline.trace.surface.common import as_dtype, operand
from pipeline.trace.surface.common import cast as numeric_cast

_BINARY: dict[str, Callable[..., Any]] = {
    "+": elementwise.jnp_binary(Prim.ADD, Prim.OR),
    "-": elementwise.jnp_binary(Prim.SUB),
    "*": elementwise.jnp_binary(Prim.MUL, Prim.AND),
    "/": elementwise.jnp_binary(Prim.DIV, inexact=True),
    "//": elementwise.floor_divide,
    "%": elementwise.remainder,
    "**": elementwise.power,
    "<<": elementwise.jnp_binary(Prim.SHIFT_LEFT),
    ">>": elementwise.right_shift,
    "&": elementwise.bitwise(Prim.AND),
    "|": elementwise.bitwise(Prim.OR),
    "^": elementwise.bitwise(Prim.XOR),
    "@": matmul.matmul,
}
_UNARY: dict[str, Callable[..., Any]] = {
    "-": elementwise.jnp_unary(Prim.NEG),
    "~": elementwise.bitwise(Prim.NOT),
    "abs": elementwise.jnp_abs,
}
_COMPARE: dict[str, tuple[Prim, str]] = {
    "==": (Prim.EQ, "=="),
    "!=": (Prim.NE, "!="),
    "<": (Prim.LT, ">"),
    "<=": (Prim.LE, ">="),
    ">": (Prim.GT, "<"),
    ">=": (Prim.GE, "<="),
}


def _operands(ctx: Builder, sign: str, *values: object) -> None:
    for value in values:
        if isinstance(value, RefTracer):
            ctx.fail("T211", f"{sign!r} on a ref, {value.aval}", "read its contents first: ref[...]")
        if not isinstance(value, Tracer | bool | int | float):
            ctx.fail("T202", f"{sign!r} does not work on {kind_of(value)} together with an array")


def binary(ctx: Builder, sign: str, left: object, right: object) -> Any:
    """`left sign right` with a tracer on either side."""
    _operands(ctx, sign, left, right)
    return ctx.settle(_BINARY[sign](ctx, left, right))


def unary(ctx: Builder, sign: str, value: object) -> Any:
    """`-x`, `+x`, `~x`, and "abs" for the builtin."""
    _operands(ctx, sign, value)
    if sign == "+":
        return value
    return ctx.settle(_UNARY[sign](ctx, value))


def compare(ctx: Builder, sign: str, left: object, right: object) -> Any:
    """One comparison with a tracer on either side. Python asks the right one where the left is a plain number."""
    if left is None or right is None:
        if sign in ("==", "!="):
            return sign == "!="
        ctx.fail("T202", f"{sign!r} does not compare an array with None")
    _operands(ctx, sign, left, right)
    if not isinstance(left, Tracer):
        return compare(ctx, _COMPARE[sign][1], right, left)
    return elementwise.jnp_binary(_COMPARE[sign][0])(ctx, left, right)


def getitem(ctx: Builder, value: object, index: object) -> Any:
    """`value[index]` of an array, a ref or `ref.at`."""
    if isinstance(value, RefTracer):
        return refs.get(ctx, value, index)
    if isinstance(value, Tracer):
        return indexing.getitem(ctx, value, index)
    if isinstance(value, attributes.At):
        return refs.view(ctx, value.ref, index)
    ctx.fail("T202", f"{kind_of(value)} cannot be indexed")


def setitem(ctx: Builder, target: object, index: object, value: object) -> None:
    """`target[index] = value`: a store to a ref."""
    if isinstance(target, Tracer):
        ctx.fail("T211", f"{kind_of(target)} is a value and cannot be stored to", "store to a ref: o_ref[...] = x")
    if not isinstance(target, RefTracer):
        ctx.fail("T202", f"{kind_of(target)} cannot be stored to")
    refs.store(ctx, target, index, value)


def attribute(ctx: Builder, value: object, name: str) -> Any:
    """`value.name` of an array, a ref, a dtype, or of what surface functions give back."""
    return attributes.attribute(ctx, value, name)


def cast(ctx: Builder, dtype: DType, x: object = 0) -> Tracer:
    """`jnp.float32(x)`."""
    out = numeric_cast(ctx, operand(ctx, x, f"jnp.{dtype.name}"), as_dtype(ctx, dtype, "a cast"))
    ctx.settle(out)
    return out
