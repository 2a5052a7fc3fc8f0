"""Numbers that JAX's interpret mode gave for every spec, recorded: `python -m pipeline.oracles.interpret_record
[NAME..]`.

A few elements of each output, evenly spread. The lenient mode has to give them on a machine without JAX, too.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.errors import SpecError
from pipeline.ir.call import Role
from pipeline.oracles.interpreters import interpret
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import Run, execute
from pipeline.simulate.functional import steps_in_place
from pipeline.simulate.machine import Filling
from pipeline.simulate.mode import LENIENT
from pipeline.simulate.prepared import too_much_work
from pipeline.simulate.tolerance import rounding_of, tolerance_for
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

Array = Any
RECORD = Path(__file__).resolve().parents[2] / "tests" / "modes" / "interpret.json"
SAMPLES = 8
_WORK = 300_000_000  # a third of a second


def lenient_run(spec: Spec) -> Run | None:
    """The kernel as interpret mode runs it; None where it has no data, no end, or too much to do for a test."""
    try:
        call = trace(spec)
        if too_much_work(call, _WORK) is not None:
            return None
        run = execute(call, make_inputs(spec), Filling(variant=2), mode=LENIENT)
    except SpecError:
        return None
    return run if run.finished else None


def sample(x: Array) -> list[float | int | str]:
    """A few elements as JSON has them: NaN and infinities as words."""
    flat = np.asarray(x).reshape(-1)
    picked = flat[np.unique(np.linspace(0, flat.size - 1, SAMPLES).astype(np.int64))]
    if flat.dtype.kind in "iub" or flat.dtype.name in ("int4", "uint4"):
        return [int(value) for value in picked]
    values = [float(value) for value in picked]
    return [value if math.isfinite(value) else str(value) for value in values]


def disagreements(spec: Spec, run: Run, recorded: dict[str, list[float | int | str]]) -> list[str]:
    """Recorded elements that the run does not have within its tolerance."""
    call = trace(spec)
    facts = rounding_of(call.body)
    found = []
    for output in call.with_role(Role.OUTPUT):
        tolerance = tolerance_for(call, facts, output, steps_in_place(call, output))
        values = run.outputs[output.name]
        wide = values.astype(np.float64)
        finite = wide[np.isfinite(wide)]
        scale = 1.0 if tolerance.absolute else float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0
        for ours, theirs in zip(sample(values), recorded[output.name], strict=True):
            a, b = float(ours), float(theirs)
            near = a == b or (math.isnan(a) and math.isnan(b))
            if not near and not abs(a - b) <= tolerance.bound * max(scale, 0.0 if tolerance.absolute else abs(b)):
                found.append(f"{output.name}: {ours}, not {theirs}")
    return found


def main(names: Sequence[str]) -> None:
    """Ask JAX of the specs of these names (none: of all), and write the record."""
    import importlib.metadata

    known = json.loads(RECORD.read_text(encoding="utf-8")) if names else {"specs": {}, "refused": []}
    found: dict[str, dict[str, list[float | int | str]]] = {}
    refused: list[str] = []
    for spec in shipped_specs():
        if spec.name not in names and spec_id(spec) in known["specs"]:
            found[spec_id(spec)] = known["specs"][spec_id(spec)]
            continue
        if spec.name not in names and spec_id(spec) in known["refused"]:
            refused.append(spec_id(spec))
            continue
        if (names and spec.name not in names) or lenient_run(spec) is None:
            continue
        seen = interpret(spec, make_inputs(spec), "interpret")
        if seen.outputs is None:
            refused.append(spec_id(spec))
        else:
            outputs = [operand.name for operand in spec.operands if operand.role is Role.OUTPUT]
            found[spec_id(spec)] = dict(zip(outputs, map(sample, seen.outputs), strict=True))
    versions = {package: importlib.metadata.version(package) for package in ("jax", "jaxlib")}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(values)}" for name, values in found.items())
    head = f' "versions": {json.dumps(versions)},\n "refused": {json.dumps(refused)},\n'
    text = f'{{\n{head} "specs": {{\n{lines}\n }}\n}}\n'
    RECORD.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
