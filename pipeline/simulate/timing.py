"""When a schedule's copies and bodies happen on a chip, in whole cycles of one core.

The pipeline's loop runs steps + 2 iterations. Iteration i fetches the blocks of step i, runs step i - 1 and drains what
step i - 2 wrote; it ends when the slower of body and copies does:

    cycles(i) = max(body, ceil(bytes in flight / HBM bytes per cycle) + DMA latency) + copies that nothing overlaps

A copy is made only when its block changes. One step alone has no loop: copy in, body, copy out, one after the other.
Which windows move in an iteration follows from the outermost grid axis that advances, so the iterations are counted by
kind, not walked: a grid of 10^9 steps takes as long as one of ten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from pipeline.chips.chip import Chip
from pipeline.ir.call import Role
from pipeline.schedule.result import Schedule, Window

Array = Any
Pattern = int  # the outermost grid axis that advances into a step; FIRST for step 0, NONE past the last
FIRST, NONE = -1, -2


@dataclass(frozen=True, slots=True)
class Phase:
    """Iterations that are alike: how many, what they move and how long one takes."""

    iterations: int
    cycles: int
    body: int
    copies: int  # cycles the copies take, beside the body or after it
    bytes_in: int
    bytes_out: int
    bound: str  # "body", "copies", "equal"


@dataclass(frozen=True, slots=True)
class Timeline:
    """The pipeline on a chip. Cycles are whole; `exact` is False where a window's copies are an upper bound.

    body:     cycles of one step's body with its overhead; None where the schedule has no estimate (taken as 0).
    own_copy_bytes: HBM bytes of copies that the body makes itself; they are assumed to overlap the bodies fully.
    """

    steps: int
    exact: bool
    body: int | None
    overhead: int
    latency: int | None
    prologue: Phase | None
    steady: tuple[Phase, ...]
    epilogue: tuple[Phase, ...]
    total: int
    body_total: int
    copy_total: int
    own_copy_bytes: int
    own_copy_cycles: int
    clock_hz: float

    @property
    def stalls(self) -> int:
        """Cycles in which no body runs."""
        return self.total - self.body_total


def copy_cycles(chip: Chip, nbytes: int) -> int | None:
    """Cycles to move `nbytes` at the core's share of the HBM bandwidth, rounded up; None if the chip's clock or
    bandwidth is unknown. Integer arithmetic, so the same everywhere."""
    if chip.clock_hz is None or chip.hbm_bytes_per_second is None:
        return None
    return -(-nbytes * chip.cores * round(chip.clock_hz) // round(chip.hbm_bytes_per_second))


def make_timeline(
    schedule: Schedule, chip: Chip, changes: Mapping[str, Array] | None = None, own_copy_bytes: int = 0
) -> Timeline | None:
    """The timeline of a schedule; None where the chip's clock or bandwidth is unknown.

    `changes`: for operands whose index map reads data or is irregular, in which steps the block changed when it ran.
    """
    if chip.clock_hz is None or chip.hbm_bytes_per_second is None:
        return None
    return Model(schedule, chip, changes or {}).timeline(own_copy_bytes)


class Model:
    def __init__(self, schedule: Schedule, chip: Chip, changes: Mapping[str, Array]) -> None:
        self.chip = chip
        self.grid = schedule.grid
        self.steps = prod(schedule.grid)
        self.windows = schedule.windows
        self.estimate = schedule.estimate
        self.overlapped = schedule.pipeline.overlapped
        self.overhead = self.estimate.overhead_bundles if self.estimate is not None else 0
        self.body = self.estimate.bundles if self.estimate is not None else 0
        self.walked = {
            w.operand: changes[w.operand]
            for w in self.windows
            if not w.visits.regular and w.operand in changes and len(changes[w.operand]) == self.steps
        }
        self.exact = all(w.visits.regular or w.operand in self.walked for w in self.windows)

    # --- one iteration
    def cycles(self, nbytes: int) -> int:
        found = copy_cycles(self.chip, nbytes)
        assert found is not None
        return found + (self.chip.dma_latency_cycles or 0) if nbytes else 0

    def phase(self, count: int, entering: list[Window], leaving: list[Window], runs: bool) -> Phase:
        """`count` iterations that fetch `entering`, write back `leaving` and run the body or only its overhead."""
        alone = [w for w in entering + leaving if w.buffers == 1 and w.visits.copies > 1]
        beside = [w for w in entering + leaving if w not in alone]
        body = self.body if runs else self.overhead
        copies = self.cycles(sum(w.copy_bytes for w in beside))
        exposed = self.cycles(sum(w.copy_bytes for w in alone))
        bound = "body" if body > copies else "copies" if copies > body else "equal"
        return Phase(
            count, max(body, copies) + exposed, body, copies + exposed, sum(w.copy_bytes for w in entering),
            sum(w.copy_bytes for w in leaving), "copies" if exposed > body else bound,
        )  # fmt: skip

    def moved(self, role: Role, pattern: Pattern) -> list[Window]:
        """Windows of a role whose block changes with this pattern; an upper bound where that is not regular."""
        if pattern == NONE:
            return []
        mine = [w for w in self.windows if w.role is role]
        if pattern == FIRST:
            return mine
        return [w for w in mine if w.visits.changes[pattern] > 0 or not w.visits.exact]

    # --- the whole call
    def timeline(self, own_copy_bytes: int) -> Timeline:
        inputs = [w for w in self.windows if w.role is Role.INPUT]
        outputs = [w for w in self.windows if w.role is Role.OUTPUT]
        prologue: Phase | None = None
        steady: tuple[Phase, ...]
        epilogue: tuple[Phase, ...]
        if not self.overlapped:
            # one step: nothing beside the body
            copy_in, copy_out = (self.cycles(sum(w.copy_bytes for w in ws)) for ws in (inputs, outputs))
            moved_in, moved_out = (sum(w.copy_bytes for w in ws) for ws in (inputs, outputs))
            prologue = Phase(1, copy_in, 0, copy_in, moved_in, 0, "copies")
            steady = (Phase(1, self.body, self.body, 0, 0, 0, "body"),)
            epilogue = (Phase(1, copy_out, 0, copy_out, 0, moved_out, "copies"),)
        else:
            prologue = self.phase(1, inputs, [], False)
            steady = _merge(self._walked() if self.walked else self._counted())
            epilogue = (self.phase(1, [], outputs, False),)
        phases = [prologue, *steady, *epilogue]
        total = sum(p.cycles * p.iterations for p in phases)
        bodies = self.body * self.steps
        own = self.cycles(own_copy_bytes)
        total += max(0, own - bodies)
        return Timeline(
            self.steps, self.exact, None if self.estimate is None else self.body, self.overhead,
            self.chip.dma_latency_cycles, prologue, steady, epilogue, total, bodies,
            sum(p.copies * p.iterations for p in phases) + own, own_copy_bytes, own, self.chip.clock_hz or 0.0,
        )  # fmt: skip

    def _counted(self) -> list[Phase]:
        """Iterations 1 .. steps, each kind once. Iteration i enters step i and writes back step i - 2's blocks, which
        leave when step i - 1 comes with another; the pair of patterns decides both."""
        found = []
        for (before, now), count in pair_counts(self.grid).items():
            leaving = self.moved(Role.OUTPUT, before) if before != FIRST else []
            found.append(self.phase(count, self.moved(Role.INPUT, now), leaving, True))
        return found

    def _walked(self) -> list[Phase]:
        """The same from the recorded changes, step by step, in NumPy."""
        import numpy as np

        steps = self.steps
        pattern = step_patterns(self.grid)
        moved: dict[str, Array] = {}
        for w in self.windows:
            if w.operand in self.walked:
                moved[w.operand] = np.asarray(self.walked[w.operand], bool)
            else:
                axes = np.array([*(bool(c) for c in w.visits.changes), True])  # FIRST reads the last entry
                moved[w.operand] = axes[pattern]
        code = np.zeros(steps, np.int64)
        for bit, w in enumerate(self.windows):
            one = moved[w.operand]
            if w.role is Role.INPUT:
                code[:-1] |= one[1:].astype(np.int64) << bit
            else:
                code[1:] |= one[1:].astype(np.int64) << bit
        codes, counts = np.unique(code, return_counts=True)
        found = []
        for value, count in zip(codes.tolist(), counts.tolist(), strict=True):
            hit = [w for bit, w in enumerate(self.windows) if value >> bit & 1]
            entering = [w for w in hit if w.role is Role.INPUT]
            leaving = [w for w in hit if w.role is Role.OUTPUT]
            found.append(self.phase(count, entering, leaving, True))
        return found


def pair_counts(grid: tuple[int, ...]) -> dict[tuple[Pattern, Pattern], int]:
    """How often step i - 1 and step i (i = 1 .. steps, NONE at the end) have these patterns; closed form.

    In row-major order the fastest axis that has more than one step advances between any two carries, so a carry is
    always preceded and followed by a plain advance (or the start or the end).
    """
    steps = prod(grid)
    if steps <= 1:
        return {(FIRST, NONE): 1} if steps == 1 else {}
    moving = [axis for axis, n in enumerate(grid) if n > 1]
    fast = moving[-1]
    counts: dict[tuple[Pattern, Pattern], int] = {(FIRST, fast): 1}
    for axis in moving[:-1]:
        carries = prod(grid[: axis + 1]) - prod(grid[:axis])
        counts[(fast, axis)] = carries
        counts[(axis, fast)] = carries
    counts[(fast, NONE)] = 1
    rest = steps - sum(counts.values())
    if rest:
        counts[(fast, fast)] = rest
    return counts


def step_patterns(grid: tuple[int, ...]) -> Array:
    """The pattern of every step, as an int array: the outermost axis that advances into it, FIRST for step 0."""
    import numpy as np

    steps = prod(grid)
    pattern = np.zeros(steps, np.int64)
    stride = 1
    at = np.arange(steps)
    for axis in range(len(grid) - 1, -1, -1):
        pattern[at % stride == 0] = axis
        stride *= grid[axis]
    # an axis of one step never advances: the carry goes on to the next outer one, which the loop has written over
    pattern[0] = FIRST
    return pattern


def _merge(phases: list[Phase]) -> tuple[Phase, ...]:
    """Like phases together, the most frequent first."""
    total: dict[tuple[int, ...], Phase] = {}
    for p in phases:
        key = (p.cycles, p.body, p.copies, p.bytes_in, p.bytes_out)
        old = total.get(key)
        count = p.iterations + (old.iterations if old is not None else 0)
        total[key] = Phase(count, p.cycles, p.body, p.copies, p.bytes_in, p.bytes_out, p.bound)
    return tuple(sorted(total.values(), key=lambda p: (-p.iterations, -p.cycles, -p.bytes_in, -p.bytes_out)))
