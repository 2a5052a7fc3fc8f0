"""Block indices out of range: for each axis of an operand the legal range, and the first grid step that leaves it."""

from __future__ import annotations

from typing import NamedTuple

from pipeline.ir.call import BlockDim, Blocked, Element, Squeezed
from pipeline.schedule.index_map import Form, IndexMap


class OutOfRange(NamedTuple):
    """Axis `axis` of an operand gets index `value` at grid point `step`, the first of its kind; legal: low..high.

    `least` and `greatest` are over the whole grid.
    """

    axis: int
    value: int
    low: int
    high: int
    step: tuple[int, ...]
    least: int
    greatest: int


def legal_range(dim: BlockDim, size: int) -> tuple[int, int]:
    """Least and greatest legal index along an axis of `size` elements: of blocks, or of elements for `Element`.

    The last block may be partial; an `Element` window has to lie within the array and its padding.
    """
    match dim:
        case Blocked(block):
            return 0, max(1, -(-size // max(1, block))) - 1
        case Squeezed():
            return 0, max(0, size - 1)
        case Element(block, (low, high)):
            return 0, max(0, size + low + high - block)


def find_out_of_range(
    index_map: IndexMap, block: tuple[BlockDim, ...], shape: tuple[int, ...]
) -> tuple[tuple[OutOfRange, ...], tuple[int, ...]]:
    """(axes that leave their range, axes that could not be decided)."""
    found: list[OutOfRange] = []
    undecided: list[int] = []
    for axis, (form, dim, size) in enumerate(zip(index_map.forms, block, shape, strict=True)):
        low, high = legal_range(dim, size)
        group = next((g for g in index_map.groups if axis in g.members), None)
        if form.coefficients is not None:
            least, greatest = form.least, form.greatest
            if least >= low and greatest <= high:
                continue
            step = _first_step(form, index_map.grid, low, high)
            value = form.constant + sum(c * i for c, i in zip(form.coefficients, step, strict=True))
            found.append(OutOfRange(axis, value, low, high, step, least, greatest))
        elif group is not None and group.table is not None:
            column = group.members.index(axis)
            values = [row[column] for row in group.table.values()]
            bad = next((digits for digits, row in group.table.items() if not low <= row[column] <= high), None)
            if bad is None:
                continue
            point = dict(zip(group.axes, bad, strict=True))
            step = tuple(point.get(a, 0) for a in range(len(index_map.grid)))
            found.append(OutOfRange(axis, group.table[bad][column], low, high, step, min(values), max(values)))
        elif form.least < low or form.greatest > high:
            undecided.append(axis)
    return tuple(found), tuple(undecided)


def _first_step(form: Form, grid: tuple[int, ...], low: int, high: int) -> tuple[int, ...]:
    """First grid point, in grid order, at which the affine form leaves low..high; it does so somewhere."""
    candidates = []
    assert form.coefficients is not None
    if form.greatest > high:
        candidates.append(_first_above(form.constant, form.coefficients, grid, high))
    if form.least < low:
        negated = tuple(-c for c in form.coefficients)
        candidates.append(_first_above(-form.constant, negated, grid, -low))
    return min(candidates)


def _first_above(constant: int, coefficients: tuple[int, ...], grid: tuple[int, ...], limit: int) -> tuple[int, ...]:
    """First grid point with constant + sum(c * i) > limit; there is one. Outer axes are fixed first, each as low as
    the best the axes inside it can add allows."""
    point: list[int] = []
    for axis, c in enumerate(coefficients):
        best = sum(max(0, c2) * (n - 1) for c2, n in zip(coefficients[axis + 1 :], grid[axis + 1 :], strict=True))
        lacking = limit + 1 - constant - best
        digit = max(0, -(-lacking // c)) if c > 0 else 0
        point.append(digit)
        constant += c * digit
    return tuple(point)
