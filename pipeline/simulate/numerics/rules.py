"""What a numeric rule is: from an equation, once, a function from input values to output values, called every step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pipeline.ir.jaxpr import Eqn, Jaxpr, Prim
from pipeline.simulate.machine import Machine

Value = Any  # an array or NumPy scalar; a Buffer where the aval is a ref
Step = Callable[..., Any]  # one value for one output, a tuple for several, None for none


class Program(Protocol):
    """A compiled jaxpr."""

    def run(self, *args: Value) -> list[Value]: ...


class Compile(Protocol):
    """What a rule may ask of the compiler."""

    machine: Machine
    of_lanes: bool  # whether a value may have a leading axis that its aval does not tell

    def program(self, jaxpr: Jaxpr) -> Program:
        """A nested jaxpr, compiled once."""
        ...

    def is_used(self, eqn: Eqn, output: int) -> bool:
        """Whether anybody reads that output."""
        ...

    def may_alias(self, eqn: Eqn) -> bool:
        """Whether the output of a read may be a view of the ref: nobody writes before its last use."""
        ...


Rule = Callable[[Eqn, Compile], Step]
Rules = Mapping[Prim, Rule]


def merge(*families: Rules) -> dict[Prim, Rule]:
    """All rules in one table. AssertionError when two families claim a primitive."""
    table: dict[Prim, Rule] = {}
    for family in families:
        for prim, rule in family.items():
            assert prim not in table, f"two numeric rules for {prim.value}"
            table[prim] = rule
    return table
