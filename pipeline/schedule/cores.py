"""A grid shared by the cores of one device (megacore): which steps each core takes, and how it goes over the blocks.

Source: the loops that libtpu 0.0.42.1 makes for a device of two cores. A "core_parallel" axis is shared, one index a
core. Else the first "parallel" axis whose steps the cores divide evenly: each takes a stretch of it, and the grid keeps
its order. Else all parallel axes become one, outside the others; each core takes as many of its steps, and those past
the end are step 0 again. Without a parallel axis of two steps or more, and with a dynamic grid, one core does all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from pipeline.chips.chip import Chip
from pipeline.ir.call import KernelCall
from pipeline.schedule.index_map import MAX_POINTS, Form, IndexMap, affine_form, join_groups
from pipeline.schedule.places import Places
from pipeline.schedule.result import CoreShare, Split
from pipeline.schedule.scalar import Reader
from pipeline.schedule.visits import count_visits
from pipeline.schedule.windows import Planned

_WHOLE_CORE, _PARALLEL = "core_parallel", "parallel"


def split_grid(call: KernelCall, planned: tuple[Planned, ...], chip: Chip) -> Split | None:
    """How a device's cores share the grid; None if it has one core, or one core does everything."""
    found = core_places(call, chip.cores_per_device)
    if found is None:
        return None
    shared, joined, all_places = found
    shares = []
    for places in all_places:
        moved = [_moved(entry.index_map, places) for entry in planned]
        windows = tuple(
            replace(entry.window, visits=count_visits(index_map, entry.window.visits.blocks))
            for entry, index_map in zip(planned, moved, strict=True)
        )
        shares.append(CoreShare(places, windows, _first_step(call.grid, places)))
    return Split(shared, joined, tuple(shares))


def core_places(call: KernelCall, cores: int) -> tuple[tuple[int, ...], bool, tuple[Places, ...]] | None:
    """The axes that so many cores share, whether these became one, and each core's own grid; None if one core does
    everything."""
    words = call.semantics or ()
    if cores < 2 or len(words) != len(call.grid) or call.dynamic_grid:
        return None
    wide = [axis for axis, n in enumerate(call.grid) if n > 1 and words[axis] in (_WHOLE_CORE, _PARALLEL)]
    if not wide:
        return None
    even = [axis for axis in wide if call.grid[axis] % cores == 0]
    whole = [axis for axis in wide if words[axis] == _WHOLE_CORE]
    shared = tuple(whole[:1] or even[:1] or wide)
    joined = () if whole or even else tuple(axis for axis, word in enumerate(words) if word == _PARALLEL)
    return (
        shared,
        bool(joined),
        tuple(
            _joined(call.grid, joined, core, cores) if joined else _stretch(call.grid, shared[0], core, cores)
            for core in range(cores)
        ),
    )


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


def _first_step(grid: tuple[int, ...], places: Places) -> int | None:
    """The first of the core's steps in the order of the whole grid, if they follow each other there; else None."""
    if places.joined:
        inner = [axis for axis in range(len(grid)) if axis not in places.joined]
        apart = any(a < b and grid[a] > 1 for a in inner for b in places.joined)
        size = prod(grid[axis] for axis in places.joined)
        if apart or places.first + places.own[0] > size:
            return None
    else:
        shared = next((a for a, n in enumerate(grid) if places.own[a] != n), 0)
        if any(n > 1 for n in grid[:shared]):
            return None
    index = 0
    for n, digit in zip(grid, places.at((0,) * len(places.own)), strict=True):
        index = index * n + digit
    return index


def _moved(index_map: IndexMap, places: Places) -> IndexMap:
    """The index map as a core meets it, over its own grid."""
    own = places.own
    many = [axis for axis in places.joined if places.grid[axis] > 1]
    past = bool(places.joined) and places.first + own[0] > prod(places.grid[axis] for axis in places.joined)
    tangled = frozenset(many) if len(many) > 1 or past else frozenset()
    start = [places.first if axis in places.joined else s for axis, s in enumerate(places.start)]

    def function(point: Sequence[int], read: Reader | None = None) -> tuple[int, ...]:
        return index_map.function(places.at(point), read)

    forms = tuple(_form(form, places, start, tangled) for form in index_map.forms)
    return IndexMap(own, forms, join_groups(forms, own, function, MAX_POINTS), function)


def _form(form: Form, places: Places, start: Sequence[int], tangled: frozenset[int]) -> Form:
    own = places.own
    if form.coefficients is None or tangled & set(form.axes):
        axes = tuple(sorted({places.axes[axis] for axis in form.axes if own[places.axes[axis]] > 1}))
        return Form(0, None, axes, form.data, form.least, form.greatest)
    coefficients = [0] * len(own)
    constant = form.constant
    for axis, c in enumerate(form.coefficients):
        constant += c * start[axis]
        if own[places.axes[axis]] > 1:
            coefficients[places.axes[axis]] += c
    return affine_form(constant, tuple(coefficients), own)
