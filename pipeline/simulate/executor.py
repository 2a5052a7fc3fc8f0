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
from pipeline.ir.jaxpr import Jaxpr, Literal, Prim
from pipeline.lower.equations import nested_eqns
from pipeline.simulate.counts import Counts
from pipeline.simulate.machine import EQUATION_WORK, MAX_BYTES, WORK_LIMIT, Buffer, Filling, Machine, Stopped
from pipeline.simulate.mode import SEQUENTIAL, Mode, ordered_steps
from pipeline.simulate.numerics.dtypes import numpy_dtype
from pipeline.simulate.program import Compiler, Program, evaluate
from pipeline.simulate.sharing import watch_for
from pipeline.simulate.uses import vectorizes, written_refs
from pipeline.simulate.window import HELD_PLACES, Partial, Window

if TYPE_CHECKING:
    from pipeline.simulate.batch.run import Lanes
    from pipeline.simulate.races import Recorder

Array = Any
Columns = list[Any]  # a window's block index for every step: an array or an int for each axis
Steps = Iterator[tuple[int, tuple[Any, ...]]]
_MADE = 1 << 12
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
    """Run `call` once on `inputs`. `Prepared` says what the parameters are; it is for whoever runs a call again."""
    from pipeline.simulate.prepared import Prepared

    return Prepared(call).run(inputs, filling, work_limit, mode, lanes)


def excess_work(call: KernelCall, body: Program, work_limit: int) -> Diagnostic | None:
    """The finding R101 if running the compiled body step by step takes more than the limit."""
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
    if there are several.

    It is made for a call and what of a mode changes how a body is compiled (`Prepared` knows); `start` readies it for
    one run, and again for the next."""

    def __init__(
        self, call: KernelCall, mode: Mode, machine: type[Machine] = Machine, first: Core | None = None
    ) -> None:
        self.call = call
        self.first = first
        self.machine = machine(call.grid, Filling(), mode=mode)
        self.machine.copies_of_its_own = any(eqn.prim is Prim.DMA_START for eqn in nested_eqns(call.body))
        self.compiler = Compiler(self.machine)
        self.steps = prod(call.grid)
        self.axes: list[Array] = []  # each program id for every step, once an index map asks
        self.changes: dict[str, Array] = {}
        self.columns: dict[int, tuple[Columns | Program, int]] = {}  # by window, with the work it takes
        self.known_prefetch: list[Array] = []  # what `columns` were made with
        self.places: dict[int, tuple[Columns, list[tuple[int, ...]]]] = {}  # by window, with the columns they are from
        self.program: Program | None = None
        self.lanes: Lanes | None = None
        self.lanes_work = 0  # of the block indices that its plan is made from
        self.complete: dict[bool, frozenset[str]] = {}  # see `complete_outputs`, by whether the steps are in order
        self.recorder: Recorder | None = None
        if mode.checks:
            from pipeline.simulate.checks import Checker

            self.machine.watchers.append(Checker(call, self.machine, mode.checks))
        if mode.reorder is not None:
            from pipeline.simulate.reorder import Reorder

            self.machine.watchers.append(Reorder(mode.reorder))
        if mode.perturb:
            from pipeline.simulate.conditioning import Perturb

            self.machine.watchers.append(Perturb(mode.perturb))
        self.stored = written_refs(call.body)
        aliased = {out: call.operands[position] for position, out in call.aliases}
        outputs = call.with_role(Role.OUTPUT)
        self.windows: list[Window] = []
        self.outputs: list[tuple[Operand, Array, Array | None]] = []
        self.sources: list[str | None] = []  # per output, the input that it starts as
        self.buffers: list[Buffer] = []
        self.window_of: list[Window | None] = []  # per operand
        self.prefetch: list[Buffer] = []
        self.prefetch_changes = False
        for position, operand in enumerate(call.operands):
            is_output = operand.role is Role.OUTPUT
            if is_output:
                source = aliased.get(len(self.sources))
                self.sources.append(None if source is None else source.name)
            buffer = Buffer(operand.name, operand.ref.dtype, operand.ref.space, None, operand.span)
            self.buffers.append(buffer)
            if operand.role is Role.SCALAR_PREFETCH:
                self.prefetch.append(buffer)
                self.prefetch_changes |= position in self.stored
            window = None
            if operand.block is not None:
                copied = not is_output and position in self.stored and not mode.lenient
                kept = is_output and (self.sources[-1] is not None or mode.lenient)
                window = Window(self.machine, operand, buffer, copied, kept)
                window.private = mode.cores > 1
                self.windows.append(window)
            self.window_of.append(window)
        for position, target in call.aliases:
            one, other = self.buffers[position], self.buffers[len(call.operands) - len(outputs) + target]
            if call.operands[position].block is None and outputs[target].block is None:
                one.alias, other.alias = other, one
        self.scratch: list[Buffer] = []

    def start(
        self, inputs: Mapping[str, Array], filling: Filling, work_limit: int, mode: Mode, trusting: bool = False
    ) -> None:
        """Get ready for a run on `inputs`: new outputs, new scratch, nothing found.

        trusting: what shows that outputs are stored to as a whole is looked for, and no account kept of them. If such a
        run is stopped, they hold anything."""
        machine, first = self.machine, self.first
        machine.start(filling, work_limit, mode)
        self.compiler.start()
        if first is not None:
            machine.findings = first.machine.findings
        self.outputs = []
        for position, (operand, buffer, window) in enumerate(
            zip(self.call.operands, self.buffers, self.window_of, strict=False)
        ):
            marks = None
            if operand.role is Role.OUTPUT:
                if not self.outputs:  # all inputs are there
                    self._forget_columns()
                    complete = self._complete(mode.in_order) if trusting else frozenset()
                source = self.sources[len(self.outputs)]
                if first is not None:
                    array, marks = first.outputs[len(self.outputs)][1:]
                elif operand.name in complete:
                    array = np.empty(operand.array.shape, numpy_dtype(operand.array.dtype))
                    machine.poisoned_integers |= not operand.array.dtype.is_float
                else:
                    array, marks = self._new_output(operand, None if source is None else inputs[source])
                self.outputs.append((operand, array, marks))
            else:
                array = np.asarray(inputs[operand.name])
                assert array.shape == operand.array.shape, operand.name
                array = array.view()
                if first is not None and operand.block is None and operand.role is not Role.SCALAR_PREFETCH:
                    array = first.buffers[position].data
                elif operand.role is Role.SCALAR_PREFETCH or position in self.stored:
                    array = array.copy()
                else:
                    array.flags.writeable = False
            buffer.data = array
            buffer.written, buffer.whole, buffer.given, buffer.flights = None, False, False, 0
            if window is not None:
                window.start(array, marks)
            elif marks is not None:
                buffer.written, buffer.given = marks, source is not None
        self.scratch = [self._scratch(s.name, s.ref.shape, s.ref, s.span) for s in self.call.scratch]
        self.buffers[len(self.call.operands) :] = self.scratch
        self.recorder = self._recorder(mode)

    def _forget_columns(self) -> None:
        """Block indices may hang on prefetched values: those of other values are of no use."""
        if not self.prefetch:
            return
        known = self.known_prefetch
        same = len(known) == len(self.prefetch) and all(
            old.tobytes() == new.data.tobytes() for old, new in zip(known, self.prefetch, strict=True)
        )
        if not same:
            self.known_prefetch = [buffer.data.copy() for buffer in self.prefetch]
            self.columns, self.changes, self.lanes, self.complete = {}, {}, None, {}

    def _recorder(self, mode: Mode) -> Recorder | None:
        """Who looks for races; None where nothing has to be watched, or nobody asks."""
        watch = watch_for(self.call) if mode.record else None
        if not watch:
            return None
        from pipeline.simulate.races import Recorder

        recorder = Recorder(self.call, watch, self.machine, self.buffers, self.windows)
        self.machine.watchers.append(recorder)
        return recorder

    def _complete(self, in_order: bool) -> frozenset[str]:
        if in_order not in self.complete:
            from pipeline.simulate.batch.plan import complete_outputs

            found = {window.operand.name: self._known_columns(window)[0] for window in self.windows}
            columns = {name: None if isinstance(places, Program) else places for name, places in found.items()}
            operands = self.call.operands
            self.complete[in_order] = complete_outputs(
                self.call,
                [columns.get(o.name) for o in operands],
                [self.changes.get(o.name) for o in operands],
                in_order,
            )
        return self.complete[in_order]

    def _new_output(self, operand: Operand, initial: Array | None) -> tuple[Array, Array]:
        """An output's array, and the marks of what of it was written."""
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
        lanes = self._lanes()
        lanes.run(at_once)
        return self.result(True, lanes.counts())

    def _lanes(self) -> Lanes:
        """The plan of steps that run at once, made in the first run."""
        from pipeline.simulate.batch.compiler import LanesMachine, Unproven
        from pipeline.simulate.batch.run import Lanes

        if self.lanes is not None:
            self.machine.spend(self.lanes_work)
            return self.lanes
        if self.prefetch_changes:
            raise Unproven("block indices that change during the run")
        columns: dict[int, Columns] = {}
        for window in self.windows:
            found = self._columns(window)
            if isinstance(found, Program):
                raise Unproven("block indices that cannot be computed for all steps")
            columns[id(window.operand)] = found
        self.lanes_work = sum(work for _, work in self.columns.values())
        assert isinstance(self.machine, LanesMachine)
        operands = self.call.operands
        indices, changes = [columns.get(id(o)) for o in operands], [self.changes.get(o.name) for o in operands]
        self.lanes = Lanes(self.call, self.machine, self.windows, self.buffers, indices, changes)
        return self.lanes

    def compiled(self) -> Program:
        """The body, compiled once."""
        if self.program is None:
            self.program = self.compiler.program(self.call.body)
        return self.program

    def body(self) -> Program | None:
        """The compiled body; None, with a finding, if running it takes too much work."""
        program = self.compiled()
        excess = excess_work(self.call, program, self.machine.work)
        if excess is None:
            return program
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
                moving.append((window, self._places(window, found)))
        if machine.mode.progress is not None:
            steps = _counted(steps, machine.mode.progress)
        fixed = [(window, places) for window, places in moving if len(places) == 1]
        moving = [(window, places) for window, places in moving if len(places) > 1]
        for step, index in steps if self.recorder is None else self.recorder.steps(steps):
            machine.index = index
            if fixed:
                for window, places in fixed:
                    window.move(places[0])
                fixed = []
            for window, places in moving:
                place = places[step]
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

    def _places(self, window: Window, columns: Columns) -> list[tuple[int, ...]] | _Places:
        """A window's block index by step; one entry if it never changes."""
        known = self.places.get(id(window))
        if known is not None and known[0] is columns:
            return known[1]
        found: list[tuple[int, ...]] | _Places
        if all(isinstance(column, int) for column in columns):
            found = [tuple(columns)]
        elif self.steps > HELD_PLACES:
            return _Places(columns, self.steps)
        else:
            found = list(zip(*(np.broadcast_to(column, (self.steps,)).tolist() for column in columns), strict=True))
        self.places[id(window)] = columns, found
        return found

    def _steps(self) -> Steps:
        """(flattened step, program ids as i32 scalars) in the order of the run."""
        mode = self.machine.mode
        if mode.order == "sequential":
            return enumerate(_grid_steps(self.call.grid))
        return scalars(ordered_steps(self.call.grid, self.call.semantics, mode))

    def _columns(self, window: Window) -> Columns | Program:
        """A window's block index for every step, an array or an int for each axis; the program where that cannot be.

        Made in the first run; what it takes is spent in each."""
        found, work = self._known_columns(window)
        self.machine.spend(work)
        return found

    def _known_columns(self, window: Window) -> tuple[Columns | Program, int]:
        """The same, with the work that it takes."""
        if id(window) in self.columns:
            return self.columns[id(window)]
        index_map = window.operand.index_map
        assert index_map is not None
        work = 0
        columns: Columns | None = None
        if all(isinstance(atom, Literal) for atom in index_map.outvars):
            columns = [int(a.value) for a in index_map.outvars if isinstance(a, Literal)]
        elif self.steps > 1 and not self.prefetch_changes and vectorizes(index_map):
            work = self.steps * COLUMN_WORK * (1 + len(index_map.eqns))
            columns = self._evaluated(window.operand.name, index_map)
        found = Compiler(self.machine).program(index_map) if columns is None else columns
        self.columns[id(window)] = found, work
        return found, work

    def _evaluated(self, name: str, index_map: Jaxpr) -> Columns | None:
        """The block indices of all steps at once; None where something is to be reported: let the steps say where."""
        if not self.axes:
            flat = np.arange(self.steps, dtype=np.int32 if self.steps < 1 << 31 else np.int64)
            for size in reversed(self.call.grid):
                self.axes.insert(0, (flat % size).astype(np.int32))
                flat = flat // size
        trial = Machine(self.call.grid, self.machine.filling)
        found = evaluate(index_map, (*self.axes, *self.prefetch), trial)
        if trial.findings:
            return None
        changed = np.zeros(self.steps, bool)
        for column in found:
            if np.ndim(column):
                changed[1:] |= np.not_equal(column[1:], column[:-1])
        changed[0] = True
        self.changes[name] = changed
        return [column if np.ndim(column) else int(column) for column in found]

    def result(self, finished: bool, counts: Counts | None = None) -> Run:
        """What the run left behind."""
        written: dict[str, Array | None] = {}
        for (operand, array, marks), buffer in zip(
            self.outputs,
            (b for b, o in zip(self.buffers, self.call.operands, strict=False) if o.role is Role.OUTPUT),
            strict=True,
        ):
            if marks is None and not finished:  # nobody kept account, and not everything was done
                array[...] = self.machine.filling.value(operand.array.dtype, operand.name, padding=False)
                marks = np.zeros(array.shape, bool)
            complete = marks is None or bool(marks.all()) or (operand.block is None and buffer.whole)
            written[operand.name] = None if complete else marks
        stale = {w.operand.name: w.stale() for w in self.windows if w.kept}
        return Run(
            {operand.name: array for operand, array, _ in self.outputs},
            written,
            stale,
            tuple(self.machine.findings.values()),
            finished,
            tuple(w.partial for w in self.windows if w.partial is not None and not w.is_output),
            self.machine.poisoned_integers or any(w.poisoned_integers for w in self.windows),
            self.compiler.counts() if counts is None else counts,
            self.machine.copied_in,
            self.machine.copied_out,
            dict(self.changes),
            any(w.revisited for w in self.windows),
        )


class _Places:
    """Block indices of so many steps that they are made when they are asked for, some at a time."""

    def __init__(self, columns: list[Any], steps: int) -> None:
        self.columns = columns
        self.steps = steps
        self.first = 0  # of those steps whose indices are made
        self.made: list[tuple[int, ...]] = []

    def __len__(self) -> int:
        return self.steps

    def __getitem__(self, step: int) -> tuple[int, ...]:
        at = step - self.first
        if not 0 <= at < len(self.made):
            self.first, at = step - step % _MADE, step % _MADE
            part = slice(self.first, min(self.first + _MADE, self.steps))
            count = part.stop - part.start
            columns = ([c] * count if isinstance(c, int) else c[part].tolist() for c in self.columns)
            self.made = list(zip(*columns, strict=True))
        return self.made[at]


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
