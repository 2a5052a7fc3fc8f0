"""A bitcast of a ref as notes about its elements see it: marks of what was written, the step that wrote each.

A note is kept for each element of the ref itself. One seen through a narrower dtype goes for all parts of the element,
and one set there for the whole of it: half of an element that is written counts as all of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


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
