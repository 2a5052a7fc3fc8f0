"""A program that is run often, as a Python function of its own: a line for each step, its values in local variables.

Making one takes about as long as a hundred runs save by it. The text has nothing of a spec's in it but numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.simulate.program import Program

Run = Callable[..., list[Any]]
MOST_STEPS = 2_000  # of a function: Python takes long to compile a longer one


def straight_line(program: Program) -> Run | None:
    """What `Program.run` does, for this program alone; None for one that is too long."""
    if len(program.steps) > MOST_STEPS:
        return None
    made = set(range(program.inputs))
    known: dict[str, Any] = {"machine": program.machine, "runs": program.runs}

    def name(slot: int) -> str:
        if slot in made:
            return f"v{slot}"
        known[f"c{slot}"] = program.template[slot]
        return f"c{slot}"

    lines = [
        f"def run({', '.join(map(name, range(program.inputs)))}):",
        f"    machine.work -= {program.work}",
        "    if machine.work < 0: machine.spend(0)",
        f"    runs[0] += {program.lanes}",
    ]
    for number, (function, inputs, output, dead) in enumerate(program.steps):
        known[f"f{number}"] = function
        call = f"f{number}({', '.join(map(name, inputs))})"
        outputs = (output,) if isinstance(output, int) else output or ()
        made.update(outputs)
        lines.append(f"    {', '.join(map(name, outputs))} = {call}" if outputs else f"    {call}")
        if dead:
            lines.append(f"    {' = '.join(map(name, dead))} = None")
    lines.append(f"    return [{', '.join(map(name, program.results))}]")
    exec("\n".join(lines), known)
    run: Run = known.pop("run")  # or the two would hold each other
    return run
