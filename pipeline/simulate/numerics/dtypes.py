"""A `DType` row as a NumPy type, and how floats narrower than 32 bits are computed: in f32, rounded after each op."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from ml_dtypes import bfloat16, float8_e4m3b11fnuz, float8_e4m3fn, float8_e5m2, int4, uint4

from pipeline.dtypes import BF16, BOOL, BY_NAME, F8_E4M3B11FNUZ, F8_E4M3FN, F8_E5M2, F32, I4, I16, U4, DType, Kind

Array = Any  # np.ndarray or NumPy scalar; ml_dtypes has no usable stubs

_SPECIAL: dict[DType, Any] = {
    BF16: bfloat16,
    F8_E4M3FN: float8_e4m3fn,
    F8_E5M2: float8_e5m2,
    F8_E4M3B11FNUZ: float8_e4m3b11fnuz,
    I4: int4,
    U4: uint4,
}
# a semaphore is a counter: of bytes for DMA semaphores, so wider than its 32 bits in memory
_TABLE: dict[DType, np.dtype[Any]] = {
    dtype: np.dtype(np.int64 if dtype.is_semaphore else _SPECIAL.get(dtype, dtype.name))
    for dtype in [*BY_NAME.values()]
}

# significand bits, the implicit one included
PRECISION: dict[str, int] = {
    "float64": 53, "float32": 24, "float16": 11, "bfloat16": 8,
    "float8_e4m3fn": 4, "float8_e4m3b11fnuz": 4, "float8_e5m2": 3,
}  # fmt: skip


def numpy_dtype(dtype: DType) -> np.dtype[Any]:
    """The NumPy type that holds one element a `DType`; int4 takes a byte, a semaphore is an int64 counter."""
    return _TABLE[dtype]


def is_narrow(dtype: DType) -> bool:
    """A float that is computed in f32 and rounded back: bf16, f16, fp8."""
    return dtype.is_float and dtype.bits < 32


def widening(dtype: DType) -> Callable[[Array], Array]:
    """Conversion of a narrow float's values to f32. What has eight bits is looked up, which is faster."""
    if dtype.bits != 8:
        return _to_f32
    table = np.arange(256, dtype=np.uint8).view(_TABLE[dtype]).astype(np.float32)
    return lambda x: table.take(np.asarray(x).view(np.uint8))


def _to_f32(x: Array) -> Array:
    return x.astype(np.float32)


def compute_dtype(dtype: DType) -> np.dtype[Any]:
    """What an elementwise op on `dtype` is computed in."""
    return _TABLE[F32] if is_narrow(dtype) else _TABLE[dtype]


def accumulator(dtype: DType) -> np.dtype[Any]:
    """What a reduction over `dtype` adds up in: f32 for narrow floats; integers stay and wrap."""
    return compute_dtype(dtype)


def unit_roundoff(dtype: DType) -> float:
    """Largest relative error of rounding to nearest: 2^-precision. 0 for integers and bools."""
    bits = PRECISION.get(dtype.name)
    return 0.0 if bits is None else 2.0**-bits


def integer_range(dtype: DType) -> tuple[int, int]:
    """Smallest and largest value of an integer dtype or bool."""
    if dtype is BOOL:
        return 0, 1
    if dtype.kind is Kind.UINT:
        return 0, (1 << dtype.bits) - 1
    return -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1


def poison(dtype: DType, variant: int = 0) -> Array:
    """What uninitialised memory and padding hold: NaN for floats.

    Integers and bools have no such value, so the executor runs a kernel twice with different fillings (`variant` 0:
    the type's minimum, the maximum if unsigned; 1: another value) and compares. 2: the type's minimum, as JAX's
    interpret mode has it, but 0 for int16, in which it keeps semaphores.
    """
    if dtype.is_float:
        return numpy_dtype(dtype).type(float("nan"))
    if dtype.is_semaphore:
        return np.int64(0)
    low, high = integer_range(dtype)
    if variant == 2:
        return numpy_dtype(dtype).type(0 if dtype is I16 else low)
    first = high if dtype.kind is not Kind.INT else low
    second = low if dtype.kind is not Kind.INT else high // 3
    return numpy_dtype(dtype).type(second if variant else first)


def arbitrary(dtype: DType, key: str, *, mirrored: bool = False) -> Array:
    """A finite value that depends on `key` alone; mirrored: its opposite, negated or with all bits turned."""
    number = random.Random(key)
    if dtype.is_float:
        value = number.uniform(-8.0, 8.0)
        return numpy_dtype(dtype).type(-value if mirrored else value)
    low, high = integer_range(dtype)
    drawn = number.randint(low, high)
    return numpy_dtype(dtype).type(low + high - drawn if mirrored else drawn)


def literal(value: bool | int | float, dtype: DType) -> Array:
    """A scalar constant as a 0-d array that nobody can write to."""
    array = np.array(value, numpy_dtype(dtype))
    array.flags.writeable = False
    return array
