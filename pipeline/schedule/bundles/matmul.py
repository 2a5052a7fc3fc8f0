"""A matmul: weights pushed into the matrix units, rows sent through them, results popped and added up."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from pipeline.ir.module import Dense, Op, Value, VectorType
from pipeline.schedule.bundles import transposes
from pipeline.schedule.bundles.attrs import int_lists
from pipeline.schedule.bundles.graph import FREE, Kind, Node
from pipeline.schedule.bundles.lowering import Lowering
from pipeline.schedule.bundles.tiles import Tiled, packing, short

_NAMES = {"f32": "float32", "bf16": "bfloat16", "i8": "int8", "i4": "int4", "f8": "float8"}
_PASSES = 6  # of bfloat16 products for a float32 one in full


def _rows_and_columns(lhs: VectorType, rhs: VectorType, result: VectorType) -> tuple[int, int]:
    """Of the product, in elements; an operand of rank 1 has no free axis and counts as one row, or one column."""
    free = list(result.shape)
    n = free.pop() if len(rhs.shape) > 1 else 1
    m = free.pop() if len(lhs.shape) > 1 else 1
    return m, n


def matmul(low: Lowering, op: Op) -> None:
    """Blocks of weights over the units in turn; where there are fewer blocks than units, the rows are shared out."""
    lhs_type, rhs_type, result = op.operands[0].type, op.operands[1].type, op.results[0].type
    assert isinstance(lhs_type, VectorType) and isinstance(rhs_type, VectorType) and isinstance(result, VectorType)
    chip, machine = low.chip, low.machine
    size, count = chip.mxu_size, chip.mxu_count
    rates = dict(chip.mxu_rows_per_cycle)
    found = [r for t in (lhs_type, rhs_type) if (r := rates.get(_NAMES.get(short(t), ""))) is not None]
    if not found or not size or not count:
        low.unknown.add(op.name)
        return
    rate = min(found)
    m, n = _rows_and_columns(lhs_type, rhs_type, result)
    lhs_last, rhs_last = contracted(op)
    k = lhs_type.shape[lhs_last]
    passes = _PASSES if "fp32" in str(dict(op.attrs).get("precision")) else 1
    weights_from, before_turn = op.operands[1], low.made.get(op.operands[1])
    transposed = rhs_last == len(rhs_type.shape) - 1
    if before_turn is not None and before_turn.name == "tpu.transpose" and transposes.turns(before_turn):
        weights_from, transposed = before_turn.operands[0], not transposed  # the matrix unit turns it for nothing
    lhs, rhs = _laid_out(low, op.operands[0], False), _laid_out(low, weights_from, True)
    start = low.value(op.operands[2])
    turned = lhs_last != len(lhs_type.shape) - 1
    k_blocks, n_blocks = -(-k // size), -(-n // size)
    lane_columns = -(-n // chip.lanes)
    out_rows = -(-m // chip.sublanes)
    group = chip.sublanes * max(1, packing(lhs_type.element))  # rows of one push
    pushes = -(-m // group)
    if turned:
        lhs = transposes.turned(low, lhs, pushes, -(-k // chip.lanes))
    made_start = low.made.get(op.operands[2])
    zero = made_start is not None and made_start.name == "arith.constant" and _is_zero(made_start)
    push = "mxu_transposed_push" if transposed else "mxu_push_wide" if rhs.packing == 1 else "mxu_push"
    push_cycles = machine.get(push)
    if transposed and rhs.packing == 1:
        push_cycles = max(1, push_cycles // 2)  # 8 rows of 32 bits, of packed ones 16
    weights = Kind("push weights", "push", push_cycles, push_cycles)
    hold = max(1, round(group / rate))
    if size > chip.lanes and k <= size // 2 and m > group and not turned:
        group *= 2  # half the depth: the other half of the unit takes another group of rows
        pushes = -(-m // group)
    # half the width: the unit's other half takes the other half of the depth, and the results are added outside
    folded = size > chip.lanes and n <= size // 2 < k and not transposed
    rows_kind = Kind("matmul", "mxu", hold, hold)
    result_wait = machine.get("matmul_result") - hold
    per_pop = machine.get("matmul_pop")
    sums: dict[tuple[int, int, int], list[_Part]] = {}
    batch = result.shape[:-2]
    blocks = [(b, nb, kb) for b in range(lhs.outer if batch else 1) for nb in range(n_blocks) for kb in range(k_blocks)]
    units = low.idle_units(count, count if low.matmuls < 2 else max(len(blocks), count // low.matmuls))
    last_of_unit: dict[int, list[Node]] = {}
    lanes_per_block = max(1, size // chip.lanes)
    for turns in rounds(blocks * passes, units, pushes):
        # two sets of weights: the one in use may not be overwritten
        gates = {unit: tuple(last_of_unit.get(unit, [])[-2:-1]) for unit in turns}
        finals = {unit: last_of_unit.get(unit, [FREE])[-1] for unit in turns}
        loaded: dict[int, tuple[Node, ...]] = {unit: () for unit in turns}
        steps = max(1, min(size, k) // (chip.sublanes * rhs.packing))
        for step in range(0, steps, 2 if folded else 1):
            for unit, ((b, nb, kb), _, _) in turns.items():
                operand = (*_weight(rhs, b, kb, nb, step, transposed, low, size), *gates[unit], *loaded[unit])
                loaded[unit] = (low.graph.add(weights, tuple(x for x in operand if x >= 0), unit),)
        for p in range(pushes):
            for unit, ((b, nb, kb), begin, end) in turns.items():
                if not begin <= p < end:
                    continue
                operand = (*_row(lhs, b, p, kb, low, size), *loaded[unit], finals[unit])
                finals[unit] = low.graph.add(rows_kind, tuple(x for x in operand if x >= 0), unit)
                for half in range(group // chip.sublanes):
                    row = p * (group // chip.sublanes) + half
                    for column in range(nb * lanes_per_block, min((nb + 1) * lanes_per_block, lane_columns)):
                        if row < out_rows:
                            found_part = _Part(finals[unit], result_wait + half * per_pop, -1 if folded else unit)
                            sums.setdefault((b, row, column), []).extend([found_part] * (2 if folded else 1))
        for unit, (_, begin, end) in turns.items():
            last_of_unit.setdefault(unit, []).append(finals[unit])
            low.unit_work[unit] += (end - begin) * hold
    nodes: list[Node] = []
    outer = lhs.outer if batch else 1
    for b in range(outer):
        for row in range(out_rows):
            for column in range(lane_columns):
                parts = sums.get((b, row, column), [])
                nodes.append(_sum(low, parts, start, zero, b, row, column))
    low.values[op.results[0]] = Tiled(outer, out_rows, lane_columns, nodes, packing(result.element))


_Block = tuple[int, int, int]  # batch, of the columns, of the contracted axis


def rounds(blocks: list[_Block], units: list[int], pushes: int) -> list[dict[int, tuple[_Block, int, int]]]:
    """Which block of weights each unit takes next, and for which pushes of rows.

    Where fewer blocks are left than units, units share a block's rows; one that is over takes a part of each block's.
    """
    whole = len(blocks) // len(units) * len(units)
    found = [
        {unit: (block, 0, pushes) for unit, block in zip(units, blocks[start : start + len(units)], strict=True)}
        for start in range(0, whole, len(units))
    ]
    rest = blocks[whole:]
    if not rest:
        return found
    share, over = divmod(len(units), len(rest))
    share = min(share, pushes)
    kept = pushes if over == 0 or share * 2 > pushes else round(pushes * len(rest) * share / len(units))
    base: dict[int, tuple[_Block, int, int]] = {}
    for i, block in enumerate(rest):
        for part in range(share):
            base[units[i * share + part]] = (block, part * kept // share, (part + 1) * kept // share)
    found.append(base)
    if kept < pushes:
        spare = units[len(rest) * share :]
        for block in rest:
            left = pushes - kept
            found.append(
                {
                    unit: (block, kept + i * left // len(spare), kept + (i + 1) * left // len(spare))
                    for i, unit in enumerate(spare)
                }
            )
    return found


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
    row = low.costs.ops.get("matmul_operand_packed" if tiled.packing == 2 else "")
    if row is None or made is None or made.name != "vector.load" or tiled.columns == 1:
        return tiled
    extra = round(row.get("vload", 0))
    nodes = []
    for node in tiled.nodes:
        loads = tuple(low.graph.add(low.machine.load, ()) for _ in range(extra))
        nodes.append(low.sequence("relayout", row, (node, *loads)))
    return tiled._replace(nodes=nodes)


class _Part(NamedTuple):
    """A result of a unit: how long after `node` it is there; -1 for the unit if its sum is not kept there."""

    node: Node
    wait: int
    unit: int


def _sum(low: Lowering, parts: list[_Part], start: Tiled, zero: bool, b: int, row: int, column: int) -> Node:
    """Partial products popped and added up; in the unit's result buffer where the chip has one that adds."""
    add = low.graph.add
    groups: dict[int, list[_Part]] = {}
    for i, part in enumerate(parts):
        kept = low.chip.mxu_accumulators and part.unit >= 0
        groups.setdefault(part.unit if kept else -1 - i, []).append(part)
    total = FREE
    for members in groups.values():
        popped = add(low.machine.pop, tuple(p.node for p in members), wait=max(p.wait for p in members))
        total = popped if total < 0 else low.valu("add", total, popped)
    if not zero:
        held = start.at(min(b, start.outer - 1), min(row, start.rows - 1), min(column, start.columns - 1))
        total = low.valu("add", total, *((held,) if held >= 0 else ()))
    return total


def _weight(
    rhs: Tiled, b: int, kb: int, nb: int, step: int, transposed: bool, low: Lowering, size: int
) -> tuple[Node, ...]:
    """Registers that one push of weights needs: rows of the contracted axis, as wide as the unit."""
    lanes = low.chip.lanes
    steps = size // (low.chip.sublanes * rhs.packing)
    wide = max(1, size // lanes)
    block_row, block_column = (nb, kb) if transposed else (kb, nb)
    row = min(block_row * steps + step, rhs.rows - 1)
    nodes = [rhs.at(min(b, rhs.outer - 1), row, min(block_column * wide + c, rhs.columns - 1)) for c in range(wide)]
    return tuple(dict.fromkeys(nodes))


def _row(lhs: Tiled, b: int, push: int, kb: int, low: Lowering, size: int) -> tuple[Node, ...]:
    """Registers of one group of rows of the left operand, along the contracted block."""
    wide = max(1, size // low.chip.lanes)
    at = min(b, lhs.outer - 1)
    nodes = [lhs.at(at, min(push, lhs.rows - 1), min(kb * wide + c, lhs.columns - 1)) for c in range(wide)]
    return tuple(dict.fromkeys(nodes))


def _is_zero(op: Op) -> bool:
    value = dict(op.attrs).get("value")
    return isinstance(value, Dense) and value.value == 0


def matmul_shape(op: Op) -> tuple[int, int, int, int]:
    """(batch, m, k, n) of a `tpu.matmul`, from its dimension numbers; several axes of one kind are multiplied."""
    lhs, rhs = op.operands[0].type, op.operands[1].type
    assert isinstance(lhs, VectorType) and isinstance(rhs, VectorType)
    contracted, _, rows, columns, _, batch, _ = _dimension_lists(op)
    return (
        prod(lhs.shape[i] for i in batch),
        prod(lhs.shape[i] for i in rows),
        prod(lhs.shape[i] for i in contracted),
        prod(rhs.shape[i] for i in columns),
    )


def _dimension_lists(op: Op) -> list[tuple[int, ...]]:
    """Axes: contracted of lhs, of rhs, others of lhs, of rhs, order of the result, batch of lhs, of rhs."""
    return int_lists(dict(op.attrs).get("dimension_numbers"))


def contracted(op: Op) -> tuple[int, int]:
    """The last contracted axis of either operand."""
    lhs, rhs, *_ = _dimension_lists(op)
    return lhs[-1], rhs[-1]
