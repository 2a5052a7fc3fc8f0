"""erf and its inverse, which NumPy lacks: from a table of the standard library's `math.erf`, no constants copied."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any

_PER_UNIT = 128
_END = 6.0  # erf(6) rounds to 1 in f64
_TABLE: list[Array] = []
_NARROW: list[Array] = []  # the same in f32
_PART = 1 << 13  # elements that stay in cache


def _table() -> tuple[Array, Array]:
    """Nodes' erf and erf' = 2/sqrt(pi) exp(-x^2), on [0, _END]; made on first use."""
    if not _TABLE:
        nodes = [i / _PER_UNIT for i in range(int(_END * _PER_UNIT) + 2)]
        _TABLE.append(np.array([math.erf(x) for x in nodes]))
        _TABLE.append(np.array([2 / math.sqrt(math.pi) * math.exp(-x * x) for x in nodes]))
    return _TABLE[0], _TABLE[1]


def _erf64(x: Array) -> Array:
    values, slopes = _table()
    size = np.minimum(np.abs(x), _END)
    size = np.where(np.isnan(size), 0.0, size)
    node = np.rint(size * _PER_UNIT).astype(np.intp)
    at = node / _PER_UNIT
    d = size - at
    # Taylor series at the node to d^5, |d| <= 1/256: each derivative of erf' is a Hermite polynomial times it
    a = at * at
    series = 1 + d * (-at + d * ((2 * a - 1) / 3 + d * (at * (3 - 2 * a) / 6 + d * (4 * a * a - 12 * a + 3) / 30)))
    result = values[node] + slopes[node] * d * series
    return np.where(np.isnan(x), x, np.copysign(np.minimum(result, 1.0), x))


def _narrow_table() -> tuple[Array, Array]:
    if not _NARROW:
        _NARROW.extend(part.astype(np.float32) for part in _table())
    return _NARROW[0], _NARROW[1]


def _erf32(x: Array) -> Array:
    """The same in f32, to d^3: some 2^-33 of the result are left out. Node and distance are exact."""
    values, slopes = _narrow_table()
    size = np.abs(x)
    np.minimum(size, np.float32(_END), out=size)
    at = size * np.float32(_PER_UNIT)
    np.rint(at, out=at)
    node = at.astype(np.intp)
    at *= np.float32(1 / _PER_UNIT)
    d = np.subtract(size, at, out=size)
    series = at * at
    series *= np.float32(2 / 3)
    series -= np.float32(1 / 3)
    series *= d
    series -= at
    series *= d
    series += np.float32(1)
    series *= d
    series *= slopes.take(node, mode="clip")  # a NaN has no node
    series += values.take(node, mode="clip")
    np.minimum(series, np.float32(1), out=series)
    return np.copysign(series, x, out=series)


def erf(x: Array) -> Array:
    """erf: for f32 with an error below 2.5 units in the last place, else in f64 with one below 1e-13."""
    if x.dtype != np.float32 or not x.ndim:
        return _in_parts(_erf64, x)
    if x.size <= _PART:
        return _erf32(x)
    flat = np.reshape(x, -1)
    out = np.empty_like(flat)
    for start in range(0, flat.size, _PART):
        part = slice(start, start + _PART)
        out[part] = _erf32(flat[part])
    return out.reshape(x.shape)


def _in_parts(function: Callable[[Array], Array], x: Array) -> Array:
    """`function` of x in f64, rounded to x's dtype; some elements at a time, since it makes a dozen arrays of them."""
    if x.size <= _PART:
        return function(np.asarray(x, np.float64)).astype(x.dtype)
    flat = np.reshape(x, -1)
    out = np.empty_like(flat)
    for start in range(0, flat.size, _PART):
        part = slice(start, start + _PART)
        out[part] = function(flat[part].astype(np.float64))
    return out.reshape(x.shape)


def erf_inv(x: Array) -> Array:
    """Inverse of erf: Newton steps on `_erf64` from a logarithmic first guess; relative error below 1e-6 in f32."""
    return _in_parts(_erf_inv64, x)


def _erf_inv64(y: Array) -> Array:
    inside = np.abs(y) < 1
    safe = np.where(inside, y, 0.0)
    # first guess: erf(z)^2 is close to 1 - exp(-z^2 (4/pi + a z^2) / (1 + a z^2)), solved for z
    a = 8 * (math.pi - 3) / (3 * math.pi * (4 - math.pi))
    log = np.log1p(-safe * safe)
    t = 2 / (math.pi * a) + log / 2
    z = np.copysign(np.sqrt(np.maximum(np.sqrt(t * t - log / a) - t, 0.0)), safe)
    for _ in range(3):
        step = (_erf64(z) - safe) / (2 / math.sqrt(math.pi) * np.exp(-z * z))
        z = z - step / (1 + z * step)  # Halley's correction
    edge = np.where(np.abs(y) == 1, np.copysign(np.inf, y), np.nan)
    return np.where(inside, z, edge)
