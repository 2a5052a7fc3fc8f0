"""Scalar floats that the scalar unit has no instruction for: to a vector register, computed there, and back.

Source: libtpu 0.0.42.1's listings of kernels that divide by a sum of all elements, or take its root.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.ir.module import Op, ScalarType
from pipeline.schedule.bundles.graph import FREE
from pipeline.schedule.bundles.scalars import Scalars

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering

_DIVISION = "arith.divf"
_SIMPLE = frozenset({"math.absf"})  # the scalar unit does these


def lower(low: Lowering, scalars: Scalars, op: Op) -> bool:
    """Whether the operation is one of these; then its result has a node."""
    if not op.results or (op.dialect != "math" and op.name != _DIVISION) or op.name in _SIMPLE:
        return False
    kind = op.results[0].type
    nodes = [scalars.node(value) for value in op.operands]
    if not isinstance(kind, ScalarType) or not kind.name.startswith("f") or max(nodes) < 0:
        return False
    if op.name == _DIVISION:
        return _divide(low, scalars, op)
    row = low.costs.ops.get(op.name)
    if row is None:
        low.unknown.add(op.name)
        row = {}
    vectors = tuple(low.valu("to vector", node) for node in nodes if node >= 0)
    scalars.extract(op.results[0], low.sequence(op.name, row, vectors))
    return True


def _divide(low: Lowering, scalars: Scalars, op: Op) -> bool:
    """A reciprocal in a vector register; the product is the scalar unit's."""
    top, bottom = (scalars.node(value) for value in op.operands)
    if bottom < 0:
        return False
    row = low.costs.ops.get("tpu.reciprocal", {})
    inverse = low.sequence("reciprocal", row, (low.valu("to vector", bottom),))
    scalars.extract(op.results[0], inverse)
    if low.splat(op.operands[0]) != "1.0":
        factors = [scalars.node(op.results[0]), *(node for node in (top,) if node != FREE)]
        scalars.nodes[op.results[0]] = scalars.add(scalars.float, *factors)
    return True
