"""A first estimate of the bundles of one grid step, from the lowered module and the chip's tables.

Each stretch of operations between loops and branches is costed on its own, since the compiler schedules each basic
block alone: the larger of the fullest unit's bundles and the time the data takes to get through. A scheduler that packs
real bundles goes in this place; until then the capture says "estimate".
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.chips.costs import UNITS, Costs
from pipeline.ir.call import Role
from pipeline.ir.module import Dense, Module, Op, Region, Value
from pipeline.schedule.op_cost import Counter, Work
from pipeline.schedule.result import Estimate, OpCost, SlotUse, Window

_LOOP_BUNDLES = 8  # counter, compare and branch with its delay slots
_BRANCH_BUNDLES = 5  # predicate and branch with its delay slots
_FALLBACK_TRIPS = 1
_EFFECTS = ("store", "dma", "sem_", "alloc", "log", "yield", "return", "condition")


class _Total:
    """What one pass over the module adds up, loops multiplied."""

    def __init__(self) -> None:
        self.families: dict[str, list[float]] = {}  # family -> ops, tiles
        self.slots: dict[str, dict[str, float]] = {}  # family -> unit -> cycles
        self.slot_bundles = 0
        self.path_bundles = 0
        self.bundles = 0
        self.flops = 0
        self.branches = 0
        self.unknown_loops = 0
        self.unknown: set[str] = set()


class _Span(NamedTuple):
    """When the first and the last tile of a value are there, in cycles from the start of its block."""

    first: float
    last: float


def estimate_step(module: Module, windows: tuple[Window, ...], chip: Chip, costs: Costs) -> Estimate:
    """The estimate for `module`'s kernel function.

    Errors: none; operations without a cost are named in the result.
    """
    body = module.funcs[0].body
    total = _Total()
    counter = Counter(chip, costs)
    _region(body, 1, counter, total, chip, _live(body))
    overhead = _overhead(windows, chip)
    used: dict[str, float] = {}
    for slots in total.slots.values():
        for unit, n in slots.items():
            used[unit] = used.get(unit, 0) + n
    uses = tuple(
        SlotUse(unit, used[unit], capacity, _bundles(used[unit], capacity))
        for unit in UNITS
        if used.get(unit) and (capacity := chip.slot(unit))
    )
    fullest = max(uses, key=lambda use: use.bundles, default=None)
    bound = "latency"
    if fullest is not None and total.slot_bundles >= total.path_bundles:
        bound = fullest.unit
    notes = []
    if total.branches:
        notes.append(f"{total.branches} branches are counted as taken in every step")
    if total.unknown_loops:
        notes.append(f"{total.unknown_loops} loops of unknown length are counted as {_FALLBACK_TRIPS} trip")
    families = tuple(
        OpCost(
            family,
            int(total.families[family][0]),
            int(total.families[family][1]),
            tuple((u, total.slots[family].get(u, 0.0)) for u in UNITS if total.slots[family].get(u)),
        )
        for family in sorted(total.families)
    )
    return Estimate(
        families=families,
        slots=uses,
        bound=bound,
        slot_bundles=total.slot_bundles,
        latency_bundles=total.path_bundles,
        overhead_bundles=overhead,
        bundles=overhead + total.bundles,
        flops=total.flops,
        unknown=tuple(sorted(total.unknown)),
        notes=tuple(notes),
    )


def _bundles(cycles: float, capacity: int) -> int:
    return ceil(cycles / capacity - 1e-9)


def _overhead(windows: tuple[Window, ...], chip: Chip) -> int:
    """Scalar pipeline code of a step; a window that stays put takes about half."""
    if chip.step_overhead is None:
        return 0
    base, per_input, per_output = chip.step_overhead
    total = base
    for window in windows:
        share = per_output if window.role is Role.OUTPUT else per_input
        total += share if window.visits.copies > 1 else share / 2
    return round(total)


def _live(region: Region) -> set[int]:
    """Operations that have an effect or feed one: what is left after dead code is dropped. Ids of them."""
    used: set[Value] = set()
    kept: set[int] = set()

    def visit(inner: Region) -> None:
        for op in reversed(inner.ops):
            effect = bool(op.regions) or any(word in op.name for word in _EFFECTS)
            if effect or any(result in used for result in op.results):
                kept.add(id(op))
                for nested in op.regions:
                    visit(nested)
                used.update(op.operands)

    visit(region)
    return kept


def _region(region: Region, trips: int, counter: Counter, total: _Total, chip: Chip, live: set[int]) -> None:
    """Add a region that runs `trips` times in a step."""
    spans: dict[Value, _Span] = {}
    slots: dict[str, float] = {}
    end = 0.0

    def close() -> None:
        nonlocal end
        bound = max((_bundles(n, c) for u, n in slots.items() if (c := chip.slot(u))), default=0)
        joint = chip.slot("vload_vstore")
        if joint:
            bound = max(bound, _bundles(slots.get("vload", 0) + slots.get("vstore", 0), joint))
        total.slot_bundles += trips * bound
        total.path_bundles += trips * ceil(end)
        total.bundles += trips * max(bound, ceil(end))
        spans.clear()
        slots.clear()
        end = 0.0

    for op in region.ops:
        if id(op) not in live:
            counter.made.update((result, op) for result in op.results)
            continue
        if op.regions:
            close()
            _nested(op, trips, counter, total, chip, live)
            continue
        work = counter.count(op)
        end = max(end, _advance(op, work, spans, chip))
        for unit, n in work.slots.items():
            slots[unit] = slots.get(unit, 0) + n
        _record(op, work, trips, total)
    close()


def _advance(op: Op, work: Work, spans: dict[Value, _Span], chip: Chip) -> float:
    """Place an operation behind its operands; gives the time of its last result."""
    before = [spans[value] for value in op.operands if value in spans]
    first = max((span.first for span in before), default=0.0)
    last = max((span.last for span in before), default=0.0)
    if work.waits:
        first = max(first, last if not work.slots.get("mxu") else first)
    duration = max((n / c for u, n in work.slots.items() if u != "salu" and (c := chip.slot(u))), default=0.0)
    done = max(last + work.latency, first + work.latency + duration)
    for result in op.results:
        spans[result] = _Span(first + work.latency, done)
    return done


def _nested(op: Op, trips: int, counter: Counter, total: _Total, chip: Chip, live: set[int]) -> None:
    match op.name:
        case "scf.if":
            total.branches += 1
            total.bundles += trips * _BRANCH_BUNDLES
            for region in op.regions:
                _region(region, trips, counter, total, chip, live)
        case "scf.for":
            count = _trip_count(op, counter)
            if count is None:
                total.unknown_loops += 1
                count = _FALLBACK_TRIPS
            total.bundles += trips * count * _LOOP_BUNDLES
            _region(op.regions[0], trips * count, counter, total, chip, live)
        case "scf.while":
            total.unknown_loops += 1
            for region in op.regions:
                _region(region, trips * _FALLBACK_TRIPS, counter, total, chip, live)
        case _:
            for region in op.regions:
                _region(region, trips, counter, total, chip, live)


def _trip_count(op: Op, counter: Counter) -> int | None:
    """Trips of an `scf.for` whose bounds are constants; None if they are not."""
    bounds = [_constant(value, counter, 16) for value in op.operands[:3]]
    if any(bound is None for bound in bounds):
        return None
    low, high, step = (bound for bound in bounds if bound is not None)
    return max(0, -(-(high - low) // step)) if step > 0 else None


def _constant(value: Value, counter: Counter, depth: int) -> int | None:
    """A scalar that folds to a constant through a few additions and products."""
    made = counter.made.get(value)
    if made is None or depth == 0:
        return None
    if made.name == "arith.constant":
        held = made.attr("value")
        return int(held.value) if isinstance(held, Dense) else None
    if made.name in ("arith.addi", "arith.subi", "arith.muli"):
        a, b = (_constant(v, counter, depth - 1) for v in made.operands)
        if a is None or b is None:
            return None
        return a + b if made.name == "arith.addi" else a - b if made.name == "arith.subi" else a * b
    if made.name == "arith.index_cast":
        return _constant(made.operands[0], counter, depth - 1)
    return None


def _record(op: Op, work: Work, trips: int, total: _Total) -> None:
    if not work.known:
        total.unknown.add(op.name)
        return
    total.flops += work.flops * trips
    if not work.slots:
        return
    family = "scalar" if set(work.slots) == {"salu"} else op.name
    ops, tiles = total.families.setdefault(family, [0, 0]), work.tiles
    ops[0] += trips
    ops[1] += tiles * trips
    mine = total.slots.setdefault(family, {})
    for unit, n in work.slots.items():
        mine[unit] = mine.get(unit, 0) + n * trips
