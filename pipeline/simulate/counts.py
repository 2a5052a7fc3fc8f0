"""Arithmetic that a jaxpr states: multiply-adds of contractions by operand dtype, and elements of everything else."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from pipeline.ir.jaxpr import Eqn, Jaxpr, Prim, ShapedArray
from pipeline.simulate.numerics.control import jaxpr_param
from pipeline.simulate.numerics.matmul import dimension_numbers

_FREE = frozenset(
    {
        Prim.GET, Prim.SWAP, Prim.BROADCAST_IN_DIM, Prim.RESHAPE, Prim.SQUEEZE, Prim.EXPAND_DIMS, Prim.TRANSPOSE,
        Prim.CONCATENATE, Prim.SLICE, Prim.PAD, Prim.REV, Prim.GATHER, Prim.TILE, Prim.ROLL, Prim.SPLIT, Prim.STACK,
        Prim.DYNAMIC_SLICE, Prim.DYNAMIC_UPDATE_SLICE, Prim.MASKED_LOAD, Prim.MASKED_SWAP, Prim.IOTA,
        Prim.STOP_GRADIENT, Prim.BITCAST, Prim.BITCAST_CONVERT_TYPE, Prim.PROGRAM_ID, Prim.NUM_PROGRAMS,
        Prim.MULTIPLE_OF, Prim.DMA_START, Prim.DMA_WAIT, Prim.SEMAPHORE_READ, Prim.SEMAPHORE_SIGNAL,
        Prim.SEMAPHORE_WAIT, Prim.DEBUG_PRINT, Prim.CHECK,
    }
)  # fmt: skip
_REDUCTIONS = frozenset(
    {
        Prim.REDUCE_SUM, Prim.REDUCE_MAX, Prim.REDUCE_MIN, Prim.REDUCE_PROD, Prim.REDUCE_AND, Prim.REDUCE_OR,
        Prim.ARGMAX, Prim.ARGMIN,
    }
)  # fmt: skip
# a contraction asked for in full f32 takes this many passes of bf16 (libtpu 0.0.42.1, matmul of 512^3)
HIGHEST_PASSES = 6


@dataclass(slots=True)
class Counts:
    """`contractions`: 2 m n k by operand dtype; "float32" is full precision. `vector`: one for each element that an
    elementwise op makes or a reduction reads; scalars are not counted."""

    contractions: dict[str, int] = field(default_factory=dict)
    vector: int = 0

    def add(self, other: Counts, times: int = 1) -> None:
        self.vector += other.vector * times
        for name, n in other.contractions.items():
            self.contractions[name] = self.contractions.get(name, 0) + n * times

    @property
    def contraction_flops(self) -> int:
        return sum(self.contractions.values())

    @property
    def flops(self) -> int:
        return self.contraction_flops + self.vector


def count_eqn(eqn: Eqn, counts: Counts) -> None:
    """Add one equation to `counts`, without nested jaxprs."""
    if eqn.prim in _FREE:
        return
    if eqn.prim is Prim.DOT_GENERAL:
        lhs = eqn.inputs[0].aval
        terms = prod(lhs.shape[i] for i in dimension_numbers(eqn)[0])
        out = eqn.outputs[0].aval
        size = out.size if isinstance(out, ShapedArray) else 0
        wide = max((a.aval.dtype for a in eqn.inputs), key=lambda d: d.bits)
        full = "HIGHEST" in str(dict(eqn.params).get("precision"))
        # without a request for full precision the matrix unit takes f32 rounded to bf16
        name = wide.name if full or wide.name != "float32" else "bfloat16"
        counts.contractions[name] = counts.contractions.get(name, 0) + 2 * size * terms
    elif eqn.prim in _REDUCTIONS:
        aval = eqn.inputs[0].aval
        counts.vector += prod(aval.shape)
    else:
        for var in eqn.outputs:
            if isinstance(var.aval, ShapedArray) and var.aval.shape != ():
                counts.vector += var.aval.size


def count_jaxpr(jaxpr: Jaxpr) -> Counts:
    """Counts of a whole body without running it: of a `cond` the largest branch, of a `while` one trip."""
    total = Counts()
    for eqn in jaxpr.eqns:
        match eqn.prim:
            case Prim.COND:
                branches = eqn.param("branches")
                each = [count_jaxpr(b) for b in branches if isinstance(b, Jaxpr)] if isinstance(branches, tuple) else []
                total.add(max(each, key=lambda c: c.flops))
            case Prim.SCAN:
                length = eqn.param("length")
                total.add(count_jaxpr(jaxpr_param(eqn, "jaxpr")), length if isinstance(length, int) else 1)
            case Prim.WHILE:
                total.add(count_jaxpr(jaxpr_param(eqn, "body_jaxpr")))
            case Prim.RUN_SCOPED | Prim.JIT:
                total.add(count_jaxpr(jaxpr_param(eqn, "jaxpr")))
            case Prim.CUSTOM_JVP_CALL | Prim.CUSTOM_VJP_CALL:
                total.add(count_jaxpr(jaxpr_param(eqn, "call_jaxpr")))
            case _:
                count_eqn(eqn, total)
    return total
