"""A schedule in which what is early waits for its user: so the compiler keeps registers short-lived."""

from __future__ import annotations

from pipeline.schedule.bundles.graph import Graph, Kind

WRITES = ("valu", "vpop", "vload")  # units whose instructions write a register


def late_times(graph: Graph, first: int, order: list[int], at: list[int]) -> list[int]:
    """When each node is issued if it waits for its first user, where that keeps no more registers for longer."""
    n = len(at)
    kinds = graph.kinds[first : first + n]
    operands = [[o - first for o in found if o >= first] for found in graph.operands[first : first + n]]
    ends = [-1] * n  # the last use
    for t, found in zip(at, operands, strict=True):
        for o in found:
            ends[o] = max(ends[o], t)
    when = list(at)
    use = [-1] * n  # the first use, where the user waits as well
    for i in reversed(order):
        kind = kinds[i]
        if kind.unit in WRITES and use[i] >= 0 and not _of_matrix(kinds, operands[i], kind):
            longer = sum(kinds[o].unit in WRITES and ends[o] == at[i] for o in operands[i])
            if longer <= 1:
                when[i] = max(at[i], use[i] - (1 if kind.unit == "vload" else kind.latency))
        for o in operands[i]:
            if use[o] < 0 or when[i] < use[o]:
                use[o] = when[i]
    return when


def _of_matrix(kinds: list[Kind], operands: list[int], kind: Kind) -> bool:
    """Whether it takes a result from a matrix unit, which does not wait."""
    return kind.unit == "vpop" and any(kinds[o].unit == "mxu" for o in operands)
