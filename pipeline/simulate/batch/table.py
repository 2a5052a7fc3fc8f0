"""Which rule an equation has for many lanes."""

from __future__ import annotations

from pipeline.ir.jaxpr import Eqn, Literal, Prim
from pipeline.simulate.batch import control, memory, values
from pipeline.simulate.batch.compiler import LanesCompiler, Unproven
from pipeline.simulate.numerics.rules import Step

# what takes place at a time of its own, or is told in the order of the steps
_ORDERED = frozenset(
    {
        Prim.DMA_START, Prim.DMA_WAIT, Prim.SEMAPHORE_SIGNAL, Prim.SEMAPHORE_WAIT, Prim.SEMAPHORE_READ,
        Prim.DEBUG_PRINT,
    }
)  # fmt: skip
RULES = {**values.RULES, **memory.RULES}


def lanes_function(eqn: Eqn, compiler: LanesCompiler) -> tuple[Step, tuple[bool, ...]]:
    """What a step does for an equation, and which outputs have lanes. Raises Unproven."""
    if eqn.prim in _ORDERED:
        raise Unproven(eqn.prim.value)
    if eqn.prim in control.RULES:
        return control.RULES[eqn.prim](eqn, compiler)
    if eqn.prim is Prim.PROGRAM_ID:
        return compiler.one_by_one(eqn), (eqn.param("axis") in compiler.axes,)
    if eqn.prim in memory.STORES and not compiler.has_lanes(eqn.inputs[0]):
        raise Unproven(f"{eqn.prim.value} to memory that the steps share")
    if all(isinstance(atom, Literal) or not compiler.has_lanes(atom) for atom in eqn.inputs):
        return compiler.one_by_one(eqn), (False,) * len(eqn.outputs)
    rule = RULES.get(eqn.prim, values.each_lane)
    return rule(eqn, compiler), (True,) * len(eqn.outputs)
