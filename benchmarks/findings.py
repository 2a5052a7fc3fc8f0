"""All findings of a spec on five chips, in one process: `python benchmarks/findings.py [SPEC ..] [--runs N]`.

Seconds of CPU. The peer is JAX, which traces and lowers the same kernel for the same chips, and finds only what stops
it. Loading the spec file is left out on both sides. The last line is a grid of 10^9 steps. Needs the `[oracle]` extra.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.jax_mosaic import emit
from pipeline.oracles.spec_to_jax import spec_to_jax
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

CHIPS = ("v4", "v5e", "v5p", "v6e", "7x")
SPECS = Path(__file__).parent.parent / "specs"
TYPICAL = ("softmax", "matmul", "layernorm", "rms_norm", "scale_rows", "flash_attention")
_GOAL, _LONG_GOAL = 0.1, 1.0  # seconds
_STEPS = 10**9


def median(run: Callable[[], object], runs: int) -> float:
    """Median seconds of CPU that `runs` runs take, after one that is not counted; others use the machine too."""
    run()
    found = []
    for _ in range(runs):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return statistics.median(found)


def ours(spec: Spec, estimated: bool) -> int:
    """Findings on all chips."""
    call = trace(spec)
    found = 0
    for chip in map(load_chip, CHIPS):
        found += len(schedule(call, lower(call, chip), chip, estimated=estimated).findings)
    return found


def theirs(spec: Spec) -> None:
    for chip in CHIPS:
        emit(*spec_to_jax(spec), chip)


def long_grid(spec: Spec) -> None:
    """The same kernel over a grid that is far too long, judged on all chips."""
    call = trace(spec)
    longer = replace(call, grid=(_STEPS // 2, 2, *call.grid[2:])[: len(call.grid)])
    for chip in map(load_chip, CHIPS):
        schedule(longer, lower(longer, chip), chip)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("specs", nargs="*", type=Path, default=[SPECS / f"{name}.toml" for name in TYPICAL])
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    times = []
    print("| spec | verdict | and speed | JAX lowers | JAX : all |")
    print("|---|---|---|---|---|")
    for path in options.specs:
        spec = load_specs(path)[0]
        verdict, everything = (median(partial(ours, spec, estimated), options.runs) for estimated in (False, True))
        peer = median(partial(theirs, spec), options.runs)
        times.append(everything)
        print(
            f"| {spec.name} | {1e3 * verdict:.0f} ms | {1e3 * everything:.0f} ms | {1e3 * peer:.0f} ms "
            f"| {peer / everything:.1f} |"
        )
    matmul = next(spec for spec in load_specs(SPECS / "matmul.toml"))
    long = median(partial(long_grid, matmul), options.runs)
    print(f"\n{_STEPS:.0e} steps: {1e3 * long:.0f} ms on {len(CHIPS)} chips; goal {_LONG_GOAL:.0f} s")
    print(f"median {1e3 * statistics.median(times):.0f} ms; goal {1e3 * _GOAL:.0f} ms")
    return 0 if statistics.median(times) < _GOAL and long < _LONG_GOAL else 1


if __name__ == "__main__":
    raise SystemExit(main())
