"""Which matrix unit takes a block of weights, where units take blocks whole.

A unit loads a block while it sends the rows of the one before through; a block that follows that one waits until its
place is free. So each unit's time is known, block after block. In the order of the program a block goes to the unit
that is done with it first. Then a block moves from the unit that takes longest to the one that is free first while
that helps. Of the last block alone a part of the rows may go to another unit, which loads its weights as well: where
that helps more.

Source: libtpu 0.0.42.1's units of 125 kernels of two to six unrelated products on v6e and 7x. All but two are so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pipeline.schedule.bundles.matrix_work import Weights

_MOST = 128  # blocks that are moved between units; more are left where they are
_Parts = list[dict[int, int]]


def share_whole(work: list[Weights], count: int) -> _Parts:
    """For each block of weights the groups of rows by unit."""
    taken: list[list[int]] = [[] for _ in range(count)]  # positions in `work`, by unit
    times = [_Time(0, 0, 0)] * count
    for at, block in enumerate(work):
        after = [time.then(block) for time in times]
        unit = min(range(count), key=lambda u: after[u].end)
        times[unit] = after[unit]
        taken[unit].append(at)
    ends = [time.end for time in times]
    while True:
        most, least = max(range(count), key=ends.__getitem__), min(range(count), key=ends.__getitem__)
        parts, done = _last_in_parts(work, taken, ends)
        moved = min(_moves(work, taken[most], taken[least]), default=None) if len(work) <= _MOST else None
        if moved is None or moved[0] >= ends[most] or done < moved[0]:
            return parts
        taken[most].remove(moved[1])
        taken[least] = sorted([*taken[least], moved[1]])
        ends[most], ends[least] = _time(work, taken[most]).end, _time(work, taken[least]).end


class _Time(NamedTuple):
    """When a unit has loaded its last block, when the rows of that begin to go through, and when they are through."""

    loaded: int
    turn: int
    end: int

    def then(self, block: Weights, groups: int = -1) -> _Time:
        """After another block, of which only so many groups of rows go through here."""
        loaded = max(self.loaded, self.turn) + block.pushes * block.push_cycles
        turn = max(self.end, loaded)
        return _Time(loaded, turn, turn + (block.groups if groups < 0 else groups) * block.hold)


def _time(work: list[Weights], taken: list[int]) -> _Time:
    time = _Time(0, 0, 0)
    for at in taken:
        time = time.then(work[at])
    return time


def _moves(work: list[Weights], here: list[int], there: list[int]) -> list[tuple[int, int]]:
    """For each block of one unit: when both units are done if it goes to the other one, and the block."""
    found = []
    for at in here:
        rest, more = [other for other in here if other != at], sorted([*there, at])
        found.append((max(_time(work, rest).end, _time(work, more).end), at))
    return found


def _last_in_parts(work: list[Weights], taken: list[list[int]], ends: list[int]) -> tuple[_Parts, int]:
    """Every block whole, but of the last one groups of rows with other units while that helps; when all is done."""
    parts: _Parts = [{} for _ in work]
    for unit, mine in enumerate(taken):
        for at in mine:
            parts[at] = {unit: work[at].groups}
    last, block = len(work) - 1, work[-1]
    before = [_time(work, [at for at in mine if at != last]) for mine in taken]
    turns = [time.then(block, 0).end for time in before]
    groups = [parts[last].get(unit, 0) for unit in range(len(taken))]
    ends = list(ends)
    while True:
        most, least = max(range(len(taken)), key=ends.__getitem__), min(range(len(taken)), key=ends.__getitem__)
        end = turns[least] + (groups[least] + 1) * block.hold
        if not groups[most] or end >= ends[most]:
            parts[last] = {unit: n for unit, n in enumerate(groups) if n}
            return parts, ends[most]
        groups[most] -= 1
        groups[least] += 1
        ends[least] = end
        ends[most] = turns[most] + groups[most] * block.hold if groups[most] else before[most].end
