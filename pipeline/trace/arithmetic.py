"""Operators on static values: Python's own arithmetic, refused before it can take long or grow large."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pipeline.trace.builder import kind_of
from pipeline.trace.values import MAX_BITS, MAX_ITEMS

if TYPE_CHECKING:
    from pipeline.trace.evaluator import Evaluator

Static = bool | int | float | str | tuple[object, ...] | list[object] | None

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
UNARY: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_NUMBER = (bool, int, float)
_SEQUENCE = (str, tuple, list)


def binary(ev: Evaluator, sign: str, left: object, right: object) -> object:
    """`left sign right` of static values. Errors: T112 too large, T114 wrong types, T115 no value."""
    numbers = isinstance(left, _NUMBER) and isinstance(right, _NUMBER)
    if not numbers:
        joined = sign == "+" and isinstance(left, _SEQUENCE) and type(left) is type(right)
        repeated = sign == "*" and (
            (isinstance(left, _SEQUENCE) and isinstance(right, int))
            or (isinstance(left, int) and isinstance(right, _SEQUENCE))
        )
        merged = sign == "|" and isinstance(left, dict) and isinstance(right, dict)
        sets = sign in "&|-^" and isinstance(left, set) and isinstance(right, set)
        if not (joined or repeated or merged or sets):
            ev.fail("T114", f"{sign!r} does not work on {kind_of(left)} and {kind_of(right)}")
    if sign == "@":
        ev.fail("T114", f"'@' does not work on {kind_of(left)} and {kind_of(right)}")
    if numbers and sign in ("**", "<<"):
        _check_growth(ev, sign, left, right)
    if sign == "*" and not numbers:
        sequence, count = (left, right) if isinstance(left, _SEQUENCE) else (right, left)
        assert isinstance(sequence, _SEQUENCE) and isinstance(count, int)
        if len(sequence) * max(count, 0) > MAX_ITEMS:
            ev.fail("T111", f"repeating {kind_of(sequence)} {kind_of(count)} times goes above {MAX_ITEMS} items")
    try:
        result = BINARY[sign](left, right)
    except ZeroDivisionError:
        ev.fail("T115", f"division of {kind_of(left)} by zero")
    except (OverflowError, ValueError):
        ev.fail("T115", f"{kind_of(left)} {sign} {kind_of(right)} has no value that a float or int holds")
    except TypeError:
        ev.fail("T114", f"{sign!r} does not work on {kind_of(left)} and {kind_of(right)}")
    if isinstance(result, complex):
        ev.fail("T115", f"{kind_of(left)} {sign} {kind_of(right)} is a complex number")
    return ev.bounded(result)


def _check_growth(ev: Evaluator, sign: str, left: object, right: object) -> None:
    if not isinstance(left, int) or not isinstance(right, int) or right <= 0:
        return
    bits = left.bit_length() + right if sign == "<<" else (abs(left) > 1) * left.bit_length() * right
    if (right.bit_length() > 64 and abs(left) > 1) or bits > 2 * MAX_BITS:
        ev.fail("T112", f"{kind_of(left)} {sign} {kind_of(right)} has more than {MAX_BITS} bits")


def unary(ev: Evaluator, sign: str, value: object) -> object:
    """`-x`, `+x`, `~x` of a static number."""
    if not isinstance(value, _NUMBER) or (sign == "~" and isinstance(value, float)):
        ev.fail("T114", f"{sign!r} does not work on {kind_of(value)}")
    return UNARY[sign](int(value) if isinstance(value, bool) else value)


def compare(ev: Evaluator, sign: str, left: object, right: object) -> bool:
    """A comparison of static values; sequences are paid for."""
    ev.weigh(left, right)
    try:
        return bool(COMPARE[sign](left, right))
    except TypeError:
        ev.fail("T114", f"{sign!r} does not compare {kind_of(left)} with {kind_of(right)}")


def contains(ev: Evaluator, container: object, item: object) -> bool:
    """`item in container` of static values."""
    if isinstance(container, range):
        if isinstance(item, float):
            return item.is_integer() and int(item) in container
        return isinstance(item, int) and item in container
    if isinstance(container, str) and isinstance(item, str):
        ev.spend((len(container) * len(item)) // 64)
        return item in container
    if not isinstance(container, tuple | list | dict | set):
        ev.fail("T114", f"'in' does not look into {kind_of(container)}")
    ev.weigh(container, item)
    try:
        return item in container
    except TypeError:
        ev.fail("T114", f"{kind_of(item)} cannot be looked up in {kind_of(container)}")


def subscript(ev: Evaluator, value: Any, index: object) -> object:
    """`value[index]` of a tuple, list, string, range or dict. Errors: T114 wrong index, T116 not there."""
    if isinstance(value, dict):
        ev.weigh(index)
        try:
            return value[index]
        except KeyError:
            ev.fail("T116", f"this dict has no key {key_text(index)}")
        except TypeError:
            ev.fail("T114", f"{kind_of(index)} is no key of a dict")
    if isinstance(index, slice):
        parts = (index.start, index.stop, index.step)
        if not all(part is None or isinstance(part, int) for part in parts) or index.step == 0:
            ev.fail("T114", f"{kind_of(value)} is sliced by ints that are known while tracing")
        return ev.bounded(value[index])
    if not isinstance(index, int):
        ev.fail("T114", f"{kind_of(value)} is indexed by an int known while tracing, not by {kind_of(index)}")
    if not -len(value) <= index < len(value):
        ev.fail("T116", f"index {index if abs(index) < 10**20 else 'of many digits'} is out of {kind_of(value)}")
    return value[index]


def key_text(key: object) -> str:
    return repr(key)[:40] if isinstance(key, str | int | float | bool) else kind_of(key)
