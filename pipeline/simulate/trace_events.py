"""A call's timeline as trace events, the JSON that Perfetto and chrome://tracing open.

Three groups of tracks: the core (bodies, and for the first one what each unit starts), the copies of each window, and
the buffer slots with the block they hold. Times are cycles of the core, shown as microseconds at its clock.
"""

from __future__ import annotations

from typing import Any

from pipeline.chips.chip import Chip
from pipeline.ir.call import KernelCall, Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.schedule.bundles.step import Step
from pipeline.schedule.result import Schedule
from pipeline.simulate.play import Play, Player

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
    player = Player(call, schedule, chip)
    events = _names(player, step)
    micros = 1e6 / (chip.clock_hz or 1e6)

    def add(group: int, track: int, name: str, start: int, cycles: int, **args: object) -> None:
        times = {"ts": round(start * micros, 4), "dur": round(cycles * micros, 4)}
        events.append(
            {"ph": "X", "pid": group, "tid": track, "name": name, **times, "args": {"cycles": cycles, **args}}
        )

    def count(group: int, name: str, at: int, value: int) -> None:
        found = {"ph": "C", "pid": group, "name": name, "ts": round(at * micros, 4), "args": {"B": value}}
        events.append(found)

    play = player.first(limit)
    for one in play.iterations:
        if one.step is not None:
            add(_CORE, 1, f"step {one.step}", one.body_start, one.body, grid=str(one.point))
            if step is not None and one.step == 0:
                for unit, name, start, length in unit_stretches(step):
                    add(_CORE, _TRACKS[unit], name, one.body_start + start, length)
        for copy in one.copies:
            window = player.windows[copy.window]
            way = "in" if window.role is Role.INPUT else "out"
            add(
                _COPIES,
                copy.window + 1,
                f"copy {way} {window.operand}",
                copy.start,
                copy.cycles,
                bytes=window.copy_bytes,
            )
        count(_COPIES, "bytes moving", one.start, sum(player.windows[copy.window].copy_bytes for copy in one.copies))
    for held in play.held:
        window = player.windows[held.window]
        block = "read from data" if held.block is None else str(list(held.block))
        track = _slot_track(held.window, held.slot)
        add(_SLOTS, track, f"{window.operand} {block}", held.start, held.end - held.start, bytes=window.tile_bytes)
    for at, value in vmem_held(player, schedule, play):
        count(_SLOTS, "VMEM", at, value)
    return events, play.end


def vmem_held(player: Player, schedule: Schedule, play: Play) -> list[tuple[int, int]]:
    """(cycle, bytes of VMEM that hold something from then on): blocks, and what lives for the whole call."""
    whole = sum(a.bytes for a in schedule.allocations if a.space is MemorySpace.VMEM and a.kind != "window")
    steps: dict[int, int] = {play.start: whole}
    for held in play.held:
        window = player.windows[held.window]
        if window.space is MemorySpace.VMEM:
            steps[held.start] = steps.get(held.start, 0) + window.tile_bytes
            steps[held.end] = steps.get(held.end, 0) - window.tile_bytes
    total, found = 0, []
    for at, change in sorted(steps.items()):
        total += change
        found.append((at, total))
    return found


def _slot_track(window: int, slot: int) -> int:
    return 2 * window + slot + 1


def _names(player: Player, step: Step | None) -> list[Event]:
    def name(group: int, track: int | None, text: str) -> Event:
        kind = "process_name" if track is None else "thread_name"
        return {"ph": "M", "pid": group, "tid": track or 0, "name": kind, "args": {"name": text}}

    core = f"core {player.core} of {player.cores}" if player.cores > 1 else "core"
    events = [name(_CORE, None, core), name(_CORE, 1, "body")]
    events.append(name(_COPIES, None, "copies"))
    events.append(name(_SLOTS, None, "blocks in fast memory"))
    if step is not None:
        events.extend(name(_CORE, track, unit) for unit, track in _TRACKS.items())
    for i, window in enumerate(player.windows):
        events.append(name(_COPIES, i + 1, window.operand))
        for slot in range(window.buffers):
            which = f", slot {slot}" if window.buffers > 1 else ""
            events.append(name(_SLOTS, _slot_track(i, slot), f"{window.operand}{which}"))
    return events


_TRACKS = {unit: i + 2 for i, unit in enumerate(("vload", "valu", "eup", "vpop", "xlu", "push", "mxu", "vstore"))}


def unit_stretches(step: Step) -> list[tuple[str, str, int, int]]:
    """(unit, name, first bundle, bundles) of what each unit does, block after block, each once."""
    found: list[tuple[str, str, int, int]] = []
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
                found.append((kind.unit, last[0], base + last[1], max(1, min(last[2], at) - last[1])))
            open_[kind.unit] = (name, at, end)
        found.extend((u, n, base + a, b - a) for u, (n, a, b) in sorted(open_.items()))
        base += block.packed.length
    return found
