"""Scalars that are known when the kernel is compiled: the numbers that operations on constants give."""

from __future__ import annotations

import operator
from collections.abc import Callable

from pipeline.ir.module import Op, ScalarType
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
_SHIFTS: dict[str, Callable[[int, int], int]] = {  # of a word without a sign
    "arith.shli": operator.lshift,
    "arith.shrui": operator.rshift,
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
_I32 = ScalarType("i32")


def fold(op: Op, operands: list[int]) -> int | None:
    """The result of an operation on these numbers; None for an operation that is not folded here."""
    if op.name == "arith.cmpi":
        compare = _COMPARISONS.get(predicate(op))
        return None if compare is None else int(compare(*operands))
    if op.name == "arith.select":
        return operands[1] if operands[0] else operands[2]
    if op.name in ("arith.index_cast", "arith.extui"):
        return operands[0]
    shift = _SHIFTS.get(op.name)
    if shift is not None:
        return _shifted(shift, *operands) if op.results[0].type == _I32 else None
    combine = _ARITHMETIC.get(op.name)
    if combine is None:
        return None
    found = combine(*operands)
    return found if -_WORD <= found < _WORD else None


def _shifted(shift: Callable[[int, int], int], word: int, by: int) -> int | None:
    """A word of 32 bits moved by a number of bits that it has, as a signed number again."""
    if not 0 <= by < 32:
        return None
    found = shift(word % (2 * _WORD), by) % (2 * _WORD)
    return found - 2 * _WORD if found >= _WORD else found
