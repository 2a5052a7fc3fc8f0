"""Lines of a Python function that does what a program does: its variables, the two forms of a value, its steps.

Which equations have a text of their own is a table that the writer is given; the others are calls of what they were
compiled to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from pipeline.dtypes import BOOL
from pipeline.ir.jaxpr import Aval, Prim, ShapedArray
from pipeline.simulate.machine import Machine
from pipeline.simulate.numerics.dtypes import numpy_dtype
from pipeline.simulate.program import Form, Program

MOST_STEPS = 2_000  # of a function: Python takes long to compile a longer one
MOST_NESTED = 200  # steps of a loop's or branch's body that is put in place
DEEPEST = 12  # blocks in one another: Python has a limit of 20


def is_number(aval: Aval) -> bool:
    """Whether a value can be a Python number: a bool, or an integer of whole bytes, that is a scalar."""
    if not isinstance(aval, ShapedArray) or aval.shape:
        return False
    return aval.dtype is BOOL or (aval.dtype.is_integer and aval.dtype.bits >= 8)


class Value:
    """What a slot holds: the variable with its array, NumPy scalar or buffer, the one with its Python number, or both.

    dtype: NumPy's, where the value may be a number."""

    __slots__ = ("array", "dtype", "number")

    def __init__(self, array: str | None, number: str | None = None, dtype: Any = None) -> None:
        self.array = array
        self.number = number
        self.dtype = dtype


Run = Callable[..., list[Any]]
# the values of an equation's outputs, from its form, its inputs and what it was compiled to; None: call that
Write = Callable[["Writer", Form, list[Value], Any], "list[Value] | None"]
Writers = Mapping[Prim, Write]


class Writer:
    """The lines of a function, and what they need to know besides its arguments."""

    def __init__(self, machine: Machine, writers: Writers) -> None:
        self.machine = machine
        self.writers = writers
        self.lines: list[str] = []
        self.depth = 1
        self.steps = 0
        self.calls = 0  # and whatever else may stop the run, or ends in an unknown place
        self.known: dict[str, Any] = {"machine": machine}
        self.names: dict[int, str] = {}  # by the id of what is known
        self.variables = 0
        self.opened: dict[str, str] = {}  # lines for the start of the function, by the variable that they make
        self.made: list[tuple[Value, bool]] = []  # forms of values that this block has made, number or not

    # --- lines and names
    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def new(self) -> str:
        """Another variable."""
        self.variables += 1
        return f"v{self.variables}"

    def let(self, text: str) -> str:
        """Another variable with that value."""
        name = self.new()
        self.line(f"{name} = {text}")
        return name

    def know(self, thing: Any) -> str:
        """A name for something that is there before the function is run."""
        if id(thing) not in self.names:
            name = f"k{len(self.names)}"
            self.known[name] = thing  # held, so that its id stays its own
            self.names[id(thing)] = name
        return self.names[id(thing)]

    def at_start(self, name: str, text: str) -> str:
        """A variable that the function sets before anything else."""
        self.opened[name] = f"    {name} = {text}"
        return name

    @contextmanager
    def block(self) -> Iterator[None]:
        """Lines one deeper. What they make of values from outside is not there after them."""
        outer, self.made = self.made, []
        self.depth += 1
        yield
        self.depth -= 1
        for value, is_number in self.made:
            if is_number:
                value.number = None
            else:
                value.array = None
        self.made = outer

    # --- values
    def array(self, value: Value) -> str:
        """The value as NumPy has it."""
        if value.array is None:
            value.array = self.let(f"{self.know(value.dtype.type)}({value.number})")
            self.made.append((value, False))
        return value.array

    def number(self, value: Value) -> str:
        """The value as a Python number."""
        if value.number is None:
            value.number = self.let(f"{'bool' if value.dtype == np.bool_ else 'int'}({value.array})")
            self.made.append((value, True))
        return value.number

    def constant(self, thing: Any) -> Value:
        """A value that is the same in every run."""
        if not isinstance(thing, (np.ndarray, np.generic)) or thing.ndim or thing.dtype.kind not in "biu":
            return Value(self.know(thing))
        number = thing.item()
        return Value(self.know(thing), f"({number})" if number < 0 else str(number), thing.dtype)

    def value(self, name: str, aval: Aval) -> Value:
        """What a variable with an array holds."""
        return Value(name, None, numpy_dtype(aval.dtype) if is_number(aval) else None)

    def variable(self, aval: Aval) -> Value:
        """A variable that both a loop and what is before it set: a number where it can be."""
        value = self.value(self.new(), aval)
        return Value(None, value.array, value.dtype) if value.dtype is not None else value

    def set(self, targets: Sequence[Value], sources: Sequence[Value]) -> None:
        """Give variables of a loop or branch (`variable`) other values, all at once."""
        pairs = []
        for target, source in zip(targets, sources, strict=True):
            numbers = target.dtype is not None
            to = target.number if numbers else target.array
            of = self.number(source) if numbers else self.array(source)
            if to != of:
                pairs.append((to, of))
        if pairs:
            self.line(f"{', '.join(str(to) for to, _ in pairs)} = {', '.join(of for _, of in pairs)}")

    # --- steps
    def charge(self, work: str, *programs: Program) -> None:
        """What running these programs once takes from the budget, and that they are run."""
        self.line(f"machine.work -= {work}")
        self.line("if machine.work < 0: machine.spend(0)")
        self.count(1, *programs)

    def count(self, times: int, *programs: Program) -> None:
        for program in programs:
            self.line(f"{self.know(program.runs)}[0] += {program.lanes * times}")

    def body(self, program: Program, values: Sequence[Value]) -> list[Value]:
        """A program's steps, with `values` for its binders; its results."""
        self.steps += len(program.steps)
        slots: dict[int, Value] = dict(enumerate(values))

        def value(slot: int) -> Value:
            if slot not in slots:
                slots[slot] = self.constant(program.template[slot])
            return slots[slot]

        for (function, inputs, output, dead), form in zip(program.steps, program.forms, strict=True):
            given = [value(slot) for slot in inputs]
            outputs = (output,) if isinstance(output, int) else output or ()
            slots.update(zip(outputs, self.step(function, form, given, len(outputs)), strict=True))
            names = [slots[slot].array for slot in dead]
            if names:
                self.line(" = ".join([*map(str, names), "None"]))
        return [value(slot) for slot in program.results]

    def step(self, function: Any, form: Form | None, given: list[Value], outputs: int) -> list[Value]:
        """One equation: its own text, or a call of the function that it was compiled to."""
        if form is not None:
            write = self.writers.get(form.eqn.prim)
            made = write(self, form, given, function) if write is not None else None
            if made is not None:
                return made
        names = self.call(function, given, outputs)
        avals = [None] * outputs if form is None else [var.aval for var in form.eqn.outputs]
        return [Value(n) if aval is None else self.value(n, aval) for n, aval in zip(names, avals, strict=True)]

    def call(self, function: Any, given: Sequence[Value], outputs: int) -> list[str]:
        """The variables with what a call gives."""
        self.calls += 1
        arguments = ", ".join([self.array(value) for value in given])
        names = [self.new() for _ in range(outputs)]
        self.line(f"{', '.join(names)}{' = ' if names else ''}{self.know(function)}({arguments})")
        return names

    def function(self, inputs: Sequence[str], results: Sequence[Value]) -> Run:
        """The function of these variables whose lines are written, and that gives these values."""
        self.line(f"return [{', '.join([self.array(value) for value in results])}]")
        exec("\n".join([f"def run({', '.join(inputs)}):", *self.opened.values(), *self.lines]), self.known)
        run: Run = self.known.pop("run")  # or the two would hold each other
        return run

    def fits(self, *programs: Program) -> bool:
        """Whether there is room for the bodies of these."""
        size = sum(map(size_of, programs))
        return size <= MOST_NESTED and self.steps + size <= MOST_STEPS and self.depth < DEEPEST


def size_of(program: Program) -> int:
    """Steps of a program and of those in it."""
    nested = (size_of(inner) for form in program.forms if form is not None for inner in form.programs)
    return len(program.steps) + sum(nested)
