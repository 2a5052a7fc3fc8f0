"""The pipeline's own code in a grid step: which blocks are next, copies started and waited for, the loop's end.

Source: the order and the kinds of instructions in libtpu 0.0.42.1's schedules of kernels of our own, one to six inputs,
one to three outputs, one to three grid axes. Constants here are counts of instructions; what they take is the chip's.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple, Union

from pipeline.chips.chip import Chip
from pipeline.ir.call import Blocked, Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.ir.jaxpr_text import print_jaxpr
from pipeline.schedule.bundles.index_code import run_map
from pipeline.schedule.bundles.scalar_code import Code, Timing
from pipeline.schedule.windows import Planned

# features of chips: which ends of a copy the compiler checks against the bounds of their memory
WINDOWS_CHECKED = "checks_windows_in_vmem"
TRUSTS_CONSTANTS = "trusts_constant_addresses"
TRUSTS_INDICES = "trusts_grid_indices"

_STATE_KEPT = 6  # values carried from step to step that stay in registers; the others go through scalar memory
_RELOADED = 6  # values of them that are in scalar memory from which on others than the loop's are too
_BASES_KEPT = 2  # moving inputs, up to which all addresses stay in registers
_PREDICATES_STORED = 3  # of those that a window's state takes, where the copies' checks take registers too
_SIZE = 4  # bundles to a cut-off block's size and to the semaphore's part that will not come
_WAIT_ADDRESS = 3  # bundles to a semaphore's place, in the delay slots of the branch before
_KEPT_PLACE = 3  # bundles to the place of a block that is there, which its index is kept in bounds for
_BASES_STORED = 2  # addresses that are loaded again where they do not


_Key = Union[str, tuple[tuple[tuple[int, ...] | None, tuple[int, ...], bool], ...]]


class Emitted(NamedTuple):
    """Bundles before the body, of code beside the body's last block, and after it."""

    before: int
    beside: int
    after: int


def emit(
    planned: tuple[Planned, ...],
    grid: tuple[int, ...],
    chip: Chip,
    semaphores: int = 0,
    shared: bool = False,
    kept: frozenset[int] = frozenset(),
    tables: int = 0,
    predicated: bool = False,
) -> Emitted:
    """The code of a step for the windows whose blocks are copied; `semaphores` are the kernel's own, `kept` the
    positions of operands that are in VMEM already, `tables` what is copied to scalar memory before it begins. `grid` is
    one core's, of a device whose cores have `shared` out the call's or which leaves it to one. `predicated`: the body
    has no branch around it."""
    timing = Timing.of(chip)
    planned = tuple(entry for entry in planned if entry.window.space in (MemorySpace.VMEM, MemorySpace.SMEM))
    if prod(grid) <= 1:
        code = _once(planned, kept, chip, timing, semaphores)
        first = (timing.core_check if shared else timing.core_choice) + _tables(tables, bool(kept), chip, timing)
        return code._replace(before=code.before + first)
    if not planned:  # the loop's count, its test and the branch
        return Emitted(0, 0, timing.predicate + 1 + timing.delay)
    return _Step(planned, grid, chip, timing, kept).emit(predicated)


def _once(planned: tuple[Planned, ...], kept: frozenset[int], chip: Chip, timing: Timing, semaphores: int) -> Emitted:
    """A grid of one step: everything is copied in, and out, once; then the kernel's semaphores must be zero again."""
    checked = WINDOWS_CHECKED in chip.features
    trusted = TRUSTS_CONSTANTS in chip.features
    in_place = [entry for entry in planned if _in_place(entry, kept)]
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
            code.check(places[side], None, side == "hbm", _whole(entry))
            lengths.append(code.length)
            code, places = Code(timing), dict.fromkeys(places, 0)
        return lengths or [code.length]

    semaphored = min(2, len(inputs)), min(2, len(outputs))  # the first has its own, all others share one
    before = sum(semaphored)  # to set them to zero, one a bundle
    for n, entry in enumerate(inputs):
        before += sum(ends(entry, sides_of(entry), n < 2)) + (1 + (_strided(entry) is not None) if not n else 1)
    before += 2 * semaphored[0] - (1 if inputs or (outputs and not in_place) else 0)  # the last is the body's as well
    before += 2 if scalar else 0  # but a fence stands alone
    beside = after = 0
    for n, entry in enumerate(outputs):
        first, *others = ends(entry, sides[::-1], n == 1)
        if not n:
            beside = first
        after += sum(others) + (first if n else 0) + 1 + (_strided(entry) is not None and not n)
    after += 2 * semaphored[1] + sum(semaphored)
    if timing.core_choice:  # where another core comes to
        after += 1
    zero = timing.semaphore + 1 + timing.predicate + 1  # to see that a semaphore is
    return Emitted(before, beside, after + zero * semaphores)


def _whole(entry: Planned) -> bool:
    """Whether the block is the array."""
    return prod(entry.window.block) == prod(entry.window.array)


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


def _moves(entry: Planned) -> bool:
    """Whether the block can change from step to step, as far as the index map's text says."""
    return entry.index_map.depends_on_grid


def _in_place(entry: Planned, kept: frozenset[int]) -> bool:
    """Whether the blocks are where the kernel reads them before the call."""
    return entry.window.space is MemorySpace.VMEM and entry.window.position in kept


def _partial(entry: Planned) -> bool:
    """Whether the array's last blocks are cut off, so that a copy's size has to be found out."""
    dims = entry.operand.block or ()
    pairs = zip(dims, entry.window.array, strict=False)
    return _moves(entry) and any(isinstance(dim, Blocked) and size % dim.size for dim, size in pairs)


def _strided(entry: Planned) -> tuple[int, int, int] | None:
    """The strides of a copy and the steps of each, None for one that is contiguous."""
    window = entry.window
    if len(window.block) < 2 or window.tiling.rows is None:
        return None
    lanes = window.tiling.lanes
    block, array = (-(-n // lanes) for n in (window.block[-1], window.array[-1]))
    rows = -(-window.block[-2] // window.tiling.rows)
    outer = prod(window.block[:-2])
    if outer * rows == 1 or (block == array == 1 and rows == 1):
        return None
    return block, array, rows


class _Step:
    def __init__(
        self, planned: tuple[Planned, ...], grid: tuple[int, ...], chip: Chip, timing: Timing, kept: frozenset[int]
    ) -> None:
        self.chip, self.timing = chip, timing
        self.axes = [axis for axis, n in enumerate(grid) if n > 1]
        self.rank = len(self.axes)
        self.inputs = [p for p in planned if p.window.role is Role.INPUT and _moves(p)]
        self.fixed = [p for p in planned if p.window.role is Role.INPUT and not _moves(p)]
        self.kept = [p for p in planned if _in_place(p, kept)]
        self.inputs = [p for p in self.inputs if p not in self.kept]
        self.fixed = [p for p in self.fixed if p not in self.kept]
        self.outputs = [p for p in planned if p.window.role is Role.OUTPUT and _moves(p)]
        self.results = [p for p in planned if p.window.role is Role.OUTPUT and not _moves(p)]
        self.keys: dict[_Key, Planned] = {}  # and the first window of each
        for entry in (*self.inputs, *self.outputs, *(p for p in self.kept if self.narrow(p))):
            self.keys.setdefault(self.key(entry), entry)
        self.strides: set[int] = set()
        self.trusts = self.rank > 1 and TRUSTS_INDICES in chip.features
        self.checked = WINDOWS_CHECKED in chip.features
        written = {axis for entry in self.outputs for form in entry.index_map.forms for axis in form.axes}
        state = 1 + (self.rank + len(written) if self.rank > 1 else 0) + 3 * len(self.keys)
        self.stored = max(0, state - _STATE_KEPT - 1)
        self.reloads = self.stored >= _RELOADED

    def key(self, entry: Planned) -> _Key:
        """Windows of one key change their blocks at the same steps, and share the code that finds out."""
        index_map = entry.index_map
        if not index_map.data_dependent or entry.operand.index_map is None:
            return tuple((form.coefficients, form.axes, form.data) for form in index_map.forms)
        return print_jaxpr(entry.operand.index_map)

    def signed(self, entry: Planned) -> bool:
        """Whether the indices that a map computes with may be negative, as far as the compiler sees: those of one axis
        are the loop's count, of several they are counters that it bounds."""
        return entry.index_map.data_dependent or self.rank == 1

    # --- segments
    def emit(self, predicated: bool) -> Emitted:
        code = Code(self.timing)
        self.head(code)
        opened: set[_Key] = set()
        first = self.rank == 1
        if first:
            for key, entry in self.keys.items():
                if not entry.index_map.data_dependent:
                    self.state(code, key)
                    opened.add(key)
        total = 0
        self.partial = any(map(_partial, self.inputs))
        if self.partial:  # around all copies, where there is no next block
            total += code.length + 1 + self.timing.delay
            code = Code(self.timing)
        bases = _BASES_STORED if len(self.inputs) > _BASES_KEPT else min(1, self.stored)
        for entry in self.fixed:
            total += self.copy_in(code, entry, False)
            code = Code(self.timing)
        for i, entry in enumerate(self.inputs):
            key = self.key(entry)
            if key not in opened:
                self.state(code, key)
                opened.add(key)
            total += self.copy_in(code, entry, i < bases)
            code = Code(self.timing)
        for key in self.keys:
            if key not in opened:
                self.state(code, key)
        total += code.length
        for entry in self.kept:
            if self.narrow(entry):
                total += self.copy_within(entry)
        guard = self.guard() if not predicated else 3 * self.timing.predicate
        total += guard + self.waits()
        beside, after = self.copies_out()
        if self.outputs and not self.inputs and not self.fixed:  # their addresses go behind the branch at once
            place = _KEPT_PLACE if any(map(_moves, self.kept)) else 0
            total += place
            beside = max(0, beside - guard - place)
        after += self.drain()
        return Emitted(total, beside, after)

    def head(self, code: Code) -> None:
        """Counters of the grid's axes for the block that is fetched next."""
        code.op()
        if self.outputs:
            code.op()
        if self.rank == 1:
            code.op()
            return
        for _ in range(self.stored):
            code.op()
        before = 0
        for i in range(self.rank):
            more = code.op()
            if i:
                more = code.op(more, before)  # only when the axis inside has come round
            before = code.test(more)
            code.op(before, more)

    def state(self, code: Code, key: _Key) -> None:
        """Whether the next block is another one, and whether this step's was and the last one's will be."""
        entry = self.keys[key]
        index_map, signed = entry.operand.index_map, self.signed(entry)
        different = compared = 0
        if index_map is not None:
            for a, b in zip(run_map(code, index_map, signed), run_map(code, index_map, signed), strict=True):
                if a is not None and b is not None:
                    different = code.op(different, a, b)
                    compared += 1
        for _ in range(compared - 1):
            different = code.op(different)
        same = code.test(different)
        phase = code.op()
        code.op(same, phase, latency=2)
        code.test(code.test(), code.test())
        code.test(code.test(), code.test())
        if any(self.key(entry) == key for entry in self.outputs):
            code.test(code.test())
            code.test(code.test())
        if self.rank > 1 and self.checked:  # more predicates than there are registers for
            for _ in range(_PREDICATES_STORED):
                code.op()

    def address(self, code: Code, entry: Planned, stored: bool, start: int = 0) -> int:
        """The block's place in HBM; the grid's indices are there at `start`."""
        reads = entry.index_map.data_dependent
        if reads:  # the table is read only where it is there
            start = max(start, code.op(code.op(code.test(code.test()))))
        index_map = entry.operand.index_map
        indices = run_map(code, index_map, self.signed(entry), start) if index_map is not None else []
        terms = [code.op(at) for at in indices if at is not None]
        base = code.load() if stored else 0
        at = 0
        for n, term in enumerate(terms):
            at = code.op(at, term) if n else term
        if len(terms) > 1:
            at = code.op(at)
        return code.op(at, base)

    def copy_in(self, code: Code, entry: Planned, stored: bool) -> int:
        moves, partial = _moves(entry), _partial(entry)
        total = 0
        if partial:
            total += 1 + self.timing.delay + _SIZE
            code = Code(self.timing)
        if moves:
            phase = code.op()
            vmem = code.pointer(code.op(code.op(phase)), False)
            code.op(phase)
            hbm = code.pointer(self.address(code, entry, stored), True)
            guard = code.test(code.test())
        else:
            vmem = code.pointer(code.op(), False)
            hbm = code.pointer(0, True)
            guard = code.test()
        checks_hbm = partial or (not self.trusts if moves else TRUSTS_CONSTANTS not in self.chip.features)
        checks_vmem = partial or self.checked
        if checks_hbm:
            code.check(hbm, guard, True, _whole(entry))
            total += code.length
            code = Code(self.timing)
        if checks_vmem:
            code.check(vmem if not checks_hbm else 0, guard if not checks_hbm else 0, False)
            total += code.length
            code = Code(self.timing)
        return total + code.length + self.start(entry)

    def narrow(self, entry: Planned) -> bool:
        """Whether a block of an input that is in VMEM already is copied, because its rows are apart there."""
        window = entry.window
        apart = len(window.block) > 1 and window.block[-1] < window.array[-1]
        return _moves(entry) and apart and _strided(entry) is not None

    def copy_within(self, entry: Planned) -> int:
        """A block's copy within VMEM, skipped where the block stays."""
        code = Code(self.timing)
        self.address(code, entry, True)
        registers = entry.window.tile_bytes // (self.chip.lanes * self.chip.sublanes * 4)
        return 1 + self.timing.delay + code.length + 1 + -(-registers // (self.chip.slot("vstore") or 1))

    def start(self, entry: Planned) -> int:
        """Constants for the strides, and the copy."""
        strides = _strided(entry)
        if strides is None:
            return 1
        new = set(strides) - self.strides
        self.strides |= new
        return 1 + -(-len(new) // self.timing.slots)

    def guard(self) -> int:
        """Into the body, except in the first and the last iterations."""
        n = len(self.inputs) + len(self.fixed)
        code = Code(self.timing)
        predicates = 2 if self.partial else 0 if n == 2 else 2 if self.checked and n == 1 else 1
        for _ in range(predicates):
            code.test()
        return predicates * self.timing.predicate + 1 + self.timing.delay

    def waits(self) -> int:
        """For the blocks that this step reads; windows whose blocks change together share the code of the second and
        the third wait, of the fourth and the fifth, and so on."""
        n = len(self.inputs) + len(self.fixed)
        classes = len({self.key(entry) for entry in self.inputs})
        shared = 0 if n <= 1 else 2 if n == 2 else 3 * (n // 2)
        first = 1 + max(0, _WAIT_ADDRESS - 1 - self.timing.delay) if n else 0
        return first + shared + (2 + (self.timing.load if self.reloads else 0)) * max(0, classes - 1)

    def copies_out(self) -> tuple[int, int]:
        """(beside the body, after it) for the outputs."""
        beside = after = 0
        self.strides = set()
        for n, entry in enumerate((*self.outputs, *self.results)):
            moves, partial = _moves(entry), _partial(entry)
            code = Code(self.timing)
            if partial:
                beside = max(beside, 1 + self.timing.delay)
                after += _SIZE
            if moves:
                phase = code.op()
                vmem = code.pointer(code.op(code.op(phase)), False)
                again = self.reloads and (not n or self.key(entry) != self.key(self.outputs[0]))
                hbm = code.pointer(self.address(code, entry, False, self.timing.load if again else 0), True)
            else:
                vmem, hbm = code.pointer(0, False), code.pointer(0, True)
            guard = code.test() if not n else 0
            trusted = self.trusts and not self.inputs  # then the block is that of the counters themselves
            checks_hbm = partial or (not trusted if moves else TRUSTS_CONSTANTS not in self.chip.features)
            checks_vmem = partial or self.checked
            first = True
            for wanted, pointer, is_hbm in ((checks_vmem, vmem, False), (checks_hbm, hbm, True)):
                if not wanted:
                    continue
                code.check(pointer if first else 0, guard if first else 0, is_hbm, _whole(entry))
                if first and not n and not partial:
                    beside = code.length
                else:
                    after += code.length
                first = False
                code = Code(self.timing)
            after += code.length if n or partial else 0
            after += self.start(entry)
        return beside, after

    def drain(self) -> int:
        """Waits for what was written, and the loop's end."""
        timing = self.timing
        total = 0
        if self.outputs:
            total += 3 * timing.predicate + 1 + (self.checked and timing.predicate > 1)
            total += timing.predicate if self.reloads else 0
            more = len(self.outputs) - 1
            total += 2 if more == 1 else 4 * ((more + 1) // 2)
        total += len(self.results)
        moved = 2 + 3 * len(self.keys)  # what is carried to the next step, and the comparison
        end = max(timing.predicate + 1, -(-moved // timing.slots)) + timing.delay
        end = max(end, self.stored + timing.load if self.stored else 0)
        return total + end
