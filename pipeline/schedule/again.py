"""A finding on steps that a core runs again: where the cores of a device cannot share a grid evenly, one that has too
few steps runs the first again (`places.py`), and a kernel that works in place applies that step to its own result."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from pipeline.chips.chip import Chip
from pipeline.errors import Diagnostic, Fix, Severity
from pipeline.ir.call import KernelCall, Role
from pipeline.schedule.index_map import IndexMap
from pipeline.schedule.legality import span_or
from pipeline.schedule.places import Shared, share_out
from pipeline.schedule.uses import Use
from pipeline.schedule.windows import Planned


def check_repeats(
    call: KernelCall, planned: tuple[Planned, ...], uses: tuple[Use, ...], chip: Chip
) -> Iterator[Diagnostic]:
    """One finding for each output that holds what its aliased input is read for. Errors: none."""
    shared = share_out(call, chip.cores_per_device)
    if shared is None or not (again := _again(call, shared)):
        return
    steps = prod(call.grid[axis] for axis in shared.axes)
    maps = {entry.window.position: entry.index_map for entry in planned if entry.operand.block is not None}
    outputs = [i for i, operand in enumerate(call.operands) if operand.role is Role.OUTPUT]
    for source, target in call.aliases:
        position = outputs[target]
        if not (uses[source].read and uses[position].written and _same(maps.get(source), maps.get(position))):
            continue
        names = call.operands[source].name, call.operands[position].name
        axes = ", ".join(map(str, shared.axes))
        many = len(shared.axes) > 1
        words = tuple("arbitrary" if axis in shared.axes else word for axis, word in enumerate(call.semantics or ()))
        yield Diagnostic(
            "P310",
            f"{chip.cores_per_device} cores share the {steps} steps of grid {'axes' if many else 'axis'} {axes}, and "
            f"one of them runs the first {'' if again == 1 else f'{again} times '}again: it reads in '{names[0]}' what "
            f"it has written to '{names[1]}', the same memory, so what it does there may be done twice",
            span_or(call.grid_span, call.operands[position].span),
            f"let one parallel axis be a multiple of {chip.cores_per_device}, or declare "
            f'{"these axes" if many else "the axis"} "arbitrary"',
            Severity.WARNING,
            fixes=(Fix("set", "grid", "semantics", words),),
        )


def _again(call: KernelCall, shared: Shared) -> int:
    """How often the first step of the axes that cores share is run again."""
    if not shared.joined:
        return 0
    own = sum(places.own[0] for places in shared.places)
    return own - prod(call.grid[axis] for axis in shared.places[0].joined)


def _same(source: IndexMap | None, target: IndexMap | None) -> bool:
    """Whether a step has the same block of both; where a whole array is copied from or to, it may."""
    if source is None or target is None:
        return source is target
    return source.forms == target.forms
