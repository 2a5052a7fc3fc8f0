"""Out of range, our executor, our StableHLO on XLA and JAX's interpret mode read and store the same elements."""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.oracles.three_ways import three_ways

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "simulate"))

from out_of_range import specs


def test_they_agree() -> None:
    found = specs()
    outcomes = dict(zip(found, three_ways(list(found.values())), strict=True))
    assert {name: outcome for name, outcome in outcomes.items() if outcome.problems or outcome.refused} == {}
    assert all(outcome.elements for outcome in outcomes.values())
