"""The DMA pipeline around the body: what is started, waited for and run, in which iterations, how often.

Source: the loop that libtpu 0.0.42.1 makes of a grid. It runs steps + 2 iterations; iteration i starts the copies of
block i, waits for those of step i - 1 and runs it, and waits for what step i - 2 wrote. A copy is left out when the
block is the one already there. A single step has no loop and nothing overlaps.
"""

from __future__ import annotations

from math import prod

from pipeline.ir.call import Role
from pipeline.schedule.result import Action, Pipeline, Window


def plan_pipeline(grid: tuple[int, ...], windows: tuple[Window, ...]) -> Pipeline:
    """Prologue, steady state and epilogue for the windows of a call, in operand order."""
    steps = prod(grid)
    overlapped = steps > 1
    inputs = [w for w in windows if w.role is Role.INPUT]
    outputs = [w for w in windows if w.role is Role.OUTPUT]
    prologue = [Action("start copy in", w.operand, w.copy_bytes, "once", min(1, steps)) for w in inputs]
    steady: list[Action] = []
    epilogue: list[Action] = []
    for w in inputs:
        more = w.visits.copies - 1
        if more > 0:
            steady.append(Action("start copy in", w.operand, w.copy_bytes, _when(w), more))
    for w in inputs:
        steady.append(Action("wait copy in", w.operand, w.copy_bytes, _when(w), w.visits.copies))
    steady.append(Action("run body", None, 0, "every step", steps))
    for w in outputs:
        more = w.visits.copies - 1
        if more > 0:
            steady.append(Action("start copy out", w.operand, w.copy_bytes, _when(w), more))
            steady.append(Action("wait copy out", w.operand, w.copy_bytes, _when(w), more))
    for w in outputs:
        epilogue.append(Action("start copy out", w.operand, w.copy_bytes, "once", min(1, steps)))
    for w in outputs:
        epilogue.append(Action("wait copy out", w.operand, w.copy_bytes, "once", min(1, steps)))
    return Pipeline(
        steps=steps,
        overlapped=overlapped,
        iterations=steps + 2 if overlapped else steps,
        prologue=tuple(prologue),
        steady=tuple(steady),
        epilogue=tuple(epilogue),
    )


def _when(window: Window) -> str:
    visits = window.visits
    if visits.copies <= 1:
        return "once"
    words = "every step" if visits.copies == visits.steps and visits.exact else "when its block changes"
    if not visits.exact:
        words = "when its block changes, at most every step" if visits.copies == visits.steps else f"{words}, at most"
    return f"{words}, not overlapped" if window.buffers == 1 else words
