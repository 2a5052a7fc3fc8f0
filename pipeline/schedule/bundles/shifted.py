"""Values that begin inside a register: a slice of lanes stays where it is until something needs it elsewhere.

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
        turned = [rotated(low, node, (to - value.shift) % lanes) for node in held]
        nodes += [joined(low, turned, value.shift, to, width, c) for c in range(columns)]
    return value._replace(columns=columns, nodes=nodes, shift=to)


def rotated(low: Lowering, node: Node, lanes: int) -> Node:
    if node < 0 or not lanes:
        return node
    return low.crossed(low.machine.rotate._replace(name=f"lane rotate {lanes}"), node)


def joined(low: Lowering, turned: list[Node], shift: int, to: int, width: int, column: int) -> Node:
    """Register `column` of a value that moves from lane `shift` to `to`, made of turned registers it has parts of."""
    lanes = low.chip.lanes
    first, last = max(0, column * lanes - to), min(width, (column + 1) * lanes - to) - 1
    parts = turned[(shift + first) // lanes : (shift + last) // lanes + 1]
    return merged(low, parts, (shift, to, column == 0))


def merged(low: Lowering, parts: list[Node], mark: object) -> Node:
    """Parts of a register by selects."""
    found = parts[0] if parts else FREE
    for part in parts[1:]:
        known = tuple(n for n in (found, part) if n >= 0)
        found = low.valu("select", *known, mark=mark) if known else FREE
    return found
