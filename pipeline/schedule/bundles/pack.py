"""List scheduling of one block: every node to a bundle.

Nodes are placed one after the other, each in the first bundle at which its operands are there and its slot is free. The
order is by stages: a node goes before all nodes that have fewer long waits (XLU, matrix unit) between them and the end.
Within a stage it is register by register, operands just before their user, which keeps registers short-lived. Slots are
byte strings with a byte for each bundle, so that the search for a free one is a search for a zero byte.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import NamedTuple

from pipeline.schedule.bundles.graph import Graph
from pipeline.schedule.bundles.machine import Machine

_LONG_WAIT = 30  # cycles: results of the XLU and the matrix units take more, all others less


_WRITES = ("valu", "vpop", "vload")  # units whose instructions write a register
_SPILL_COST = 0.15  # bundles a spill adds beside its slots; fitted
_ID = 24  # bits for a node's number beside a time


class Packed(NamedTuple):
    """A block's schedule: the bundle of each node, from `first` on, and the bundles in all."""

    first: int
    bundles: tuple[int, ...]
    length: int
    spills: int = 0
    reloads: int = 0
    pressure: int = 0  # registers alive at once, without a limit


class _Slot:
    """`capacity` issue slots of one sort in each bundle."""

    __slots__ = ("capacity", "full", "used")

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.full = bytearray(1024)
        self.used: dict[int, int] = {}

    def find(self, at: int) -> int:
        found = self.full.find(0, at)
        if found < 0:
            self.full.extend(bytes(max(1024, at)))
            return self.find(at)
        return found

    def take(self, at: int) -> None:
        n = self.used.get(at, 0) + 1
        self.used[at] = n
        if n >= self.capacity:
            if at >= len(self.full):
                self.full.extend(bytes(max(1024, at)))
            self.full[at] = 1


class _Queues:
    """`count` units that an instruction holds for some cycles, with what an XLU's change of mode costs."""

    def __init__(self, count: int, switches: dict[tuple[str, str], int]) -> None:
        self.free = [0] * count
        self.mode = [""] * count
        self.busy = [bytearray(4096) for _ in range(count)]
        self.switches = switches

    def find(self, at: int, hold: int, mode: str, queue: int) -> tuple[int, int]:
        """The first time from `at` on, and the unit, at which a unit is free for `hold` cycles."""
        best, unit = -1, 0
        for u in (queue,) if queue >= 0 else range(len(self.busy)):
            busy = self.busy[u]
            t = at
            last = self.mode[u]
            if last and last != mode:
                t = max(t, self.free[u] + self.switches.get((last, mode), 0))
            found = busy.find(bytes(hold), t)
            if found < 0:
                busy.extend(bytes(max(4096, t + hold)))
                found = busy.find(bytes(hold), t)
            if best < 0 or found < best:
                best, unit = found, u
        return best, unit

    def take(self, at: int, unit: int, hold: int, mode: str) -> None:
        self.busy[unit][at : at + hold] = b"\1" * hold
        if at + hold > self.free[unit]:
            self.free[unit] = at + hold
            self.mode[unit] = mode


def placing_order(graph: Graph, first: int, end: int) -> list[int]:
    """Offsets of the nodes in the order in which they are placed: operands always before their users."""
    kinds, operands, waits = graph.kinds, graph.operands, graph.wait
    n = end - first
    stage = [0] * n
    used = bytearray(n)
    for i in range(n - 1, -1, -1):
        node = first + i
        mine = stage[i] + (waits.get(node, 0) >= _LONG_WAIT)
        for operand in operands[node]:
            if operand >= first:
                used[operand - first] = 1
                s = mine + (kinds[operand].latency >= _LONG_WAIT)
                if s > stage[operand - first]:
                    stage[operand - first] = s
    found: list[int] = []
    seen = bytearray(n)
    for sink in range(n):
        if used[sink] or seen[sink]:
            continue
        stack = [sink]
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
    found.sort(key=lambda i: -stage[i])
    return found


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


def pack(graph: Graph, first: int, end: int, machine: Machine) -> Packed:
    """The schedule of nodes `first` to `end` - 1; operands made before them are there at the start."""
    n = end - first
    if n == 0:
        return Packed(first, (), 0)
    kinds, operands = graph.kinds, graph.operands
    order = placing_order(graph, first, end)
    slots = machine.slots
    switches = {
        ("reduce", "permute"): machine.get("xlu_reduce_to_permute"),
        ("permute", "reduce"): machine.get("xlu_permute_to_reduce"),
    }
    by_unit = {u: _Slot(slots.get(u) or 1) for u in ("valu", "vpop", "vload", "vstore")}
    by_unit["extended"] = _Slot(slots.get("extended") or 1)
    joint = _Slot(slots["vload_vstore"]) if "vload_vstore" in slots else None
    queues = {
        "xlu": _Queues(slots.get("xlu") or 1, switches),
        "mxu": _Queues(slots.get("mxu") or 1, {}),
        "push": _Queues(slots.get("mxu") or 1, {}),
        "eup": _Queues(slots.get("eup") or 1, {}),
    }
    valu = by_unit["valu"]
    extended = by_unit["extended"]
    at = [0] * n
    length = 0
    for i in order:
        node = first + i
        kind = kinds[node]
        t = 0
        for operand in operands[node]:
            if operand >= first:
                ready = at[operand - first] + kinds[operand].latency
                if ready > t:
                    t = ready
        if node in graph.wait:
            t += graph.wait[node]
        unit = kind.unit
        if unit in by_unit:
            slot = by_unit[unit]
            t = slot.find(t)
            if joint is not None and unit[:2] in ("vl", "vs"):
                while True:
                    both = joint.find(t)
                    if both == t:
                        break
                    t = slot.find(both)
                joint.take(t)
            slot.take(t)
        elif unit:
            queue = queues[unit]
            issue = valu if unit == "eup" else extended
            wanted = graph.queue.get(node, -1)
            while True:
                t, which = queue.find(t, kind.hold, kind.mode, wanted)
                both = issue.find(t)
                if both == t:
                    break
                t = both
            issue.take(t)
            queue.take(t, which, kind.hold, kind.mode)
        at[i] = t
        if t >= length:
            length = t + 1
    spills, reloads, pressure = spilled(graph, first, at, machine.chip.vector_registers or n)
    # what gives way goes through the same slots as other loads and stores
    more = {"vload": spills + reloads, "vstore": spills}
    counts = {u: sum(by_unit[u].used.values()) + n for u, n in more.items()}
    length = max(length, *(-(-count // by_unit[u].capacity) for u, count in counts.items()))
    if joint is not None:
        length = max(length, -(-sum(counts.values()) // joint.capacity))
    length += round(spills * _SPILL_COST)
    return Packed(first, tuple(at), length, spills, reloads, pressure)
