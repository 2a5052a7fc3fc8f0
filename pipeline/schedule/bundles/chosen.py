"""Branches without effect: the compiler computes both sides and chooses between their results, while they are small.

Source: libtpu 0.0.42.1's schedules of conditionals of 1 to 128 operations on 1 to 16 registers, on all chips: up to 127
on a side, the results counted; none with a lane reduction or a permute in it.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from pipeline.ir.module import Op, Region, ScalarType, Value, VectorType
from pipeline.schedule.bundles.graph import Node
from pipeline.schedule.bundles.moves import ints
from pipeline.schedule.bundles.tiles import packing

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering
    from pipeline.schedule.bundles.scalars import Scalars

_MOST = 127  # operations on registers of a side, and registers that it gives
_DIALECTS = ("arith", "math", "vector", "memref")
_EFFECTS = ("store", "extract")
_FREE = frozenset({"arith.constant", "vector.broadcast", "vector.shape_cast", "arith.index_cast", "arith.bitcast"})


def is_chosen(low: Lowering, op: Op) -> bool:
    """Whether a conditional becomes no branch."""
    plain = all(not isinstance(r.type, VectorType) or r.type.element.name != "i1" for r in op.results)
    if op.name != "scf.if" or len(op.regions) != 2 or not op.results or not plain:
        return False
    given = sum(_registers(low, result.type) for result in op.results)
    return all((n := _operations(low, region)) is not None and n + given <= _MOST for region in op.regions)


def side_masks(low: Lowering, scalars: Scalars, condition: Value) -> list[Node]:
    """A mask for each side: its predicate made a number, spread over a register, compared."""
    masks = []
    for side in ("one", "other"):
        number = scalars.add(scalars.alu, scalars.node(condition))
        spread = low.valu("to vector", number, mark=(condition, side))
        masks.append(low.valu("cmp", spread, mark=(condition, side)))
    return masks


def choose(low: Lowering, op: Op, masks: list[Node]) -> None:
    """Zeros or the one side's registers, then that or the other side's."""
    kind = op.results[0].type
    assert isinstance(kind, VectorType)
    inputs = [low.value(v) for v in op.operands[1:]]

    def make(nodes: tuple[Node, ...]) -> Node:
        first = low.graph.add(low.machine.valu("select"), (masks[0], nodes[0]))
        return low.graph.add(low.machine.valu("select"), (masks[1], first, nodes[1]))

    low.map(op, inputs, packing(kind.element), make)


def _operations(low: Lowering, region: Region) -> int | None:
    """Operations on registers of a side; None if it has others than the vector ALU's."""
    total = 0
    for op in region.ops[:-1]:
        if op.name == "scf.if" and is_chosen(low, op):
            sides = [_operations(low, inner) for inner in op.regions]
            total += sum(n or 0 for n in sides) + sum(_registers(low, result.type) for result in op.results)
            continue
        known = op.dialect in _DIALECTS or op.name == "tpu.reciprocal"
        if op.regions or not known or any(word in op.name for word in _EFFECTS):
            return None
        if op.name == "vector.multi_reduction" and not _stays_in_lanes(op):
            return None
        if op.name in _FREE or not op.results:
            continue
        kind = next((v.type for v in (*op.operands, *op.results) if isinstance(v.type, VectorType)), op.results[0].type)
        row = low.costs.ops.get(op.name, {})
        total += _registers(low, kind) * max(1, round(row.get("valu", 1)))
    return total


def _stays_in_lanes(op: Op) -> bool:
    kind = op.operands[0].type
    return isinstance(kind, VectorType) and len(kind.shape) - 1 not in ints(op, "reduction_dims")


def _registers(low: Lowering, kind: object) -> int:
    if isinstance(kind, VectorType):
        return prod(low.grid(kind))
    return 1 if isinstance(kind, ScalarType) else 0
