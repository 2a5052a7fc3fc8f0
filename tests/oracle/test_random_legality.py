"""Kernels made at random, legal and illegal: JAX and libtpu give the verdict we give, at the stage we say."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path

import pytest

from pipeline.errors import SpecError
from pipeline.oracles.agreement import BEYOND, judge
from pipeline.oracles.directed_kernels import directed_specs
from pipeline.oracles.libtpu import Verdict
from pipeline.oracles.random_legality import EARLY_CHIPS, random_spec
from pipeline.oracles.random_memory import random_memory_spec
from pipeline.oracles.whole_path import judge_specs
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace

BATCH = 50
# generator -> kernels, and how many may disagree. Of 4000 of the first 99.6 % agree, of 1000 of the second 99.5 %; the
# rest are arrays that XLA keeps in VMEM, and relayouts of masks
GENERATORS: dict[str, tuple[Iterable[tuple[str, str]], int]] = {
    "legality": (map(random_spec, range(200)), 3),
    "memory": (map(random_memory_spec, range(1000, 1200)), 3),
    "early chips": ((random_spec(seed, EARLY_CHIPS) for seed in range(500, 580)), 1),
    "directed": (((text, chip) for _, text, chip in itertools.islice(directed_specs(), 0, None, 7)), 0),
}
Pair = tuple[tuple[str, tuple[str, ...]], Verdict]


def ours(path: Path, chip: str) -> tuple[str, tuple[str, ...]]:
    """(stage that refuses, codes of errors); no codes for a kernel that we take."""
    try:
        [spec] = load_specs(path)
        found = judge(trace(spec), chip)
    except SpecError as error:
        return "trace", tuple(diagnostic.code for diagnostic in error.diagnostics)
    return found.stage, found.codes


@pytest.fixture(scope="module", params=GENERATORS)
def judged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Pair], int]:
    """Our verdict and theirs on each kernel of a generator, and how many may differ."""
    specs, allowed = GENERATORS[request.param]
    folder = tmp_path_factory.mktemp("random")
    questions = []
    for number, (text, chip) in enumerate(specs):
        path = folder / f"random_{number}.toml"
        path.write_text(text, encoding="utf-8")
        questions.append((path, chip))
    verdicts = [v for at in range(0, len(questions), BATCH) for v in judge_specs(questions[at : at + BATCH])]
    return [(ours(*question), verdict) for question, verdict in zip(questions, verdicts, strict=True)], allowed


def test_there_are_legal_and_illegal_kernels(judged: tuple[list[Pair], int]) -> None:
    pairs, _ = judged
    assert len(pairs) // 4 < sum(verdict.accepted for _, verdict in pairs) < 3 * len(pairs) // 4


def test_verdicts_agree(judged: tuple[list[Pair], int]) -> None:
    pairs, allowed = judged
    wrong = {
        number: (codes, verdict.message[:300])
        for number, ((_, codes), verdict) in enumerate(pairs)
        if (any(code not in BEYOND for code in codes) if verdict.accepted else not codes)
    }
    assert len(wrong) <= allowed, wrong


def test_stages_agree(judged: tuple[list[Pair], int]) -> None:
    pairs, _ = judged
    both = [(stage, codes, verdict) for (stage, codes), verdict in pairs if codes and not verdict.accepted]
    wrong = [(stage, codes, v.stage, v.message[:300]) for stage, codes, v in both if stage != v.stage]
    assert len(wrong) <= 0.05 * len(both), wrong


def test_the_same_seed_gives_the_same_text() -> None:
    assert random_spec(1) == random_spec(1) != random_spec(2)
    assert random_memory_spec(1) == random_memory_spec(1) != random_memory_spec(2)
