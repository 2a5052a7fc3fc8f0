"""Scalars that are known when the kernel is compiled: the numbers that operations on constants give."""

from __future__ import annotations

import operator
from collections.abc import Callable

from pipeline.ir.module import Op
from pipeline.schedule.bundles.masks import predicate

_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "arith.addi": operator.add,
    "arith.subi": operator.sub,
    "arith.muli": operator.mul,
    "arith.andi": operator.and_,
    "arith.ori": operator.or_,
    "arith.xori": operator.xor,
    "arith.minsi": min,
    "arith.maxsi": max,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "slt": operator.lt,
    "sle": operator.le,
    "sgt": operator.gt,
    "sge": operator.ge,
}
_WORD = 1 << 31


def fold(op: Op, operands: list[int]) -> int | None:
    """The result of an operation on these numbers; None for an operation that is not folded here."""
    if op.name == "arith.cmpi":
        compare = _COMPARISONS.get(predicate(op))
        return None if compare is None else int(compare(*operands))
    if op.name == "arith.select":
        return operands[1] if operands[0] else operands[2]
    if op.name in ("arith.index_cast", "arith.extui"):
        return operands[0]
    combine = _ARITHMETIC.get(op.name)
    if combine is None:
        return None
    found = combine(*operands)
    return found if -_WORD <= found < _WORD else None
