"""Runs the steps of a plan, as many lanes at a time as fit in cache, on the executor's own arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from pipeline.ir.call import KernelCall
from pipeline.ir.jaxpr import Jaxpr, Prim
from pipeline.schedule.uses import nested
from pipeline.simulate.batch.blocks import Blocks, Index, places_of
from pipeline.simulate.batch.compiler import LanesCompiler, LanesMachine, Unproven
from pipeline.simulate.batch.plan import Plan, check_range, differs, lanes_at_once, plan
from pipeline.simulate.counts import Counts
from pipeline.simulate.machine import MAX_BYTES, Buffer
from pipeline.simulate.program import Program
from pipeline.simulate.uses import written_refs
from pipeline.simulate.window import Window

Array = Any
HELD_STEPS = 1 << 16  # what the turns of so many steps need is kept for further runs


class _Moving:
    """A window's block for each lane."""

    def __init__(self, window: Window, columns: list[Any], changed: Array | None, machine: LanesMachine, found: Plan):
        self.window = window
        self.machine = machine
        self.blocks = Blocks(window.operand)
        check_range(self.blocks, columns)
        self.columns = columns
        self.lanes = differs(columns, found)
        self.changed = None if changed is None else changed.reshape(found.lanes, found.inner)
        self.plan = found
        self.first_partial = self._first_partial()
        self.visited: set[tuple[int, ...]] = set()
        if window.kept:
            spread = [np.broadcast_to(column, (found.lanes * found.inner,)).tolist() for column in columns]
            self.visited = set(zip(*spread, strict=True))
        self.covered: Array | None = None
        self.marks: Array | None = None
        self.index: Index | None = None

    def start(self) -> None:
        """Get ready for a run over the window's array."""
        window, blocks = self.window, self.blocks
        if not blocks.padded:
            self.base = window.array
        elif window.is_output and window.marks is None:
            self.base = np.empty(blocks.extents, window.array.dtype)
        else:
            self.base = blocks.base(window.array, blocks.padding(self.machine.filling))
        self.view = blocks.view(self.base)
        self.marks = None
        if window.marks is not None:
            self.marks = blocks.base(window.marks, False)
            self.marks_view = blocks.view(self.marks)
        self.index = None
        window.visited = self.visited
        if window.kept and window.marks is not None:
            if self.covered is None:
                self.covered = window.covered()
            window.all_covered = self.covered
        if self.first_partial is not None:
            index, place = self.first_partial
            window.poisoned_integers |= not window.buffer.dtype.is_float
            self.machine.index = index
            window.note_partial(place)

    def _first_partial(self) -> tuple[tuple[Any, ...], tuple[int, ...]] | None:
        """Program ids and block index of the first partial block, which a step-by-step run takes note of."""
        if not self.blocks.padded:
            return None
        partial: Array = np.zeros(self.plan.lanes * self.plan.inner, bool)
        for axis, column in enumerate(self.columns):
            partial |= self.blocks.is_partial(axis, np.asarray(column))
        if not partial.any():
            return None
        step = int(np.argmax(partial))
        index = tuple(np.int32(i) for i in np.unravel_index(step, self.machine.grid))
        return index, tuple(column if isinstance(column, int) else int(column[step]) for column in self.columns)

    def place(self, first: int, lanes: int, step: int) -> Index | None:
        """Which blocks come in for a step of some lanes; None if they are those of the step before."""
        here = slice(first, first + lanes)
        if step and (self.changed is None or not self.changed[here, step].any()):
            return None
        inner = self.plan.inner
        at = slice(first * inner + step, (first + lanes - 1) * inner + step + 1, inner)
        return places_of(self.columns, at, lanes)

    def enter(self, index: Index, lanes: int) -> None:
        """Bring in these blocks."""
        if self.window.is_output:
            self.leave()
        self.index = index
        buffer = self.window.buffer
        buffer.data = self.blocks.get(self.view, index, lanes if self.lanes else None)
        if self.marks is not None:
            buffer.written = np.zeros(buffer.data.shape, bool)
            buffer.whole = False

    def leave(self) -> None:
        """Write output blocks back, with their marks."""
        if self.index is None or not self.window.is_output:
            return
        buffer, index = self.window.buffer, self.index
        if any(isinstance(entry, np.ndarray) for entry in index):
            self.view[index] = buffer.data.reshape(self.view[index].shape)
        self.index = None
        if self.marks is None:
            return
        if buffer.whole:
            self.marks_view[index] = True
        else:
            assert buffer.written is not None
            self.marks_view[index] = buffer.written.reshape(self.marks_view[index].shape)

    def finish(self) -> None:
        """Bring what was written to a padded copy into the array itself."""
        if not self.window.is_output:
            return
        self.leave()
        if self.blocks.padded:
            self.window.array[...] = self.base[self.blocks.inner]
            if self.marks is not None:
                assert self.window.marks is not None
                self.window.marks[...] = self.marks[self.blocks.inner]
        self.window.buffer.written = None


class Turn(NamedTuple):
    """One step of some lanes: their program ids, and which blocks come in."""

    lanes: int
    is_last: bool  # of these lanes
    program_ids: tuple[Any, ...]
    moves: tuple[tuple[_Moving, Index], ...]


class Lanes:
    """Batched runs of a call. They raise Unproven where the steps have to be taken one by one, whatever was done by
    then."""

    def __init__(
        self, call: KernelCall, machine: LanesMachine, windows: list[Window], buffers: list[Buffer],
        columns: list[list[Any] | None], changes: list[Array | None],
    ) -> None:  # fmt: skip
        self.call, self.machine, self.buffers = call, machine, buffers
        self.plan = plan(call, columns, changes)
        by_operand = {id(window.operand): window for window in windows}
        self.windows = [
            _Moving(by_operand[id(operand)], column, changed, machine, self.plan)
            for operand, column, changed in zip(call.operands, columns, changes, strict=True)
            if column is not None
        ]
        self.stored = written_refs(call.body)
        self.asks_place = _asks_place(call.body)
        self.compilers: dict[int, LanesCompiler] = {}
        self.bodies: dict[tuple[int, int], Program] = {}  # by the lanes of a whole chunk, and of this one
        self.turns: dict[int, list[Turn]] = {}  # by the lanes of a whole chunk

    def run(self, at_once: int | None = None) -> None:
        """Run all steps. The machine and the windows are ready."""
        call, machine, buffers = self.call, self.machine, self.buffers
        chunk = min(self.plan.lanes, lanes_at_once(call) if at_once is None else at_once)
        compiler = self.compilers.get(chunk)
        if compiler is None:
            compiler = self.compilers[chunk] = LanesCompiler(machine, chunk, self.plan.axes)
        self.compiler = compiler
        compiler.start()
        for window in self.windows:
            window.start()
        turns: Iterable[Turn] = self.turns.get(chunk) or self._turns(chunk)
        if chunk not in self.turns and self.plan.lanes * self.plan.inner <= HELD_STEPS:
            turns = self.turns[chunk] = list(turns)
        size = 0
        body: Program | None = None
        for turn in turns:
            lanes = turn.lanes
            if lanes != size or body is None:
                if (chunk, lanes) not in self.bodies:
                    self.bodies[chunk, lanes] = self._compile(compiler.sized(lanes))
                body = self.bodies[chunk, lanes]
                size = lanes
                self._allocate(lanes)
            machine.index = turn.program_ids
            for window, index in turn.moves:
                window.enter(index, lanes)
            body.run(*buffers)
            if turn.is_last and machine.mode.progress is not None:
                machine.mode.progress(lanes * self.plan.inner)
        for window in self.windows:
            window.finish()

    def _turns(self, chunk: int) -> Iterator[Turn]:
        found, grid = self.plan, self.machine.grid
        index: tuple[Any, ...] = tuple(np.int32(0) for _ in grid)
        for first in range(0, found.lanes, chunk):
            lanes = min(chunk, found.lanes - first)
            starts = np.arange(first, first + lanes) * found.inner
            for step in range(found.inner):
                if self.asks_place:
                    index = tuple(self._program_id(axis, starts, step) for axis in range(len(grid)))
                places = [(window, window.place(first, lanes, step)) for window in self.windows]
                moves = tuple((window, place) for window, place in places if place is not None)
                yield Turn(lanes, step == found.inner - 1, index, moves)

    def counts(self) -> Counts:
        """Arithmetic of the last run."""
        return self.compiler.counts()

    def _compile(self, compiler: LanesCompiler) -> Program:
        call = self.call
        lanes = {id(window.window.operand) for window in self.windows if window.lanes}
        flags = [id(operand) in lanes for operand in call.operands]
        flags += [len(call.operands) + i in self.stored for i in range(len(call.scratch))]
        return compiler.lanes_program(call.body, tuple(flags))

    def _allocate(self, lanes: int) -> None:
        """Scratch for so many lanes. Each overwrites its own before it reads it."""
        machine, operands = self.machine, len(self.call.operands)
        for position, (one, buffer) in enumerate(
            zip(self.call.scratch, self.buffers[operands:], strict=True), operands
        ):
            if position not in self.stored:
                continue
            shape = (lanes, *one.ref.shape)
            if prod(shape) * buffer.data.itemsize > MAX_BYTES:
                raise Unproven("scratch of many lanes")
            buffer.data = machine.allocate(one.name, one.ref.dtype, shape, one.ref.space, one.span).data

    def _program_id(self, axis: int, starts: Array, step: int) -> Array:
        """The index along a grid axis in the step that is `step` after those that start the lanes."""
        grid = self.machine.grid
        stride = prod(grid[axis + 1 :])
        if axis in self.plan.axes:
            return ((starts + step) // stride % grid[axis]).astype(np.int32)
        return np.int32(step // stride % grid[axis])


def _asks_place(jaxpr: Jaxpr) -> bool:
    """Whether a program id is used."""
    return any(eqn.prim is Prim.PROGRAM_ID or any(_asks_place(inner) for inner, _ in nested(eqn)) for eqn in jaxpr.eqns)
