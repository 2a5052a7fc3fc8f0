"""Which reshapes move data that a chip can move: those that change the last axis, by what they do to rows and lanes.

Source: verdicts of libtpu 0.0.42.1 on some 90 pairs of shapes in two or three dtypes on v4, v5e, v6e and 7x.
"""

from __future__ import annotations

from math import prod

Shape = tuple[int, ...]


def reshape_needs(before: Shape, after: Shape, bits: int, lanes: int) -> str | None:
    """The feature that a reshape to another last axis needs: None for one that every chip has, "never" for none."""
    old, new = before[-1], after[-1]
    packed = bits < 32
    if old % lanes == 0 and new % lanes == 0:
        if len(before) > 2 and len(after) == 1 and old > lanes:
            return "never"
        times, rest = divmod(max(old, new), min(old, new))
        gathered = len(before) > 2 and len(after) == 2 and not _ends_in(before, new)  # rows out of several axes
        return f"mask_{bits}_bit" if bits in (8, 16) and (rest or times & (times - 1) or gathered) else None
    if old == 1:
        return "sublane_gather"
    if _swapped(before, after) and old <= lanes:
        return "sublane_gather" if packed or new > 1 else None
    if new == 1:
        if _without_ones(before)[-1:] != _without_ones(after)[-1:]:  # the axes before may be cut and joined
            return "never"
        return "packed_row_to_column" if packed else None
    if new < old:
        return "sublane_gather" if _ends_in(after, old) else "never"
    return None if _ends_in(before, new) else "never"


def _swapped(before: Shape, after: Shape) -> bool:
    """The last two axes with their sizes exchanged: the compiler has a form of its own for it."""
    while len(before) != len(after) and max(before, after, key=len)[0] == 1:
        before, after = (before[1:], after) if len(before) > len(after) else (before, after[1:])
    return len(before) == len(after) > 1 and before[:-2] == after[:-2] and before[-2:] == after[:-3:-1]


def _without_ones(shape: Shape) -> Shape:
    return tuple(n for n in shape if n != 1)


def _ends_in(shape: Shape, size: int) -> bool:
    """Whether the last axes of a shape, but not all, are one axis of `size` cut in pieces."""
    return any(prod(shape[at:]) == size for at in range(1, len(shape) - 1))
