"""The order in which a block's nodes are given their bundles.

By stages: a node goes before all nodes that have fewer long waits (XLU, matrix unit) between them and the end. Within a
stage it is register by register, operands just before their user, which keeps registers short-lived.
"""

from __future__ import annotations

from pipeline.schedule.bundles.graph import Graph

_LONG_WAIT = 30  # cycles: results of the XLU and the matrix units take more, all others less

_MATRIX = ("push", "mxu")


def placing_order(graph: Graph, first: int, end: int) -> list[int]:
    """Offsets of the nodes in the order in which they are placed: operands always before their users."""
    kinds, waits = graph.kinds, graph.wait
    n = end - first
    stage = [0] * n
    inner = bytearray(n)  # has a user in its own stage
    mine = graph.inside(first, end)
    slow = [kind.latency >= _LONG_WAIT for kind in kinds[first:end]]
    # what goes into matrix and transpose units keeps the order in which it was made: by turns
    turns = [1 if k.unit in _MATRIX else 2 if k.mode == "transpose" else 0 for k in kinds[first:end]]
    for i in range(n - 1, -1, -1):
        least = stage[i]
        if first + i in waits and waits[first + i] >= _LONG_WAIT:
            least += 1
        for o in mine[i]:
            s = least + slow[o]
            if s > stage[o]:
                stage[o] = s
    stages: dict[int, list[int]] = {}
    for i in range(n):
        own, turn = stage[i], turns[i]
        for o in mine[i]:
            if stage[o] == own and not (turn and turns[o] == turn):
                inner[o] = 1
        stages.setdefault(own, []).append(i)
    found: list[int] = []
    seen = bytearray(n)
    for s in sorted(stages, reverse=True):
        for last in stages[s]:
            if inner[last] or seen[last]:
                continue
            stack = [last]
            while stack:
                i = stack.pop()
                if i < 0:  # its operands are placed
                    i = ~i
                elif seen[i]:
                    continue
                else:
                    todo = [o for o in mine[i] if not seen[o]]
                    if todo:
                        stack.append(~i)
                        todo.reverse()
                        stack += todo
                        continue
                seen[i] = 1
                found.append(i)
    return found
