"""Input data by a counter-based hash, so that it has the same bytes on every machine and NumPy version.

Element i of an operand is a function of the seed, the operand's name and i alone (splitmix64, by Steele, Lea and
Flood, "Fast splittable pseudorandom number generators", 2014); everything up to one final scaling is integer
arithmetic. NumPy's own generators are slower to import and their streams are allowed to change.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeline.dtypes import BOOL, F32, F64
from pipeline.errors import Diagnostic, SpecError
from pipeline.simulate.npy import read_npy
from pipeline.simulate.numerics.dtypes import integer_range, is_narrow, numpy_dtype
from pipeline.spec.spec import Data, Spec, SpecOperand

Array = Any

_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_CHUNK = 1 << 13  # elements hashed at a time: 64 KiB temporaries stay in cache and in malloc's arena; 128 KiB do not
# sum of four uniform 16-bit integers: mean 2 * 65535, variance 4 * (2^32 - 1) / 12
_NORMAL_MEAN = 2 * 65535
_NORMAL_SCALE = 1 / math.sqrt((2**32 - 1) / 3)


def make_data(operand: SpecOperand) -> Array:
    """The values of a scalar prefetch or input operand, in its dtype. SpecError R2xx for what cannot be made."""
    data, shape = operand.data, operand.shape
    dtype = operand.dtype
    size = math.prod(shape)
    match data.kind:
        case "file":
            return read_npy(data, operand)
        case "constant":
            return _cast(np.full(size, data.value, np.float64), operand).reshape(shape)
        case "values":
            return _cast(np.array(data.values, np.float64), operand).reshape(shape)
        case "iota":
            return _cast(_iota(data, size), operand).reshape(shape)
        case "normal" | "uniform" | "integers":
            out = np.empty(size, numpy_dtype(dtype))
            key = _key(data.seed, operand.name)
            for start in range(0, size, _CHUNK):
                hashed = hashed_bits(key, start, min(_CHUNK, size - start))
                out[start : start + _CHUNK] = _cast(_draw(data, hashed, operand), operand)
            return out.reshape(shape)
        case kind:
            raise AssertionError(f"data kind {kind}")


def make_inputs(spec: Spec) -> dict[str, Array]:
    """Values of all scalar prefetch and input operands, by name. All that is wrong with them in one SpecError."""
    made: dict[str, Array] = {}
    found: list[Diagnostic] = []
    for operand in spec.operands:
        if operand.role.value == "output":
            continue
        try:
            made[operand.name] = make_data(operand)
        except SpecError as error:
            found.extend(error.diagnostics)
    if found:
        raise SpecError.of(found)
    return made


def describe(data: Data, operand: SpecOperand) -> str:
    """One line on how an operand's values are made, for the capture."""
    match data.kind:
        case "normal":
            return f"normal, mean {data.mean:g}, std {data.std:g}, seed {data.seed}"
        case "uniform" | "integers":
            low, high = _bounds(data, operand)
            return f"{data.kind}, {low:g} to {high:g}, seed {data.seed}"
        case "iota":
            modulo = "" if data.high is None else f", modulo {data.high:g}"
            return f"iota from {data.low or 0:g}{modulo}"
        case "constant":
            return f"constant {data.value:g}"
        case "values":
            return f"values {', '.join(f'{value:g}' for value in data.values[:16])}{', ..' * (len(data.values) > 16)}"
        case _:
            return f"file {data.file.name if data.file else '?'}"


def _key(seed: int, name: str) -> int:
    """Start of an operand's stream: the seed and its name, so that equal seeds give different operands."""
    state = 0xCBF29CE484222325  # FNV-1a
    for byte in name.encode():
        state = (state ^ byte) * 0x100000001B3 & _MASK
    state ^= seed * _GOLDEN & _MASK
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    state = (state ^ state >> 27) * 0x94D049BB133111EB & _MASK
    return state ^ state >> 31


def hashed_bits(key: int, start: int, count: int) -> Array:
    """Elements start .. start + count of a stream of uniform 64-bit integers."""
    z = np.arange(start + 1, start + count + 1, dtype=np.uint64)
    z *= np.uint64(_GOLDEN)
    z += np.uint64(key)
    work = z >> np.uint64(30)
    z ^= work
    z *= np.uint64(0xBF58476D1CE4E5B9)
    np.right_shift(z, np.uint64(27), out=work)
    z ^= work
    z *= np.uint64(0x94D049BB133111EB)
    np.right_shift(z, np.uint64(31), out=work)
    z ^= work
    return z


def _draw(data: Data, hashed: Array, operand: SpecOperand) -> Array:
    """f64 values out of uniform 64-bit integers."""
    if data.kind == "normal":
        pairs = (hashed & np.uint64(0x0000FFFF0000FFFF)) + (hashed >> np.uint64(16) & np.uint64(0x0000FFFF0000FFFF))
        total = (pairs & np.uint64(0xFFFFFFFF)) + (pairs >> np.uint64(32))
        centred = total.astype(np.float64)
        centred -= _NORMAL_MEAN
        centred *= _NORMAL_SCALE * data.std
        centred += data.mean
        return centred
    low, high = _bounds(data, operand)
    if data.kind == "uniform":
        unit = (hashed >> np.uint64(11)).astype(np.float64)
        unit *= 2.0**-53 * (high - low)
        unit += low
        return unit
    span = max(1, int(high) - int(low))
    if span > 1 << 32:
        raise SpecError("R203", f"integers from {low:g} to {high:g} span more than 2^32 values", data.span,
                        hint="narrow low and high")  # fmt: skip
    return ((hashed >> np.uint64(32)) * np.uint64(span) >> np.uint64(32)).astype(np.int64) + int(low)


def _bounds(data: Data, operand: SpecOperand) -> tuple[float, float]:
    """low and high, by default 0 to 1, for integers 0 to 2 for bools and 0 to 10 otherwise (as far as they fit)."""
    low = 0.0 if data.low is None else data.low
    if data.high is not None:
        return low, data.high
    if data.kind == "uniform":
        return low, low + 1
    return low, low + (2 if operand.dtype is BOOL else 7 if operand.dtype.bits < 8 else 10)


def _iota(data: Data, size: int) -> Array:
    values = np.arange(size, dtype=np.float64)
    values += data.low or 0
    return values if data.high is None else np.mod(values, data.high)


def _cast(values: Array, operand: SpecOperand) -> Array:
    """Round to nearest in the operand's dtype; integers saturate."""
    dtype = operand.dtype
    to = numpy_dtype(dtype)
    if dtype is BOOL:
        return values > 0
    if dtype.is_float:
        if values.dtype == np.float64 and dtype in (F32, F64):
            return values.astype(to)
        return values.astype(np.float32).astype(to) if is_narrow(dtype) else values.astype(to)
    low, high = integer_range(dtype)
    if values.dtype == np.float64:
        values = np.rint(values)
    return np.clip(values, low, high).astype(np.int64 if low < 0 or dtype.bits < 64 else np.uint64).astype(to)
