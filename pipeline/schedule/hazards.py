"""Findings on what the grid does to operands: indices out of range, output blocks revisited, padding moved about."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from pipeline.chips.chip import Chip
from pipeline.errors import Diagnostic, Fix, Severity, Span
from pipeline.ir.call import Element, KernelCall, Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.ir.module import Module, walk_ops
from pipeline.schedule.again import check_repeats
from pipeline.schedule.bounds import OutOfRange, find_out_of_range
from pipeline.schedule.bundles.matrix_work import matmul_shape
from pipeline.schedule.legality import span_or
from pipeline.schedule.uses import ref_uses
from pipeline.schedule.visits import first_revisit
from pipeline.schedule.windows import Planned, lane_share

_OVER_CORES = "core_parallel"
_MOST_STEPS = 2**31 - 2  # of one axis and of the grid: the pipeline's counters are signed 32-bit integers
_NARROW = 4  # a matrix unit of which less than this part is used
_WASTE = 4  # padding to this many times the useful bytes is worth a warning
_WASTE_BYTES = 1 << 16  # unless the block is small and stays where it is


def check_hazards(call: KernelCall, planned: tuple[Planned, ...], chip: Chip) -> tuple[Diagnostic, ...]:
    """All findings on index maps and padding, window by window."""
    findings: list[Diagnostic] = [*_grid(call), *_cores(call, chip)]
    uses = ref_uses(call.body)
    if call.aliases:
        findings.extend(check_repeats(call, planned, uses, chip))
    for entry in planned:
        findings.extend(_ranges(entry))
        if entry.operand.role is Role.OUTPUT:
            use = uses[entry.window.position]
            findings.extend(_revisits(call, entry, use.covered_first))
        findings.extend(_padding(entry, chip))
    return tuple(findings)


def _grid(call: KernelCall) -> Iterator[Diagnostic]:
    """Grids that the pipeline's counters cannot walk, and words about axes that are not there."""
    for axis, n in enumerate(call.grid):
        if not 0 <= n <= _MOST_STEPS:
            yield Diagnostic(
                "P307",
                f"grid axis {axis} has {n} steps; the pipeline counts from 0 to {_MOST_STEPS}",
                call.grid_span,
                "split the axis in two, or let each step do more",
            )
    total = prod(call.grid)
    if all(0 <= n <= _MOST_STEPS for n in call.grid) and total > _MOST_STEPS:
        yield Diagnostic(
            "P307",
            f"the grid {_point(call.grid)} has {total} steps in all; the pipeline counts up to {_MOST_STEPS}",
            call.grid_span,
            "let each step do more: larger blocks, or a loop in the body",
        )
    if call.semantics is not None and len(call.semantics) != len(call.grid):
        yield Diagnostic(
            "P308",
            f"dimension semantics name {len(call.semantics)} axes, but the grid has {len(call.grid)}",
            call.grid_span,
            "give one word for each grid axis",
        )


def _cores(call: KernelCall, chip: Chip) -> Iterator[Diagnostic]:
    """Grid axes that are spread over the cores of a device."""
    words = call.semantics or ()
    axes = [a for a, (word, _) in enumerate(zip(words, call.grid, strict=False)) if word == _OVER_CORES]
    if len(axes) > 1:
        one = tuple("parallel" if word == _OVER_CORES and a != axes[0] else word for a, word in enumerate(words))
        yield Diagnostic(
            "P309",
            f"grid axes {', '.join(map(str, axes))} are all {_OVER_CORES}; one axis at most can be",
            call.grid_span,
            'declare all but one of them "parallel"',
            fixes=(Fix("set", "grid", "semantics", one),),
        )
    elif axes and call.grid[axes[0]] > chip.cores_per_device:
        yield Diagnostic(
            "P306",
            f"grid axis {axes[0]} is {_OVER_CORES} and has {call.grid[axes[0]]} steps; a device of {chip.name} has "
            f"{chip.cores_per_device} core{'s' if chip.cores_per_device > 1 else ''}",
            call.grid_span,
            f'make the axis {chip.cores_per_device} long, or declare it "parallel"',
            fixes=(Fix("set", "grid", "semantics", tuple("parallel" if w == _OVER_CORES else w for w in words)),),
        )


def _map_span(entry: Planned) -> Span:
    return span_or(entry.operand.index_map_span, entry.operand.span)


def _point(point: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, point))})"


def _ranges(entry: Planned) -> Iterator[Diagnostic]:
    operand = entry.operand
    if operand.block is None:
        return
    found, undecided = find_out_of_range(entry.index_map, operand.block, operand.array.shape)
    for bad in found:
        yield _out_of_range(entry, bad)
    if undecided and not entry.index_map.data_dependent:
        axes = ", ".join(map(str, undecided))
        yield Diagnostic(
            "P303",
            f"operand '{operand.name}': whether the index map stays in range on axis {axes} is not decided: it is not "
            "affine and the grid axes it depends on have too many points to try",
            _map_span(entry),
            "write the index map with +, - and * of grid indices where possible",
            Severity.WARNING,
        )


def _out_of_range(entry: Planned, bad: OutOfRange) -> Diagnostic:
    operand = entry.operand
    assert operand.block is not None
    kind = "element" if isinstance(operand.block[bad.axis], Element) else "block"
    size = operand.array.shape[bad.axis]
    reach = f"{bad.least}" if bad.least == bad.greatest else f"{bad.least}..{bad.greatest}"
    legal = f"{bad.low}" if bad.low == bad.high else f"{bad.low}..{bad.high}"
    if bad.least == bad.greatest and bad.low == bad.high:
        hint = f"the axis has one block: make index {bad.axis} of the map {bad.low}"
    elif bad.least == bad.greatest:
        hint = f"make index {bad.axis} of the map a value in {legal}"
    elif bad.least < bad.low:
        hint = f"make the map's index {bad.axis} stay in {legal} over the grid"
    else:
        hint = f"make the map's index {bad.axis} stay in {legal} over the grid, or the grid smaller"
    return Diagnostic(
        "P301",
        f"operand '{operand.name}' axis {bad.axis}: {kind} index {bad.value} is out of range at step "
        f"{_point(bad.step)}, legal {legal} (axis of {size}, block {entry.window.block[bad.axis]}); the map reaches "
        f"{reach} over the grid",
        _map_span(entry),
        hint,
        fixes=(Fix("index", operand.name, str(bad.axis), _nearer(bad)),) if bad.least == bad.greatest else (),
    )


def _nearer(bad: OutOfRange) -> int:
    """The legal index nearest to a constant one."""
    return min(max(bad.value, bad.low), bad.high)


def _revisits(call: KernelCall, entry: Planned, covered: bool) -> Iterator[Diagnostic]:
    visits, operand = entry.window.visits, entry.operand
    if not visits.exact or visits.visited is None:
        return
    if visits.copies > visits.visited:
        found = first_revisit(entry.index_map)
        where = (
            f"block {_point(found.block)} is visited at step {_point(found.visited)}, left at {_point(found.left)} and "
            f"visited again at {_point(found.again)}"
            if found
            else f"{visits.copies} runs of steps share {visits.visited} blocks"
        )
        hint = _reorder(call, entry)
        if covered:
            yield Diagnostic(
                "P305",
                f"output '{operand.name}' is written more than once: {where}; the body overwrites the block each time, "
                "so the last step wins",
                _map_span(entry),
                hint,
                Severity.WARNING,
                fixes=_reordered(call, entry),
            )
        else:
            yield Diagnostic(
                "P302",
                f"output '{operand.name}' comes back to a block it has left: {where}; what was written before is gone "
                "from the window by then",
                _map_span(entry),
                hint,
                fixes=_reordered(call, entry),
            )
    shared = [
        axis
        for axis, (word, n) in enumerate(zip(call.semantics or (), call.grid, strict=False))
        if word == "parallel" and n > 1 and not _depends(entry, axis)
    ]
    if shared:
        axes = ", ".join(map(str, shared))
        yield Diagnostic(
            "P304",
            f"output '{operand.name}' keeps its block along grid axis {axes}, which is declared parallel: steps that "
            "may run on different cores write the same block",
            span_or(call.grid_span, _map_span(entry)),
            'declare that axis "arbitrary"',
            Severity.WARNING,
            fixes=(Fix("set", "grid", "semantics", _words(call, shared)),),
        )


def _depends(entry: Planned, axis: int) -> bool:
    return any(axis in form.axes or form.data for form in entry.index_map.forms)


def _words(call: KernelCall, axes: list[int]) -> tuple[str, ...]:
    """The grid's semantics with `axes` in order."""
    return tuple("arbitrary" if axis in axes else word for axis, word in enumerate(call.semantics or ()))


def _order_of(call: KernelCall, entry: Planned) -> tuple[list[int], list[int]]:
    """The grid order that keeps a block's steps together: axes the block depends on, then the free ones."""
    used = [a for a in range(len(call.grid)) if _depends(entry, a)]
    return used, [a for a in range(len(call.grid)) if a not in used]


def _reordered(call: KernelCall, entry: Planned) -> tuple[Fix, ...]:
    used, free = _order_of(call, entry)
    order = (*used, *free)
    return () if order == tuple(range(len(call.grid))) else (Fix("order", value=order),)


def _reorder(call: KernelCall, entry: Planned) -> str:
    used, free = _order_of(call, entry)
    order = [*used, *free]
    if order == list(range(len(call.grid))):
        return "make every block's steps consecutive, or accumulate into scratch"
    shape = _point(tuple(call.grid[a] for a in order))
    inner = ", ".join(map(str, free))
    return f"make grid axis {inner} the innermost: grid {shape} with the index maps' arguments in that order"


def _padding(entry: Planned, chip: Chip) -> Iterator[Diagnostic]:
    """Blocks that are mostly padding: lanes unused, bytes moved for nothing."""
    window = entry.window
    if window.space is not MemorySpace.VMEM or not window.block or window.useful_bytes == 0:
        return
    times = window.tile_bytes / window.useful_bytes
    used, taken = lane_share(window, chip)
    moves = window.visits.copies > 1 or window.tile_bytes >= _WASTE_BYTES
    off_lattice = used != window.array[-1] and used % chip.lanes != 0  # an error already
    if times < _WASTE or used == taken or not moves or off_lattice:
        return
    axis = len(window.block) - 1
    percent = f"{100 * used / taken:.3g}"
    yield Diagnostic(
        "P501",
        f"operand '{window.operand}' axis {axis} (last): block {used} fills {percent} % of {taken} lanes; the window "
        f"and each copy take {times:.3g} x the bytes of its elements ({window.tile_bytes} B for "
        f"{window.useful_bytes} B)",
        span_or(entry.operand.block_span, entry.operand.span),
        f"choose blocks whose last axis is a multiple of {chip.lanes}; the grid then has fewer, longer steps"
        if window.array[-1] >= chip.lanes
        else f"the array itself has {window.array[-1]} there: put an axis of {chip.lanes} or more last",
        Severity.WARNING,
    )


def check_matmuls(module: Module, chip: Chip) -> tuple[Diagnostic, ...]:
    """Matrix products that leave most of the matrix unit idle."""
    findings: list[Diagnostic] = []
    for op in walk_ops(module.funcs[0].body):
        if op.name != "tpu.matmul" or not chip.mxu_size:
            continue
        _, m, k, n = matmul_shape(op)
        for size, what in ((k, "rows"), (n, "columns")):
            if size * _NARROW < chip.mxu_size:
                message = (
                    f"a product of ({m}, {k}) by ({k}, {n}) fills {size} of the {chip.mxu_size} {what} of the matrix "
                    f"unit: {100 * size / chip.mxu_size:.3g} %"
                )
                hint = f"give the right operand {chip.mxu_size} {what}, or as many as the problem has"
                findings.append(Diagnostic("P502", message, op.span, hint, Severity.WARNING))
    return tuple(dict.fromkeys(findings))
