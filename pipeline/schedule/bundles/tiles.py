"""Vectors as registers: which node holds which tile of a value, and how tiles of different element widths line up.

A register holds 8 x 128 words of 32 bits; of 16-bit elements it holds 16 rows, of 8-bit ones 32.
"""

from __future__ import annotations

import re
from math import prod
from typing import NamedTuple

from pipeline.ir.module import ScalarType, Type, VectorType
from pipeline.schedule.bundles.graph import FREE, Node

_BITS = re.compile(r"\d+")


class Tiled(NamedTuple):
    """A vector value.

    outer:   size of the axes before the last two, flattened.
    rows, columns: registers along the last two axes.
    nodes:   outer x rows x columns, row-major; repeated where a broadcast repeats them.
    packing: elements in a word.
    lane_same, row_same: the value is the same in all lanes (sublanes) of its registers: broadcasting it is free.
    upright: the last axis of the type lies along sublanes (a lane reduction's result), one column of registers.
    shift, down: the lane and the row of the first register that the first element is in.
    apart: a mask whose rows are in registers of their own, of which `nodes` are the last.
    """

    outer: int
    rows: int
    columns: int
    nodes: list[Node]
    packing: int = 1
    lane_same: bool = False
    row_same: bool = False
    upright: bool = False
    shift: int = 0
    down: int = 0
    apart: bool = False

    def at(self, outer: int, row: int, column: int) -> Node:
        return self.nodes[(outer * self.rows + row) * self.columns + column]


def packing(element: ScalarType) -> int:
    """Elements of a 32-bit word; 1 for masks, indices and wider types."""
    found = _BITS.search(element.name)
    bits = int(found.group()) if found else 32
    return 32 // bits if 1 < bits < 32 else 1


def short(kind: Type) -> str:
    """Element type as the cost tables name it."""
    assert isinstance(kind, VectorType)
    name = kind.element.name
    return "f8" if name.startswith("f8") else name


def grid(kind: VectorType, per_word: int, sublanes: int, lanes: int) -> tuple[int, int, int]:
    """(outer, rows, columns) in registers of a vector; one axis lies along lanes."""
    shape = kind.shape
    columns = -(-shape[-1] // lanes) if shape else 1
    if len(shape) < 2:
        return 1, 1, columns
    return prod(shape[:-2]), -(-shape[-2] // (sublanes * per_word)), columns


def splat(kind: VectorType, sublanes: int, lanes: int) -> Tiled:
    """A constant: there from the start, the same everywhere."""
    per_word = packing(kind.element)
    outer, rows, columns = grid(kind, per_word, sublanes, lanes)
    return Tiled(outer, rows, columns, [FREE] * (outer * rows * columns), per_word, True, True)


def aligned(value: Tiled, outer: int, rows: int, columns: int) -> list[Node]:
    """The nodes of `value` for each register of a result of this grid: of the same shape, or broadcast, or packed
    otherwise, where several registers of the one share a register of the other."""
    if (value.outer, value.rows, value.columns) == (outer, rows, columns):
        return value.nodes
    nodes: list[Node] = []
    for o in range(outer):
        at = o * value.outer // outer if value.outer <= outer else o
        for r in range(rows):
            start = (at * value.rows + (r * value.rows // rows)) * value.columns
            if value.columns == columns:
                nodes.extend(value.nodes[start : start + columns])
            else:
                nodes.extend(value.nodes[start + c * value.columns // columns] for c in range(columns))
    return nodes


def spread(
    value: Tiled, source: tuple[int, ...], result: tuple[int, ...], outer: int, rows: int, columns: int
) -> list[Node]:
    """Registers repeated along the axes that grow."""
    sizes = result[:-2]
    theirs = (1,) * (len(result) - len(source)) + source
    nodes: list[Node] = []
    for o in range(outer):
        rest, at, stride = o, 0, 1
        for axis in range(len(sizes) - 1, -1, -1):
            rest, digit = divmod(rest, sizes[axis])
            if theirs[axis] != 1:
                at += digit * stride
                stride *= theirs[axis]
        at = min(at, value.outer - 1)
        for r in range(rows):
            row = min(r, value.rows - 1)
            start = (at * value.rows + row) * value.columns
            if value.columns == columns:
                nodes.extend(value.nodes[start : start + columns])
            else:
                nodes.extend([value.nodes[start]] * columns)
    return nodes
