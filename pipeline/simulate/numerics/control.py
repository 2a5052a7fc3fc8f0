"""NumPy rules: control flow over nested programs. Loops draw on the machine's work budget, so none runs without end.

`jit` and the custom-derivative calls have no rule: the compiler puts their bodies in place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeline.ir.jaxpr import Eqn, Jaxpr, Prim, RefAval
from pipeline.simulate.machine import EQUATION_WORK, MAX_TRIPS, OFTEN
from pipeline.simulate.mode import message
from pipeline.simulate.numerics.rules import Compile, Program, Rules, Step


def jaxpr_param(eqn: Eqn, name: str) -> Jaxpr:
    """A param that is a jaxpr."""
    value = eqn.param(name)
    assert isinstance(value, Jaxpr), name
    return value


def _integer(eqn: Eqn, name: str) -> int:
    value = eqn.param(name)
    assert isinstance(value, int), name
    return value


def _results(eqn: Eqn, values: list[Any]) -> Any:
    """Outputs in the form a step gives them."""
    return tuple(values) if len(eqn.outputs) > 1 else values[0] if values else None


def eval_cond(eqn: Eqn, compile: Compile) -> Step:
    branches = eqn.param("branches")
    assert isinstance(branches, tuple)
    programs = [compile.program(branch) for branch in branches if isinstance(branch, Jaxpr)]
    last = len(programs) - 1

    def cond(index: Any, *operands: Any) -> Any:
        chosen = programs[min(max(int(index), 0), last)]
        return _results(eqn, chosen.run(*operands))

    return cond


class Often:
    """Counts the rounds of a loop, and makes a function of it once that pays (`simulate/straight.py`)."""

    def __init__(self, eqn: Eqn, step: Step, programs: tuple[Program, ...], compile: Compile) -> None:
        self.made_from = eqn, step, programs
        self.compile = compile
        self.rounds = 0
        self.made: Step | None = None

    def function(self, rounds: int) -> Step | None:
        """The loop as a function of its inputs that gives a list, if it has become one before these rounds."""
        if self.rounds < OFTEN:
            self.rounds += rounds
            if (self.rounds >= OFTEN or self.compile.machine.often) and not self.compile.of_lanes:
                from pipeline.simulate.straight import straight_loop

                self.rounds = OFTEN
                self.made = straight_loop(*self.made_from, self.compile.machine)
        return self.made


def eval_scan(eqn: Eqn, compile: Compile) -> Step:
    """Inputs are consts, carry, xs; outputs carry, ys. `xs` and `ys` are stacked along the first axis."""
    body = compile.program(jaxpr_param(eqn, "jaxpr"))
    length, consts, carries = _integer(eqn, "length"), _integer(eqn, "num_consts"), _integer(eqn, "num_carry")
    reverse = bool(eqn.param("reverse"))
    machine = compile.machine

    def scan(*inputs: Any) -> Any:
        fixed = inputs[:consts]
        carry: list[Any] = list(inputs[consts : consts + carries])
        xs = inputs[consts + carries :]
        stacks: list[list[Any]] = [[] for _ in eqn.outputs[carries:]]
        if length > MAX_TRIPS:
            machine.too_many_trips(f"a loop of {length} rounds is longer than {MAX_TRIPS}", eqn.span)
        for i in range(length - 1, -1, -1) if reverse else range(length):
            machine.spend(EQUATION_WORK)
            out = body.run(*fixed, *carry, *(x[i] for x in xs))
            carry = out[:carries]
            for stack, y in zip(stacks, out[carries:], strict=True):
                stack.append(y)
        ys = [np.stack(stack[::-1] if reverse else stack) for stack in stacks]
        return _results(eqn, carry + ys)

    often = Often(eqn, scan, (body,), compile)

    def scan_or_function(*inputs: Any) -> Any:
        function = often.function(length)
        return scan(*inputs) if function is None else _results(eqn, function(*inputs))

    return scan_or_function


def eval_while(eqn: Eqn, compile: Compile) -> Step:
    test, body = compile.program(jaxpr_param(eqn, "cond_jaxpr")), compile.program(jaxpr_param(eqn, "body_jaxpr"))
    tested, fixed = _integer(eqn, "cond_nconsts"), _integer(eqn, "body_nconsts")
    machine = compile.machine

    def loop(*inputs: Any) -> Any:
        cond_consts, body_consts = inputs[:tested], inputs[tested : tested + fixed]
        carry: list[Any] = list(inputs[tested + fixed :])
        function = often.function(0)
        while function is None:
            if not bool(test.run(*cond_consts, *carry)[0]):
                return _results(eqn, carry)
            machine.trip(eqn.span)
            carry = body.run(*body_consts, *carry)
            function = often.function(1)
        return _results(eqn, function(*cond_consts, *body_consts, *carry))

    often = Often(eqn, loop, (test, body), compile)
    return loop


def eval_run_scoped(eqn: Eqn, compile: Compile) -> Step:
    """Binders of the body are the scoped refs, new and uninitialised each time, then the consts."""
    jaxpr = jaxpr_param(eqn, "jaxpr")
    body = compile.program(jaxpr)
    refs = [(i, var.aval) for i, var in enumerate(jaxpr.invars[: len(jaxpr.invars) - len(eqn.inputs)])]
    machine = compile.machine

    def scoped(*consts: Any) -> Any:
        buffers = []
        for i, aval in refs:
            assert isinstance(aval, RefAval)
            buffers.append(machine.allocate(f"scoped {i}", aval.dtype, aval.shape, aval.space, eqn.span))
        out = body.run(*buffers, *consts)
        machine.release(buffers)
        return _results(eqn, out)

    return scoped


def eval_debug_print(eqn: Eqn, compile: Compile) -> Step:
    machine, template = compile.machine, str(eqn.param("fmt"))

    def tell(*operands: Any) -> None:
        if machine.mode.tell is not None:
            machine.mode.tell(f"{machine.place()}: {message(template, operands)}")

    return tell


def eval_check(eqn: Eqn, compile: Compile) -> Step:
    """Nothing, unless somebody asks for checks (`simulate/checks.py`)."""
    return lambda *operands: None


RULES: Rules = {
    Prim.COND: eval_cond,
    Prim.SCAN: eval_scan,
    Prim.WHILE: eval_while,
    Prim.RUN_SCOPED: eval_run_scoped,
    Prim.DEBUG_PRINT: eval_debug_print,
    Prim.CHECK: eval_check,
}
