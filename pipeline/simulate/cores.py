"""A run on several cores that share the parallel steps, as the two cores of one logical device do (megacore).

Each core has windows, scratch and semaphores of its own; arrays in HBM are one for all. Who takes which steps, and in
what order, is the compiler's rule (`schedule/cores.py`): a core that has too few runs step 0 again. Whose turn it is,
step by step, is drawn with the mode's seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pipeline.ir.call import KernelCall
from pipeline.schedule.places import Places, share_out
from pipeline.simulate.executor import Core, Run, scalars
from pipeline.simulate.machine import Stopped
from pipeline.simulate.mode import Mode, ordered_steps

Array = Any
_END = object()


def run_on_cores(first: Core, inputs: Mapping[str, Array]) -> Run:
    """Run the call of `first`, which is ready, on as many cores as its machine's mode says, `first` among them."""
    call, machine = first.call, first.machine
    mode = machine.mode
    cores = [first]
    for _ in range(1, mode.cores):
        cores.append(Core(call, mode, first=first))
        cores[-1].start(inputs, machine.filling, machine.work, mode)
    bodies = [core.body() for core in cores]
    finished = all(body is not None for body in bodies)
    if finished:
        turns = [
            core.turns(body, scalars(steps))
            for core, body, steps in zip(cores, bodies, shares(call, mode), strict=True)
            if body is not None
        ]
        finished = _interleave(turns, random.Random(mode.seed))
    return _joined([core.result(finished) for core in cores])


def shares(call: KernelCall, mode: Mode) -> list[Iterator[tuple[int, tuple[int, ...]]]]:
    """(flattened step, program ids) of each core's steps, in the mode's order. Cores without a share have none."""
    shared = share_out(call, mode.cores)
    if shared is None:
        return [ordered_steps(call.grid, call.semantics, mode), *(iter(()) for _ in range(1, mode.cores))]
    words = call.semantics or ()
    steps = []
    for places in shared.places:
        own = tuple(word for axis, word in enumerate(words) if axis not in places.joined)
        in_order = ordered_steps(places.own, ("parallel", *own) if shared.joined else words, mode)
        steps.append(_in_grid(call.grid, places, in_order))
    return steps


def _in_grid(
    grid: tuple[int, ...], places: Places, steps: Iterator[tuple[int, tuple[int, ...]]]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    for _, own in steps:
        index = places.at(own)
        step = 0
        for size, i in zip(grid, index, strict=True):
            step = step * size + i
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
