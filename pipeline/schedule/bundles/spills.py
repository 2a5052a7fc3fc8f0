"""Registers that a schedule wants at once, and what has to give way where there are fewer.

Source: libtpu 0.0.42.1 allocates registers in the order of its program, not of its bundles, where packed bundles want
more than there are: of 256 values that live across a reduction all but what the registers hold are stored, however
early the first sums are there. Its schedules and live ranges of the kernels of directed_registers.py.
"""

from __future__ import annotations

from collections import deque
from heapq import heapify, heappop, heappush
from itertools import accumulate
from typing import NamedTuple

from pipeline.schedule.bundles.graph import Graph
from pipeline.schedule.bundles.late import WRITES

_UNDER_WAY = 8  # registers that what is under way takes beside what waits; fitted


class Spilled(NamedTuple):
    """stores: registers stored for want of room; loads: those that bring them back; slots: places in VMEM that the
    stored ones take, the most at once."""

    stores: int
    loads: int
    slots: int


def pressure(graph: Graph, first: int, at: list[int]) -> int:
    """Registers alive at once in a block that is issued at these times, the most."""
    n = len(at)
    last = [-1] * n
    for t, operands in zip(at, graph.inside(first, first + n), strict=True):
        for o in operands:
            if t > last[o]:
                last[o] = t
    change = [0] * (max(at, default=0) + 2)  # registers taken less registers free again, by bundle; the first is -1
    for i, kind in enumerate(graph.kinds[first : first + n]):
        if last[i] >= 0 and kind.unit in WRITES:
            change[at[i] + 1] += 1
            change[last[i] + 1] -= 1
    return max(accumulate(change))


def spilled(graph: Graph, first: int, program: list[int], registers: int) -> Spilled:
    """What finds no register in a block whose instructions come in this order: what is wanted last gives way. It is
    stored once, where it is made, and loaded where it is wanted again."""
    room = max(1, registers - _UNDER_WAY)
    n = len(program)
    writes = [kind.unit in WRITES for kind in graph.kinds[first : first + n]]
    reads = [tuple(dict.fromkeys(found)) for found in graph.inside(first, first + n)]
    uses: list[deque[int]] = [deque() for _ in range(n)]  # places in the program
    made = [0] * n
    for place, i in enumerate(program):
        made[i] = place
        for o in reads[i]:
            uses[o].append(place)
    held: set[int] = set()
    far: list[tuple[int, int]] = []  # (minus the next use, value) of what is held, and of what was
    back: dict[int, int] = {}  # of what is stored: the place where it is loaded last
    loads = 0

    def hold(value: int) -> None:
        while len(held) >= room and far:
            use, other = heappop(far)
            if other in held and uses[other] and uses[other][0] == -use:
                held.remove(other)
                back.setdefault(other, -1)
        held.add(value)
        heappush(far, (-uses[value][0], value))

    for place, i in enumerate(program):
        missing = []
        for o in reads[i]:
            if not writes[o]:
                continue
            uses[o].popleft()
            if o not in held:
                missing.append(o)
            elif uses[o]:
                heappush(far, (-uses[o][0], o))
            else:
                held.remove(o)
        for o in missing:
            loads += 1
            back[o] = place
            if uses[o]:
                hold(o)
        if writes[i] and uses[i]:
            hold(i)
    return Spilled(len(back), loads, _most_at_once([made[o] for o in back], list(back.values())))


def _most_at_once(begins: list[int], ends: list[int]) -> int:
    heapify(ends)
    now = most = 0
    for begin in sorted(begins):
        while ends[0] < begin:
            heappop(ends)
            now -= 1
        now += 1
        most = max(most, now)
    return most
