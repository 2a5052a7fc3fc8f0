"""One grid step: the module's regions as blocks, each lowered to registers, packed and counted by its trips."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from math import prod
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.chips.costs import Costs
from pipeline.ir.module import MemRefType, Module, Op, Region, TypedInt, Value, VectorType
from pipeline.schedule.bundles import moves, scalar_floats
from pipeline.schedule.bundles.added import add_up, sums
from pipeline.schedule.bundles.attrs import int_values
from pipeline.schedule.bundles.casts import cast, into_words, out_of_words
from pipeline.schedule.bundles.chosen import choose, is_chosen, side_masks
from pipeline.schedule.bundles.copy_code import Copies
from pipeline.schedule.bundles.decided import constant, only_way, trip_count
from pipeline.schedule.bundles.emitter import TRUSTS_INDICES
from pipeline.schedule.bundles.graph import FREE, LIMIT, Graph, Kind, Node, TooLarge
from pipeline.schedule.bundles.live import STORES, live_ops
from pipeline.schedule.bundles.lowering import Lowering
from pipeline.schedule.bundles.matmul import matmul
from pipeline.schedule.bundles.matrix_work import assign, matmul_shape, summed
from pipeline.schedule.bundles.pack import Packed, pack
from pipeline.schedule.bundles.scalars import Scalars
from pipeline.schedule.bundles.tiles import splat
from pipeline.schedule.bundles.transposes import transpose
from pipeline.schedule.bundles.unused import drop_unused

STORE_TO_LOAD = 7  # cycles from a store to a load of the same place in another block
_Stores = dict[object, tuple[tuple[object, int], ...]]  # by ref: where was stored, and how long that cannot be read
LOOP_ENTRY = 1  # before the first trip: what the loop carries is set
_WAITS = frozenset({"tpu.wait_dma2", "tpu.sem_wait", "tpu.sem_signal"})
_ACCESSES = STORES | {"vector.load", "tpu.strided_load"}
_SCALAR = ("", "salu")  # the units of scalar code
_MEMORY, _COMPUTED = ("vload", "vstore"), ("valu",)
_CARRIES = frozenset({"scf.yield", "scf.condition"})
_ELEMENTWISE = frozenset({"arith", "math"})
_CASTS = frozenset(
    {"arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui"}
    | {"arith.extsi", "arith.extui", "arith.trunci"}
)
_COUNTED = frozenset({"addf", "subf", "mulf", "divf", "maximumf", "minimumf", "negf", "remf"})  # one flop an element
_SAME = frozenset({"arith.bitcast", "tpu.bitcast", "arith.index_cast"})
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
    "tpu.pack_elementwise": into_words,
    "tpu.unpack_elementwise": out_of_words,
}


class Block(NamedTuple):
    """A basic block: its schedule and how often it runs in a step."""

    packed: Packed
    trips: int


class Step:
    """The blocks of one grid step; `extra` is bundles of loop and branch code."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.scalars = Scalars(low.chip, low.graph)
        self.scalars.made = low.made
        self.copies = Copies(self.scalars, low.chip)
        low.scalar, low.number = self.scalars.node, self.scalars.integer
        self.started = Kind("copy", "salu", 1)
        self.signal = Kind("semaphore", "", 1)
        self.branch = Kind("branch", "", 1)  # ends a block; it waits for its predicate
        self.halt = Kind("halt", "", 1)  # ends a block, after everything in it
        self.blocks: list[Block] = []
        self.bounds: list[tuple[int, int, int]] = []  # first node, end and trips of each block to be packed
        self.loops: dict[int, int] = {}  # the first block of each loop by number, and its last one
        self.behind: set[int] = set()  # those of them that a branch goes around; their scalar code may be behind it
        self.ops: list[Op] = []
        self.extra = 0
        self.branches = 0
        self.flops = 0
        self.unknown_loops = 0
        self.predicated = False  # whether there is no branch around the body where a step of the grid's loop has none

    @property
    def bundles(self) -> int:
        return self.extra + sum(block.packed.length * block.trips for block in self.blocks)

    @property
    def last_bundles(self) -> int:
        """Bundles that the code after the kernel shares: of the block that it ends with, and of a loop before that,
        where it is predicated to run in the last trip."""
        if not self.blocks:
            return 0
        looped = len(self.blocks) - 2 in self.loops.values()
        return self.blocks[-1].packed.length + (self.blocks[-2].packed.length - 1 if looped else 0)


def schedule_step(
    module: Module, chip: Chip, costs: Costs, grid: tuple[int, ...] = (), kept: frozenset[int] = frozenset()
) -> Step:
    """Lower and pack `module`'s kernel function, whose first arguments are the indices of `grid`. `kept`: positions
    among the operands after those, of inputs that are in VMEM wherever the module says they are.

    Errors: TooLarge for a kernel of more register operations, or a vector of more registers, than are scheduled.
    """
    step = Step(Lowering(chip, costs))
    body = module.funcs[0].body
    if len(grid) > 1 and TRUSTS_INDICES in chip.features:
        step.scalars.bounded.update(body.args[: len(grid)])
    live = live_ops(body, _scratch(module), step.low.users, step.low.made)
    blocks = _Blocks(step, live, 1)
    _enter(step, module, grid, kept)
    step.predicated = bool(step.copies.windows) and prod(grid) > 1 and step.copies.are_scalar_only(body.ops)
    blocks.run(body.ops, FREE if step.predicated else None)
    blocks.close()
    _pack(step)
    return step


def _enter(step: Step, module: Module, grid: tuple[int, ...], kept: frozenset[int]) -> None:
    """Where the arguments are, and when."""
    func = module.funcs[0]
    bounds = int_values(dict(func.attrs).get("iteration_bounds"))  # of the call, where `grid` is one core's
    axes = len(bounds) or len(grid)
    for index, steps in zip(func.body.args, bounds, strict=False):
        if steps == 1:
            step.scalars.know(index, 0)
    operands = func.body.args[axes : len(func.body.args) - len(_scratch(module))]
    step.copies.in_vmem.update(operands[n] for n in kept)
    step.copies.arguments.update(operands)
    spaces = {ref: step.copies.space(ref) for ref in operands if ref not in step.copies.in_vmem}
    step.copies.windows.update(ref for ref in operands if _is_window(ref))
    if prod(grid) > 1:
        return
    step.copies.whole.update(ref for ref, space in spaces.items() if space == "vmem")
    first = not step.scalars.timing.core_choice and not tables(module)  # and no window's copy
    if first and all(space == "hbm" for space in spaces.values()):
        step.copies.entry = step.scalars.add(step.signal)


def _scratch(module: Module) -> tuple[Value, ...]:
    """Arguments that are the kernel's own memory."""
    func = module.funcs[0]
    count = dict(func.attrs).get("scratch_operands")
    return func.body.args[-count.value :] if isinstance(count, TypedInt) and count.value else ()


def _is_window(ref: Value) -> bool:
    return isinstance(ref.type, MemRefType) and ref.type.space == "vmem"


def tables(module: Module) -> tuple[Value, ...]:
    """Arguments that are copied to scalar memory before the kernel begins; one of a single element is a scalar."""
    func = module.funcs[0]
    count = dict(func.attrs).get("scalar_prefetch")
    found = [arg for arg in func.body.args if isinstance(arg.type, MemRefType)]
    first = found[: count.value] if isinstance(count, TypedInt) else []
    return tuple(arg for arg in first if isinstance(arg.type, MemRefType) and arg.type.shape != (1,))


def _pack(step: Step) -> None:
    """The blocks' schedules, without what turned out to be unused."""
    low = step.low
    low.graph, bounds = drop_unused(low.graph, [n for first, end, _ in step.bounds for n in (first, end)])
    stored: _Stores = {}
    for i, (_, _, trips) in enumerate(step.bounds):
        first, end = bounds[2 * i], bounds[2 * i + 1]
        if i in step.loops:  # what its last block stores is before its first one as well
            end_of_loop = 2 * step.loops[i]
            for node in range(bounds[end_of_loop], bounds[end_of_loop + 1]):
                if low.graph.kinds[node].unit == "vstore" and node in low.graph.memory:
                    ref, where = low.graph.memory[node]
                    stored = {**stored, ref: (*stored.get(ref, ()), (where, STORE_TO_LOAD - 1))}
        _wait_for_stores(low.graph, first, end, stored)
        packed = pack(low.graph, first, end, low.machine)
        last = low.graph.kinds[end - 1] if end > first else None
        if last is step.branch or last is step.halt:
            at = packed.bundles[-1]
            others = max(packed.bundles[:-1], default=-1) + packed.length - max(packed.bundles)
            length = max(others, at + 1 + step.scalars.timing.delay) if last is step.branch else max(others, at) + 1
            packed = packed._replace(length=length)
        if i in step.behind and all(kind.unit in _SCALAR for kind in low.graph.kinds[first:end]):
            before, times = step.blocks.pop()  # the branch's delay slots take it
            least = max(before.bundles) + 1
            length = max(least, before.length - min(packed.length, step.scalars.timing.delay))
            step.blocks.append(Block(before._replace(length=length), times))
        step.blocks.append(Block(packed, trips))
        stored = _stores(low.graph, packed, packed.length, stored)


def _known_place(op: Op, low: Lowering) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Where an access begins and how large it is; None if that is not known."""
    kinds = [v.type for v in (*op.operands, *op.results) if isinstance(v.type, VectorType)]
    starts = [constant(v, low.made) for v in op.operands[1:] if not isinstance(v.type, VectorType)]
    known = tuple(n for n in starts if n is not None)
    return (known, kinds[0].shape) if kinds and len(known) == len(starts) else None


def _apart(one: object, other: object) -> bool:
    """Whether two accesses of a ref are known not to touch."""
    if not isinstance(one, tuple) or not isinstance(other, tuple) or len(one[0]) != len(other[0]):
        return False
    sizes = zip(*(where for where in (*one, *other)), strict=False)
    return any(a + m <= b or b + n <= a for a, m, b, n in sizes)


def _wait_for_stores(graph: Graph, first: int, end: int, stored: _Stores) -> None:
    """Loads of what the block before stored come some cycles after its store."""
    for node in range(first, end):
        if graph.kinds[node].unit == "vload" and node in graph.memory:
            ref, place = graph.memory[node]
            waits = [n for where, n in stored.get(ref, ()) if not _apart(place, where)]
            if waits:
                graph.earliest[node] = max(waits)


def _stores(graph: Graph, packed: Packed, length: int, before: _Stores) -> _Stores:
    """How long after a block what was stored in it, or before it, cannot be read yet."""
    found: dict[object, tuple[tuple[object, int], ...]] = {}
    for ref, places in before.items():
        left = tuple((where, n - length) for where, n in places if n > length)
        if left:
            found[ref] = left
    late = length - STORE_TO_LOAD
    for node, at in enumerate(packed.bundles, packed.first):
        if at > late and graph.kinds[node].unit == "vstore" and node in graph.memory:
            ref, place = graph.memory[node]
            found[ref] = (*found.get(ref, ()), (place, at - late))
    return found


class _Blocks:
    """A region's operations as blocks that run `trips` times; what has blocks of its own ends one."""

    def __init__(self, step: Step, live: set[int], trips: int) -> None:
        self.step, self.live, self.trips = step, live, trips
        self.low, self.scalars = step.low, step.scalars
        self.first = self.low.new_block()
        self.scoped = False  # whether an allocation has come to its end
        self.described = False  # whether a copy within HBM was before
        self.waited: tuple[object, int] | None = None  # the semaphore of the last wait, and the effects until then

    def close(self, last: Kind | None = None, *after: Node) -> None:
        """End the block: by a branch on a predicate, whose delay slots take what is still to do, or by a check that may
        stop the kernel, which waits for everything."""
        low = self.low
        if last is not None:
            low.graph.roots.append(self.scalars.add(last, *(node for node in after if node >= self.first)))
        self.step.bounds.append((self.first, len(low.graph), self.trips))
        self.first = low.new_block()
        self.scalars.written.clear()
        self.scalars.cells.clear()

    def run(self, ops: tuple[Op, ...], guard: Node | None) -> None:
        """Lower operations; `guard` is the predicate that they run under, where that is no branch."""
        low, step = self.low, self.step
        ops = self.step.copies.ahead(summed(ops, low.users))
        low.sums = own = sums(low, ops, self.live)
        low.shares = assign(low, _matmuls(ops, self.live))
        for position, op in enumerate(ops):
            if id(op) not in self.live:
                continue
            low.graph.at = len(step.ops)
            step.ops.append(op)
            if op.name == "tpu.enqueue_dma":
                self._copy(op, guard)
            elif op.name in _WAITS:
                if op.name == "tpu.wait_dma2" and self._goes_on(op):
                    continue
                self._bundle([self.scalars.node(op.operands[0])], guard)
                self._signal()
                self.waited = step.copies.place(op.operands[0]), len(low.graph.roots)
                if op.name == "tpu.wait_dma2" and step.copies.is_fenced(op):
                    self.close()
                    self._bundle([], None)
            elif op.name == "tpu.region":
                if self.scoped:  # what is allocated there may lie where something else was
                    self.close()
                self.run(op.regions[0].ops, guard)
                self.scoped = True
            elif (only := only_way(op, self.scalars)) is not None:
                self._inline(op, only, guard)
            elif step.copies.is_scalar_only(op):
                for region in op.regions:
                    self.run(region.ops, self.scalars.node(op.operands[0]))
                    self.scalars.cells.clear()  # what is stored there may not be
                continue
            elif is_chosen(low, op):
                self._choose(op, guard)
                continue
            elif op.regions:
                self._nested(op)
            else:
                self._straight(op)
                continue
            low.sums = own
            low.shares = assign(low, _matmuls(ops[position + 1 :], self.live))

    def _straight(self, op: Op) -> None:
        low, scalars = self.low, self.scalars
        for result in op.results:
            if isinstance(result.type, VectorType) and prod(low.grid(result.type)) > LIMIT:
                raise TooLarge
        self.step.flops += self.trips * flops(op)
        if op.name == "vector.extract":
            scalars.extract(op.results[0], low.value(op.operands[0]).nodes[0])
            return
        if op.name in _ACCESSES:
            indices = tuple(v for v in op.operands[1:] if not isinstance(v.type, VectorType))
            place = scalars.address(op.operands[0], indices)
            low.graph.after, low.graph.behind = (place,) if place >= self.first else (), _MEMORY
        elif op.name == "arith.select":  # by a scalar
            wanted = scalars.node(op.operands[0])
            low.graph.after, low.graph.behind = (wanted,) if wanted >= self.first else (), _COMPUTED
        if op.name in _CARRIES:
            low.graph.roots.extend(node for node in map(scalars.node, op.operands) if node != FREE)
        start = len(low.graph)
        _lower(op, low, scalars)
        if op.name == "tpu.matmul" or id(op) in low.sums.adds:
            add_up(low, op)
        low.graph.after = ()
        if op.name in _ACCESSES:
            where = _known_place(op, low)
            for node in range(start, len(low.graph)):
                if low.graph.kinds[node].unit in _MEMORY:
                    low.graph.memory[node] = (op.operands[0], where)

    def _goes_on(self, op: Op) -> bool:
        """Whether a wait is one with the last one: for the same semaphore, and nothing is between them."""
        return self.waited == (self.step.copies.place(op.operands[0]), len(self.low.graph.roots))

    def _copy(self, op: Op, guard: Node | None) -> None:
        """A copy's start: the checks of its ends, each the end of a block, and then its bundle."""
        scalars, copies = self.scalars, self.step.copies
        if copies.is_within(op):
            self._move(op)
            return
        copies.computed_early(op)
        for ref, hbm in copies.ends(op):
            self.close(self.step.halt, copies.check(ref, hbm, guard))
        nodes = [copies.pointer(v) for v in op.operands[:2]] + [scalars.node(v) for v in op.operands[2:]]
        nodes += [copies.size(v) for v in op.operands[:2]]
        self._bundle(nodes + copies.described(op, self.described), guard)
        self.described = self.described or all(copies.space(ref) == "hbm" for ref in op.operands[:2])

    def _move(self, op: Op) -> None:
        """A copy within VMEM: its loops, what is left, and the semaphore's signal, which ends a block."""
        step, low, scalars, copies = self.step, self.low, self.scalars, self.step.copies
        turns, left = copies.turns(op)
        ends = scalars.node(op.operands[0]), scalars.node(op.operands[1])
        low.graph.roots.extend(node for node in ends if node != FREE)
        for turn in turns:
            self.close()
            step.extra += self.trips * LOOP_ENTRY
            inner = _Blocks(step, self.live, self.trips * turn.trips)
            inner._tiles(turn.tiles, turn.in_order)
            inner.close(step.branch, scalars.add(scalars.test, scalars.add(scalars.alu)), *copies.next_trip(turn))
            self.first = low.new_block()
        self._tiles(left, False, ends)
        self._bundle([scalars.node(v) for v in op.operands[2:]], None)

    def _tiles(self, n: int, in_order: bool, ends: tuple[Node, Node] = (FREE, FREE)) -> None:
        """So many registers loaded from one end and stored to the other, one a bundle if in order."""
        graph, copies = self.low.graph, self.step.copies
        load = FREE
        for _ in range(n):
            wanted = (ends[0], load if in_order else FREE)
            load = graph.add(copies.load, tuple(node for node in wanted if node >= self.first))
            graph.roots.append(graph.add(copies.store, (load, *(node for node in ends[1:] if node >= self.first))))

    def _signal(self) -> None:
        """What a semaphore was waited for is taken from it; other code may stand beside that."""
        self.low.graph.roots.append(self.scalars.add(self.step.signal))

    def _bundle(self, nodes: list[Node], guard: Node | None) -> None:
        """One bundle, when these and the guard are there, and the end of a block."""
        known = [node for node in (*nodes, FREE if guard is None else guard) if node >= self.first]
        self.low.graph.roots.append(self.scalars.add(self.step.started, *known))
        self.close()

    def _choose(self, op: Op, guard: Node | None) -> None:
        """Both sides, and a choice between what they give."""
        for region in op.regions:
            self.run(region.ops[:-1], guard)
        given = zip(op.results, *(region.ops[-1].operands for region in op.regions), strict=True)
        masks: list[Node] = []
        for result, one, other in given:
            select = Op("arith.select", (op.operands[0], one, other), (result,))
            if isinstance(result.type, VectorType):
                masks = masks or side_masks(self.low, self.scalars, op.operands[0])
                choose(self.low, select, masks)
            else:
                self._straight(select)

    def _inline(self, op: Op, only: int, guard: Node | None) -> None:
        """A region in the place of its operation; none for the side that a branch lacks."""
        if only == len(op.regions):
            return
        region = op.regions[only]
        starts = [op.operands[0], *op.operands[3:]] if op.name == "scf.for" else []
        for arg, given in zip(region.args, starts, strict=True):
            self._alias(arg, given)
        self.run(region.ops[:-1], guard)
        for result, given in zip(op.results, region.ops[-1].operands, strict=True):
            self._alias(result, given)

    def _alias(self, value: Value, same: Value) -> None:
        if isinstance(value.type, VectorType):
            self.low.values[value] = self.low.value(same)
        else:
            self.scalars.alias_of(value, same)

    def _nested(self, op: Op) -> None:
        step, scalars = self.step, self.scalars
        match op.name:
            case "scf.if":
                step.branches += 1
                self.low.keep(op.operands)
                self.close(step.branch, scalars.node(op.operands[0]))
                for n, region in enumerate(op.regions):
                    if n and not _does_something(region):
                        continue
                    if not n:
                        step.behind.add(len(step.bounds))
                    self.run(region.ops, None)
                    over = not n and len(op.regions) > 1 and _does_something(op.regions[1])
                    self.close(step.branch if over else None)
            case "scf.for":
                first, end = (scalars.origin(bound) for bound in op.operands[:2])
                count = trip_count(op, scalars)
                if first is end or count == 0:  # the rest of a loop that another one has done
                    self._skip(op)
                    return
                self.low.keep(op.operands)
                if count is None:  # it may have no trip at all
                    step.unknown_loops += 1
                    count = 1
                    self.close(step.branch, scalars.add(scalars.test, *map(scalars.node, op.operands[:2])))
                else:
                    self.close()
                step.extra += self.trips * LOOP_ENTRY
                inner = _Blocks(step, self.live, self.trips * count)
                begun = len(step.bounds)
                inner.run(op.regions[0].ops, None)
                inner.close(step.branch, scalars.add(scalars.test, scalars.add(scalars.alu)))
                step.loops[begun] = len(step.bounds) - 1
            case "scf.while":
                step.unknown_loops += 1
                self.low.keep(op.operands)
                self.close()
                condition, body = op.regions
                inner = _Blocks(step, self.live, self.trips)
                inner.run(condition.ops, None)
                inner.close(step.branch, scalars.node(condition.ops[-1].operands[0]))
                inner.run(body.ops, None)
                inner.run(condition.ops, None)  # once before the loop, and again at each trip's end
                inner.close(step.branch, scalars.node(condition.ops[-1].operands[0]))
            case _:
                for region in op.regions:
                    self.run(region.ops, None)
        self.first = self.low.new_block()

    def _skip(self, op: Op) -> None:
        """A loop without a trip gives what it was given."""
        for result, given in zip(op.results, op.operands[3:], strict=True):
            self._alias(result, given)


def _does_something(region: Region) -> bool:
    return any(op.name != "scf.yield" for op in region.ops)


def _matmuls(ops: tuple[Op, ...], live: set[int]) -> list[Op]:
    """Matmuls in the block that these operations begin with."""
    block = takewhile(lambda op: not (op.regions and id(op) in live), ops)
    return [op for op in block if op.name == "tpu.matmul" and id(op) in live]


def _lower(op: Op, low: Lowering, scalars: Scalars) -> None:
    if not any(isinstance(result.type, VectorType) for result in op.results) and op.name not in STORES:
        low.keep(op.operands)
    rule = RULES.get(op.name)
    if rule is not None:
        rule(low, op)
        return
    if not op.results or not isinstance(op.results[0].type, VectorType):
        if not scalar_floats.lower(low, scalars, op):
            scalars.lower(op)
        return
    if op.name == "arith.constant":
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
