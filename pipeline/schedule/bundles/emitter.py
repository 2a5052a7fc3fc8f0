"""The pipeline's own code in a grid step: which blocks are next, copies started and waited for, the loop's end.

Source: the order and the kinds of instructions in libtpu 0.0.42.1's schedules of kernels of our own, one to six inputs,
one to three outputs, one to three grid axes. Constants here are counts of instructions; what they take is the chip's.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.ir.call import Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.schedule.bundles import window_shape as shape
from pipeline.schedule.bundles.grid_code import Buffers, GridCode, Key
from pipeline.schedule.bundles.index_code import run_map
from pipeline.schedule.bundles.scalar_code import Code, Timing
from pipeline.schedule.bundles.scalar_program import Known, Value
from pipeline.schedule.layout import packing
from pipeline.schedule.windows import Planned

# features of chips: which ends of a copy the compiler checks against the bounds of their memory
WINDOWS_CHECKED = "checks_windows_in_vmem"
TRUSTS_CONSTANTS = "trusts_constant_addresses"
TRUSTS_INDICES = "trusts_grid_indices"
NEGATED_WAITS = "negated_waits"
FEW_PREDICATES = "few_predicates"
UNSIGNED_MINIMUM = "scalar_unsigned_minimum"

_REGISTERS = 10  # values that live through the loop and stay in registers; the others go through scalar memory
# stored values, from which on those of the loop's end are among them, the indices of the blocks that are written back,
# the buffers that are waited for, and more of each
_ENDS_STORED, _PAST_STORED, _PHASES_STORED, _MORE_STORED = 5, 7, 8, 10
_CHECKS = 3  # values that the kernel's own copies of an operand add to that
_LATE = 7  # stored values, beyond which each is loaded again in the loop's last block
_BASES_STORED = 2  # addresses of arrays that are loaded again
_ADDRESSES = 3  # of a copy, made before the one before it where both are made at the same steps
_OTHER_WAIT = 4  # bundles to the wait for a window that changes at other steps than the one before
_SLOTS_OF_ADDRESS = 4  # delay slots that what is written back is found out in; more of them take part of its check
_BANKS = 4  # registers, from one to another that lies in the same bank
_SIZE_IN = 5  # instructions to a cut-off block's size and the rest of the block's, beside a comparison
_SPARED_IN_PLACE = 3  # bundles more, where the body reads its blocks in place and none of them moves
_SIZE = 4  # bundles to a cut-off block's size and to the semaphore's part that will not come
_STAGE = 3  # predicates in a row from the loop's count to the first wait, where no branch is between
_WAIT_ADDRESS = 3  # bundles to a semaphore's place, in the delay slots of the branch before


class Emitted(NamedTuple):
    """Bundles before the body, of code beside the body's last block, and after it."""

    before: int
    beside: int
    after: int
    lead: int = 0  # of what comes beside the body's last block, those before it
    early: int = 0  # of the body's beginning, those that there is room for before it
    checks: tuple[int, ...] = ()  # of what comes after it, those of outputs' windows in VMEM


def emit(
    planned: tuple[Planned, ...],
    grid: tuple[int, ...],
    chip: Chip,
    semaphores: int = 0,
    shared: bool = False,
    kept: frozenset[int] = frozenset(),
    tables: int = 0,
    predicated: bool = False,
    loose: int = 0,
    read: frozenset[int] = frozenset(),
    ahead: int = 0,
) -> Emitted:
    """The code of a step for the windows whose blocks are copied; `semaphores` are the kernel's own, `kept` the
    positions of operands that are in VMEM already, `tables` what is copied to scalar memory before it begins, `loose`
    operands that the kernel copies by itself. `grid` is one core's, of a device whose cores have `shared` out the
    call's or which leaves it to one. `predicated`: the body has no branch around it; `read`: axes of the grid whose
    index it reads; `ahead`: bundles of the block that it begins with, where others follow."""
    timing = Timing.of(chip)
    planned = tuple(entry for entry in planned if entry.window.space in (MemorySpace.VMEM, MemorySpace.SMEM))
    if prod(grid) <= 1:
        code = _once(planned, kept, chip, timing, semaphores)
        first = (timing.core_check if shared else timing.core_choice) + _tables(tables, bool(kept), chip, timing)
        return code._replace(before=code.before + first)
    if not planned:  # the loop's count, its test and the branch
        return Emitted(0, 0, timing.predicate + 1 + timing.delay)
    return _Step(planned, grid, chip, timing, kept, loose, read, ahead).emit(predicated)


def _once(planned: tuple[Planned, ...], kept: frozenset[int], chip: Chip, timing: Timing, semaphores: int) -> Emitted:
    """A grid of one step: everything is copied in, and out, once; then the kernel's semaphores must be zero again."""
    checked = WINDOWS_CHECKED in chip.features
    trusted = TRUSTS_CONSTANTS in chip.features
    in_place = [entry for entry in planned if shape.in_place(entry, kept)]
    inputs = [entry for entry in planned if entry.window.role is Role.INPUT and entry not in in_place]
    outputs = [entry for entry in planned if entry.window.role is Role.OUTPUT]
    sides = [side for side, there in (("hbm", not trusted), ("vmem", checked)) if there]
    scalar = [entry for entry in inputs if entry.window.space is MemorySpace.SMEM]

    def sides_of(entry: Planned) -> list[str]:
        """The ends of an input's copy that are checked: none in scalar memory."""
        if entry not in scalar:
            return sides
        return [side for side in sides if side == ("vmem" if entry.window.position in kept else "hbm")]

    def ends(entry: Planned, order: list[str], skip: int) -> list[int]:
        """Bundles of the check of each end of a copy, of its addresses where there is none; the first `skip` are there
        beside other code."""
        code = Code(timing)
        places = {"hbm": code.pointer(0, True), "vmem": code.pointer(code.op() if not skip else 0, False)}
        lengths = []
        for side in order:
            code.check(places[side], None, side == "hbm", shape.is_whole(entry))
            lengths.append(code.length)
            code, places = Code(timing), dict.fromkeys(places, 0)
        return lengths or [code.length]

    semaphored = min(2, len(inputs)), min(2, len(outputs))  # the first has its own, all others share one
    before = sum(semaphored)  # to set them to zero, one a bundle
    for n, entry in enumerate(inputs):
        before += sum(ends(entry, sides_of(entry), n < 2)) + (1 + (shape.strides(entry) is not None) if not n else 1)
    before += 2 * semaphored[0] - (1 if inputs or (outputs and not in_place) else 0)  # the last is the body's as well
    before += 2 if scalar else 0  # but a fence stands alone
    beside = after = 0
    checks = []
    for n, entry in enumerate(outputs):
        first, *others = ends(entry, sides[::-1], n == 1)
        if not n:
            beside = first
        elif checked:
            checks.append(first)
        after += sum(others) + (first if n else 0) + 1 + (shape.strides(entry) is not None and not n)
    after += 2 * semaphored[1] + sum(semaphored)
    if timing.core_choice:  # where another core comes to
        after += 1
    zero = timing.semaphore + 1 + timing.predicate + 1  # to see that a semaphore is
    return Emitted(before, beside, after + zero * semaphores, checks=tuple(checks))


def _tables(n: int, in_vmem: bool, chip: Chip, timing: Timing) -> int:
    """Tables copied to scalar memory one after the other, a wait for all of them, and a fence."""
    if not n:
        return 0
    checked = WINDOWS_CHECKED in chip.features if in_vmem else TRUSTS_CONSTANTS not in chip.features
    total = 0 if timing.core_choice else 1  # the arguments
    for i in range(n):
        code = Code(timing)
        place = code.pointer(0, not in_vmem) if checked or not i else 0
        if checked:
            code.check(place, None, not in_vmem, True)
            total += not i or timing.hbm_unpack  # the place in scalar memory
        total += code.length + 1
    return total + 3


class _Step:
    """A step of a grid's loop: the copies in, the wait for this step's blocks, the copies out, the loop's end."""

    def __init__(
        self,
        planned: tuple[Planned, ...],
        grid: tuple[int, ...],
        chip: Chip,
        timing: Timing,
        kept: frozenset[int],
        loose: int,
        read: frozenset[int],
        ahead: int,
    ) -> None:
        self.ahead = ahead
        self.chip, self.timing = chip, timing
        inside = [p for p in planned if shape.in_place(p, kept)]
        self.copied = [p for p in planned if p.window.role is Role.INPUT and p not in inside]
        self.inputs = [p for p in self.copied if shape.moves(p)]
        self.outputs = [p for p in planned if p.window.role is Role.OUTPUT and shape.moves(p)]
        self.results = [p for p in planned if p.window.role is Role.OUTPUT and not shape.moves(p)]
        self.kept = [p for p in inside if self.narrow(p)]
        self.inside = [p for p in inside if shape.moves(p) and not self.narrow(p)]
        self.checked = WINDOWS_CHECKED in chip.features
        self.trusts = len(grid) > 1 and TRUSTS_INDICES in chip.features
        minimum = UNSIGNED_MINIMUM in chip.features
        fetches = bool(self.copied or inside)
        axes = read.union(*(form.axes for p in planned for form in p.index_map.forms))
        self.code = GridCode(grid, timing, minimum, fetches, axes)
        self.program = self.code.program
        self.number = {id(entry): n for n, entry in enumerate(planned)}
        fetched, written = ({self.key(entry) for entry in of} for of in (self.inputs, self.outputs))
        self.states: dict[int, Buffers] = {}
        for entry in (*self.inputs, *self.outputs, *self.kept):
            key, index_map = self.key(entry), entry.operand.index_map
            self.states[id(entry)] = self.code.open(index_map, self.own(entry), key in fetched, key in written)
        self.partial = any(shape.cut_off(entry, chip) for entry in self.inputs)
        self.crowded_predicates = self.checked and not self.partial and self.keep_predicates()
        self.strides: set[int] = set()
        self.classes = len({id(self.states.get(id(entry))) for entry in self.copied})
        together = len(self.copied) - self.classes  # whose addresses are made early
        computed = {value for key in self.code.buffers for value in key if value not in self.code.now}
        live = self.code.carried + len(planned) + loose + len(computed)
        self.stored = max(0, live - _REGISTERS)
        self.more = self.stored + _CHECKS * loose >= _MORE_STORED
        self.crowded = max(0, live + _ADDRESSES * together - _REGISTERS)

    def keep_predicates(self) -> bool:
        """Predicates give way to those that the checks of copies take; whether that is many, for checks in HBM."""
        program = self.program
        maps = [run_map(program, p.operand.index_map, self.code.now) for p in self.inputs if p.operand.index_map]
        trusted = self.trusts and all(program.between(v) is not None for values in maps for v in values)
        for state in self.code.buffers.values():
            self.code.keep(state.wait)
            if not trusted:
                self.code.keep(state.drain)
                if FEW_PREDICATES in self.chip.features:
                    self.code.keep(state.write)
        return not trusted and bool(self.copied)

    def own(self, entry: Planned) -> Known:
        """The mark of a window whose index map reads tables, which it does by itself; none of another."""
        return self.mark(entry) if entry.index_map.data_dependent else Known(-1)

    def key(self, entry: Planned) -> Key:
        return self.code.key(entry.operand.index_map, self.own(entry))

    def mark(self, entry: Planned) -> Known:
        """Tells what is a window's own from what is another's."""
        return Known(self.number[id(entry)])

    # --- segments
    def emit(self, predicated: bool) -> Emitted:
        program, total = self.program, 0
        code = Code(self.timing)
        for _ in range(self.stored):
            code.op()
        if self.partial:  # around all copies, where there is no next block
            fetches = [state.fetch for state in self.code.buffers.values() if state.fetch is not None]
            program.place(code, [*self.code.rest, *fetches])
            total += code.length + 1 + self.timing.delay
            code = Code(self.timing)
        alike = len({id(self.states.get(id(entry))) for entry in self.copied[:2]}) < 2
        early = 0 if alike else 1  # the copy before which everything else is computed
        for n, entry in enumerate(self.copied):
            roots = self.code.rest if n == early else [] if n else self.opening(entry)
            done, code = self.copy_in(code, entry, roots, self.base_stored(n))
            total += done
        if not self.copied:
            total += self.idle_guard(code) if not self.kept else self.narrow_copies(code)
        else:
            if predicated:
                total += code.length + _STAGE * self.timing.predicate
            elif not total and not self.inputs:  # no check ends a block: the copies go behind the branch
                total = max(code.length, 2 * self.timing.predicate + 2 + self.timing.delay)
            else:
                total += self.guard(code)
            total += self.waits()
        lead = self.places_inside()
        if self.ahead and lead:  # what they are not waited for in takes most of it
            lead = max(1, lead - self.ahead + 1)
        beside, after = self.copies_out()
        if lead > self.timing.delay - 1:  # more than what the delay slots of the branch before have room for
            beside += lead - 1
        after += self.drain()
        early = 0 if self.copied else self.timing.delay + self.timing.predicate
        return Emitted(total, max(lead, beside), after, lead, early, tuple(self.checks))

    def base_stored(self, n: int) -> bool:
        """Whether the place of the array of copy number `n` is in scalar memory."""
        spared = 0 if FEW_PREDICATES in self.chip.features else 1
        return (
            (n < _BASES_STORED or self.more)
            and self.crowded > 2 * n + spared
            and (self.checked or self.more or self.code.rank == 1)
        )

    def opening(self, entry: Planned) -> list[Value]:
        """What is computed before the first copy though it does not need it: the other predicates of its buffers."""
        state = self.states.get(id(entry))
        if state is None:
            return []
        mine = {value for value in (state.wait, state.write, state.drain) if value is not None}
        kept = [v for v in self.code.rest if not isinstance(v, Known) and mine & set(self.program.operands[v])]
        return [*mine, *kept]

    def copy_in(self, code: Code, entry: Planned, roots: list[Value], stored: bool) -> tuple[int, Code]:
        """Bundles up to a check of the copy's ends, and the block that it is started in."""
        program, timing = self.program, self.timing
        moves, partial = shape.moves(entry), shape.cut_off(entry, self.chip)
        in_vmem = entry.window.space is not MemorySpace.SMEM
        total, ready = 0, dict[int, int]()
        if partial:  # a branch, in whose delay slots the size is computed, and the semaphore's part that will not come
            total += 1 + max(timing.delay, _SIZE_IN + timing.predicate + timing.hbm_unpack)
        if moves:
            state = self.states[id(entry)]
            buffer = program.op("buffer of", state.first)
            vmem: Value = program.op("window", program.op("bytes", buffer), self.mark(entry))
            semaphore: Value = program.op("semaphore", buffer, self.mark(entry))
            inside = program.test("inside", self.code.count)
            indices = self.code.now
            if entry.index_map.data_dependent:  # the table is read only where it is there
                indices = self.guarded(entry, indices, state.fetch or Known(0), inside)
            hbm, trusted = self.address(entry, indices, stored)
            guard = program.test("not", program.test("nand", inside, state.fetch or Known(0)))
            if partial:
                guard = program.test("any of it", self.mark(entry))
                program.place(Code(timing), [vmem, semaphore])
        else:
            vmem, hbm, semaphore, trusted = program.op("window", self.mark(entry)), Known(0), Known(0), False
            runs = program.test("not", program.test("nand", program.test("begun"), program.test("inside", Known(1))))
            first = program.test("eq", self.code.before, Known(0))
            checked = (in_vmem and self.checked) or not self.trusts_constants
            guard = program.test("nand", runs, first)
            guard = program.test("not", guard) if checked else guard
            ready = program.place(code, [value for value in roots if value not in self.code.kept])
            ready |= program.place(code, [guard])
        ready |= program.place(code, [*roots, vmem, hbm, semaphore, guard])
        at = [0 if isinstance(v, Known) else ready.get(v, 0) for v in (vmem, hbm, guard)]
        vmem_at = code.pointer(at[0], False)
        hbm_at = code.pointer(at[1], True) if moves else 0
        guard_at: int = at[2]
        checks = [(hbm_at, True)] if partial or not (trusted if moves else self.trusts_constants) else []
        checks += [(vmem_at, False)] if in_vmem and (partial or self.checked) else []
        for n, (pointer, is_hbm) in enumerate(checks):
            code.check(0 if n else pointer, 0 if n else guard_at, is_hbm, shape.is_whole(entry))
            total += code.length
            code = Code(timing)
        started = at if checks else [vmem_at, hbm_at, guard_at]
        for _ in range(self.start(entry) - 1):
            code.op()
        code.op(*(started if not checks else [code.length]))
        return total, code

    def guarded(self, entry: Planned, indices: list[Value], fetch: Value, inside: Value) -> list[Value]:
        """Indices that a table is read with, those of nothing where there is no block to fetch."""
        program = self.program
        table = program.op("table too", program.op("table", fetch, self.mark(entry), slots=2), inside)
        found: list[Value] = []
        for value in indices:
            moved = value if isinstance(value, Known) else program.op("guarded", value, fetch)
            found.append(value if isinstance(moved, Known) else program.op("guarded too", moved, inside, table))
        return found

    @property
    def trusts_constants(self) -> bool:
        return TRUSTS_CONSTANTS in self.chip.features

    def address(self, entry: Planned, indices: list[Value], stored: bool) -> tuple[Value, bool]:
        """The block's place in HBM, and whether it is known to lie in the array."""
        program, index_map = self.program, entry.operand.index_map
        places = run_map(program, index_map, indices) if index_map is not None else []
        steps = shape.steps(entry)
        moving = [(v, n) for v, n in zip(places, steps, strict=False) if not isinstance(v, Known)]
        trusted = self.trusts and all(program.between(v) is not None for v in places)
        total: Value = Known(0)
        for n, (value, step) in enumerate(moving):
            part = program.multiply(value, Known(step)) if len(moving) > 1 else value
            total = program.op("sum", total, part) if n else part
        if moving:
            step = moving[0][1] if len(moving) == 1 else 1
            power = step & (step - 1) == 0
            total = program.op("scaled", total, Known(step), latency=1 if power else self.timing.multiply)
        base = program.op("base", self.mark(entry), latency=self.timing.load) if stored else program.given()
        return program.op("address", base, total), trusted

    def narrow(self, entry: Planned) -> bool:
        """Whether a block of an input that is in VMEM already is copied, because its rows are apart there."""
        window = entry.window
        apart = len(window.block) > 1 and window.block[-1] < window.array[-1]
        return shape.moves(entry) and apart and shape.strides(entry) is not None

    def narrow_copies(self, code: Code) -> int:
        """Copies within VMEM behind a branch that skips them all in the last iteration, and the way into the body."""
        program, timing = self.program, self.timing
        late = {state.carried for state in self.code.buffers.values()}  # in the delay slots
        roots = [value for value in self.code.rest if value not in late]
        roots += [node for value in late if not isinstance(value, Known) for node in program.operands[value]]
        program.place(code, [self.code.before, *roots])
        total = code.length + 1 + timing.delay
        total += sum(self.copy_within(n, entry) for n, entry in enumerate(self.kept))
        return total + 2 * timing.predicate + 1 + timing.delay

    def copy_within(self, n: int, entry: Planned) -> int:
        """A block's copy within VMEM, skipped where the block stays: in the delay slots already, where it has an
        address by then."""
        branch = 1 + self.timing.delay
        if shape.cut_off(entry, self.chip):
            return 2 * branch + 4 + branch + 3 * (branch + 3)  # its size, a loop of many registers and one of the rest
        code = Code(self.timing)
        self.program.place(code, [self.address(entry, self.code.now, self.base_stored(n))[0]])
        return max(branch, 1 + code.length + self.moves(entry) + 1)

    def moves(self, entry: Planned) -> int:
        """Bundles of a block's loads and stores within VMEM, but for the last store: two a bundle, one where all loads
        are from one bank, two in three where they are parts of registers."""
        window, sublanes, lanes = entry.window, self.chip.sublanes, self.chip.lanes
        rows = window.tiling.rows or 1
        tile = max(1, rows // packing(entry.operand.array.dtype))  # sublanes of a tile
        across, wide = -(-window.block[-1] // lanes), -(-window.array[-1] // lanes)
        registers = prod(window.block[:-2]) * -(-window.block[-2] // rows) * -(-across * tile // sublanes)
        if across * tile < sublanes:
            return -(-registers * 2 // 3)
        apart = across * tile > sublanes or wide * tile % (_BANKS * sublanes)
        return -(-registers // 2) if apart else registers

    def start(self, entry: Planned) -> int:
        """Constants for the strides, and the copy."""
        strides = shape.strides(entry, shape.cut_off(entry, self.chip))
        if strides is None:
            return 1
        new = set(strides) - self.strides
        self.strides |= new
        return 1 + -(-len(new) // self.timing.slots)

    def idle_guard(self, code: Code) -> int:
        """Into the body, except in the last iteration: without copies in, everything comes before it."""
        program, delay = self.program, self.timing.delay
        if self.code.fetches:  # from windows that are read where they are: counted as if they were copied
            program.place(code, [self.code.before, *self.code.rest])
            begun, inside = program.test("begun"), program.test("inside", Known(1))
            guard = program.test("nand", begun, inside)
            return program.place(code, [guard])[guard] + 1 + delay
        over = program.test("over", self.code.count)
        ready = program.place(code, [over])[over]
        program.place(code, self.code.rest)
        return max(code.length + max(1, delay - 2), ready + 1 + delay)  # the last of it is in the branch's delay slots

    def places_inside(self) -> int:
        """Bundles to the places in VMEM of blocks that are read where they are, past the branch's delay slots. What a
        table says of one is read from the first of those slots on."""
        program, code = self.program, Code(self.timing)
        places: list[Value] = []
        tests: list[Value] = []
        read: list[Value] = []
        for entry in self.inside:
            if entry.operand.index_map is None:
                continue
            total: Value = Known(0)
            indices = run_map(program, entry.operand.index_map, self.code.past)
            for value, step in zip(indices, shape.steps(entry), strict=False):
                if isinstance(value, Known):
                    continue
                within = program.test("within", value, Known(step))
                if not entry.index_map.data_dependent:
                    tests.append(within)
                limited = program.op("least", within, value, latency=2, slots=2)
                total = program.op("sum", total, program.op("scaled", limited, Known(step)))
            mine = read if entry.index_map.data_dependent else places
            mine.append(program.op("place", total, self.mark(entry)))
        program.place(Code(self.timing), tests)  # in the delay slots
        lead = max(program.place(code, places).values(), default=0)
        late = max(program.place(Code(self.timing), read).values(), default=0)
        return max(lead, late - self.timing.delay)

    def guard(self, code: Code) -> int:
        """Into the body, except in the first and the last iterations."""
        n = len(self.copied)
        predicates = 2 if self.partial else 1 if n == 1 and self.inputs else 0
        if self.inputs and self.crowded_predicates and (n == 1 or FEW_PREDICATES in self.chip.features):
            predicates += 1
        return code.length + predicates * self.timing.predicate + 1 + self.timing.delay

    def waits(self) -> int:
        """For the blocks that this step reads; windows whose blocks change together share the code of the second and
        the third wait, of the fourth and the fifth, and so on."""
        others = self.classes - 1
        same = len(self.copied) - self.classes
        first = 1 + max(0, _WAIT_ADDRESS - 1 - self.timing.delay)
        shared = 2 if same == 1 else 3 * ((same + 1) // 2)
        late = (self.stored >= _PHASES_STORED) + (self.stored >= _MORE_STORED)
        fence = any(entry.window.space is MemorySpace.SMEM for entry in self.copied)
        return first + fence + shared + _OTHER_WAIT * others + (self.timing.load - 1) * min(late, others)

    def copies_out(self) -> tuple[int, int]:
        """(beside the body, after it) for the outputs."""
        beside, after = 0, 0
        self.checks: list[int] = []
        self.strides = set()
        for n, entry in enumerate((*self.outputs, *self.results)):
            moves, partial = shape.moves(entry), shape.cut_off(entry, self.chip)
            code = Code(self.timing)
            if partial:
                beside = max(beside, 1 + self.timing.delay)
                after += _SIZE
            trusted = self.trusts_constants
            if moves:
                state = self.states[id(entry)]
                start = code.load() if self.stored >= _PAST_STORED and not n else 0
                start = start if self.copied or self.ahead else 1 - self.timing.delay
                buffer = self.program.op("buffer out", state.used if self.copied else state.first)
                place, trusted = self.address(entry, self.code.past, False)
                window = self.program.op("window out", self.program.op("bytes out", buffer), self.mark(entry))
                if self.ahead and not self.copied:  # the body has used the window before its last block
                    self.program.place(Code(self.timing), [window])
                ready = self.program.place(code, [window, place])
                at = [0 if isinstance(v, Known) else max(0, start + ready.get(v, 0)) for v in (window, place)]
                code = code if self.copied or self.ahead else Code(self.timing)
                vmem, hbm = code.pointer(at[0], False), code.pointer(at[1], True)
            else:
                vmem, hbm = code.pointer(code.op(), False), code.pointer(0, True)
            guard = code.test() if not n else 0
            checks_hbm = partial or not trusted
            checks_vmem = partial or self.checked
            first = True
            for wanted, pointer, is_hbm in ((checks_vmem, vmem, False), (checks_hbm, hbm, True)):
                if not wanted:
                    continue
                code.check(pointer if first else 0, guard if first else 0, is_hbm, shape.is_whole(entry))
                if first and not n and not partial:
                    beside = code.length - self.begun_early(moves)
                else:
                    after += code.length
                    if first and not is_hbm and not partial:
                        self.checks.append(code.length)
                first = False
                code = Code(self.timing)
            if first and not n:  # nothing is checked: the copy waits for what it is told
                beside = max(0, max(guard, vmem, hbm) - self.begun_early(moves))
            after += code.length if n or partial else 0
            after += self.start(entry)
        return beside, after

    def begun_early(self, moves: bool) -> int:
        """Bundles of the check of what is written back that are in the delay slots of the branch around the body, or
        before it, where there is no wait between them and the body has no block before its last one."""
        if self.copied or self.ahead:
            return 0
        spared = max(0, self.timing.delay - _SLOTS_OF_ADDRESS)
        if moves:
            return spared + (_SPARED_IN_PLACE if self.code.fetches and not self.inside else 0)
        return self.timing.delay + (2 if self.code.fetches else 1)

    def drain(self) -> int:
        """Waits for what was written, and the loop's end."""
        timing = self.timing
        total = 0
        if self.outputs:
            slow = timing.load + 2 if self.stored >= _ENDS_STORED else 0
            steps = 2 if NEGATED_WAITS in self.chip.features else 3
            total += max(steps * timing.predicate + 1 + self.crowded_predicates * (timing.predicate > 1), slow)
            total += timing.load if self.more else 0
            states = {id(self.states[id(entry)]) for entry in self.outputs}
            apart = steps * timing.predicate + (timing.load + 1 if self.stored >= _ENDS_STORED else 3)
            total += apart * (len(states) - 1)  # of what is written at other steps
            more = len(self.outputs) - len(states)
            total += 2 if more == 1 else 4 * ((more + 1) // 2)
        total += len(self.results) + (1 if self.results else 0)  # the last is signalled alone
        loaded = max(0, self.stored - _LATE)
        end = -(-(self.code.carried + 2 + loaded) // timing.slots)  # what is carried on, the comparison, the branch
        stored = self.stored >= _ENDS_STORED or self.crowded >= _PHASES_STORED
        alone = not self.code.buffers  # nothing but the count itself is carried on, and that is not known before
        end = max(end, timing.predicate + 1 + alone, timing.load + 3 if stored else 0)
        return total + end + timing.delay
