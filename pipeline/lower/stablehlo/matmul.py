"""StableHLO rules: contraction. Narrow floats are multiplied and added in f32, integers in the result's dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.dtypes import F32
from pipeline.ir.jaxpr import Eqn, Prim
from pipeline.ir.module import IntArray, Raw, Value
from pipeline.lower.equations import out_aval, shaped
from pipeline.lower.stablehlo.context import LowerContext, Operand, Rules
from pipeline.lower.stablehlo.types import tensor


def lower_dot_general(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    numbers: Any = eqn.param("dimension_numbers")
    (lhs_contract, rhs_contract), (lhs_batch, rhs_batch) = numbers
    out = out_aval(eqn)
    work = F32 if out.dtype.is_float and out.dtype.bits < 32 else out.dtype
    values = []
    for operand, atom in zip(operands, eqn.inputs, strict=True):
        value, dtype = ctx.value(operand), shaped(atom).dtype
        # 16-bit floats with an f32 result are what matrix units take; other mixtures are converted first
        mixed = dtype != work and not (work == F32 and dtype.is_float and dtype.bits == 16 and _alike(eqn))
        values.append(ctx.convert(value, work) if mixed else value)
    attrs = (
        ("lhs_batching_dims", IntArray(tuple(lhs_batch))),
        ("lhs_contracting_dims", IntArray(tuple(lhs_contract))),
        ("precision", Raw("[DEFAULT, DEFAULT]")),
        ("rhs_batching_dims", IntArray(tuple(rhs_batch))),
        ("rhs_contracting_dims", IntArray(tuple(rhs_contract))),
    )
    return (ctx.convert(ctx.emit("dot_general", values, tensor(out.shape, work), attrs), out.dtype),)


def _alike(eqn: Eqn) -> bool:
    return len({shaped(atom).dtype for atom in eqn.inputs}) == 1


RULES: Rules = {Prim.DOT_GENERAL: lower_dot_general}
