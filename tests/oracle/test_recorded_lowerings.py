"""The kernels recorded for `tests/lower`: JAX still says what was recorded, and jaxlib takes our modules."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.jax_mosaic import reprint

sys.path.insert(0, str(Path(__file__).parent.parent / "lower"))
from kernels import recorded
from record import RECORDED, record

from pipeline.oracles.call_data import read_call

ACCEPTED = sorted(name for name, entry in recorded().items() if "refused" not in entry)


def test_recorded_is_what_jax_says() -> None:
    assert record() == json.loads(RECORDED.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ACCEPTED)
def test_jaxlib_reprints_our_module(name: str) -> None:
    text = print_mosaic(lower(read_call(recorded()[name]["call"]), load_chip("v5e")))
    assert reprint(text) == text
