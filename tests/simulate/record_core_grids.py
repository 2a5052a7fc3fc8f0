"""Records in `data/core_grids.json` the grid and buffer slots of one core of a two-core device, as libtpu compiles it.

    python tests/simulate/record_core_grids.py

Needs the `[oracle]` extra.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from importlib.metadata import version
from math import prod
from pathlib import Path

from any_grid import Moves, call_of

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.libtpu import Job
from pipeline.oracles.libtpu_bundles import CoreLoop, core_loops

RECORD = Path(__file__).parent / "data" / "core_grids.json"
CHIP = "v5p"
Case = tuple[tuple[int, ...], tuple[str, ...]]


ONE_STEP: list[Case] = [  # for each core
    ((2, 1), ("parallel", "arbitrary")),
    ((1, 2), ("arbitrary", "parallel")),
    ((1, 2, 1), ("parallel", "parallel", "parallel")),
]


def cases(seeds: Iterable[int]) -> list[Case]:
    """Grids of one to four axes, small enough that every kind of remainder comes up."""
    found = []
    for seed in seeds:
        rng = random.Random(seed)
        rank = rng.randint(1, 4)
        grid = tuple(rng.choice([1, 2, 2, 3, 4, 5, 6, 7]) for _ in range(rank))
        if prod(grid) > 1:
            found.append((grid, tuple(rng.choice(["parallel", "parallel", "arbitrary"]) for _ in grid)))
    return found


def moves(rank: int) -> tuple[Moves, ...]:
    """A copy in and a copy out whose block depends on every axis."""
    args = [f"i{a}" for a in range(rank)]
    index_map = f"lambda {', '.join(args)}: ({args[0]}, {' + '.join(args)})"
    return Moves("x", 8, index_map, False), Moves("o", 8, index_map, False)


def ask(asked: list[Case]) -> list[CoreLoop]:
    """What libtpu makes of each."""
    chip = load_chip(CHIP)
    jobs = []
    for grid, words in asked:
        call = call_of(grid, moves(len(grid)), words)
        jobs.append(Job.of(call, CHIP, print_mosaic(lower(call, chip))))
    return core_loops(jobs)


if __name__ == "__main__":
    asked = [*ONE_STEP, *cases(range(60))]
    rows = [
        {"grid": grid, "semantics": words, "core": loop.grid, "slots": loop.slots}
        for (grid, words), loop in zip(asked, ask(asked), strict=True)
    ]
    lines = ",\n".join(json.dumps(row) for row in rows)
    RECORD.write_text(f'{{"libtpu": "{version("libtpu")}", "chip": "{CHIP}", "grids": [\n{lines}\n]}}\n')
