"""How the cores of one device share a grid (megacore), and where the grid of each lies in the call's.

Source: the loops that libtpu 0.0.42.1 makes for a device of two cores. A "core_parallel" axis is shared, one index a
core. Else the first "parallel" axis whose steps the cores divide evenly: each takes a stretch of it, and the grid keeps
its order. Else all parallel axes become one, outside the others; each core takes as many of its steps, and those past
the end are step 0 again. Without a parallel axis of two steps or more, and with a dynamic grid, one core does all.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.ir.call import KernelCall

_WHOLE_CORE, _PARALLEL = "core_parallel", "parallel"


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


class Shared(NamedTuple):
    """The grid axes that cores share, whether these became one, and where each core's grid lies."""

    axes: tuple[int, ...]
    joined: bool
    places: tuple[Places, ...]


def share_out(call: KernelCall, cores: int) -> Shared | None:
    """How so many cores share the grid; None if one core does everything."""
    words = call.semantics or ()
    if cores < 2 or len(words) != len(call.grid) or call.dynamic_grid:
        return None
    wide = [axis for axis, n in enumerate(call.grid) if n > 1 and words[axis] in (_WHOLE_CORE, _PARALLEL)]
    if not wide:
        return None
    even = [axis for axis in wide if call.grid[axis] % cores == 0]
    whole = [axis for axis in wide if words[axis] == _WHOLE_CORE]
    axes = tuple(whole[:1] or even[:1] or wide)
    if whole or even:
        return Shared(axes, False, tuple(_stretch(call.grid, axes[0], core, cores) for core in range(cores)))
    parallel = tuple(axis for axis, word in enumerate(words) if word == _PARALLEL)
    return Shared(axes, True, tuple(_joined(call.grid, parallel, core, cores) for core in range(cores)))


def core_steps(call: KernelCall, chip: Chip) -> int:
    """Grid steps of one core."""
    shared = share_out(call, chip.cores_per_device)
    return prod(call.grid if shared is None else shared.places[0].own)


def _stretch(grid: tuple[int, ...], axis: int, core: int, cores: int) -> Places:
    """A core's stretch of one axis; an axis with fewer steps than cores leaves the last ones step 0 again."""
    size = -(-grid[axis] // cores)
    own = (*grid[:axis], size, *grid[axis + 1 :])
    start = [0] * len(grid)
    start[axis] = core * size if (core + 1) * size <= grid[axis] else 0
    return Places(own, tuple(range(len(grid))), tuple(start), (), 0, grid)


def _joined(grid: tuple[int, ...], joined: tuple[int, ...], core: int, cores: int) -> Places:
    rest = [axis for axis in range(len(grid)) if axis not in joined]
    size = -(-prod(grid[axis] for axis in joined) // cores)
    axes = tuple(0 if axis in joined else 1 + rest.index(axis) for axis in range(len(grid)))
    return Places((size, *(grid[a] for a in rest)), axes, (0,) * len(grid), joined, core * size, grid)
