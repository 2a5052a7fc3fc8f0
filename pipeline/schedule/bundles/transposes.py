"""Permutations of axes: whole registers renamed, rows of tiles exchanged, the last two axes turned in the XLU."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from pipeline.ir.module import Op, VectorType
from pipeline.schedule.bundles import casts
from pipeline.schedule.bundles.attrs import int_values
from pipeline.schedule.bundles.graph import FREE, Kind, Node
from pipeline.schedule.bundles.lowering import Lowering
from pipeline.schedule.bundles.tiles import Tiled, packing

_STORES = ("vector.store", "tpu.vector_store")
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
        value = value._replace(nodes=nodes)
        made = low.made.get(op.operands[0])
        if value.packing == 2 and made is not None and made.name == "vector.load":
            value = low.joined(value)
        users = low.users.get(op.results[0], ())
        found = turned(low, value, rows, columns, _rounding(users), users)
        stored = [user.name in _STORES for user in low.users.get(op.results[0], ())]
        low.values[op.results[0]] = _as_stored(low, found, value) if value.packing == 2 and any(stored) else found
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
    """Rows of several tiles in one: loads or stores that step over rows, where the value comes from memory or goes
    there, is a tile wide, and the step is at most a register; a tree of rotations and selects otherwise."""
    source, result = op.operands[0].type, op.results[0].type
    assert isinstance(source, VectorType) and isinstance(result, VectorType)
    made, users = low.made.get(op.operands[0]), low.users.get(op.results[0], ())
    loaded = made is not None and made.name == "vector.load"
    stored = bool(users) and all(user.name in _STORES for user in users)
    narrow, packed = value.columns == 1, value.packing > 1
    machine, add = low.machine, low.graph.add
    total, have = prod(of), len(value.nodes)
    half = {"valu": low.costs.ops.get("rows_strided_packed", {}).get("valu", 4.0)} if packed else {}
    into, out_of = _steps(low, source.shape[-2], value.packing), _steps(low, result.shape[-2], value.packing)
    if narrow and loaded and into:
        nodes = []
        for i in range(total):
            loads = tuple(add(machine.load, ()) for _ in range(into))
            nodes.append(low.sequence(f"exchange rows {i}", half or {"valu": into - 1.0}, loads))
        return Tiled(*of, nodes, value.packing)
    if narrow and stored and out_of:
        nodes = [low.sequence("exchange rows", half, (n,)) for n in value.nodes]
        return Tiled(1, have * out_of, 1, [n for n in nodes for _ in range(out_of)], value.packing)
    row = low.costs.ops.get("rows_exchanged_packed" if packed else "rows_exchanged", {"valu": 8.0})
    per_tile = low.chip.sublanes * value.packing
    nodes = []
    for i in range(total):
        # a tile's rows lie as far apart as there are tiles in all for each of its rows
        first = i * have // total // per_tile * per_tile
        inputs = tuple(value.nodes[min(have - 1, first + k)] for k in range(min(per_tile, have)))
        through = tuple(add(machine.store, (inputs[0],)) for _ in range(round(row.get("vstore", 0))) if inputs[0] >= 0)
        back = tuple(add(machine.load, through) for _ in range(round(row.get("vload", 0))))
        nodes.append(low.sequence(f"exchange rows {i}", row, (*inputs, *back)))
    return Tiled(*of, nodes, value.packing)


def _steps(low: Lowering, rows: int, per_word: int) -> int:
    """Loads or stores for a register whose rows lie `rows` apart in memory; 0 where none do that."""
    row = low.costs.ops.get("rows_strided")
    if row is None or rows > low.chip.sublanes:
        return 0
    far = rows > low.chip.sublanes // 2
    steps = round(row.get("vload", 1)) * (2 if far else 1)
    if per_word > 1:
        return 2 if far else 1
    return steps if steps <= 2 else 0


def turned(
    low: Lowering, value: Tiled, rows: int, columns: int, rounds: bool = False, users: Sequence[Op] = ()
) -> Tiled:
    """Rows become columns, 128 of both at a time: all go in before the first comes out, and a unit takes as long for
    fewer. Chunks go over the units by turns; where packed ones go in two side by side, so they come out. Two of 32 bits
    go as halves of one, where what comes out is rounded to 16 bits in any case.

    `rows`, `columns`: registers of the result along its last two axes. `rounds`: whether all `users` do.
    """
    if value.packing == 4 and "transpose_bytes" not in low.machine.cycles:
        return _bytes_turned(low, value, rows, columns)
    machine = low.machine
    kind = _kind(low, value.packing)
    deep = _ROWS // (low.chip.sublanes * value.packing)
    units = machine.slots.get("xlu", 1)
    paired = value.packing == 2 and "transpose_pairs" in low.costs.ops
    halves = value.packing == 1 and rounds
    push = kind._replace(latency=1, hold=2 * kind.hold if paired else kind.hold)
    nodes = [FREE] * (value.outer * rows * columns)
    chunks = [(o, c, r) for o in range(value.outer) for c in range(value.columns) for r in range(0, value.rows, deep)]
    if halves:
        groups = _by_halves(low, value, chunks, users)
    else:
        size = 2 if paired else 1
        groups = [chunks[i : i + size] for i in range(0, len(chunks), size)]
    first_unit, low.turns = low.turns % units, low.turns + len(groups)
    for start in range(0, len(groups), units):  # the units take turns, row by row
        turns = groups[start : start + units]
        before: list[tuple[Node, ...]] = [()] * units
        begun = [0] * units
        for step in range(deep):
            for queue, group in enumerate(turns):
                held = [value.at(o, first + step, c) for o, c, first in group if first + step < value.rows]
                if held:
                    known = tuple(n for n in held if n >= 0)
                    if halves and len(known) > 1:
                        known = (low.valu("interleave", *known),)
                    before[queue] = (low.graph.add(push, (*known, *before[queue]), (first_unit + queue) % units),)
                    begun[queue] = step
        for p in range(deep):
            for queue, group in enumerate(turns):
                pops = 1 if halves else len(group)
                popped = FREE
                for which, (o, c, first) in enumerate(group):
                    row, column = c * deep + p, first // deep
                    if row >= rows or column >= columns:
                        continue
                    # from the first push on, as if all rows had gone in
                    if popped < 0 or not halves:
                        whole = kind.latency + (deep - 1) * kind.hold - begun[queue] * push.hold
                        out = (p * pops + min(which, pops - 1)) * (push.hold // pops)
                        popped = low.graph.add(machine.pop, before[queue], wait=max(0, whole - push.latency + out))
                    half = halves and len(group) > 1
                    node = low.valu("unpack", popped, mark=which) if half else popped
                    nodes[(o * rows + row) * columns + column] = node
    return Tiled(value.outer, rows, columns, nodes, value.packing)


Chunk = tuple[int, int, int]  # which of the outer axes; column and first row, in registers


def _by_halves(low: Lowering, value: Tiled, chunks: list[Chunk], users: Sequence[Op]) -> list[list[Chunk]]:
    """Chunks that go together: those that follow each other; of rows for a product that come one after another, those
    that different units can take at the same time. A unit waits for none of its first rows.

    Source: libtpu 0.0.42.1's listings of products whose left operand is turned, from memory and from other products.
    """
    products = [op for user in users for op in (user, *low.users.get(user.results[0], ())) if op.name == "tpu.matmul"]
    deep = _ROWS // low.chip.sublanes
    if products and value.rows <= deep and value.outer == 1:
        units = {unit for op in products for unit, shares in enumerate(low.shares.get(id(op), ())) if shares}
        if len(units) == 1 and not any(low.unit_rows.get(unit) for unit in units):
            return [[chunk] for chunk in chunks]
        if len(chunks) % 2 == 0 and len(units) > 1:
            half = len(chunks) // 2
            return [[chunks[i], chunks[half + i]] for i in range(half)]
    return [chunks[i : i + 2] for i in range(0, len(chunks), 2)]


def _rounding(users: Sequence[Op]) -> bool:
    """Whether every use of a value of 32 bits rounds it to 16."""
    return bool(users) and all(
        is_rounded(user) if user.name == "tpu.matmul" else user.name == "arith.truncf" and _is_half(user)
        for user in users
    )


def is_rounded(op: Op) -> bool:
    """Whether a product takes its operands of 32 bits as bfloat16."""
    return "fp32" not in str(dict(op.attrs).get("precision"))


def _is_half(op: Op) -> bool:
    kind = op.results[0].type
    return isinstance(kind, VectorType) and packing(kind.element) == 2


def _kind(low: Lowering, per_word: int) -> Kind:
    """A push; its latency is that from the last of 128 rows to the first result."""
    machine = low.machine
    if per_word == 4:
        return machine.transpose._replace(latency=machine.get("transpose_bytes"))
    return machine.transpose_packed if per_word > 1 else machine.transpose


def _bytes_turned(low: Lowering, value: Tiled, rows: int, columns: int) -> Tiled:
    """Bytes are turned as halves of words, and packed again."""
    halves: list[Node] = []
    for o in range(value.outer):
        for r in range(value.rows):
            held = [casts.through_memory(low, value.at(o, r, c), "byte_unpack", 4) for c in range(value.columns)]
            for part in (0, 2):
                halves += [low.pack([low.unpack(n, part), low.unpack(n, part + 1)]) for n in held]
    wide = turned(low, Tiled(value.outer, value.rows * 2, value.columns, halves, 2), rows * 2, columns)
    nodes = [
        low.valu("pack", *(n for n in (wide.at(o, 2 * r, c), wide.at(o, 2 * r + 1, c)) if n >= 0))
        for o in range(value.outer)
        for r in range(rows)
        for c in range(columns)
    ]
    nodes = [casts.through_memory(low, n, "byte_pack", 1) for n in nodes]
    return Tiled(value.outer, rows, columns, nodes, value.packing)


def _as_stored(low: Lowering, value: Tiled, source: Tiled) -> Tiled:
    """Turned halves of words as they lie in memory, where 8 rows of two tiles of lanes share a register: joined anew,
    and stored in halves where there is one tile."""
    row, halves = low.costs.ops.get("transposed_packed", {}), low.costs.ops.get("transposed_halves")
    nodes = value.nodes
    if halves is not None or len(nodes) * source.packing * low.chip.sublanes > _ROWS:
        nodes = [low.sequence("relayout", row, (n,)) for n in nodes]
    if halves is None and source.columns > 1 and value.columns > 1:
        nodes = [low.sequence("relayout", row, (n,)) for n in nodes]
    if halves is None or value.columns > 1:
        return value._replace(nodes=nodes)
    nodes = [half for n in nodes for half in (n, low.sequence("half", halves, (n,)))]
    return value._replace(rows=value.rows * 2, nodes=nodes)
