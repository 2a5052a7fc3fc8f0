"""Record what libtpu makes of `composite_kernels.py`: `python benchmarks/record_composites.py OUT.jsonl [SEEDS]`.

Kernels are traced by JAX, lowered here and compiled ahead of time for all five chips. Even seeds are marked "fit": they
were looked at while rules were made. Odd ones are "quoted". Some of those are recorded with other numbers of rows in
their block as well, for choosing among them. Needs the `[oracle]` extra.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from composite_kernels import composite
from record_bundles import HEADER, UNITS, row, traced

from pipeline.chips.load import load_chip
from pipeline.ir.call import KernelCall
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.libtpu import Job
from pipeline.oracles.libtpu_bundles import step_units

CHIPS = ("v4", "v5e", "v5p", "v6e", "7x")
SEEDS = 100
BLOCK_ROWS = (32, 64, 128, 256)
_TABLE = {"FILL": "VLOAD:FILL", "SPILL": "VSTORE:SPILL"}  # our names of the units where the dump's are others


def kernels(seeds: int) -> Iterator[tuple[dict[str, Any], KernelCall]]:
    """(record, call) of every kernel: a seed's own, and those of other blocks."""
    for seed in range(seeds):
        blocks = BLOCK_ROWS if seed % 2 and seed % 5 and seed < 50 else ()
        for rows in (None, *blocks):
            record = composite(seed, rows)
            call = traced(record)
            found = row(record, call)
            found["part"] = "quoted" if seed % 2 else "fit"
            if rows is not None:
                found["family"], found["group"] = f"composite_{seed}_rows", "blocks"
            yield found, call


def said(bundles: int, units: dict[str, int]) -> list[int]:
    return [bundles, *(units.get(_TABLE.get(unit, unit), 0) for unit in UNITS)]


def main(out: str, seeds: str = str(SEEDS)) -> None:
    found = list(kernels(int(seeds)))
    for name in CHIPS:
        chip = load_chip(name)
        jobs = [Job.of(call, name, print_mosaic(lower(call, chip))) for _, call in found]
        for (record, _), (count, units) in zip(found, step_units(jobs), strict=True):
            if count is not None:
                record["said"][name] = said(count.bundles, units)
    lines = [json.dumps(HEADER), *(json.dumps(record, separators=(",", ":")) for record, _ in found)]
    Path(out).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:3])
