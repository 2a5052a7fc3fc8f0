"""The Triton path's verdict on a call: everything that JAX's lowering, or the dialect's verifier behind it, refuses.

Source: JAX 0.10.2, which lowers for CUDA without a GPU; all shipped specs were held against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from pipeline.errors import Diagnostic
from pipeline.ir.call import Element, KernelCall, Operand, Role
from pipeline.schedule.index_map import analyse
from pipeline.schedule.legality import block_fixes
from pipeline.schedule.windows import dim_size
from pipeline.triton.body import Access, check_body, is_power_of_two, size_fault
from pipeline.triton.table import DEPRECATED


class Window(NamedTuple):
    """An operand's block as a program sees it."""

    operand: str
    array: str
    block: tuple[int, ...]
    elements: int


class Verdict(NamedTuple):
    """`findings` refuse the call; `notes` are what is accepted, and still to be known."""

    call: str
    grid: tuple[int, ...]
    windows: tuple[Window, ...]
    notes: tuple[str, ...]
    findings: tuple[Diagnostic, ...]


def judge(call: KernelCall) -> Verdict:
    """All findings at once, each with the word that the path is deprecated. Errors: none."""
    accesses, found = check_body(call.body)
    findings = [*_call_forms(call), *_sizes_of(call, accesses), *found]
    for operand in call.operands:
        if operand.index_map is not None and operand.role is not Role.SCALAR_PREFETCH:
            findings.extend(check_body(operand.index_map)[1])
    return Verdict(
        call.name,
        call.grid,
        tuple(map(_window, call.operands)),
        tuple(_notes(call)),
        tuple(replace(finding, details=(*finding.details, DEPRECATED)) for finding in findings),
    )


def _window(operand: Operand) -> Window:
    block = _block(operand)
    elements = 1
    for n in block:
        elements *= n
    return Window(operand.name, str(operand.array), block, elements)


def _block(operand: Operand) -> tuple[int, ...]:
    return operand.array.shape if operand.block is None else tuple(map(dim_size, operand.block))


def _call_forms(call: KernelCall) -> Iterator[Diagnostic]:
    if call.dynamic_grid:
        message = "the grid's size is known at run time only"
        yield Diagnostic("P705", message, call.grid_span, "give the grid its largest size, and return early by pl.when")
    for operand in call.operands:
        if operand.role is Role.SCALAR_PREFETCH:
            message = f"operand '{operand.name}' is prefetched"
            yield Diagnostic("P705", message, operand.span, "make it an input, and read it in the kernel")
        if operand.buffer_count is not None:
            message = f"operand '{operand.name}' asks for {operand.buffer_count} buffer slots"
            yield Diagnostic("P705", message, operand.span, "leave buffer_count out")
        if any(isinstance(dim, Element) and dim.padding != (0, 0) for dim in operand.block or ()):
            message = f"operand '{operand.name}' has padding around its array"
            yield Diagnostic("P705", message, operand.block_span, "mask the loads instead")
    for scratch in call.scratch:
        message = f"scratch '{scratch.name}': the Triton path has none"
        yield Diagnostic("P704", message, scratch.span, "carry the value through a loop within one program")


def _sizes_of(call: KernelCall, accesses: tuple[Access, ...]) -> Iterator[Diagnostic]:
    """Loads and stores of a size that is none: once for each ref that is moved whole, once for each other shape."""
    told: set[tuple[int | None, tuple[int, ...]]] = set()
    for root, eqn, shape in accesses:
        fault = size_fault(shape)
        if fault is None or (root, shape) in told:
            continue
        told.add((root, shape))
        operand = call.operands[root] if root is not None and root < len(call.operands) else None
        if operand is not None and operand.block is not None and shape == operand.ref.shape:
            yield _whole_block(call, operand, fault)
        else:
            name = f"'{operand.name}'" if operand is not None else "a ref"
            message = f"{_dims(shape)} of {name} at once: {fault}"
            yield Diagnostic("P701", message, eqn.span, "load or store a power of two of elements, with a mask")


def _whole_block(call: KernelCall, operand: Operand, fault: str) -> Diagnostic:
    block = _block(operand)
    legal = {axis: [_nearest(n)] for axis, n in enumerate(block) if not is_power_of_two(n)}
    message = f"operand '{operand.name}': its block {_dims(block)} has {fault}"
    if not legal:
        return Diagnostic("P701", message, operand.block_span, "use smaller blocks, and a larger grid")
    changed = tuple(legal[axis][0] if axis in legal else n for axis, n in enumerate(block))
    axes = ", ".join(f"axis {axis}: {block[axis]} -> {sizes[0]}" for axis, sizes in legal.items())
    partial = any(n % size for n, size in zip(operand.array.shape, changed, strict=True))
    hint = f"nearest legal block: {_dims(changed)} ({axes}){', with a partial last block to mask' if partial else ''}"
    return Diagnostic("P701", message, operand.block_span, hint, fixes=block_fixes(operand, legal, call.grid))


def _nearest(n: int) -> int:
    """The nearest power of two, the larger of two."""
    above = 1 << (n - 1).bit_length()
    return above if above - n <= n - above // 2 else above // 2


def _notes(call: KernelCall) -> Iterator[str]:
    for operand in call.operands:
        if operand.block is None or operand.role is Role.SCALAR_PREFETCH:
            continue
        for axis, (n, size) in enumerate(zip(operand.array.shape, _block(operand), strict=True)):
            if n % size:
                yield (
                    f"operand '{operand.name}' axis {axis}: the last block is partial, {n % size} of {size}; "
                    "no mask is made, so the kernel has to mask what lies past the array"
                )
        if operand.role is Role.OUTPUT and operand.index_map is not None:
            forms = analyse(operand.index_map, call.grid).forms
            moving = {axis for form in forms for axis in form.axes}
            still = [axis for axis, n in enumerate(call.grid) if n > 1 and axis not in moving]
            if still and not any(form.data for form in forms):
                axes = ", ".join(map(str, still))
                yield (
                    f"output '{operand.name}': programs along grid axis {axes} have one block, and run at once: "
                    "what one of them stores, another may replace"
                )


def _dims(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))})"


def print_verdict(verdict: Verdict) -> str:
    """The capture of a call that is accepted: it has no findings."""
    lines = [
        f"Triton verdict of {verdict.call}: accepted",
        f"  {DEPRECATED}; this is a verdict alone, without a lowering",
        "",
        f"grid ({', '.join(map(str, verdict.grid))}): its programs run at once, in no order",
    ]
    width = max((len(window.operand) for window in verdict.windows), default=0)
    for window in verdict.windows:
        block = f"block {_dims(window.block)}, {window.elements} elements"
        lines.append(f"  {window.operand:<{width}}  {window.array}  {block}")
    lines.extend(("", *(f"note: {note}" for note in verdict.notes)) if verdict.notes else ())
    return "\n".join(lines) + "\n"
