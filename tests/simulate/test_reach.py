"""Every primitive that the executor knows is reached by a test against an independent one: by random programs, by
directed cases or by recorded edges (`python benchmarks/reach.py` counts them)."""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from reach import directed, made, recorded

from pipeline.ir.jaxpr import Prim
from pipeline.oracles.random_program import random_program
from pipeline.simulate.numerics.table import RULES
from pipeline.simulate.program import INLINED

# in imported kernels alone, or in those of a dynamic grid
NOT_WRITTEN = {Prim.CUSTOM_VJP_CALL, Prim.EXPAND_DIMS, Prim.NUM_PROGRAMS}


def programs(count: int) -> list[str]:
    rng = random.Random(0)
    return [random_program(lambda options: rng.choice(list(options))) for _ in range(count)]


def test_every_primitive_is_reached() -> None:
    columns = made(programs(60)), directed(), recorded()
    reached = {prim for column in columns for prims in column.values() for prim in prims}
    assert {*RULES, *INLINED} - reached == NOT_WRITTEN
