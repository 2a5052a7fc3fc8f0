"""Our verdicts against those that JAX and libtpu gave on some 3700 kernels, recorded: neither is needed here.

`python -m pipeline.oracles.agreement` prints the same as a table and lists every disagreement.
"""

from __future__ import annotations

import pytest

from pipeline.oracles.agreement import FOLDER, Tally, compare, read_records, table

FILES = sorted(FOLDER.glob("*.jsonl"))


@pytest.fixture(scope="module")
def tallies() -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    for record in read_records(FILES):
        compare(record, found.setdefault(record["group"], Tally()))
    return found


def share(tallies: dict[str, Tally], name: str) -> float:
    pairs = [getattr(tally, name) for tally in tallies.values()]
    return float(sum(agree for agree, _ in pairs) / sum(compared for _, compared in pairs))


def test_there_are_thousands_of_verdicts(tallies: dict[str, Tally]) -> None:
    assert sum(tally.verdict[1] for tally in tallies.values()) > 8000


def test_verdicts_agree(tallies: dict[str, Tally]) -> None:
    """What is left are spilled registers, which are only estimated, and 64-bit index maps, which no spec can have."""
    assert share(tallies, "verdict") >= 0.99, table(tallies)


def test_the_right_stage_refuses(tallies: dict[str, Tally]) -> None:
    assert share(tallies, "stage") >= 0.99, table(tallies)


def test_the_right_operand_or_op_is_named(tallies: dict[str, Tally]) -> None:
    assert share(tallies, "operand") >= 0.95, table(tallies)


def test_bytes_are_equal(tallies: dict[str, Tally]) -> None:
    assert share(tallies, "size") >= 0.99, table(tallies)


def test_nothing_is_refused_that_the_compiler_takes(tallies: dict[str, Tally]) -> None:
    """Strictness would be noise: every disagreement is one where the compiler is the stricter."""
    wrong = [line for tally in tallies.values() for line in tally.lines if "the compiler accepts, we refuse" in line]
    assert wrong == []
