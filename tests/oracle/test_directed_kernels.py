"""Kernels made for one doubt each: our executor, our StableHLO on XLA and JAX's interpret mode agree.

Of what JAX cannot interpret (bitcasts and reshapes of what is stored to) the first two do.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.oracles.three_ways import three_ways
from pipeline.oracles.xla import verify_spec

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "simulate"))

from directed import all_cases, parsed
from simulate_records import entries


def test_they_agree() -> None:
    lacking = {name: entry["lacks"] for name, entry in entries("directed").items() if entry["lacks"]}
    specs = parsed(all_cases())
    shared = {name: spec for name, spec in specs.items() if name not in lacking}
    outcomes = dict(zip(shared, three_ways(list(shared.values())), strict=True))
    assert {name: outcome for name, outcome in outcomes.items() if outcome.problems or outcome.refused} == {}
    assert all(outcome.elements for outcome in outcomes.values())
    alone = {name: verify_spec(specs[name]) for name in lacking}
    assert {name: found.problems for name, found in alone.items() if found.problems} == {}
    assert all(found.elements for found in alone.values())


def test_what_jax_lacks_it_still_lacks() -> None:
    specs = parsed(all_cases())
    lacking = {name: entry["lacks"] for name, entry in entries("directed").items() if entry["lacks"]}
    outcomes = dict(zip(lacking, three_ways([specs[name] for name in lacking]), strict=True))
    assert {name for name, outcome in outcomes.items() if not outcome.refused} == set()
