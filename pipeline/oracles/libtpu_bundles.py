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
from typing import Any, NamedTuple

from pipeline.chips.load import load_chip
from pipeline.oracles.bundle_dump import Count, count_step, unit_cycles
from pipeline.oracles.libtpu import Job, _compile, child_environment

_SECONDS = 120  # for one kernel
_OTHER = ("schedule-analysis", "TLP", "<late")  # dumps that are no kernel's
_KERNEL = "_lambda_"  # in the name of the kernel's dump; the others are of copies that bring operands into shape
_USE = "pre-delay_hlo-static-per-bundle-utilization"  # in the name of its table of what each bundle uses
_GRID = re.compile(r"iteration_bounds = array<i64: ([-\d, ]*)>")
_SEMAPHORES = re.compile(r"\[shape = 's32\[(\d+)\]\{0\}', space=sflag, [^]]*scoped")  # of a window, one a slot
_BOUNDS = re.compile(r"^iteration_bounds: \(([\d, ]*)\)", re.MULTILINE)  # of a copy in the grid loop


def step_bundles(jobs: Sequence[Job]) -> list[Count | None]:
    """Bundles of a grid step for each job, of the whole kernel where the grid is one step; None where no dump has any.

    Raises RuntimeError if the child fails (no libtpu, or a module it refuses).
    """
    counts = [answer["count"] for answer in _answers(jobs)]
    return [None if count is None else Count(**count) for count in counts]


def step_units(jobs: Sequence[Job]) -> list[tuple[Count | None, dict[str, int]]]:
    """For each job the bundles of a grid step, and the cycles that each unit is busy in it; {} where no dump says.

    Raises RuntimeError as `step_bundles` does.
    """
    return [
        (None if answer["count"] is None else Count(**answer["count"]), answer["units"]) for answer in _answers(jobs)
    ]


class CoreLoop(NamedTuple):
    """One core's loop: its grid, which is the call's or its share on a device of several cores, and the buffer slots of
    each window that is copied. `grid` is None where no copy of the loop says it."""

    grid: tuple[int, ...] | None
    slots: tuple[int, ...]


def core_loops(jobs: Sequence[Job]) -> list[CoreLoop]:
    """One core's loop for each job. Raises RuntimeError as `step_bundles` does."""
    found = _answers(jobs)
    return [CoreLoop(None if one["grid"] is None else tuple(one["grid"]), tuple(one["slots"])) for one in found]


def _answers(jobs: Sequence[Job]) -> list[dict[str, Any]]:
    memory = Path("/dev/shm")  # the dumps are large and read once
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
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


def kernel_dump(names: Iterable[str], kind: str = "-packed-bundles-post-ra") -> str | None:
    """The name of the kernel's dump of packed bundles among a compilation's; None if there is none."""
    kernels = (n for n in sorted(names) if _KERNEL in n and kind in n)
    return next((n for n in kernels if not any(other in n for other in _OTHER)), None)


def _child(lines: Iterable[str], folder: Path) -> None:
    devices: dict[str, object] = {}
    for line in lines:
        for old in folder.iterdir():
            if old.is_file():
                old.unlink()
        job = Job(**json.loads(line))
        _compile(job, devices, alone=True)
        names = [path.name for path in folder.iterdir()]
        text, table = (
            (folder / name).read_text(errors="replace") if (name := kernel_dump(names, kind)) is not None else ""
            for kind in ("-packed-bundles-post-ra", _USE)
        )
        loop = _loop(folder)
        own = loop["grid"]  # of one core, where the compiler shares the grid out
        looped = grid_is_looped(job.text) if own is None else prod(own) > 1
        step = (looped, load_chip(job.chip).latency("branch_delay") or 0)
        count = count_step(text, *step)
        answer = {
            "count": None if count is None else count._asdict(),
            "units": unit_cycles(text, table, *step),
            **loop,
        }
        print(json.dumps(answer), flush=True)


def _loop(folder: Path) -> dict[str, Any]:
    for dump in sorted(folder.glob("*-original.txt")):
        if _KERNEL not in dump.name or any(other in dump.name for other in _OTHER):
            continue
        text = dump.read_text(errors="replace")
        found = _BOUNDS.search(text)
        if found is not None:
            bounds = [int(n) for n in found[1].split(",") if n.strip()]
            return {"grid": bounds, "slots": [int(n) for n in _SEMAPHORES.findall(text)]}
    return {"grid": None, "slots": []}


if __name__ == "__main__":
    _child(sys.stdin, Path(sys.argv[1] if len(sys.argv) > 1 else os.curdir))
