"""What binds a call, in words: a steady step, the body in it, the cycles in which no body runs, the roof above."""

from __future__ import annotations

from pipeline.schedule.result import Estimate
from pipeline.simulate.roofline import Roofline
from pipeline.simulate.timing import Phase, Timeline

_UNITS = {
    "mxu": "the matrix units",
    "xlu": "the XLUs (lane reductions, permutes, transposes)",
    "valu": "the vector ALUs",
    "vpop": "the queues that results are popped from",
    "eup": "the transcendental unit",
    "vload": "vector loads",
    "vstore": "vector stores",
}


def what_binds(timeline: Timeline, roofline: Roofline, estimate: Estimate | None) -> list[str]:
    """Lines of the capture; cycles are whole and shares are rounded down."""
    lines = ["what binds:"]
    if estimate is not None:
        lines.append(f"  a step: {_step(timeline)}")
        lines.append(f"  the body: {_body(estimate)}")
    lines.append(f"  no body runs: {_stalls(timeline)}")
    best = max(roofline.roofs, key=lambda roof: roof[1], default=None)
    if best is not None and timeline.total:
        share = 100 * best[1] // timeline.total
        lines.append(f"  at best: {best[1]} cycles, by {best[0]}; the timeline reaches {share}% of that speed")
    return lines


def heaviest(timeline: Timeline) -> Phase | None:
    """The kind of steady-state iteration that takes most of the time."""
    return max(timeline.steady, key=lambda phase: phase.iterations * phase.cycles, default=None)


def _step(timeline: Timeline) -> str:
    phase = heaviest(timeline)
    if phase is None:
        return "none"
    if timeline.steps == 1:
        return "nothing overlaps in a call of one step"
    if phase.cycles > max(phase.body, phase.copies):
        waits = phase.cycles - phase.body
        return f"copies of a single buffer slot, which the body waits for: {waits} cycles after {phase.body}"
    if phase.copies > phase.body:
        return f"the copies, {phase.copies} cycles against {phase.body} of the body"
    if phase.copies == phase.body:
        return f"the copies and the body, {phase.body} cycles each"
    if 2 * timeline.overhead > phase.body:
        return f"the pipeline's own code, {timeline.overhead} of {phase.body} cycles; the copies take {phase.copies}"
    return f"the body, {phase.body} cycles against {phase.copies} of the copies"


def _body(estimate: Estimate) -> str:
    use = next((slot for slot in estimate.slots if slot.unit == estimate.bound), None)
    if not estimate.body_bundles:
        return "nothing to do"
    if use is None:
        fullest = max(estimate.slots, key=lambda slot: slot.bundles, default=None)
        busy = "" if fullest is None else f"; fullest: {_name(fullest.unit)}, {_share(fullest.bundles, estimate)}"
        return f"results that are waited for, no unit is busy half of its {estimate.body_bundles} bundles{busy}"
    return f"{_name(use.unit)}, busy {_share(use.bundles, estimate)} of its {estimate.body_bundles} bundles"


def _name(unit: str) -> str:
    return _UNITS.get(unit, unit)


def _share(bundles: int, estimate: Estimate) -> str:
    return f"{100 * bundles // estimate.body_bundles}%"


def _stalls(timeline: Timeline) -> str:
    """Where the cycles go in which no body runs; the parts add up."""
    parts = []
    if timeline.prologue is not None:
        parts.append((timeline.prologue.cycles * timeline.prologue.iterations, "before the first step"))
    waited = sum((phase.cycles - phase.body) * phase.iterations for phase in timeline.steady)
    parts.append((waited, "for copies between steps"))
    parts.append((sum(phase.cycles * phase.iterations for phase in timeline.epilogue), "after the last step"))
    parts.append((timeline.stalls - sum(cycles for cycles, _ in parts), "for the body's own copies"))
    named = ", ".join(f"{cycles} {where}" for cycles, where in parts if cycles)
    share = 100 * timeline.stalls // timeline.total if timeline.total else 0
    return f"{timeline.stalls} cycles, {share}%" + (f": {named}" if named else "")
