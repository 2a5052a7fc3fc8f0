"""What was recorded of the directed kernels against schedules that libtpu makes of our text now: some of a family."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.bundle_dump import Count
from pipeline.oracles.directed_attention import directed_attention
from pipeline.oracles.directed_columns import directed_columns
from pipeline.oracles.directed_contractions import directed_contractions
from pipeline.oracles.directed_copies import directed_copies
from pipeline.oracles.directed_decisions import directed_decisions
from pipeline.oracles.directed_divisions import directed_divisions
from pipeline.oracles.directed_masks import directed_masks
from pipeline.oracles.directed_pages import directed_pages
from pipeline.oracles.directed_permutations import directed_permutations
from pipeline.oracles.directed_registers import directed_registers
from pipeline.oracles.directed_reshapes import directed_reshapes
from pipeline.oracles.directed_scalars import directed_kernels
from pipeline.oracles.directed_spreads import directed_spreads
from pipeline.oracles.directed_tables import directed_tables
from pipeline.oracles.directed_vectors import directed_vectors
from pipeline.oracles.directed_windows import directed_windows
from pipeline.oracles.kernel_text import call_of
from pipeline.oracles.libtpu import Job
from pipeline.oracles.libtpu_bundles import step_units

FOLDER = Path(__file__).parents[1] / "schedule"

Pairs = Iterable[tuple[str, str]]  # a kernel's name and its spec's text


class Family(NamedTuple):
    """Kernels that are compiled again: where they are recorded, which, on which chips, which facts are compared."""

    kernels: Callable[[], Pairs]
    picked: Callable[[Pairs], Pairs]
    chips: tuple[str, ...]
    facts: tuple[str, ...] = ("bundles",)


def last(pairs: Pairs) -> Pairs:
    """The last of each kind, by the first word of the name."""
    return {name.partition(" ")[0]: (name, text) for name, text in pairs}.values()


def last_size(pairs: Pairs) -> Pairs:
    """The last of each kind, by the name but for its last word, of the larger ones."""
    return {name.rpartition(" ")[0]: (name, text) for name, text in pairs if "128" not in name}.values()


def every(step: int) -> Callable[[Pairs], Pairs]:
    return lambda pairs: islice(pairs, 0, None, step)


def ending(*words: str) -> Callable[[Pairs], Pairs]:
    return lambda pairs: (pair for pair in pairs if pair[0].endswith(words))


# The two chips differ in what the family is about: delay slots, where results are added, trust in indices
FAMILIES = {
    "scalar_directed": Family(directed_kernels, last, ("v5p", "v6e")),
    "spreads": Family(directed_spreads, ending("lanes 4", "rows 4"), ("v5e", "7x")),
    "decisions": Family(directed_decisions, last, ("v4", "v6e")),
    "copies": Family(directed_copies, last, ("v5e", "7x")),
    "windows": Family(directed_windows, last, ("v5e", "7x")),
    "masks_directed": Family(directed_masks, ending("whole 64x512", "first by the step 8x256"), ("v4", "v5e")),
    "columns": Family(directed_columns, ending("stored 256", "masked 256", "unchosen 128"), ("v5e", "7x")),
    "pages": Family(directed_pages, last, ("v5e", "7x")),
    "tables": Family(directed_tables, last, ("v5e", "7x")),
    "vector_directed": Family(directed_vectors, last, ("v5e", "7x")),
    "attention_directed": Family(directed_attention, every(9), ("v5e", "7x")),
    "constant_divisions": Family(directed_divisions, every(7), ("v4", "v6e")),
    "contractions": Family(directed_contractions, last_size, ("v5e", "7x")),
    "permutation_directed": Family(directed_permutations, every(11), ("v5e", "7x"), ("bundles", "valu")),
    "reshape_directed": Family(directed_reshapes, every(9), ("v5e", "7x")),
    "register_directed": Family(
        directed_registers, ending("128x1024", "many 512", "blocks 8", "product 512"), ("v4", "7x"),
        ("bundles", "spills", "loads"),
    ),
}  # fmt: skip
FACTS: dict[str, Callable[[Count, dict[str, int]], int]] = {
    "bundles": lambda count, units: count.bundles,
    "valu": lambda count, units: units.get("VALU", 0),
    "spills": lambda count, units: units["VSTORE:SPILL"],
    "loads": lambda count, units: units["VLOAD"] - units["VLOAD:FILL"],
}


@pytest.mark.parametrize("file", FAMILIES)
def test_recorded_kernels_are_still_so(file: str) -> None:
    family = FAMILIES[file]
    said: dict[str, dict[str, Any]] = {
        record["name"]: record["said"]
        for record in map(json.loads, (FOLDER / f"{file}.jsonl").read_text().splitlines()[1:])
    }
    jobs, expected = [], []
    for name, text in family.picked(family.kernels()):
        call = call_of(text)
        for chip in family.chips:
            if chip in said[name]:
                jobs.append(Job.of(call, chip, print_mosaic(lower(call, load_chip(chip)))))
                found = said[name][chip]
                expected.append((found if isinstance(found, list) else [found])[: len(family.facts)])
    assert len(jobs) >= 4
    now = [
        None if count is None else [FACTS[fact](count, units) for fact in family.facts]
        for count, units in step_units(jobs)
    ]
    assert now == expected
