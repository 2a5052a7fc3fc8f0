"""Findings on speed that need no chip to be seen: steps that are mostly overhead, blocks fetched again and again, room
that is left unused.

All are warnings: the kernel is right, and the numbers are estimates of this stage.
"""

from __future__ import annotations

from itertools import permutations
from math import prod

from pipeline.chips.chip import Chip
from pipeline.errors import Diagnostic, Fix, Severity
from pipeline.ir.call import KernelCall, Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.schedule.enlarge import Larger, larger_blocks
from pipeline.schedule.limits import size_text
from pipeline.schedule.result import Estimate, MemoryUse
from pipeline.schedule.windows import Planned

_MANY_STEPS = 64  # fewer take no time to speak of
_MOST_AXES = 4  # orders of more axes are too many to try
_WORTH = 1 << 20  # bytes saved that are worth a word
_FREE = (3, 4)  # of VMEM: less than this part free is no finding
_PART = 0.2  # of a step's work: less overhead than this is not worth a word
_SMALL = 0.1  # of a step's work: the overhead that larger blocks are to reach
_SAVED = 1 << 15  # cycles over the whole call: fewer are not worth a word
_LEAST_STEPS = 4  # along the axis that is made shorter: with fewer nothing overlaps
_SHARE = 2  # and only if the other order moves at most one part in this many


def check_performance(
    call: KernelCall,
    planned: tuple[Planned, ...],
    memory: tuple[MemoryUse, ...],
    estimate: Estimate | None,
    chip: Chip,
) -> tuple[Diagnostic, ...]:
    """All findings on speed."""
    found = [_overhead(call, planned, memory, estimate, chip), _order(call, planned)]
    return tuple(finding for finding in found if finding is not None)


def _overhead(
    call: KernelCall,
    planned: tuple[Planned, ...],
    memory: tuple[MemoryUse, ...],
    estimate: Estimate | None,
    chip: Chip,
) -> Diagnostic | None:
    """Steps in which the pipeline's own code takes longer than the body and the copies beside it, or a good part of
    that while most of VMEM is free for larger blocks."""
    steps = prod(call.grid)
    rate = chip.hbm_bytes_per_cycle
    if estimate is None or rate is None or steps < _MANY_STEPS:
        return None
    moved = sum(entry.window.copy_bytes * entry.window.visits.copies for entry in planned) / steps
    overhead, body = estimate.overhead_bundles, estimate.bundles - estimate.overhead_bundles
    work = max(body, moved / rate, 1)
    vmem = next(use for use in memory if use.space is MemorySpace.VMEM)
    if work < overhead:
        plan = _larger(call, planned, vmem, chip, work, overhead)
        factor = 1 << max(1, -(-4 * overhead // max(1, int(work))) - 1).bit_length()
        factor = min(factor, 1 << max(1, (steps // 2).bit_length() - 1))
        hint = f"make blocks {factor} times as large and the grid as much shorter"
        bodies = f"the body about {body}" if body > 0 else "the body no more than runs beside it"
        copies = f"its copies about {moved / rate:.0f}" if moved >= rate else "its copies less than one"
        return Diagnostic(
            "P503",
            f"each of {steps} steps takes the pipeline's own code about {overhead} cycles, {bodies}, {copies}: most of "
            "the time is overhead",
            call.grid_span,
            f"{hint if plan is None else plan}; {size_text(max(0, vmem.headroom))} of VMEM are free",
            Severity.WARNING,
            fixes=() if plan is None else plan.fixes,
        )
    if vmem.headroom * _FREE[1] < min(vmem.limit, vmem.physical) * _FREE[0]:
        return None
    if max(overhead + body, moved / rate) - work < _PART * work:
        return None  # copies take longer than body and overhead together, or the overhead is small
    plan = _larger(call, planned, vmem, chip, work, overhead)
    if plan is None or overhead * (steps - steps // plan.factor) < _SAVED:
        return None
    return Diagnostic(
        "P505",
        f"{size_text(vmem.headroom)} of {size_text(min(vmem.limit, vmem.physical))} of VMEM are free, and each of "
        f"{steps} steps takes the pipeline's own code about {overhead} cycles beside about {work:.0f} of work; larger "
        "blocks would mean fewer steps",
        call.grid_span,
        f"{plan} ({plan.factor} times fewer steps, {size_text(plan.vmem_bytes)} of VMEM)",
        Severity.WARNING,
        fixes=plan.fixes,
    )


def _larger(
    call: KernelCall, planned: tuple[Planned, ...], vmem: MemoryUse, chip: Chip, work: float, overhead: int
) -> Larger | None:
    """The smallest plan in which overhead is a small part, else the largest there is."""
    plans = list(larger_blocks(call, planned, vmem, chip, _LEAST_STEPS))
    enough = [plan for plan in plans if overhead < _SMALL * work * plan.factor]
    if enough:
        return min(enough, key=lambda plan: (plan.factor, plan.vmem_bytes))
    return max(plans, key=lambda plan: (plan.factor, -plan.vmem_bytes), default=None)


def _order(call: KernelCall, planned: tuple[Planned, ...]) -> Diagnostic | None:
    """Another order of the grid's axes that fetches much less, and still leaves each output block only once."""
    rank = len(call.grid)
    if not 1 < rank <= _MOST_AXES or any(not entry.window.visits.regular for entry in planned):
        return None
    forms = [
        (entry, frozenset(a for form in entry.index_map.forms for a in form.axes if call.grid[a] > 1))
        for entry in planned
    ]

    def copies(used: frozenset[int], order: tuple[int, ...]) -> int:
        last = max((at for at, axis in enumerate(order) if axis in used), default=-1)
        return prod(call.grid[axis] for axis in order[: last + 1])

    def moved(order: tuple[int, ...]) -> int:
        return sum(entry.window.copy_bytes * copies(used, order) for entry, used in forms)

    def once(order: tuple[int, ...]) -> bool:
        outputs = (used for entry, used in forms if entry.operand.role is Role.OUTPUT)
        return all(copies(used, order) == prod(call.grid[axis] for axis in used) for used in outputs)

    own = tuple(range(rank))
    if any(copies(used, own) != entry.window.visits.copies for entry, used in forms):
        return None  # the maps do not simply count along their axes
    best = min(
        (order for order in permutations(own) if once(order)), key=lambda order: (moved(order), order), default=own
    )
    before, after = moved(own), moved(best)
    if before - after < _WORTH or after * _SHARE > before:
        return None
    worst = max(forms, key=lambda pair: pair[0].window.copy_bytes * (copies(pair[1], own) - copies(pair[1], best)))
    name, used = worst[0].window.operand, worst[1]
    return Diagnostic(
        "P504",
        f"the blocks of '{name}' are copied {copies(used, own)} times, {copies(used, best)} would do: in this order of "
        f"the grid all copies move {size_text(before)}, in another {size_text(after)}",
        call.grid_span,
        f"order the grid's axes as ({', '.join(map(str, best))}): grid "
        f"({', '.join(str(call.grid[axis]) for axis in best)}), with index maps and program ids to match",
        Severity.WARNING,
        fixes=(Fix("order", value=best),),
    )
