"""Predicted bundles of a grid step against the compiler's, recorded: `python benchmarks/bundle_accuracy.py [--all]`.

Quotes the families kept apart: no constant was computed from them, but some of their listings were looked at while
rules were made, so read the figures as those of a tuned model. Kernels drawn at random follow, whose listings nobody
looked at before the figures were made (`composite_kernels.py`). `--all` adds the parts that constants come from.
`tests/oracle/test_bundles_are_libtpus.py` asks libtpu itself about the shipped specs. Needs no extra.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from pipeline.oracles.bundle_accuracy import Point, measure, rank_correlation, relative_errors

_TESTS = Path(__file__).parents[1] / "tests" / "schedule"
RECORDS = _TESTS / "bundles.jsonl"
COMPOSITES = _TESTS / "composites.jsonl"
CHIPS = ("v4", "v5e", "v5p", "v6e", "7x")
UNITS = ("mxu", "xlu", "valu", "eup", "vload", "vstore")


def row(label: str, points: list[Point]) -> str:
    ours, theirs = [p.bundles for p in points], [p.said for p in points]
    errors = relative_errors(ours, theirs)
    order = rank_correlation(ours, theirs)
    return (
        f"| {label} | {len(points)} | {errors[len(errors) // 2]:.1%} | {errors[len(errors) * 9 // 10]:.1%} "
        f"| {errors[-1]:.0%} | {order:.3f} |"
    )


def best_block(points: list[Point], elements: dict[str, int]) -> list[float]:
    """For each family and chip with two block shapes or more: how much longer the predicted best takes for an element
    than the best does."""
    groups: dict[tuple[str, str], list[Point]] = {}
    for point in points:
        groups.setdefault((point.family, point.chip), []).append(point)
    losses = []
    for members in groups.values():
        if len(members) > 1:
            predicted = min(members, key=lambda p: p.bundles / elements[p.name])
            best = min(p.said / elements[p.name] for p in members)
            losses.append(predicted.said / elements[predicted.name] / best - 1)
    return losses


def report(title: str, records: list[dict[str, Any]], by_family: bool = True) -> None:
    points = measure(records, CHIPS)
    print(f"\n## {title}\n")
    head = "| median | nine in ten | worst | rank correlation |\n|---|---|---|---|---|---|"
    print(f"| chip | points {head}")
    for chip in CHIPS:
        print(row(chip, [p for p in points if p.chip == chip]))
    print(f"\n| unit | points {head}")
    for unit in UNITS:
        held = [p for p in points if p.said_slots[unit] >= 16 and not p.loops]
        as_unit = [p._replace(bundles=round(p.slots.get(unit, 0)), said=p.said_slots[unit]) for p in held]
        print(row(unit, as_unit))
    if by_family:
        print(f"\n| family | points {head}")
    for family in sorted({p.family for p in points}) if by_family else ():
        print(row(family, [p for p in points if p.family == family]))
    elements = {}
    for record in records:
        size = 1
        for n in record["operands"][0]["block"]:
            size *= n or 1
        elements[record["name"]] = size
    losses = best_block(points, elements)
    if losses:
        mean = sum(losses) / len(losses)
        print(f"\nblock chosen by prediction: {mean:.1%} over the best on average, {max(losses):.0%} at worst", end="")
        print(f" ({len(losses)} choices)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--all", action="store_true", help="the part that was fitted to as well")
    options = parser.parse_args()
    header, *lines = RECORDS.read_text().splitlines()
    records = [json.loads(line) for line in lines]
    print(f"against libtpu {json.loads(header)['libtpu']}, ahead of time, no TPU")
    report("quoted: families kept apart", [r for r in records if r["part"] == "quoted"])
    composites = [json.loads(line) for line in COMPOSITES.read_text().splitlines()[1:]]
    for part in ("quoted", "fit") if options.all else ("quoted",):
        own = [r for r in composites if r["part"] == part and r["group"] == "composite"]
        report(f"{part}: kernels drawn at random", own, by_family=False)
    report("quoted: their rows of a block chosen", [r for r in composites if r["group"] == "blocks"], by_family=False)
    if options.all:
        report("fit: families", [r for r in records if r["part"] == "fit" and r["group"] == "sweep"])
        report("fit: kernels of one operation", [r for r in records if r["group"] != "sweep"])


if __name__ == "__main__":
    main()
