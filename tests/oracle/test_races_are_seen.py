"""What JAX's race detector sees between two cores, we report: on random kernels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from math import prod
from pathlib import Path

from pipeline.oracles.interpreters import interpret
from pipeline.simulate.data import make_inputs
from pipeline.simulate.functional import run_functional
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

sys.path.insert(0, str(Path(__file__).parents[1] / "simulate"))

from race_cases import random_case, spec_of

MOST = 6  # a kernel takes the interpreter a second or more


def asked(folder: Path) -> Iterator[Spec]:
    """Random kernels that JAX's interpreter takes: parallel axes come first, and the steps are few."""
    for seed in range(1000, 1200):
        case = random_case(seed)
        if case.axes in ((0,), (0, 1)) and "index_map" not in case.text and prod(case.grid) <= 6:
            yield spec_of(case, folder)


def test_every_race_that_jax_detects_is_ours(tmp_path: Path) -> None:
    """Ours are more: JAX sees those between the two cores as it shares the steps and lets them run, once."""
    theirs = 0
    for spec in islice(asked(tmp_path), MOST):
        seen = interpret(spec, make_inputs(spec), "races")
        ours = any(f.code == "R330" for f in run_functional(spec, trace(spec)).findings)
        theirs += seen.race
        assert not seen.error and ours >= seen.race
    assert theirs >= 2
