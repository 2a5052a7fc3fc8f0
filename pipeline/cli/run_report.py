"""What `pipeline run` says while it runs and at its end, and the arrays that it leaves."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import SpecError

if TYPE_CHECKING:
    from pipeline.simulate.reorder import Moved
    from pipeline.simulate.simulate import Simulation
    from pipeline.spec.spec import Spec

_PATIENCE = 1.0  # seconds before a run is long
_PERIOD = 0.2


class Steps:
    """Counts steps; of a long run it tells on stderr how far it is, in one line that is overwritten, on a terminal."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self.enabled = sys.stderr.isatty()
        self.began = time.monotonic()
        self.next = self.began + _PATIENCE
        self.shown = False

    def __call__(self, steps: int) -> None:
        self.done += steps
        if self.enabled and (now := time.monotonic()) >= self.next:
            self.next = now + _PERIOD
            self.shown = True
            sys.stderr.write(f"\r\x1b[K{self.line(now)}")
            sys.stderr.flush()

    def line(self, now: float) -> str:
        """How far the run is, at what rate. A kernel is run again where its outputs may hang on what memory holds."""
        again, done = divmod(max(self.done - 1, 0), self.total)
        done += 1 if self.done else 0
        rate = self.done / max(now - self.began, 1e-9)
        left = (self.total - done) / rate if rate else 0.0
        which = f"run {again + 1}: " if again else ""
        return f"{which}{done:,} of {self.total:,} steps, {rate:,.0f} a second, {left:.0f} s left"

    def clear(self) -> None:
        """Take the line away."""
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self.shown = False


def print_moved(found: Sequence[Moved], seed: int) -> None:
    """How far each output moved when its terms were added up in another order."""
    print(f"\nreordered reductions: seed {seed}")
    for moved in found:
        if not moved.changed:
            print(f"  {moved.name}: no element changes")
            continue
        word = "within" if moved.within else "beyond"
        ulps = f" ({moved.ulps} ulps)" if moved.ulps else ""
        print(
            f"  {moved.name}: {moved.changed} of {moved.elements} elements change, by at most {moved.error:.2g}{ulps}, "
            f"{word} the tolerance {moved.tolerance}"
        )


def json_result(
    spec: Spec, simulation: Simulation, passed: bool, files: Sequence[str], moved: Sequence[Moved], problems: list[Any]
) -> dict[str, Any]:
    """The run as one JSON value; `problems` are its findings as the other commands tell them."""
    functional = simulation.functional
    outputs = []
    for output in functional.outputs:
        compared = output.comparison
        outputs.append(
            {
                "name": output.name,
                "aval": output.aval,
                "elements": output.elements,
                "tolerance": None if output.tolerance is None else output.tolerance.bound,
                "outside_tolerance": None if compared is None else compared.outside,
                "unexpected_nan": None if compared is None else compared.unexpected_nan,
                "nan": output.nan,
                "never_written": output.unwritten,
            }
        )
    return {
        "spec": spec.name,
        "variant": spec.variant,
        "status": functional.status,
        "passed": passed,
        "verdicts": [verdict._asdict() for verdict in simulation.verdicts],
        "outputs": outputs,
        "reordered": [
            {"name": m.name, "changed": m.changed, "error": m.error, "ulps": m.ulps, "within": m.within} for m in moved
        ],
        "files": list(files),
        "findings": problems,
    }


def write_outputs(folder: Path, values: Mapping[str, Any]) -> list[str]:
    """One NAME.npy for each output, each whole and none before all are ready. NumPy has no name for bf16 and fp8: it
    keeps them as raw bytes of their width. Errors: SpecError C113."""
    import numpy as np

    from pipeline.capture.write import write_files

    files: dict[str, bytes] = {}
    for name, array in values.items():
        data = io.BytesIO()
        np.save(data, np.ascontiguousarray(array), allow_pickle=False)
        files[str(folder / f"{name}.npy")] = data.getvalue()
    try:
        os.makedirs(folder, exist_ok=True)
        write_files(files)
    except OSError as error:
        raise SpecError("C113", f"cannot write outputs to {folder}: {error.strerror}") from None
    return list(files)
