"""Larger blocks that a kernel could have: a grid axis made shorter, the blocks that it moves made longer by as much.

An axis can be shortened if every map either leaves it out or counts blocks along it, and if the body does not ask where
on it a step is. What is proposed is tried: the blocks are legal, and the windows fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.ir.call import Blocked, KernelCall, Operand
from pipeline.ir.jaxpr import Jaxpr, MemorySpace, Prim
from pipeline.schedule.index_map import Form
from pipeline.schedule.legality import check_blocks
from pipeline.schedule.memory_plan import plan_memory
from pipeline.schedule.result import MemoryUse
from pipeline.schedule.uses import nested
from pipeline.schedule.windows import Planned, plan_windows

_ROOM = 2  # what is proposed takes one part in this many of the limit: spilled registers grow with the blocks


class Larger(NamedTuple):
    """A plan with `factor` times fewer steps: the grid, and the operands whose blocks change, by name."""

    factor: int
    grid: tuple[int, ...]
    blocks: tuple[tuple[str, tuple[int, ...]], ...]
    vmem_bytes: int

    def __str__(self) -> str:
        blocks = ", ".join(f"{name}: block = {list(block)}" for name, block in self.blocks)
        return f"{blocks}, grid: shape = {list(self.grid)}"


def larger_blocks(
    call: KernelCall, planned: tuple[Planned, ...], vmem: MemoryUse, chip: Chip, least_steps: int
) -> Iterator[Larger]:
    """Plans that are legal and take at most half of the VMEM they may, each with its factor, axis by axis."""
    asked = _asked(call.body)
    for axis, n in enumerate(call.grid):
        moved = _moved(planned, axis)
        if axis in asked or not moved:
            continue
        factor = 2
        while n % factor == 0 and n // factor >= least_steps:
            made = _with(call, planned, axis, factor, moved)
            if any(finding.code for finding in check_blocks(made, chip)):
                break
            windows = tuple(entry.window for entry in plan_windows(made, chip))
            _, memory = plan_memory(made, windows, chip)
            used = next(use.used for use in memory if use.space is MemorySpace.VMEM)
            if used > min(vmem.limit, vmem.physical) // _ROOM:
                break
            blocks = tuple((windows[at].operand, windows[at].block) for at in moved)
            yield Larger(factor, made.grid, blocks, used)
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


def _with(call: KernelCall, planned: tuple[Planned, ...], axis: int, factor: int, moved: dict[int, int]) -> KernelCall:
    """The call with blocks and grid changed; its body is left as it is, since only shapes and maps are looked at."""
    operands = list(call.operands)
    for at, dim in moved.items():
        operand = planned[at].operand
        assert operand.block is not None
        block = [
            Blocked(planned[at].window.block[d] * factor) if d == dim else old for d, old in enumerate(operand.block)
        ]
        operands[planned[at].window.position] = replace(operand, block=tuple(block))
    grid = tuple(n // factor if a == axis else n for a, n in enumerate(call.grid))
    return replace(call, operands=tuple(operands), grid=grid)
