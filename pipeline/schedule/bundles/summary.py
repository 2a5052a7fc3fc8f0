"""The bundle schedule of a grid step as a result: slot use by operation, what binds, the critical path, registers."""

from __future__ import annotations

import re
from keyword import kwlist
from math import ceil, prod

from pipeline.chips.chip import Chip
from pipeline.chips.costs import UNITS, Costs
from pipeline.ir.call import Role
from pipeline.ir.module import Module, Op
from pipeline.schedule.bundles.graph import Graph, TooLarge
from pipeline.schedule.bundles.listing import list_block
from pipeline.schedule.bundles.step import Block, Step, schedule_step
from pipeline.schedule.result import Estimate, OpCost, PathStep, SlotUse, Window

_COPY_BUNDLES = 9  # around the loop that copies a block from one place in VMEM to another; bundle dumps of 7x
_HELD = ("xlu", "mxu", "eup")  # units whose work is counted in the cycles they are held


def estimate_step(module: Module, windows: tuple[Window, ...], chip: Chip, costs: Costs) -> Estimate | None:
    """The bundles of one step of `module`'s kernel function; None for a kernel too large to be scheduled.

    Errors: none; operations without a cost are named in the result.
    """
    try:
        step = schedule_step(module, chip, costs)
    except TooLarge:
        return None
    graph = step.low.graph
    families = (*_families(step), *_own_loads(windows, chip))
    used: dict[str, float] = {}
    for family in families:
        for unit, n in family.slots:
            used[unit] = used.get(unit, 0) + n
    uses = tuple(
        SlotUse(unit, used[unit], capacity, ceil(used[unit] / capacity - 1e-9))
        for unit in UNITS
        if used.get(unit) and (capacity := chip.slot(unit))
    )
    fullest = max(uses, key=lambda use: use.bundles, default=None)
    main = max(step.blocks, key=lambda b: b.packed.length * b.trips, default=None)
    path = critical_path(graph, main, step.ops) if main is not None else ()
    latency = sum(part.cycles for part in path)
    beside, per_output = chip.step_beside
    scalar = round(beside + per_output * sum(w.role is Role.OUTPUT for w in windows))
    overhead = _overhead(windows, chip) + scalar
    slot_bundles = fullest.bundles if fullest is not None else 0
    bound = fullest.unit if fullest is not None and slot_bundles >= step.bundles / 2 else "latency"
    notes = []
    if step.branches:
        notes.append(f"{step.branches} branches are counted as taken in every step")
    if step.unknown_loops:
        notes.append(f"{step.unknown_loops} loops of unknown length are counted as 1 trip")
    return Estimate(
        families=families,
        slots=uses,
        bound=bound,
        slot_bundles=slot_bundles,
        latency_bundles=latency,
        overhead_bundles=overhead,
        bundles=overhead + max(0, step.bundles - scalar),
        flops=step.flops,
        unknown=tuple(sorted(step.low.unknown)),
        notes=tuple(notes),
        path=path,
        body_bundles=step.bundles,
        registers=chip.vector_registers or 0,
        pressure=max((b.packed.pressure for b in step.blocks), default=0),
        spills=sum(b.packed.spills * b.trips for b in step.blocks),
        listing=list_block(graph, main.packed, step.ops) if main is not None else (),
    )


def _overhead(windows: tuple[Window, ...], chip: Chip) -> int:
    """Scalar pipeline code of a step, for the windows whose blocks are copied."""
    if chip.step_overhead is None:
        return 0
    base, per_input, per_output = chip.step_overhead
    still = chip.constant_input_overhead
    room = chip.inputs_kept_bytes
    total = base
    register_bytes = chip.lanes * chip.sublanes * 4
    for window in windows:
        array_bytes = prod(window.array) * window.dtype.bits // 8
        visits = window.visits
        if 1 < visits.copies < visits.steps:
            total += chip.revisit_overhead[window.role is Role.OUTPUT]
        if window.role is Role.OUTPUT:
            total += per_output
        elif array_bytes <= room:
            room -= array_bytes
            if len(window.block) > 1 and window.block[-1] < window.array[-1]:  # copied out of rows that are apart
                total += _COPY_BUNDLES + window.tile_bytes / register_bytes / (chip.slot("vstore") or 1)
        elif window.visits.copies > 1:
            total += per_input
        else:
            total += per_input / 2 if still is None else still
    return round(total)


def _own_loads(windows: tuple[Window, ...], chip: Chip) -> tuple[OpCost, ...]:
    """What the pipeline's own code loads."""
    loads = chip.loads_per_window * len(windows)
    return (OpCost("the pipeline's code", 0, 0, (("vload", float(loads)),)),) if loads else ()


def _families(step: Step) -> tuple[OpCost, ...]:
    graph = step.low.graph
    ops: dict[str, set[int]] = {}
    slots: dict[str, dict[str, float]] = {}
    trips_of: dict[str, int] = {}
    tiles: dict[str, int] = {}
    for block in step.blocks:
        first = block.packed.first
        for node in range(first, first + len(block.packed.bundles)):
            kind = graph.kinds[node]
            name = step.ops[graph.origin[node]].name
            mine = slots.setdefault(name, {})
            count = kind.hold if kind.unit in _HELD else 1
            if kind.unit and kind.unit != "push":
                mine[kind.unit] = mine.get(kind.unit, 0) + count * block.trips
            if kind.unit == "eup":  # a push goes through the vector ALU
                mine["valu"] = mine.get("valu", 0) + block.trips
            ops.setdefault(name, set()).add(graph.origin[node])
            trips_of[name] = block.trips
            tiles[name] = tiles.get(name, 0) + block.trips
        if block.packed.reloads:
            mine = slots.setdefault("vector.load", {})
            mine["vload"] = mine.get("vload", 0) + block.packed.reloads * block.trips
            ops.setdefault("vector.load", set())
            tiles.setdefault("vector.load", 0)
    return tuple(
        OpCost(name, len(ops[name]), tiles[name], tuple((u, slots[name][u]) for u in UNITS if slots[name].get(u)))
        for name in sorted(slots)
    )


def critical_path(graph: Graph, block: Block, ops: list[Op]) -> tuple[PathStep, ...]:
    """From the node that ends last back through what each waited for: an operand, or else its slot.

    Steps of one operation of the module are put together; a step's cycles are until the next one's operand is there.
    """
    packed = block.packed
    first, at = packed.first, packed.bundles
    if not at:
        return ()
    node = first + max(range(len(at)), key=lambda i: at[i])
    end = packed.length
    found: list[list[object]] = []
    while True:
        operands = [o for o in graph.operands[node] if o >= first]
        start = at[node - first]
        ready = 0
        before = -1
        for operand in operands:
            t = at[operand - first] + graph.kinds[operand].latency + graph.wait.get(node, 0)
            if t > ready or before < 0:
                ready, before = t, operand
        begins = at[before - first] + graph.kinds[before].latency if before >= 0 else 0
        op = ops[graph.origin[node]]
        name = op.name
        waited = max(0, start - ready)
        if found and found[-1][2] is op:
            found[-1][1] = int(found[-1][1]) + end - begins  # type: ignore[call-overload]
            found[-1][3] = int(found[-1][3]) + waited  # type: ignore[call-overload]
        else:
            found.append([name, end - begins, op, waited])
        if before < 0:
            break
        end = begins
        node = before
    return tuple(PathStep(str(n), text_of(o), int(c), int(w)) for n, c, o, w in reversed(found))  # type: ignore[call-overload,arg-type]


# a string, or a name that is neither an attribute nor a keyword argument
_WORD = re.compile(r"""'[^']*'|"[^"]*"|(?<![\w.])[A-Za-z_]\w*(?!\w|\s*=(?!=))""")
_KEPT = frozenset((*kwlist, "jnp", "jax", "lax", "pl", "pltpu", "math", "np", "functools"))


def text_of(op: Op) -> str:
    """The kernel's text that an operation comes from, with `_` for names of its author's choosing: renaming a local
    variable must not change a capture. "" where the module does not say."""
    span = op.span
    line = span.source.line(span.line) if span.source is not None else None
    if line is None:
        return ""
    text = line[span.column - 1 : span.end_column - 1] if span.end_column else line
    return _WORD.sub(lambda found: found[0] if found[0][0] in "'\"" or found[0] in _KEPT else "_", text.strip())
