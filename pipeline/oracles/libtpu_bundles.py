"""The TPU compiler's own static schedule of our Mosaic text, without a TPU: bundles of a grid step, and the grid that
one core goes over.

`python -m pipeline.oracles.libtpu_bundles` is the child that compiles: jobs as JSON lines in, what the dumps say as
JSON lines out.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from math import prod
from pathlib import Path
from typing import Any

from pipeline.chips.load import load_chip
from pipeline.oracles.bundle_dump import Count, count_step
from pipeline.oracles.libtpu import Job, _compile, child_environment

_SECONDS = 120  # for one kernel
_OTHER = ("schedule-analysis", "TLP", "<late")  # dumps that are no kernel's
_KERNEL = "_lambda_"  # in the name of the kernel's dump; the others are of copies that bring operands into shape
_GRID = re.compile(r"iteration_bounds = array<i64: ([-\d, ]*)>")
_BOUNDS = re.compile(r"^iteration_bounds: \(([\d, ]*)\)", re.MULTILINE)  # of a copy in the grid loop


def step_bundles(jobs: Sequence[Job]) -> list[Count | None]:
    """Bundles of a grid step for each job, of the whole kernel where the grid is one step; None where no dump has any.

    Raises RuntimeError if the child fails (no libtpu, or a module it refuses).
    """
    counts = [answer["count"] for answer in _answers(jobs)]
    return [None if count is None else Count(**count) for count in counts]


def core_grids(jobs: Sequence[Job]) -> list[tuple[int, ...] | None]:
    """The grid of one core's loop for each job: the call's, or its share on a device of several cores; None where no
    copy of the loop says it.

    Raises RuntimeError as `step_bundles` does.
    """
    found = [answer["grid"] for answer in _answers(jobs)]
    return [None if grid is None else tuple(grid) for grid in found]


def _answers(jobs: Sequence[Job]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        env = child_environment()
        env["LIBTPU_INIT_ARGS"] = f"--xla_jf_dump_to={folder} --xla_jf_dump_llo_text=true"
        done = subprocess.run(
            [sys.executable, "-m", "pipeline.oracles.libtpu_bundles", folder],
            input="".join(json.dumps(asdict(job)) + "\n" for job in jobs),
            capture_output=True,
            text=True,
            env=env,
            timeout=_SECONDS * len(jobs),
            check=False,
        )
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if len(found) < len(jobs):
        raise RuntimeError(f"the compiler's process failed: {done.stderr.strip().splitlines()[-1:]}")
    return found


def grid_is_looped(text: str) -> bool:
    """Whether a module runs more than one step: then the compiler makes a loop of its grid."""
    found = _GRID.search(text)
    bounds = [int(n) for n in found[1].split(",")] if found is not None and found[1].strip() else []
    return any(n < 0 for n in bounds) or prod(bounds) > 1


def kernel_dump(names: Iterable[str]) -> str | None:
    """The name of the kernel's dump of packed bundles among a compilation's; None if there is none."""
    kernels = (n for n in sorted(names) if _KERNEL in n and "-packed-bundles-post-ra" in n)
    return next((n for n in kernels if not any(other in n for other in _OTHER)), None)


def _child(lines: Iterable[str], folder: Path) -> None:
    devices: dict[str, object] = {}
    for line in lines:
        for old in folder.iterdir():
            if old.is_file():
                old.unlink()
        job = Job(**json.loads(line))
        _compile(job, devices)
        name = kernel_dump(path.name for path in folder.iterdir())
        text = (folder / name).read_text(errors="replace") if name is not None else ""
        count = count_step(text, grid_is_looped(job.text), load_chip(job.chip).latency("branch_delay") or 0)
        answer = {"count": None if count is None else count._asdict(), "grid": _grid(folder)}
        print(json.dumps(answer), flush=True)


def _grid(folder: Path) -> list[int] | None:
    for dump in sorted(folder.glob("*-original.txt")):
        if any(other in dump.name for other in _OTHER):
            continue
        found = _BOUNDS.search(dump.read_text(errors="replace"))
        if found is not None:
            return [int(n) for n in found[1].split(",") if n.strip()]
    return None


if __name__ == "__main__":
    _child(sys.stdin, Path(sys.argv[1] if len(sys.argv) > 1 else os.curdir))
