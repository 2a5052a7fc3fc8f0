"""Static Python means here what it means in Python: expressions and statements held against Python itself."""

from __future__ import annotations

import functools
import math
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pipeline.errors import SpecError
from tests.trace.helpers import diagnostics, traced, value_of

NAMES = {"math": math, "functools": functools}

HERE = Path(__file__).parent
EXPRESSIONS = (HERE / "python_expressions.txt").read_text().splitlines()
BLOCKS = (HERE / "python_blocks.txt").read_text().strip().split("\n\n")  # each binds r


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_is_pythons(text: str) -> None:
    assert value_of(f"({text},)") == str(eval(f"({text},)", dict(NAMES)))


@pytest.mark.parametrize("text", BLOCKS)
def test_statements_are_pythons(text: str) -> None:
    def run() -> object:
        names: dict[str, object] = {}
        lines = "".join(f"    {line}\n" for line in text.splitlines())
        exec(f"import math, functools\ndef block():\n{lines}    return r\n", names)
        return names["block"]()  # type: ignore[operator]

    assert value_of("[r]", text) == str([run()])


numbers = st.one_of(st.integers(-50, 50), st.sampled_from([0.5, -1.5, 2.0, 1e10, True, False]))
operators = st.sampled_from(
    ["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "and", "or"]
)
expressions = st.recursive(
    numbers.map(lambda n: f"({n})"),
    lambda inner: st.one_of(
        st.tuples(inner, operators, inner).map(lambda parts: f"({' '.join(parts)})"),
        inner.map(lambda text: f"(-{text})"),
        inner.map(lambda text: f"(not {text})"),
        st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} if {parts[1]} else {parts[2]})"),
        inner.map(lambda text: f"(lambda v: v)({text})"),
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(expressions)
def test_any_arithmetic_is_pythons(text: str) -> None:
    """Either the same value, or Python fails too, or the value is beyond the bounds here."""
    (found,) = diagnostics(f"def kernel(x_ref, o_ref):\n    raise ValueError(str(({text},)))\n")
    if found.code == "T112":
        return
    try:
        expected: object = eval(text)
    except (TypeError, ZeroDivisionError, OverflowError, ValueError):
        assert found.code in ("T114", "T115"), (text, found)
        return
    if isinstance(expected, complex):
        assert found.code in ("T114", "T115")
        return
    assume(found.code == "T117")  # a bound inside of what Python short-circuits to a value
    assert found.message == f"the kernel raises ValueError: {(expected,)}"[: len(found.message)]


WORDS = """
x_ref o_ref jnp lax pl math a b f range len 0 1 2.5 'a' None [ ] ( ) { } : , . = == + - * ** / // % @ if else for in
while def lambda return not and or is shape dtype float32 max exp ... x_ref[...] o_ref[...]= __class__ := assert raise
ValueError del nonlocal pass break continue import from as with try class yield f'{a}' \\n
"""
words = st.sampled_from([word.replace("\\n", "\n") for word in WORDS.split()])


@settings(max_examples=400, deadline=None)
@given(st.lists(words, max_size=24))
def test_any_words_end_in_a_kernel_or_a_diagnostic(parts: list[str]) -> None:
    body = " ".join(parts).replace("\n", "\n    ")
    try:
        traced(f"def kernel(x_ref, o_ref):\n    {body}\n")
    except SpecError as error:
        assert all(found.span.source is not None for found in error.diagnostics)
