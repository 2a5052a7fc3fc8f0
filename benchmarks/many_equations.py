"""How time grows with a kernel's equations: specs that hold a jaxpr, as imported kernels do.

`python benchmarks/many_equations.py [N ..]`. The kernel is one step of attention unrolled until it has N equations;
time is that of reading the spec, trace, lower and schedule for one chip, and of each of them.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from pathlib import Path

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import parse_specs
from pipeline.spec.spec import Target
from pipeline.trace.trace import trace

HEAD = """\
name = "unrolled"
targets = ["v5e"]

[kernel]
jaxpr = '''
{ lambda ; q:Ref<default>{bf16[128,128]} k:Ref<default>{bf16[256,128]} o:Ref<default>{f32[128,128]}. let
"""
STEP = """\
    s%(n)d:bf16[128,128] <- q[...]  # unrolled.py:%(line)d
    t%(n)d:bf16[128,128] <- k[128:256,:]  # unrolled.py:%(next)d
    u%(n)d:f32[128,128] = dot_general[dimension_numbers=(((1,), (1,)), ((), ()))
      precision=None preferred_element_type=float32] s%(n)d t%(n)d
    m%(n)d:f32[128] = reduce_max[axes=(1,)] u%(n)d
    w%(n)d:f32[128,128] = broadcast_in_dim[broadcast_dimensions=(0,) shape=(128, 128)] m%(n)d
    x%(n)d:f32[128,128] = sub u%(n)d w%(n)d
    e%(n)d:f32[128,128] = exp x%(n)d
    g%(n)d:f32[128,128] <- o[...]
    h%(n)d:f32[128,128] = add g%(n)d e%(n)d
    o[...] <- h%(n)d
"""
TAIL = """\
  in () }
'''

[[inputs]]
name = "queries"
shape = [128, 128]
dtype = "bfloat16"

[[inputs]]
name = "keys"
shape = [256, 128]
dtype = "bfloat16"

[[outputs]]
name = "sums"
shape = [128, 128]
dtype = "float32"
"""


def text(equations: int) -> str:
    steps = (STEP % {"n": n, "line": 10 + n % 50, "next": 11 + n % 50} for n in range(equations // 10))
    return HEAD + "".join(steps) + TAIL


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("equations", nargs="*", type=int, default=[375, 750, 1500, 3500, 7000])
    sizes = parser.parse_args().equations
    chip = load_chip(Target("v5e", None))
    for size in (50, *sizes):  # the first one imports
        spec_text = text(size)
        times = [time.perf_counter()]
        [spec] = parse_specs(spec_text, Path("unrolled.toml"))
        times.append(time.perf_counter())
        call = trace(spec)
        times.append(time.perf_counter())
        module = lower(call, chip)
        times.append(time.perf_counter())
        schedule(call, module, chip)
        times.append(time.perf_counter())
        if size == 50:
            print("| equations | spec | trace | lower | schedule | all | for each equation |")
            print("|---|---|---|---|---|---|---|")
            continue
        parts = [b - a for a, b in itertools.pairwise(times)]
        whole = sum(parts)
        cells = [f"{part * 1000:.0f} ms" for part in (*parts, whole)]
        print(
            f"| {len(call.body.eqns)} | {' | '.join(cells)} | {whole / len(call.body.eqns) * 1e6:.0f} µs |", flush=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
