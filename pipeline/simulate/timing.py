"""When a schedule's copies and bodies happen on a chip, in whole cycles of one core.

The pipeline's loop runs steps + 2 iterations. Iteration i fetches the blocks of step i, runs step i - 1 and drains what
step i - 2 wrote; it ends when the slower of body and copies does:

    cycles(i) = max(body, ceil(bytes in flight / HBM bytes per cycle) + DMA latency) + copies that nothing overlaps

A copy is made only when its block changes. One step alone has no loop: copy in, body, copy out, one after the other.
The iterations are counted by what moves in them, not walked: a grid of 10^9 steps takes as long as one of ten. Where
the cores of a device share the grid, each has such a loop of its own, and its share of the bandwidth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from pipeline.chips.chip import Chip
from pipeline.ir.call import Role
from pipeline.schedule.result import CoreShare, Schedule, Window
from pipeline.simulate.patterns import FIRST, NONE, changes_with, count_moves, pair_counts, step_patterns

Array = Any


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
    hbm_bytes:      moved by all `cores` together; everything else is of one core, the slowest, which has its share of
                    the bandwidth. They share the grid axes `shared_axes`.
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
    hbm_bytes: int
    cores: int = 1
    device_cores: int = 1
    shared_axes: tuple[int, ...] = ()

    @property
    def nanoseconds(self) -> int:
        return self.total * 1_000_000_000 // round(self.clock_hz)

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
    models = core_models(schedule, chip, changes or {})
    each = -(-own_copy_bytes // len(models))
    timelines = [model.timeline(each) for model in models]
    slowest = max(timelines, key=lambda timeline: timeline.total)
    return replace(
        slowest, exact=all(t.exact for t in timelines), hbm_bytes=sum(t.hbm_bytes for t in timelines),
        cores=len(models), device_cores=chip.cores_per_device,
        shared_axes=schedule.split.axes if schedule.split is not None else (),
    )  # fmt: skip


def core_models(schedule: Schedule, chip: Chip, changes: Mapping[str, Array]) -> list[Model]:
    """A model of each core that works on the call. The chip has to know clock and bandwidth."""
    if schedule.split is None:
        return [Model(schedule, chip, changes)]
    return [Model(schedule, chip, changes, share) for share in schedule.split.shares]


class Model:
    """One core's iterations. `share`: its part of a grid that several cores share."""

    def __init__(
        self, schedule: Schedule, chip: Chip, changes: Mapping[str, Array], share: CoreShare | None = None
    ) -> None:
        self.chip = chip
        self.share = share
        self.grid = schedule.grid if share is None else share.places.own
        self.steps = prod(self.grid)
        self.windows = schedule.windows if share is None else share.windows
        self.inputs = [w for w in self.windows if w.role is Role.INPUT]
        self.outputs = [w for w in self.windows if w.role is Role.OUTPUT]
        self.estimate = schedule.estimate
        self.overlapped = self.steps > 1
        self.overhead = self.estimate.overhead_bundles if self.estimate is not None else 0
        self.body = self.estimate.bundles if self.estimate is not None else 0
        first = 0 if share is None else share.first
        self.walked = {
            w.operand: changes[w.operand][first : first + self.steps]
            for w in self.windows
            if first is not None
            and not w.visits.regular
            and w.operand in changes
            and len(changes[w.operand]) == schedule.pipeline.steps
        }
        self.exact = all(w.visits.exact or w.operand in self.walked for w in self.windows)
        self.alone = {w.operand for w in self.windows if w.buffers == 1 and self._copies(w) > 1}

    def _copies(self, window: Window) -> int:
        if window.visits.exact or window.operand not in self.walked:
            return window.visits.copies
        return 1 + int(self.walked[window.operand][1:].sum())

    # --- one iteration
    def cycles(self, nbytes: int) -> int:
        found = copy_cycles(self.chip, nbytes)
        assert found is not None
        return found + (self.chip.dma_latency_cycles or 0) if nbytes else 0

    def phase(self, count: int, entering: list[Window], leaving: list[Window], runs: bool) -> Phase:
        """`count` iterations that fetch `entering`, write back `leaving` and run the body or only its overhead."""
        alone = [w for w in entering + leaving if w.operand in self.alone]
        beside = [w for w in entering + leaving if w.operand not in self.alone]
        body = self.body if runs else self.overhead
        copies = self.cycles(sum(w.copy_bytes for w in beside))
        exposed = self.cycles(sum(w.copy_bytes for w in alone))
        bound = "body" if body > copies else "copies" if copies > body else "equal"
        return Phase(
            count, max(body, copies) + exposed, body, copies + exposed, sum(w.copy_bytes for w in entering),
            sum(w.copy_bytes for w in leaving), "copies" if exposed > body else bound,
        )  # fmt: skip

    # --- the whole call
    def timeline(self, own_copy_bytes: int) -> Timeline:
        inputs, outputs = self.inputs, self.outputs
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
            steady = _merge(self._steady())
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
            sum((p.bytes_in + p.bytes_out) * p.iterations for p in phases) + own_copy_bytes,
        )  # fmt: skip

    def _steady(self) -> list[Phase]:
        """Iterations 1 .. steps, each kind once, in the best way there is."""
        if all(w.visits.regular for w in self.windows):
            return self._counted()
        moves = count_moves(self.grid, self.windows)
        if moves is None and self.walked:
            moves = self._walked()
        self.exact = moves is not None and self.exact
        return self._counted() if moves is None else [self._kind(code, n) for code, n in moves.items()]

    def _counted(self) -> list[Phase]:
        """From patterns alone, which decide what moves for regular maps, and bound it for others."""
        found = []
        for (before, now), count in pair_counts(self.grid).items():
            entering = [w for w in self.inputs if now != NONE and changes_with(w, now)]
            leaving = [w for w in self.outputs if before != FIRST and changes_with(w, before)]
            found.append(self.phase(count, entering, leaving, True))
        return found

    def _kind(self, code: int, count: int) -> Phase:
        hit = [w for bit, w in enumerate(self.windows) if code >> bit & 1]
        entering = [w for w in hit if w.role is Role.INPUT]
        return self.phase(count, entering, [w for w in hit if w.role is Role.OUTPUT], True)

    def _walked(self) -> dict[int, int]:
        """What `count_moves` gives, from the recorded changes, step by step, in NumPy."""
        import numpy as np

        steps = self.steps
        pattern = step_patterns(self.grid)
        code = np.zeros(steps, np.int64)
        for bit, w in enumerate(self.windows):
            if w.operand in self.walked:
                one = np.asarray(self.walked[w.operand], bool)
            else:
                # FIRST reads the last entry
                one = np.array([*(changes_with(w, axis) for axis in range(len(self.grid))), True])[pattern]
            if w.role is Role.INPUT:
                code[:-1] |= one[1:].astype(np.int64) << bit
            else:
                code[1:] |= one[1:].astype(np.int64) << bit
        codes, counts = np.unique(code, return_counts=True)
        return dict(zip(codes.tolist(), counts.tolist(), strict=True))


def _merge(phases: list[Phase]) -> tuple[Phase, ...]:
    """Like phases together, the most frequent first."""
    total: dict[tuple[int, ...], Phase] = {}
    for p in phases:
        key = (p.cycles, p.body, p.copies, p.bytes_in, p.bytes_out)
        old = total.get(key)
        count = p.iterations + (old.iterations if old is not None else 0)
        total[key] = Phase(count, p.cycles, p.body, p.copies, p.bytes_in, p.bytes_out, p.bound)
    return tuple(sorted(total.values(), key=lambda p: (-p.iterations, -p.cycles, -p.bytes_in, -p.bytes_out)))
