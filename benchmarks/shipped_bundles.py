"""Predicted bundles of the shipped kernels against fresh schedules of libtpu: `python benchmarks/shipped_bundles.py`.

Every spec that is no exhibit, on all five chips, declared or not, wherever it is legal (`[oracle]` extra). `--worst N`
names the N kernels farthest off on each chip.
"""

from __future__ import annotations

import argparse

from pipeline.oracles.bundle_accuracy import rank_correlation, relative_errors
from pipeline.oracles.shipped_bundles import CHIPS, Compared, compare, kernels


def row(label: str, points: list[Compared]) -> str:
    ours, said = [p.ours for p in points], [p.said for p in points]
    errors = relative_errors(ours, said)
    return (
        f"| {label} | {len(points)} | {errors[len(errors) // 2]:.1%} | {errors[len(errors) * 9 // 10]:.1%} "
        f"| {errors[-1]:.0%} | {rank_correlation(ours, said):.3f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--chips", default=",".join(CHIPS), help="which, separated by commas")
    parser.add_argument("--worst", type=int, default=0, help="how many to name on each chip")
    args = parser.parse_args()
    print("| chip | kernels | median | nine in ten | worst | rank correlation |\n|---|---|---|---|---|---|")
    found: list[Compared] = []
    for chip in args.chips.split(","):
        points = list(compare((spec, chip) for spec in kernels()))
        print(row(chip, points), flush=True)
        found += points
    print(row("all", found))
    for chip in args.chips.split(",") if args.worst else ():
        points = sorted((p for p in found if p.chip == chip), key=lambda p: abs(p.ours / p.said - 1), reverse=True)
        print(f"\n{chip}: " + ", ".join(f"{p.name} {p.ours} for {p.said}" for p in points[: args.worst]))


if __name__ == "__main__":
    main()
