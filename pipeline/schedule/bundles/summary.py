"""The bundle schedule of a grid step as a result: slot use by operation, what binds, the critical path, registers."""

from __future__ import annotations

from collections import Counter
from math import ceil, prod

from pipeline.chips.chip import Chip
from pipeline.chips.costs import UNITS, Costs
from pipeline.ir.call import Role
from pipeline.ir.module import MemRefType, Module, Op, Value
from pipeline.schedule.bundles.emitter import emit
from pipeline.schedule.bundles.graph import Graph, TooLarge
from pipeline.schedule.bundles.lines import bundles_by_line, walk_path
from pipeline.schedule.bundles.listing import list_block
from pipeline.schedule.bundles.source_text import line_of, text_of
from pipeline.schedule.bundles.step import Block, Step, schedule_step, tables
from pipeline.schedule.bundles.written import overlap
from pipeline.schedule.ops import converted_products
from pipeline.schedule.result import Estimate, LineCost, OpCost, PathStep, SlotUse, Window
from pipeline.schedule.windows import Planned

_COSTS = 3  # lines of the kernel that are named for their bundles
_HELD = ("xlu", "mxu", "eup")  # units whose work is counted in the cycles they are held


def estimate_step(
    module: Module,
    planned: tuple[Planned, ...],
    grid: tuple[int, ...],
    chip: Chip,
    costs: Costs,
    shared: bool = False,
    kept: frozenset[int] = frozenset(),
) -> Estimate | None:
    """The bundles of one step of `module`'s kernel function; None for a kernel too large to be scheduled. `grid` is one
    core's; `shared`: others have their own; `kept`: positions of operands that are in VMEM when the kernel begins.

    Errors: none; operations without a cost are named in the result.
    """
    try:
        step = schedule_step(module, chip, costs, grid, kept)
    except TooLarge:
        return None
    graph = step.low.graph
    windows = tuple(entry.window for entry in planned)
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
    indices = module.funcs[0].body.args[: len(grid)]
    code = emit(
        planned, grid, chip, _semaphores(module), shared, kept, len(tables(module)), step.predicated, _loose(module),
        frozenset(axis for axis, index in enumerate(indices) if step.low.users.get(index)),
        step.blocks[0].packed.length if len(step.blocks) > 1 else 0,
    )  # fmt: skip
    body, last = step.bundles, step.last_bundles
    if (
        step.blocks and step.blocks[0].trips == 1 and (len(step.blocks) > 1 or not code.lead)
    ):  # it begins in the delay slots of the branch before it
        first = step.blocks[0].packed
        spared = min(code.early, first.bundles[-1] if len(step.blocks) > 1 and first.bundles else first.length - 1)
        body, last = body - spared, last - (spared if len(step.blocks) == 1 else 0)
    saved = overlap(step, _outputs(module, planned, grid), last + code.lead, code.beside, code.checks)
    overhead = code.before + code.beside + code.after
    slot_bundles = fullest.bundles if fullest is not None else 0
    bound = fullest.unit if fullest is not None and slot_bundles >= step.bundles / 2 else "latency"
    lines, others = _costs(step)
    notes = []
    if step.branches:
        notes.append(f"{step.branches} branches are counted as taken in every step")
    if step.unknown_loops:
        notes.append(f"{step.unknown_loops} loops of unknown length are counted as 1 trip")
    for product in converted_products(module, chip):
        notes.append(f"{product} is accepted by the compiler, not native: operands are converted first")
    return Estimate(
        families=families,
        slots=uses,
        bound=bound,
        slot_bundles=slot_bundles,
        latency_bundles=latency,
        overhead_bundles=overhead,
        bundles=overhead + body + code.lead - min(last + code.lead, code.beside) - saved,
        flops=step.flops,
        unknown=tuple(sorted(step.low.unknown)),
        notes=tuple(notes),
        path=path,
        body_bundles=step.bundles,
        registers=chip.vector_registers or 0,
        pressure=max((b.packed.pressure for b in step.blocks), default=0),
        spills=sum(b.packed.spills * b.trips for b in step.blocks),
        spill_bytes=max((b.packed.spill_slots for b in step.blocks), default=0) * _register_bytes(chip),
        listing=list_block(graph, main.packed, step.ops) if main is not None else (),
        costs=lines,
        other_lines=others,
        loop_bundles=step.extra,
    )


def _outputs(module: Module, planned: tuple[Planned, ...], grid: tuple[int, ...]) -> list[Value]:
    """The kernel's arguments that are written back."""
    args = module.funcs[0].body.args[len(grid) :]
    return [args[p.window.position] for p in planned if p.window.role is Role.OUTPUT]


def _register_bytes(chip: Chip) -> int:
    return chip.lanes * chip.sublanes * 4


def _loose(module: Module) -> int:
    """Operands that stay in HBM."""
    kinds = (arg.type for arg in module.funcs[0].body.args)
    return sum(isinstance(kind, MemRefType) and kind.space in ("any", "hbm") for kind in kinds)


def _semaphores(module: Module) -> int:
    """The kernel's own semaphores."""
    kinds = (arg.type for arg in module.funcs[0].body.args)
    shapes = [kind.shape for kind in kinds if isinstance(kind, MemRefType) and kind.space == "semaphore_mem"]
    return sum(prod(n or 1 for n in shape) for shape in shapes)


def _own_loads(windows: tuple[Window, ...], chip: Chip) -> tuple[OpCost, ...]:
    """What the pipeline's own code loads."""
    loads = chip.loads_per_window * len(windows)
    return (OpCost("the pipeline's code", 0, 0, (("vload", float(loads)),)),) if loads else ()


def _families(step: Step) -> tuple[OpCost, ...]:
    graph = step.low.graph
    ops: dict[str, set[int]] = {}
    slots: dict[str, dict[str, float]] = {}
    tiles: dict[str, int] = {}
    for block in step.blocks:
        first = block.packed.first
        last = first + len(block.packed.bundles)
        kinds = graph.kinds[first:last]
        of_id = {id(kind): kind for kind in kinds}
        made = Counter(zip(map(id, kinds), graph.origin[first:last], strict=True))  # few, and many nodes of each
        for (number, origin), nodes in made.items():
            kind = of_id[number]
            name = step.ops[origin].name
            mine = slots.setdefault(name, {})
            count = kind.hold if kind.unit in _HELD else 1
            if kind.unit and kind.unit != "push":
                mine[kind.unit] = mine.get(kind.unit, 0) + nodes * count * block.trips
            if kind.unit == "eup":  # a push goes through the vector ALU
                mine["valu"] = mine.get("valu", 0) + nodes * block.trips
            ops.setdefault(name, set()).add(origin)
            tiles[name] = tiles.get(name, 0) + nodes * block.trips
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
    """The stretches that `walk_path` goes back through, in order; those of one operation of the module put together."""
    found: list[tuple[Op, int, int]] = []
    for stretch in walk_path(graph, block):
        op, cycles, waited = ops[graph.origin[stretch.node]], stretch.ends - stretch.begins, stretch.waited
        if found and found[-1][0] is op:
            cycles, waited = found[-1][1] + cycles, found[-1][2] + waited
            found.pop()
        found.append((op, cycles, waited))
    return tuple(PathStep(op.name, text_of(op), cycles, waited) for op, cycles, waited in reversed(found))


def _costs(step: Step) -> tuple[tuple[LineCost, ...], int]:
    """The lines of the kernel that most bundles of a step go to, and the bundles of all others."""
    lines = bundles_by_line(step)
    first = tuple(LineCost(line_of(op), n) for op, n in lines[:_COSTS] if n)
    return first, sum(n for _, n in lines[_COSTS:])
