"""The compilers are asked for the chip that a profile states: its device kind names one of theirs."""

from __future__ import annotations

from pipeline.chips.chip import Chip
from pipeline.chips.load import list_chips, load_target
from pipeline.oracles.jax_mosaic import CHIPS


def test_every_chip_is_one_of_the_compilers() -> None:
    chips = [chip for chip in map(load_target, list_chips()) if isinstance(chip, Chip)]
    assert {chip.name: chip.device_kind for chip in chips} == {name: kind for name, (kind, _) in CHIPS.items()}
