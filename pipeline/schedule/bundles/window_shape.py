"""What a window's copies are like: whether its blocks move, are cut off or lie in one piece, and where they are.

Source: libtpu 0.0.42.1's schedules of windows of one to four axes, of every dtype, with arrays that are no whole number
of blocks.
"""

from __future__ import annotations

from math import prod

from pipeline.chips.chip import Chip
from pipeline.ir.call import Blocked
from pipeline.ir.jaxpr import MemorySpace
from pipeline.schedule.layout import packing, padded, tiling
from pipeline.schedule.result import Tiling
from pipeline.schedule.windows import Planned


def is_whole(entry: Planned) -> bool:
    """Whether the block is the array."""
    return prod(entry.window.block) == prod(entry.window.array)


def moves(entry: Planned) -> bool:
    """Whether the block can change from step to step, as far as the index map's text says."""
    return entry.index_map.depends_on_grid


def in_place(entry: Planned, kept: frozenset[int]) -> bool:
    """Whether the blocks are where the kernel reads them before the call."""
    return entry.window.space is MemorySpace.VMEM and entry.window.position in kept


def cut_off(entry: Planned, chip: Chip) -> bool:
    """Whether the array's last blocks are cut off, so that a copy's size has to be found out. An array ends where its
    last tile does, one of a single axis where its last row of words does."""
    array = entry.operand.array
    row = Tiling(None, chip.lanes * packing(array.dtype))
    ends = padded(array.shape, row if len(array.shape) < 2 else tiling(array.shape, array.dtype, chip))
    sizes = zip(entry.operand.block or (), array.shape, ends, strict=False)
    return moves(entry) and any(
        isinstance(dim, Blocked) and size % dim.size > 0 and end % dim.size > 0 for dim, size, end in sizes
    )


def steps(entry: Planned) -> list[int]:
    """How far one block is from the next along each dimension, in tiles."""
    window = entry.window
    if len(window.block) < 2 or window.tiling.rows is None:
        return [max(1, n) for n in window.block]
    lanes, rows = window.tiling.lanes, window.tiling.rows
    across = -(-window.array[-1] // lanes)
    steps = [max(1, window.block[-1] // lanes), max(1, window.block[-2] // rows) * across]
    size = across * -(-window.array[-2] // rows)
    for block, array in zip(reversed(window.block[:-2]), reversed(window.array[:-2]), strict=True):
        steps.append(size * block)
        size *= array
    return steps[::-1]


def strides(entry: Planned, partial: bool = False) -> tuple[int, int, int] | None:
    """The strides of a copy and the steps of each, None for one that is contiguous; with a size that is found out it is
    that of one tile only."""
    window = entry.window
    if len(window.block) < 2 or window.tiling.rows is None:
        return None
    lanes = window.tiling.lanes
    block, array = (-(-n // lanes) for n in (window.block[-1], window.array[-1]))
    rows = -(-window.block[-2] // window.tiling.rows)
    outer = prod(window.block[:-2])
    if outer * rows == 1 or (block == array == 1 and rows == 1 and not partial):
        return None
    return block, array, rows


def is_apart(entry: Planned) -> bool:
    """Whether a block of an array that is in VMEM already is copied, because its tiles are apart there."""
    return levels(entry) > 0


def levels(entry: Planned) -> int:
    """Strides between the pieces of a block, each of which is some times as long as the one inside it: 0 for a block
    in one piece, 1 for pieces that are equally far apart."""
    window = entry.window
    if len(window.block) < 2 or window.tiling.rows is None:
        return 0
    units = (*(1 for _ in window.block[:-2]), window.tiling.rows, window.tiling.lanes)
    block, array = ([-(-n // unit) for n, unit in zip(of, units, strict=True)] for of in (window.block, window.array))
    found, broken = 0, False
    for n, of in zip(reversed(block), reversed(array), strict=True):
        if n > 1 and broken:
            found, broken = found + 1, False
        broken = broken or n < of
    return found
