"""Register operations that nothing reads: the compiler drops them register by register, not by whole vectors."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.schedule.bundles.graph import FREE, Graph


def drop_unused(graph: Graph, bounds: Sequence[int]) -> tuple[Graph, list[int]]:
    """The graph without what feeds neither a store nor one of its `roots`; `bounds` (node numbers) in the new one."""
    n = len(graph)
    kept = bytearray(n)
    for root in graph.roots:
        kept[root] = 1
    kinds, operands = graph.kinds, graph.operands
    for node in range(n - 1, -1, -1):
        if kinds[node].unit == "vstore":
            kept[node] = 1
        if kept[node]:
            for operand in operands[node]:
                if operand >= 0:
                    kept[operand] = 1
    if all(kept):
        return graph, list(bounds)
    made = Graph()
    place = [FREE] * (n + 1)
    for node in range(n):
        place[node] = len(made)
        if kept[node]:
            made.at = graph.origin[node]
            inputs = tuple(place[o] if o >= 0 else o for o in operands[node])
            new = made.add(kinds[node], inputs, graph.queue.get(node, -1), graph.wait.get(node, 0))
            if node in graph.memory:
                made.memory[new] = graph.memory[node]
    place[n] = len(made)
    return made, [place[bound] for bound in bounds]
