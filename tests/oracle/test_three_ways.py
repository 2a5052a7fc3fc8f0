"""A thousand kernels made by hypothesis: our executor, our StableHLO on XLA and JAX's interpret mode agree.

Half of them are programs over the language (`pipeline/oracles/random_program.py`), half those of
`tests/simulate/test_simulate_lanes.py`, about grids, windows and loops. What one of them does wrong (an index out of
range, memory nobody wrote) has to come out the same, too.

JAX compiles a batch of kernels together, which is most of what it takes: hypothesis draws the batch, the three are
asked, and hypothesis goes through the same draws again with the answers. A kernel that fails is made smaller by it.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from pipeline.oracles.random_program import random_program
from pipeline.oracles.three_ways import three_ways
from pipeline.oracles.xla import run
from pipeline.spec.load import parse_specs
from pipeline.spec.spec import Spec
from tests.simulate.random_lanes import random_spec

BATCHES, BATCH = 20, 70
KERNELS = 1000  # that differ
SETTINGS = hypothesis.settings(
    max_examples=BATCH, database=None, deadline=None, suppress_health_check=list(hypothesis.HealthCheck),
    phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
)  # fmt: skip
# JAX's interpret mode has no rule for a program id in a loop
LACKS = "NotImplementedError: MLIR translation rule for primitive 'program_id' not found"


@st.composite
def kernels(draw: Callable[[Any], Any]) -> str:
    """A kernel's text."""

    def choose(options: Sequence[Any]) -> Any:
        return draw(st.sampled_from(list(options)))

    if draw(st.booleans()):
        return random_program(choose)
    text = random_spec(choose)
    hypothesis.assume(not is_beyond_jax(text))
    return text


def parsed(text: str) -> Spec:
    [spec] = parse_specs(text, Path("random.toml"))
    return spec


def is_beyond_jax(text: str) -> bool:
    """Whether a loop asks for a program id, or tests a ref (which interpret mode keeps as it was before the loop)."""
    return any(re.search("(fori|while)_loop.*(program_id|s_ref)", line) for line in text.splitlines())


def goes_through(batch: int, test: Callable[[str], None]) -> None:
    """`test` with each of the batch's kernels; raises with the smallest one that it fails for."""
    hypothesis.seed(batch)(SETTINGS(hypothesis.given(kernels())(test)))()


def drawn(batch: int) -> list[str]:
    found: dict[str, None] = {}
    goes_through(batch, lambda text: found.setdefault(text))
    return list(found)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_they_agree(batch: int) -> None:
    texts = drawn(batch)
    known = dict(zip(texts, three_ways([parsed(text) for text in texts]), strict=True))

    def agree(text: str) -> None:
        outcome = known.get(text) or three_ways([parsed(text)])[0]
        assert outcome.elements and not outcome.problems and not outcome.refused, f"{outcome}\n{text}"

    goes_through(batch, agree)


def test_there_are_a_thousand() -> None:
    assert len({text for batch in range(BATCHES) for text in drawn(batch)}) >= KERNELS


def test_a_failure_is_made_smaller() -> None:
    """As if all kernels with a product came out different."""

    def differs(text: str) -> None:
        assert "jnp.dot" not in text, text

    with pytest.raises(AssertionError) as failure:
        for batch in range(BATCHES):
            goes_through(batch, differs)
    smallest = str(failure.value).split("'''")[1]
    assert "jnp.dot" in smallest and len(smallest.splitlines()) < 14


def test_what_is_left_out_jax_cannot_run() -> None:
    rng = random.Random(0)
    texts = (random_spec(lambda options: rng.choice(list(options))) for _ in itertools.count())
    (outcome,) = three_ways([parsed(next(text for text in texts if re.search("fori_loop.*program_id", text)))])
    assert outcome.refused.startswith(LACKS)


def test_a_difference_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    import pipeline.oracles.three_ways as module

    wrong = lambda text, inputs, quick: [1 - x if x.dtype == bool else x + 1 for x in run(text, inputs)]  # noqa: E731
    monkeypatch.setattr(module, "run", wrong)
    specs = [parsed(text) for text in drawn(0)[:10]]
    assert all(outcome.problems for outcome in module.three_ways(specs))
