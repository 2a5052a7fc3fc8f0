"""Masks: comparisons that are decided before the kernel runs, logic on masks, and selects, of packed elements as well.

A mask of 16-bit elements is packed from two of 32-bit ones where the chip selects packed elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.ir.module import Dense, Op, Raw, Value, VectorType
from pipeline.schedule.bundles.graph import ALL, FREE, NONE, Node
from pipeline.schedule.bundles.tiles import Tiled, aligned, grid

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering, Make

COMPARES = ("arith.cmpf", "arith.cmpi")
Range = tuple[int, int]


def predicate(op: Op) -> str:
    """`slt`, `oge` .., without what is the same for all elements a chip compares."""
    attr = op.attr("predicate")
    return attr.text if isinstance(attr, Raw) else str(attr)


def logic(low: Lowering, name: str, nodes: tuple[Node, ...]) -> Node:
    """And, or, exclusive or: a mask unit's instruction, unless one side is known."""
    known = [n for n in nodes if n in (ALL, NONE)]
    rest = tuple(n for n in nodes if n >= 0)
    if name == "arith.andi":
        if NONE in known:
            return NONE
        if known:
            return rest[0] if rest else FREE if FREE in nodes else ALL
    elif name == "arith.ori":
        if ALL in known:
            return ALL
        if known:
            return rest[0] if rest else FREE if FREE in nodes else NONE
    return low.once(low.machine.mask, rest, name) if rest else FREE


def ranged(low: Lowering, op: Op, vectors: list[Value], make: Make) -> Make:
    """`make`, which also keeps the range of integers that a register holds, and decides comparisons by it."""
    if op.name not in _RANGES and op.name != "arith.cmpi":
        return make
    constants = [_constant(low, value) for value in vectors]
    if len(constants) != 2:
        return make
    relation = predicate(op) if op.name == "arith.cmpi" else ""

    def made(nodes: tuple[Node, ...]) -> Node:
        a, b = (low.ranges.get(n) or c for n, c in zip(nodes, constants, strict=True))
        if a is None or b is None:
            return make(nodes)
        if relation:
            verdict = _decided(relation, a, b)
            return make(nodes) if verdict is None else ALL if verdict else NONE
        node = make(nodes)
        if node >= 0:
            low.ranges[node] = _RANGES[op.name](a, b)
        return node

    return made


def factor(low: Lowering, op: Op) -> int | None:
    """The constant of a product with one."""
    found = next((c for v in op.operands if (c := _constant(low, v)) is not None), None)
    return found[0] if found is not None else None


def _products(a: Range, b: Range) -> Range:
    found = [x * y for x in a for y in b]
    return min(found), max(found)


_RANGES = {
    "arith.addi": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "arith.subi": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "arith.muli": _products,
}


def _decided(relation: str, a: Range, b: Range) -> bool | None:
    """Whether a relation of signed integers holds for all of both ranges, or for none; None if for some."""
    match relation:
        case "sgt" | "sge" | "ne":
            opposite = {"sgt": "sle", "sge": "slt", "ne": "eq"}[relation]
            found = _decided(opposite, a, b)
            return None if found is None else not found
        case "slt":
            return True if a[1] < b[0] else False if a[0] >= b[1] else None
        case "sle":
            return True if a[1] <= b[0] else False if a[0] > b[1] else None
        case "eq":
            return True if a[0] == a[1] == b[0] == b[1] else False if a[1] < b[0] or b[1] < a[0] else None
        case _:
            return None


def _constant(low: Lowering, value: Value) -> Range | None:
    made = low.made.get(value)
    while made is not None and made.name == "vector.broadcast":
        value = made.operands[0]
        made = low.made.get(value)
    number = low.number(value)
    if number is not None:  # a scalar, as it folds
        return number, number
    if made is None or made.name != "arith.constant":
        return None
    held = made.attr("value")
    return (held.value, held.value) if isinstance(held, Dense) and isinstance(held.value, int) else None


def split(low: Lowering, value: Tiled, per_word: int, of: tuple[int, int, int], exact: bool) -> list[tuple[Node, ...]]:
    """For each register of a packed grid the 32-bit parts of `value`; a mask that is not packed has them already."""
    outer, rows, columns = of
    if value.packing == 1 and value.rows == rows * per_word and value.columns == columns and value.outer == outer:
        return [
            tuple(value.at(o, r * per_word + part, c) for part in range(per_word))
            for o in range(outer)
            for r in range(rows)
            for c in range(columns)
        ]
    nodes = aligned(value, outer, rows, columns)
    if value.packing == 1:
        return [(n,) * per_word for n in nodes]
    return [tuple(low.unpack(n, part, exact) for part in range(per_word)) for n in nodes]


def select(low: Lowering, op: Op, inputs: list[Tiled], element: str, per_word: int) -> None:
    """One instruction a register where the mask is not known; packed elements are unpacked on chips that need it."""
    kind = op.results[0].type
    assert isinstance(kind, VectorType)
    if not isinstance(op.operands[0].type, VectorType):
        known = low.number(op.operands[0])
        if known is not None:
            low.values[op.results[0]] = low.shifted(op.operands[1 if known else 2])
            return
        inputs = [Tiled(1, 1, 1, [FREE], 1, True, True), *inputs]
    if per_word > 1:
        inputs = low.in_first_lane(op, inputs)
    if per_word > 1 and "mask_pack" not in low.costs.ops:
        of = grid(kind, per_word, *low.tile)
        lists = [split(low, t, per_word, of, False) for t in inputs]
        nodes = [
            low.pack([choose(low, (mask[part], a[part], b[part])) for part in range(per_word)])
            for mask, a, b in zip(*lists, strict=True)
        ]
        low.values[op.results[0]] = Tiled(*of, nodes, per_word)
        return
    if per_word > 1:
        inputs[0] = _packed(low, inputs[0], per_word, grid(kind, per_word, *low.tile))
    low.map(op, inputs, per_word, lambda nodes: choose(low, nodes, per_word == 1))


def choose(low: Lowering, nodes: tuple[Node, ...], folded: bool = True) -> Node:
    """One of two registers; `folded`: a known mask decides, which the compiler sees for elements of 32 bits only."""
    mask, a, b = nodes
    if folded and (mask == ALL or a == b >= 0):
        return a
    if folded and mask == NONE:
        return b
    rest = tuple([n for n in nodes if n >= 0])
    return low.valu("select", *rest, mark=tuple([n < 0 for n in nodes])) if rest else FREE


def _packed(low: Lowering, mask: Tiled, per_word: int, of: tuple[int, int, int]) -> Tiled:
    """A mask of 32-bit elements for packed ones: one more instruction for two parts that differ."""
    if mask.packing == per_word:
        return mask
    nodes = []
    for parts in split(low, mask, per_word, of, False):
        held = list(parts)
        while len(held) > 1:
            pairs = [(held[i], held[i + 1]) for i in range(0, len(held), 2)]
            held = [
                a if a == b < 0 else low.once(low.machine.mask, tuple(n for n in (a, b) if n >= 0), ("pack", a, b))
                for a, b in pairs
            ]
        nodes.append(held[0])
    return Tiled(*of, nodes, per_word, mask.lane_same, mask.row_same)
