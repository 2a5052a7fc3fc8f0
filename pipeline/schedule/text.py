"""The schedule as text: the capture of this stage. One fact a line, in sections, so that a diff names what changed."""

from __future__ import annotations

from pipeline.errors import Severity
from pipeline.ir.call import Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.schedule.limits import size_text
from pipeline.schedule.result import Action, Estimate, MemoryUse, Schedule, Window

_SPACE = {MemorySpace.VMEM: "vmem", MemorySpace.SMEM: "smem", MemorySpace.SEMAPHORE: "semaphores"}


def print_schedule(schedule: Schedule) -> str:
    """Windows, memory, pipeline, estimate, findings; ends in a newline."""
    grid = " x ".join(map(str, schedule.grid)) if schedule.grid else "none"
    lines = [
        f"schedule of {schedule.call} on {schedule.chip}",
        "",
        f"grid: {grid}",
        f"steps: {schedule.pipeline.steps}",
    ]
    for window in schedule.windows:
        lines += ["", *_window(window)]
    for use in schedule.memory:
        lines += ["", *_memory(schedule, use)]
    lines += ["", *_pipeline(schedule)]
    if schedule.estimate is not None:
        lines += ["", *_estimate(schedule.estimate)]
    elif not schedule.costed:
        lines += ["", f"bundles: not estimated, {schedule.chip} has no table of what instructions cost"]
    lines += ["", "findings:"]
    for finding in schedule.findings:
        word = "error" if finding.severity is Severity.ERROR else "warning"
        lines.append(f"  {word} {finding.code}: {finding.message}")
    if not schedule.findings:
        lines.append("  none")
    return "\n".join(lines) + "\n"


def _shape(shape: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"


def _window(window: Window) -> list[str]:
    visits = window.visits
    role = "input" if window.role is Role.INPUT else "output"
    about = "" if visits.exact else "at most "
    why = (
        "" if visits.exact else "  (the index map reads data)" if visits.data_dependent else "  (index map not decided)"
    )
    lines = [
        f"window {window.operand}: {role} in {_SPACE[window.space]}",
        f"  array: {window.dtype.short}{_shape(window.array)}",
        f"  block: {_shape(window.block)}",
        f"  tile: {window.tiling}",
        f"  bytes: {window.tile_bytes} a slot, {window.useful_bytes} without padding",
        f"  buffer slots: {window.buffers}, {window.buffers_why}",
    ]
    if visits.visited is None:
        lines.append(f"  blocks: {visits.blocks}")
    else:
        lines.append(f"  blocks: {visits.visited} of {visits.blocks} visited")
    lines.append(f"  copies: {about}{visits.copies} of {window.copy_bytes} B{why}")
    again = visits.steps - visits.copies
    lines.append(f"  steps that keep the block: {'' if visits.exact else 'at least '}{again}")
    return lines


def _memory(schedule: Schedule, use: MemoryUse) -> list[str]:
    rows = [a for a in schedule.allocations if a.space is use.space]
    lines = [f"{_SPACE[use.space]}:"]
    lines.extend(f"  {a.name}: {a.bytes} B, {a.kind}, {a.why}" for a in rows)
    lines.extend(f"  {a.name} at {a.offset}" for a in rows)  # apart: a new buffer moves those after it
    limit = f"{use.limit} B ({size_text(use.limit)}), {use.limit_why}"
    lines.append(f"  used: {use.used} B ({size_text(use.used)})")
    lines.append(f"  limit: {limit}")
    if use.space is MemorySpace.VMEM and use.limit != use.default_limit:
        lines.append(f"  default limit: {use.default_limit} B ({size_text(use.default_limit)})")
    lines.append(f"  physical: {use.physical} B ({size_text(use.physical)})")
    lines.append(f"  headroom: {use.headroom} B")
    if use.space is MemorySpace.VMEM:
        uncounted = [] if any(a.kind == "internal" for a in rows) else ["the compiler's internal scratch"]
        if schedule.estimate is not None:
            lines.append(f"  spilled registers: {schedule.estimate.spill_bytes} B beside that, estimate")
        else:
            uncounted.insert(0, "spilled registers")
        if uncounted:
            lines.append(f"  not counted: {', '.join(uncounted)}")
    return lines


def _action(action: Action) -> str:
    what = action.kind if action.operand is None else f"{action.kind} {action.operand}"
    return f"  {what}: {action.when}, {action.times} in all"


def _pipeline(schedule: Schedule) -> list[str]:
    pipeline = schedule.pipeline
    how = "copies overlap the body" if pipeline.overlapped else "nothing overlaps"
    lines = [f"pipeline: {pipeline.iterations} iterations, {how}"]
    for name, actions in (
        ("prologue", pipeline.prologue),
        ("steady state", pipeline.steady),
        ("epilogue", pipeline.epilogue),
    ):
        lines.append(f"{name}:")
        lines.extend(_action(a) for a in actions)
        if not actions:
            lines.append("  nothing")
    lines.append(f"hbm read: {pipeline.bytes_in} B")
    lines.append(f"hbm written: {pipeline.bytes_out} B")
    return lines


def _number(value: float) -> str:
    """At most two decimals, no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _estimate(estimate: Estimate) -> list[str]:
    lines = ["bundles of one step:"]
    width = max([len(f.family) for f in estimate.families], default=0)
    for f in estimate.families:
        slots = " ".join(f"{unit} {_number(n)}" for unit, n in f.slots if n)
        lines.append(f"  {f.family:<{width}}  {slots or 'free'}")
    for slot in estimate.slots:
        room = slot.capacity * max(1, estimate.body_bundles)
        share = f"{round(100 * slot.cycles / room)} %"
        lines.append(
            f"  {slot.unit}: {_number(slot.cycles)} over {slot.capacity} a bundle, {slot.bundles} bundles, {share}"
        )
    lines.append(f"  slot bound: {estimate.slot_bundles} bundles")
    lines.append(f"  body: {estimate.body_bundles} bundles")
    lines.append(f"  step overhead: {estimate.overhead_bundles} bundles")
    lines.append(f"  bundles: {estimate.bundles}, bound by {estimate.bound}")
    lines.append(f"  registers: {estimate.pressure} wanted at once of {estimate.registers}, {estimate.spills} spilled")
    lines.append(f"  flops: {estimate.flops}")
    lines.extend(f"  no cost known: {name}" for name in estimate.unknown)
    lines.extend(f"  note: {note}" for note in estimate.notes)
    lines += ["", f"critical path: {estimate.latency_bundles} bundles"]
    width = max([len(part.op) for part in estimate.path], default=0)
    for part in estimate.path:
        waited = f" ({part.waited} for a slot)" if part.waited else ""
        lines.append(f"  {part.op:<{width}}  {part.cycles}{waited}" + (f"  {part.text}" if part.text else ""))
    lines += ["", "bundles of the longest block:", *(f"  {line}" for line in estimate.listing)]
    return lines
