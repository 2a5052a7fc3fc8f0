"""A program that is run often, as a Python function of its own: a line for each step, its values in local variables.

The bodies of short loops and branches stand in it in place, and integers and bools that are scalars are Python's own
numbers there (`scalar_text.py`, `access_text.py`); every bit, finding and count is what the steps would have made.
Making a function takes about as long as a hundred runs save by it. Its text has nothing of a spec's in it but numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.ir.jaxpr import Eqn, Prim
from pipeline.simulate.access_text import ACCESSES
from pipeline.simulate.function_text import MOST_STEPS, Run, Value, Writer, Writers
from pipeline.simulate.machine import EQUATION_WORK, MAX_TRIPS, Machine
from pipeline.simulate.program import Form, Program
from pipeline.simulate.scalar_text import SCALARS


def write_scan(w: Writer, form: Form, given: list[Value], function: Any) -> list[Value] | None:
    """A loop over its carry alone. What its rounds take is paid at once where nothing in them can end the run."""
    eqn, (body,) = form.eqn, form.programs
    length, consts, carries = (eqn.param(name) for name in ("length", "num_consts", "num_carry"))
    assert isinstance(length, int) and isinstance(consts, int) and isinstance(carries, int)
    if len(given) != consts + carries or len(eqn.outputs) != carries or length > MAX_TRIPS or not w.fits(body):
        return None
    carry = _carry(w, eqn, given[:consts], given[consts:])
    calls, before, w.lines = w.calls, w.lines, []
    with w.block(), w.block():
        w.set(carry, w.body(body, [*given[:consts], *carry]))
    lines, w.lines = w.lines, before
    if calls != w.calls or not lines:
        w.calls += 1
        w.line(f"for _ in range({length}):")
        with w.block():
            w.charge(str(EQUATION_WORK + body.work), body)
        w.lines += [line[4:] for line in lines]
        return carry
    work = length * (EQUATION_WORK + body.work)
    w.line(f"if machine.work < {work}:")
    with w.block():  # the step finds out in which round
        names = w.call(function, given, carries)
        made = [w.value(name, var.aval) for name, var in zip(names, eqn.outputs, strict=True)]
        w.set(carry, made)
    w.line("else:")
    with w.block():
        w.line(f"machine.work -= {work}")
        w.count(length, body)
        w.line(f"for _ in range({length}):")
        w.lines += lines
    return carry


def _carry(w: Writer, eqn: Eqn, consts: Sequence[Value], first: Sequence[Value]) -> list[Value]:
    """A loop's variables, as they are before it; of what never changes the numbers are there, too."""
    for value in consts:
        if value.dtype is not None:
            w.number(value)
    carry = [w.variable(var.aval) for var in eqn.outputs]
    w.set(carry, first)
    return carry


def write_while(w: Writer, form: Form, given: list[Value], function: Any) -> list[Value] | None:
    eqn, (test, body) = form.eqn, form.programs
    tested, fixed = eqn.param("cond_nconsts"), eqn.param("body_nconsts")
    assert isinstance(tested, int) and isinstance(fixed, int)
    if not w.fits(test, body):
        return None
    w.calls += 1
    consts, first = given[: tested + fixed], given[tested + fixed :]
    carry = _carry(w, eqn, consts, first)
    w.line("while True:")
    with w.block():
        w.charge(str(test.work), test)
        (goes_on,) = w.body(test, [*consts[:tested], *carry])
        w.line(f"if not {w.number(goes_on) if goes_on.dtype is not None else goes_on.array}: break")
        w.line(f"machine.trip({w.know(eqn.span)})")
        w.charge(str(body.work), body)
        w.set(carry, w.body(body, [*consts[tested:], *carry]))
    return carry


def write_cond(w: Writer, form: Form, given: list[Value], function: Any) -> list[Value] | None:
    """The branches, in order; an index out of range is the first's or the last's."""
    branches = form.programs
    if not w.fits(*branches) or given[0].dtype is None:
        return None
    w.calls += 1
    index = w.number(given[0])
    out = [w.variable(var.aval) for var in form.eqn.outputs]
    for number, branch in enumerate(branches):
        first, last = number == 0, number == len(branches) - 1
        word = "if True" if first and last else "else" if last else f"{'if' if first else 'elif'} {index} <= {number}"
        w.line(f"{word}:")
        with w.block():
            w.charge(str(branch.work), branch)
            w.set(out, w.body(branch, given[1:]))
    return out


WRITERS: Writers = {**SCALARS, **ACCESSES, Prim.SCAN: write_scan, Prim.WHILE: write_while, Prim.COND: write_cond}


def straight_loop(eqn: Eqn, step: Any, programs: tuple[Any, ...], machine: Machine) -> Run | None:
    """What a loop's `step` does, as a function that gives a list; None for a loop that is not written here."""
    w = Writer(machine, WRITERS)
    names = [w.new() for _ in eqn.inputs]
    given = [w.value(name, atom.aval) for name, atom in zip(names, eqn.inputs, strict=True)]
    made = WRITERS[eqn.prim](w, Form(eqn, programs, True, False), given, step)
    return None if made is None else w.function(names, made)


def straight_line(program: Program) -> Run | None:
    """What `Program.run` does, for this program alone; None for one that is too long."""
    if len(program.steps) > MOST_STEPS:
        return None
    w = Writer(program.machine, WRITERS)
    names = [w.new() for _ in program.avals]
    w.charge(str(program.work), program)
    made = w.body(program, [w.value(name, aval) for name, aval in zip(names, program.avals, strict=True)])
    return w.function(names, made)
