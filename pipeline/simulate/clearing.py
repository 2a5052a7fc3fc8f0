"""What clears a buffer that a kernel adds into: the fix of findings on memory that nobody wrote."""

from __future__ import annotations

from pipeline.errors import Fix
from pipeline.ir.call import KernelCall, Operand, Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.schedule.index_map import analyse

_VECTOR = (MemorySpace.VMEM, MemorySpace.DEFAULT)


def clearing(call: KernelCall, name: str) -> tuple[Fix, ...]:
    """Zeros in an output's block, or in scratch in VMEM, in the first of the steps that share it.

    An output's block is shared along the grid axes that its index map does not name. Scratch has no index map: taken
    are the axes that no output names, or the whole grid where each axis is named. None where that hangs on data.
    """
    outputs = call.with_role(Role.OUTPUT)
    operand = next((one for one in outputs if one.name == name), None)
    ref = operand.ref if operand is not None else next((s.ref for s in call.scratch if s.name == name), None)
    if ref is None or ref.space not in _VECTOR or ref.dtype.is_semaphore:
        return ()
    named: set[int] = set()
    for one in outputs if operand is None else (operand,):
        axes = _axes(one, call.grid)
        if axes is None:
            return ()
        named |= axes
    shared = tuple(axis for axis, size in enumerate(call.grid) if size > 1 and axis not in named)
    if operand is None and not shared:
        shared = tuple(axis for axis, size in enumerate(call.grid) if size > 1)
    return (Fix("clear", name, value=shared),)


def _axes(operand: Operand, grid: tuple[int, ...]) -> set[int] | None:
    """The grid axes that an operand's block hangs on; None where it hangs on data."""
    if operand.index_map is None:
        return set()
    forms = analyse(operand.index_map, grid).forms
    return None if any(form.data for form in forms) else {axis for form in forms for axis in form.axes}
