"""What JAX's Triton lowering has no form for: primitives, and dtypes of those that it has.

Source: JAX 0.10.2, each primitive asked for with each dtype; `python -m pipeline.oracles.triton` records its answers.
"""

from __future__ import annotations

from pipeline.ir.jaxpr import Prim

DEPRECATED = "JAX deprecates its Triton path from 0.11 on"
MOST_ELEMENTS = 1 << 20  # of one value

_COPIES = "load and store refs: this path has neither copies nor semaphores"
_SLICE = "index the ref instead, as in x_ref[pl.ds(start, size)]"
# primitive -> what to do instead
LACKING: dict[Prim, str] = {
    Prim.ROUND: "floor(x + 0.5) rounds too, halves upwards",
    Prim.ERF: "write it as a polynomial, or take an approximation by tanh",
    Prim.BITCAST: "lax.bitcast_convert_type takes dtypes of one width",
    Prim.PACK_ELEMENTWISE: "shift and combine integers with |",
    Prim.UNPACK_ELEMENTWISE: "shift integers, and mask with &",
    Prim.RECIPROCAL: "divide: 1 / x",
    Prim.REDUCE_PRECISION: "cast to the narrow dtype and back",
    Prim.REDUCE_PROD: "sum logarithms, or loop over the ref",
    Prim.REDUCE_AND: "take the minimum of the values as int32",
    Prim.REDUCE_OR: "take the maximum of the values as int32",
    Prim.CUMPROD: "sum logarithms with cumsum",
    Prim.CUMMAX: "loop over the ref",
    Prim.CUMMIN: "loop over the ref",
    Prim.EXPAND_DIMS: "reshape, or index with None",
    Prim.SLICE: _SLICE,
    Prim.DYNAMIC_SLICE: _SLICE,
    Prim.DYNAMIC_UPDATE_SLICE: "store through an index of the ref instead",
    Prim.PAD: "store to a part of the output ref, or mask the load",
    Prim.REV: "load with an index array that counts down",
    Prim.GATHER: "load from the ref with an index array",
    Prim.SORT: "sort outside of the kernel",
    Prim.TILE: "broadcast and reshape",
    Prim.ROLL: "load from the ref with an index array",
    Prim.CUSTOM_VJP_CALL: "call the function without its rule",
    Prim.RUN_SCOPED: "keep values in loop carries: this path has no scratch",
    Prim.DMA_START: _COPIES,
    Prim.DMA_WAIT: _COPIES,
    Prim.SEMAPHORE_SIGNAL: _COPIES,
    Prim.SEMAPHORE_WAIT: _COPIES,
    Prim.SEMAPHORE_READ: _COPIES,
    Prim.CHECK: "leave checks to interpret mode",
}

_NARROW_FLOATS = ("bfloat16", "float16", "float8_e4m3fn", "float8_e5m2")
# primitive -> dtypes of its first operand that it does not take
REFUSED: dict[Prim, tuple[str, ...]] = {
    Prim.SIGN: ("int4", "uint4", "float8_e4m3fn", "float8_e5m2"),
    Prim.LOGISTIC: _NARROW_FLOATS,
    Prim.ERF_INV: _NARROW_FLOATS,
    Prim.DIV: _NARROW_FLOATS,
    Prim.NEXTAFTER: _NARROW_FLOATS,
    Prim.MAX: ("bool",),
    Prim.MIN: ("bool",),
    Prim.CLAMP: ("bool",),
    Prim.REDUCE_MAX: ("bool",),
    Prim.REDUCE_MIN: ("bool",),
    Prim.ARGMAX: ("bool",),
    Prim.ARGMIN: ("bool",),
}
