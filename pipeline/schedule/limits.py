"""Does the memory plan fit? Findings on VMEM, SMEM, semaphores and HBM, with the nearest plan that does."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from pipeline.chips.chip import Chip
from pipeline.errors import Diagnostic, Fix, Severity
from pipeline.ir.call import Element, KernelCall, Role
from pipeline.ir.jaxpr import MemorySpace, RefAval
from pipeline.schedule.layout import (
    WINDOW_GRANULE_BYTES,
    round_up,
    scratch_bytes,
    tiled_bytes,
    tiling,
)
from pipeline.schedule.legality import span_or
from pipeline.schedule.result import Allocation, Estimate, MemoryUse, Window


def size_text(size: int) -> str:
    """Bytes as people say them, exactly: `48 MiB`, `36 KiB`, `100 B`; at most three decimals, else bytes."""
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if abs(size) >= factor and (size * 8) % factor == 0:
            return f"{f'{size / factor:.3f}'.rstrip('0').rstrip('.')} {unit}"
    return f"{size} B"


def check_memory(
    call: KernelCall,
    windows: tuple[Window, ...],
    allocations: tuple[Allocation, ...],
    memory: tuple[MemoryUse, ...],
    estimate: Estimate | None,
    chip: Chip,
) -> tuple[Diagnostic, ...]:
    """All findings on memories that overflow."""
    findings: list[Diagnostic] = []
    for use in memory:
        if use.headroom >= 0:
            spilled = estimate.spill_bytes if estimate is not None and use.space is MemorySpace.VMEM else 0
            if spilled > use.headroom:
                findings.append(_spilled(call, use, spilled, _with_room(use, estimate), chip))
            continue
        rows = [a for a in allocations if a.space is use.space and a.bytes]
        match use.space:
            case MemorySpace.VMEM:
                findings.append(_vmem(call, windows, rows, use, estimate, chip))
            case MemorySpace.SMEM:
                findings.append(_small(call, rows, use, "P203", chip, "keep large tables in vmem or any memory"))
            case _:
                findings.append(_small(call, rows, use, "P204", chip, "use fewer semaphores or windows"))
    findings.extend(_hbm(call, chip))
    return tuple(findings)


def _spilled(call: KernelCall, use: MemoryUse, spilled: int, wanted: int, chip: Chip) -> Diagnostic:
    """The plan fits, but probably not what the compiler adds to it. A warning: the number is an estimate."""
    fits = wanted >= use.used + spilled
    return Diagnostic(
        "P206",
        f"the kernel needs {size_text(use.used)} of {size_text(min(use.limit, use.physical))} of VMEM, and by "
        f"estimate {size_text(spilled)} more for spilled registers on {chip.name}; {size_text(use.headroom)} is left",
        span_or(call.limit_span, call.span),
        f"set vmem_limit_bytes to {wanted}, or use smaller blocks" if fits else "use smaller blocks or scratch",
        Severity.WARNING,
        fixes=(Fix("set", "", "vmem_limit_bytes", wanted),) if fits else (),
    )


def _table(rows: list[Allocation]) -> tuple[str, ...]:
    """The largest allocations first, one a line."""
    rows = sorted(rows, key=lambda a: (-a.bytes, a.offset))
    width = max(len(a.name) for a in rows)
    shown = [f"{a.name:<{width}}  {size_text(a.bytes):>10}  {a.kind}: {a.why}" for a in rows[:12]]
    return (*shown, *([f"and {len(rows) - 12} more"] if len(rows) > 12 else []))


def _vmem(
    call: KernelCall,
    windows: tuple[Window, ...],
    rows: list[Allocation],
    use: MemoryUse,
    estimate: Estimate | None,
    chip: Chip,
) -> Diagnostic:
    largest = max(rows, key=lambda a: (a.bytes, -a.offset))
    over_physical = use.used > use.physical
    code = "P202" if over_physical else "P201"
    limit = use.physical if over_physical else use.limit
    if over_physical:
        name = f"the {size_text(use.physical)} that {chip.name} has"
    elif use.limit_why == "default":
        name = f"the default limit of {size_text(use.limit)} on {chip.name} ({size_text(use.physical)} physical)"
    else:
        name = f"vmem_limit_bytes = {use.limit} ({size_text(use.limit)}; {size_text(use.physical)} physical)"
    message = (
        f"the kernel needs {size_text(use.used)} of VMEM, {size_text(use.used - limit)} over {name}; the largest part "
        f"is {size_text(largest.bytes)} for '{largest.name}'"
    )
    fixes = []
    if not over_physical:
        fixes.append(f"set vmem_limit_bytes to at least {use.used} plus room for spilled registers")
    smaller = _smaller(call, windows, use, min(use.limit, use.physical), chip)  # one that needs no other limit either
    if smaller is not None:
        fixes.append(smaller)
    else:
        fixes.append("use smaller blocks and scratch")
    span = span_or(call.limit_span, call.span)
    for operand in call.operands:
        if operand.name == largest.name:
            span = span_or(operand.block_span, operand.span)
    for scratch in call.scratch:
        if scratch.name == largest.name:
            span = scratch.span
    room = min(use.limit, use.physical)
    mended: tuple[Fix, ...] = (Fix("set", "", "vmem_limit_bytes", _with_room(use, estimate)),)
    if over_physical:
        mended = _shorter(call, largest, use.used - room, chip)
    return Diagnostic(code, message, span, ", or ".join(fixes), details=_table(rows), fixes=mended)


def _with_room(use: MemoryUse, estimate: Estimate | None) -> int:
    """A limit in whole MiB with room for spilled registers, as far as the chip has it: a quarter, or twice
    the estimate."""
    more = max(use.used // 4, 0 if estimate is None else 2 * estimate.spill_bytes)
    return min(use.physical, round_up(use.used + more, 1 << 20))


def _smaller(call: KernelCall, windows: tuple[Window, ...], use: MemoryUse, limit: int, chip: Chip) -> str | None:
    """The nearest plan that fits: one operand's block cut along one axis, else all blocks and scratch divided."""
    over = use.used - limit
    best: tuple[int, str] | None = None
    for window in windows:
        if window.space is not MemorySpace.VMEM or window.bytes <= over:
            continue
        dims = call.operands[window.position].block
        if dims is None or any(isinstance(dim, Element) for dim in dims):
            continue
        for axis, size in enumerate(window.block):
            step = _step(window, axis, chip)
            low, high = 0, (size - 1) // step  # in steps; the largest block that saves enough lies between
            while low < high:
                middle = (low + high + 1) // 2
                saves = window.bytes - window_bytes(window, _with(window.block, axis, middle * step))
                low, high = (middle, high) if saves >= over else (low, middle - 1)
            if low:
                block = _with(window.block, axis, _even(low * step, step, window.array[axis]))
                saved = window.bytes - window_bytes(window, block)
                if best is None or saved < best[0]:
                    best = (saved, f"use block {list(block)} for '{window.operand}' (now {list(window.block)})")
    if best is not None:
        return best[1]
    for factor in (2, 4, 8, 16, 32, 64):
        total = 0
        said = []
        for window in windows:
            if window.space is not MemorySpace.VMEM:
                continue
            block = tuple(_divided(size, factor, _step(window, a, chip)) for a, size in enumerate(window.block))
            total += window_bytes(window, block)
            said.append(f"{window.operand} {list(block)}")
        for scratch in call.scratch:
            if _in_vmem(scratch.ref):
                shape = scratch.ref.shape
                floor = (*([1] * (len(shape) - 2)), chip.sublanes, chip.lanes)[-len(shape) :] if shape else ()
                small = tuple(_divided(n, factor, step) for n, step in zip(shape, floor, strict=True))
                total += scratch_bytes(small, scratch.ref.dtype, chip)
                said.append(f"{scratch.name} {list(small)}")
        if total <= limit:
            return f"use blocks and scratch divided by {factor}: {', '.join(said)} take {size_text(total)}"
    return None


def _even(size: int, step: int, full: int) -> int:
    """`size`, or a multiple of `step` that is at least half of it and cuts the axis into equal blocks."""
    first = -(-full // size)
    for parts in range(first, min(2 * first, first + 64) + 1):
        if full % parts == 0 and full // parts % step == 0 and full // parts <= size:
            return full // parts
    return size


def _with(block: tuple[int, ...], axis: int, size: int) -> tuple[int, ...]:
    return (*block[:axis], size, *block[axis + 1 :])


def _in_vmem(ref: RefAval) -> bool:
    return ref.space in (MemorySpace.VMEM, MemorySpace.DEFAULT) and not ref.dtype.is_semaphore


def _step(window: Window, axis: int, chip: Chip) -> int:
    """A legal block along this axis is a multiple of this."""
    back = len(window.block) - axis
    if back > 2:
        return 1
    if len(window.block) == 1:
        return chip.sublanes * chip.lanes
    if back == 1:
        return chip.lanes
    return max(chip.sublanes, window.tiling.rows or 1)


def _divided(size: int, factor: int, step: int) -> int:
    return size if size <= step else max(step, size // factor // step * step)


def window_bytes(window: Window, block: tuple[int, ...]) -> int:
    """VMEM of a window with another block, all its slots."""
    return round_up(tiled_bytes(block, window.dtype, window.tiling) * window.buffers, WINDOW_GRANULE_BYTES)


def _small(call: KernelCall, rows: list[Allocation], use: MemoryUse, code: str, chip: Chip, hint: str) -> Diagnostic:
    name = "SMEM" if use.space is MemorySpace.SMEM else "semaphore memory"
    largest = max(rows, key=lambda a: (a.bytes, -a.offset))
    message = (
        f"the kernel needs {use.used} B of {name}, {-use.headroom} B over the {use.limit} B that kernels get on "
        f"{chip.name}; the largest part is {largest.bytes} B for '{largest.name}'"
    )
    spans = {**{o.name: o.span for o in call.operands}, **{s.name: s.span for s in call.scratch}}
    span = spans.get(largest.name, call.span)
    return Diagnostic(
        code, message, span, hint, details=_table(rows), fixes=_shorter(call, largest, -use.headroom, chip)
    )


def _shorter(call: KernelCall, largest: Allocation, over: int, chip: Chip) -> tuple[Fix, ...]:
    """The largest scratch with its first axis cut, by tiles of rows, as far as everything then fits."""
    for scratch in call.scratch:
        shape = scratch.ref.shape
        if scratch.name != largest.name or not shape or largest.bytes <= over:
            continue
        unit = 1
        if _in_vmem(scratch.ref) and len(shape) <= 2:
            unit = chip.sublanes * max(1, 32 // scratch.ref.dtype.bits) * (chip.lanes if len(shape) == 1 else 1)
        elif scratch.ref.space is MemorySpace.SMEM and len(shape) == 2:
            unit = tiling(shape, scratch.ref.dtype, chip).rows or 1
        rows = (largest.bytes - over) * shape[0] // largest.bytes // unit * unit
        if rows:
            return (Fix("set", scratch.name, "shape", (rows, *shape[1:])),)
    return ()


def _hbm(call: KernelCall, chip: Chip) -> Iterator[Diagnostic]:
    if chip.hbm_available_bytes is None:
        return
    aliased = {o for _, o in call.aliases}
    outputs = 0
    total, largest, most = 0, None, -1
    for operand in call.operands:
        if operand.role is Role.OUTPUT:
            outputs += 1
            if outputs - 1 in aliased:
                continue
        array = operand.array
        size = tiled_bytes(array.shape, array.dtype, tiling(array.shape, array.dtype, chip)) if prod(array.shape) else 0
        total += size
        if size > most:
            largest, most = operand, size
    if total > chip.hbm_available_bytes and largest is not None:
        yield Diagnostic(
            "P205",
            f"operands and results take {size_text(total)} of HBM, {size_text(total - chip.hbm_available_bytes)} over "
            f"the {size_text(chip.hbm_available_bytes)} that a device of {chip.name} offers; the largest is "
            f"'{largest.name}' with {size_text(most)}",
            largest.span,
            "split the arrays over devices or calls",
        )
