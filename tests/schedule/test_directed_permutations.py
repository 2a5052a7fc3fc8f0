"""Kernels that permute axes and reshape heads against the compiler's recorded schedules: bundles, and what of them is
on the vector ALUs, in the transpose units, loads and stores."""

from __future__ import annotations

from functools import cache

import pytest
from recorded_calls import records

from pipeline.chips.load import load_chip
from pipeline.ir.call import KernelCall
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.bundle_accuracy import relative_errors
from pipeline.oracles.directed_permutations import directed_permutations
from pipeline.oracles.kernel_text import call_of
from pipeline.schedule.result import Estimate
from pipeline.schedule.schedule import schedule

SAID = {record["name"]: record["said"] for record in records("permutation_directed.jsonl")}
TEXTS = dict(directed_permutations())
WORDS = [name for name in SAID if "int" not in name and "float8" not in name]  # no bytes, which v4 has no moves for
PLAIN = [n for n in WORDS if "float32" in n and not n.startswith("jnp.reshape") and "4x8x512" not in n]  # no low tiles


@cache
def call(name: str) -> KernelCall:
    return call_of(TEXTS[name])


@cache
def ours(name: str, chip_name: str) -> Estimate:
    chip = load_chip(chip_name)
    found = schedule(call(name), lower(call(name), chip), chip).estimate
    assert found is not None
    return found


def cycles(name: str, chip: str, unit: str) -> float:
    return sum(n for family in ours(name, chip).families for u, n in family.slots if u == unit)


def test_every_kernel_is_recorded() -> None:
    assert list(SAID) == list(TEXTS)


@pytest.mark.parametrize(("chip", "median", "nine", "worst"), [
    ("v4", 0.03, 0.19, 0.29),
    ("v5e", 0.03, 0.11, 0.28),
    ("v5p", 0.03, 0.09, 0.28),
    ("v6e", 0.03, 0.10, 0.24),
    ("7x", 0.03, 0.11, 0.29),
])  # fmt: skip
def test_bundles_are_near(chip: str, median: float, nine: float, worst: float) -> None:
    names = [name for name in (WORDS if chip == "v4" else SAID) if chip in SAID[name]]
    errors = relative_errors([ours(name, chip).bundles for name in names], [SAID[name][chip][0] for name in names])
    assert len(errors) > 85
    assert errors[len(errors) // 2] <= median
    assert errors[len(errors) * 9 // 10] <= nine
    assert errors[-1] <= worst


@pytest.mark.parametrize("chip", ["v4", "v5e", "v5p", "v6e", "7x"])
def test_permutations_of_words_take_the_same_instructions(chip: str) -> None:
    """Of 32 bits: to within the few that make patterns and masks, and of the transpose units to within one."""
    names = [name for name in PLAIN if chip in SAID[name]]
    assert len(names) > 30
    for name in names:
        _, valu, xlu, *_ = SAID[name][chip]
        assert cycles(name, chip, "valu") == pytest.approx(valu, abs=8), name
        assert cycles(name, chip, "xlu") == pytest.approx(xlu, abs=1), name


@pytest.mark.parametrize("chip", ["v5e", "v5p", "v6e", "7x"])
def test_parts_of_words_that_memory_moves(chip: str) -> None:
    """Of 16 bits, loaded, exchanged and stored, a tile of lanes wide: the same instructions, loads and stores."""
    kept = 2 if chip == "7x" else 0  # loads of the pipeline's own that it is spared
    names = [n for n in SAID if n.startswith("jnp.transpose(x, (1, 0, 2)) bfloat16") and n.endswith("x128")]
    assert len(names) == 8
    for name in names:
        _, valu, _, loads, stores = SAID[name][chip]
        assert cycles(name, chip, "valu") == pytest.approx(valu, abs=2), name
        assert cycles(name, chip, "vload") - kept == loads, name
        assert cycles(name, chip, "vstore") == stores, name
