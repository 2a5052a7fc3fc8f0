"""Which step wrote each element of an array, and which steps read it: memory beside an array that several steps share.

Regions are exact to the element. A ref that is only ever written whole takes one number; an array that is written by
slices takes 4 bytes for each of its elements, or 12 where readers count, and is left out past MAX_ELEMENTS.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pipeline.simulate.numerics.memory import Access

Array = Any
MAX_ELEMENTS = 1 << 24  # of one array that is watched: 200 MB
_NOBODY = -1


class Part(NamedTuple):
    """Some elements of an array: `view` gives them of any array of its shape, `store` sets them."""

    view: Callable[[Array], Array]
    store: Callable[[Array, Any], None]
    whole: bool = False


class Conflict(NamedTuple):
    """Elements that two steps touch: the bounding region, how many, and the other step, the first if there are many."""

    region: tuple[tuple[int, int], ...]
    elements: int
    step: int
    wrote: bool  # the other step wrote; else it read


def part_of_region(region: tuple[slice, ...]) -> Part:
    """A block of an array."""

    def store(array: Array, value: Any) -> None:
        array[region] = value

    return Part(lambda array: array[region], store)


def part_of_access(access: Access, inputs: tuple[Any, ...], mask: Array | None = None) -> Part:
    """What an equation takes of a ref; with a mask, only where it is set."""
    if mask is None:
        return Part(
            lambda array: access.view(array, inputs, quiet=True),
            lambda array, value: access.store(array, inputs, value, quiet=True),
            access.whole,
        )

    def view(array: Array) -> Array:
        return access.view(array, inputs, quiet=True)[mask]

    def store(array: Array, value: Any) -> None:
        old = access.view(array, inputs, quiet=True)
        filled = np.array(old)
        filled[mask] = value
        access.store(array, inputs, filled, quiet=True)

    return Part(view, store)


class Shadow:
    """One watched array. `task_of` gives the task of each step; the steps of one task are in order."""

    __slots__ = ("_last", "_readers", "_writer", "shape", "task_of")

    def __init__(self, shape: tuple[int, ...], task_of: Array) -> None:
        self.shape = shape
        self.task_of = task_of
        self._last = _NOBODY  # the step that last wrote the whole; valid while `_writer` is None
        self._writer: Array | None = None
        self._readers: tuple[Array, Array] | None = None

    def write(self, part: Part, step: int) -> None:
        """Note that `step` writes these elements."""
        if part.whole:
            self._last, self._writer = step, None
        else:
            part.store(self._writers(), step)

    def read(self, part: Part, step: int) -> None:
        """Note that `step` reads these elements: the first reader, and the first of another task."""
        if self._readers is None:
            self._readers = self._nobody(), self._nobody()
        first, second = self._readers
        seen = part.view(first)
        new = seen == _NOBODY
        if new.any():
            part.store(first, np.where(new, step, seen))
        other = ~new & (self.task_of[seen] != self.task_of[step])
        if other.any():
            known = part.view(second)
            part.store(second, np.where(other & (known == _NOBODY), step, known))

    def written_elsewhere(self, part: Part, step: int) -> Conflict | None:
        """Those of the elements that a step of another task wrote last."""
        if self._writer is None:
            if self._last == _NOBODY or self.task_of[self._last] == self.task_of[step]:
                return None
            return self._conflict(part, np.full(np.shape(part.view(self._writers())), self._last), step, True)
        return self._conflict(part, part.view(self._writer), step, True)

    def read_elsewhere(self, part: Part, step: int) -> Conflict | None:
        """Those of the elements that a step of another task read."""
        for readers in self._readers or ():
            found = self._conflict(part, part.view(readers), step, False)
            if found is not None:
                return found
        return None

    def written(self, part: Part, step: int, but: int | None = None) -> Conflict | None:
        """Those of the elements that any step wrote, other than `but`."""
        if self._writer is None and self._last == _NOBODY:
            return None
        steps = part.view(self._writers())
        return self._describe(part, steps, (steps != _NOBODY) & (steps != (_NOBODY if but is None else but)), True)

    def _conflict(self, part: Part, steps: Array, step: int, wrote: bool) -> Conflict | None:
        mask = (steps != _NOBODY) & (self.task_of[steps] != self.task_of[step])
        return self._describe(part, steps, mask, wrote)

    def _describe(self, part: Part, steps: Array, mask: Array, wrote: bool) -> Conflict | None:
        if not np.any(mask):
            return None
        step = int(np.asarray(steps)[mask].flat[0])
        mask = mask & (steps == step)
        size = int(np.prod(self.shape, dtype=np.int64))
        ids = np.asarray(part.view(np.arange(size).reshape(self.shape)))[mask]
        at = np.unravel_index(np.unique(ids), self.shape) if self.shape else ()
        region = tuple((int(axis.min()), int(axis.max()) + 1) for axis in at)
        return Conflict(region, len(np.unique(ids)), step, wrote)

    def _writers(self) -> Array:
        if self._writer is None:
            self._writer = np.full(self.shape, self._last, np.int32)
        return self._writer

    def _nobody(self) -> Array:
        return np.full(self.shape, _NOBODY, np.int32)
