"""Kernels made at random, legal and illegal: JAX and libtpu give the verdict we give, at the stage we say."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.errors import SpecError
from pipeline.oracles.agreement import BEYOND, judge
from pipeline.oracles.libtpu import Verdict
from pipeline.oracles.random_legality import random_spec
from pipeline.oracles.whole_path import judge_specs
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace

KERNELS, BATCH = 200, 50
# of 4000 kernels 99.4 % agree; the rest are arrays that XLA keeps in VMEM, and relayouts of masks
ALLOWED = 3


def ours(path: Path, chip: str) -> tuple[str, tuple[str, ...]]:
    """(stage that refuses, codes of errors); no codes for a kernel that we take."""
    try:
        [spec] = load_specs(path)
        found = judge(trace(spec), chip)
    except SpecError as error:
        return "trace", tuple(diagnostic.code for diagnostic in error.diagnostics)
    return found.stage, tuple(code for code in found.codes if code not in BEYOND)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, tuple[tuple[str, tuple[str, ...]], Verdict]]:
    folder = tmp_path_factory.mktemp("random")
    questions = []
    for seed in range(KERNELS):
        text, chip = random_spec(seed)
        path = folder / f"random_{seed}.toml"
        path.write_text(text, encoding="utf-8")
        questions.append((path, chip))
    verdicts = [v for at in range(0, KERNELS, BATCH) for v in judge_specs(questions[at : at + BATCH])]
    return {seed: (ours(*question), v) for seed, (question, v) in enumerate(zip(questions, verdicts, strict=True))}


def test_there_are_legal_and_illegal_kernels(
    pairs: dict[int, tuple[tuple[str, tuple[str, ...]], Verdict]],
) -> None:
    accepted = sum(verdict.accepted for _, verdict in pairs.values())
    assert KERNELS // 4 < accepted < 3 * KERNELS // 4


def test_verdicts_agree(pairs: dict[int, tuple[tuple[str, tuple[str, ...]], Verdict]]) -> None:
    wrong = {
        seed: (codes, verdict.message[:300])
        for seed, ((_, codes), verdict) in pairs.items()
        if verdict.accepted == bool(codes)
    }
    assert len(wrong) <= ALLOWED, wrong


def test_stages_agree(pairs: dict[int, tuple[tuple[str, tuple[str, ...]], Verdict]]) -> None:
    both = [(stage, codes, verdict) for (stage, codes), verdict in pairs.values() if codes and not verdict.accepted]
    wrong = [(stage, codes, v.stage, v.message[:300]) for stage, codes, v in both if stage != v.stage]
    assert len(wrong) <= 0.05 * len(both), wrong


def test_the_same_seed_gives_the_same_text() -> None:
    assert random_spec(1) == random_spec(1) != random_spec(2)
