"""A stretch of a pipeline's iterations, told one by one for drawing: bodies, copies, the blocks in buffer slots.

It is told from any iteration on, so that the end of a long call can be drawn without its middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.ir.call import KernelCall, Role
from pipeline.schedule.result import Schedule, Window
from pipeline.schedule.scalar import Undecided
from pipeline.schedule.windows import Planned, plan_windows
from pipeline.simulate.timing import core_models

Blocks = tuple[int, ...] | None  # indices of a block; None where the index map reads data


_KEPT = 64  # steps whose blocks are kept; four are asked for in an iteration


class Copy(NamedTuple):
    """A copy of a window's block between HBM and its buffer slot. `window` counts the call's windows."""

    window: int
    start: int
    cycles: int


class Iteration(NamedTuple):
    """One trip of the loop: the step that runs (None before the first and after the last), its point, its copies."""

    number: int
    start: int
    cycles: int
    step: int | None
    point: tuple[int, ...]
    body_start: int
    body: int
    copies: tuple[Copy, ...]


class Held(NamedTuple):
    """A block in a window's buffer slot, from the start of its copy in, or of the step that writes it, to its end."""

    window: int
    slot: int
    block: Blocks
    start: int
    end: int


class Play(NamedTuple):
    """What happened from cycle `start` to `end`."""

    start: int
    end: int
    iterations: tuple[Iteration, ...]
    held: tuple[Held, ...]


class Player:
    """The slowest core's pipeline. The chip has to know clock and bandwidth."""

    def __init__(self, call: KernelCall, schedule: Schedule, chip: Chip) -> None:
        models = core_models(schedule, chip, {})
        self.model = max(models, key=lambda model: model.timeline(0).total)
        self.core = models.index(self.model)
        self.cores = len(models)
        self.total = self.model.timeline(0).total
        planned = plan_windows(call, chip)
        self.planned = tuple(p._replace(window=w) for p, w in zip(planned, self.model.windows, strict=True))
        self._known: dict[int, list[Blocks]] = {}  # of steps just asked for
        self.loop = self.model.steps + 2 if self.model.overlapped else 3  # one step alone: in, body, out

    @property
    def windows(self) -> Sequence[Window]:
        return self.model.windows

    def first(self, count: int) -> Play:
        """The first `count` iterations."""
        return self._play(0, min(count, self.loop), 0)

    def last(self, count: int) -> Play:
        """The last `count` iterations, to the end of the call."""
        first = max(0, self.loop - count)
        found = self._play(first, self.loop, 0)
        return self._play(first, self.loop, self.total - (found.end - found.start))

    def _play(self, first: int, end: int, start: int) -> Play:
        iterations: list[Iteration] = []
        held: list[Held] = []
        open_: dict[int, Held] = {}
        slots = [0] * len(self.planned)
        now = start
        if first > 0:
            for w, plan in enumerate(self.planned):
                step = first - (1 if plan.window.role is Role.INPUT else 2)
                if 0 <= step < self.model.steps:
                    open_[w] = Held(w, 0, self._block(w, step), now, now)
        for number in range(first, end):
            one, entering, leaving = self._iteration(number, now)
            iterations.append(one)
            ends = {copy.window: copy.start + copy.cycles for copy in one.copies}
            begins = {copy.window: copy.start for copy in one.copies}
            now += one.cycles
            for w in leaving:
                if w in open_:
                    held.append(open_.pop(w)._replace(end=ends.get(w, now)))
            opened = [(w, begins.get(w, one.start), number) for w in entering]
            if one.step is not None:
                outputs = (w for w, p in enumerate(self.planned) if p.window.role is Role.OUTPUT)
                opened += [(w, one.body_start, one.step) for w in outputs if self._changed(w, one.step)]
            for w, since, step in opened:
                if w in open_:
                    until = since if self.windows[w].operand in self.model.alone else now
                    held.append(open_.pop(w)._replace(end=until))
                open_[w] = Held(w, slots[w] % self.windows[w].buffers, self._block(w, step), since, since)
                slots[w] += 1
        held += [one._replace(end=now) for one in open_.values()]
        return Play(start, now, tuple(iterations), tuple(sorted(held, key=lambda h: (h.window, h.start))))

    def _iteration(self, number: int, start: int) -> tuple[Iteration, list[int], list[int]]:
        """The iteration, the windows whose copy in it starts, and those whose block it writes back."""
        model, steps = self.model, self.model.steps
        inputs = [w for w, window in enumerate(self.windows) if window.role is Role.INPUT]
        outputs = [w for w, window in enumerate(self.windows) if window.role is Role.OUTPUT]
        entering = [w for w in inputs if number < steps and self._changed(w, number)]
        leaving = [w for w in outputs if number >= 2 and (number > steps or self._changed(w, number - 1))]
        runs = 1 <= number <= steps
        alone = [w for w in entering + leaving if self.windows[w].operand in model.alone]
        beside = [w for w in entering + leaving if w not in alone]
        body = (model.body if runs else model.overhead) if model.overlapped else model.body * runs
        before, body_start = self._copies([w for w in alone if w in leaving], start)
        copies, copied = self._copies(beside, body_start)
        after, end = self._copies([w for w in alone if w in entering], max(body_start + body, copied))
        window_lists = [self.windows[w] for w in entering], [self.windows[w] for w in leaving]
        cycles = model.phase(1, *window_lists, runs).cycles if model.overlapped else end - start
        step = number - 1 if runs else None
        point = self._point(step) if step is not None else ()
        one = Iteration(number, start, cycles, step, point, body_start, body * runs, (*before, *copies, *after))
        return one, entering, leaving

    def _copies(self, windows: Sequence[int], start: int) -> tuple[list[Copy], int]:
        """Copies one after the other, and when the last ends. The latency is paid once, as the timeline has it."""
        found = []
        moved = done = 0
        for w in windows:
            moved += self.windows[w].copy_bytes
            until = self.model.cycles(moved)
            found.append(Copy(w, start + done, until - done))
            done = until
        return found, start + done

    def _changed(self, window: int, step: int) -> bool:
        """Whether a step has another block than the one before; of a map that reads data we say it has."""
        if step <= 0:
            return step == 0
        if step >= self.model.steps:
            return True
        block = self._block(window, step)
        return block is None or block != self._block(window, step - 1)

    def _block(self, window: int, step: int) -> Blocks:
        if step not in self._known:
            point = self._point(step)
            if len(self._known) > _KEPT:
                self._known.clear()
            self._known[step] = [_evaluate(plan, point) for plan in self.planned]
        return self._known[step][window]

    def _point(self, step: int) -> tuple[int, ...]:
        """The call's grid point of a step of the core."""
        digits = []
        for size in reversed(self.model.grid):
            step, digit = divmod(step, size)
            digits.append(digit)
        own = tuple(reversed(digits))
        return own if self.model.share is None else self.model.share.places.at(own)


def _evaluate(plan: Planned, point: tuple[int, ...]) -> Blocks:
    try:
        return plan.index_map.at(point)
    except Undecided:
        return None
