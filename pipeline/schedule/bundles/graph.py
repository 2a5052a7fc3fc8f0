"""The register operations of a kernel: a graph of nodes, each one instruction on one vector register.

Nodes are numbers in the order they were made, which is an order they can run in. Blocks are ranges of them.
"""

from __future__ import annotations

from typing import NamedTuple

Node = int
LIMIT = 300_000  # nodes of a kernel; more is not scheduled
FREE: Node = -1  # a value that is there from the start: a constant, a scalar; so is any negative number
ALL: Node = -2  # a mask that is known to hold everywhere
NONE: Node = -3  # a mask that holds nowhere


class Kind(NamedTuple):
    """What an instruction asks of the machine.

    name:    what it does, for the listing.
    unit:    valu, eup, vpop, xlu, push (weights), mxu, vload, vstore, salu; "" for what takes no slot.
    latency: cycles until a user may issue.
    hold:    cycles the unit is busy; of what takes an issue slot, whether it takes another one as well.
    mode:    what an XLU is set to: switching costs (reduce, permute, transpose); which vector ALU.
    """

    name: str
    unit: str
    latency: int
    hold: int = 1
    mode: str = ""


class TooLarge(Exception):
    """The kernel takes more register operations than are scheduled."""


class Graph:
    """Struct of arrays: node i is `kinds[i]` on `operands[i]`, for operation number `origin[i]` of the module.

    queue: the unit among several of its sort, or -1 for any. wait: cycles more than the operands' latencies.
    roots: nodes beside stores whose results are wanted: by scalars, by what comes after a loop.
    """

    def __init__(self) -> None:
        self.kinds: list[Kind] = []
        self.operands: list[tuple[Node, ...]] = []
        self.origin: list[int] = []
        self.queue: dict[Node, int] = {}
        self.wait: dict[Node, int] = {}
        self.roots: list[Node] = []
        self.memory: dict[Node, tuple[object, object]] = {}  # loads, stores: the ref, and where in it if known
        self.earliest: dict[Node, int] = {}  # the first bundle of its block that a node may be in
        self.at = 0  # the operation that nodes are now made for
        self.after: tuple[Node, ...] = ()  # what nodes of the units `behind` that are now made wait for beside the rest
        self.behind: tuple[str, ...] = ()
        self._inside: tuple[Node, Node, list[tuple[int, ...]]] = (0, 0, [])

    def __len__(self) -> int:
        return len(self.kinds)

    def inside(self, first: Node, end: Node) -> list[tuple[int, ...]]:
        """For each node of a block, its operands that the block makes, less `first`; what was asked last is kept."""
        if self._inside[:2] != (first, end):
            operands = self.operands[first:end]
            if first or min(map(min, filter(None, operands)), default=0) < 0:
                operands = [tuple([o - first for o in found if o >= first]) for found in operands]
            self._inside = first, end, operands
        return self._inside[2]

    def add(self, kind: Kind, operands: tuple[Node, ...], queue: int = -1, wait: int = 0) -> Node:
        node = len(self.kinds)
        if node >= LIMIT:
            raise TooLarge
        if self.after and kind.unit in self.behind:
            operands = operands + self.after
        self.kinds.append(kind)
        self.operands.append(operands)
        self.origin.append(self.at)
        if queue >= 0:
            self.queue[node] = queue
        if wait:
            self.wait[node] = wait
        return node

    def part(self, first: Node, end: Node) -> Graph:
        """Some nodes alone, numbered from 0 on; what was made before them is there from the start."""
        made = Graph()
        made.kinds = self.kinds[first:end]
        made.operands = list(self.inside(first, end))
        made.origin = self.origin[first:end]
        for mine, theirs in (
            (made.queue, self.queue),
            (made.wait, self.wait),
            (made.earliest, self.earliest),
        ):
            mine.update((node - first, n) for node, n in theirs.items() if first <= node < end)
        made.memory = {node - first: place for node, place in self.memory.items() if first <= node < end}
        return made
