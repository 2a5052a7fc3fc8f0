"""The last axis split into rows and lanes, or rows folded into the last axis: heads, that are whole tiles of lanes or
parts of one. And few rows of many matrices as many of few.

Tiles of lanes lie in registers of their own, so that they are an axis, which is exchanged with that of rows: in
registers, or by the loads before that or the stores after it. Parts of a tile are rotated to its first lanes before
that, or from there after it.

Source: libtpu 0.0.42.1's listings of kernels that reshape between (rows, heads * lanes) and (rows, heads, lanes).
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from pipeline.schedule.bundles import exchanges, shifted, strided
from pipeline.schedule.bundles.graph import FREE, Node
from pipeline.schedule.bundles.lowering import Lowering
from pipeline.schedule.bundles.tiles import Tiled

Shape = tuple[int, ...]


class _Heads(NamedTuple):
    """What (before, rows, groups, heads, lanes) and (before, rows, groups * heads * lanes) are of each other."""

    before: int
    rows: int
    groups: int
    heads: int
    lanes: int


def _heads(low: Lowering, wide: Shape, apart: Shape) -> _Heads | None:
    """None where the one shape is not the other with its last axis split so that heads are found in their lanes."""
    rank = len(wide)
    if rank < 2 or len(apart) < rank + 1 or apart[: rank - 1] != wide[:-1] or 1 in apart[-2:]:
        return None
    *groups, heads, lanes = apart[rank - 1 :]
    tile = low.chip.lanes
    fits = lanes % tile == 0 or (tile % lanes == 0 and (wide[-1] % tile == 0 or wide[-1] < tile))
    if prod(apart[rank - 1 :]) != wide[-1] or not fits:
        return None
    return _Heads(prod(wide[:-2]), wide[-2], prod(groups), heads, lanes)


def split(low: Lowering, value: Tiled, source: Shape, result: Shape, stored: bool) -> Tiled | None:
    """(rows, heads * lanes) as (rows, heads, lanes); none where that is not what is asked for."""
    of = _heads(low, source, result)
    if of is None:
        return None
    columns = -(-of.lanes // low.chip.lanes)
    nodes: list[Node] = []
    for o in range(of.before):
        for head in range(of.groups * of.heads):
            first, lane = divmod(head * of.lanes, low.chip.lanes)
            for r in range(value.rows):
                for c in range(columns):
                    nodes.append(shifted.rotated(low, value.at(o, r, first + c), -lane % low.chip.lanes))
    apart = value._replace(outer=of.before * of.groups * of.heads, columns=columns, nodes=nodes)
    shape = (of.before * of.groups, of.heads, of.rows, of.lanes)
    if stored and of.lanes == low.chip.lanes and of.groups == 1:
        found = strided.stored(low, apart, shape, _most(low))
        if found is not None:
            return found
    if "rows_split" in low.costs.ops and of.groups == 1:
        found = _through_memory(low, apart, shape)
    else:
        found = exchanges.exchanged(low, apart, shape, 1, (False, stored))
    tile = found.rows * found.columns
    order = [
        (o * of.groups + g) * of.rows + r for o in range(of.before) for r in range(of.rows) for g in range(of.groups)
    ]
    return found._replace(nodes=[n for at in order for n in found.nodes[at * tile : (at + 1) * tile]])


def fold(low: Lowering, value: Tiled, source: Shape, result: Shape, loaded: bool) -> Tiled | None:
    """(rows, heads, lanes) as (rows, heads * lanes); none where that is not what is asked for."""
    of = _heads(low, result, source)
    if of is None:
        return None
    apart = None
    shape = (of.before, of.rows, of.groups, of.heads, of.lanes)
    if loaded and of.lanes == low.chip.lanes and of.groups == 1:
        whole = (of.before, of.rows, of.heads, of.lanes)
        apart = strided.loaded(low, whole, value.packing, False, True, _most(low))
    if apart is None:
        apart = exchanges.exchanged(low, value, shape, 1, (loaded, False))  # before, heads' rows, groups, rows
        apart = _regrouped(apart, of)
    nodes: list[Node] = []
    per_tile, columns = min(max(1, low.chip.lanes // of.lanes), of.groups * of.heads), -(-of.lanes // low.chip.lanes)
    for o in range(of.before):
        for r in range(apart.rows):
            for head in range(0, of.groups * of.heads, per_tile):
                for c in range(columns):
                    at = o * of.groups * of.heads + head
                    parts = [apart.at(at + i, r, c) for i in range(per_tile)]
                    parts = [shifted.rotated(low, node, i * of.lanes) for i, node in enumerate(parts)]
                    nodes.append(shifted.merged(low, parts, "heads beside each other"))
    return Tiled(of.before, apart.rows, of.groups * of.heads * columns // per_tile, nodes, value.packing)


def stacked(low: Lowering, value: Tiled, source: Shape, of: tuple[int, int, int]) -> Tiled | None:
    """Registers that are not full as fewer that are: joined, or through memory; none where that is not so.

    of: the result's registers.
    """
    outer, rows, columns = of
    lines, have = outer * rows, value.outer * value.rows
    if columns != value.columns or lines >= have or have % lines or source[-2] >= low.chip.sublanes:
        return None
    row = low.costs.ops.get("rows_below", {"valu": 1.0})
    each, nodes = have // lines, []
    for line in range(lines):
        for c in range(columns):
            held = [value.nodes[at * columns + c] for at in range(line * each, (line + 1) * each)]
            held = [node for node in held if node >= 0]
            if row.get("vload"):
                held = [low.graph.add(low.machine.load, tuple(low.graph.add(low.machine.store, (n,)) for n in held))]
            node = held[0] if held else FREE
            for other in held[1:]:
                node = low.sequence("rows below", row, (node, other))
            nodes.append(node)
    return Tiled(outer, rows, columns, nodes, value.packing)


def _regrouped(value: Tiled, of: _Heads) -> Tiled:
    """(before, heads, groups, rows) as (before, groups, heads, rows)."""
    tile = value.rows * value.columns
    order = [
        (o * of.heads + h) * of.groups + g for o in range(of.before) for g in range(of.groups) for h in range(of.heads)
    ]
    return value._replace(nodes=[n for at in order for n in value.nodes[at * tile : (at + 1) * tile]])


def _most(low: Lowering) -> int:
    """Loads or stores that a register is worth: as many as it has rows, on some chips."""
    return round(low.costs.ops.get("rows_split", {}).get("vstore", strided.MOST))


def _through_memory(low: Lowering, value: Tiled, shape: Shape) -> Tiled:
    """Registers stored, and loaded so that each has one of their rows."""
    add, machine = low.graph.add, low.machine
    before, heads, rows, _ = shape
    tall = low.chip.sublanes * value.packing
    high = -(-heads // tall)
    nodes: list[Node] = []
    for o in range(before):
        stores: dict[tuple[int, int, int], tuple[Node, ...]] = {}
        for r in range(rows):
            for first in range(high):
                for c in range(value.columns):
                    key = (r // tall, first, c)
                    if key not in stores:
                        lines = range(first * tall, min(heads, (first + 1) * tall))
                        held = [value.at(o * heads + h, r // tall, c) for h in lines]
                        stores[key] = tuple(add(machine.store, (node,)) for node in held if node >= 0)
                    nodes.append(add(machine.load, stores[key]))
    return Tiled(before * rows, high, value.columns, nodes, value.packing)
