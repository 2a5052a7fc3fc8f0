"""The simulation as text: the capture of this stage. One fact a line.

Nothing here depends on a machine's last bits: no sums or errors of floats, only counts, bounds and whole cycles.
"""

from __future__ import annotations

from pipeline.errors import Severity, render
from pipeline.schedule.result import Estimate
from pipeline.simulate.functional import Functional, OutputCheck
from pipeline.simulate.roofline import Roofline
from pipeline.simulate.simulate import Simulation, Verdict
from pipeline.simulate.timing import Phase, Timeline
from pipeline.simulate.words import what_binds

_MAX_KINDS = 8  # kinds of steady-state iterations that are listed; the rest is summed up


def print_simulation(simulation: Simulation, *, located: bool = False) -> str:
    """Functional run, findings, timeline, roofline, verdict; ends in a newline.

    located: findings with their place in the kernel and their hints, which a capture leaves out, since an edit above
    would change it.
    """
    lines = [f"simulation of {simulation.call} on {simulation.chip}", ""]
    lines += _functional(simulation.functional)
    lines += _modes(simulation)
    if simulation.roofline is not None:
        lines += ["", *_timeline(simulation.timeline)]
        if simulation.timeline is not None:
            lines += ["", *what_binds(simulation.timeline, simulation.roofline, simulation.estimate)]
        if simulation.estimate is not None:
            lines += ["", *_costs(simulation.estimate)]
        lines += ["", *_roofline(simulation.roofline, simulation.timeline)]
    lines += ["", "findings:"]
    for finding in simulation.findings:
        if located:
            lines += [f"  {line}" for line in render(finding).splitlines()]
            continue
        word = "error" if finding.severity is Severity.ERROR else "warning"
        lines.append(f"  {word} {finding.code}: {finding.message}")
    if not simulation.findings:
        lines.append("  none")
    lines += ["", "verdict:"]
    lines += [_verdict(v) for v in simulation.verdicts]
    lines.append(f"  overall: {'PASS' if simulation.passed else 'FAIL'}")
    return "\n".join(lines) + "\n"


def _functional(functional: Functional) -> list[str]:
    lines = [f"functional run: {functional.status}"]
    lines += [f"  input {name}: {how}" for name, how in functional.inputs]
    lines.append(f"  reference: {functional.reference or 'none'}")
    for output in functional.outputs:
        lines += _output(output)
    return lines


def _output(output: OutputCheck) -> list[str]:
    lines = [f"output {output.name}: {output.aval}", f"  elements: {output.elements}"]
    if output.tolerance is not None and output.comparison is not None:
        lines.append(f"  tolerance: {output.tolerance} ({output.tolerance.why})")
        lines.append(f"  outside tolerance: {output.comparison.outside}")
        lines.append(f"  NaN where the reference has none: {output.comparison.unexpected_nan}")
    else:
        lines.append("  compared with: nothing")
    lines.append(f"  NaN: {output.nan}")
    lines.append(f"  never written: {output.unwritten}")
    return lines


def _modes(simulation: Simulation) -> list[str]:
    """A line for each mode: whether it passes the kernel."""
    lines = []
    for mode in simulation.modes:
        word = {True: "passes", False: "fails", None: "not run"}[mode.passed]
        lines.append(f"  {mode.name}: {word}{', ' if mode.detail else ''}{mode.detail}")
    return ["", "modes:", *lines] if simulation.functional.modes else []


def _phase(name: str, phase: Phase) -> str:
    moved = []
    if phase.bytes_in:
        moved.append(f"{phase.bytes_in} B in")
    if phase.bytes_out:
        moved.append(f"{phase.bytes_out} B out")
    what = ", ".join(moved) or "no copies"
    return f"  {name}: {phase.iterations} x {phase.cycles} cycles (body {phase.body}, copies {phase.copies}; {what})"


def _percent(part: int, whole: int) -> str:
    """Whole percent, rounded down; integer arithmetic."""
    return f"{100 * part // whole}%" if whole else "0%"


def _timeline(timeline: Timeline | None) -> list[str]:
    if timeline is None:
        return ["timeline: none, the profile has no clock or no HBM bandwidth"]
    lines = [f"timeline: {'' if timeline.exact else 'at most '}{timeline.total} cycles"]
    if timeline.cores > 1:
        axes = ", ".join(map(str, timeline.shared_axes))
        word = "axes" if len(timeline.shared_axes) > 1 else "axis"
        lines.append(
            f"  cores: {timeline.cores} share grid {word} {axes} and the bandwidth; what follows is the slowest"
        )
    elif timeline.device_cores > 1:
        lines.append(f"  cores: 1 of {timeline.device_cores} works, no grid axis is parallel")
    lines.append(f"  steps: {timeline.steps}{' a core' if timeline.cores > 1 else ''}")
    if timeline.body is None:
        lines.append("  body: not estimated, taken as 0 cycles")
    else:
        lines.append(f"  body: {timeline.body} cycles a step, {timeline.overhead} of them pipeline overhead")
    if timeline.latency is None:
        lines.append("  copy latency: unknown, taken as 0 cycles")
    else:
        lines.append(f"  copy latency: {timeline.latency} cycles an iteration that copies")
    if timeline.prologue is not None:
        lines.append(_phase("prologue", timeline.prologue))
    for phase in timeline.steady[:_MAX_KINDS]:
        lines.append(_phase("steady", phase))
    rest = timeline.steady[_MAX_KINDS:]
    if rest:
        count = sum(p.iterations for p in rest)
        lines.append(
            f"  steady: {count} more of {len(rest)} kinds, {sum(p.iterations * p.cycles for p in rest)} cycles"
        )
    for phase in timeline.epilogue:
        lines.append(_phase("epilogue", phase))
    if timeline.own_copy_bytes:
        lines.append(
            f"  copies of the body itself: {timeline.own_copy_bytes} B, {timeline.own_copy_cycles} cycles, "
            "taken to overlap the bodies fully"
        )
    if timeline.body is not None:
        lines.append(f"  body runs: {timeline.body_total} cycles, {_percent(timeline.body_total, timeline.total)}")
    lines.append(f"  copies run: {timeline.copy_total} cycles, {_percent(timeline.copy_total, timeline.total)}")
    lines.append(f"  time: {timeline.nanoseconds} ns at {timeline.clock_hz / 1e9:.3g} GHz")
    return lines


def _costs(estimate: Estimate) -> list[str]:
    """The body's bundles by line of the kernel, names of its author's choosing as `_`."""
    lines = [f"costs of a step by source line: {estimate.body_bundles} bundles"]
    lines += [f"  {cost.bundles}: {cost.text or 'no line of the kernel'}" for cost in estimate.costs]
    if estimate.other_lines:
        lines.append(f"  {estimate.other_lines}: other lines")
    if estimate.loop_bundles:
        lines.append(f"  {estimate.loop_bundles}: loops and branches")
    return lines


def _roofline(roofline: Roofline, timeline: Timeline | None) -> list[str]:
    lines = [f"roofline: {'bound by ' + roofline.bound if roofline.bound else 'no roof is known'}"]
    lines.append(f"  operations: counted {roofline.counted}")
    for name, flops in roofline.contractions:
        lines.append(f"  contractions: {flops} flops of {name}")
    lines.append(f"  elementwise and reductions: {roofline.vector} operations")
    lines.append(f"  hbm bytes: {roofline.bytes}")
    if roofline.intensity is not None:
        lines.append(f"  intensity: {roofline.intensity:.2f} operations a byte")
    if roofline.ridge is not None:
        lines.append(
            f"  ridge of the matrix unit: {roofline.ridge:.1f} flops a byte in {roofline.ridge_dtype or 'bfloat16'}"
        )
    for what, cycles in roofline.roofs:
        lines.append(f"  {what}: {cycles} cycles")
    if roofline.matrix_cycles and timeline is not None:
        lines.append(f"  matrix unit busy: {_percent(roofline.matrix_cycles, timeline.total)} of the timeline")
    return lines


def _verdict(verdict: Verdict) -> str:
    word = {True: "PASS", False: "FAIL", None: "NOT RUN"}[verdict.passed]
    return f"  {verdict.subject}: {word}, {verdict.detail}"
