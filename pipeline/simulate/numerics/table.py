"""All numeric rules in one table."""

from __future__ import annotations

from pipeline.simulate.numerics import async_copy, casts, control, elementwise, matmul, memory, reduce, shape
from pipeline.simulate.numerics.rules import merge

RULES = merge(
    elementwise.RULES,
    casts.RULES,
    reduce.RULES,
    shape.RULES,
    matmul.RULES,
    memory.RULES,
    control.RULES,
    async_copy.RULES,
)
