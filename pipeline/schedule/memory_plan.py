"""The memory plan: every allocation in VMEM, SMEM and semaphore memory, and each memory's use against its limits.

What is counted, and what is not, follows the compiler's own accounting (libtpu 0.0.42.1): windows, then scratch, then
the peak of scoped allocations, and the compiler's internal scratch where a kernel is known to take it. Spilled
registers, and that scratch for other kernels, come on top and cannot be read off shapes; the text of the schedule says
so.
"""

from __future__ import annotations

from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.dtypes import DType
from pipeline.ir.call import KernelCall, Role
from pipeline.ir.jaxpr import Jaxpr, MemorySpace, Prim, RefAval
from pipeline.schedule.internal_scratch import internal_scratch
from pipeline.schedule.layout import plain_bytes, scratch_bytes, smem_bytes
from pipeline.schedule.result import Allocation, MemoryUse, Window
from pipeline.schedule.uses import nested, ref_uses

SEMAPHORE_BYTES = 4
_SPACES = (MemorySpace.VMEM, MemorySpace.SMEM, MemorySpace.SEMAPHORE)


class Scoped(NamedTuple):
    """A `run_scoped` allocation; `offset` is within the scoped area of its space."""

    space: MemorySpace
    name: str
    offset: int
    bytes: int
    shape: tuple[int, ...]
    dtype: DType


def plan_memory(
    call: KernelCall, windows: tuple[Window, ...], chip: Chip
) -> tuple[tuple[Allocation, ...], tuple[MemoryUse, ...]]:
    """Allocations in address order within each space, and the use of each space."""
    allocations: list[Allocation] = []
    tops = dict.fromkeys(_SPACES, 0)

    def place(space: MemorySpace, name: str, kind: str, size: int, why: str) -> None:
        allocations.append(Allocation(space, name, kind, tops[space], size, why))
        tops[space] += size

    for window in windows:
        kind = "window" if window.buffers_why != "whole array" else "whole"
        slots = f"{window.buffers} x {window.tile_bytes} B"
        place(window.space, window.operand, kind, window.bytes, f"{slots}, {window.buffers_why}")
    for operand in call.operands:
        if operand.role is Role.SCALAR_PREFETCH:
            size = smem_bytes(operand.array.shape, operand.array.dtype, chip)
            place(MemorySpace.SMEM, operand.name, "scalar prefetch", size, str(operand.array))
    uses = ref_uses(call.body)[len(call.operands) :]
    for scratch, use in zip(call.scratch, uses, strict=True):
        space = _space(scratch.ref)
        if space is None:
            continue
        size, why = _scratch_size(scratch.ref, space, chip)
        if space is MemorySpace.VMEM and not use.read:
            size, why = 0, f"{why}, never read: dropped"
        place(space, scratch.name, "semaphores" if space is MemorySpace.SEMAPHORE else "scratch", size, why)
    internal = internal_scratch(call.body, chip)
    if internal is not None:
        place(MemorySpace.VMEM, "internal scratch", "internal", *internal)
    for window in windows:
        size = SEMAPHORE_BYTES * window.buffers
        place(MemorySpace.SEMAPHORE, window.operand, "semaphores", size, "one for each buffer slot")
    peaks = dict.fromkeys(_SPACES, 0)
    for scoped in scoped_allocations(call.body, chip):
        at = tops[scoped.space] + scoped.offset
        why = f"{scoped.dtype.short}[{','.join(map(str, scoped.shape))}], live inside run_scoped"
        allocations.append(Allocation(scoped.space, scoped.name, "scoped", at, scoped.bytes, why))
        peaks[scoped.space] = max(peaks[scoped.space], scoped.offset + scoped.bytes)
    own = call.vmem_limit_bytes
    default = chip.vmem_default_limit_bytes
    limits = {
        MemorySpace.VMEM: (default if own is None else own, default, chip.vmem_bytes),
        MemorySpace.SMEM: (chip.smem_bytes - chip.smem_reserved_bytes,) * 2 + (chip.smem_bytes,),
        MemorySpace.SEMAPHORE: (chip.semaphore_bytes - chip.semaphore_reserved_bytes,) * 2 + (chip.semaphore_bytes,),
    }
    uses_of = []
    for space in _SPACES:
        limit, default, physical = limits[space]
        why = "vmem_limit_bytes" if space is MemorySpace.VMEM and own is not None else "default"
        uses_of.append(MemoryUse(space, tops[space] + peaks[space], limit, why, default, physical))
    order = {space: i for i, space in enumerate(_SPACES)}
    return tuple(sorted(allocations, key=lambda a: (order[a.space], a.offset))), tuple(uses_of)


def _space(ref: RefAval) -> MemorySpace | None:
    if ref.dtype.is_semaphore or ref.space is MemorySpace.SEMAPHORE:
        return MemorySpace.SEMAPHORE
    if ref.space in (MemorySpace.VMEM, MemorySpace.DEFAULT):
        return MemorySpace.VMEM
    return MemorySpace.SMEM if ref.space is MemorySpace.SMEM else None


def _scratch_size(ref: RefAval, space: MemorySpace, chip: Chip) -> tuple[int, str]:
    match space:
        case MemorySpace.SEMAPHORE:
            return SEMAPHORE_BYTES * ref.inner.size, f"{ref.inner.size} of {SEMAPHORE_BYTES} B"
        case MemorySpace.SMEM:
            return smem_bytes(ref.shape, ref.dtype, chip), str(ref.inner)
        case _:
            size = scratch_bytes(ref.shape, ref.dtype, chip)
            plain = plain_bytes(ref.shape, ref.dtype)
            return size, str(ref.inner) if size == plain else f"{ref.inner}, {plain} B before padding"


def scoped_allocations(body: Jaxpr, chip: Chip) -> tuple[Scoped, ...]:
    """Every `run_scoped` allocation of a body, in program order; those that are never live together share bytes."""
    found: list[Scoped] = []
    _scoped(body, dict.fromkeys(_SPACES, 0), found, chip)
    return tuple(found)


def _scoped(jaxpr: Jaxpr, live: dict[MemorySpace, int], found: list[Scoped], chip: Chip) -> None:
    for eqn in jaxpr.eqns:
        inside = dict(live)
        if eqn.prim is Prim.RUN_SCOPED:
            inner = eqn.param("jaxpr")
            assert isinstance(inner, Jaxpr)
            for var in inner.invars[: len(inner.invars) - len(eqn.inputs)]:
                assert isinstance(var.aval, RefAval)
                space = _space(var.aval)
                if space is None:
                    continue
                size, _ = _scratch_size(var.aval, space, chip)
                name = f"scoped {len(found)}"
                found.append(Scoped(space, name, inside[space], size, var.aval.shape, var.aval.dtype))
                inside[space] += size
        for called, _ in nested(eqn):
            _scoped(called, inside, found, chip)
