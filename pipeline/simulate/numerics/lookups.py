"""Single positions of a ref as JAX looks them up: an indexer with integer arrays, or with strides from a traced start.

There every position wraps, if negative, by itself; one that is out of range all the same reads the nearest element, and
stores nothing. Used in the lenient mode, and only where a position is out of range; `add` in every mode, since an
element that is named several times is added to each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

Array = Any
Entry = Any  # a slice, an int, an array of positions; a list of them for a slice that goes out of range


def is_lookup(starts: Sequence[tuple[bool, bool, int]]) -> bool:
    """Whether an indexer is looked up, by axis: if it is an array of positions, a slice of traced start; its stride."""
    strided = any(stride != 1 for _, _, stride in starts)
    return any(array or (traced and strided) for array, traced, _ in starts)


def load(data: Array, entries: Sequence[Entry]) -> Array:
    """The elements; those out of range are the nearest ones."""
    found = [_placed(n, entry) for n, entry in zip(data.shape, entries, strict=True)]
    index: list[Any] = []
    for axis, (n, entry) in enumerate(zip(data.shape, found, strict=True)):
        if isinstance(entry, list):
            data = np.take(data, np.clip(entry, 0, n - 1), axis)
            entry = slice(None)
        elif not isinstance(entry, slice):
            entry = np.clip(entry, 0, n - 1)
        index.append(entry)
    return data[tuple(index)]


def store(data: Array, entries: Sequence[Entry], value: Array) -> None:
    """Write `value` to those of the elements that are in range."""
    room = np.zeros([n + 1 for n in data.shape], data.dtype)  # what is out of range goes one past the end
    inside = tuple(slice(n) for n in data.shape)
    room[inside] = data
    index: list[Any] = []
    spread: list[tuple[int, Array]] = []
    for axis, (n, entry) in enumerate(zip(data.shape, entries, strict=True)):
        entry = _placed(n, entry)
        if not isinstance(entry, slice):
            places = np.asarray(entry)
            places = np.where((places < 0) | (places >= n), n, places)
            if isinstance(entry, list):
                spread.append((axis, places))
                entry = slice(None)
            else:
                entry = places if places.ndim else int(places)
        index.append(entry)
    _assign(room, spread, tuple(index), value)
    data[...] = room[inside]


def numbers(shape: tuple[int, ...], entries: Sequence[Entry]) -> Array:
    """The elements' numbers in an array of that shape, flattened; -1 for those out of range."""
    room = np.full([n + 1 for n in shape], -1)
    room[tuple(slice(n) for n in shape)] = np.arange(prod(shape)).reshape(shape)
    inside: list[Entry] = []
    for n, entry in zip(shape, entries, strict=True):
        entry = _placed(n, entry)
        if not isinstance(entry, slice):
            places = np.asarray(entry)
            places = np.where((places < 0) | (places >= n), n, places)
            entry = places.tolist() if isinstance(entry, list) else places
        inside.append(entry)
    return load(room, inside)


def add(data: Array, numbers: Array, value: Array, plus: Callable[[Array, Array], Array]) -> None:
    """Add `value`, one element after the other, to the elements of `data` that have these numbers."""
    flat, values = np.reshape(numbers, -1), np.reshape(value, -1)
    order = np.argsort(flat, kind="stable")
    order = order[flat[order] >= 0]
    found = flat[order]
    first = np.flatnonzero(np.diff(found, prepend=-1))  # where a run of equal numbers starts
    length = np.diff(first, append=len(found))
    turn = np.arange(len(found)) - np.repeat(first, length)
    by_turn = order[np.argsort(turn, kind="stable")]
    for now in np.split(by_turn, np.cumsum(np.bincount(turn))[:-1]):
        at = np.unravel_index(flat[now], data.shape)
        data[at] = plus(data[at], values[now])


def _assign(room: Array, spread: Sequence[tuple[int, Array]], index: tuple[Any, ...], value: Array) -> None:
    if not spread:
        room[index] = value
        return
    (axis, places), *rest = spread
    at = (*(slice(None),) * axis, places)
    part = room[at]
    _assign(part, rest, index, value)
    room[at] = part


def _placed(n: int, entry: Entry) -> Entry:
    """Negative positions counted from the end."""
    if isinstance(entry, slice):
        return entry
    found = np.asarray(entry)
    wrapped = np.where(found < 0, found + n, found)
    return [int(i) for i in wrapped] if isinstance(entry, list) else wrapped
