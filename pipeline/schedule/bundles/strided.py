"""The axis of rows exchanged with the one before it by the loads before that or the stores after it: of values a tile
wide, whose rows lie one after the other in memory, a load or a store can step over rows.

What is loaded so has the same row of up to eight registers; parts of words are taken out of that. What is stored so are
words with the same part of several registers.

Source: libtpu 0.0.42.1's loads and stores of kernels that exchange axes of 2 to 64 rows.
"""

from __future__ import annotations

from math import prod

from pipeline.ir.module import Op, Value
from pipeline.schedule.bundles.exchanges import interleaved
from pipeline.schedule.bundles.graph import FREE, Node
from pipeline.schedule.bundles.lowering import Lowering
from pipeline.schedule.bundles.tiles import Tiled

_STORES = ("vector.store", "tpu.vector_store")
MOST = 2  # loads or stores that a register is worth


def is_loaded(low: Lowering, value: Value) -> bool:
    made = low.made.get(value)
    return made is not None and made.name == "vector.load"


def is_stored(low: Lowering, op: Op) -> bool:
    """Whether the result is stored, and nothing else."""
    users = low.users.get(op.results[0], ())
    return bool(users) and all(user.name in _STORES for user in users)


def loaded(
    low: Lowering, shape: tuple[int, ...], per_word: int, apart: bool, beside: bool = False, most: int = MOST
) -> Tiled | None:
    """What lies in memory in this shape, with its last axis but one exchanged with the one before: none where loads
    don't step so far. `apart`: parts of words go to memory by themselves, from up to eight registers each. `beside`:
    the result has another tile of lanes beside each of its own."""
    sublanes, at_once = low.chip.sublanes, _rows_at_once(low, shape[-2], per_word, most)
    if not at_once:
        return None
    *outer, count, height, _ = shape
    load = low.machine.far_load if at_once < sublanes else low.machine.load
    chunks = [min(sublanes, count - first) for first in range(0, count, sublanes)]
    halves = per_word == 2 and not beside and len(chunks) > 1
    merge = low.costs.ops.get("halves_merged") if halves else None
    nodes: list[Node] = []
    for _ in range(prod(outer)):
        for group in range(0, height, per_word):
            held = []
            for rows in chunks:
                loads = [low.graph.add(load, ()) for _ in range(-(-rows // at_once))]
                held.append(low.sequence("rows together", {"valu": len(loads) - 1.0}, tuple(loads)))
            parts = range(min(per_word, height - group))
            if apart and per_word > 1:
                nodes += [_taken(low, node, part, per_word) for part in parts for node in held]
                continue
            held += [FREE] * (-len(held) % per_word)
            found = [interleaved(low, held[i : i + per_word]) for i in range(0, len(held), per_word)]
            taken = [words[part] for part in parts for words in found]
            nodes += [low.sequence("merge halves", merge, (node,)) for node in taken] if merge else taken
    lines = prod(outer) * height
    return Tiled(lines, len(nodes) // lines, 1, nodes, per_word)


def stored(low: Lowering, value: Tiled, shape: tuple[int, ...], most: int = MOST) -> Tiled | None:
    """What is to lie in memory of a value of this shape when its last axis but one has been exchanged with the one
    before: none where stores don't step so far."""
    count, height, per_word = shape[-3], shape[-2], value.packing
    at_once = _rows_at_once(low, count, per_word, most)
    if not at_once:
        return None
    times = -(-min(low.chip.sublanes, height) // at_once)
    nodes: list[Node] = []
    for o in range(0, value.outer, count):
        for first in range(0, count, per_word):
            for row in range(value.rows):
                held = [value.at(o + a, row, 0) for a in range(first, min(count, first + per_word))]
                nodes += [n for n in _apart(low, held, per_word) for _ in range(times)]
    return Tiled(1, len(nodes), 1, nodes, per_word)


def _rows_at_once(low: Lowering, step: int, per_word: int, most: int) -> int:
    """Rows of words that a load or a store takes that lie as far apart as `step` rows take; 0 for none."""
    row = low.costs.ops.get("rows_strided")
    if row is None:
        return 0
    sublanes = low.chip.sublanes
    rows = -(-step // sublanes) * sublanes if step > sublanes else 1 << (step - 1).bit_length()
    times = max(1, round(row.get("vload", 1) * 2 * -(-rows // per_word) / sublanes))
    return max(1, sublanes // times) if min(times, sublanes) <= most else 0


def _taken(low: Lowering, node: Node, part: int, per_word: int) -> Node:
    """One part of each word, in as many fewer rows."""
    node = low.valu("shr", node, mark=part) if part else node
    row = low.costs.ops.get("parts_narrowed", {"valu": 1.0})
    for step in range(per_word.bit_length() - 1):
        node = low.sequence("narrow", row, (node,), mark=(part, step))
    return node


def _apart(low: Lowering, held: list[Node], per_word: int) -> list[Node]:
    """For each part of a register, words of that part of each of those held."""
    if per_word == 1:
        return held
    row = low.costs.ops.get("parts_narrowed", {"valu": 1.0})
    found = []
    for part in range(per_word):
        node = FREE
        for which, other in enumerate(held):
            other = low.unpack(other, part, exact=row.get("valu", 1.0) <= 1)  # else words are shifted and masked
            node = low.sequence("interleave", row, (node, other), mark=which) if which else other
        found.append(node)
    return found
