"""How far the bundle schedule is from recorded schedules of the compiler: one point for each kernel and chip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.chips.load import load_chip
from pipeline.errors import SpecError
from pipeline.ir.call import KernelCall
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.call_data import read_call
from pipeline.oracles.random_memory import random_memory_spec
from pipeline.oracles.random_scalar_kernel import scalar_call
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import parse_specs
from pipeline.trace.trace import trace

UNITS = ("mxu", "xlu", "valu", "vpop", "eup", "vload", "fill", "vstore", "spill")


class Point(NamedTuple):
    """`said` and `said_slots` are the compiler's; its slot totals count an inner loop's body once, ours every trip."""

    name: str
    family: str
    chip: str
    bundles: int
    said: int
    slots: dict[str, float]
    said_slots: dict[str, int]
    spills: int
    unknown: tuple[str, ...]
    loops: bool


def measure(records: Iterable[dict[str, Any]], chips: Sequence[str]) -> list[Point]:
    """Points of the kernels that lower on the chip."""
    points = []
    for record in records:
        call = read_call(record)
        for name in chips:
            if name not in record["said"]:
                continue
            chip = load_chip(name)
            try:
                module = lower(call, chip)
            except SpecError:
                continue  # the compiler took it; the lowering does not know it
            found = schedule(call, module, chip).estimate
            assert found is not None
            said, *slots = record["said"][name]
            totals = dict(zip(UNITS, slots, strict=True))
            totals["vload"] -= totals["fill"]
            totals["vstore"] -= totals["spill"]
            used = {use.unit: use.cycles for use in found.slots}
            loops = " scan[" in record["body"] or " while[" in record["body"]
            about = (record["name"], record["family"], name)
            points.append(
                Point(*about, found.bundles, said, used, totals, found.spills, found.unknown, loops),
            )
    return points


def relative_errors(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """|ours / theirs - 1|, ascending."""
    return sorted(abs(a / b - 1) for a, b in zip(ours, theirs, strict=True))


def rank_correlation(a: Sequence[float], b: Sequence[float]) -> float:
    """Spearman's; equal values share their mean rank."""
    x, y = _ranks(a), _ranks(b)
    mean = (len(x) + 1) / 2
    top = sum((p - mean) * (q - mean) for p, q in zip(x, y, strict=True))
    bottom = (sum((p - mean) ** 2 for p in x) * sum((q - mean) ** 2 for q in y)) ** 0.5
    return top / bottom if bottom else 1.0


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for i in range(start, end + 1):
            ranks[order[i]] = (start + end) / 2 + 1
        start = end + 1
    return ranks


def memory_call(seed: int) -> KernelCall | None:
    """The random kernel about memories of a seed, traced; None for one that cannot be."""
    text, _ = random_memory_spec(seed)
    try:
        (spec,) = parse_specs(text, Path("memory.toml"))
        return trace(spec)
    except SpecError:
        return None


def scalar_points(records: Iterable[dict[str, Any]]) -> list[tuple[str, int, int]]:
    """(chip, our bundles, the compiler's) of random scalar kernels: `seed` and `said` of each record."""
    points = []
    for record in records:
        call = scalar_call(record["seed"])
        for name, said in record["said"].items():
            chip = load_chip(name)
            found = schedule(call, lower(call, chip), chip).estimate
            assert found is not None
            points.append((name, found.bundles, said))
    return points
