"""The TPU compiler's own static schedule of our Mosaic text, without a TPU: bundles of one trip of the grid loop, and
the grid that one core goes over.

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
from pathlib import Path
from typing import Any

from pipeline.oracles.libtpu import Job, _compile, child_environment

_SECONDS = 120  # for one kernel
_LINE = re.compile(r"\s*(0x[0-9a-f]+|0)\s+(\S*?)\s*:\s*(>*)\s*\{(.*)\}")
_BRANCH = re.compile(r"sbr\.rel.*?target bundleno = (\d+)")
_BOUNDS = re.compile(r"^iteration_bounds: \(([\d, ]*)\)", re.MULTILINE)  # of a copy in the grid loop
_DELAY_SLOTS = 4  # bundles after a branch that belong to it


def step_bundles(jobs: Sequence[Job]) -> list[int | None]:
    """Bundles of the grid loop for each job; None where there is none, or one inside it, whose trips no dump says.

    Raises RuntimeError if the child fails (no libtpu, or a module it refuses).
    """
    return [answer["bundles"] for answer in _answers(jobs)]


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


def loop_bundles(text: str) -> int | None:
    """Bundles of the outermost loop in a dump of packed bundles, delay slots of its branch included."""
    start: int | None = None
    length: int | None = None
    for line in text.splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        address, label, depth, body = int(match[1], 16), match[2], match[3], match[4]
        if label == "LB" and len(depth) == 1 and start is None:
            start = address
        if label == "LB" and len(depth) > 1:
            return None
        branch = _BRANCH.search(body)
        if branch is not None and start is not None and int(branch[1]) == start:
            length = address + _DELAY_SLOTS + 1 - start
    return length


def _child(lines: Iterable[str], folder: Path) -> None:
    devices: dict[str, object] = {}
    for line in lines:
        for old in folder.iterdir():
            if old.is_file():
                old.unlink()
        _compile(Job(**json.loads(line)), devices)
        dumps = sorted(folder.glob("*-packed-bundles-post-ra.txt"))
        dumps = [d for d in dumps if not any(word in d.name for word in ("schedule-analysis", "TLP", "<late"))]
        counts = [loop_bundles(dump.read_text(errors="replace")) for dump in dumps]
        answer = {"bundles": next((n for n in counts if n is not None), None), "grid": _grid(folder)}
        print(json.dumps(answer), flush=True)


def _grid(folder: Path) -> list[int] | None:
    for dump in sorted(folder.glob("*-original.txt")):
        found = None if "TLP" in dump.name or "<late" in dump.name else _BOUNDS.search(dump.read_text(errors="replace"))
        if found is not None:
            return [int(n) for n in found[1].split(",") if n.strip()]
    return None


if __name__ == "__main__":
    _child(sys.stdin, Path(sys.argv[1] if len(sys.argv) > 1 else os.curdir))
