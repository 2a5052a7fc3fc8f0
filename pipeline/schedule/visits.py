"""How often the grid, walked in order, changes an operand's block: exact counts without walking it.

Going from one step to the next, one grid axis advances and every axis inside it falls back from its last index to 0.
Groups of block indices have no axis in common, so the configurations in which a group stays put multiply.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import NamedTuple

from pipeline.schedule.index_map import MAX_POINTS, Group, IndexMap
from pipeline.schedule.result import Part, Visits
from pipeline.schedule.scalar import Undecided

_WALK = 20_000  # steps walked to find the first revisit; beyond it the first advance of each axis is tried


def count_visits(index_map: IndexMap, blocks: int) -> Visits:
    """Visits of an operand of `blocks` blocks. Exact unless the map is undecided; then copies are an upper bound."""
    grid = index_map.grid
    advances = tuple((n - 1) * prod(grid[:axis]) for axis, n in enumerate(grid))
    grouped = {a for group in index_map.groups for a in group.axes}
    changes: list[int] = []
    for axis, n in enumerate(grid):
        still = prod(m for a, m in enumerate(grid[:axis]) if a not in grouped)
        if axis not in grouped:
            still *= n - 1
        for group in index_map.groups:
            still *= _still(group, index_map, axis)
        changes.append(advances[axis] - still)
    regular = all(c in (0, a) for c, a in zip(changes, advances, strict=True))
    steps = prod(grid)
    visited: int | None = 1
    for group in index_map.groups:
        distinct = _distinct(group, index_map)
        visited = None if distinct is None or visited is None else visited * distinct
    return Visits(
        steps=steps,
        copies=min(1, steps) + sum(changes),
        changes=tuple(changes),
        advances=advances,
        visited=visited,
        blocks=blocks,
        exact=index_map.decided,
        data_dependent=index_map.data_dependent,
        parts=() if regular or not index_map.decided else tuple(_part(group, index_map) for group in index_map.groups),
    )


def _part(group: Group, index_map: IndexMap) -> Part:
    """A decided group as data."""
    if group.table is not None:
        numbers: dict[tuple[int, ...], int] = {}
        return Part(group.axes, None, tuple(numbers.setdefault(b, len(numbers)) for b in group.table.values()))
    moves = tuple(n > 1 and _still(group, index_map, axis) == 0 for axis, n in enumerate(index_map.grid))
    return Part(group.axes, moves, ())


def _still(group: Group, index_map: IndexMap, axis: int) -> int:
    """In how many configurations of the group's axes up to `axis` the group's block stays when `axis` advances."""
    grid = index_map.grid
    inner = [a for a in group.axes if a > axis]
    configurations = prod(grid[a] for a in group.axes if a < axis)
    if axis in group.axes:
        configurations *= grid[axis] - 1
    elif not inner:
        return configurations
    if group.affine:
        for member in group.members:
            c = index_map.forms[member].coefficients
            assert c is not None
            if c[axis] != sum(c[a] * (grid[a] - 1) for a in inner):
                return 0
        return configurations
    if group.table is None:
        return 0
    last, first = tuple(grid[a] - 1 for a in inner), (0,) * len(inner)
    outer = [range(grid[a]) for a in group.axes if a < axis]
    count = 0
    for prefix in product(*outer):
        if axis in group.axes:
            for digit in range(grid[axis] - 1):
                count += group.table[(*prefix, digit, *last)] == group.table[(*prefix, digit + 1, *first)]
        else:
            count += group.table[(*prefix, *last)] == group.table[(*prefix, *first)]
    return count


def _distinct(group: Group, index_map: IndexMap) -> int | None:
    """Number of distinct blocks the group takes; None if undecided."""
    grid = index_map.grid
    if group.table is not None:
        return len(set(group.table.values()))
    if not group.affine:
        return None
    size = prod(grid[a] for a in group.axes)
    if any(injective(index_map, member, group.axes) for member in group.members):
        return size
    if size > MAX_POINTS:
        return None
    forms = [index_map.forms[m] for m in group.members]
    values: set[tuple[int, ...]] = set()
    for digits in product(*(range(grid[a]) for a in group.axes)):
        point = dict(zip(group.axes, digits, strict=True))
        values.add(tuple(sum((f.coefficients or ())[a] * d for a, d in point.items()) for f in forms))
    return len(values)


def injective(index_map: IndexMap, member: int, axes: tuple[int, ...]) -> bool:
    """Whether one affine index alone tells all configurations of `axes` apart, as a mixed-radix number does."""
    form = index_map.forms[member]
    assert form.coefficients is not None
    reach = 0
    for c, n in sorted((abs(form.coefficients[a]), index_map.grid[a]) for a in axes):
        if c <= reach:
            return False
        reach += c * (n - 1)
    return True


def walk(grid: tuple[int, ...], limit: int) -> Iterator[tuple[int, ...]]:
    """The first `limit` grid points in order."""
    for count, point in enumerate(product(*map(range, grid))):
        if count == limit:
            return
        yield point


class Revisit(NamedTuple):
    """A block that is visited, left and visited again, by grid points."""

    block: tuple[int, ...]
    visited: tuple[int, ...]
    left: tuple[int, ...]
    again: tuple[int, ...]


def first_revisit(index_map: IndexMap) -> Revisit | None:
    """The first revisit within the steps looked at; None if there is none there or the map cannot be evaluated."""
    seen: dict[tuple[int, ...], tuple[tuple[int, ...], tuple[int, ...]]] = {}  # block -> visited, left
    current: tuple[int, ...] | None = None
    try:
        for point in walk(index_map.grid, _WALK):
            block = index_map.at(point)
            if block == current:
                continue
            if current is not None:
                seen[current] = (seen[current][0], point)
            if block in seen:
                return Revisit(block, seen[block][0], seen[block][1], point)
            seen[block] = (point, ())
            current = block
        return _distant_revisit(index_map)
    except Undecided:
        return None


def _distant_revisit(index_map: IndexMap) -> Revisit | None:
    """Block (0, .., 0) starts with: does the first advance of some axis, from inside out, come back to it?"""
    grid = index_map.grid
    start = (0,) * len(grid)
    block = index_map.at(start)
    left: tuple[int, ...] | None = None
    for axis in reversed(range(len(grid))):
        if grid[axis] == 1:
            continue
        point = (*(0 for _ in grid[:axis]), 1, *(0 for _ in grid[axis + 1 :]))
        same = index_map.at(point) == block
        if same and left is not None:
            return Revisit(block, start, left, point)
        if not same and left is None:
            left = point
    return None
