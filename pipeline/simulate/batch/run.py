"""Runs the steps of a plan, as many lanes at a time as fit in cache, on the executor's own arrays."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from pipeline.ir.call import KernelCall
from pipeline.simulate.batch.blocks import Blocks, Index, places_of
from pipeline.simulate.batch.compiler import LanesCompiler, LanesMachine, Unproven
from pipeline.simulate.batch.plan import Plan, check_range, differs, lanes_at_once, plan
from pipeline.simulate.counts import Counts
from pipeline.simulate.machine import MAX_BYTES, Buffer
from pipeline.simulate.program import Program
from pipeline.simulate.uses import written_refs
from pipeline.simulate.window import Window

Array = Any


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
        self.marks: Array | None = None
        self.index: Index | None = None

    def start(self) -> None:
        """Get ready for a run over the window's array."""
        window = self.window
        self.base = self.blocks.base(window.array, self.blocks.padding(self.machine.filling))
        self.view = self.blocks.view(self.base)
        if window.marks is not None:
            self.marks = self.blocks.base(window.marks, False)
            self.marks_view = self.blocks.view(self.marks)
        self.index = None
        window.visited = self.visited
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

    def enter(self, first: int, lanes: int, step: int) -> None:
        """Bring in the blocks of a step of some lanes, if they are others than those of the step before."""
        here = slice(first, first + lanes)
        if step and (self.changed is None or not self.changed[here, step].any()):
            return
        self.leave()
        inner = self.plan.inner
        at = slice(first * inner + step, (first + lanes - 1) * inner + step + 1, inner)
        self.index = places_of(self.columns, at, lanes)
        buffer, wanted = self.window.buffer, lanes if self.lanes else None
        buffer.data = self.blocks.get(self.view, self.index, wanted)
        if self.marks is not None:
            buffer.written = np.zeros(buffer.data.shape, bool)
            buffer.whole = False

    def leave(self) -> None:
        """Write output blocks back, with their marks."""
        if self.index is None or self.marks is None:
            return
        buffer, index = self.window.buffer, self.index
        place = self.view[index]
        if any(isinstance(entry, np.ndarray) for entry in index):
            self.view[index] = buffer.data.reshape(place.shape)
        if buffer.whole:
            self.marks_view[index] = True
        else:
            assert buffer.written is not None
            self.marks_view[index] = buffer.written.reshape(place.shape)
        self.index = None

    def finish(self) -> None:
        """Bring what was written to a padded copy into the array itself."""
        self.leave()
        if self.marks is not None and self.blocks.padded:
            assert self.window.marks is not None
            self.window.array[...] = self.base[self.blocks.inner]
            self.window.marks[...] = self.marks[self.blocks.inner]
        self.window.buffer.written = None


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
        self.compilers: dict[int, LanesCompiler] = {}
        self.bodies: dict[tuple[int, int], Program] = {}  # by the lanes of a whole chunk, and of this one

    def run(self, at_once: int | None = None) -> None:
        """Run all steps. The machine and the windows are ready."""
        call, found = self.call, self.plan
        chunk = min(found.lanes, lanes_at_once(call) if at_once is None else at_once)
        compiler = self.compilers.get(chunk)
        if compiler is None:
            compiler = self.compilers[chunk] = LanesCompiler(self.machine, chunk, found.axes)
        self.compiler = compiler
        compiler.start()
        for window in self.windows:
            window.start()
        scratch = list(zip(call.scratch, self.buffers[len(call.operands) :], strict=True))
        size = 0
        for first in range(0, found.lanes, chunk):
            lanes = min(chunk, found.lanes - first)
            if (chunk, lanes) not in self.bodies:
                self.bodies[chunk, lanes] = self._compile(compiler.sized(lanes))
            if lanes != size:
                size = lanes
                for position, (one, buffer) in enumerate(scratch, len(call.operands)):
                    if position in self.stored:
                        self._allocate(one, buffer, lanes)
            self._chunk(self.bodies[chunk, lanes], first, lanes)
            if self.machine.mode.progress is not None:
                self.machine.mode.progress(lanes * found.inner)
        for window in self.windows:
            window.finish()
        for one, buffer in scratch:
            buffer.data = buffer.data.reshape(-1, *one.ref.shape)[0] if prod(one.ref.shape) else buffer.data

    def counts(self) -> Counts:
        """Arithmetic of the last run."""
        return self.compiler.counts()

    def _compile(self, compiler: LanesCompiler) -> Program:
        call = self.call
        lanes = {id(window.window.operand) for window in self.windows if window.lanes}
        flags = [id(operand) in lanes for operand in call.operands]
        flags += [len(call.operands) + i in self.stored for i in range(len(call.scratch))]
        return compiler.lanes_program(call.body, tuple(flags))

    def _allocate(self, one: Any, buffer: Buffer, lanes: int) -> None:
        new = self.machine.allocate(one.name, one.ref.dtype, (lanes, *one.ref.shape), one.ref.space, one.span)
        if new.data.nbytes > MAX_BYTES:
            raise Unproven("scratch of many lanes")
        buffer.data = new.data

    def _chunk(self, body: Program, first: int, lanes: int) -> None:
        machine, buffers, inner = self.machine, self.buffers, self.plan.inner
        starts = np.arange(first, first + lanes) * inner
        for step in range(inner):
            machine.index = tuple(self._program_id(axis, starts, step) for axis in range(len(machine.grid)))
            for window in self.windows:
                window.enter(first, lanes, step)
            body.run(*buffers)
        for window in self.windows:
            window.leave()

    def _program_id(self, axis: int, starts: Array, step: int) -> Array:
        """The index along a grid axis in the step that is `step` after those that start the lanes."""
        grid = self.machine.grid
        stride = prod(grid[axis + 1 :])
        if axis in self.plan.axes:
            return ((starts + step) // stride % grid[axis]).astype(np.int32)
        return np.int32(step // stride % grid[axis])
