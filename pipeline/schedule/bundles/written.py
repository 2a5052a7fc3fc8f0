"""What of a body's last block is done before the first output is copied out, where several are: the copy that is ready
first begins as soon as its stores are made, and the check of the next one's window stands beside the rest of the work.

Source: the blocks of libtpu 0.0.42.1's schedules of kernels with two and three outputs, each with work of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from pipeline.ir.module import Value
from pipeline.schedule.bundles.graph import FREE
from pipeline.schedule.bundles.step import Step

_MORE = 3  # bundles of a later check beside which there is no work
_TAIL = 8  # bundles of the first check behind the work that it waits for


def overlap(step: Step, outputs: Collection[Value], last: int, beside: int, checks: tuple[int, ...]) -> int:
    """Bundles that `checks` of the windows of all outputs but one do not take of their own, beside a last block of
    `last` and a first check of `beside`."""
    if not checks or not step.blocks or step.blocks[-1].packed.spills:  # without registers to spare work is not apart
        return 0
    first = max(_needed(step, outputs, last) + _TAIL, beside)
    apart = max(last, beside) + sum(checks)
    rest = max(last - first, sum(checks)) + _MORE * len(checks)
    return max(0, apart - first - rest)


def _needed(step: Step, outputs: Collection[Value], last: int) -> int:
    """Bundles of the last block for the output that takes the least of it, by the unit that has the most to do."""
    packed, graph = step.blocks[-1].packed, step.low.graph
    begin, end = packed.first, packed.first + len(packed.bundles)
    total = Counter(kind.unit for kind in graph.kinds[begin:end] if kind.unit)
    slots = dict(step.low.chip.slots)
    unit = max(total, key=lambda name: (total[name] / slots.get(name, 1), name), default=None)
    if unit is None:
        return 0
    stores: dict[Value, list[int]] = {output: [] for output in outputs}
    for node in range(begin, end):
        ref = graph.memory[node][0] if node in graph.memory and graph.kinds[node].unit == "vstore" else None
        base = step.copies.views(ref)[-1] if isinstance(ref, Value) else None
        if base in stores:
            stores[base].append(node)
    least = total[unit]
    for nodes in stores.values():
        seen, stack = set(nodes), list(nodes)
        while stack:
            for operand in graph.operands[stack.pop()]:
                if operand != FREE and operand >= begin and operand not in seen:
                    seen.add(operand)
                    stack.append(operand)
        least = min(least, sum(graph.kinds[node].unit == unit for node in seen))
    return -(-last * least // total[unit])
