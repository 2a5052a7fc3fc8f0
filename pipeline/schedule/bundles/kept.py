"""Inputs that the compiler places in VMEM before the call, so that no window of theirs is copied."""

from __future__ import annotations

from math import prod

from pipeline.chips.chip import Chip
from pipeline.ir.call import KernelCall, Role


def kept_inputs(call: KernelCall, chip: Chip) -> frozenset[int]:
    """Positions, among the call's operands, of inputs that are in VMEM when the kernel begins, tables among them.

    The smallest first, and of equals the earliest, while there is room beside what the call may take; one that shares
    its memory with an output stays where that is.

    Source: where libtpu 0.0.42.1 has the operands of kernels with one to six inputs of 1 to 54 MiB, at nine limits.
    """
    default = chip.vmem_default_limit_bytes
    room = chip.inputs_kept_bytes and chip.inputs_kept_bytes + default - (call.vmem_limit_bytes or default)
    shared = {position for position, _ in call.aliases}
    sizes = [
        (prod(operand.array.shape) * operand.array.dtype.bits // 8, position)
        for position, operand in enumerate(call.operands)
        if operand.role is not Role.OUTPUT and position not in shared
    ]
    kept = set()
    for size, position in sorted(sizes):
        if size <= room:
            room -= size
            kept.add(position)
    return frozenset(kept)
