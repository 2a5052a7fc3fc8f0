"""Values that begin inside a register: a slice of lanes stays where it is until something needs it elsewhere, and so do
rows of packed elements until they are packed no more.

Operations on such a value leave it where it is, and bring their other operands there; what stores it, reduces it or
changes its element type brings it back to the first lane. Each move is a rotation of every register, and a select where
two registers meet.

Source: libtpu 0.0.42.1's listings of kernels that slice, join and load lanes from the middle of a tile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.schedule.bundles.graph import FREE, Node
from pipeline.schedule.bundles.tiles import Tiled

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering


def moved(low: Lowering, value: Tiled, width: int, to: int = 0) -> Tiled:
    """The value, `width` elements wide, with its first element in lane `to`."""
    lanes = low.chip.lanes
    if value.lane_same or value.upright or value.shift == to:
        return value
    columns = -(-(to + width) // lanes)
    nodes: list[Node] = []
    for line in range(value.outer * value.rows):
        held = value.nodes[line * value.columns : (line + 1) * value.columns]
        there = [rotated(low, node, (to - value.shift) % lanes) for node in held]
        nodes += [joined(low, there, value.shift, to, width, c) for c in range(columns)]
    return value._replace(columns=columns, nodes=nodes, shift=to)


def raised(low: Lowering, value: Tiled, height: int) -> Tiled:
    """The value, `height` rows tall, with its first row at the top of a register."""
    if not value.down:
        return value
    tile = low.chip.sublanes * value.packing
    rows = -(-height // tile)
    nodes: list[Node] = []
    for o in range(value.outer):
        for r in range(rows):
            first, last = r * tile, min(height, (r + 1) * tile) - 1
            lines = range((value.down + first) // tile, (value.down + last) // tile + 1)
            for c in range(value.columns):
                parts = [turned(low, value.at(o, i, c), value.down, value.packing, value.columns) for i in lines]
                nodes.append(merged(low, parts, ("rows", value.down)))
    return value._replace(rows=rows, nodes=nodes, down=0)


def lowered(low: Lowering, value: Tiled, height: int, to: int) -> Tiled:
    """The value with its first row in row `to` of a register, if it fits into one there; else as it is."""
    tile = low.chip.sublanes * value.packing
    if value.row_same or value.down == to:
        return value._replace(down=0 if value.row_same else to)
    if value.rows > 1 or max(value.down, to) + height > tile:
        return value
    up = (value.down - to) % tile
    nodes = [turned(low, node, up, value.packing, value.columns) for node in value.nodes]
    return value._replace(nodes=nodes, down=to)


def turned(low: Lowering, node: Node, up: int, per_word: int, columns: int) -> Node:
    """A register with row `up` of it at the top; some chips go up by a row at a time, and share the way."""
    if node < 0 or not up:
        return node
    if up % per_word == 0 and "sublane_step" in low.costs.ops:
        for _ in range(up // per_word):
            node = low.valu("rotate rows", node)
        return node
    odd = "unaligned_rows_odd" if columns > 1 else "unaligned_rows_packed"
    row = low.costs.ops.get("unaligned_rows" if up % per_word == 0 else odd, {"valu": 2.0})
    row = {**row, "valu": max(1.0, row.get("valu", 2.0) - 1)}  # without joining it with the next tile
    return low.sequence("rotate rows", row, (node,), mark=up)


def rotated(low: Lowering, node: Node, lanes: int) -> Node:
    if node < 0 or not lanes:
        return node
    return low.crossed(low.machine.rotate._replace(name=f"lane rotate {lanes}"), node)


def joined(low: Lowering, held: list[Node], shift: int, to: int, width: int, column: int) -> Node:
    """Register `column` of a value that moves from lane `shift` to `to`, of rotated registers that it has parts of."""
    lanes = low.chip.lanes
    first, last = max(0, column * lanes - to), min(width, (column + 1) * lanes - to) - 1
    parts = held[(shift + first) // lanes : (shift + last) // lanes + 1]
    return merged(low, parts, (shift, to, column == 0))


def merged(low: Lowering, parts: list[Node], mark: object) -> Node:
    """Parts of a register by selects."""
    found = parts[0] if parts else FREE
    for part in parts[1:]:
        known = tuple(n for n in (found, part) if n >= 0)
        found = low.valu("select", *known, mark=mark) if known else FREE
    return found
