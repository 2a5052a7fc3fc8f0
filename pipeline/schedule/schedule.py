"""The schedule stage: a traced call, its module and a chip to a `Schedule`, with every legality finding."""

from __future__ import annotations

from pipeline.chips.chip import Chip
from pipeline.chips.costs import load_costs
from pipeline.errors import Diagnostic, Severity
from pipeline.ir.call import KernelCall
from pipeline.ir.module import Module
from pipeline.schedule.accesses import check_accesses
from pipeline.schedule.bundles.kept import kept_inputs
from pipeline.schedule.bundles.summary import estimate_step
from pipeline.schedule.copies import check_copies
from pipeline.schedule.cores import split_grid
from pipeline.schedule.hazards import check_hazards, check_matmuls
from pipeline.schedule.legality import check_blocks
from pipeline.schedule.limits import check_memory
from pipeline.schedule.memory_plan import plan_memory
from pipeline.schedule.ops import check_ops
from pipeline.schedule.performance import check_performance
from pipeline.schedule.pipeline import plan_pipeline
from pipeline.schedule.result import Schedule
from pipeline.schedule.windows import plan_windows


def schedule(call: KernelCall, module: Module | None, chip: Chip, estimated: bool = True) -> Schedule:
    """Schedule `call` on `chip`. `module` is its lowering, for the estimate; None leaves the estimate out.

    `estimated=False` leaves out the estimate, and what it alone finds: enough for a verdict.

    Errors: none for a well-formed call; what is illegal is in `findings` and the rest is made as far as it goes.
    SpecError for a profile whose cost table cannot be used.
    """
    planned = plan_windows(call, chip)
    windows = tuple(entry.window for entry in planned)
    allocations, memory = plan_memory(call, windows, chip)
    pipeline = plan_pipeline(call.grid, windows)
    costs = None if module is None or not estimated else load_costs(chip)
    split = split_grid(call, planned, chip)
    own = call.grid if split is None else split.shares[0].places.own
    estimate = None
    if module is not None and costs is not None:
        estimate = estimate_step(module, planned, own, chip, costs, split is not None, kept_inputs(call, chip))
    findings: tuple[Diagnostic, ...] = (
        *check_blocks(call, chip),
        *check_memory(call, windows, allocations, memory, estimate, chip),
        *check_hazards(call, planned, chip),
        *check_copies(call, chip),
        *check_accesses(call, chip),
        *(check_ops(module, chip) if module is not None else ()),
        *(check_matmuls(module, chip) if module is not None else ()),
    )
    if not any(finding.severity is Severity.ERROR for finding in findings):  # of a refused kernel speed says nothing
        findings += check_performance(call, planned, memory, estimate, chip)
    return Schedule(
        call=call.name,
        chip=chip.name,
        grid=call.grid,
        windows=windows,
        allocations=allocations,
        memory=memory,
        pipeline=pipeline,
        estimate=estimate,
        findings=findings,
        split=split,
        costed=chip.costs is not None,
    )
