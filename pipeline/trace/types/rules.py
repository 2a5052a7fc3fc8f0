"""All abstract rules in one table, and `infer`, which applies it.

A rule takes the operands' avals, the params and the span, and gives the avals of the results; it raises a
`SpecError` where an operand's shape or dtype does not fit.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.errors import Span
from pipeline.ir.jaxpr import Aval, Param, Prim, ShapedArray
from pipeline.trace.types import async_copy, control, elementwise, matmul, memory, reduce, shape
from pipeline.trace.types.common import Rule, scalar_literal

__all__ = ["RULES", "infer", "merge", "scalar_literal"]


def merge(*tables: dict[Prim, Rule]) -> dict[Prim, Rule]:
    """One table out of several; two families that claim one primitive are a bug."""
    out: dict[Prim, Rule] = {}
    for table in tables:
        clash = sorted(prim.value for prim in out.keys() & table.keys())
        assert not clash, f"two rules for {', '.join(clash)}"
        out.update(table)
    return out


RULES: dict[Prim, Rule] = merge(
    elementwise.RULES, reduce.RULES, shape.RULES, matmul.RULES, memory.RULES, control.RULES, async_copy.RULES
)


def infer(prim: Prim, avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Avals of the results of `prim`; a primitive without a rule is a bug of ours (KeyError)."""
    return RULES[prim](avals, params, span)
