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

from collections.abc import Callable, Iterator, Mapping
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
from pipeline.simulate.program import Compiler, Program, evaluate
from pipeline.simulate.sharing import watch_for
from pipeline.simulate.uses import vectorizes, written_refs
from pipeline.simulate.window import Partial, Window

if TYPE_CHECKING:
    from pipeline.simulate.races import Recorder

Array = Any
Steps = Iterator[tuple[int, tuple[Any, ...]]]
LEAST_STEPS = 48  # a batch has to save this many steps in Python, or compiling its body costs more
HELD_PLACES = 1 << 16  # block indices of so many steps are held as tuples
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
    revisited: bool = False  # some output block was left and visited again


def execute(
    call: KernelCall,
    inputs: Mapping[str, Array],
    filling: Filling | None = None,
    work_limit: int = WORK_LIMIT,
    mode: Mode = SEQUENTIAL,
    lanes: int | None = None,
) -> Run:
    """Run `call` on `inputs`: an array of the declared shape and dtype for each scalar prefetch and input operand.

    lanes: steps that may run at once where it is proven that they do not depend on each other; None: as many as fit in
    cache, if that is faster. The result is the same bit for bit.
    Errors: SpecError R102 (a primitive without a rule), R103 (memory); everything the kernel does wrong while it runs
    is a finding of the result.
    """
    filling = filling or Filling()
    with np.errstate(all="ignore"):
        if lanes != 1:
            at_once = _worth(call, mode) if lanes is None else lanes
            run = _at_once(call, inputs, filling, work_limit, mode, at_once) if at_once > 1 else None
            if run is not None:
                return run
        first = Core(call, inputs, filling, work_limit, mode)
        if mode.cores == 1:
            return first.run()
        from pipeline.simulate.cores import run_on_cores

        return run_on_cores(first, inputs)


def _worth(call: KernelCall, mode: Mode) -> int:
    """How many steps to run at once; 1 where batches would not be faster."""
    steps = prod(call.grid)
    if steps < LEAST_STEPS or not _any_order(mode):
        return 1
    from pipeline.simulate.batch.plan import lanes_at_once

    at_once = lanes_at_once(call)
    return at_once if steps - -(-steps // at_once) >= LEAST_STEPS else 1


def _any_order(mode: Mode) -> bool:
    """Whether nobody looks on step by step."""
    return mode.in_order and not mode.checks and mode.reorder is None


def _at_once(
    call: KernelCall, inputs: Mapping[str, Array], filling: Filling, work_limit: int, mode: Mode, at_once: int
) -> Run | None:
    """A run of `at_once` steps at a time; None where it has to be step by step."""
    from pipeline.simulate.batch.compiler import LanesMachine, Unproven

    if not _any_order(mode) or (mode.record and watch_for(call)):
        return None
    try:
        core = Core(call, inputs, filling, work_limit, mode._replace(record=False), machine=LanesMachine)
        return core.run_lanes(at_once)
    except Unproven:
        return None


def too_much_work(call: KernelCall, work_limit: int = WORK_LIMIT, mode: Mode | None = None) -> Diagnostic | None:
    """Whether `execute` would leave this call out, without making any array: the finding R101, or None.

    With a `mode` in which steps may run at once, they are taken to do so; if they do not, the run has the finding.
    """
    with np.errstate(all="ignore"):
        body = Compiler(Machine(call.grid, Filling())).program(call.body)
    dispatch = EQUATION_WORK * (len(body.steps) + max(1, len(call.operands)))
    elements = body.work - EQUATION_WORK * len(body.steps)
    at_once = 1 if mode is None else _worth(call, mode)
    if at_once > 1 and prod(call.grid) * (elements + dispatch // at_once) <= work_limit:
        return None
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
        first: Core | None = None, machine: type[Machine] = Machine,
    ) -> None:  # fmt: skip
        self.call = call
        self.machine = machine(call.grid, filling, work_limit, mode)
        if first is not None:
            self.machine.findings = first.machine.findings
        if mode.checks:
            from pipeline.simulate.checks import Checker

            self.machine.watchers.append(Checker(self.machine, mode.checks))
        if mode.reorder is not None:
            from pipeline.simulate.reorder import Reorder

            self.machine.watchers.append(Reorder(mode.reorder))
        self.compiler = Compiler(self.machine)
        self.axes: list[Array] = []  # each program id for every step, once an index map asks
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
                copied = not is_output and position in stored and not mode.lenient
                kept = is_output and (outputs - 1 in aliased or mode.lenient)
                window = Window(self.machine, operand, buffer, array, self.outputs[-1][2] if is_output else None,
                                 copied, kept)  # fmt: skip
                window.private = mode.cores > 1
                self.windows.append(window)
            elif is_output:
                buffer.written, buffer.given = self.outputs[-1][2], outputs - 1 in aliased
        for position, target in call.aliases:
            one, other = self.buffers[position], self.buffers[len(call.operands) - outputs + target]
            if call.operands[position].block is None and self.outputs[target][0].block is None:
                one.alias, other.alias = other, one
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

    def run_lanes(self, at_once: int) -> Run:
        """Run `at_once` steps at a time. Raises Unproven."""
        from pipeline.simulate.batch.compiler import LanesMachine, Unproven
        from pipeline.simulate.batch.run import Lanes

        if self.prefetch_changes:
            raise Unproven("block indices that change during the run")
        columns: dict[int, list[Any]] = {}
        for window in self.windows:
            found = self._columns(window)
            if isinstance(found, Program):
                raise Unproven("block indices that cannot be computed for all steps")
            columns[id(window.operand)] = found
        assert isinstance(self.machine, LanesMachine)
        operands = self.call.operands
        lanes = Lanes(self.call, self.machine, self.windows, self.buffers, [columns.get(id(o)) for o in operands],
                      [self.changes.get(o.name) for o in operands])  # fmt: skip
        self.compiler = lanes.run(at_once)
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
        moving: list[tuple[Window, list[tuple[int, ...]] | _Places]] = []
        for window in windows:
            found = self._columns(window)
            if isinstance(found, Program):
                live.append((window, found))
                self.changes[window.operand.name] = np.zeros(self.steps, bool)
            else:
                moving.append((window, _places(found, self.steps)))
        if machine.mode.progress is not None:
            steps = _counted(steps, machine.mode.progress)
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

    def _columns(self, window: Window) -> list[Any] | Program:
        """A window's block index for every step, an array or an int for each axis; the program where that cannot be."""
        index_map = window.operand.index_map
        assert index_map is not None
        if all(isinstance(atom, Literal) for atom in index_map.outvars):
            return [int(a.value) for a in index_map.outvars if isinstance(a, Literal)]
        if self.steps == 1 or self.prefetch_changes or not vectorizes(index_map):
            return Compiler(self.machine).program(index_map)
        self.machine.spend(self.steps * COLUMN_WORK * (1 + len(index_map.eqns)))
        if not self.axes:
            flat = np.arange(self.steps, dtype=np.int32 if self.steps < 1 << 31 else np.int64)
            for size in reversed(self.call.grid):
                self.axes.insert(0, (flat % size).astype(np.int32))
                flat = flat // size
        trial = Machine(self.call.grid, self.machine.filling)
        found = evaluate(index_map, (*self.axes, *self.prefetch), trial)
        if trial.findings:  # let the steps say where
            return Compiler(self.machine).program(index_map)
        changed = np.zeros(self.steps, bool)
        for column in found:
            if np.ndim(column):
                changed[1:] |= np.not_equal(column[1:], column[:-1])
        changed[0] = True
        self.changes[window.operand.name] = changed
        return [column if np.ndim(column) else int(column) for column in found]

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
            any(w.revisited for w in self.windows),
        )


def _places(columns: list[Any], steps: int) -> list[tuple[int, ...]] | _Places:
    """A window's block index by step; one entry if it never changes."""
    if all(isinstance(column, int) for column in columns):
        return [tuple(columns)]
    if steps > HELD_PLACES:
        return _Places(columns, steps)
    return list(zip(*(np.broadcast_to(column, (steps,)).tolist() for column in columns), strict=True))


class _Places:
    """Block indices of so many steps that each is made when it is asked for."""

    def __init__(self, columns: list[Any], steps: int) -> None:
        self.columns = columns
        self.steps = steps

    def __len__(self) -> int:
        return self.steps

    def __getitem__(self, step: int) -> tuple[int, ...]:
        return tuple(column if isinstance(column, int) else int(column[step]) for column in self.columns)


def _counted(steps: Steps, progress: Callable[[int], None]) -> Steps:
    for step in steps:
        yield step
        progress(1)


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
