"""What attributes of a module's operations hold."""

from __future__ import annotations

import re

from pipeline.ir.module import Attr, IntArray, Raw, TypedInt

_INTS = re.compile(r"-?\d+")
_LISTS = re.compile(r"\[([^\]]*)\]")


def int_values(attr: Attr) -> tuple[int, ...]:
    """The integers an attribute holds, whatever its form; none for any other attribute."""
    match attr:
        case IntArray(values):
            return values
        case Raw(text) | str(text):
            return tuple(map(int, _INTS.findall(text)))
        case TypedInt(value):
            return (value,)
        case _:
            return ()


def int_lists(attr: Attr) -> list[tuple[int, ...]]:
    """The bracketed lists of integers in an attribute's text."""
    lists = _LISTS.findall(attr.text) if isinstance(attr, Raw) else []
    return [tuple(map(int, _INTS.findall(entry))) for entry in lists]
