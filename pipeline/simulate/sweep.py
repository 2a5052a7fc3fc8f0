"""One candidate of a sweep on each chip: is it legal, how long does the call take, what does it need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pipeline.chips.load import load_chip
from pipeline.errors import Severity, SpecError
from pipeline.ir.jaxpr import MemorySpace
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.result import Schedule
from pipeline.schedule.schedule import schedule
from pipeline.simulate.timing import make_timeline
from pipeline.spec.load import parse_candidate
from pipeline.spec.spec import Static, Target
from pipeline.trace.trace import trace


class Row(NamedTuple):
    """A candidate on a chip. `cycles` is the whole call's, predicted; None for one that is refused: `refused` says why.

    bound: what the steady state waits for, "body" or "copies". hbm_bytes: moved in the whole call.
    """

    params: dict[str, Static]
    chip: str
    cycles: int | None = None
    step_bundles: int | None = None
    steps: int | None = None
    vmem_bytes: int | None = None
    hbm_bytes: int | None = None
    bound: str | None = None
    refused: str | None = None


def candidate(
    text: str,
    path: str,
    variant: str | None,
    params: Mapping[str, Static],
    targets: Sequence[Target],
    partial: frozenset[str] = frozenset(),
) -> list[Row]:
    """A row for each target, in order. Whatever is wrong with the candidate is in `refused`.

    partial: operands of which also the spec itself leaves blocks out; any other that a candidate does not go over
    entirely, since its block does not divide the axis, is refused.
    """
    kept = dict(params)
    try:
        spec = parse_candidate(text, Path(path), variant, kept)
        call = trace(spec)
    except SpecError as error:
        return [Row(kept, target.name, refused=_why(error)) for target in targets]
    rows = []
    for target in targets:
        try:
            chip = load_chip(target)
            made = schedule(call, lower(call, chip), chip)
        except SpecError as error:
            rows.append(Row(kept, target.name, refused=_why(error)))
            continue
        wrong = next((f for f in made.findings if f.severity is Severity.ERROR), None)
        left_out = sorted(uncovered(made) - partial)
        use = made.use(MemorySpace.VMEM)
        vmem = use.used if use is not None else None
        if wrong is not None:
            rows.append(Row(kept, target.name, vmem_bytes=vmem, refused=f"{wrong.code}: {wrong.message}"))
            continue
        if left_out:
            rows.append(Row(kept, target.name, vmem_bytes=vmem, refused=f"blocks left out of {', '.join(left_out)}"))
            continue
        timeline = make_timeline(made, chip)
        if timeline is None or made.estimate is None:
            rows.append(Row(kept, target.name, vmem_bytes=vmem, refused="no timing: too large, or no clock"))
            continue
        moved = made.pipeline.bytes_in + made.pipeline.bytes_out
        bound = timeline.steady[0].bound if timeline.steady else None
        rows.append(
            Row(kept, target.name, timeline.total, made.estimate.bundles, timeline.steps, vmem, moved, bound),
        )
    return rows


def uncovered(made: Schedule) -> set[str]:
    """Operands of which the grid leaves some blocks out."""
    return {w.operand for w in made.windows if w.visits.visited is not None and w.visits.visited < w.visits.blocks}


def _why(error: SpecError) -> str:
    first = error.diagnostics[0]
    return f"{first.code}: {first.message}"
