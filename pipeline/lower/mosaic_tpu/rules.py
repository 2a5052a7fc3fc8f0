"""The lowering rules of all op families in one table."""

from __future__ import annotations

from pipeline.lower.mosaic_tpu import (
    async_copy,
    casts,
    composite,
    control,
    elementwise,
    matmul,
    memory,
    reduce,
    shape,
)
from pipeline.lower.mosaic_tpu.context import merge

RULES = merge(
    elementwise.RULES,
    casts.RULES,
    composite.RULES,
    reduce.RULES,
    shape.RULES,
    matmul.RULES,
    memory.RULES,
    control.RULES,
    async_copy.RULES,
)
