"""A run on several cores that share the parallel steps, as two cores of one logical device do (megacore).

Each core has windows, scratch and semaphores of its own; arrays in HBM are one for all. The steps that agree along the
parallel axes stay together on one core, in order; the first part of them, in the order of the grid, goes to the first
core, the next part to the second. Whose turn it is, step by step, is drawn with the mode's seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from pipeline.simulate.executor import Core, Run, scalars
from pipeline.simulate.machine import Stopped
from pipeline.simulate.mode import Mode, ordered_steps, parallel_axes

Array = Any
_END = object()


def run_on_cores(first: Core, inputs: Mapping[str, Array]) -> Run:
    """Run the call of `first` on as many cores as its machine's mode says, `first` among them."""
    call, machine = first.call, first.machine
    mode = machine.mode
    cores = [first]
    for _ in range(1, mode.cores):
        cores.append(Core(call, inputs, machine.filling, machine.work, mode, first))
    bodies = [core.body() for core in cores]
    finished = all(body is not None for body in bodies)
    if finished:
        turns = [
            core.turns(body, scalars(_share(call.grid, call.semantics, mode, number)))
            for number, (core, body) in enumerate(zip(cores, bodies, strict=True))
            if body is not None
        ]
        finished = _interleave(turns, random.Random(mode.seed))
    return _joined([core.result(finished) for core in cores])


def core_of(index: tuple[int, ...], grid: tuple[int, ...], axes: tuple[int, ...], cores: int) -> int:
    """The core that runs a step: its place among the tasks, in equal parts, the first of them one larger if need be."""
    task = 0
    for axis in axes:
        task = task * grid[axis] + index[axis]
    return task // -(-prod(grid[axis] for axis in axes) // cores)


def _share(
    grid: tuple[int, ...], semantics: tuple[str, ...] | None, mode: Mode, number: int
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """One core's steps, in the mode's order."""
    axes = parallel_axes(grid, semantics)
    for step, index in ordered_steps(grid, semantics, mode):
        if core_of(index, grid, axes, mode.cores) == number:
            yield step, index


def _interleave(turns: list[Iterator[None]], rng: random.Random) -> bool:
    """Give each a turn, in random order, until all have come to their end; False if one is stopped."""
    try:
        while turns:
            chosen = rng.randrange(len(turns))
            if next(turns[chosen], _END) is _END:
                del turns[chosen]
    except Stopped:
        return False
    return True


def _joined(runs: list[Run]) -> Run:
    """What all cores left behind. Outputs and findings are shared already; of inputs cut short, the first is told."""
    first = runs[0]
    written = dict(first.written)
    stale = dict(first.stale)
    partial = {part.name: part for run in reversed(runs) for part in run.partial}
    for run in runs[1:]:
        first.counts.add(run.counts)
        for name, marks in run.written.items():
            if marks is None:
                written[name] = None
        for name, mask in run.stale.items():
            stale[name] = np.logical_or(stale[name], mask)
    return replace(
        first, written=written, stale=stale, partial=tuple(partial.values()),
        poisoned_integers=any(run.poisoned_integers for run in runs),
        copied_in=sum(run.copied_in for run in runs), copied_out=sum(run.copied_out for run in runs),
    )  # fmt: skip
