"""What each core of a device goes over, where several share a grid: its windows, with their visits on its own grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from pipeline.chips.chip import Chip
from pipeline.ir.call import KernelCall
from pipeline.schedule.index_map import MAX_POINTS, Form, IndexMap, affine_form, join_groups
from pipeline.schedule.places import Places, share_out
from pipeline.schedule.result import CoreShare, Split
from pipeline.schedule.scalar import Reader
from pipeline.schedule.visits import count_visits
from pipeline.schedule.windows import Planned


def split_grid(call: KernelCall, planned: tuple[Planned, ...], chip: Chip) -> Split | None:
    """How a device's cores share the grid; None if it has one core, or one core does everything."""
    shared = share_out(call, chip.cores_per_device)
    if shared is None:
        return None
    shares = []
    for places in shared.places:
        moved = [_moved(entry.index_map, places) for entry in planned]
        windows = tuple(
            replace(entry.window, visits=count_visits(index_map, entry.window.visits.blocks))
            for entry, index_map in zip(planned, moved, strict=True)
        )
        shares.append(CoreShare(places, windows, _first_step(call.grid, places)))
    return Split(shared.axes, shared.joined, tuple(shares))


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
