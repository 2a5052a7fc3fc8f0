"""One grid step: the module's regions as blocks, each lowered to registers, packed and counted by its trips."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.chips.costs import Costs
from pipeline.ir.module import Dense, Module, Op, Region, Value, VectorType
from pipeline.schedule.bundles import moves
from pipeline.schedule.bundles.casts import cast
from pipeline.schedule.bundles.graph import LIMIT, TooLarge
from pipeline.schedule.bundles.lowering import Lowering
from pipeline.schedule.bundles.matmul import matmul, matmul_shape
from pipeline.schedule.bundles.pack import Packed, pack
from pipeline.schedule.bundles.tiles import splat
from pipeline.schedule.bundles.transposes import transpose
from pipeline.schedule.bundles.unused import drop_unused

LOOP_BUNDLES = 8  # the least a trip takes: counter, compare and branch with its delay slots
LOOP_ENTRY = 6  # before the first trip
BRANCH_BUNDLES = 5  # predicate and branch with its delay slots
_EFFECTS = ("store", "dma", "sem_", "alloc", "log", "yield", "return", "condition")
_ELEMENTWISE = frozenset({"arith", "math"})
_CASTS = frozenset(
    {"arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui"}
    | {"arith.extsi", "arith.extui", "arith.trunci"}
)
_COUNTED = frozenset({"addf", "subf", "mulf", "divf", "maximumf", "minimumf", "negf", "remf"})  # one flop an element
_SAME = frozenset({"arith.bitcast", "tpu.bitcast", "arith.index_cast"})
STORES = frozenset({"vector.store", "tpu.vector_store", "tpu.strided_store"})
RULES: dict[str, Callable[[Lowering, Op], None]] = {
    "vector.load": moves.load,
    "tpu.strided_load": moves.load,
    "vector.store": moves.store,
    "tpu.vector_store": moves.store,
    "tpu.strided_store": moves.store,
    "vector.broadcast": moves.broadcast,
    "vector.shape_cast": moves.shape_cast,
    "vector.multi_reduction": moves.reduce,
    "tpu.reduce_index": moves.arg_reduce,
    "tpu.transpose": transpose,
    "tpu.iota": moves.iota,
    "tpu.dynamic_rotate": moves.rotate,
    "tpu.rotate": moves.rotate,
    "tpu.dynamic_gather": moves.gather,
    "vector.extract_strided_slice": moves.extract_slice,
    "tpu.concatenate": moves.concatenate,
    "tpu.matmul": matmul,
}


class Block(NamedTuple):
    """A basic block: its schedule and how often it runs in a step."""

    packed: Packed
    trips: int


class Step:
    """The blocks of one grid step; `extra` is bundles of loop and branch code."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.blocks: list[Block] = []
        self.bounds: list[tuple[int, int, int]] = []  # first node, end and trips of each block to be packed
        self.bodies: list[tuple[int, int, int, int]] = []  # of loops: first block, end, trips, the least a trip takes
        self.ops: list[Op] = []
        self.extra = 0
        self.branches = 0
        self.flops = 0
        self.unknown_loops = 0

    @property
    def bundles(self) -> int:
        return self.extra + sum(block.packed.length * block.trips for block in self.blocks)


def schedule_step(module: Module, chip: Chip, costs: Costs) -> Step:
    """Lower and pack `module`'s kernel function.

    Errors: TooLarge for a kernel of more register operations, or a vector of more registers, than are scheduled.
    """
    step = Step(Lowering(chip, costs))
    body = module.funcs[0].body
    live = _live(body, step.low.users, step.low.made)
    _region(body, 1, step, live)
    _pack(step)
    return step


def _pack(step: Step) -> None:
    """The blocks' schedules, without what turned out to be unused, and what short loop bodies take beside them."""
    low = step.low
    low.graph, bounds = drop_unused(low.graph, [n for first, end, _ in step.bounds for n in (first, end)])
    for i, (_, _, trips) in enumerate(step.bounds):
        step.blocks.append(Block(pack(low.graph, bounds[2 * i], bounds[2 * i + 1], low.machine), trips))
    for start, end, trips, least in step.bodies:
        inside = sum(block.packed.length for block in step.blocks[start:end] if block.trips == trips)
        step.extra += trips * max(0, least - inside)


def _live(region: Region, users: dict[Value, list[Op]], made: dict[Value, Op]) -> set[int]:
    """Ids of the operations that have an effect or feed one; `users` and `made` are filled."""
    used: set[Value] = set()
    kept: set[int] = set()

    def visit(inner: Region) -> None:
        for op in reversed(inner.ops):
            made.update((result, op) for result in op.results)
            effect = bool(op.regions) or any(word in op.name for word in _EFFECTS)
            if effect or any(result in used for result in op.results):
                kept.add(id(op))
                for nested in op.regions:
                    visit(nested)
                used.update(op.operands)
                for operand in op.operands:
                    users.setdefault(operand, []).append(op)

    visit(region)
    return kept


def _region(region: Region, trips: int, step: Step, live: set[int], least: int = 0) -> None:
    low = step.low
    first = low.new_block()
    start = len(step.bounds)
    low.matmuls = _matmuls(region.ops, live)

    def close() -> None:
        nonlocal first
        step.bounds.append((first, len(low.graph), trips))
        first = low.new_block()

    for position, op in enumerate(region.ops):
        if id(op) not in live:
            continue
        if op.regions:
            low.keep(op.operands)
            close()
            _nested(op, trips, step, live)
            first = low.new_block()
            low.matmuls = _matmuls(region.ops[position + 1 :], live)
            continue
        low.graph.at = len(step.ops)
        step.ops.append(op)
        for result in op.results:
            if isinstance(result.type, VectorType) and prod(low.grid(result.type)) > LIMIT:
                raise TooLarge
        step.flops += trips * flops(op)
        _lower(op, low)
    close()
    step.bodies.append((start, len(step.bounds), trips, least))


def _matmuls(ops: tuple[Op, ...], live: set[int]) -> int:
    """Matmuls in the block that these operations begin with."""
    count = 0
    for op in ops:
        if op.regions and id(op) in live:
            break
        count += op.name == "tpu.matmul" and id(op) in live
    return count


def _lower(op: Op, low: Lowering) -> None:
    if not any(isinstance(result.type, VectorType) for result in op.results) and op.name not in STORES:
        low.keep(op.operands)
    rule = RULES.get(op.name)
    if rule is not None:
        rule(low, op)
        return
    if not op.results or not isinstance(op.results[0].type, VectorType) or op.name == "arith.constant":
        if op.name == "arith.constant" and isinstance(op.results[0].type, VectorType):
            low.values[op.results[0]] = splat(op.results[0].type, *low.tile)
        return
    if op.name in _SAME:
        low.values[op.results[0]] = low.value(op.operands[0])
    elif op.name in _CASTS:
        cast(low, op)
    elif op.dialect in _ELEMENTWISE or op.name == "tpu.reciprocal":
        low.elementwise(op)
    else:
        low.unknown.add(op.name)


def flops(op: Op) -> int:
    """Floating point operations: one for each element, or the products and sums of a matmul."""
    if op.name == "tpu.matmul":
        batch, m, k, n = matmul_shape(op)
        return 2 * batch * m * k * n
    if op.name == "vector.multi_reduction" and isinstance(op.operands[0].type, VectorType):
        return prod(op.operands[0].type.shape)
    kind = op.results[0].type if op.results else None
    counted = op.dialect == "math" or op.name == "tpu.reciprocal" or op.name.partition(".")[2] in _COUNTED
    return prod(kind.shape) if counted and isinstance(kind, VectorType) else 0


def _nested(op: Op, trips: int, step: Step, live: set[int]) -> None:
    match op.name:
        case "scf.if":
            step.branches += 1
            step.extra += trips * BRANCH_BUNDLES
            for region in op.regions:
                _region(region, trips, step, live)
        case "scf.for":
            count = trip_count(op, step.low)
            if count is None:
                step.unknown_loops += 1
                count = 1
            step.extra += trips * LOOP_ENTRY
            _region(op.regions[0], trips * count, step, live, LOOP_BUNDLES)
        case "scf.while":
            step.unknown_loops += 1
            for region in op.regions:
                _region(region, trips, step, live)
        case _:
            for region in op.regions:
                _region(region, trips, step, live)


def trip_count(op: Op, low: Lowering) -> int | None:
    """Trips of an `scf.for` whose bounds are constants; None if they are not."""
    bounds = [_constant(value, low, 16) for value in op.operands[:3]]
    if any(bound is None for bound in bounds):
        return None
    start, end, by = (bound for bound in bounds if bound is not None)
    return max(0, -(-(end - start) // by)) if by > 0 else None


def _constant(value: Value, low: Lowering, depth: int) -> int | None:
    """A scalar that folds to a constant through a few additions and products."""
    made = low.made.get(value)
    if made is None or depth == 0:
        return None
    if made.name == "arith.constant":
        held = made.attr("value")
        return int(held.value) if isinstance(held, Dense) else None
    if made.name in ("arith.addi", "arith.subi", "arith.muli"):
        a, b = (_constant(v, low, depth - 1) for v in made.operands)
        if a is None or b is None:
            return None
        return a + b if made.name == "arith.addi" else a - b if made.name == "arith.subi" else a * b
    if made.name == "arith.index_cast":
        return _constant(made.operands[0], low, depth - 1)
    return None
