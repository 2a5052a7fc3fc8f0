"""Every diagnostic's code with its explanation: the tables of the stages, merged.

Each package keeps its own `codes.py`, plain data, so that a code stands beside what raises it.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

# The letter of a code says where it was found.
LETTERS: dict[str, str] = {
    "S": "spec",
    "T": "trace",
    "L": "lower",
    "P": "chip profiles, schedule and the Triton verdict",
    "R": "simulate",
    "C": "captures",
    "F": "front end for Python by way of JAX",
}

TABLES: tuple[str, ...] = (
    "pipeline.spec.codes",
    "pipeline.trace.codes",
    "pipeline.chips.codes",
    "pipeline.lower.codes",
    "pipeline.schedule.codes",
    "pipeline.triton.codes",
    "pipeline.simulate.codes",
    "pipeline.frontend.codes",
    "pipeline.capture.codes",
)


class CodeDoc(NamedTuple):
    """What a code stands for: a title of a few words, and a paragraph or two on why and what to do."""

    title: str
    explanation: str


def load_codes(tables: tuple[str, ...] = TABLES) -> dict[str, CodeDoc]:
    """All codes, sorted. Errors: AssertionError where two tables claim one code."""
    merged: dict[str, CodeDoc] = {}
    for table in tables:
        for code, (title, explanation) in import_module(table).CODES.items():
            assert code not in merged, f"{table} claims {code}, which another table has"
            merged[code] = CodeDoc(title, explanation)
    return dict(sorted(merged.items()))


def near_codes(asked: str, known: dict[str, CodeDoc], count: int = 4) -> list[str]:
    """Up to `count` known codes most like `asked`: same letter, then same first digits, then the nearest number."""
    letter, number = asked[:1].upper(), "".join(c for c in asked if c in "0123456789")[:9]
    same = [code for code in known if code[:1] == letter]
    if not number:
        return same[:count]

    def distance(code: str) -> tuple[bool, int, str]:
        return not code[1:].startswith(number), abs(int(code[1:]) - int(number)), code

    return sorted(same or known, key=distance)[:count]
