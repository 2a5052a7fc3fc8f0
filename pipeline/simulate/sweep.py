"""One candidate of a sweep on each chip: is it legal, how long does the call take, what does it need."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pipeline.chips.load import load_chip
from pipeline.errors import Severity, SpecError
from pipeline.ir.call import KernelCall
from pipeline.ir.jaxpr import MemorySpace
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.result import Schedule
from pipeline.schedule.schedule import schedule
from pipeline.simulate.roofline import make_roofline
from pipeline.simulate.timing import make_timeline
from pipeline.spec.load import parse_candidate
from pipeline.spec.spec import Static, Target
from pipeline.spec.vary import Links
from pipeline.trace.trace import trace


class Row(NamedTuple):
    """A candidate on a chip. `cycles` is the whole call's, predicted; None for one that is refused: `refused` says why.

    bound: what the steady state waits for, "body" or "copies". hbm_bytes: moved in the whole call.
    roof:  the highest roof over the call; reached: percent of the speed it allows.
    """

    params: dict[str, Static]
    chip: str
    cycles: int | None = None
    nanoseconds: int | None = None
    step_bundles: int | None = None
    steps: int | None = None
    vmem_bytes: int | None = None
    hbm_bytes: int | None = None
    bound: str | None = None
    roof: str | None = None
    reached: int | None = None
    refused: str | None = None


class Sweep(NamedTuple):
    """What all candidates of a sweep have in common: plain values, for another process or machine.

    links:   grid axes that follow blocks, see `spec/vary.py`.
    partial: operands of which also the spec itself leaves blocks out; any other that a candidate does not go over
             entirely, since its block does not divide the axis, is refused.
    """

    text: str
    path: str
    variant: str | None
    targets: tuple[Target, ...]
    links: Links
    partial: frozenset[str] = frozenset()


def candidate(sweep: Sweep, settings: Mapping[str, Static]) -> list[Row]:
    """A row for each target, in order. Whatever is wrong with the candidate is in `refused`.

    Legality comes first: what a chip refuses is neither lowered nor packed into bundles for it.
    """
    kept = dict(settings)
    try:
        spec = parse_candidate(sweep.text, Path(sweep.path), sweep.variant, kept, sweep.links)
        call = trace(spec)
    except SpecError as error:
        return [Row(kept, target.name, refused=_why(error)) for target in sweep.targets]
    return [_on_chip(call, target, kept, sweep.partial) for target in sweep.targets]


def _on_chip(call: KernelCall, target: Target, kept: dict[str, Static], partial: frozenset[str]) -> Row:
    vmem: int | None = None
    try:
        chip = load_chip(target)
        made = schedule(call, None, chip, estimated=False)
        use = made.use(MemorySpace.VMEM)
        vmem = use.used if use is not None else None
        if (refused := _refusal(made, partial)) is None:
            made = schedule(call, lower(call, chip), chip)
            refused = _refusal(made, partial)
    except SpecError as error:
        refused = _why(error)
    if refused is not None:
        return Row(kept, target.name, vmem_bytes=vmem, refused=refused)
    timeline = make_timeline(made, chip)
    if timeline is None or made.estimate is None:
        return Row(kept, target.name, vmem_bytes=vmem, refused="no timing: too large, or a chip without clock or costs")
    roofline = make_roofline(call, made, chip, timeline, None, 0)
    roof, best = max(roofline.roofs, key=lambda one: one[1], default=(None, 0))
    return Row(
        kept,
        target.name,
        cycles=timeline.total,
        nanoseconds=timeline.nanoseconds,
        step_bundles=made.estimate.bundles,
        steps=timeline.steps,
        vmem_bytes=vmem,
        hbm_bytes=timeline.hbm_bytes,
        bound=timeline.steady[0].bound if timeline.steady else None,
        roof=roof,
        reached=100 * best // max(1, timeline.total),
    )


def _refusal(made: Schedule, partial: frozenset[str]) -> str | None:
    wrong = next((f for f in made.findings if f.severity is Severity.ERROR), None)
    if wrong is not None:
        return f"{wrong.code}: {wrong.message}"
    left_out = sorted(uncovered(made) - partial)
    return f"blocks left out of {', '.join(left_out)}" if left_out else None


def uncovered(made: Schedule) -> set[str]:
    """Operands of which the grid leaves some blocks out."""
    return {w.operand for w in made.windows if w.visits.visited is not None and w.visits.visited < w.visits.blocks}


def _why(error: SpecError) -> str:
    first = error.diagnostics[0]
    return f"{first.code}: {first.message}"
