"""The bits of arrays as another dtype, and what a bitcast of a ref makes of notes about its elements: marks of what was
written, the step that wrote each.

A note is kept for each element of the ref itself. One seen through a narrower dtype goes for all parts of the element,
and one set there for the whole of it: half of an element that is written counts as all of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeline.dtypes import DType, Kind
from pipeline.simulate.numerics.dtypes import numpy_dtype

Array = Any


def bitcast_rows(x: Array, source: DType, target: DType) -> Array:
    """Reinterpret bits along the second-minor axis: a 32-bit row is 2 rows of 16 bits, low bits first. A view of `x`
    where both have one width."""
    if source.bits == target.bits:
        return x.view(numpy_dtype(target))
    *outer, rows, lanes = x.shape
    if source.bits > target.bits:
        ratio = source.bits // target.bits
        parts = np.moveaxis(narrowed(x, source, target), -1, -2)
        return parts.reshape(*outer, rows * ratio, lanes)
    ratio = target.bits // source.bits
    return widened(np.moveaxis(x.reshape(*outer, rows // ratio, ratio, lanes), -2, -1), source, target)


def narrowed(x: Array, source: DType, target: DType) -> Array:
    """Each element as several of a narrower dtype, low bits first, along a new last axis."""
    x = np.ascontiguousarray(x).reshape(x.shape)
    bits = x.view(np.uint8).reshape(*x.shape, -1)
    if target.bits >= 8:
        return bits.view(numpy_dtype(target))
    halves = np.stack((bits & 15, bits >> 4), -1).reshape(*x.shape, source.bits // 4)
    if target.kind is Kind.INT:
        return ((halves ^ 8).astype(np.int8) - 8).astype(numpy_dtype(target))
    return halves.astype(numpy_dtype(target))


def widened(x: Array, source: DType, target: DType) -> Array:
    """Inverse of `narrowed`: the last axis goes into the elements."""
    x = np.ascontiguousarray(x)
    outer = x.shape[:-1]
    if source.bits < 8:
        halves = x.astype(np.int8).astype(np.uint8) & 15
        x = halves[..., 0::2] | halves[..., 1::2] << 4
    return np.ascontiguousarray(x).view(numpy_dtype(target)).reshape(outer)


class NoteBitcast:
    """Along the second-minor axis, as `bitcast_rows`: from elements of `have` bits to some of `want` bits."""

    def __init__(self, have: int, want: int) -> None:
        self.have = have
        self.want = want

    def load(self, data: Array, inputs: Any, quiet: bool) -> Array:
        """Of several elements in one: the latest step; written if all of them are."""
        if self.have >= self.want:
            return data if self.have == self.want else np.repeat(data, self.have // self.want, -2)
        parts = _grouped(data, self.want // self.have)
        return parts.all(-2) if data.dtype == bool else parts.max(-2)

    def store_back(self, data: Array, inner: Array) -> None:
        """Only what was changed in `inner` is put back."""
        changed = inner != self.load(data, (), True)
        if self.have < self.want:
            ratio = self.want // self.have
            data[...] = np.where(np.repeat(changed, ratio, -2), np.repeat(inner, ratio, -2), data)
            return
        ratio = self.have // self.want
        parts, which = _grouped(inner, ratio), _grouped(changed, ratio)
        first = np.expand_dims(which.argmax(-2), -2)
        data[...] = np.where(which.any(-2), np.take_along_axis(parts, first, -2).squeeze(-2), data)


def _grouped(data: Array, ratio: int) -> Array:
    *outer, rows, lanes = data.shape
    return data.reshape(*outer, rows // ratio, ratio, lanes)
