"""NumPy rules: conversions between dtypes. A float becomes an integer by truncation, saturating, NaN as 0."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pipeline.dtypes import BOOL, F32, DType
from pipeline.ir.jaxpr import Eqn, Prim
from pipeline.simulate.numerics.bitcasts import narrowed, widened
from pipeline.simulate.numerics.dtypes import PRECISION, integer_range, is_narrow, numpy_dtype, widening
from pipeline.simulate.numerics.elementwise import in_dtype, out_aval
from pipeline.simulate.numerics.rules import Compile, Rules, Step
from pipeline.simulate.numerics.rules import Value as Array

_F32 = np.dtype(np.float32)


def convert(source: DType, target: DType) -> Callable[[Array], Array]:
    """Conversion of values from one dtype to another, as a function."""
    to = numpy_dtype(target)
    if source is target:
        return lambda x: x
    if target is BOOL:
        return lambda x: np.not_equal(x.astype(_F32) if is_narrow(source) else x, 0)
    if source.is_float and target.is_integer:
        low, high = integer_range(target)
        if target.bits <= 32:
            fits = target.bits >= 8

            def saturate(x: Array) -> Array:
                x = x.astype(_F32) if is_narrow(source) else x
                if fits and x.size and x.min() >= low and x.max() < high + 1:
                    return x.astype(to)  # a NaN is no smaller and no larger
                wide = np.clip(np.trunc(x.astype(np.float64)), low, high)
                return np.where(np.isnan(wide), 0, wide).astype(np.int64).astype(to)

            return saturate

        def saturate_wide(x: Array) -> Array:
            wide = np.trunc(x.astype(np.float64))
            inside = (wide > low) & (wide < high)
            clipped = np.where(inside, wide, 0).astype(to)
            return np.where(inside | np.isnan(wide), clipped, np.where(wide > 0, to.type(high), to.type(low)))

        return saturate_wide
    if is_narrow(target) and not source.is_float:
        return lambda x: x.astype(_F32).astype(to)
    if is_narrow(source) and target is F32:
        return widening(source)
    if is_narrow(source) and is_narrow(target):
        return lambda x: x.astype(_F32).astype(to)
    if source.bits < 8 and source.is_integer and target.is_integer:
        return lambda x: x.astype(np.int8).astype(to)
    if target.bits < 8 and target.is_integer:
        return lambda x: x.astype(np.int8).astype(to)
    return lambda x: x.astype(to)


def eval_convert(eqn: Eqn, compile: Compile) -> Step:
    source, out = in_dtype(eqn), out_aval(eqn)
    if out.shape == () and source is BOOL and out.dtype.bits >= 8 and not is_narrow(out.dtype):
        to: Step = numpy_dtype(out.dtype).type
        return to
    return convert(source, out.dtype)


def eval_reduce_precision(eqn: Eqn, compile: Compile) -> Step:
    """Round to the given exponent and mantissa bits, as XLA does it with the bits of x: fewer bits of mantissa, then,
    of fewer bits of exponent, overflow to inf and subnormals flushed to zero."""
    exponent, mantissa = eqn.param("exponent_bits"), eqn.param("mantissa_bits")
    assert isinstance(exponent, int) and isinstance(mantissa, int)
    dtype = out_aval(eqn).dtype
    own, unsigned = numpy_dtype(dtype), np.dtype(f"u{dtype.bits // 8}")
    width = PRECISION[dtype.name] - 1
    bias, fewer = (1 << (exponent - 1)) - 1, exponent < dtype.bits - 1 - width
    drop = max(0, width - mantissa)
    largest = np.ldexp(2.0 - 2.0**-mantissa, bias)
    smallest = np.ldexp(1.0, 1 - bias)

    def reduce(x: Array) -> Array:
        x = np.ascontiguousarray(x).reshape(np.shape(x))
        wide = x.astype(np.float64)
        rounded = wide
        if drop:
            bits = x.view(unsigned)
            half = unsigned.type((1 << (drop - 1)) - 1)
            up = half + ((bits >> unsigned.type(drop)) & unsigned.type(1))
            bits = (bits + up) & ~unsigned.type((1 << drop) - 1)
            rounded = bits.view(own).astype(np.float64)
        if fewer:
            size = np.abs(rounded)
            rounded = np.where(size > largest, np.copysign(np.inf, wide), rounded)
            rounded = np.where(size < smallest, np.copysign(0.0, wide), rounded)
        return np.where(np.isfinite(wide), rounded, wide).astype(own)

    return reduce


def eval_bitcast_convert_type(eqn: Eqn, compile: Compile) -> Step:
    """Same bits, new dtype; a change of width adds or drops a trailing axis."""
    source, target, shape = in_dtype(eqn), out_aval(eqn).dtype, out_aval(eqn).shape
    if source.bits == target.bits:
        to = numpy_dtype(target)
        return lambda x: np.ascontiguousarray(x).reshape(-1).view(to).reshape(shape)
    change = narrowed if source.bits > target.bits else widened
    return lambda x: change(np.asarray(x), source, target)


def eval_pack_elementwise(eqn: Eqn, compile: Compile) -> Step:
    """Narrow elements side by side in a word, the first lowest; integers lose the bits that do not fit."""
    narrow = eqn.param("packed_dtype")
    assert isinstance(narrow, DType)
    word = numpy_dtype(out_aval(eqn).dtype)
    bits, held = narrow.bits, word.type((1 << narrow.bits) - 1)
    to_bf16 = convert(in_dtype(eqn), narrow) if narrow.is_float else None

    def pack(*parts: Array) -> Array:
        total = np.zeros(np.shape(parts[0]), word)
        for place, part in enumerate(parts):
            raw = part.astype(word) & held if to_bf16 is None else to_bf16(part).view(np.uint16).astype(word)
            total |= raw << word.type(place * bits)
        return total

    return pack


def eval_unpack_elementwise(eqn: Eqn, compile: Compile) -> Step:
    """The element at one place of each word; integers are extended by their sign, unsigned ones too."""
    narrow, wide, index = eqn.param("packed_dtype"), out_aval(eqn).dtype, eqn.param("index")
    assert isinstance(narrow, DType) and isinstance(index, int)
    word, result = np.dtype(f"u{wide.bits // 8}"), numpy_dtype(wide)
    up = word.type(wide.bits - (index + 1) * narrow.bits)
    if narrow.is_float:
        low = word.type((1 << wide.bits) - (1 << narrow.bits))  # a bfloat16 is the upper half of a float32
        return lambda x: ((x.view(word) << up) & low).view(result)
    signed, down = np.dtype(f"i{wide.bits // 8}"), wide.bits - narrow.bits
    return lambda x: ((x.view(word) << up).view(signed) >> signed.type(down)).view(result)


RULES: Rules = {
    Prim.CONVERT_ELEMENT_TYPE: eval_convert,
    Prim.REDUCE_PRECISION: eval_reduce_precision,
    Prim.BITCAST_CONVERT_TYPE: eval_bitcast_convert_type,
    Prim.PACK_ELEMENTWISE: eval_pack_elementwise,
    Prim.UNPACK_ELEMENTWISE: eval_unpack_elementwise,
}
