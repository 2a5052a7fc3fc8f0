"""Permutations of axes: whole registers renamed, rows of tiles exchanged, the last two axes turned in the XLU."""

from __future__ import annotations

from math import prod

from pipeline.ir.module import Op, VectorType
from pipeline.schedule.bundles.attrs import int_values
from pipeline.schedule.bundles.graph import FREE, Node
from pipeline.schedule.bundles.lowering import Lowering
from pipeline.schedule.bundles.tiles import Tiled

_ROWS = 128  # a transpose takes in so many rows before the first comes out


def transpose(low: Lowering, op: Op) -> None:
    """The last two axes through the XLU; other axes rename registers, or exchange rows where the rows' axis moves."""
    source, result = op.operands[0].type, op.results[0].type
    assert isinstance(source, VectorType) and isinstance(result, VectorType)
    permutation = int_values(dict(op.attrs).get("permutation"))
    value = low.value(op.operands[0])
    rank = len(permutation)
    outer, rows, columns = low.grid(result)
    lanes, sublanes = rank - 1, rank - 2
    minor = permutation[-2:]
    if minor == (sublanes, lanes):
        order = _order(source.shape[:-2], permutation[:-2])
        tile = rows * columns
        nodes = [n for o in order for n in value.nodes[o * tile : (o + 1) * tile]]
        low.values[op.results[0]] = value._replace(nodes=nodes)
    elif minor == (lanes, sublanes):
        order = _order(source.shape[:-2], permutation[:-2])
        tile = value.rows * value.columns
        nodes = [n for o in order for n in value.nodes[o * tile : (o + 1) * tile]]
        low.values[op.results[0]] = turned(low, value._replace(nodes=nodes), rows, columns)
    elif minor[1] == lanes:
        low.values[op.results[0]] = _exchanged(low, op, value, (outer, rows, columns))
    else:  # a lower bound: an instruction for each register
        have, total = len(value.nodes), outer * rows * columns
        nodes = [low.once(low.machine.valu("relayout"), (value.nodes[i * have // total],), i) for i in range(total)]
        low.values[op.results[0]] = Tiled(outer, rows, columns, nodes, value.packing)


def turns(op: Op) -> bool:
    """Whether a permutation exchanges the last two axes and no other."""
    permutation = int_values(dict(op.attrs).get("permutation"))
    rank = len(permutation)
    return permutation == (*range(rank - 2), rank - 1, rank - 2)


def _order(shape: tuple[int, ...], permutation: tuple[int, ...]) -> list[int]:
    """For each index over the permuted axes, flattened, the index over the axes as they were."""
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    found = [0]
    for axis in permutation:
        found = [at + i * strides[axis] for at in found for i in range(shape[axis])]
    return found


def _exchanged(low: Lowering, op: Op, value: Tiled, of: tuple[int, int, int]) -> Tiled:
    """Rows of several tiles in one: a tree of rotations and selects, or strided loads where the value comes from memory
    and is a tile wide."""
    made = low.made.get(op.operands[0])
    total = prod(of)
    have = len(value.nodes)
    row = low.costs.ops.get("rows_exchanged" if value.packing == 1 else "rows_exchanged_packed", {"valu": 8.0})
    loaded = low.costs.ops.get("rows_exchanged_loaded")
    strided = loaded is not None and made is not None and made.name == "vector.load" and value.columns == 1
    machine, add = low.machine, low.graph.add
    per_tile = low.chip.sublanes * value.packing
    nodes: list[Node] = []
    for i in range(total):
        # a tile's rows lie as far apart as there are tiles in all for each of its rows
        first = i * have // total // per_tile * per_tile
        inputs = tuple(value.nodes[min(have - 1, first + k)] for k in range(min(per_tile, have)))
        if strided and loaded is not None:
            loads = tuple(add(machine.load, ()) for _ in range(round(loaded.get("vload", 2))))
            nodes.append(low.sequence(f"exchange rows {i}", loaded, loads))
            continue
        through = tuple(add(machine.store, (inputs[0],)) for _ in range(round(row.get("vstore", 0))) if inputs[0] >= 0)
        back = tuple(add(machine.load, through) for _ in range(round(row.get("vload", 0))))
        nodes.append(low.sequence(f"exchange rows {i}", row, (*inputs, *back)))
    return Tiled(*of, nodes, value.packing)


def turned(low: Lowering, value: Tiled, rows: int, columns: int) -> Tiled:
    """Rows become columns, a block of rows at a time: all go in before the first comes out.

    `rows`, `columns`: registers of the result along its last two axes.
    """
    machine = low.machine
    kind = machine.transpose_packed if value.packing > 1 else machine.transpose
    deep = _ROWS // (low.chip.sublanes * value.packing)
    units = min(2, machine.slots.get("xlu", 1))
    nodes = [FREE] * (value.outer * rows * columns)
    chunks = [(o, c, r) for o in range(value.outer) for c in range(value.columns) for r in range(0, value.rows, deep)]
    push = kind._replace(latency=1)
    for start in range(0, len(chunks), units):  # the units take turns, row by row
        turns = chunks[start : start + units]
        before: list[tuple[Node, ...]] = [()] * units
        for step in range(deep):
            for queue, (o, c, first) in enumerate(turns):
                if first + step < value.rows:
                    node = value.at(o, first + step, c)
                    inputs = (node, *before[queue]) if node >= 0 else before[queue]
                    before[queue] = (low.graph.add(push, inputs, queue),)
        for p in range(deep):
            for queue, (o, c, first) in enumerate(turns):
                row, column = c * deep + p, first // deep
                if row < rows and column < columns:
                    wait = kind.latency - push.latency + p * kind.hold
                    popped = low.graph.add(machine.pop, before[queue], wait=max(0, wait))
                    nodes[(o * rows + row) * columns + column] = popped
    return Tiled(value.outer, rows, columns, nodes, value.packing)
