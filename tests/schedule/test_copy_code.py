"""Where inputs are when a kernel begins, and the loops of copies within VMEM: counts that can be done by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.chips.costs import load_costs
from pipeline.chips.load import load_chip
from pipeline.ir.call import KernelCall
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.directed_copies import directed_copies
from pipeline.oracles.kernel_text import call_of
from pipeline.oracles.random_legality import kernel, operand
from pipeline.schedule.bundles.kept import kept_inputs
from pipeline.schedule.bundles.step import schedule_step

TEXTS = dict(directed_copies())
HEAD = 'name = "directed"\nsummary = "Sizes"\ntargets = ["7x"]\n\n'


def call(*sizes: int) -> KernelCall:
    """Of inputs of so many MiB in HBM, and an output as large as the first."""
    names = [f"x{i}" for i in range(len(sizes))]
    source = f"def kernel({', '.join(f'{name}_ref' for name in names)}, o_ref):\n    pltpu.sync_copy(x0_ref, o_ref)\n"
    pairs = zip(names, sizes, strict=True)
    arrays = [operand("inputs", name, (n * 2048, 128), "float32", space="any") for name, n in pairs]
    out = operand("outputs", "o", (sizes[0] * 2048, 128), "float32", space="any")
    return call_of(HEAD + kernel(source) + "".join(arrays) + out)


@pytest.mark.parametrize(
    ("sizes", "kept"),
    [((22,), {0}), ((23,), set()), ((20, 4), {1}), ((12, 12), {0}), ((8, 8, 8), {0, 1}), ((15, 1, 10), {1, 2})],
)
def test_the_smallest_inputs_are_kept_while_there_is_room(sizes: tuple[int, ...], kept: set[int]) -> None:
    """22 MiB of it, as libtpu 0.0.42.1 was seen to do on 7x; none on other chips."""
    assert kept_inputs(call(*sizes), load_chip("7x")) == kept
    assert kept_inputs(call(*sizes), load_chip("v6e")) == set()


def test_what_the_call_may_take_is_no_room() -> None:
    made, chip = replace(call(14), vmem_limit_bytes=40 << 20), load_chip("7x")
    assert kept_inputs(made, chip) == {0}
    assert kept_inputs(replace(made, vmem_limit_bytes=41 << 20), chip) == set()


def test_an_input_that_is_written_over_stays() -> None:
    assert kept_inputs(replace(call(1, 1), aliases=((1, 0),)), load_chip("7x")) == {0}


def loops(name: str, chip_name: str) -> list[tuple[int, int]]:
    """(bundles, trips) of the blocks of a recorded kernel that run more than once."""
    chip = load_chip(chip_name)
    costs = load_costs(chip)
    assert costs is not None
    made = call_of(TEXTS[name])
    step = schedule_step(lower(made, chip), chip, costs, made.grid, kept_inputs(made, chip))
    return [(block.packed.length, block.trips) for block in step.blocks if block.trips > 1 or block.packed.length > 8]


def test_a_copy_within_vmem_takes_its_tiles_many_at_a_time() -> None:
    """32 a trip, one store a bundle; 64 a trip, two of them; what is left one by one."""
    assert loops("within 1000 rows", "v5e") == [(33, 3), (8, 29)]
    assert loops("within 1000 rows", "v6e") == [(33, 1), (8, 61)]
    assert loops("within 248 rows", "v5e") == [(8, 31)]


def test_six_bundles_are_behind_a_branch_on_7x() -> None:
    assert loops("within 248 rows", "7x") == [(10, 31)]


def test_segments_go_into_one_trip() -> None:
    assert loops("segments columns 256", "v5e") == [(33, 2)]
    assert loops("segments column 1024", "v5e") == [(129, 1)]
