"""Runs a `KernelCall` as a loop over its grid, in order, on NumPy arrays. Knows no chip.

What is modelled of memory:
- an input block is what HBM holds when its index comes up; past the array's end a partial block holds poison;
- an output block is uninitialised when its index comes up, stays in place while the index stays, and is written back
  when it changes: a block that is left and visited again has lost its first contents, as on a TPU (`interpret=True`
  would keep them);
- an aliased output starts as its input's values and keeps them; reads of the input never see what is written to the
  output (as under `interpret=True`);
- scratch is uninitialised before the first step and persists between steps.
Uninitialised memory and padding hold what the run's `Filling` says. Nothing the caller passes in is written to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.errors import Diagnostic, Severity, SpecError
from pipeline.ir.call import KernelCall, Operand, Role
from pipeline.ir.jaxpr import Literal
from pipeline.simulate.counts import Counts
from pipeline.simulate.machine import EQUATION_WORK, MAX_BYTES, WORK_LIMIT, Buffer, Filling, Machine, Stopped
from pipeline.simulate.mode import SEQUENTIAL, Mode, ordered_steps
from pipeline.simulate.numerics.dtypes import numpy_dtype
from pipeline.simulate.program import Compiler, Program
from pipeline.simulate.sharing import watch_for
from pipeline.simulate.uses import vectorizes, written_refs
from pipeline.simulate.window import Partial, Window

if TYPE_CHECKING:
    from pipeline.simulate.races import Recorder

Array = Any
Steps = Iterator[tuple[int, tuple[Any, ...]]]
COLUMN_WORK = 4  # work of an index map per step when it is evaluated for all steps at once


@dataclass(frozen=True, slots=True)
class Run:
    """What a run left behind. `written` holds, per output, which elements were stored to (None: all); `stale`, per
    aliased output, which were not although a window over them was written back."""

    outputs: Mapping[str, Array]
    written: Mapping[str, Array | None]
    stale: Mapping[str, Array]
    findings: tuple[Diagnostic, ...]
    finished: bool
    partial: tuple[Partial, ...]  # one for each input that had a partial block
    poisoned_integers: bool  # some poison was an integer, which does not show by itself
    counts: Counts  # arithmetic as it was executed
    copied_in: int  # HBM bytes that the body's own copies read
    copied_out: int  # and write
    changes: Mapping[str, Array]  # per window that moves: in which steps its block is not the one of the step before


def execute(
    call: KernelCall,
    inputs: Mapping[str, Array],
    filling: Filling | None = None,
    work_limit: int = WORK_LIMIT,
    mode: Mode = SEQUENTIAL,
) -> Run:
    """Run `call` on `inputs`: an array of the declared shape and dtype for each scalar prefetch and input operand.

    Errors: SpecError R102 (a primitive without a rule), R103 (memory); everything the kernel does wrong while it runs
    is a finding of the result.
    """
    with np.errstate(all="ignore"):
        first = Core(call, inputs, filling or Filling(), work_limit, mode)
        if mode.cores == 1:
            return first.run()
        from pipeline.simulate.cores import run_on_cores

        return run_on_cores(first, inputs)


def too_much_work(call: KernelCall, work_limit: int = WORK_LIMIT) -> Diagnostic | None:
    """Whether `execute` would leave this call out, without making any array: the finding R101, or None."""
    with np.errstate(all="ignore"):
        body = Compiler(Machine(call.grid, Filling())).program(call.body)
    return _excess(call, body, work_limit)


def _excess(call: KernelCall, body: Program, work_limit: int) -> Diagnostic | None:
    steps = prod(call.grid)
    per_step = body.work + EQUATION_WORK * max(1, len(call.operands))
    if steps * per_step <= work_limit:
        return None
    return Diagnostic(
        "R101",
        f"the functional run was left out: {steps} grid steps of the work of {per_step} elements each are more than "
        f"the limit of {work_limit}",
        call.grid_span,
        "declare a variant with a smaller grid to have the numbers checked",
        Severity.WARNING,
    )


class Core:
    """A core and what it runs: windows, scratch and semaphores of its own. Arrays in HBM are those of the `first` core,
    if there are several."""

    def __init__(
        self, call: KernelCall, inputs: Mapping[str, Array], filling: Filling, work_limit: int, mode: Mode,
        first: Core | None = None,
    ) -> None:  # fmt: skip
        self.call = call
        self.machine = Machine(call.grid, filling, work_limit, mode)
        if first is not None:
            self.machine.findings = first.machine.findings
        if mode.checks:
            from pipeline.simulate.checks import Checker

            self.machine.watchers.append(Checker(self.machine, mode.checks))
        self.compiler = Compiler(self.machine)
        self.changes: dict[str, Array] = {}
        self.steps = prod(call.grid)
        stored = written_refs(call.body)
        aliased = {out: call.operands[position] for position, out in call.aliases}
        outputs = 0
        self.windows: list[Window] = []
        self.outputs: list[tuple[Operand, Array, Array]] = []
        self.buffers: list[Buffer] = []
        prefetch: list[Buffer] = []
        self.prefetch_changes = False
        for position, operand in enumerate(call.operands):
            is_output = operand.role is Role.OUTPUT
            if is_output:
                source = aliased.get(outputs)
                if first is not None:
                    array, marks = first.outputs[outputs][1:]
                else:
                    array, marks = self._new_output(operand, None if source is None else inputs[source.name])
                self.outputs.append((operand, array, marks))
                outputs += 1
            else:
                array = np.asarray(inputs[operand.name])
                assert array.shape == operand.array.shape, operand.name
                array = array.view()
                if first is not None and operand.block is None and operand.role is not Role.SCALAR_PREFETCH:
                    array = first.buffers[position].data
                elif operand.role is Role.SCALAR_PREFETCH or position in stored:
                    array = array.copy()
                else:
                    array.flags.writeable = False
            buffer = Buffer(operand.name, operand.ref.dtype, operand.ref.space, array, operand.span)
            self.buffers.append(buffer)
            if operand.role is Role.SCALAR_PREFETCH:
                prefetch.append(buffer)
                self.prefetch_changes |= position in stored
            if operand.block is not None:
                copied = not is_output and position in stored
                kept = is_output and outputs - 1 in aliased
                window = Window(self.machine, operand, buffer, array, self.outputs[-1][2] if is_output else None,
                                 copied, kept)  # fmt: skip
                self.windows.append(window)
            elif is_output:
                buffer.written, buffer.given = self.outputs[-1][2], outputs - 1 in aliased
        self.prefetch = prefetch
        self.scratch = [self._scratch(s.name, s.ref.shape, s.ref, s.span) for s in call.scratch]
        self.buffers += self.scratch
        self.recorder = self._recorder(mode)

    def _recorder(self, mode: Mode) -> Recorder | None:
        """Who looks for races; None where nothing has to be watched, or nobody asks."""
        watch = watch_for(self.call) if mode.record else None
        if not watch:
            return None
        from pipeline.simulate.races import Recorder

        recorder = Recorder(self.call, watch, self.machine, self.buffers, self.windows)
        self.machine.watchers.append(recorder)
        return recorder

    def _new_output(self, operand: Operand, initial: Array | None) -> tuple[Array, Array]:
        shape, dtype = operand.array.shape, operand.array.dtype
        if not dtype.is_float:
            self.machine.poisoned_integers = True
        if initial is not None:
            return np.array(initial), np.zeros(shape, bool)
        value = self.machine.filling.value(dtype, operand.name, padding=False)
        return np.full(shape, value, numpy_dtype(dtype)), np.zeros(shape, bool)

    def _scratch(self, name: str, shape: tuple[int, ...], ref: Any, span: Any) -> Buffer:
        size = prod(shape) * numpy_dtype(ref.dtype).itemsize
        if size > MAX_BYTES:
            raise SpecError("R103", f"scratch '{name}' takes {size} bytes, more than the simulator's {MAX_BYTES}", span,
                            hint="declare a smaller variant")  # fmt: skip
        return self.machine.allocate(name, ref.dtype, shape, ref.space, span)

    def run(self) -> Run:
        """All steps, in the mode's order."""
        body = self.body()
        if body is None:
            return self.result(False)
        try:
            for _ in self.turns(body, self._steps()):
                pass
        except Stopped:
            return self.result(False)
        return self.result(True)

    def body(self) -> Program | None:
        """The body, compiled; None, with a finding, if running it takes too much work."""
        body = self.compiler.program(self.call.body)
        excess = _excess(self.call, body, self.machine.work)
        if excess is None:
            return body
        self.machine.findings[("R101", excess.span, "")] = excess
        return None

    def turns(self, body: Program, steps: Steps) -> Iterator[None]:
        """Run these steps, one each time that this is asked to go on, and what follows the last. Errors: Stopped."""
        machine, buffers, windows = self.machine, self.buffers, self.windows
        live: list[tuple[Window, Program]] = []
        moving: list[tuple[Window, list[tuple[int, ...]]]] = []
        for window in windows:
            found = self._columns(window)
            if isinstance(found, Program):
                live.append((window, found))
                self.changes[window.operand.name] = np.zeros(self.steps, bool)
            else:
                moving.append((window, found))
        for step, index in steps if self.recorder is None else self.recorder.steps(steps):
            machine.index = index
            for window, places in moving:
                place = places[step] if len(places) > 1 else places[0]
                if place != window.place:
                    window.move(place)
            for window, program in live:
                place = tuple(int(i) for i in program.run(*index, *self.prefetch))
                if place != window.place:
                    window.move(place)
                    self.changes[window.operand.name][step] = True
            body.run(*buffers)
            yield
        for window in windows:
            window.leave()
        machine.release(self.scratch)

    def _steps(self) -> Steps:
        """(flattened step, program ids as i32 scalars) in the order of the run."""
        mode = self.machine.mode
        if mode.order == "sequential":
            return enumerate(_grid_steps(self.call.grid))
        return scalars(ordered_steps(self.call.grid, self.call.semantics, mode))

    def _columns(self, window: Window) -> list[tuple[int, ...]] | Program:
        """A window's block index for every step; one entry if it is constant; the program where that cannot be."""
        index_map = window.operand.index_map
        assert index_map is not None
        if all(isinstance(atom, Literal) for atom in index_map.outvars):
            return [tuple(int(a.value) for a in index_map.outvars if isinstance(a, Literal))]
        if self.steps == 1 or self.prefetch_changes or not vectorizes(index_map):
            return Compiler(self.machine).program(index_map)
        self.machine.spend(self.steps * COLUMN_WORK * (1 + len(index_map.eqns)))
        trial = Machine(self.call.grid, self.machine.filling)
        flat = np.arange(self.steps)
        axes: list[Array] = []
        for size in reversed(self.call.grid):
            axes.append((flat % size).astype(np.int32))
            flat = flat // size
        program = Compiler(trial).program(index_map)
        found = program.run(*reversed(axes), *self.prefetch)
        if trial.findings:  # let the steps say where
            return Compiler(self.machine).program(index_map)
        spread = [np.broadcast_to(column, (self.steps,)).tolist() for column in found]
        changed = np.zeros(self.steps, bool)
        for column in found:
            if np.ndim(column):
                changed[1:] |= np.not_equal(column[1:], column[:-1])
        changed[0] = True
        self.changes[window.operand.name] = changed
        return list(zip(*spread, strict=True))

    def result(self, finished: bool) -> Run:
        """What the run left behind."""
        written: dict[str, Array | None] = {}
        for (operand, _, marks), buffer in zip(
            self.outputs,
            (b for b, o in zip(self.buffers, self.call.operands, strict=False) if o.role is Role.OUTPUT),
            strict=True,
        ):
            complete = bool(marks.all()) or (operand.block is None and buffer.whole)
            written[operand.name] = None if complete else marks
        stale = {w.operand.name: w.covered() & ~w.marks for w in self.windows if w.kept and w.marks is not None}
        return Run(
            {operand.name: array for operand, array, _ in self.outputs},
            written,
            stale,
            tuple(self.machine.findings.values()),
            finished,
            tuple(w.partial for w in self.windows if w.partial is not None and not w.is_output),
            self.machine.poisoned_integers or any(w.poisoned_integers for w in self.windows),
            self.compiler.counts(),
            self.machine.copied_in,
            self.machine.copied_out,
            self.changes,
        )


def scalars(steps: Iterator[tuple[int, tuple[int, ...]]]) -> Steps:
    """The steps with their program ids as i32 scalars."""
    return ((step, tuple(map(np.int32, index))) for step, index in steps)


def _grid_steps(grid: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
    """Program ids of all steps as i32 scalars, the last axis fastest."""
    if not grid:
        yield ()
        return
    *outer, last = grid
    inner = [np.int32(i) for i in range(last)]
    for prefix in _grid_steps(tuple(outer)):
        for i in inner:
            yield (*prefix, i)
