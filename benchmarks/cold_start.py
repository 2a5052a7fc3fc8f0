"""Time of one cold command, against JAX's cold import, trace and Mosaic lowering of the same kernel.

python benchmarks/cold_start.py [--python PY] [--jax-python PY] [--runs N]

Each run is a process of its own; the commands take turns, so that a slow minute of the machine hits all of them alike.
Prints a Markdown table of medians and of their ratios to JAX's.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
JAX = "JAX: import, trace, lower"
JAX_ENV = {"JAX_PLATFORMS": "cpu"}  # where libtpu is installed, it isn't loaded: faster for JAX, and quieter


def commands(python: str, jax_python: str) -> dict[str, list[str]]:
    """Name in the table -> command. `SPEC` stands for a copy of the spec in a new folder."""
    tool = [python, "-m", "pipeline"]
    return {
        JAX: [jax_python, str(ROOT / "benchmarks" / "jax_softmax.py")],
        "build, all stages, one chip": [*tool, "build", "SPEC", "--target", "v5e"],
        "show --stage lower": [*tool, "show", "SPEC", "--target", "v5e", "--stage", "lower"],
        "--help": [*tool, "--help"],
        "python -c pass": [python, "-c", "pass"],
    }


class Took(NamedTuple):
    """Seconds of one run: by the clock, and of processor time (which a busy machine hardly changes)."""

    wall: float
    cpu: float


def run(command: list[str]) -> Took:
    """One run in a new folder, so that nothing is there to be reused. A failing command raises."""
    # An installed package has its bytecode compiled; a setting that keeps Python from writing it would be measured.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        specs = Path(folder) / "specs"
        specs.mkdir()
        shutil.copy(ROOT / "specs" / "softmax.toml", specs)
        path = os.pathsep.join([str(ROOT), *filter(None, [environment.get("PYTHONPATH")])])
        argv = [str(Path("specs") / "softmax.toml") if word == "SPEC" else word for word in command]
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            argv,
            cwd=folder,
            env={**environment, "PYTHONPATH": path, **JAX_ENV},
            capture_output=True,
            text=True,
            check=False,
        )
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0 and "build" not in command:
            raise SystemExit(f"{' '.join(argv)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
        if "build" in command and not list(Path(folder).rglob("*softmax*/*")):
            raise SystemExit(f"build wrote no captures:\n{done.stdout}{done.stderr}")
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Took(wall, spent)


def version(python: str, *packages: str) -> str:
    """`3.11.2, jax 0.10.2`."""
    code = (
        "import platform, importlib.metadata as m; print(', '.join([platform.python_version(), "
        f"*(p + ' ' + m.version(p) for p in {packages!r})]))"
    )
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="interpreter that runs the pipeline")
    parser.add_argument("--jax-python", default=sys.executable, help="interpreter that has JAX")
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()

    table = commands(options.python, options.jax_python)
    times: dict[str, list[Took]] = {name: [] for name in table}
    for command in table.values():
        run(command)  # fills the disk cache and writes .pyc files
    for _ in range(options.runs):
        for name, command in table.items():
            times[name].append(run(command))
    medians = {name: Took(*map(statistics.median, zip(*found, strict=True))) for name, found in times.items()}
    print(f"{options.runs} runs each, {os.cpu_count()} cores, {platform.machine()}")
    print(f"pipeline: Python {version(options.python, 'pydantic', 'numpy')}; ", end="")
    print(f"JAX: Python {version(options.jax_python, 'jax', 'jaxlib')}\n")
    print("| command | median | fastest | of JAX's median | processor time | of JAX's |")
    print("|---|---|---|---|---|---|")
    for name, took in medians.items():
        fastest = min(found.wall for found in times[name])
        shown = [f"{seconds * 1e3:.0f} ms" for seconds in (took.wall, fastest, took.cpu)]
        ratios = [f"{took.wall / medians[JAX].wall:.2f}", f"{took.cpu / medians[JAX].cpu:.2f}"]
        print(f"| {name} | {shown[0]} | {shown[1]} | {ratios[0]} | {shown[2]} | {ratios[1]} |")


if __name__ == "__main__":
    main()
