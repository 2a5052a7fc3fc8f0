"""How often which windows move in the iterations of a pipeline's loop, counted without walking the grid.

Going from one step to the next one grid axis advances, and all inside it fall back to 0: the step's pattern. Iteration
i runs step i - 1, fetches what step i needs anew, and writes back what step i - 1 no longer has of step i - 2. So it
depends on the patterns into step i - 1 and out of it; and for an index map that is told by a table, such as the head
`h // 4` of grouped queries, on step i - 1's place along the axes that the map reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from pipeline.ir.call import Role
from pipeline.schedule.result import Part, Window

Array = Any
Pattern = int  # the outermost grid axis that advances into a step; FIRST for step 0, NONE past the last
FIRST, NONE = -1, -2
_MAX_PLACES = 2_000_000  # along the axes that tables read


def changes_with(window: Window, pattern: Pattern) -> bool:
    """Whether a regular window's block changes in a step of this pattern; an upper bound for any other."""
    return pattern == FIRST or (pattern != NONE and (window.visits.changes[pattern] > 0 or not window.visits.exact))


def pair_counts(grid: tuple[int, ...]) -> dict[tuple[Pattern, Pattern], int]:
    """How often step i - 1 and step i (i = 1 .. steps, NONE at the end) have these patterns; closed form.

    In row-major order the fastest axis that has more than one step advances between any two carries, so a carry is
    always preceded and followed by a plain advance (or the start or the end).
    """
    steps = prod(grid)
    if steps <= 1:
        return {(FIRST, NONE): 1} if steps == 1 else {}
    moving = [axis for axis, n in enumerate(grid) if n > 1]
    fast = moving[-1]
    counts: dict[tuple[Pattern, Pattern], int] = {(FIRST, fast): 1}
    for axis in moving[:-1]:
        carries = prod(grid[: axis + 1]) - prod(grid[:axis])
        counts[(fast, axis)] = carries
        counts[(axis, fast)] = carries
    counts[(fast, NONE)] = 1
    rest = steps - sum(counts.values())
    if rest:
        counts[(fast, fast)] = rest
    return counts


def step_patterns(grid: tuple[int, ...]) -> Array:
    """The pattern of every step, as an int array: the outermost axis that advances into it, FIRST for step 0."""
    import numpy as np

    steps = prod(grid)
    pattern = np.zeros(steps, np.int64)
    stride = 1
    at = np.arange(steps)
    for axis in range(len(grid) - 1, -1, -1):
        pattern[at % stride == 0] = axis
        stride *= grid[axis]
    # an axis of one step never advances: the carry goes on to the next outer one, which the loop has written over
    pattern[0] = FIRST
    return pattern


def count_moves(grid: tuple[int, ...], windows: Sequence[Window]) -> dict[int, int] | None:
    """{windows that move, as bits in their order: iterations}, for iterations 1 to steps; None where the tables are too
    large together, or a map is not decided.

    An input moves when the step to come has another block, an output when the step that runs has.
    """
    import numpy as np

    if not all(w.visits.exact and (w.visits.regular or w.visits.parts) for w in windows):
        return None
    told = sorted({axis for w in windows for part in w.visits.parts if part.moves is None for axis in part.axes})
    tables = {
        id(part): np.array(part.table, np.int64).reshape([grid[axis] for axis in part.axes])
        for w in windows
        for part in w.visits.parts
        if part.moves is None
    }
    alike = {axis: _alike(axis, grid[axis], windows, tables) for axis in told}
    if prod(len(digits) for digits, _ in alike.values()) > _MAX_PLACES:
        return None
    total: dict[int, int] = {}
    for before, now in pair_counts(grid):
        places = [_range(n, axis, before, now) for axis, n in enumerate(grid)]
        times = prod(len(place) for axis, place in enumerate(places) if axis not in told)
        if not times:
            continue
        kept = {axis: _within(alike[axis], places[axis]) for axis in told}
        here = dict(zip(told, np.ix_(*(kept[axis][0] for axis in told)), strict=True))
        weight = np.ones([len(kept[axis][0]) for axis in told], np.int64)
        for counts in np.ix_(*(kept[axis][1] for axis in told)):
            weight = weight * counts
        code = np.zeros_like(weight)
        for bit, window in enumerate(windows):
            pattern, way = (now, 1) if window.role is Role.INPUT else (before, -1)
            if pattern in (FIRST, NONE):
                continue  # step 0 leaves nothing behind, and nothing comes after the last
            if window.visits.regular:
                code |= int(changes_with(window, pattern)) << bit
                continue
            moves = np.zeros_like(code)
            for part in window.visits.parts:
                moves |= _part_moves(part, tables.get(id(part)), grid, here, pattern, way)
            code |= moves << bit
        codes, where = np.unique(code, return_inverse=True)
        sums = np.zeros(len(codes), np.int64)
        np.add.at(sums, where.reshape(-1), weight.reshape(-1))
        for value, count in zip(codes.tolist(), sums.tolist(), strict=True):
            total[value] = total.get(value, 0) + count * times
    return {value: count for value, count in total.items() if count}


def _alike(axis: int, n: int, windows: Sequence[Window], tables: dict[int, Array]) -> tuple[Array, Array]:
    """Indices along an axis, one for all that are alike, and how many each stands for.

    Two are alike if each table of this axis alone changes after both or neither, and before both or neither. The first
    and the last are alike to no other; an axis that a table reads beside others keeps all its indices.
    """
    import numpy as np

    parts = [part for w in windows for part in w.visits.parts if part.moves is None and axis in part.axes]
    digits = np.arange(n)
    if any(len(part.axes) > 1 for part in parts):
        return digits, np.ones(n, np.int64)
    kind = (digits == 0) + 2 * (digits == n - 1)
    for part in parts:
        changes = np.append(np.diff(tables[id(part)]) != 0, False)  # from each index to the next
        kind = np.unique(4 * kind + 2 * changes + np.roll(changes, 1), return_inverse=True)[1].reshape(-1)
    _, first, counts = np.unique(kind, return_index=True, return_counts=True)
    return digits[first], counts.astype(np.int64)


def _within(alike: tuple[Array, Array], place: range) -> tuple[Array, Array]:
    digits, counts = alike
    inside = (digits >= place.start) & (digits < place.stop)
    return digits[inside], counts[inside]


def _range(n: int, axis: int, before: Pattern, now: Pattern) -> range:
    """Indices that a step can have along an axis, given the patterns into it and out of it."""
    low, high = 0, n - 1
    if before == FIRST or (before != FIRST and axis > before):
        high = 0
    elif axis == before:
        low = 1
    if now == NONE or axis > now:
        low = max(low, n - 1)
    elif axis == now:
        high = min(high, n - 2)
    return range(low, high + 1)


def _part_moves(
    part: Part, table: Array, grid: tuple[int, ...], here: dict[int, Array], pattern: Pattern, way: int
) -> Array:
    """Where a part changes when `pattern` advances out of the steps at `here` (way 1), or did into them (way -1)."""
    if part.moves is not None:
        return int(part.moves[pattern])
    there = {}
    for axis in part.axes:
        if axis == pattern:
            there[axis] = here[axis] + way
        elif axis > pattern:
            there[axis] = here[axis] * 0 + (0 if way > 0 else grid[axis] - 1)
        else:
            there[axis] = here[axis]
    now, then = (tuple(place[axis] for axis in part.axes) for place in (here, there))
    return (table[now] != table[then]).astype("int64")
