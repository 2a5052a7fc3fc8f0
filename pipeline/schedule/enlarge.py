"""Larger blocks that a kernel could have: a grid axis made shorter, the blocks that it moves made longer by as much.

An axis can be shortened if every map either leaves it out or counts blocks along it, and if the body does not ask where
on it a step is. What is proposed is tried: the blocks are legal, and the windows fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.errors import Fix
from pipeline.ir.call import Blocked, KernelCall, Operand, Squeezed
from pipeline.ir.jaxpr import Jaxpr, MemorySpace, Prim
from pipeline.schedule.index_map import Form
from pipeline.schedule.legality import check_block
from pipeline.schedule.limits import window_bytes
from pipeline.schedule.result import MemoryUse
from pipeline.schedule.uses import nested
from pipeline.schedule.windows import Planned, dim_size

_ROOM = 2  # what is proposed takes one part in this many of the limit: spilled registers grow with the blocks


class Larger(NamedTuple):
    """A plan with `factor` times fewer steps: the grid, and the operands whose blocks change, by name."""

    factor: int
    grid: tuple[int, ...]
    blocks: tuple[tuple[str, tuple[int | str | None, ...]], ...]
    vmem_bytes: int

    def __str__(self) -> str:
        blocks = ", ".join(f"{name}: block = [{', '.join(map(str, block))}]" for name, block in self.blocks)
        return f"{blocks}, grid: shape = {list(self.grid)}"

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """The same as changes of the spec."""
        return (
            *(Fix("set", name, "block", block) for name, block in self.blocks),
            Fix("set", "grid", "shape", self.grid),
        )


def larger_blocks(
    call: KernelCall, planned: tuple[Planned, ...], vmem: MemoryUse, chip: Chip, least_steps: int
) -> Iterator[Larger]:
    """Plans that are legal and take at most half of the VMEM they may, each with its factor, axis by axis."""
    asked = _asked(call.body)
    for axis, n in enumerate(call.grid):
        moved = _moved(planned, axis)
        if axis in asked or axis in call.dynamic_grid or not moved:
            continue
        factor = 2
        while n % factor == 0 and n // factor >= least_steps:
            made = [_enlarged(planned[at], dim, factor) for at, dim in moved.items()]
            grid = tuple(steps // factor if a == axis else steps for a, steps in enumerate(call.grid))
            if any(True for operand in made for _ in check_block(operand, grid, chip, True)):
                break
            blocks = [(planned[at].window, _sizes(operand)) for at, operand in zip(moved, made, strict=True)]
            used = vmem.used + sum(
                window_bytes(window, block) - window.bytes
                for window, block in blocks
                if window.space is MemorySpace.VMEM
            )
            if used > min(vmem.limit, vmem.physical) // _ROOM:
                break
            yield Larger(factor, grid, tuple((operand.name, _entries(operand)) for operand in made), used)
            factor *= 2


def _asked(jaxpr: Jaxpr) -> set[object]:
    """Grid axes that the body asks for."""
    found: set[object] = {eqn.param("axis") for eqn in jaxpr.eqns if eqn.prim in (Prim.PROGRAM_ID, Prim.NUM_PROGRAMS)}
    for eqn in jaxpr.eqns:
        for inner, _ in nested(eqn):
            found |= _asked(inner)
    return found


def _moved(planned: tuple[Planned, ...], axis: int) -> dict[int, int]:
    """Window -> the dimension along which the axis moves its block; {} where some map does anything else with it."""
    found: dict[int, int] = {}
    for at, entry in enumerate(planned):
        for dim, form in enumerate(entry.index_map.forms):
            if axis not in form.axes and not form.data:
                continue
            if at in found or not _counts(form, axis) or not _whole_blocks(entry.operand, dim):
                return {}
            found[at] = dim
    return found


def _counts(form: Form, axis: int) -> bool:
    """Whether a block index is the grid index itself."""
    return form.coefficients is not None and form.axes == (axis,) and (form.constant, form.coefficients[axis]) == (0, 1)


def _whole_blocks(operand: Operand, dim: int) -> bool:
    assert operand.block is not None
    size = operand.block[dim]
    return isinstance(size, Blocked) and operand.array.shape[dim] % size.size == 0


def _enlarged(entry: Planned, dim: int, factor: int) -> Operand:
    """The operand with a longer block; the maps count blocks and stay as they are."""
    assert entry.operand.block is not None
    sizes = entry.window.block
    block = tuple(Blocked(sizes[d] * factor) if d == dim else old for d, old in enumerate(entry.operand.block))
    return replace(entry.operand, block=block)


def _entries(operand: Operand) -> tuple[int | str | None, ...]:
    """The block as a spec has it."""
    assert operand.block is not None
    return tuple("squeezed" if isinstance(dim, Squeezed) else dim_size(dim) for dim in operand.block)


def _sizes(operand: Operand) -> tuple[int, ...]:
    assert operand.block is not None
    return tuple(map(dim_size, operand.block))
