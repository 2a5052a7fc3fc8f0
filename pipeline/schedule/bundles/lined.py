"""Vectors of one axis as memory has them: as many rows of lanes in a register as it has, one after the other.

Such a vector has a node for each row of lanes, and rows of one register have the same: what is done to them is done
once. Where an operation needs rows by themselves, each is a node of its own at no cost: what takes a row out of a
register counts that itself.

Source: libtpu 0.0.42.1's instructions of kernels over vectors of 128 to 16384 elements, which load, compute and store
registers of 1024 words; vectors of narrow elements are so only from memory to memory, as they are unpacked in rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.ir.module import Op, VectorType
from pipeline.schedule.bundles.graph import Kind, Node
from pipeline.schedule.bundles.tiles import Tiled, packing

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering

_ROW = Kind("row of a register", "", 0)
_MOVED = ("vector.store", "tpu.vector_store", "vector.shape_cast")
_FROM_ROWS, _FROM_TILES = "rows_lined", "tiles_lined"  # of the cost table
_OF_PARTS = 4  # instructions on a register for each halving of its words


def height(low: Lowering, kind: VectorType) -> int:
    """Rows of lanes that a register has of a vector; 1 for one of more axes."""
    return low.chip.sublanes * packing(kind.element) if len(kind.shape) == 1 else 1


def loaded(low: Lowering, op: Op, kind: VectorType) -> int:
    """Rows of lanes that a load brings into a register."""
    users = low.users.get(op.results[0], ())
    whole = packing(kind.element) == 1 or all(user.name in _MOVED for user in users)
    return height(low, kind) if whole else 1


def apart(low: Lowering, value: Tiled) -> Tiled:
    """Each row of lanes a node of its own."""
    nodes = value.nodes
    if value.upright or value.lane_same or len(set(nodes)) == len(nodes):
        return value
    if _FROM_ROWS in low.costs.ops:
        return value._replace(nodes=[_through_memory(low, n, i) for i, n in enumerate(nodes)])
    return value._replace(nodes=[low.once(_ROW, (n,), i) if n >= 0 else n for i, n in enumerate(nodes)])


def _through_memory(low: Lowering, node: Node, i: int) -> Node:
    key = (_ROW, node, i)
    if node >= 0 and key not in low.memo:
        low.memo[key] = low.graph.add(low.machine.load, (low.graph.add(low.machine.store, (node,)),))
    return low.memo[key] if node >= 0 else node


def compact(low: Lowering, kind: VectorType, value: Tiled) -> Tiled:
    """The registers of a vector that is stored: one for rows that are of one register, if all are that it has."""
    tall = height(low, kind)
    if tall == 1 or value.upright or value.outer * value.rows > 1:
        return value
    nodes: list[Node] = []
    for first in range(0, len(value.nodes), tall):
        rows = value.nodes[first : first + tall]
        nodes += rows[:1] if len(set(rows)) == 1 else rows
    return value._replace(columns=len(nodes), nodes=nodes)


def cast(
    low: Lowering, value: Tiled, source: VectorType, result: VectorType, as_loaded: bool, stored: bool
) -> Tiled | None:
    """Whole tiles as a vector of one axis, or that as whole tiles; none where a reshape is not so. `as_loaded`: what is
    cast comes from memory, whose tiles some chips bring into rows there, and whose rows they store (`stored`) as such.
    """
    line, tiled = (result, source) if len(result.shape) == 1 else (source, result)
    tall, lanes = low.chip.sublanes * value.packing, low.chip.lanes
    whole = len(line.shape) == 1 and len(tiled.shape) > 1 and tiled.shape[-2] % tall == 0 == tiled.shape[-1] % lanes
    if not whole or value.upright or value.lane_same or value.row_same:
        return None
    columns = tiled.shape[-1] // lanes
    if line is result:
        nodes = [_turned(low, value, i, columns, as_loaded) for i in range(len(value.nodes))]
        return Tiled(1, 1, len(nodes) * tall, [n for n in nodes for _ in range(tall)], value.packing)
    held = value._replace(nodes=value.nodes[::tall])
    if value.nodes != [n for n in held.nodes for _ in range(tall)]:
        return None
    if columns == 1 and as_loaded and stored and _FROM_ROWS in low.costs.ops:
        rows = [low.valu("rotate rows", n, mark=r) if r and n >= 0 else n for n in held.nodes for r in range(tall)]
        return Tiled(1, len(rows), 1, rows, value.packing)
    return Tiled(
        *low.grid(result), [_turned(low, held, i, columns, False) for i in range(len(held.nodes))], value.packing
    )


def _turned(low: Lowering, value: Tiled, i: int, columns: int, as_loaded: bool) -> Node:
    """Register `i` of a line of tiles that lie `columns` side by side: halves of registers are joined in as many stages
    as double a column to all of them, and parts of words brought apart and together; or some of it through memory."""
    node, costs = value.nodes[i], low.costs.ops
    if node < 0 or (columns == 1 and not as_loaded):
        return node
    parts = _OF_PARTS * (value.packing.bit_length() - 1) if columns > 1 else 0
    row = costs.get(_FROM_TILES if columns > 1 else _FROM_ROWS)
    if row is not None:
        if columns == 1 and value.packing > 1:
            parts = round(row.get("valu", 0))
        add, machine = low.graph.add, low.machine
        held = tuple(add(machine.load, (add(machine.store, (node,)),)) for _ in range(round(row["vload"])))
        return low.sequence("relayout", {"valu": float(parts)}, held, mark=i)
    joined = (columns - 1).bit_length() * costs.get("rows_joined", {"valu": 2.0})["valu"]
    return low.sequence("relayout", {"valu": joined + parts}, (node,), mark=i)
