"""List scheduling of one block: every node to a bundle.

Nodes are placed one after the other, in the order that `order.py` gives, each in the first bundle at which its operands
are there and its slot is free. Slots are byte strings with a byte for each bundle, so that the search for a free one is
a search for a zero byte.

What a user far from its load wants is loaded again (`reloads.py`). A block that wants more registers than there are is
placed anew, no node long before those that it follows: registers are given in that order (`spills.py`).

An XLU has to be set anew between reductions and permutes, and takes what comes in turn. A block that has both is placed
twice: once as if that were free, then in the order of the times this gave.
"""

from __future__ import annotations

from typing import NamedTuple, Union

from pipeline.schedule.bundles.graph import Graph, Kind
from pipeline.schedule.bundles.late import late_times
from pipeline.schedule.bundles.machine import Machine
from pipeline.schedule.bundles.order import placing_order
from pipeline.schedule.bundles.reloads import far_loads, load_again
from pipeline.schedule.bundles.spills import pressure, spilled

_SPILL_COST = 0.15  # bundles a spill adds beside its slots; fitted
_TURNED = ("permute", "transpose")
_FAR = 1 << 30
_BACK = 80  # bundles that the program's order looks back, in which registers are given; fitted


class Packed(NamedTuple):
    """A block's schedule: the bundle of each node, from `first` on, and the bundles in all."""

    first: int
    bundles: tuple[int, ...]
    length: int
    spills: int = 0
    reloads: int = 0  # loads that are done again
    pressure: int = 0  # registers alive at once, without a limit
    spill_slots: int = 0  # places in VMEM that spilled registers take at once


class _Slot:
    """`capacity` issue slots of one sort in each bundle."""

    __slots__ = ("capacity", "full", "used")

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.full = bytearray(1024)
        self.used = bytearray(1024)

    def find(self, at: int) -> int:
        """The first bundle from `at` on with a free one."""
        found: int = self.full.find(0, at)
        if found < 0:
            more = bytes(max(1024, at, len(self.full)))
            self.full.extend(more)
            self.used.extend(more)
            return self.find(at)
        return found

    def take(self, at: int) -> None:
        """Use one in a bundle that was found."""
        n = self.used[at] + 1
        self.used[at] = n
        if n >= self.capacity:
            self.full[at] = 1


class _Queues:
    """`count` units that an instruction holds for some cycles, with what an XLU's change of mode costs."""

    def __init__(self, count: int, switches: dict[tuple[str, str], int], in_turn: bool) -> None:
        self.free = [0] * count
        self.mode = [""] * count
        self.busy = [bytearray(4096) for _ in range(count)]
        self.switches = switches
        self.in_turn = in_turn
        self.units = tuple(range(count))

    def find(self, at: int, hold: int, mode: str, queue: int) -> tuple[int, int]:
        """The first time from `at` on at which a unit is free for `hold` cycles, and the unit: of several the one that
        has been idle longest."""
        best, unit = -1, 0
        frees = self.free
        room = bytes(hold)
        for u in (queue,) if queue >= 0 else self.units:
            busy = self.busy[u]
            t = at
            last = self.mode[u]
            free = frees[u]
            if last == mode:
                if self.in_turn and free > t:
                    t = free
            elif last:
                free += self.switches.get((last, mode), 0)
                if free > t:
                    t = free
            found = busy.find(room, t)
            if found < 0:
                busy.extend(bytes(max(4096, t + hold, len(busy))))
                found = busy.find(room, t)
            if best < 0 or found < best or (found == best and frees[u] < frees[unit]):
                best, unit = found, u
        return best, unit

    def take(self, at: int, unit: int, hold: int, mode: str) -> None:
        self.busy[unit][at : at + hold] = b"\1" * hold
        if at + hold > self.free[unit]:
            self.free[unit] = at + hold
            self.mode[unit] = mode


# an instruction's latency, its issue slot, others that it takes with it, and the units that it is given to
_Way = tuple[int, Union[_Slot, None], tuple[_Slot, ...], Union[_Queues, None]]


class _Slots:
    """Every issue slot and unit of the chip, empty. `in_turn`: XLUs take instructions in the order they are placed."""

    def __init__(self, machine: Machine, in_turn: bool) -> None:
        slots = machine.slots
        switches = {
            ("reduce", "permute"): machine.get("xlu_reduce_to_permute"),
            ("permute", "reduce"): machine.get("xlu_permute_to_reduce"),
        }
        names = ("valu", "vpop", "vload", "vstore", "extended", "mask", "salu")
        self.by_unit = {u: _Slot(slots.get(u) or 1) for u in names}
        self.ports = {port: _Slot(slots[port]) for port in machine.ports}
        self.joint = _Slot(slots["vload_vstore"]) if "vload_vstore" in slots else None
        self.queues = {
            "xlu": _Queues(slots.get("xlu") or 1, switches if in_turn else {}, in_turn),
            "mxu": _Queues(slots.get("mxu") or 1, {}, False),
            "push": _Queues(slots.get("mxu") or 1, {}, False),
            "eup": _Queues(slots.get("eup") or 1, {}, False),
            "shuffle": _Queues(1, {}, False),
        }

    def way(self, kind: Kind) -> _Way:
        """What an instruction goes through."""
        unit = kind.unit
        if unit in self.by_unit:
            others = [self.ports[kind.mode]] if kind.mode else []
            if self.joint is not None and unit[:2] in ("vl", "vs"):
                others.append(self.joint)
            return kind.latency, self.by_unit[unit], tuple(others), None
        if unit:
            return kind.latency, self.by_unit["valu" if unit == "eup" else "extended"], (), self.queues[unit]
        return kind.latency, None, (), None


def _place(
    graph: Graph,
    first: int,
    order: list[int],
    slots: _Slots,
    chosen: dict[int, int],
    begun: list[int] | None = None,
    back: int = _FAR,
) -> list[int]:
    """The bundle of each node, by offset. `chosen`: the units of XLU instructions by node, filled or, if full, kept.
    `begun`, of the same length, gets the same, but for XLU instructions when they could be issued. `back`: bundles that
    a node may be before the last one so far."""
    n = len(order)
    kinds, waits, earliest = graph.kinds[first : first + n], graph.wait, graph.earliest
    inside = graph.inside(first, first + n)
    at = [0] * n
    done = [0] * n  # when the result is there
    ways: dict[int, _Way] = {}  # by the id of the kind: there are few
    least = 0
    for i in order:
        kind = kinds[i]
        way = ways.get(id(kind))
        if way is None:
            way = ways[id(kind)] = slots.way(kind)
        latency, slot, others, queue = way
        t = least
        for operand in inside[i]:
            ready = done[operand]
            if ready > t:
                t = ready
        node = first + i
        if node in waits:
            t += waits[node]
        if earliest and node in earliest and earliest[node] > t:
            t = earliest[node]
        early = t
        if queue is not None and slot is not None:
            hold, mode = kind.hold, kind.mode
            wanted = graph.queue.get(node, chosen.get(node, -1))
            while True:
                t, which = queue.find(t, hold, mode, wanted)
                both = slot.find(t)
                if both == t:
                    break
                t = both
            slot.take(t)
            queue.take(t, which, hold, mode)
            if kind.unit == "xlu":
                chosen[node] = which
            else:
                early = t
        elif slot is not None:
            full = slot.full
            t = full.find(0, t)
            if t < 0:
                t = slot.find(early)
            for other in others:
                while True:
                    both = other.find(t)
                    if both == t:
                        break
                    t = slot.find(both)
                other.take(t)
            used = slot.used
            taken = used[t] + 1
            used[t] = taken
            if taken >= slot.capacity:
                full[t] = 1
            if kind.hold > 1:
                slot.take(slot.find(t))
            early = t
        at[i] = t
        if t - back > least:
            least = t - back
        done[i] = t + latency
        if begun is not None:
            begun[i] = early
    return at


def _schedule(
    graph: Graph, first: int, order: list[int], machine: Machine, back: int = _FAR
) -> tuple[list[int], _Slots]:
    """The bundle of each node that is placed in this order, by offset, and the slots that are taken then."""
    chosen: dict[int, int] = {}
    modes = {kind.mode for kind in set(graph.kinds[first : first + len(order)])}
    if {"reduce", "permute"} <= modes:
        begun = [0] * len(order)
        times = _place(graph, first, order, _Slots(machine, False), chosen, begun, back)
        tries = []
        for key in (times, begun):
            slots = _Slots(machine, True)
            at = _place(graph, first, sorted(order, key=key.__getitem__), slots, chosen, None, back)
            tries.append((max(at), at, slots))
        _, at, slots = min(tries, key=lambda found: found[0])
    else:
        slots = _Slots(machine, False)
        at = _place(graph, first, order, slots, chosen, None, back)
    return at, slots


def pack(graph: Graph, first: int, end: int, machine: Machine) -> Packed:
    """The schedule of nodes `first` to `end` - 1; operands made before them are there at the start."""
    n = end - first
    if n == 0:
        return Packed(first, (), 0)
    begin, order = first, placing_order(graph, first, end)
    again = far_loads(graph, first, order)
    if again:
        graph, order = load_again(graph, first, order, again)
        first = 0
    at, slots = _schedule(graph, first, order, machine)
    length = max(at) + 1
    late = late_times(graph, first, order, at)
    wanted = pressure(graph, first, late)
    registers = machine.chip.vector_registers or wanted
    if wanted <= registers:
        return Packed(begin, tuple(at[:n]), length, 0, len(again), wanted)
    near, _ = _schedule(graph, first, order, machine, _BACK)
    times = [late_times(graph, first, order, near)]
    if any(kind.mode in _TURNED for kind in set(graph.kinds[first : first + len(order)])):
        times.append(late)  # an XLU that sets the pace is far ahead of what is near
    tries = [spilled(graph, first, sorted(order, key=time.__getitem__), registers) for time in times]
    spills, fills, places = min(tries)
    # what gives way goes through the same slots as other loads and stores
    counts = {u: sum(slots.by_unit[u].used) + more for u, more in (("vload", fills), ("vstore", spills))}
    length = max(length, *(-(-count // slots.by_unit[u].capacity) for u, count in counts.items()))
    if slots.joint is not None:
        length = max(length, -(-sum(counts.values()) // slots.joint.capacity))
    length += round(spills * _SPILL_COST)
    return Packed(begin, tuple(at[:n]), length, spills, len(again), wanted, places)
