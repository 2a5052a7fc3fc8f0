"""Kernels made for one doubt each: our executor, our StableHLO on XLA and JAX's interpret mode agree.

Interpret mode has no rule for a program id in a loop, and its loops test a ref as it was before them: there the TPU
interpreter is asked. Neither has bitcasts and reshapes of what is stored to: there the first two agree.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.oracles.three_ways import three_ways
from pipeline.oracles.verify import EQUAL
from pipeline.oracles.verify_interpreters import verify_against_tpu_interpret
from pipeline.oracles.xla import verify_spec

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "simulate"))

from directed import all_cases, parsed
from directed_control import STALE
from simulate_records import entries

LACKS = {name: entry for name, entry in entries("directed").items() if entry["lacks"]}


def test_they_agree() -> None:
    specs = {name: spec for name, spec in parsed(all_cases()).items() if name not in LACKS}
    outcomes = dict(zip(specs, three_ways(list(specs.values())), strict=True))
    assert {name: outcome for name, outcome in outcomes.items() if outcome.problems or outcome.refused} == {}
    assert all(outcome.elements for outcome in outcomes.values())


def test_what_jax_lacks_it_still_lacks() -> None:
    specs = parsed(all_cases())
    outcomes = dict(zip(LACKS, three_ways([specs[name] for name in LACKS]), strict=True))
    assert {name for name, outcome in outcomes.items() if not outcome.refused and not outcome.problems} == set()
    assert {name for name, outcome in outcomes.items() if not outcome.refused} == set(STALE)


def test_what_interpret_mode_lacks_agrees_with_the_rest() -> None:
    specs = parsed(all_cases())
    alone = {name: verify_spec(specs[name]) for name in LACKS}
    assert {name: found.problems for name, found in alone.items() if found.problems} == {}
    assert all(found.elements for found in alone.values())
    theirs = [name for name, entry in LACKS.items() if entry["by"] == "tpu"]
    layers = [layer for name in theirs for layer in verify_against_tpu_interpret(specs[name])]
    assert [layer for layer in layers if layer.status != EQUAL] == []
    assert len(layers) == 2 * len(theirs) and theirs
