"""Time of `build` and `check` of many specs that have not changed: `python benchmarks/unchanged.py [--specs N]`.

Makes N small specs in a new folder, builds them once, then times both commands in processes of their own.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPEC = """\
name = "copy{number}"
targets = ["v5e"]

[kernel]
source = '''
def twice(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2
'''

[[inputs]]
name = "x"
shape = [8, 128]
dtype = "float32"

[[outputs]]
name = "o"
shape = [8, 128]
dtype = "float32"

[simulate]
reference = "lambda x: x * 2"
"""


def run(folder: str, *argv: str) -> float:
    """Seconds of one command. One that does not end well raises."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "pipeline", *argv], cwd=folder, env={**os.environ, "PYTHONPATH": path}, check=True
    )
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--specs", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        specs = Path(folder) / "specs"
        specs.mkdir()
        for number in range(options.specs):
            (specs / f"copy{number}.toml").write_text(SPEC.format(number=number), encoding="utf-8")
        first = run(folder, "build", "-q")
        run(folder, "build", "-q")  # files just written are looked at once more: their clock may be too coarse
        print(f"{options.specs} specs, {options.runs} runs each, {os.cpu_count()} cores; first build {first:.1f} s\n")
        print("| command | median | slowest |")
        print("|---|---|---|")
        for command in ("build", "check"):
            found = [run(folder, command, "-q") for _ in range(options.runs)]
            print(f"| {command}, nothing changed | {statistics.median(found):.2f} s | {max(found):.2f} s |")


if __name__ == "__main__":
    main()
