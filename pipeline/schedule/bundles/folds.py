"""The last axis split into rows and lanes, or rows folded into the last axis: heads of whole tiles of lanes.

Tiles of lanes lie in registers of their own, so that they are an axis, which is exchanged with that of rows: in
registers, or by the loads before that or the stores after it.

Source: libtpu 0.0.42.1's listings of kernels that reshape between (rows, heads * 128) and (rows, heads, 128).
"""

from __future__ import annotations

from math import prod

from pipeline.schedule.bundles import exchanges, strided
from pipeline.schedule.bundles.graph import Node
from pipeline.schedule.bundles.lowering import Lowering
from pipeline.schedule.bundles.tiles import Tiled


def split(low: Lowering, value: Tiled, source: tuple[int, ...], result: tuple[int, ...], stored: bool) -> Tiled | None:
    """(rows, heads * lanes) as (rows, heads, lanes); none where that is not what is asked for."""
    lanes = low.chip.lanes
    if len(result) < 3 or source != (*result[:-2], result[-2] * result[-1]) or result[-2] == 1 or result[-1] % lanes:
        return None
    heads, columns = result[-2], result[-1] // lanes
    nodes: list[Node] = []
    for o in range(value.outer):
        for h in range(heads):
            for r in range(value.rows):
                start = (o * value.rows + r) * value.columns + h * columns
                nodes += value.nodes[start : start + columns]
    apart = value._replace(outer=value.outer * heads, columns=columns, nodes=nodes)
    shape = (prod(source[:-2]), heads, source[-2], result[-1])
    if stored and columns == 1:
        found = strided.stored(low, apart, shape, _most(low))
        if found is not None:
            return found
    if "rows_split" in low.costs.ops:
        return _through_memory(low, apart, shape)
    return exchanges.exchanged(low, apart, shape, 1, (False, stored))


def fold(low: Lowering, value: Tiled, source: tuple[int, ...], result: tuple[int, ...], loaded: bool) -> Tiled | None:
    """(rows, heads, lanes) as (rows, heads * lanes); none where that is not what is asked for."""
    lanes = low.chip.lanes
    if len(source) < 3 or result != (*source[:-2], source[-2] * source[-1]) or source[-2] == 1 or source[-1] % lanes:
        return None
    heads, columns = source[-2], source[-1] // lanes
    shape = (prod(source[:-3]), *source[-3:])
    apart = None
    if loaded and columns == 1:
        apart = strided.loaded(low, shape, value.packing, False, True, _most(low))
    if apart is None:
        apart = exchanges.exchanged(low, value, shape, 1, (loaded, False))
    nodes = [
        apart.at(o * heads + h, r, c)
        for o in range(shape[0])
        for r in range(apart.rows)
        for h in range(heads)
        for c in range(columns)
    ]
    return Tiled(shape[0], apart.rows, heads * columns, nodes, value.packing)


def _most(low: Lowering) -> int:
    """Loads or stores that a register is worth: as many as it has rows, on some chips."""
    return round(low.costs.ops.get("rows_split", {}).get("vstore", strided.MOST))


def _through_memory(low: Lowering, value: Tiled, shape: tuple[int, ...]) -> Tiled:
    """Registers stored, and loaded so that each has one of their rows."""
    add, machine = low.graph.add, low.machine
    before, heads, rows, _ = shape
    tall = low.chip.sublanes * value.packing
    high = -(-heads // tall)
    nodes: list[Node] = []
    for o in range(before):
        stores: dict[tuple[int, int, int], list[Node]] = {}
        for r in range(rows):
            for first in range(high):
                for c in range(value.columns):
                    key = (r // tall, first, c)
                    if key not in stores:
                        held = [
                            value.at(o * heads + h, r // tall, c)
                            for h in range(first * tall, min(heads, (first + 1) * tall))
                        ]
                        stores[key] = [add(machine.store, (node,)) for node in held if node >= 0]
                    nodes.append(add(machine.load, tuple(stores[key])))
    return Tiled(before * rows, high, value.columns, nodes, value.packing)
