"""A matmul: weights pushed into the matrix units, rows sent through them, results popped and added up."""

from __future__ import annotations

from math import prod

from pipeline.chips.costs import Slots
from pipeline.ir.module import Dense, Op, ScalarType, Value, VectorType
from pipeline.schedule.bundles import added, casts, matrix_work, transposes
from pipeline.schedule.bundles.added import Part
from pipeline.schedule.bundles.graph import FREE, Kind, Node
from pipeline.schedule.bundles.lowering import Lowering
from pipeline.schedule.bundles.matrix_work import Weights
from pipeline.schedule.bundles.tiles import Tiled, packing

IN_ORDER = "weights_enter_in_order"  # a chip's feature


def matmul(low: Lowering, op: Op) -> None:
    """Blocks of weights through the units as `matrix_work` shares them out; results are popped and added up."""
    result = op.results[0].type
    assert isinstance(result, VectorType)
    chip, machine = low.chip, low.machine
    blocks = matrix_work.blocks(low, op)
    if not blocks:
        low.unknown.add(op.name)
        return
    m, k, n, transposed, turned = matrix_work.shape(low, op)
    before_turn = matrix_work.turned_before(low, op)
    left, right = matrix_work.taken(low, op)
    lhs = _laid_out(low, _converted(low, op.operands[0], left), False)
    weights = op.operands[1] if before_turn is None else before_turn.operands[0]
    rhs = _laid_out(low, _converted(low, weights, right), True)
    start = low.value(op.operands[2])
    lane_columns = -(-n // chip.lanes)
    out_rows = -(-m // chip.sublanes)
    if turned:
        tall, wide = -(-m // (chip.sublanes * lhs.packing)), -(-k // chip.lanes)
        lhs = transposes.turned(low, lhs, tall, wide, transposes.is_rounded(op), (op,))
    made_start = low.made.get(op.operands[2])
    zero = made_start is not None and made_start.name == "arith.constant" and _is_zero(made_start)
    lanes_per_block = max(1, chip.mxu_size // chip.lanes)
    sort = matrix_work.dtype_name(left) if left == right else ""
    per_pop = machine.cycles.get(f"matmul_pop_{sort}", machine.get("matmul_pop"))
    result_wait = machine.cycles.get(f"matmul_result_{sort}", machine.get("matmul_result")) - 1
    # integers that go through as floats come out as float32
    back = low.costs.casts.get("f32 -> i32") if result.element.name == "i32" and left.name[0] != "i" else None
    sums: dict[tuple[int, int, int], list[Part]] = {}
    shares = low.shares.get(id(op)) or matrix_work.assign(low, [op])[id(op)]
    for turn in range(max(map(len, shares))):
        turns = {unit: mine[turn] for unit, mine in enumerate(shares) if turn < len(mine)}
        begun = {unit: low.unit_rows.setdefault(unit, []) for unit in turns}
        # weights wait for a place: the first rows of a block that went before take its weights into use
        staged = chip.mxu_staged_weights
        gates = {unit: (rows[-staged][0],) if len(rows) >= staged else () for unit, rows in begun.items()}
        firsts = dict.fromkeys(turns, FREE)
        finals = {unit: rows[-1][1] if rows else FREE for unit, rows in begun.items()}
        loaded: dict[int, tuple[Node, ...]] = {unit: () for unit in turns}
        for push in range(max(blocks[share.block].pushes for share in turns.values())):
            for unit, share in turns.items():
                block = blocks[share.block]
                if push >= block.pushes:
                    continue
                kind = Kind("push weights", "push", block.push_cycles, block.push_cycles)
                operand = (*_weight(rhs, block, push, transposed, low), *gates[unit], *loaded[unit])
                loaded[unit] = (low.graph.add(kind, tuple(x for x in operand if x >= 0), unit),)
        for p in range(max(blocks[share.block].groups for share in turns.values())):
            for unit, share in turns.items():
                block = blocks[share.block]
                if not share.begin <= p < share.end:
                    continue
                kind = Kind("matmul", "mxu", 1, block.hold)
                operand = (*_row(lhs, block, p, low), *loaded[unit], finals[unit])
                finals[unit] = low.graph.add(kind, tuple(x for x in operand if x >= 0), unit)
                firsts[unit] = firsts[unit] if firsts[unit] >= 0 else finals[unit]
                # folded: the results of either half of the depth are added outside
                outside = block.folded and not transposed
                for half in range(block.group // chip.sublanes):
                    row = p * (block.group // chip.sublanes) + half
                    for column in range(
                        block.column * lanes_per_block, min((block.column + 1) * lanes_per_block, lane_columns)
                    ):
                        if row < out_rows:
                            part = Part(finals[unit], result_wait + half * per_pop, -1 if outside else unit)
                            sums.setdefault((block.batch, row, column), []).extend([part] * (2 if outside else 1))
        for unit, rows in begun.items():
            rows.append((firsts[unit], finals[unit]))
    nodes: list[Node] = []
    outer = prod(result.shape[:-2])
    for b in range(outer):
        for row in range(out_rows):
            for column in range(lane_columns):
                parts = sums.get((b, row, column), [])
                nodes.append(_sum(low, parts, start, zero, b, row, column, back))
    low.values[op.results[0]] = Tiled(outer, out_rows, lane_columns, nodes, packing(result.element))


def _laid_out(low: Lowering, value: Value, weights: bool) -> Tiled:
    """An operand as the matrix units take it: registers loaded from packed tiles are joined anew on some chips, 32-bit
    ones packed where the units take no others."""
    tiled = low.value(value)
    made = low.made.get(value)
    if tiled.packing == 1 and low.costs.ops.get("matmul_weights_wide") and weights:
        nodes = []
        for o in range(tiled.outer):
            for r in range(0, tiled.rows, 2):
                for c in range(tiled.columns):
                    pair = (tiled.at(o, r, c), tiled.at(o, min(r + 1, tiled.rows - 1), c))
                    nodes.append(low.pack([*pair]))
        return tiled._replace(nodes=nodes, rows=-(-tiled.rows // 2), packing=2)
    return low.joined(tiled) if made is not None and made.name == "vector.load" else tiled


def _converted(low: Lowering, value: Value, element: ScalarType) -> Value:
    """An operand with elements of this type."""
    kind = value.type
    assert isinstance(kind, VectorType)
    if kind.element == element:
        return value
    found = Value(VectorType(kind.shape, element))
    name = f"{kind.element.name} -> {element.name}"
    row = low.costs.casts.get(f"{name} operand")
    if row is not None:
        low.values[found] = casts.converted(low, low.value(value), name, row, packing(element))
    else:
        casts.cast(low, Op("arith.sitofp", (value,), (found,)))
    return found


def _sum(
    low: Lowering, parts: list[Part], start: Tiled, zero: bool, b: int, row: int, column: int, back: Slots | None
) -> Node:
    """One register of the result."""
    total = added.total(low, parts)
    if back is not None:
        total = low.sequence("f32 -> i32", back, (total,))
    if not zero:
        held = start.at(min(b, start.outer - 1), min(row, start.rows - 1), min(column, start.columns - 1))
        total = low.valu("add", total, *((held,) if held >= 0 else ()))
    return total


def _weight(rhs: Tiled, block: Weights, push: int, transposed: bool, low: Lowering) -> tuple[Node, ...]:
    """Registers that one push of weights needs: rows of the axis they go in along, as wide as the unit."""
    chip = low.chip
    wide, tall = max(1, chip.mxu_size // chip.lanes), chip.mxu_size // (chip.sublanes * rhs.packing)
    down, across = (block.column, block.row) if transposed else (block.row, block.column)
    if IN_ORDER not in chip.features:  # the last rows of each half go in first
        half = chip.lanes // (chip.sublanes * rhs.packing)
        first = push - push % half
        push = first + min(half, block.pushes - first) - 1 - push % half
    rows = (push, push + block.pushes) if block.folded else (push,)
    places = [
        (min(down * tall + row, rhs.rows - 1), min(across * wide + c, rhs.columns - 1))
        for row in rows
        for c in range(wide)
    ]
    return tuple(dict.fromkeys(rhs.at(min(block.batch, rhs.outer - 1), *place) for place in places))


def _row(lhs: Tiled, block: Weights, group: int, low: Lowering) -> tuple[Node, ...]:
    """Registers of one group of rows of the left operand, along the contracted block."""
    chip = low.chip
    wide, tall = max(1, chip.mxu_size // chip.lanes), max(1, block.group // (chip.sublanes * lhs.packing))
    places = [
        (min(group * tall + row, lhs.rows - 1), min(block.row * wide + c, lhs.columns - 1))
        for row in range(tall)
        for c in range(wide)
    ]
    return tuple(dict.fromkeys(lhs.at(min(block.batch, lhs.outer - 1), *place) for place in places))


def _is_zero(op: Op) -> bool:
    value = dict(op.attrs).get("value")
    return isinstance(value, Dense) and value.value == 0
