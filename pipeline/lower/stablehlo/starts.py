"""Where a slice starts: a negative start counts from the axis's end, as in JAX, before `dynamic_slice` clamps it.

Nothing is emitted for a start that cannot be negative: sums and products of program ids, counters and such, which are
taken not to overflow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.dtypes import I32
from pipeline.ir.jaxpr import Atom, Jaxpr, Literal, Prim
from pipeline.ir.module import Dense, Op, TensorType, Value

if TYPE_CHECKING:
    from pipeline.lower.stablehlo.context import LowerContext

_ALL = frozenset({"add", "multiply", "divide", "minimum", "and"})  # not negative if no operand is
_ANY = frozenset({"maximum"})
_FIRST = frozenset({"remainder", "reshape", "broadcast_in_dim", "slice"})
_SIGNED = frozenset({"i1", "i8", "i16", "i32"})  # what an i32 can hold
_DEPTH = 12


def wrapped(ctx: LowerContext, start: Value, size: int) -> Value:
    """An i32 index of any shape; with `size` added where it is negative."""
    if is_natural(ctx, start):
        return start
    from pipeline.lower.stablehlo.context import like, shape_of

    type_ = like(start, shape_of(start))
    negative = ctx.compare("LT", start, ctx.constant(0, type_), I32)
    from_end = ctx.emit("add", (start, ctx.constant(size, type_)), type_)
    return ctx.emit("select", (negative, from_end, start), type_)


def is_natural(ctx: LowerContext, value: Value, depth: int = _DEPTH) -> bool:
    """Whether an integer is seen not to be negative."""
    if value in ctx.naturals:
        return True
    op = ctx.makers.get(value)
    if op is None or depth == 0 or not _is_natural(ctx, op, depth - 1):
        return False
    ctx.naturals.add(value)
    return True


def _is_natural(ctx: LowerContext, op: Op, depth: int) -> bool:
    name = op.name.partition(".")[2]
    if name == "iota":
        return True
    if name == "constant":
        value = op.attr("value")
        return isinstance(value, Dense) and not isinstance(value.value, float) and int(value.value) >= 0
    if name in _ALL:
        return all(is_natural(ctx, x, depth) for x in op.operands)
    if name in _ANY:
        return any(is_natural(ctx, x, depth) for x in op.operands)
    if name in _FIRST:
        return is_natural(ctx, op.operands[0], depth)
    if name == "convert":
        types = op.operands[0].type, op.results[0].type
        held = all(isinstance(t, TensorType) and t.element.name in _SIGNED for t in types)
        return held and is_natural(ctx, op.operands[0], depth)
    if name == "select":
        return all(is_natural(ctx, x, depth) for x in op.operands[1:])
    return name == "clamp" and is_natural(ctx, op.operands[0], depth)


def note_counters(ctx: LowerContext, body: Jaxpr, consts: int, start: Sequence[Value], carry: Sequence[Value]) -> None:
    """Note of what a loop carries, behind `consts` binders of its body, which values start natural and are added to."""
    binders = body.invars[consts : consts + len(start)]
    for counter, out, first, value in zip(binders, body.outvars, start, carry, strict=False):
        if counter.aval.shape == () and _counts_up(body, counter, out) and is_natural(ctx, first):
            ctx.naturals.add(value)


def _counts_up(body: Jaxpr, counter: Atom, out: Atom) -> bool:
    if out is counter:
        return True
    made = next((eqn for eqn in body.eqns if out in eqn.outputs), None)
    if made is None or made.prim is not Prim.ADD:
        return False
    one, other = made.inputs
    return one is counter and isinstance(other, Literal) and other.value >= 0
