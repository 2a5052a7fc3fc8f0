"""Which elements of a buffer two views of it have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

Array = Any
Region = tuple[tuple[int, int], ...]


def common(a: Array, a_base: Array, b: Array, b_base: Array) -> Region | None:
    """The bounds of what view `a` of `a_base` and view `b` of `b_base` share, where both bases have one shape and the
    same place in it counts as the same element. None if that is nothing, or a view is none: a copy."""
    for view, base in ((a, a_base), (b, b_base)):
        if not isinstance(view, np.ndarray) or view.size == 0 or not _inside(view, base):
            return None
    at = np.argwhere(_flags(a, a_base) & _flags(b, b_base))
    if not len(at):
        return None
    return tuple((int(low), int(high) + 1) for low, high in zip(at.min(axis=0), at.max(axis=0), strict=True))


def _inside(view: Array, base: Array) -> bool:
    first, last = (_address(view) - _address(base)), _reach(base) - _reach(view)
    return view.itemsize == base.itemsize and min(view.strides, default=0) >= 0 and 0 <= first <= last


def _reach(array: Array) -> int:
    """Bytes from the first element of an array to its last."""
    return int(sum((n - 1) * stride for n, stride in zip(array.shape, array.strides, strict=True)))


def _flags(view: Array, base: Array) -> Array:
    """For each element of `base` whether it is in `view`."""
    item = base.itemsize
    flat = np.zeros(_reach(base) // item + 1, bool)
    first = (_address(view) - _address(base)) // item
    as_strided(flat[first:], view.shape, tuple(s // item for s in view.strides))[...] = True
    return as_strided(flat, base.shape, tuple(s // item for s in base.strides))


def _address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


def region_text(region: Region) -> str:
    """ "[3, 0:128]"; "" for a scalar."""
    return f"[{', '.join(str(a) if b == a + 1 else f'{a}:{b}' for a, b in region)}]" if region else ""
