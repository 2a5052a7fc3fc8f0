"""Count the bundles of the recorded kernels again: `python benchmarks/recount_bundles.py [NAME..]`.

libtpu compiles our module of each kernel for each chip it is recorded for, and the count of `bundle_dump.py` takes the
place of the recorded one; slot totals stay as they were recorded. Needs the `[oracle]` extra; minutes for all of them.
"""

from __future__ import annotations

import json
import sys

from bundle_accuracy import RECORDS

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.call_data import read_call
from pipeline.oracles.libtpu import Job
from pipeline.oracles.libtpu_bundles import step_bundles

AT_ONCE = 50  # kernels that one process of the compiler is asked for


def main(names: list[str]) -> None:
    header, *lines = RECORDS.read_text().splitlines()
    records = [json.loads(line) for line in lines]
    asked = [(r, name) for r in records if not names or r["name"] in names for name in r["said"]]
    changed = 0
    for start in range(0, len(asked), AT_ONCE):
        batch = asked[start : start + AT_ONCE]
        jobs = []
        for record, name in batch:
            call = read_call(record)
            jobs.append(Job.of(call, name, print_mosaic(lower(call, load_chip(name)))))
        for (record, name), count in zip(batch, step_bundles(jobs), strict=True):
            assert count is not None, f"{record['name']} on {name} has no grid loop"
            changed += record["said"][name][0] != count.bundles
            record["said"][name][0] = count.bundles
    RECORDS.write_text("\n".join([header, *(json.dumps(r, separators=(",", ":")) for r in records)]) + "\n")
    print(f"{len(asked)} counts, {changed} changed")


if __name__ == "__main__":
    main(sys.argv[1:])
