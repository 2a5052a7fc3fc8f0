"""Loads that the compiler does again: what is wanted long after it was loaded does not wait in a register.

Source: libtpu 0.0.42.1's schedules of a sum of many registers with one: the 171st sum, 512 instructions after the load,
loads it again, and so does each 171st after that, on every chip and with most registers free.
"""

from __future__ import annotations

from bisect import bisect
from typing import NamedTuple

from pipeline.schedule.bundles.graph import Graph, Node

FAR = 512  # instructions from a load to a user that loads again


class Again(NamedTuple):
    """A load that is done again for some of its users."""

    load: Node
    users: tuple[Node, ...]


def far_loads(graph: Graph, first: int, order: list[int]) -> list[Again]:
    """What is loaded again in a block whose program has this order; no store to the same memory is in between."""
    n = len(order)
    kinds = graph.kinds
    if n < FAR:
        return []
    wanted = {i for i in range(n) if kinds[first + i].unit == "vload" and first + i in graph.memory}
    if not wanted:
        return []
    place = [0] * n
    last = [n] * n  # of a load: how many instructions may be counted where a user is that does not load again
    users: dict[int, list[int]] = {}
    counted = 0
    inside = graph.inside(first, first + n)
    for i in order:
        place[i] = counted
        if i in wanted:
            last[i] = counted + FAR
        if kinds[first + i].unit:
            counted += 1
        for operand in inside[i]:
            if counted > last[operand]:
                users.setdefault(operand, []).append(i)
    stores: dict[object, list[int]] = {}
    for i in range(n) if users else ():
        if kinds[first + i].unit == "vstore" and first + i in graph.memory:
            stores.setdefault(graph.memory[first + i][0], []).append(i)
    found = []
    for load, far in users.items():
        written = stores.get(graph.memory[first + load][0], [])
        since = 0
        taken: list[Node] = []
        for user in far:
            if bisect(written, load) != bisect(written, user):
                continue
            if taken and place[user] - since >= FAR:
                found.append(Again(first + load, tuple(taken)))
                taken = []
            if not taken:
                since = place[user]
            taken.append(first + user)
        if taken:
            found.append(Again(first + load, tuple(taken)))
    return found


def load_again(graph: Graph, first: int, order: list[int], again: list[Again]) -> tuple[Graph, list[int]]:
    """The block alone with these loads in it, and the order in which it is placed; numbers begin at 0, with those of
    the block, and the loads after them."""
    block = graph.part(first, first + len(order))
    before: dict[int, list[int]] = {}
    for load, users in again:
        new = block.add(graph.kinds[load], block.operands[load - first])
        block.memory[new] = graph.memory[load]
        for user in users:
            block.operands[user - first] = tuple(new if o == load - first else o for o in block.operands[user - first])
        before.setdefault(users[0] - first, []).append(new)
    return block, [node for i in order for node in (*before.get(i, ()), i)]
