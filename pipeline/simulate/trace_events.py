"""A call's timeline as trace events, the JSON that Perfetto and chrome://tracing open.

Three groups of tracks: the core (bodies, and for the first one what each unit starts), the copies of each window, and
the buffer slots with the block they hold. Times are cycles of the core, shown as microseconds at its clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from pipeline.chips.chip import Chip
from pipeline.ir.call import KernelCall, Role
from pipeline.schedule.bundles.step import Step
from pipeline.schedule.result import Schedule
from pipeline.schedule.scalar import Undecided
from pipeline.schedule.windows import Planned, plan_windows
from pipeline.simulate.timing import Model, core_models

Event = dict[str, Any]
_CORE, _COPIES, _SLOTS = 1, 2, 3  # groups of tracks
_GAP = 8  # bundles without a start that still belong to one stretch of a unit


def trace_events(
    call: KernelCall, schedule: Schedule, chip: Chip, step: Step | None, limit: int
) -> tuple[list[Event], int]:
    """Events of the first `limit` iterations of the pipeline's loop, and the cycles they take. Where several
    cores share the grid, they are the slowest one's.

    Blocks come from the index maps; where a map reads data, its block counts as new in every step. A copy that the body
    makes itself is not drawn. `step`: the body's bundle schedule, drawn once. The chip has to know clock and bandwidth.
    """
    models = core_models(schedule, chip, {})
    model = max(models, key=lambda one: one.timeline(0).total)
    planned = tuple(p._replace(window=w) for p, w in zip(plan_windows(call, chip), model.windows, strict=True))
    events = _names(planned, step, f"core {models.index(model)} of {len(models)}" if len(models) > 1 else "core")
    micros = 1e6 / (chip.clock_hz or 1e6)

    def add(group: int, track: int, name: str, start: int, cycles: int, **args: object) -> None:
        times = {"ts": round(start * micros, 4), "dur": round(cycles * micros, 4)}
        events.append(
            {"ph": "X", "pid": group, "tid": track, "name": name, **times, "args": {"cycles": cycles, **args}}
        )

    steps = model.steps
    blocks = _blocks(planned, model)
    previous: list[tuple[int, ...] | None] = [None] * len(planned)
    held_since: dict[int, tuple[int, tuple[int, ...] | None]] = {}
    leaving: list[int] = []
    now = 0
    loop = steps + 2 if model.overlapped else 3
    shown = min(loop, limit)
    for iteration in range(shown):
        at = next(blocks, None) if iteration < steps else None
        changed = [i for i in range(len(planned)) if at is not None and (at[i] is None or at[i] != previous[i])]
        entering = [i for i in changed if planned[i].window.role is Role.INPUT]
        written = list(leaving)
        if iteration == loop - 1:
            written = [i for i, p in enumerate(planned) if p.window.role is Role.OUTPUT]
        runs = 1 <= iteration <= steps
        if model.overlapped:
            phase = model.phase(1, [planned[i].window for i in entering], [planned[i].window for i in written], runs)
            cycles = phase.cycles
        else:
            moved = entering if iteration == 0 else written if iteration == 2 else []
            copied = model.cycles(sum(planned[i].window.copy_bytes for i in moved))
            cycles = model.body if runs else copied
        if runs:
            add(
                _CORE,
                1,
                f"step {iteration - 1}",
                now,
                model.body,
                grid=str(_place(model, _point(iteration - 1, model.grid))),
            )
            if step is not None and iteration == 1:
                for track, name, start, length in _unit_stretches(step):
                    add(_CORE, track, name, now + start, length)
        start = now
        for i in [*entering, *written]:
            window = planned[i].window
            length = model.cycles(window.copy_bytes)
            way = "in" if window.role is Role.INPUT else "out"
            add(_COPIES, i + 1, f"copy {way} {window.operand}", start, length, bytes=window.copy_bytes)
            start += length
        for i in changed:
            if i in held_since and planned[i].window.role is Role.INPUT:
                _held(add, planned, i, held_since[i], now)
            held_since[i] = (now, None if at is None else at[i])
        in_flight = sum(planned[i].window.copy_bytes for i in [*entering, *written])
        events.append(
            {"ph": "C", "pid": _COPIES, "name": "bytes moving", "ts": round(now * micros, 4), "args": {"B": in_flight}}
        )
        now += cycles
        # what step `iteration` leaves behind is written two iterations after it began to be fetched
        leaving = [i for i in changed if planned[i].window.role is Role.OUTPUT and iteration > 0]
        if at is not None:
            previous = list(at)
    for i, since in sorted(held_since.items()):
        _held(add, planned, i, since, now)
    return events, now


def _held(add: Any, planned: tuple[Planned, ...], i: int, since: tuple[int, tuple[int, ...] | None], now: int) -> None:
    window = planned[i].window
    block = "read from data" if since[1] is None else str(list(since[1]))
    add(_SLOTS, i + 1, f"{window.operand} {block}", since[0], now - since[0], bytes=window.tile_bytes)


def _place(model: Model, point: tuple[int, ...]) -> tuple[int, ...]:
    """The call's grid point of one of the core's."""
    return point if model.share is None else model.share.places.at(point)


def _blocks(planned: tuple[Planned, ...], model: Model) -> Iterator[list[tuple[int, ...] | None]]:
    """Block indices of each window, step by step; None for a map that reads data."""
    for own in product(*map(range, model.grid)):
        point = _place(model, own)
        found: list[tuple[int, ...] | None] = []
        for plan in planned:
            try:
                found.append(plan.index_map.at(point))
            except Undecided:
                found.append(None)
        yield found


def _point(step: int, grid: tuple[int, ...]) -> tuple[int, ...]:
    digits = []
    for size in reversed(grid):
        step, digit = divmod(step, size)
        digits.append(digit)
    return tuple(reversed(digits))


def _names(planned: tuple[Planned, ...], step: Step | None, core: str) -> list[Event]:
    def name(group: int, track: int | None, text: str) -> Event:
        kind = "process_name" if track is None else "thread_name"
        return {"ph": "M", "pid": group, "tid": track or 0, "name": kind, "args": {"name": text}}

    events = [name(_CORE, None, core), name(_CORE, 1, "body")]
    events.append(name(_COPIES, None, "copies"))
    events.append(name(_SLOTS, None, "blocks in fast memory"))
    if step is not None:
        events.extend(name(_CORE, track, unit) for unit, track in _TRACKS.items())
    for i, plan in enumerate(planned):
        events.append(name(_COPIES, i + 1, plan.window.operand))
        events.append(name(_SLOTS, i + 1, f"{plan.window.operand}, {plan.window.buffers} slots"))
    return events


_TRACKS = {unit: i + 2 for i, unit in enumerate(("vload", "valu", "eup", "vpop", "xlu", "push", "mxu", "vstore"))}


def _unit_stretches(step: Step) -> list[tuple[int, str, int, int]]:
    """(track, name, first bundle, bundles) of what each unit does, block after block, each once."""
    found: list[tuple[int, str, int, int]] = []
    base = 0
    graph = step.low.graph
    for block in step.blocks:
        open_: dict[str, tuple[str, int, int]] = {}
        starts = sorted((at, block.packed.first + i) for i, at in enumerate(block.packed.bundles))
        for at, node in starts:
            kind = graph.kinds[node]
            if kind.unit not in _TRACKS:
                continue
            name = step.ops[graph.origin[node]].name
            end = at + kind.hold
            last = open_.get(kind.unit)
            if last is not None and last[0] == name and at <= last[2] + _GAP:
                open_[kind.unit] = (name, last[1], max(last[2], end))
                continue
            if last is not None:
                found.append((_TRACKS[kind.unit], last[0], base + last[1], max(1, min(last[2], at) - last[1])))
            open_[kind.unit] = (name, at, end)
        found.extend((_TRACKS[u], n, base + a, b - a) for u, (n, a, b) in sorted(open_.items()))
        base += block.packed.length
    return found
