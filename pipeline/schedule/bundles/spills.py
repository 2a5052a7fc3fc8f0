"""Registers that a schedule wants at once, and what has to give way where there are fewer."""

from __future__ import annotations

from bisect import bisect_right, insort
from itertools import accumulate
from typing import NamedTuple

from pipeline.schedule.bundles.graph import Graph
from pipeline.schedule.bundles.late import WRITES

_ID = 24  # bits for a node's number beside a time


class Spilled(NamedTuple):
    """stores: registers stored for want of room; pressure: the most alive at once; slots: places in VMEM that the
    stored ones take, the most at once."""

    stores: int
    pressure: int
    slots: int


def spilled(graph: Graph, first: int, at: list[int], registers: int) -> Spilled:
    """What does not find room in the registers of a block that is issued at these times: the one whose last use is
    farthest gives way, a loaded one as well."""
    n = len(at)
    units = [kind.unit for kind in graph.kinds[first : first + n]]
    mine = graph.inside(first, first + n)
    last = [-1] * n
    for t, operands in zip(at, mine, strict=True):
        for o in operands:
            if t > last[o]:
                last[o] = t
    held = [i for i in range(n) if last[i] >= 0 and units[i] in WRITES]
    change = [0] * (max(at, default=0) + 2)  # registers taken less registers free again, by bundle; the first is -1
    for i in held:
        change[at[i] + 1] += 1
        change[last[i] + 1] -= 1
    most = max(accumulate(change))
    if most <= registers:
        return Spilled(0, most, 0)
    held.sort(key=at.__getitem__)
    ends: list[int] = []  # last uses of what is in registers, ascending
    away: list[tuple[int, int]] = []  # (time, 1) for a value that goes to memory, (time, 0) for its last use
    for i in held:
        gone = bisect_right(ends, at[i] << _ID)
        del ends[:gone]
        insort(ends, (last[i] << _ID) + i)
        if len(ends) > registers:
            out = ends.pop() & ((1 << _ID) - 1)
            away += ((at[i], 1), (last[out], 0))
    slots = stored = 0
    for _, leaves in sorted(away):
        stored += 1 if leaves else -1
        slots = max(slots, stored)
    return Spilled(len(away) // 2, most, slots)
