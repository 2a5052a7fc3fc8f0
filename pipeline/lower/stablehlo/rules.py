"""All StableHLO rules in one table."""

from __future__ import annotations

from pipeline.lower.stablehlo import async_copy, control, elementwise, gather, matmul, memory, reduce, shape
from pipeline.lower.stablehlo.context import merge

RULES = merge(
    elementwise.RULES,
    reduce.RULES,
    shape.RULES,
    gather.RULES,
    matmul.RULES,
    memory.RULES,
    control.RULES,
    async_copy.RULES,
)
