"""Where an element of scalar memory is, and what makes a scalar of the word that it is in.

Source: libtpu 0.0.42.1's schedules of kernels that read one element of an array in scalar memory: of one to three axes,
at indices that are known or not, of every width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.ir.module import MemRefType, Value
from pipeline.schedule.bundles.graph import FREE, Node
from pipeline.schedule.bundles.tiles import packing

if TYPE_CHECKING:
    from pipeline.schedule.bundles.scalars import Scalars

_ROWS, _COLUMNS = 8, 128  # of a tile
_SHIFT = 3  # instructions to how far an element is from its word's end


def place(scalars: Scalars, ref: Value, indices: tuple[Value, ...]) -> Node:
    """The word's place: rows and columns are cut into tiles and what is left; FREE where all of it is known."""
    kind = ref.type
    base = scalars.node(ref)
    if not isinstance(kind, MemRefType) or all(index in scalars.known for index in indices):
        return base
    key = ("smem", ref, kind.element, *map(scalars.key, indices))
    if key not in scalars.places:
        scalars.places[key] = _place(scalars, kind, indices, base)
    return scalars.places[key]


def _place(scalars: Scalars, kind: MemRefType, indices: tuple[Value, ...], base: Node) -> Node:
    wide = packing(kind.element) > 1
    if len(indices) < 2 and not wide:
        return _sum(scalars, [base, *(scalars.node(index) for index in indices)])
    *outer, column = indices
    moving = [index for index in outer if index not in scalars.known]
    apart = (kind.shape[-1] or 0) > _COLUMNS or column not in scalars.known  # one tile's rows from the next one's
    tall = apart and len(outer) > 0 and (kind.shape[-2] or 0) > _ROWS
    tiles, inside = [], []
    for index in moving:
        if tall and index is outer[-1]:
            tiles.append(scalars.chain(2, scalars.node(index)))
            inside.append(scalars.chain(2, scalars.node(index)))
        else:
            tiles.append(scalars.node(index))
    if column not in scalars.known:
        tiles.append(scalars.chain(1, scalars.node(column)))
        inside.append(scalars.chain(1, scalars.node(column)))
    return _sum(scalars, [base, scalars.chain(1, _sum(scalars, tiles)), _sum(scalars, inside)])


def _sum(scalars: Scalars, parts: list[Node]) -> Node:
    held = [part for part in parts if part != FREE]
    total = held[0] if held else FREE
    for part in held[1:]:
        total = scalars.add(scalars.alu, total, part)
    return total


def unpacked(scalars: Scalars, ref: Value, column: Value | None, word: Node) -> Node:
    """The element of a word of several: shifted to its end, then cut out; a signed integer by two shifts more."""
    kind = ref.type
    if not isinstance(kind, MemRefType) or packing(kind.element) < 2 or column is None or column in scalars.known:
        return word
    shift = scalars.chain(_SHIFT, scalars.node(column))
    signed = kind.element.name.startswith("i")
    return scalars.chain(1 + signed, scalars.add(scalars.alu, word, shift))


def widened(scalars: Scalars, value: Node) -> Node:
    """A bf16 as an f32: exponent and fraction moved, what is too small made zero by a sum, the sign put back."""
    small = scalars.add(scalars.float, scalars.chain(3, value))
    return scalars.chain(3, small)
