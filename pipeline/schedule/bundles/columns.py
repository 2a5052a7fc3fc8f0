"""Vectors of one axis, whose elements lie along lanes, as memory has them, or along sublanes, as a reduction over lanes
leaves them. An operation has its operands as the first that varies is; a store has them along lanes.

Source: libtpu 0.0.42.1's listings of sums over lanes of 128 to 512 rows that are stored, or computed with vectors that
are loaded. Of each register every sublane is spread on its own; the eight come together in one register, whose permute
puts a row of the result where it belongs. v4's compiler has no such way. Beside an operand that is the same in every
sublane, as what counts lanes is, a register goes to its lanes by one instruction: all its lanes hold the same already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pipeline.ir.module import VectorType
from pipeline.schedule.bundles.graph import FREE, Node
from pipeline.schedule.bundles.lined import apart
from pipeline.schedule.bundles.tiles import Tiled

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering

_ROW, _PLACES = "column_laid", "lane_places"  # of the cost table
_STORED = 6  # cycles more from the last store of a register's rows to its load


def alike(low: Lowering, kind: VectorType, inputs: list[Tiled]) -> list[Tiled]:
    """The operands of an operation that gives a `kind`, all along lanes or all along sublanes."""
    if len(kind.shape) != 1 or _ROW not in low.costs.ops:
        return inputs
    ways = [t.upright for t in inputs if _varies(t)]
    if len(set(ways)) < 2:
        return inputs
    turn = stood if ways[0] else placed if next(t for t in inputs if _varies(t)).row_same else laid
    return [turn(low, apart(low, t), kind.shape[0]) if _varies(t) and t.upright != ways[0] else t for t in inputs]


def as_stored(low: Lowering, kind: VectorType, value: Tiled) -> Tiled:
    """A value as memory has it."""
    one_axis = len(kind.shape) == 1 and value.upright
    return laid(low, value, kind.shape[0]) if one_axis and _ROW in low.costs.ops else value


def laid(low: Lowering, value: Tiled, width: int) -> Tiled:
    """A value along sublanes laid along lanes: of as many registers as fill one, each gives a row of lanes."""
    return _along_lanes(low, value, width, lambda node: low.popped(low.machine.permute, _gathered(low, node)))


def placed(low: Lowering, value: Tiled, width: int) -> Tiled:
    """A value along sublanes, the same in all lanes, laid along lanes in every sublane."""
    return _along_lanes(low, value, width, lambda node: node)._replace(row_same=True)


def _along_lanes(low: Lowering, value: Tiled, width: int, row: Callable[[Node], Node]) -> Tiled:
    """Of as many registers as fill one, each in the lanes that are its own; `row` makes of one what goes there."""
    per = low.chip.lanes // low.chip.sublanes
    nodes: list[Node] = []
    for first in range(0, -(-width // low.chip.sublanes), per):
        total = FREE
        for n, node in enumerate(value.nodes[first : first + per]):
            if node < 0:
                continue
            part = low.valu("broadcast row", row(node), _place(low, n))
            total = part if total < 0 else low.valu("select", total, part, mark=("lanes", n))
        nodes.append(total)
    return Tiled(1, 1, len(nodes), nodes)


def stood(low: Lowering, value: Tiled, width: int) -> Tiled:
    """A value along lanes stood along sublanes: a row of lanes in every register, and its permute."""
    per = low.chip.lanes // low.chip.sublanes
    rows = -(-width // low.chip.sublanes)
    nodes = []
    for r in range(rows):
        node = value.nodes[min(r // per, len(value.nodes) - 1)]
        row = low.valu("broadcast row", node, mark=("lanes", r % per)) if node >= 0 else FREE
        nodes.append(low.popped(low.machine.permute, (row,)) if row >= 0 else FREE)
    return Tiled(1, rows, 1, nodes, upright=True)


def _varies(value: Tiled) -> bool:
    """Whether a value has a direction: a comparison of counted lanes has one, though it may be decided already."""
    return value.upright or (not value.lane_same and (value.row_same or any(node >= 0 for node in value.nodes)))


def _gathered(low: Lowering, node: Node) -> tuple[Node, ...]:
    """A register whose sublanes, each spread, are side by side: by stores to one place and a load, or by merges."""
    key = ("gathered", node)
    if key not in low.memo:
        spread = [low.valu("broadcast row", node, mark=row) for row in range(low.chip.sublanes)]
        low.memo[key] = _through_memory(low, spread) if "vstore" in low.costs.ops[_ROW] else _merged(low, spread)
    return (low.memo[key],)


def _through_memory(low: Lowering, spread: list[Node]) -> Node:
    """All go through the same place, one after the other."""
    graph, machine, last = low.graph, low.machine, ("gathered", "last load")
    before = (low.memo[last],) if last in low.memo else ()
    stores = tuple(graph.add(machine.store, (node, *before)) for node in spread)
    low.memo[last] = graph.add(machine.load, stores, wait=_STORED)
    return low.memo[last]


def _merged(low: Lowering, spread: list[Node]) -> Node:
    """Two and two, each pair brought into the order of the next."""
    while len(spread) > 1:
        pairs = [low.valu("merge", *spread[i : i + 2]) for i in range(0, len(spread), 2)]
        spread = [low.valu("rotate rows", pair) for pair in pairs] if len(pairs) > 1 else pairs
    return spread[0]


def _place(low: Lowering, n: int) -> Node:
    """Which lanes row `n` of sixteen is for: their indices and their mask."""
    node = low.valu("iota", mark="lanes")
    for step in range(round(low.costs.ops.get(_PLACES, {}).get("valu", 0))):
        node = low.valu("row pattern", node, mark=("lanes", n, step))
    return node
