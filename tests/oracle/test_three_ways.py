"""A thousand kernels made at random: our executor, our StableHLO on XLA and JAX's interpret mode agree.

The kernels are those that hypothesis makes for `tests/simulate/test_simulate_lanes.py`, here from fixed seeds: grids
of one to three axes, whole and partial blocks, index maps, scratch, branches, loops, scoped memory, masked stores. What
one of them does wrong (an index out of range, memory nobody wrote) has to come out the same, too.
"""

from __future__ import annotations

import random
import re
import sys
from itertools import count, islice
from pathlib import Path

import pytest

from pipeline.oracles.three_ways import three_ways
from pipeline.spec.load import parse_specs
from pipeline.spec.spec import Spec

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "simulate"))

from random_lanes import random_spec

BATCHES, BATCH = 20, 50
# JAX's interpret mode has no rule for a program id in a loop
LACKS = "NotImplementedError: MLIR translation rule for primitive 'program_id' not found"


def kernel(seed: int) -> str:
    """The text of that seed's kernel."""
    rng = random.Random(seed)
    return random_spec(lambda options: rng.choice(list(options)))


def parsed(text: str) -> Spec:
    [spec] = parse_specs(text, Path("random.toml"))
    return spec


def is_beyond_jax(text: str) -> bool:
    return any(re.search("(fori|while)_loop.*program_id", line) for line in text.splitlines())


@pytest.mark.parametrize("batch", range(BATCHES))
def test_they_agree(batch: int) -> None:
    seeds = (seed for seed in count(1000 * batch) if not is_beyond_jax(kernel(seed)))
    texts = {seed: kernel(seed) for seed in islice(seeds, BATCH)}
    outcomes = dict(zip(texts, three_ways([parsed(text) for text in texts.values()]), strict=True))
    assert {seed: outcome for seed, outcome in outcomes.items() if outcome.problems or outcome.refused} == {}
    assert len(set(texts.values())) == BATCH and all(outcome.elements for outcome in outcomes.values())


def test_what_is_left_out_jax_cannot_run() -> None:
    text = next(text for text in map(kernel, count()) if is_beyond_jax(text))
    (outcome,) = three_ways([parsed(text)])
    assert outcome.refused.startswith(LACKS)


def test_a_difference_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    import pipeline.oracles.three_ways as module

    spec = parsed(kernel(1))
    monkeypatch.setattr(module, "run", lambda text, inputs, quick: [x + 1 for x in _results(text, inputs)])
    assert module.three_ways([spec])[0].problems != ()


def _results(text: str, inputs: list[object]) -> list[object]:
    from pipeline.oracles.xla import run

    return run(text, inputs)
