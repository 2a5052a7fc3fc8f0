"""Conversions between element types: unpacking the parts of a register, packing several, and the arithmetic between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.chips.costs import Slots
from pipeline.ir.module import Op, Raw, Value, VectorType
from pipeline.schedule.bundles.graph import Kind, Node
from pipeline.schedule.bundles.tiles import Tiled, packing, short

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering

ROUNDS = ("math.roundeven", "math.round")
CLAMPS = ("arith.maximumf", "arith.minimumf")
_BETWEEN = (("f32", 1), ("i32", 1))  # types that a conversion without instructions of its own goes by, elements a word


def cast(low: Lowering, op: Op) -> None:
    """By the row of both types, or else by way of 32 bits."""
    source, result = op.operands[0].type, op.results[0].type
    assert isinstance(source, VectorType) and isinstance(result, VectorType)
    if low.fused(op):
        return
    value, after = low.shifted(op.operands[0]), packing(result.element)
    if value.shift or after > 1:
        value = low.value(op.operands[0])
    rows = low.costs.casts
    pair = (_kind(rows, source), _kind(rows, result))
    row = rows.get(_name(*pair))
    if op.name.startswith("arith.fpto"):
        row = rows.get(_name(*pair) + _conversion(low, op.operands[0]), row)
    if row is not None:
        value = converted(low, value, _name(*pair), row, after)
    else:
        for middle, words in _BETWEEN:
            first, second = rows.get(_name(pair[0], middle)), rows.get(_name(middle, pair[1]))
            if first is not None and second is not None:
                value = converted(low, value, _name(pair[0], middle), first, words)
                value = converted(low, value, _name(middle, pair[1]), second, after)
                break
        else:
            low.unknown.add(f"{op.name} {_name(*pair)}")
            value = converted(low, value, _name(*pair), {}, after)
    if value.down:
        skipped, down = divmod(value.down, low.chip.sublanes)
        tall = -(-(down + result.shape[-2]) // low.chip.sublanes)
        value = _cut(value, tall, skipped)._replace(down=down)
    tall = low.grid(result)[1]
    if not value.upright and not value.down and tall < value.rows:  # a tile that is only partly used
        value = _cut(value, tall)
    low.values[op.results[0]] = value


def into_words(low: Lowering, op: Op) -> None:
    """`tpu.pack_elementwise`: one register of words from as many as there are places in a word."""
    _words(low, op, f"pack_elementwise {_said(op, 'target_type')}")


def out_of_words(low: Lowering, op: Op) -> None:
    """`tpu.unpack_elementwise`: the elements at one place; those at the top are shifted down only."""
    narrow, index = _said(op, "source_type"), _said(op, "index")
    top = narrow[:1] == "i" and (int(index) + 1) * int(narrow[1:]) == 32
    _words(low, op, f"unpack_elementwise {'top' if top else narrow}", index)


def _said(op: Op, name: str) -> str:
    attr = op.attr(name)
    assert isinstance(attr, Raw)
    return attr.text


def _words(low: Lowering, op: Op, name: str, mark: str | None = None) -> None:
    kind = op.results[0].type
    assert isinstance(kind, VectorType)
    row = low.costs.ops.get(name) if packing(kind.element) == 1 else None
    if row is None:
        low.unknown.add(op.name)
    inputs = [low.value(v) for v in op.operands]
    low.map(op, inputs, packing(kind.element), lambda nodes: low.sequence(name, row or {}, nodes, mark=mark))


def _kind(rows: dict[str, Slots], kind: VectorType) -> str:
    """An element type as the table names it: by its own name, or that of its sort."""
    name = kind.element.name
    return name if any(name in row for row in rows) else short(kind)


def _name(source: str, result: str) -> str:
    return f"{source} -> {result}"


def converted(low: Lowering, value: Tiled, name: str, row: Slots, after: int) -> Tiled:
    """The value with `after` elements in a word."""
    nodes: list[Node] = []
    if after <= value.packing:  # widening, or of equal width
        parts = value.packing // after
        pieces = max(1, value.packing // 4)  # as many registers of bytes
        if value.packing >= 4:
            through = [
                [through_memory(low, n, "byte_unpack", 4, piece) for piece in range(pieces)] for n in value.nodes
            ]
        else:
            through = [[n] for n in value.nodes]
        for line in range(value.outer * value.rows):
            for part in range(parts):
                at = part * pieces // parts
                held = [found[at] for found in through[line * value.columns : (line + 1) * value.columns]]
                if name == "bf16 -> f32":
                    nodes.extend(low.unpack(n, part) for n in held)
                else:
                    nodes.extend(low.sequence(f"{name} {part}" if parts > 1 else name, row, (n,)) for n in held)
        return value._replace(rows=value.rows * parts, nodes=nodes, packing=after)
    parts = after // value.packing
    inner = {**row, "valu": max(0.0, row.get("valu", 0) - (1 - 1 / parts))}
    nodes = [low.sequence(f"{name} before", inner, (n,)) for n in value.nodes]
    value = low.packed(value._replace(nodes=nodes), parts)._replace(packing=after)
    if after == 4:
        value = value._replace(nodes=[through_memory(low, n, "byte_pack", 1) for n in value.nodes])
    return value


def through_memory(low: Lowering, node: Node, cost: str, loads: int, piece: int = 0) -> Node:
    """Bytes that a chip rearranges by storing a register and loading it otherwise, one register after the other.
    `piece` tells several of a register apart."""
    machine, add = low.machine, low.graph.add
    if node < 0 or cost not in machine.cycles:
        return node
    key = (cost, node, piece)
    if key not in low.memo:
        stores = tuple(add(machine.store, (node,)) for _ in range(4))
        turn = Kind("bytes through memory", "shuffle", machine.get(f"{cost}_latency"), machine.get(cost))
        found = add(turn, stores)
        low.memo[key] = add(machine.load, tuple(add(machine.load, (found,)) for _ in range(loads - 1)) or (found,))
    return low.memo[key]


def _cut(value: Tiled, rows: int, skipped: int = 0) -> Tiled:
    nodes: list[Node] = []
    for o in range(value.outer):
        start = (o * value.rows + skipped) * value.columns
        nodes.extend(value.nodes[start : start + rows * value.columns])
    return value._replace(rows=rows, nodes=nodes)


def only_converted(low: Lowering, op: Op) -> bool:
    """Whether all that happens to a rounded value of 32 bits, apart from clamps, is a conversion to integers."""
    kind = op.results[0].type
    return isinstance(kind, VectorType) and packing(kind.element) == 1 and _converted_later(low, op.results[0])


def _converted_later(low: Lowering, value: Value) -> bool:
    users = low.users.get(value, [])
    return bool(users) and all(
        user.name in ("arith.fptosi", "arith.fptoui")
        or (user.name in CLAMPS and any(map(low.is_splat, user.operands)) and _converted_later(low, user.results[0]))
        for user in users
    )


def _conversion(low: Lowering, value: Value) -> str:
    """How the operand of a conversion to integers came about, as the cost tables name it."""
    clamped, made = False, low.made.get(value)
    while made is not None and made.name in CLAMPS and any(map(low.is_splat, made.operands)):
        clamped = True
        made = low.made.get(next((v for v in made.operands if not low.is_splat(v)), made.operands[0]))
    if made is None or made.name not in ROUNDS:
        return ""
    return " clamped" if clamped else " rounded"
