"""The axis of rows exchanged with an axis before it: each row of a register goes into a register of its own.

Eight registers at a time are exchanged with their eight rows in three stages, of which each joins halves of two
registers and the first two shuffle the rows of the result; parts of words are interleaved beside that.

Source: libtpu 0.0.42.1's listings of kernels that exchange axes of 2 to 64 rows.
"""

from __future__ import annotations

from math import prod

from pipeline.schedule.bundles.graph import FREE, Kind, Node
from pipeline.schedule.bundles.lowering import Lowering
from pipeline.schedule.bundles.tiles import Tiled

_BESIDE = Kind("halves", "", 0)  # two registers that go for one
_PAIRS = ((0, 2), (1, 3), (4, 6), (5, 7))  # registers whose halves are joined first


def exchanged(
    low: Lowering, value: Tiled, shape: tuple[int, ...], axis: int, halves: tuple[bool, bool] | None
) -> Tiled:
    """The value with its rows along `axis`, and what lay along that in its rows.

    halves: of an odd number of columns of 16-bit elements, the last lies in memory in tiles of eight rows, and is
    exchanged in them unless it has been turned before; whether they are loaded, and whether they are stored.
    """
    tall = low.chip.sublanes * value.packing
    odd = halves is not None and value.packing == 2 and value.columns % 2 == 1
    loaded, stored = halves or (False, False)
    count, height = shape[axis], shape[-2]
    before, after = prod(shape[:axis]), prod(shape[axis + 1 : -2])
    rows = -(-count // tall)
    halved = odd and value.columns == 1 and stored
    rows = -(-count // low.chip.sublanes) if halved else rows
    nodes = [FREE] * (before * height * after * rows * value.columns)
    for i in range(before):
        for j in range(after):
            lines = [(i * count + a) * after + j for a in range(count)]
            for c in range(value.columns):
                half = odd and c == value.columns - 1
                step = low.chip.sublanes if half else tall
                for top in range(0, height, step):
                    held = [value.at(o, top // tall, c) for o in lines]
                    if top % tall:
                        held = [_lower_half(low, n, loaded) for n in held]
                    tops = range(top, min(height, top + step))
                    found = [_block(low, held[a : a + step], len(tops), value.packing) for a in range(0, count, step)]
                    if half and not halved:
                        found = _merged(low, found, stored)
                    for to, line in enumerate(found):
                        for b, node in zip(tops, line, strict=True):
                            nodes[(((i * height + b) * after + j) * rows + to) * value.columns + c] = node
    return Tiled(before * height * after, rows, value.columns, nodes, value.packing)


def _lower_half(low: Lowering, node: Node, loaded: bool) -> Node:
    """The lower rows of a register: loaded by themselves, or brought to the top."""
    if node < 0:
        return node
    if loaded:
        return low.once(low.machine.load, (), ("lower half", node))
    return low.valu("rotate rows", node)


def _merged(low: Lowering, found: list[list[Node]], stored: bool) -> list[list[Node]]:
    """Two halves in a register; where memory or arithmetic takes them apart, they are not put together."""
    row = None if stored else low.costs.ops.get("halves_merged")
    made: list[list[Node]] = []
    for i in range(0, len(found), 2):
        pairs = [tuple(n for n in pair if n >= 0) for pair in zip(*found[i : i + 2], strict=True)]
        if row is not None:
            made.append([low.sequence("merge halves", row if len(pair) > 1 else {}, pair) for pair in pairs])
        else:
            made.append([low.once(_BESIDE, pair) if len(pair) > 1 else (pair or (FREE,))[0] for pair in pairs])
    return made


def _block(low: Lowering, held: list[Node], height: int, per_word: int) -> list[Node]:
    """Registers of which number k holds row k of each of those held: parts of words first where there are fewer of
    these than rows, and last otherwise."""
    if per_word == 1:
        return _exchange(low, held, height)[:height]
    held = held + [FREE] * (-len(held) % per_word)
    words = -(-height // per_word)
    found: list[Node] = []
    if len(held) < height:
        packed = [interleaved(low, held[i : i + per_word]) for i in range(0, len(held), per_word)]
        parts = [_exchange(low, [word[part] for word in packed], words) for part in range(per_word)]
        found = [parts[k % per_word][k // per_word] for k in range(height)]
    else:
        apart = [_exchange(low, held[part::per_word], words) for part in range(per_word)]
        for k in range(words):
            found += interleaved(low, [registers[k] for registers in apart])
    return found[:height]


def interleaved(low: Lowering, held: list[Node]) -> list[Node]:
    """For each place in a word, what the registers have there, together in words."""
    row = low.costs.ops.get("parts_interleaved", {"valu": 1.0})
    found = []
    for place in range(len(held)):
        parts = [low.valu("shr", n, mark=place) if place and n >= 0 else n for n in held]
        while len(parts) > 1:
            half = len(parts) // 2
            parts = [
                low.sequence("interleave", row, pair, mark=place)
                for pair in zip(parts[:half], parts[half:], strict=True)
            ]
        found.append(parts[0])
    return found


def _exchange(low: Lowering, held: list[Node], height: int) -> list[Node]:
    """The first rows of up to eight registers of words, each in a register: those that are missing are free."""
    held = held + [FREE] * (low.chip.sublanes - len(held))
    joined = {a: _halves(low, held[a], held[b]) for a, b in _PAIRS}
    found: list[Node] = []
    for which in (0, 1):  # the lower and the upper halves of the first stage, and so on
        if which * 4 >= height:
            break
        first = {a: _shuffled(low, halves[which], 0) for a, halves in joined.items()}
        sides = [_halves(low, first[a], first[a + 1]) for a in (0, 4)]
        for half in (0, 1):
            if len(found) < height:
                one, other = (_shuffled(low, side[half], 1) for side in sides)
                found += _halves(low, one, other)
    return found


def _halves(low: Lowering, one: Node, other: Node) -> tuple[Node, Node]:
    """The lower halves of two registers in one, and the upper ones; the lower half of a register alone is in place."""
    row = low.costs.ops.get("rows_joined", {"valu": 2.0})
    lower = low.sequence("join lower rows", row, (one, other)) if other >= 0 else one
    return lower, low.sequence("join upper rows", row, (one, other))


def _pattern(low: Lowering, stage: int) -> Node:
    """The order of rows that a stage brings about, made once in a block."""
    node = FREE
    for step in range(round(low.costs.ops.get("rows_pattern", {}).get("valu", 0))):
        node = low.once(low.machine.valu("row pattern"), (node,) if step else (), (stage, step))
    return node


def _shuffled(low: Lowering, node: Node, stage: int) -> Node:
    """The rows of a register in another order: an instruction, or memory that is loaded so."""
    if node < 0:
        return node
    row = low.costs.ops.get("rows_shuffled", {"valu": 1.0})
    if row.get("valu"):
        return low.sequence("shuffle rows", row, (node, _pattern(low, stage)))
    key = ("shuffle rows", node)
    if key not in low.memo:
        low.memo[key] = low.graph.add(low.machine.load, (low.graph.add(low.machine.store, (node,)),))
    return low.memo[key]
