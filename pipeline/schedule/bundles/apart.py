"""Masks whose rows are apart, each in registers of its own: what a mask of one axis is when it is broadcast to rows.

Source: libtpu 0.0.42.1's listings of `where(m[None, :] & k, x, y)`, where `m` compares what counts lanes. Logic has its
operands as the first of them is: of the other mask ones and zeros are selected, of each register every row rotated to
the first, and compared again. A select by such a mask takes the rows of both operands apart, selects row by row, and
rotates and selects them into one register again. Registers whose mask is decided are left alone; a constant that such a
mask chooses counts as any register in what follows: a reduction takes it in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.ir.module import Op, Value, VectorType
from pipeline.schedule.bundles import masks
from pipeline.schedule.bundles.graph import FREE, Kind, Node
from pipeline.schedule.bundles.tiles import Tiled, aligned, grid

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering

_ROW = "rows_apart"  # of the cost table: the rotations of a register's rows but one
_CONSTANT = Kind("constant", "", 0)


def comes_apart(low: Lowering, source: Value, value: Tiled) -> bool:
    """Whether a broadcast of this mask to rows has them apart."""
    kind = source.type
    if not isinstance(kind, VectorType) or kind.element.name != "i1" or not value.row_same or value.lane_same:
        return False
    while (made := low.made.get(source)) is not None and made.name == "vector.shape_cast":
        source = made.operands[0]
    return isinstance(source.type, VectorType) and len(source.type.shape) == 1 and _ROW in low.costs.ops


def leads(inputs: list[Tiled]) -> bool:
    """Whether the first operand that varies is such a mask."""
    first = next((t for t in inputs if not (t.lane_same and t.row_same)), None)
    return first is not None and first.apart


def logic(low: Lowering, op: Op, inputs: list[Tiled]) -> None:
    """And, or, exclusive or, row by row."""
    kind = op.results[0].type
    assert isinstance(kind, VectorType)
    outer, rows, columns = max((t.outer, t.rows, t.columns) for t in inputs)
    nodes = []
    for place in zip(*(aligned(t, outer, rows, columns) for t in inputs), strict=True):
        parts = [_mask_rows(low, node, t) for node, t in zip(place, inputs, strict=True)]
        found = tuple([masks.logic(low, op.name, each) for each in zip(*parts, strict=True)])
        nodes.append(found[-1])
        if found[-1] >= 0:
            low.apart[found[-1]] = found
    low.values[op.results[0]] = Tiled(outer, rows, columns, nodes, apart=True)


def select(low: Lowering, op: Op, inputs: list[Tiled]) -> None:
    """By a mask whose rows are apart."""
    kind = op.results[0].type
    assert isinstance(kind, VectorType)
    of = grid(kind, 1, *low.tile)
    nodes = []
    for mask, *both in zip(*(aligned(t, *of) for t in inputs), strict=True):
        if mask < 0:
            known = masks.choose(low, (mask, *both))
            nodes.append(known if known >= 0 else low.graph.add(_CONSTANT, ()))
            continue
        sides = [_rows(low, node, t.row_same) for node, t in zip(both, inputs[1:], strict=True)]
        chosen = [masks.choose(low, each) for each in zip(_parts(low, mask), *sides, strict=True)]
        nodes.append(_joined(low, chosen))
    low.values[op.results[0]] = Tiled(*of, nodes)


def _parts(low: Lowering, mask: Node) -> tuple[Node, ...]:
    return low.apart.get(mask, (mask,) * low.chip.sublanes)


def _mask_rows(low: Lowering, mask: Node, value: Tiled) -> tuple[Node, ...]:
    """A mask's rows; as ones and zeros where they have to be rotated."""
    if mask < 0 or value.apart:
        return _parts(low, mask)
    numbers = low.valu("select", mask, mark="ones")
    return tuple([low.valu("cmp ne", row) for row in _rows(low, numbers, False)])


def _rows(low: Lowering, node: Node, row_same: bool) -> tuple[Node, ...]:
    """A register's rows, each rotated to the first."""
    if node < 0 or row_same:
        return (node,) * low.chip.sublanes
    return (node, *(_rotated(low, node, row) for row in range(1, low.chip.sublanes)))


def _rotated(low: Lowering, node: Node, row: int) -> Node:
    """By so many rows, in as many instructions as are this row's of all rows'."""
    total, others = low.costs.ops[_ROW]["valu"], low.chip.sublanes - 1
    for step in range(round(total * row / others) - round(total * (row - 1) / others)):
        node = low.valu("rotate rows", node, mark=("apart", row, step))
    return node


def _joined(low: Lowering, rows: list[Node]) -> Node:
    """Rows in one register again."""
    found, *others = rows
    for n, row in enumerate(others, 1):
        turned = _rotated(low, row, low.chip.sublanes - n) if row >= 0 else FREE
        known = [node for node in (found, turned) if node >= 0]
        found = low.valu("select", *known, mark=("rows", n)) if known else FREE
    return found
