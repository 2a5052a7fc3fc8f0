"""Which matrix unit takes a block of weights.

A unit loads a block while it sends the rows of those before through, once there is a place for it; so its time is
known, block after block, as if every operand were there. In the order of the program a block goes to the unit that
would be done with it first. Then, on some chips, rows of the last blocks move from the unit that is done last to the
one that would be done with them first, while that helps: these load the weights as well. On others whole blocks move;
of the last block of all alone rows do, where that helps more.

Source: libtpu 0.0.42.1's listings after its pass that assigns units. For whole blocks: 95 kernels of two to six
unrelated products on v6e, 93 of which are so, and 55 on 7x, of which 54 are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.schedule.bundles.matrix_work import Weights

_MOST = 128  # blocks that are moved whole between units; of more, none is


class _Unit:
    """A unit's blocks of weights in the order of the program, as if every operand were there: a block's weights go in
    while rows of those before are on their way, once there is a place for them.

    taken: for each a position in the work, and its groups of rows. times: when its weights are in, its rows begin, and
    end, in cycles.
    """

    def __init__(self, work: list[Weights], staged: int) -> None:
        self.work, self.staged = work, staged
        self.taken: list[tuple[int, int]] = []
        self.times: list[tuple[int, int, int]] = []

    @property
    def end(self) -> int:
        return self.times[-1][2] if self.times else 0

    def change(self, at: int, groups: int) -> None:
        """So many groups more of the block at this position, or fewer."""
        first = bisect_left(self.taken, (at, 0))
        has = self.taken[first][1] if first < len(self.taken) and self.taken[first][0] == at else 0
        self.taken[first : first + (1 if has else 0)] = [(at, has + groups)] if has + groups else []
        del self.times[first:]
        for at, groups in self.taken[first:]:
            block = self.work[at]
            pushed, _, end = self.times[-1] if self.times else (0, 0, 0)
            if 0 < self.staged <= len(self.times):
                pushed = max(pushed, self.times[-self.staged][1])
            pushed += block.pushes * block.push_cycles
            begin = max(pushed, end)
            self.times.append((pushed, begin, begin + groups * block.hold))

    def end_with(self, at: int, groups: int) -> int:
        """When it is done with so many groups more of a block."""
        self.change(at, groups)
        end = self.end
        self.change(at, -groups)
        return end


class _Units:
    """All units, and for each block of weights the groups of rows by unit, its first unit first."""

    def __init__(self, work: list[Weights], count: int, staged: int, added: Sequence[int] = ()) -> None:
        self.work = work
        self.units = [_Unit(work, staged) for _ in range(count)]
        self.parts: list[dict[int, int]] = []
        for at, block in enumerate(work):
            if added and added[at] >= 0:
                first = next(iter(self.parts[added[at]]))
            else:
                first = min(range(count), key=lambda u: self.units[u].end_with(at, block.groups))
            self.units[first].change(at, block.groups)
            self.parts.append({first: block.groups})

    @property
    def last(self) -> int:
        """The unit that is done last."""
        return max(range(len(self.units)), key=lambda u: self.units[u].end)

    @property
    def first(self) -> int:
        return min(range(len(self.units)), key=lambda u: self.units[u].end)

    def move(self, at: int, groups: int, here: int, there: int) -> None:
        """Groups of a block from one unit to another."""
        part = self.parts[at]
        for unit, change in ((here, -groups), (there, groups)):
            self.units[unit].change(at, change)
            part[unit] = part.get(unit, 0) + change
            if not part[unit]:
                del part[unit]

    def move_rows(self, only: int = -1) -> list[tuple[int, int, int]]:
        """From the unit that is done last, groups of its last block (if that is `only`), while that helps; each as a
        block, the unit and the other unit."""
        moved: list[tuple[int, int, int]] = []
        while True:
            here = self.last
            at = self.units[here].taken[-1][0]
            ends = {u: unit.end_with(at, 1) for u, unit in enumerate(self.units) if u != here}
            there = min(ends, key=ends.__getitem__, default=here)
            if only not in (-1, at) or ends.get(there, self.units[here].end) >= self.units[here].end:
                return moved
            self.move(at, 1, here, there)
            moved.append((at, here, there))

    def with_rows_moved(self, only: int) -> int:
        """When all would be done after that."""
        moved = self.move_rows(only)
        end = self.units[self.last].end
        for at, here, there in reversed(moved):
            self.move(at, 1, there, here)
        return end

    def best_move(self, here: int, there: int) -> tuple[int, int, int]:
        """When two units are done after one of them gave a block to the other; the block, and its groups."""
        found = []
        for at, groups in tuple(self.units[here].taken):
            self.move(at, groups, here, there)
            found.append((max(self.units[here].end, self.units[there].end), at, groups))
            self.move(at, groups, there, here)
        return min(found)


def share_out(work: list[Weights], count: int, staged: int) -> list[dict[int, int]]:
    """For each block of weights the groups of rows by unit, its first unit first. `staged`: sets of weights that wait
    in a unit beside the one in use."""
    units = _Units(work, count, staged)
    if work:
        units.move_rows()
    return units.parts


def share_whole(work: list[Weights], count: int, staged: int, added: Sequence[int] = ()) -> list[dict[int, int]]:
    """The same where blocks stay whole but for the last one. `added`: for each block the one before whose results its
    own are added to, or -1: where a unit adds them itself, it takes both at first."""
    units = _Units(work, count, staged, added)
    last = len(work) - 1
    while 0 < len(work) <= _MOST:
        here, there = units.last, units.first
        end, at, groups = units.best_move(here, there)
        if end >= units.units[here].end or units.with_rows_moved(last) < end:
            break
        units.move(at, groups, here, there)
    if work:
        units.move_rows(last)
    return units.parts
