"""An operand's blocks, all at once: a view of its array with an axis for each block index, then the block's own axes.

Many steps' blocks are then one lookup, or no copy at all where they are neighbours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from pipeline.ir.call import Blocked, Element, Operand, Role, Squeezed
from pipeline.simulate.batch.compiler import Unproven, spread
from pipeline.simulate.machine import Filling
from pipeline.simulate.numerics.dtypes import numpy_dtype

Array = Any
Index = tuple[Any, ...]  # per block index an int, or a slice or an array over the lanes


class Blocks:
    """`counts`: how many places there are along each axis. A partial block's elements past the array are padding:
    `partial` says at which places they are, along each axis."""

    def __init__(self, operand: Operand) -> None:
        assert operand.block is not None
        self.operand = operand
        self.shape = operand.array.shape
        self.is_output = operand.role is Role.OUTPUT
        self.counts: list[int] = []
        self.sizes: list[int] = []
        self.moves: list[int] = []  # elements from one place to the next
        self.low: list[int] = []
        self.extents: list[int] = []
        for dim, n in zip(operand.block, self.shape, strict=True):
            match dim:
                case Blocked(size):
                    places, move, low, extent = -(-n // size), size, 0, -(-n // size) * size
                case Squeezed():
                    size, places, move, low, extent = 1, n, 1, 0, n
                case Element(size, (low, high)):
                    if self.is_output or low < 0 or high < 0:
                        raise Unproven("blocks that may overlap")
                    extent = max(n + low + high, size)
                    places, move = extent - size + 1, 1
            if places < 1:
                raise Unproven("an array without elements")
            self.counts.append(places)
            self.sizes.append(size)
            self.moves.append(move)
            self.low.append(low)
            self.extents.append(extent)
        self.padded = tuple(self.extents) != self.shape
        self.tiled = not any(isinstance(dim, Element) for dim in operand.block)
        self.cut = tuple(n for pair in zip(self.counts, self.sizes, strict=True) for n in pair)
        self.order = (*range(0, 2 * len(self.sizes), 2), *range(1, 2 * len(self.sizes), 2))
        self.inner = tuple(slice(low, low + n) for low, n in zip(self.low, self.shape, strict=True))

    def base(self, array: Array, padding: Any) -> Array:
        """`array`, or a copy with padding around it where a block may reach past its end."""
        if not self.padded:
            return array
        base = np.full(self.extents, padding, array.dtype)
        base[self.inner] = array
        return base

    def view(self, base: Array) -> Array:
        """All blocks of a base."""
        if self.tiled:
            return base.reshape(self.cut).transpose(self.order)
        steps = [move * stride for move, stride in zip(self.moves, base.strides, strict=True)]
        shape, strides = (*self.counts, *self.sizes), (*steps, *base.strides)
        return as_strided(base, shape, strides, writeable=base.flags.writeable)

    def padding(self, filling: Filling) -> Any:
        """What lies past the array's end."""
        value = filling.value(self.operand.ref.dtype, self.operand.name, padding=not self.is_output)
        return numpy_dtype(self.operand.ref.dtype).type(value)

    def is_partial(self, axis: int, place: Array) -> Array:
        """Whether a block at `place` along an axis has elements past the array."""
        start = place * self.moves[axis] - self.low[axis]
        return (start < 0) | (start + self.sizes[axis] > self.shape[axis])

    def get(self, view: Array, index: Index, lanes: int | None) -> Array:
        """The blocks at `index`, in the shape of the ref, with lanes unless `lanes` is None."""
        shape = self.operand.ref.shape
        found = view[index]
        if lanes is None:
            return found.reshape(shape)
        if lanes > 1 and all(isinstance(entry, int) for entry in index):
            return spread(found.reshape(shape), lanes)
        return found.reshape(lanes, *shape)  # the lanes stand first, by a slice or by arrays


def places_of(columns: list[Any], steps: slice, lanes: int) -> Index:
    """An index into the blocks for the steps of all lanes."""
    found: list[Any] = []
    varying: list[int] = []
    for axis, column in enumerate(columns):
        if isinstance(column, int):
            found.append(column)
            continue
        places = column[steps]
        first = int(places[0])
        if (places == first).all():
            found.append(first)
        else:
            found.append(places)
            varying.append(axis)
    if len(varying) == 1:
        places = found[varying[0]]
        first = int(places[0])
        if int(places[-1]) - first == lanes - 1 and (np.diff(places) == 1).all():
            found[varying[0]] = slice(first, first + lanes)
    return tuple(found)
