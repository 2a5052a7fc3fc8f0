"""Classes, patterns and trees of a kernel's source: what they are is what Python and JAX make of them."""

from __future__ import annotations

import pytest

from tests.trace.helpers import diagnostics

CLASSES = """
import collections
import dataclasses
from typing import Any, NamedTuple


class Carry(NamedTuple):
    top: jax.Array
    total: Any
    count: int = 3

    @property
    def both(self):
        return self.top + self.total


@dataclasses.dataclass(frozen=True)
class Config:
    rows: int
    block: int = 8
    names: list = dataclasses.field(default_factory=list)
    UNIT = 4

    def __post_init__(self):
        self.names.append("a")

    @property
    def steps(self) -> int:
        return self.rows // self.block

    @classmethod
    def small(cls, **more):
        return cls(8, **more)

    @staticmethod
    def twice(n):
        return 2 * n

    def start(self, i=1):
        return i * self.block * self.UNIT


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Pair:
    left: object
    right: object


class Counter:
    step = 2

    def __init__(self, start, *, last=None):
        self.now = start
        self.last = last

    def __call__(self, n=1):
        self.now += n * self.step
        return self.now


Point = collections.namedtuple("Point", "x y", defaults=(5,))


def kind(value):
    match value:
        case 0 | 1:
            return "bit"
        case None:
            return "none"
        case int(n) if n > 100:
            return f"large {n}"
        case int():
            return "int"
        case "a" | "b" as letter:
            return "letter " + letter
        case Point(x, y):
            return f"point {x} {y}"
        case (first, *rest, last):
            return f"{first}..{last} around {len(rest)}"
        case []:
            return "empty"
        case Config(rows=8, block=b):
            return f"small {b}"
    return "other"
"""
# an expression, and what it is in Python with JAX
SAID = [
    ("Carry(1, 2)", "Carry(top=1, total=2, count=3)"),
    ("Carry(1, total=2)._replace(count=9).both", "3"),
    ("Carry(1, 2)[1:]", "(2, 3)"),
    ("[v for v in Carry(1, 2)._asdict().items()]", "[('top', 1), ('total', 2), ('count', 3)]"),
    ("len(Carry(1, 2)), Carry(1, 2) == (1, 2, 3), isinstance(Carry(1, 2), tuple)", "(3, True, True)"),
    ("jax.tree.map(lambda v: v + 1, Carry(1, (2, 5))).total", "(3, 6)"),
    ("isinstance(jax.tree.map(abs, Carry(1, 2)), Carry), isinstance((1, 2, 3), Carry)", "(True, False)"),
    ("Config(32).steps, Config(32, 16).start(), Config(rows=9).block", "(4, 64, 8)"),
    ("Config.small(block=2).rows, Config.twice(4), Config.small().twice(4), Config.UNIT", "(8, 8, 8, 4)"),
    ("Config(1).names, Config(2).names", "(['a'], ['a'])"),
    ("dataclasses.replace(Config(32), block=4).steps", "8"),
    ("dataclasses.asdict(Pair(1, 2))", "{'left': 1, 'right': 2}"),
    ("jax.tree.leaves((Pair(1, [2, 3]), Point(4), None))", "[1, 2, 3, 4, 5]"),
    ("jax.tree.map(lambda a, b: a * b, Pair(2, 3), Pair(5, 7)).right", "21"),
    ("len(jax.tree.leaves(Config(1))), len(jax.tree.leaves(Counter(1)))", "(1, 1)"),
    ("[c() for c in [Counter(1)] for _ in range(2)], Counter(5).now, Counter(1, last=2).last", "([3, 5], 5, 2)"),
    ("list(map(kind, (0, 1, None, 200, 7, 'b', (1, 2, 3, 4), [], 'c')))",
     "['bit', 'bit', 'none', 'large 200', 'int', 'letter b', '1..4 around 2', 'empty', 'other']"),
    ("kind(Config(8, 4)), kind(Config(9)), kind(Point(1)), kind(True)", "('small 4', 'other', 'point 1 5', 'bit')"),
]  # fmt: skip


def said(text: str, expression: str) -> str:
    source = f"{text}\n\ndef kernel(x_ref, o_ref):\n    raise ValueError(str(({expression})))\n"
    (found,) = diagnostics(source)
    assert found.code == "T117", found
    return found.message.removeprefix("the kernel raises ValueError: ")


@pytest.mark.parametrize(("expression", "value"), SAID)
def test_values_are_pythons(expression: str, value: str) -> None:
    assert said(CLASSES, expression) == value


@pytest.mark.parametrize(("use", "hint"), [("pltpu.repeat(x, 2, 1)", "jnp.tile"), ("pl.load(x_ref, 0)", "pltpu.load"),
                                           ("pltpu.get_tpu_info().num_lanes", "[params]"),
                                           ("lax.axis_index('x')", "one device")])  # fmt: skip
def test_what_is_not_there_has_a_way_around(use: str, hint: str) -> None:
    (found,) = diagnostics(f"def kernel(x_ref, o_ref):\n    x = x_ref[...]\n    o_ref[...] = {use}\n")
    assert found.code == "T103" and hint in str(found.hint)
