"""An operand's block in fast memory during a functional run: brought in, padded, marked, written back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.ir.call import BlockDim, Blocked, Element, Operand, Role, Squeezed
from pipeline.simulate.machine import Buffer, Machine
from pipeline.simulate.numerics.dtypes import numpy_dtype

Array = Any
HELD_PLACES = 1 << 16  # block indices of so many steps are held


@dataclass(frozen=True, slots=True)
class Partial:
    """An input's first block that runs past its array: elements `first` to `last` of `extent` along `axis`."""

    name: str
    step: str
    axis: int
    first: int
    last: int
    extent: int


class Window:
    """An operand's block in fast memory. In range it is a view of the array; a partial block is a buffer of its own, as
    is an output's in a run on several cores."""

    def __init__(self, machine: Machine, operand: Operand, buffer: Buffer, copied: bool, kept: bool) -> None:
        assert operand.block is not None
        self.machine = machine
        self.operand = operand
        self.buffer = buffer
        self.array: Array = None
        self.marks: Array | None = None
        self.copied = copied
        self.kept = kept
        self.is_output = operand.role is Role.OUTPUT
        self.dims: tuple[BlockDim, ...] = operand.block
        self.sizes = tuple(1 if isinstance(d, Squeezed) else d.size for d in self.dims)
        self.squeezed = tuple(i for i, d in enumerate(self.dims) if isinstance(d, Squeezed))
        self.kept_axes = tuple(0 if isinstance(d, Squeezed) else slice(None) for d in self.dims)
        self.place: tuple[int, ...] | None = None
        self.region: tuple[slice, ...] = ()
        self.inner: tuple[slice, ...] | None = None  # the part of a partial block that is in the array
        self.visited: set[tuple[int, ...]] = set()
        self.parts: list[dict[int, tuple[slice, slice, bool]]] = [{} for _ in self.dims]
        self.partial: Partial | None = None
        self.poisoned_integers = False
        self.revisited = False
        self.known: dict[tuple[int, ...], tuple[tuple[slice, ...], tuple[slice, ...] | None]] = {}
        self.private = False  # an output's block is a buffer of its own always, as several cores each have one

    def start(self, array: Array, marks: Array | None) -> None:
        """Get ready for a run over `array`; an output's `marks` say what of it was written."""
        self.array, self.marks = array, marks
        self.place = None
        self.value: Array = None  # what nobody wrote holds
        self.visited = set()
        self.all_covered: Array | None = None  # what `covered` will be, where that is known
        self.partial = None
        self.poisoned_integers = self.revisited = False

    def move(self, place: tuple[int, ...]) -> None:
        """Leave the current block and bring in the one at `place`."""
        if self.machine.copies and self.place is not None:
            self.machine.check_move(self.buffer)
        if self.is_output:
            self.leave()
        self.place = place
        found = self.known.get(place)
        if found is None:
            found = self._find(place)
            if len(self.known) < HELD_PLACES:
                self.known[place] = found
        self.region, self.inner = found
        if self.inner is None and not self.copied and not self.is_output:
            self.buffer.data = self._squeeze(self.array[self.region])
            return
        first = place not in self.visited
        if self.is_output:
            self.revisited |= not first
            self.visited.add(place)
        view = self.array[self.region]
        buffer = self.buffer
        dtype = buffer.dtype
        if self.inner is not None:
            self.partial = self.partial or self._describe_partial()
        elif self.private and self.is_output:
            self.inner = tuple(slice(size) for size in self.sizes)
        if self.inner is not None:
            self.poisoned_integers |= not dtype.is_float
            if self.is_output and self.marks is None:
                block = np.empty(self.sizes, numpy_dtype(dtype))
            else:
                block = np.full(self.sizes, self._unwritten(), numpy_dtype(dtype))
            if not self.is_output or self.kept:
                block[self.inner] = view
            buffer.data = block.reshape(self.operand.ref.shape)
        else:
            if self.marks is not None and not first and not self.kept:
                view[...] = self._unwritten()
            buffer.data = self._squeeze(view.copy() if self.copied else view)
        if self.marks is not None:
            if not first:
                self.marks[self.region] = False
            if self.inner is not None:
                buffer.written = np.zeros(self.sizes, bool).reshape(self.operand.ref.shape)
            else:
                buffer.written = self._squeeze(self.marks[self.region])
            buffer.whole = False

    def _unwritten(self) -> Array:
        if self.value is None:
            buffer = self.buffer
            self.value = self.machine.filling.value(buffer.dtype, buffer.name, padding=not self.is_output)
        return self.value

    def note_partial(self, place: tuple[int, ...]) -> None:
        """Note a partial block that somebody else brings in."""
        self.region, self.inner = self._find(place)
        self.partial = self._describe_partial()

    def _describe_partial(self) -> Partial:
        assert self.inner is not None
        cut = zip(self.inner, self.sizes, strict=True)
        axis = next(i for i, (part, size) in enumerate(cut) if part.stop - part.start != size)
        first = self.region[axis].start - self.inner[axis].start
        return Partial(
            self.operand.name, self.machine.place(), axis, first, first + self.sizes[axis] - 1, self.array.shape[axis]
        )

    def leave(self) -> None:
        """Write an output block back, with its marks."""
        if self.place is None or not self.is_output:
            return
        buffer = self.buffer
        if self.inner is not None:
            self.array[self.region] = buffer.data.reshape(self.sizes)[self.inner]
        if self.marks is not None and buffer.whole:
            self.marks[self.region] = True
        elif self.marks is not None and self.inner is not None:
            assert buffer.written is not None
            self.marks[self.region] = buffer.written.reshape(self.sizes)[self.inner]
        self.place = None

    def stale(self) -> Array:
        """Which elements of an output's array some block covered, although they were not written."""
        if self.marks is None:
            return np.zeros(self.array.shape, bool)
        return (self.covered() if self.all_covered is None else self.all_covered) & ~self.marks

    def covered(self) -> Array:
        """Which elements of the array some block covered."""
        found = np.zeros(self.array.shape, bool)
        for place in self.visited:
            found[self._find(place)[0]] = True
        return found

    def _squeeze(self, view: Array) -> Array:
        return view[self.kept_axes] if self.squeezed else view

    def _find(self, place: tuple[int, ...]) -> tuple[tuple[slice, ...], tuple[slice, ...] | None]:
        """The block's part of the array, and where in the block that part is if it is not all of it."""
        found = []
        whole = True
        for axis, (known, index) in enumerate(zip(self.parts, place, strict=True)):
            part = known.get(index)
            if part is None:
                part = known[index] = self._part(axis, index)
            found.append(part)
            whole = whole and part[2]
        return tuple([part[0] for part in found]), None if whole else tuple([part[1] for part in found])

    def _part(self, axis: int, index: int) -> tuple[slice, slice, bool]:
        """Along one axis: the block's part of the array, its place in the block, whether that is all of the block."""
        dim, n = self.dims[axis], self.array.shape[axis]
        match dim:
            case Blocked(size):
                start = self._in_range(axis, index, (n - 1) // size, "block") * size
            case Squeezed():
                size = 1
                start = self._in_range(axis, index, n - 1, "block")
            case Element(size, (low, high)):
                start = self._in_range(axis, index, max(0, n + low + high - size), "element") - low
        first = max(start, 0)
        end = max(first, min(start + size, n))
        return slice(first, end), slice(first - start, end - start), end - first == size

    def _in_range(self, axis: int, index: int, last: int, what: str) -> int:
        if 0 <= index <= last:
            return index
        self.machine.report(
            "R320", f"{self.operand.name}/{axis}",
            f"the index map of '{self.operand.name}' gives {what} index {index} on axis {axis} at "
            f"{self.machine.place()}; the array of {self.array.shape[axis]} has 0 to {last}",
            self.operand.index_map_span, "keep the index inside, e.g. with jnp.minimum",
        )  # fmt: skip
        if index < 0 and self.machine.mode.lenient:  # counted from the padded array's end
            index += last + self.sizes[axis] if what == "element" else last + 1
        return min(max(index, 0), last)
