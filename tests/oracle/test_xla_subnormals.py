"""What XLA makes of subnormal numbers is still what is recorded (`tests/simulate/data/subnormals.json`)."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

SIMULATE = Path(__file__).parents[1] / "simulate"


def test_the_record_is_what_xla_gives(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(SIMULATE), *sys.path])
    import jax
    from record_subnormals import cases
    from simulate_records import entries, read_array

    recorded, asked = entries("subnormals"), cases()
    assert recorded.keys() == asked.keys()
    for name, (function, *args) in asked.items():
        got = np.asarray(jax.jit(function)(*args))
        assert got.tobytes() == read_array(recorded[name]["out"][0]).tobytes(), name
