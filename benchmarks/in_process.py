"""Trace and lower every shipped spec in one process, here and in JAX: `python benchmarks/in_process.py [--runs N]`.

Both sides start from the spec's text each time: JAX keeps traces by function, so it gets a new function, made by
executing the source, as ours parses it. Loading the spec file is left out on both sides. Needs the `[oracle]` extra.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.jax_mosaic import emit
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.oracles.spec_to_jax import spec_to_jax
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace


def median(run: Callable[[], object], runs: int) -> float:
    """Median seconds of `runs` runs, after one that is not counted."""
    run()
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def ours(spec: Spec) -> str:
    return print_mosaic(lower(trace(spec), load_chip("v5e")))


def theirs(spec: Spec) -> list[str]:
    return emit(*spec_to_jax(spec), "v5e")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    import jax

    print(f"{options.runs} runs each, jax {jax.__version__}, {Path(jax.__file__).parent.name}\n")
    print("| spec | trace + lower | JAX's | ratio |")
    print("|---|---|---|---|")
    total = [0.0, 0.0]
    for spec in shipped_specs():
        if spec.expect is not None:
            continue  # an exhibit: JAX may not lower it
        here, there = median(partial(ours, spec), options.runs), median(partial(theirs, spec), options.runs)
        total[0] += here
        total[1] += there
        print(f"| {spec_id(spec)} | {here * 1e3:.1f} ms | {there * 1e3:.1f} ms | {there / here:.1f} x |")
    print(f"| all | {total[0] * 1e3:.1f} ms | {total[1] * 1e3:.1f} ms | {total[1] / total[0]:.1f} x |")


if __name__ == "__main__":
    main()
