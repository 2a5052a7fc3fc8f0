"""Predicted bundles of kernels that copy against the compiler's: `python benchmarks/copy_accuracy.py [--record]`.

Kernels of one copy or one window each (`pipeline/oracles/directed_copies.py`, `directed_windows.py`), all looked at
while rules were made, by family; then random ones about memories (`random_memory.py`): even seeds were looked at, odd
ones are quoted. `--record` asks libtpu again (`[oracle]` extra).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from pipeline.chips.load import load_chip
from pipeline.errors import Severity, SpecError
from pipeline.ir.call import KernelCall
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.bundle_accuracy import memory_call, rank_correlation, relative_errors
from pipeline.oracles.bundle_dump import Count
from pipeline.oracles.directed_copies import directed_copies
from pipeline.oracles.directed_windows import directed_windows
from pipeline.oracles.kernel_text import call_of
from pipeline.oracles.libtpu import Job
from pipeline.oracles.libtpu_bundles import step_bundles
from pipeline.schedule.schedule import schedule

FOLDER = Path(__file__).parents[1] / "tests" / "schedule"
DIRECTED = (
    ("one copy each, looked at", FOLDER / "copies.jsonl", directed_copies),
    ("one window each, looked at", FOLDER / "windows.jsonl", directed_windows),
)
RANDOM = FOLDER / "memory_kernels.jsonl"
CHIPS = ("v4", "v5e", "v5p", "v6e", "7x")
SEEDS = range(70000, 70100)
_BATCH = 20  # kernels for one process of the compiler


def record(path: Path, key: str, calls: Iterable[tuple[object, KernelCall]]) -> None:
    """Write what libtpu schedules of each kernel, for each chip on which it is legal."""
    said: dict[object, dict[str, int]] = {}
    jobs = ((name, chip, job) for name, call in calls for chip in CHIPS for job in legal(call, chip))
    while batch := list(islice(jobs, _BATCH)):
        for (name, chip, _), count in zip(batch, counts([job for *_, job in batch]), strict=True):
            if count is not None and not count.unknown_loops:
                said.setdefault(name, {})[chip] = count.bundles
    lines = ['{"libtpu":"0.0.42.1","said":"chip -> bundles of a grid step"}']
    lines += [json.dumps({key: name, "said": found}, separators=(",", ":")) for name, found in said.items()]
    path.write_text("\n".join(lines) + "\n")


def counts(jobs: list[Job]) -> list[Count | None]:
    """As `step_bundles`; None for a kernel on which the compiler dies."""
    try:
        return list(step_bundles(jobs))
    except RuntimeError:
        return [None] if len(jobs) == 1 else [count for job in jobs for count in counts([job])]


def legal(call: KernelCall, name: str) -> Iterator[Job]:
    """The job of compiling a kernel, where nothing is found against it."""
    chip = load_chip(name)
    try:
        module = lower(call, chip)
    except SpecError:
        return
    if not any(finding.severity is Severity.ERROR for finding in schedule(call, module, chip).findings):
        yield Job.of(call, name, print_mosaic(module))


def random_calls() -> Iterator[tuple[object, KernelCall]]:
    for seed in SEEDS:
        call = memory_call(seed)
        if call is not None:
            yield seed, call


def bundles(call: KernelCall, name: str) -> int:
    chip = load_chip(name)
    found = schedule(call, lower(call, chip), chip).estimate
    assert found is not None
    return found.bundles


def table(title: str, points: list[tuple[str, int, int]], groups: Iterable[str]) -> None:
    print(f"\n## {title}\n\n| | points | median | nine in ten | worst | rank correlation |\n|---|---|---|---|---|---|")
    for group in (*groups, "all"):
        held = [point for point in points if group in (point[0], "all")]
        ours, said = [point[1] for point in held], [point[2] for point in held]
        errors = relative_errors(ours, said)
        print(
            f"| {group} | {len(errors)} | {errors[len(errors) // 2]:.1%} | {errors[len(errors) * 9 // 10]:.1%} "
            f"| {errors[-1]:.0%} | {rank_correlation(ours, said):.3f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--record", action="store_true", help="ask libtpu again")
    if parser.parse_args().record:
        for _, path, texts in DIRECTED:
            record(path, "name", ((name, call_of(text)) for name, text in texts()))
        record(RANDOM, "seed", random_calls())
    for title, path, texts in DIRECTED:
        calls = {name: call_of(text) for name, text in texts()}
        points = [
            (one["name"].split()[0], bundles(calls[one["name"]], chip), said)
            for one in map(json.loads, path.read_text().splitlines()[1:])
            for chip, said in one["said"].items()
        ]
        table(title, points, dict.fromkeys(point[0] for point in points))
    found = [json.loads(line) for line in RANDOM.read_text().splitlines()[1:]]
    for title, parity in (("looked at: even seeds", 0), ("quoted: odd seeds", 1)):
        points = []
        for one in found:
            call = memory_call(one["seed"]) if one["seed"] % 2 == parity else None
            if call is not None:
                points += [(chip, bundles(call, chip), said) for chip, said in one["said"].items()]
        table(f"random kernels about memories, {title}", points, CHIPS)


if __name__ == "__main__":
    main()
