"""Which line of the kernel a step's bundles go to.

A bundle is shared evenly by the instructions that start in it; one in which nothing starts belongs to the line whose
result the critical path waits for. So each bundle of a block goes somewhere, and the shares add up to the block.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from typing import NamedTuple

from pipeline.errors import Source
from pipeline.ir.module import Op
from pipeline.schedule.bundles.graph import Graph, Node
from pipeline.schedule.bundles.step import Block, Step

_PARTS = 720_720  # of a bundle: divisible by every number of instructions up to 16


class Stretch(NamedTuple):
    """A node on a critical path: bundles `begins` to `ends` - 1 are its, `waited` of them for a slot."""

    node: Node
    begins: int
    ends: int
    waited: int


def walk_path(graph: Graph, block: Block) -> Iterator[Stretch]:
    """From the node that ends last back through what each waited for: an operand, or else its slot."""
    first, at = block.packed.first, block.packed.bundles
    if not at:
        return
    node = first + at.index(max(at))
    ends = block.packed.length
    while True:
        ready, before = 0, -1
        for operand in graph.operands[node]:
            if operand >= first:
                t = at[operand - first] + graph.kinds[operand].latency + graph.wait.get(node, 0)
                if t > ready or before < 0:
                    ready, before = t, operand
        begins = at[before - first] + graph.kinds[before].latency if before >= 0 else 0
        yield Stretch(node, begins, ends, max(0, at[node - first] - ready))
        if before < 0:
            return
        node, ends = before, begins


def bundles_by_line(step: Step) -> list[tuple[Op, int]]:
    """(an operation of the line, bundles of a step that go to the line), the most first; ties in program order.

    Loop and branch code (`step.extra`) is nobody's line.
    """
    graph = step.low.graph
    lines: dict[tuple[Source | None, int], int] = {}
    named: list[Op] = []
    of_op: list[int] = []
    for op in step.ops:
        key = (op.span.source, op.span.line)
        if key not in lines:
            lines[key] = len(named)
            named.append(op)
        of_op.append(lines[key])
    shares = [0] * len(named)
    for block in step.blocks:
        total = [0] * block.packed.length  # instructions that start in each bundle
        first, last = block.packed.first, block.packed.first + len(block.packed.bundles)
        kinds, origins = graph.kinds[first:last], graph.origin[first:last]
        started = [kind.unit for kind in kinds]
        for at in compress(block.packed.bundles, started):
            total[at] += 1
        share = [0, *(block.trips * _PARTS // n for n in range(1, max(total, default=0) + 1))]
        for at, origin in compress(zip(block.packed.bundles, origins, strict=True), started):
            shares[of_op[origin]] += share[total[at]]
        for stretch in walk_path(graph, block):
            idle = total[stretch.begins : stretch.ends].count(0)
            shares[of_op[graph.origin[stretch.node]]] += block.trips * idle * _PARTS
    found = [(op, (share + _PARTS // 2) // _PARTS) for op, share in zip(named, shares, strict=True) if share]
    return sorted(found, key=lambda entry: -entry[1])
