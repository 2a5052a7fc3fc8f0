"""Windows: for each operand with a block its place in fast memory, its padding, its buffer slots and its visits."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.ir.call import BlockDim, Blocked, Element, KernelCall, Operand, Role, Squeezed
from pipeline.ir.jaxpr import MemorySpace
from pipeline.schedule.index_map import IndexMap, analyse, constant_map
from pipeline.schedule.layout import (
    WINDOW_GRANULE_BYTES,
    plain_bytes,
    round_up,
    smem_bytes,
    tiled_bytes,
    tiling,
)
from pipeline.schedule.places import core_steps
from pipeline.schedule.result import Visits, Window
from pipeline.schedule.visits import count_visits

_FAST = {MemorySpace.DEFAULT: MemorySpace.VMEM, MemorySpace.VMEM: MemorySpace.VMEM, MemorySpace.SMEM: MemorySpace.SMEM}


class Planned(NamedTuple):
    """A window with the index map it came from: what the checks of this stage work on."""

    window: Window
    operand: Operand
    index_map: IndexMap


def dim_size(dim: BlockDim) -> int:
    """Elements of one block along a dimension."""
    match dim:
        case Blocked(size) | Element(size, _):
            return size
        case Squeezed():
            return 1


def block_count(dim: BlockDim, size: int) -> int:
    """Blocks along an axis of `size` elements: block positions for `Element`."""
    match dim:
        case Blocked(block):
            return max(1, -(-size // max(1, block)))
        case Squeezed():
            return size
        case Element(block, (low, high)):
            return max(1, size + low + high - block + 1)


def plan_windows(call: KernelCall, chip: Chip) -> tuple[Planned, ...]:
    """A window for each input and output in VMEM or SMEM, in operand order; operands left in HBM have none."""
    planned: list[Planned] = []
    one_step = core_steps(call, chip) == 1
    for position, operand in enumerate(call.operands):
        space = _FAST.get(operand.ref.space)
        if operand.role is Role.SCALAR_PREFETCH or space is None:
            continue
        shape = operand.array.shape
        if operand.block is None:
            index_map = constant_map(len(shape), call.grid)
            block, blocks = shape, 1
        else:
            block = tuple(dim_size(dim) for dim in operand.block)
            blocks = prod(block_count(dim, size) for dim, size in zip(operand.block, shape, strict=True))
            index_map = (
                analyse(operand.index_map, call.grid)
                if operand.index_map is not None
                else constant_map(len(shape), call.grid)
            )
        visits = count_visits(index_map, blocks)
        slots = buffer_slots(operand, index_map, one_step)
        window = _window(operand, position, space, block, slots, visits, chip)
        planned.append(Planned(window, operand, index_map))
    return tuple(planned)


def _window(
    operand: Operand,
    position: int,
    space: MemorySpace,
    block: tuple[int, ...],
    slots: tuple[int, str],
    visits: Visits,
    chip: Chip,
) -> Window:
    shape, dtype = operand.array.shape, operand.array.dtype
    tile = tiling(shape if len(shape) > 1 else block, dtype, chip)
    buffers, why = slots
    tile_bytes = tiled_bytes(block, dtype, tile) if space is MemorySpace.VMEM else smem_bytes(block, dtype, chip)
    moved = tuple(min(b, n) for b, n in zip(block, shape, strict=True))
    return Window(
        operand=operand.name,
        position=position,
        role=operand.role,
        space=space,
        dtype=dtype,
        array=shape,
        block=block,
        tiling=tile,
        tile_bytes=tile_bytes,
        useful_bytes=plain_bytes(block, dtype),
        copy_bytes=tiled_bytes(moved, dtype, tile),
        buffers=buffers,
        buffers_why=why,
        bytes=round_up(tile_bytes * buffers, WINDOW_GRANULE_BYTES if space is MemorySpace.VMEM else 1),
        visits=visits,
    )


def buffer_slots(operand: Operand, index_map: IndexMap, one_step: bool) -> tuple[int, str]:
    """Buffer slots of a window and the rule that gives them.

    Source: window allocations of libtpu 0.0.42.1. Two, so that a copy runs beside the body, unless the block cannot
    change; what counts is whether the map depends on a grid axis of size 2 or more, not the values it takes. Of a grid
    that cores share, that is still the whole grid's axis; but a core with one step has no use for a second slot.
    """
    if operand.block is None:
        return 1, "whole array"
    if all(n == 1 for n in index_map.grid):
        return 1, "one step"
    if not index_map.depends_on_grid:
        return 1, "constant index map"
    if one_step:
        return 1, "one step a core"
    if operand.buffer_count == 1:
        return 1, "Buffered(1)"
    return 2, "double buffered"


def lane_share(window: Window, chip: Chip) -> tuple[int, int]:
    """(elements used, elements of the lanes they take) along the last axis of the block."""
    n = window.block[-1] if window.block else 1
    return n, round_up(n, chip.lanes)
