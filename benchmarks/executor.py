"""The functional run of shipped specs against JAX's interpret modes: `python benchmarks/executor.py [--specs ...]`.

Both sides are given the traced kernel and its data; the fastest run of each counts. Ours are `execute`, which prepares
the call anew each time, and a run of a call that was prepared; JAX's are the jitted `pallas_call(interpret=True)` with
its compilation, the same compiled, and TPU interpret mode. What includes preparation is held against `execute`, the
compiled loop against the prepared run. They take turns, so that a busy machine is busy for all of them. BLAS has one
thread, XLA as many as there are cores (`taskset -c 0` with `XLA_FLAGS=--xla_cpu_multi_thread_eigen=false`: one).
Needs the `[oracle]` extra; exhibits are left out. `--small-steps` measures kernels of many small steps instead.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line has it; counts before NumPy is imported

import numpy as np

from pipeline.ir.call import Role
from pipeline.oracles.shipped import SPECS, shipped_specs, spec_id
from pipeline.oracles.spec_to_jax import dynamic_bounds, spec_to_jax
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import execute
from pipeline.simulate.prepared import Prepared
from pipeline.spec.load import parse_specs
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

OURS, PREPARED, COMPILE, LOOP, TPU = "ours", "prepared", "interpret, with its compile", "compiled loop", "TPU interpret"
AGAINST = {COMPILE: OURS, LOOP: PREPARED, TPU: OURS}  # which of ours a column of JAX's is a multiple of
SLOW = (COMPILE, TPU)  # measured once
BURST, BURST_SECONDS = 20, 0.02  # of runs in one turn


def timed(run: Callable[[], object]) -> float:
    """Seconds of one run."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def wait(results: Any) -> None:
    for result in results:
        result.block_until_ready()


Side = Callable[[], object]


def sides(spec: Spec, inputs: Mapping[str, Any], tpu: bool) -> Iterator[tuple[str, Callable[[], Side]]]:
    """What is measured: a column's head, and what makes the function that is timed."""
    call = trace(spec)
    values: list[Any] = [*(dynamic_bounds(spec) or ())]
    values += [inputs[operand.name] for operand in spec.operands if operand.role is not Role.OUTPUT]

    def compiled(interpret: Any) -> Side:
        import jax

        function = jax.jit(spec_to_jax(spec, interpret=interpret)[0])
        args = [jax.numpy.asarray(value) for value in values]
        return lambda: wait(function(*args))

    def with_compile() -> Side:
        return lambda: compiled(True)()  # a new function each time: traced and compiled anew

    def slow() -> Side:
        from jax.experimental.pallas import tpu as pltpu

        interpreter: Any = pltpu
        return compiled(interpreter.InterpretParams())

    def prepared() -> Side:
        ready = Prepared(call, often=True)
        return lambda: ready.run(inputs)

    yield OURS, lambda: lambda: execute(call, inputs)
    yield PREPARED, prepared
    yield COMPILE, with_compile
    yield LOOP, lambda: compiled(True)
    if tpu:
        yield TPU, slow


def measure(spec: Spec, runs: int, tpu: bool) -> dict[str, float | str]:
    """Seconds of each side's fastest run, or why there are none. The sides take turns; short runs come in bursts."""
    found: dict[str, float | str] = {}
    ready: dict[str, Side] = {}
    times: dict[str, list[float]] = {}
    for name, make in sides(spec, make_inputs(spec), tpu):
        try:
            ready[name] = make()
            if name != COMPILE:  # which compiles each time
                ready[name]()
        except Exception as error:  # JAX's modes refuse some kernels, when tracing or running
            assert name not in (OURS, PREPARED), error
            found[name] = type(error).__name__
            ready.pop(name, None)
    for turn in range(runs):
        for name, side in ready.items():
            if turn and name in SLOW:
                continue
            try:
                mine = times.setdefault(name, [])
                mine.append(timed(side))
                for _ in range(min(BURST, int(BURST_SECONDS / mine[-1])) - 1 if name not in SLOW else 0):
                    mine.append(timed(side))
            except Exception as error:
                found[name] = type(error).__name__
    return {**{name: min(measured) for name, measured in times.items() if measured}, **found}


SMALL = {
    "scale_512_steps": (512, "(i, 0)", "o_ref[...] = x_ref[...] * 2.0"),
    "softmax_512_steps": (512, "(i, 0)", "o_ref[...] = jax.nn.softmax(x_ref[...], axis=-1)"),
    "branch_512_steps": (512, "(i, 0)", "o_ref[...] = x_ref[...]\n    @pl.when(pl.program_id(0) % 2 == 0)\n"
                          "    def _():\n        o_ref[0:4, :] = -x_ref[4:8, :]"),
    "sum_512_steps": (512, "(i // 16, 0)", "@pl.when(pl.program_id(0) % 16 == 0)\n    def _():\n"
                       "        o_ref[...] = jnp.zeros_like(o_ref)\n    o_ref[...] += x_ref[...]"),
}  # fmt: skip
SMALL_SPEC = """
name = "{name}"
summary = "many small steps"
targets = ["v5e"]

[kernel]
source = '''
def kernel(x_ref, o_ref):
    {body}
'''

[grid]
shape = [{steps}]

[[inputs]]
name = "x"
shape = [{rows}, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda i: (i, 0)"

[[outputs]]
name = "o"
shape = [{rows}, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda i: {map}"
"""


def small_specs(patterns: list[str]) -> Iterator[Spec]:
    for name, (steps, index_map, body) in SMALL.items():
        if any(fnmatch(name, pattern) for pattern in patterns):
            text = SMALL_SPEC.format(name=name, steps=steps, rows=8 * steps, map=index_map, body=body)
            yield from parse_specs(text, Path(f"{name}.toml"))


def selected(patterns: list[str]) -> Iterator[Spec]:
    for spec in shipped_specs():
        exhibit = (SPECS / "exhibits") in spec.folder.parents or spec.folder == SPECS / "exhibits"
        if spec.expect is None and not exhibit and any(fnmatch(spec_id(spec), pattern) for pattern in patterns):
            yield spec


def cell(found: Mapping[str, float | str], name: str) -> str:
    """A side's time as a multiple of ours, or why there is none."""
    value = found.get(name, "-")
    ours = found[AGAINST[name]]
    return value if isinstance(value, str) else f"{value / ours:.3g}" if isinstance(ours, float) else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--specs", nargs="+", default=["*"], metavar="PATTERN", help="ids, with * for any text")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--no-tpu", action="store_true", help="leave TPU interpret mode out: it is slow")
    parser.add_argument("--small-steps", action="store_true", help="kernels of many small steps, not the shipped specs")
    options = parser.parse_args()
    import jax

    print(f"times as multiples of ours, the fastest of {options.runs} turns")
    print(f"JAX {jax.__version__}, NumPy {np.__version__}\n")
    head = ("spec", "steps", OURS, PREPARED, *AGAINST)
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    ratios: dict[str, list[float]] = {name: [] for name in AGAINST}
    for spec in (small_specs if options.small_steps else selected)(options.specs):
        found = measure(spec, options.runs, not options.no_tpu)
        mine = []
        for name in (OURS, PREPARED):
            seconds = found[name]
            assert isinstance(seconds, float), f"{spec_id(spec)}: {seconds}"
            mine.append(f"{seconds * 1e3:.3f} ms")
        for name, ratio in ratios.items():
            other, ours = found.get(name), found[AGAINST[name]]
            if isinstance(other, float) and isinstance(ours, float):
                ratio.append(other / ours)
        cells = [spec_id(spec), str(math.prod(spec.grid)), *mine, *(cell(found, name) for name in AGAINST)]
        print("| " + " | ".join(cells) + " |", flush=True)
    for word, pick in (("median", statistics.median), ("least", min)):
        cells = [f"{pick(ratio):.3g}" if ratio else "-" for ratio in ratios.values()]
        print(f"| {word} of {len(ratios[COMPILE])} | | | | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
