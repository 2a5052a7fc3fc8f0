"""Compiles a jaxpr for many grid steps at once: a value that differs between them has a leading axis, one lane a step.

What is the same in all lanes is computed once, without that axis. What cannot be done for all lanes with the same bits
as for one raises `Unproven`: the caller then takes the steps one by one, and so are all findings made.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, Param, RefAval, ShapedArray, Var
from pipeline.simulate.machine import EQUATION_WORK, Machine
from pipeline.simulate.numerics.rules import Step
from pipeline.simulate.program import Compiler, Program, work_of

Array = Any


class Unproven(Exception):
    """These steps cannot be run at once, or not with the same result."""


class LanesMachine(Machine):
    """A machine whose `index` has an array for each grid axis over which the lanes differ. It reports nothing."""

    def report(self, code: str, *rest: Any, **more: Any) -> None:
        raise Unproven(code)

    def place(self, index: tuple[Any, ...] | None = None) -> str:
        if any(np.ndim(i) for i in self.index):
            raise Unproven("something to report")
        return super().place(index)

    def for_lanes(self, lanes: Any) -> tuple[Any, ...]:
        """`index` narrowed to some lanes."""
        return tuple(i[lanes] if np.ndim(i) else i for i in self.index)


class LanesCompiler(Compiler):
    """A compiler for `lanes` steps that differ along the grid axes `axes`."""

    of_lanes = True

    def __init__(self, machine: LanesMachine, lanes: int, axes: frozenset[int]) -> None:
        super().__init__(machine)
        self.lanes = lanes
        self.axes = axes
        self.flags: set[Var] = set()
        self.kept: list[Eqn] = []  # `aliasing` holds ids
        self.sizes: dict[int, LanesCompiler] = {lanes: self}

    @property
    def lanes_machine(self) -> LanesMachine:
        assert isinstance(self.machine, LanesMachine)
        return self.machine

    def sized(self, lanes: int) -> LanesCompiler:
        """The same for another number of lanes."""
        if lanes not in self.sizes:
            other = LanesCompiler(self.lanes_machine, lanes, self.axes)
            other.sizes, other.programs = self.sizes, self.programs
            self.sizes[lanes] = other
        return self.sizes[lanes]

    def lanes_program(self, jaxpr: Jaxpr, flags: tuple[bool, ...]) -> Program:
        """Compile a jaxpr of which the flagged binders have lanes."""
        outer = self.flags
        self.flags = {var for var, flag in zip(jaxpr.invars, flags, strict=True) if flag}
        program = self.program(jaxpr)
        self.flags = outer
        return program

    def work(self, eqn: Eqn) -> int:
        return EQUATION_WORK + (work_of(eqn) - EQUATION_WORK) * self.lanes

    def finish(self, program: Program, results: list[Atom]) -> None:
        program.lanes = self.lanes
        program.batched = tuple(self.has_lanes(atom) for atom in results)

    def has_lanes(self, atom: Atom) -> bool:
        return isinstance(atom, Var) and atom in self.flags

    def function(self, eqn: Eqn) -> Any:
        from pipeline.simulate.batch.table import lanes_function

        function, flags = lanes_function(eqn, self)
        self.flags.update(var for var, flag in zip(eqn.outputs, flags, strict=True) if flag)
        return function

    # --- for the rules
    def one_by_one(self, eqn: Eqn) -> Step:
        """The rule for a single step."""
        step: Step = super().function(eqn)
        return step

    def lifted(self, eqn: Eqn, **params: Param) -> Step:
        """The rule for a single step, of the equation with a leading axis on whatever has lanes.

        `params` replaces those that count axes."""
        new = Eqn(
            eqn.prim,
            tuple(Var(lift(atom.aval, self.lanes)) if self.has_lanes(atom) else atom for atom in eqn.inputs),
            tuple(Var(lift(var.aval, self.lanes)) for var in eqn.outputs),
            tuple((name, params.get(name, value)) for name, value in eqn.params),
            eqn.span,
        )
        self.used.update(n for o, n in zip(eqn.outputs, new.outputs, strict=True) if o in self.used)
        if id(eqn) in self.aliasing:
            self.aliasing.add(id(new))
            self.kept.append(new)
        step: Step = super().function(new)
        return step


def lift(aval: Any, lanes: int) -> Any:
    """`aval` with a leading axis."""
    if isinstance(aval, RefAval):
        return replace(aval, inner=lift(aval.inner, lanes))
    assert isinstance(aval, ShapedArray)
    return replace(aval, shape=(lanes, *aval.shape))


def spread(x: Array, lanes: int) -> Array:
    """A value without lanes, the same in each of them."""
    return np.broadcast_to(x, (lanes, *np.shape(x)))
