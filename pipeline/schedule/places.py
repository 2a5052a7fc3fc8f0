"""Where the grid that one core goes over lies in the call's grid."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple


class Places(NamedTuple):
    """Where a core's own grid lies in the call's: `axes` are the own axes of the call's, `start` where each begins.

    joined: the call's axes that are one axis of the core's grid, axis 0; () if each has its own.
    """

    own: tuple[int, ...]
    axes: tuple[int, ...]
    start: tuple[int, ...]
    joined: tuple[int, ...]
    first: int  # on the joined axis
    grid: tuple[int, ...]

    def at(self, point: Sequence[int]) -> tuple[int, ...]:
        """The call's grid point of a point of the core's own grid."""
        found = [point[axis] + start for axis, start in zip(self.axes, self.start, strict=True)]
        if self.joined:
            index = self.first + point[0]
            if index >= prod(self.grid[axis] for axis in self.joined):
                index = 0
            for axis in reversed(self.joined):
                index, found[axis] = divmod(index, self.grid[axis])
        return tuple(found)
