"""Registers that a schedule wants at once, and what has to give way where there are fewer."""

from __future__ import annotations

from bisect import bisect_right, insort

from pipeline.schedule.bundles.graph import Graph

_WRITES = ("valu", "vpop", "vload")  # units whose instructions write a register
_ID = 24  # bits for a node's number beside a time


def spilled(graph: Graph, first: int, at: list[int], registers: int) -> tuple[int, int, int]:
    """(registers stored for want of room, loaded ones loaded again instead, the most alive at once): the one whose last
    use is farthest gives way."""
    n = len(at)
    last = [-1] * n
    begin = list(at)
    for i in range(n):
        for operand in graph.operands[first + i]:
            if operand >= first:
                o = operand - first
                if graph.kinds[operand].unit == "vload" and (last[o] < 0 or at[i] <= begin[o]):
                    begin[o] = at[i] - 1  # a load may as well come just before its first use
                if at[i] > last[o]:
                    last[o] = at[i]
    held = [i for i in range(n) if last[i] >= 0 and graph.kinds[first + i].unit in _WRITES]
    events = sorted([(begin[i], 1) for i in held] + [(last[i], 0) for i in held])
    live = most = 0
    for _, begins in events:
        live += 1 if begins else -1
        most = max(most, live)
    if most <= registers:
        return 0, 0, most
    held.sort(key=lambda i: begin[i])
    ends: list[int] = []  # last uses of what is in registers, ascending
    spills = reloads = 0
    for i in held:
        gone = bisect_right(ends, begin[i] << _ID)
        del ends[:gone]
        insort(ends, (last[i] << _ID) + i)
        if len(ends) > registers:
            out = ends.pop() & ((1 << _ID) - 1)
            if graph.kinds[first + out].unit == "vload":
                reloads += 1
            else:
                spills += 1
    return spills, reloads, most
