"""Races: steps that hardware may run at once and that touch the same elements, at least one of them writing.

`sharing.py` says what has to be watched; a run in which nothing has to be watched is not slowed. The findings do not
hang on the order of the run: whether two steps are ordered follows from their program ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

import numpy as np

from pipeline.errors import Fix, Severity, Span
from pipeline.ir.call import KernelCall
from pipeline.ir.jaxpr import Eqn, MemorySpace, Prim
from pipeline.simulate.extent import region_text
from pipeline.simulate.machine import WORK_LIMIT, Buffer, Machine
from pipeline.simulate.numerics.memory import Access
from pipeline.simulate.numerics.rules import Compile, Step
from pipeline.simulate.regions import MAX_ELEMENTS, Conflict, Part, Shadow, part_of_access, part_of_region
from pipeline.simulate.sharing import Watch
from pipeline.simulate.window import Window

Array = Any
_NOTE_WORK = 5_000  # of the work budget for each note, about 5 us, and so much for each element of it
_ELEMENT_WORK = 8
_HBM = (MemorySpace.ANY, MemorySpace.HBM)
Steps = Iterator[tuple[int, tuple[Any, ...]]]


class Recorder:
    """Watches one run. `buffers` are those of the body's binders, `windows` those of the operands that have one."""

    def __init__(
        self, call: KernelCall, watch: Watch, machine: Machine, buffers: Sequence[Buffer], windows: Sequence[Window]
    ) -> None:
        self.machine = machine
        self.grid = call.grid
        self.axes = watch.axes
        self.step = 0
        task_of = _tasks(call.grid, watch.axes)
        self.carried = {buffers[i].name: Shadow(np.shape(buffers[i].data), task_of) for i in watch.carried}
        self.arrays: dict[str, Shadow] = {}
        self.partners: dict[str, str] = {}  # aliased input -> the output that shares its memory
        for source, target in watch.aliases:
            names = call.operands[source].name, call.operands[target].name
            self.partners[names[0]] = names[1]
        for position in (*watch.arrays, *watch.windows):
            operand = call.operands[position]
            name = self.partners.get(operand.name, operand.name)
            if name not in self.arrays:
                if prod(operand.array.shape) > MAX_ELEMENTS:
                    self._too_large(operand.name, operand.array.shape, operand.span)
                    continue
                self.arrays[name] = Shadow(operand.array.shape, task_of)
        watched = {call.operands[i].name for i in watch.windows}
        self.windows = [w for w in windows if w.operand.name in watched and self._array(w.operand.name) is not None]
        self.windows.sort(key=lambda w: w.is_output)  # what comes in is there before anything is written
        self.places: dict[str, tuple[tuple[int, ...] | None, int]] = {}  # block of each, and the step it came up
        self.by_name = {window.operand.name: window for window in self.windows}
        self.spans = {operand.name: operand.index_map_span for operand in call.operands}
        self.task_of = task_of
        self.told: set[tuple[str, str]] = set()  # code and name of what need not be looked for any more
        self.work = WORK_LIMIT // 2
        self.words = call.grid_span
        self.semantics = call.semantics or ()
        self.direct: dict[int, tuple[str, Shadow, bool]] = {}  # by identity: name, what is known, whether carried
        for i in watch.carried:
            self.direct[id(buffers[i])] = buffers[i].name, self.carried[buffers[i].name], True
        for i in watch.arrays:
            array = self._array(buffers[i].name)
            if array is not None:
                self.direct[id(buffers[i])] = buffers[i].name, array, False

    # --- the run
    def steps(self, steps: Steps) -> Steps:
        """The run's steps, watched."""
        for step, index in steps:
            self.step = step
            yield step, index
            for window in self.windows:
                self._visit(window)

    def wrap(self, eqn: Eqn, function: Step, compile: Compile) -> Step:
        """The equation's step, watched. What it does with refs is noted when it is done."""
        note = self._note(eqn, compile)
        if note is None:
            return function

        def watched(*inputs: Any) -> Any:
            result = function(*inputs)
            note(*inputs)
            return result

        return watched

    def _note(self, eqn: Eqn, compile: Compile) -> Callable[..., None] | None:
        match eqn.prim:
            case Prim.GET | Prim.SEMAPHORE_WAIT | Prim.SEMAPHORE_READ:
                return self._accesses(eqn, Access(eqn, compile), True, False)
            case Prim.SWAP:
                return self._accesses(eqn, Access(eqn, compile), compile.is_used(eqn, 0), True)
            case Prim.ADDUPDATE:
                return self._accesses(eqn, Access(eqn, compile), True, True)
            case Prim.SEMAPHORE_SIGNAL:
                return self._accesses(eqn, Access(eqn, compile), False, True)
            case Prim.MASKED_LOAD | Prim.MASKED_SWAP:
                reads = eqn.prim is Prim.MASKED_LOAD
                mask = (1 if reads else 2) if eqn.param("has_mask") else None
                return self._accesses(eqn, Access(eqn, compile), reads, not reads, mask)
            case Prim.DMA_START:
                ends = (
                    self._accesses(eqn, Access(eqn, compile, 0, "src_transforms"), True, False),
                    self._accesses(eqn, Access(eqn, compile, 1, "dst_transforms"), False, True),
                    self._accesses(eqn, Access(eqn, compile, 2, "semaphore_transforms"), False, True),
                )

                def start(*inputs: Any) -> None:
                    for end in ends:
                        end(*inputs)

                return start
            case Prim.DMA_WAIT:
                return self._accesses(eqn, Access(eqn, compile, 2, "semaphore_transforms"), True, False)
            case _:
                return None

    def _accesses(
        self, eqn: Eqn, access: Access, reads: bool, writes: bool, mask: int | None = None
    ) -> Callable[..., None]:
        """What notes one access of a ref; a view in another dtype is not followed."""

        def note(*inputs: Any) -> None:
            buffer: Buffer = inputs[access.position]
            found = self.direct.get(id(buffer))
            if found is None or access.bitcasts:
                return
            name, array, carried = found
            self._spend(0 if access.whole else buffer.data.size)
            if buffer.space in _HBM:
                inputs, _ = access.within(buffer, inputs)
            part = part_of_access(access, inputs, None if mask is None else inputs[mask])
            if carried:
                if reads:
                    self._carries(name, array, part, eqn.span)
                if writes:
                    array.write(part, self.step)
            else:
                if reads:
                    self._reads(name, array, part, eqn.span)
                if writes:
                    self._writes(name, array, part, eqn.span)

        return note

    def _array(self, name: str) -> Shadow | None:
        return self.arrays.get(self.partners.get(name, name))

    def _visit(self, window: Window) -> None:
        """A block that came up in this step, or that another task's step finds in place."""
        name = window.operand.name
        place, since = self.places.get(name, (None, 0))
        arrived = place != window.place
        if not arrived and not (window.is_output and self.task_of[since] != self.task_of[self.step]):
            return
        self.places[name] = window.place, self.step
        array = self._array(name)
        assert array is not None
        self._spend(prod(window.sizes))
        part = part_of_region(window.region)
        if window.is_output:
            self._writes(name, array, part, self.spans[name])
        else:
            self._reads(name, array, part, self.spans[name])

    def _spend(self, elements: int) -> None:
        """Take a note's work from the budget; when it is used up, nothing is watched any more."""
        self.work -= _NOTE_WORK + _ELEMENT_WORK * elements
        if self.work < 0 and (self.direct or self.windows):
            self.direct, self.windows = {}, []
            self.machine.report(
                "R333", "",
                f"races were looked for up to step {self._place(self.step)} alone: it takes more work than the limit",
                self.words, "declare a smaller variant", Severity.WARNING,
            )  # fmt: skip

    # --- findings
    def _reads(self, name: str, array: Shadow, part: Part, span: Span) -> None:
        if self.axes and ("R330", name) not in self.told:
            conflict = array.written_elsewhere(part, self.step)
            if conflict is not None:
                self._race(name, "read", conflict, span)
            array.read(part, self.step)
        if name in self.partners and ("R332", name) not in self.told:
            partner = self.partners[name]
            conflict = array.written(part, self.step, self._still_there(partner))
            if conflict is not None and self.task_of[conflict.step] == self.task_of[self.step]:
                self._seen(name, partner, conflict, span)

    def _still_there(self, output: str) -> int | None:
        """The step in which the output's block came up, if it is in place yet: nothing of it has been written back."""
        window = self.by_name.get(output)
        place, since = self.places.get(output, (None, 0))
        return since if window is not None and window.place == place else None

    def _writes(self, name: str, array: Shadow, part: Part, span: Span) -> None:
        if self.axes and ("R330", name) not in self.told:
            conflict = array.written_elsewhere(part, self.step) or array.read_elsewhere(part, self.step)
            if conflict is not None:
                self._race(name, "write", conflict, span)
        array.write(part, self.step)

    def _race(self, name: str, does: str, conflict: Conflict, span: Span) -> None:
        first, second, what = self._place(conflict.step), self._place(self.step), self._elements(conflict, name)
        if does == "write" and conflict.wrote:
            told = f"steps {first} and {second} both write {what}"
        else:
            told = f"step {first} {'writes' if conflict.wrote else 'reads'} {what} and step {second} {does}s them"
        self.told.add(("R330", name))
        self.machine.report(
            "R330", name, f"{told}; {self._axes(conflict.step)}, so nothing orders the two", span,
            f'{self._order(conflict.step)}, or give each of its steps elements of its own',
            fixes=self._in_order(conflict.step),
        )  # fmt: skip

    def _carries(self, name: str, carried: Shadow, part: Part, span: Span) -> None:
        conflict = carried.written_elsewhere(part, self.step) if ("R331", name) not in self.told else None
        if conflict is None:
            return
        self.told.add(("R331", name))
        self.machine.report(
            "R331", name,
            f"step {self._place(self.step)} finds in {self._elements(conflict, name)} what step "
            f"{self._place(conflict.step)} left there; {self._axes(conflict.step)}, so the two run in any order, or on "
            "two cores with a memory each", span,
            f"{self._order(conflict.step)}, or set '{name}' in each step along it before it is used",
            fixes=self._in_order(conflict.step),
        )  # fmt: skip

    def _seen(self, name: str, partner: str, conflict: Conflict, span: Span) -> None:
        writer = "it" if conflict.step == self.step else f"step {self._place(conflict.step)}"
        self.told.add(("R332", name))
        self.machine.report(
            "R332", name,
            f"step {self._place(self.step)} reads {self._elements(conflict, name)}, where {writer} has written to "
            f"'{partner}', which is the same memory", span,
            f"read '{partner}' there, or read all of '{name}' that is needed before it is written",
        )  # fmt: skip

    def _too_large(self, name: str, shape: tuple[int, ...], span: Span) -> None:
        self.machine.report(
            "R333", name,
            f"races on '{name}' were not looked for: its {prod(shape)} elements are more than {MAX_ELEMENTS}", span,
            "declare a smaller variant", Severity.WARNING,
        )  # fmt: skip

    # --- words
    def _place(self, step: int) -> str:
        return f"({', '.join(map(str, self._ids(step)))})"

    def _ids(self, step: int) -> tuple[int, ...]:
        return tuple(int(i) for i in np.unravel_index(step, self.grid)) if self.grid else ()

    def _apart(self, step: int) -> list[int]:
        """Parallel axes along which `step` and this one differ."""
        other, now = self._ids(step), self._ids(self.step)
        return [axis for axis in self.axes if other[axis] != now[axis]]

    def _axes(self, step: int) -> str:
        axes = self._apart(step)
        names = ", ".join(map(str, axes))
        return f"grid axis {names} is parallel" if len(axes) == 1 else f"grid axes {names} are parallel"

    def _order(self, step: int) -> str:
        axes = self._apart(step)
        return f'declare grid {"axis" if len(axes) == 1 else "axes"} {", ".join(map(str, axes))} "arbitrary"'

    def _in_order(self, step: int) -> tuple[Fix, ...]:
        axes = self._apart(step)
        words = tuple("arbitrary" if axis in axes else word for axis, word in enumerate(self.semantics))
        return (Fix("set", "grid", "semantics", words),)

    def _elements(self, conflict: Conflict, name: str) -> str:
        region = region_text(conflict.region)
        full = prod(b - a for a, b in conflict.region)
        if not conflict.region:
            return f"'{name}'"
        if full == conflict.elements:
            return f"'{name}'{region}"
        return f"{conflict.elements} elements of '{name}'{region}"


def _tasks(grid: tuple[int, ...], axes: tuple[int, ...]) -> Array:
    """The task of each step: its program ids along the parallel axes, as one number."""
    task = np.zeros(grid, np.int32)
    for axis in axes:
        shape = [1] * len(grid)
        shape[axis] = grid[axis]
        task = task * np.int32(grid[axis]) + np.arange(grid[axis], dtype=np.int32).reshape(shape)
    return task.reshape(-1)
