"""A schedule in which what is early waits for its user: so the compiler keeps registers short-lived."""

from __future__ import annotations

from pipeline.schedule.bundles.graph import Graph, Kind

WRITES = ("valu", "vpop", "vload")  # units whose instructions write a register


def late_times(graph: Graph, first: int, order: list[int], at: list[int]) -> list[int]:
    """When each node is issued if it waits for its first user, where that keeps no more registers for longer."""
    n = len(at)
    kinds = graph.kinds[first : first + n]
    writes = [kind.unit in WRITES for kind in kinds]
    operands = graph.inside(first, first + n)
    ends = [-1] * n  # the last use
    for t, found in zip(at, operands, strict=True):
        for o in found:
            if t > ends[o]:
                ends[o] = t
    when = list(at)
    use = [-1] * n  # the first use, where the user waits as well
    for i in reversed(order):
        t = at[i]
        found = operands[i]
        if writes[i] and use[i] >= 0 and not _of_matrix(kinds, found, i):
            longer = 0
            for o in found:
                if ends[o] == t and writes[o]:
                    longer += 1
            if longer <= 1:
                kind = kinds[i]
                t = when[i] = max(t, use[i] - (1 if kind.unit == "vload" else kind.latency))
        for o in found:
            if use[o] < 0 or t < use[o]:
                use[o] = t
    return when


def _of_matrix(kinds: list[Kind], operands: tuple[int, ...], i: int) -> bool:
    """Whether it takes a result from a matrix unit, which does not wait."""
    return kinds[i].unit == "vpop" and any(kinds[o].unit == "mxu" for o in operands)
