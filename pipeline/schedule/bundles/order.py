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
    kinds, operands, waits = graph.kinds, graph.operands, graph.wait
    n = end - first
    stage = [0] * n
    inner = bytearray(n)  # has a user in its own stage
    for i in range(n - 1, -1, -1):
        mine = stage[i] + (waits.get(first + i, 0) >= _LONG_WAIT)
        for operand in operands[first + i]:
            if operand >= first:
                s = mine + (kinds[operand].latency >= _LONG_WAIT)
                if s > stage[operand - first]:
                    stage[operand - first] = s
    stages: dict[int, list[int]] = {}
    for i in range(n):
        for operand in operands[first + i]:
            if operand >= first and stage[operand - first] == stage[i]:
                # what goes into matrix and transpose units keeps the order in which it was made: by turns
                if kinds[operand].unit in _MATRIX and kinds[first + i].unit in _MATRIX:
                    continue
                if kinds[operand].mode == kinds[first + i].mode == "transpose":
                    continue
                inner[operand - first] = 1
        stages.setdefault(stage[i], []).append(i)
    found: list[int] = []
    seen = bytearray(n)
    for s in sorted(stages, reverse=True):
        for last in stages[s]:
            if inner[last] or seen[last]:
                continue
            stack = [last]
            while stack:
                i = stack[-1]
                if seen[i]:
                    stack.pop()
                    continue
                todo = [o - first for o in operands[first + i] if o >= first and not seen[o - first]]
                if todo:
                    stack.extend(reversed(todo))
                else:
                    seen[i] = 1
                    found.append(i)
                    stack.pop()
    return found
