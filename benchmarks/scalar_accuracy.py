"""Predicted bundles of random scalar kernels against the compiler's: `python benchmarks/scalar_accuracy.py [--record]`.

The kernels are those of `pipeline/oracles/random_scalar_kernel.py`: windows, index maps, tables, copies, loops and
branches with next to no arithmetic. Rules were made looking at even seeds; the odd ones are kept apart and quoted.
`--record` asks libtpu again (`[oracle]` extra).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pipeline.chips.load import load_chip
from pipeline.ir.call import KernelCall
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.bundle_accuracy import rank_correlation, relative_errors, scalar_points
from pipeline.oracles.directed_scalars import directed_kernels
from pipeline.oracles.kernel_text import call_of
from pipeline.oracles.libtpu import Job
from pipeline.oracles.libtpu_bundles import step_bundles
from pipeline.oracles.random_scalar_kernel import scalar_call

FOLDER = Path(__file__).parents[1] / "tests" / "schedule"
RECORDS, DIRECTED = FOLDER / "scalar_kernels.jsonl", FOLDER / "scalar_directed.jsonl"
CHIPS = ("v4", "v5e", "v5p", "v6e", "7x")
SEEDS = range(80)


def record() -> None:
    lines = ['{"libtpu":"0.0.42.1","said":"chip -> bundles of a grid step of the kernel of the seed"}']
    lines += [json.dumps({"seed": seed, "said": ask(scalar_call(seed))}, separators=(",", ":")) for seed in SEEDS]
    RECORDS.write_text("\n".join(lines) + "\n")
    lines = ['{"libtpu":"0.0.42.1","said":"chip -> bundles of a grid step of the kernel of the name"}']
    for name, text in directed_kernels():
        lines.append(json.dumps({"name": name, "said": ask(call_of(text))}, separators=(",", ":")))
    DIRECTED.write_text("\n".join(lines) + "\n")


def ask(call: KernelCall) -> dict[str, int]:
    """What libtpu schedules for each chip."""
    counts = step_bundles([Job.of(call, name, print_mosaic(lower(call, load_chip(name)))) for name in CHIPS])
    return {name: count.bundles for name, count in zip(CHIPS, counts, strict=True) if count is not None}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--record", action="store_true", help="ask libtpu again")
    if parser.parse_args().record:
        record()
    for title, parity in (("looked at: even seeds", 0), ("quoted: odd seeds", 1)):
        records = [json.loads(line) for line in RECORDS.read_text().splitlines()[1:]]
        points = scalar_points(r for r in records if r["seed"] % 2 == parity)
        print(f"\n## {title}\n\n| chip | points | median | nine in ten | worst | rank correlation |")
        print("|---|---|---|---|---|---|")
        for name in (*CHIPS, "all"):
            held = [(ours, said) for chip, ours, said in points if name in (chip, "all")]
            ours, said = [p[0] for p in held], [p[1] for p in held]
            errors = relative_errors(ours, said)
            print(
                f"| {name} | {len(held)} | {errors[len(errors) // 2]:.1%} | {errors[len(errors) * 9 // 10]:.1%} "
                f"| {errors[-1]:.0%} | {rank_correlation(ours, said):.3f} |"
            )


if __name__ == "__main__":
    main()
