"""Which elements of a buffer an equation names, and which of them two equations have in common."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.lib.stride_tricks import as_strided

Array = Any
Region = tuple[tuple[int, int], ...]


class Finds(Protocol):
    """What finds an equation's elements in an array of a ref's shape (`numerics.memory.Access`)."""

    def view(self, data: Array, inputs: Any, *, quiet: bool = False) -> Array: ...

    def store(self, data: Array, inputs: Any, value: Array, *, quiet: bool = False) -> None: ...


class Place:
    """The elements of `data` that an equation names: `view` is what it sees of them. That is no view of `data` where
    an array of indices picks them or they are seen through a bitcast to another width; then `finds` loads and stores.

    mask: of the view's shape, if only part of it is used. room: the shape of what `finds` looks in, if larger.
    start: the first index along each axis, where that is known of a view that steps forward.
    """

    __slots__ = ("_bytes", "data", "finds", "inputs", "is_view", "mask", "room", "start", "view")

    def __init__(
        self, finds: Finds, data: Array, inputs: Any, view: Array, mask: Array | None = None,
        room: tuple[int, ...] | None = None, start: tuple[int, ...] | None = None,
    ) -> None:  # fmt: skip
        self.finds, self.data, self.inputs, self.view, self.mask, self.room = finds, data, inputs, view, mask, room
        self.start = start
        self.is_view = start is not None or (
            isinstance(view, np.ndarray) and bool(view.size) and np.may_share_memory(view, data)
        )
        self._bytes: Array | None = None

    def load(self) -> Array:
        """What the elements hold now."""
        return self.view if self.is_view else self.finds.view(self.data, self.inputs, quiet=True)

    def store(self, value: Array) -> None:
        """Write to the elements."""
        if self.is_view:
            self.view[...] = value
        else:
            self.finds.store(self.data, self.inputs, value, quiet=True)

    def bytes(self) -> Array:
        """For each byte of each element of `data`, as a last axis, whether it belongs to the place."""
        if self._bytes is None:
            self._bytes = self._found_bytes()
        return self._bytes

    def _found_bytes(self) -> Array:
        data = self.data
        if self.is_view and self.mask is None and _inside(self.view, data):
            return np.broadcast_to(_flags(self.view, data)[..., None], (*data.shape, data.itemsize))
        room = np.zeros(data.shape if self.room is None else self.room, data.dtype)
        seen = np.array(self.finds.view(room, self.inputs, quiet=True))
        bits = seen.view(np.uint8).reshape(*seen.shape, seen.itemsize)
        bits[...] = 255 if self.mask is None else np.where(self.mask, np.uint8(255), np.uint8(0))[..., None]
        self.finds.store(room, self.inputs, seen, quiet=True)
        room = np.ascontiguousarray(room[tuple(slice(n) for n in data.shape)]).reshape(data.shape)
        return room.view(np.uint8).reshape(*data.shape, data.itemsize) != 0


def shared(a: Place, b: Place) -> Region | None:
    """The bounds of the elements that two places share, where their arrays have one shape and the same position in it
    counts as the same element; None if there are none."""
    if a.is_view and b.is_view and a.mask is None and b.mask is None:
        return common(a.view, a.data, b.view, b.data)
    return _bounds((a.bytes() & b.bytes()).any(-1))


def common(a: Array, a_base: Array, b: Array, b_base: Array) -> Region | None:
    """The bounds of what view `a` of `a_base` and view `b` of `b_base` share, where both bases have one shape and the
    same place in it counts as the same element. None if that is nothing, or a view is none: a copy."""
    for view, base in ((a, a_base), (b, b_base)):
        if not isinstance(view, np.ndarray) or view.size == 0 or not _inside(view, base):
            return None
    return _bounds(_flags(a, a_base) & _flags(b, b_base))


def _bounds(flags: Array) -> Region | None:
    at = np.argwhere(flags)
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
