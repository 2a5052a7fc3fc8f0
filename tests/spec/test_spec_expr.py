"""Integer expressions: equal to Python's own on what is known, bounded and refused on everything else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.spec.expr import ExprError, evaluate
from pipeline.spec.spec import Static

PARAMS: dict[str, Static] = {"M": 4096, "N": -3, "Z": 0, "big": 2**62, "text": "x", "ratio": 0.5, "flag": True}

ATOMS = st.one_of(st.integers(0, 100).map(str), st.sampled_from(["M", "N", "Z", "big"]))
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%", "**"]), inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        ),
        st.tuples(st.sampled_from(["-", "+"]), inner).map(lambda t: f"({t[0]}{t[1]})"),
        st.tuples(st.sampled_from(["min", "max", "cdiv"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
    ),
    max_leaves=6,
)


def by_python(text: str) -> int | None:
    """Python's answer; None where there is none, or where it is out of reach."""
    names = {"M": 4096, "N": -3, "Z": 0, "big": 2**62, "min": min, "max": max, "cdiv": lambda a, b: -(-a // b)}
    try:
        value = eval(text, {"__builtins__": {}}, names)
    except ZeroDivisionError:
        return None
    return value if isinstance(value, int) else None


@given(EXPRESSIONS)
@settings(max_examples=300, deadline=None)
def test_equal_to_python(text: str) -> None:
    try:
        found = evaluate(text, PARAMS)
    except ExprError as error:
        assert 1 <= error.column <= len(text)
        if "**" not in text:  # a power may be out of Python's reach, too
            value = by_python(text)
            assert value is None or "64 bits" in error.message
        return
    assert -(2**63) < found < 2**63
    assert found == by_python(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("M // 128", 32), (" M", 4096), ("-N", 3), ("2**62", 2**62), ("0**0", 1), ("(-1)**99999999999", -1),
        ("(-1)**(M * M)", 1), ("cdiv(M + 1, 128)", 33), ("cdiv(-1, 2)", 0), ("min(3, M, N)", -3), ("0x10", 16),
        ("1_000", 1000), ("-7 // 2", -4), ("-7 % 4", 1),
    ],
)  # fmt: skip
def test_values(text: str, value: int) -> None:
    assert evaluate(text, PARAMS) == value


@pytest.mark.parametrize(
    ("text", "said", "column"),
    [
        ("9**9**9", "does not fit 64 bits", 1), ("1 + 2**64", "does not fit 64 bits", 5),
        ("big * 2", "does not fit", 1),
        ("M // Z", "divides by zero", 1), ("M % Z", "divides by zero", 1), ("cdiv(M, Z)", "divides by zero", 1),
        ("2**-1", "negative exponent", 1), ("M / 2", "may not be an integer", 1), ("1 + m", "no param 'm'", 5),
        ("é + Q", "no param 'é'", 1), ("1 + é * ü", "no param 'é'", 5), ("text", "is a string", 1),
        ("ratio", "is a float", 1), ("flag", "is a boolean", 1), ("True", "not known", 1), ("1.0", "not known", 1),
        ("M if M else N", "not known", 1), ("[M][0]", "not known", 1), ("M.real", "not known", 1),
        ("(lambda: 1)()", "not known", 1), ("__import__('os')", "not known", 1), ("min(*M)", "not known", 5),
        ("min()", "1 argument or more", 1), ("cdiv(1)", "2 arguments", 1), ("max(M, key=N)", "not known", 1),
        ("M << 2", "operator", 1), ("", "empty", 1), ("M +", "not an expression", 1),
        ("M\n+ 1", "not an expression", 1),
        ("(" * 150 + "1", "not an expression", 150), ("-" * 250 + "1", None, 1), ("M\0", "not an expression", 1),
        ("1" * 257, "257 characters", 1), ("9" * 250, "does not fit 64 bits", 1), ("f'{M}'", "not known", 1),
    ],
)  # fmt: skip
def test_refusals(text: str, said: str | None, column: int) -> None:
    if said is None:
        assert evaluate(text, PARAMS) in (1, -1)
        return
    with pytest.raises(ExprError) as caught:
        evaluate(text, PARAMS)
    assert said in caught.value.message
    assert len(caught.value.message) < 300
    assert caught.value.column == column


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_no_text_crashes(text: str) -> None:
    try:
        evaluate(text, PARAMS)
    except ExprError as error:
        assert error.message
