"""The trace stage's capture: one fact a line, then the body. It names no chip, no file and no line."""

from __future__ import annotations

from pipeline.ir.call import BlockDim, Blocked, Element, KernelCall, Operand, Squeezed
from pipeline.ir.jaxpr_text import print_aval, print_jaxpr


def print_call(call: KernelCall) -> str:
    """The capture's text, with a final newline."""
    return f"kernel {call.name}\n{print_windows(call)}\n{print_jaxpr(call.body)}\n"


def print_windows(call: KernelCall) -> str:
    """All but the body: the grid, and of each operand its array, its block and its index map."""
    lines = [f"grid ({', '.join(map(str, call.grid))})"]
    if call.dynamic_grid:
        lines.append(f"dynamic grid axes ({', '.join(map(str, call.dynamic_grid))})")
    if call.semantics is not None:
        lines.append(f"dimension semantics ({', '.join(call.semantics)})")
    if call.vmem_limit_bytes is not None:
        lines.append(f"vmem limit {call.vmem_limit_bytes} bytes")
    for operand in call.operands:
        lines.extend(_operand(operand))
    for scratch in call.scratch:
        lines.extend(("", f"scratch {scratch.name}", f"  ref {print_aval(scratch.ref)}"))
    if call.aliases:
        lines.append("")
        inputs = [operand.name for operand in call.operands if operand.role.value != "output"]
        outputs = [operand.name for operand in call.operands if operand.role.value == "output"]
        lines.extend(f"alias {inputs[given]} -> {outputs[made]}" for given, made in call.aliases)
    return "\n".join(lines) + "\n"


def _operand(operand: Operand) -> list[str]:
    lines = ["", f"{operand.role.value} {operand.name}", f"  array {print_aval(operand.array)}"]
    if operand.block is not None:
        lines.append(f"  block ({', '.join(map(_dim, operand.block))})")
    lines.append(f"  ref {print_aval(operand.ref)}")
    if operand.buffer_count is not None:
        lines.append(f"  buffer count {operand.buffer_count}")
    if operand.index_map is not None:
        lines.append(f"  index map {print_jaxpr(operand.index_map, 2)}")
    return lines


def _dim(dim: BlockDim) -> str:
    match dim:
        case Blocked(size):
            return str(size)
        case Squeezed():
            return "squeezed"
        case Element(size, (0, 0)):
            return f"element {size}"
        case Element(size, (low, high)):
            return f"element {size} padded {low}, {high}"
