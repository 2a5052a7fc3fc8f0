"""Permutations of axes: whole registers renamed, rows of tiles exchanged, the last two axes turned in the XLU."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from pipeline.ir.module import Op, VectorType
from pipeline.schedule.bundles import casts, exchanges, strided
from pipeline.schedule.bundles.attrs import int_values
from pipeline.schedule.bundles.graph import FREE, Kind, Node
from pipeline.schedule.bundles.lowering import Lowering
from pipeline.schedule.bundles.tiles import Tiled, packing

_ROWS = 128  # a transpose takes in so many rows before the first comes out


def transpose(low: Lowering, op: Op) -> None:
    """Axes before the last two rename registers; what else there is to do is done step by step, each as a whole."""
    source, result = op.operands[0].type, op.results[0].type
    assert isinstance(source, VectorType) and isinstance(result, VectorType)
    permutation = int_values(dict(op.attrs).get("permutation"))
    value, loaded, stored = (
        low.value(op.operands[0]),
        strided.is_loaded(low, op.operands[0]),
        strided.is_stored(low, op),
    )
    if value.columns == 1 and _neighbours(permutation):
        found = None
        if loaded:
            found = strided.loaded(low, source.shape, value.packing, _apart(low, source, value.packing, stored))
        if found is None and stored:
            found = strided.stored(low, value, source.shape)
        if found is not None:
            low.values[op.results[0]] = found
            return
    axes, todo = list(range(len(permutation))), _steps(permutation)
    for step, axis in enumerate(todo):
        if axis is not None:
            at = axes.index(axis)
            halves = (loaded, stored and step == len(todo) - 1) if step == 0 else None
            value = exchanges.exchanged(low, value, tuple(source.shape[a] for a in axes), at, halves)
            axes[at], axes[-2] = axes[-2], axes[at]
            continue
        if value.packing == 2 and loaded and step == 0:
            value = low.joined(value)
        axes[-2:] = axes[:-3:-1]
        _, rows, columns = low.grid(VectorType(tuple(source.shape[a] for a in axes), result.element))
        users = low.users.get(op.results[0], ()) if step == len(todo) - 1 else ()
        before, value = value, turned(low, value, rows, columns, _rounding(users), users)
        if value.packing == 2 and stored and step == len(todo) - 1:
            value = _as_stored(low, value, before)
    order = _order([source.shape[a] for a in axes[:-2]], [axes.index(a) for a in permutation[:-2]])
    tile = value.rows * value.columns
    value = value._replace(nodes=[n for o in order for n in value.nodes[o * tile : (o + 1) * tile]])
    low.values[op.results[0]] = value


def _steps(permutation: tuple[int, ...]) -> list[int | None]:
    """What it takes to have the right two axes last: turns of the last two (none), and the axes that are exchanged with
    that of rows. The compiler brings the last axis to its place first, and then that of rows."""
    *_, rows, lanes = sorted(permutation)
    found: list[int | None] = []
    if permutation[-1] != lanes:
        found.append(None)
        if permutation[-1] != rows:
            found += [permutation[-1], None]
        else:
            rows, lanes = lanes, rows
    return found if permutation[-2] == rows else [*found, permutation[-2]]


def _apart(low: Lowering, kind: VectorType, per_word: int, stored: bool) -> bool:
    """Whether parts of words go to memory by themselves: there, tiles are eight rows tall, but tall ones of bytes."""
    return stored and (per_word == 2 or bool(kind.shape[-3] % (low.chip.sublanes * per_word)))


def _neighbours(permutation: tuple[int, ...]) -> bool:
    """Whether nothing happens but that rows change places with the axis before them."""
    rank = len(permutation)
    return rank > 2 and permutation == (*range(rank - 3), rank - 2, rank - 3, rank - 1)


def turns(op: Op) -> bool:
    """Whether a permutation exchanges the last two axes and no other."""
    permutation = int_values(dict(op.attrs).get("permutation"))
    rank = len(permutation)
    return permutation == (*range(rank - 2), rank - 1, rank - 2)


def _order(shape: list[int], permutation: list[int]) -> list[int]:
    """For each index over the permuted axes, flattened, the index over the axes as they were."""
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    found = [0]
    for axis in permutation:
        found = [at + i * strides[axis] for at in found for i in range(shape[axis])]
    return found


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
    pairs = low.costs.ops.get("transpose_pairs") if value.packing == 2 else None
    halves = value.packing == 1 and rounds
    apart = kind.hold if pairs is None else 2 * kind.hold  # from push to push, and twice that for what comes out of it
    push = kind._replace(latency=1)
    if pairs is not None:
        push = kind._replace(latency=apart, hold=round(pairs["xlu"]))
    end = push._replace(hold=push.hold + round(low.costs.ops.get("transpose_end", {}).get("xlu", 0)))
    nodes = [FREE] * (value.outer * rows * columns)
    chunks = [(o, c, r) for o in range(value.outer) for c in range(value.columns) for r in range(0, value.rows, deep)]
    chunks, alone = _in_turns(low, value, chunks, users)
    size = 2 if pairs is not None or (halves and not alone) else 1
    groups = [chunks[i : i + size] for i in range(0, len(chunks), size)]
    first_unit, low.turns = low.turns % units, low.turns + len(groups)
    begun: list[tuple[Node, int]] = [(FREE, 0)] * units  # a unit's last push, and how long it takes no other after it
    for start in range(0, len(groups), units):  # the units take turns, row by row
        turns = groups[start : start + units]
        before: list[tuple[Node, ...]] = [()] * units
        taken = [0] * units
        for step in range(deep):
            for queue, group in enumerate(turns):
                held = [value.at(o, first + step, c) for o, c, first in group if first + step < value.rows]
                if held:
                    last, wait = begun[queue] if step == 0 else (FREE, 0)
                    known = tuple(n for n in held if n >= 0)
                    if halves and len(known) > 1:
                        known = (low.valu("interleave", *known),)
                    inputs = (*known, *((last,) if last >= 0 else ()), *before[queue])
                    ends = step == deep - 1 or all(first + step + 1 >= value.rows for *_, first in group)
                    node = low.graph.add(
                        end if ends else push, inputs, (first_unit + queue) % units, wait if last >= 0 else 0
                    )
                    before[queue], taken[queue] = (node,), step
        for p in range(deep):
            for queue, group in enumerate(turns):
                pops, popped = 1 if halves else len(group), FREE
                for which, (o, c, first) in enumerate(group):
                    row, column = c * deep + p, first // deep
                    if row >= rows or column >= columns:
                        continue
                    if popped < 0 or not halves:
                        # from the first push on, as if all rows had gone in
                        whole = kind.latency + (deep - 1) * kind.hold - taken[queue] * apart
                        out = (p * pops + min(which, pops - 1)) * (apart // pops)
                        popped = low.graph.add(machine.pop, before[queue], wait=max(0, whole - push.latency + out))
                    node = low.valu("unpack", popped, mark=which) if halves and len(group) > 1 else popped
                    nodes[(o * rows + row) * columns + column] = node
        for queue, group in enumerate(turns):  # what comes out takes as long as if as much had gone in
            out = max(min(deep, rows - c * deep) for _, c, _ in group)
            begun[queue] = (before[queue][0], max(0, (out - taken[queue]) * apart - push.latency))
    return Tiled(value.outer, rows, columns, nodes, value.packing)


Chunk = tuple[int, int, int]  # which of the outer axes; column and first row, in registers


def _in_turns(low: Lowering, value: Tiled, chunks: list[Chunk], users: Sequence[Op]) -> tuple[list[Chunk], bool]:
    """Chunks in the order they go in, and whether each by itself: of rows for a product that come one after another,
    those first that different units can take at the same time. A unit waits for none of its first rows.

    Source: libtpu 0.0.42.1's listings of products whose left operand is turned, from memory and from other products.
    """
    after = [op for user in users for result in user.results for op in low.users.get(result, ())]
    products = [op for op in (*users, *after) if op.name == "tpu.matmul"]
    deep = _ROWS // (low.chip.sublanes * value.packing)
    if not products or value.rows > deep or value.outer > 1:
        return chunks, False
    units = {unit for op in products for unit, shares in enumerate(low.shares.get(id(op), ())) if shares}
    if len(units) == 1:
        return chunks, not any(low.unit_rows.get(unit) for unit in units)
    half = len(chunks) // 2
    if len(chunks) % 2:
        return chunks, False
    return [chunk for pair in zip(chunks[:half], chunks[half:], strict=True) for chunk in pair], False


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
