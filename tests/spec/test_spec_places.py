"""`locate_toml` and `read_yaml` find every key and value of generated files; YAML's scalars are version 1.2's."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
import tomli
from hypothesis import given, settings
from hypothesis import strategies as st
from spec_texts import toml_file

from pipeline.errors import Diagnostic, Source, Span
from pipeline.spec.locate import locate_toml, toml_depth
from pipeline.spec.places import Places
from pipeline.spec.yaml_reader import read_yaml


def taken(span: Span) -> str:
    assert span.source is not None
    line = span.source.line(span.line) or ""
    return line[span.column - 1 : (span.end_column or span.column) - 1]


SAMPLE = """\
# [not.a.header]
top = 1
a.b.c = "dotted"   # x = 2
"quoted key" = 'lit'
'single.key' = [ 1, [2, 3], # a comment with ]
    { k = "v", deep.er = true },
]
long = '''
[not_a_header]
key = 3
'''
after = \"\"\"one
two \\\"\\\" three\"\"\"
next = 5

[table]
x = 1979-05-27 07:32:00
y = { p = [1, { q = -0.5e3 }], "r s" = "}" }

[table.sub]
z = "#"

[[list]]
n = 1
[[list.inner]]
m = 10
[[list.inner]]
m = 11
[[list]]
n = 2
[[list.inner]]
m = 20
"""


@pytest.mark.parametrize(
    ("loc", "text"),
    [
        (("top",), "1"),
        (("a", "b", "c"), '"dotted"'),
        (("quoted key",), "'lit'"),
        (("single.key", 0), "1"),
        (("single.key", 1, 1), "3"),
        (("single.key", 2, "k"), '"v"'),
        (("single.key", 2, "deep", "er"), "true"),
        (("single.key",), "[ 1, [2, 3], # a comment with ]"),
        (("long",), "'''"),
        (("next",), "5"),
        (("table",), "[table]"),
        (("table", "x"), "1979-05-27 07:32:00"),
        (("table", "y", "p", 1, "q"), "-0.5e3"),
        (("table", "y", "r s"), '"}"'),
        (("table", "sub", "z"), '"#"'),
        (("list", 0), "[[list]]"),
        (("list", 0, "inner", 1, "m"), "11"),
        (("list", 1, "inner", 0, "m"), "20"),
        (("list", 1, "missing"), "[[list]]"),
        (("table", "y", "missing", 3), '{ p = [1, { q = -0.5e3 }], "r s" = "}" }'),
        (("missing",), ""),
    ],
)
def test_values_of_a_toml_text(loc: tuple[str | int, ...], text: str) -> None:
    tomli.loads(SAMPLE)
    assert taken(locate_toml(Source("t", SAMPLE))(*loc)) == text


@pytest.mark.parametrize(
    ("loc", "text"),
    [
        (("quoted key",), '"quoted key"'),
        (("a", "b"), "b"),
        (("single.key", 2, "deep", "er"), "er"),
        (("table", "y"), "y"),
        (("list", 1, "n"), "n"),
        (("table", "sub"), "sub"),
    ],
)
def test_keys_of_a_toml_text(loc: tuple[str | int, ...], text: str) -> None:
    assert taken(locate_toml(Source("t", SAMPLE)).key(*loc)) == text


def test_depth_counts_brackets_outside_text() -> None:
    assert toml_depth("a = '[[['\nb = [[1]] # [[[\nc = '''[\n[[['''", 2) is None
    assert toml_depth("b = [[1]]", 1) == 5
    assert toml_depth('a = "' + "[" * 100 + "\n[[", 1) == 107  # a string without an end ends with its line


WORDS = st.text("abcxyz-_0", min_size=1, max_size=4)
KEYS = st.one_of(WORDS, st.text("ab .#=[]é'", max_size=5))
SCALARS = st.one_of(
    st.integers(-(10**20), 10**20),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text("ab #[]{}=,'\n\"\\é", max_size=8),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
TABLES = st.dictionaries(
    KEYS,
    VALUES
    | st.dictionaries(KEYS, VALUES, max_size=3)
    | st.lists(st.dictionaries(KEYS, VALUES, max_size=2), min_size=1, max_size=3),
    max_size=5,
)


def leaves(value: Any, loc: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, dict):
        return [leaf for key, one in value.items() for leaf in leaves(one, (*loc, key))]
    if isinstance(value, list):
        return [leaf for i, one in enumerate(value) for leaf in leaves(one, (*loc, i))]
    return [(loc, value)]


@given(TABLES)
@settings(max_examples=150, deadline=None)
def test_every_value_of_a_generated_toml_file_is_found(data: dict[str, Any]) -> None:
    text = toml_file(data)
    assert tomli.loads(text) == data
    places = locate_toml(Source("t", text))
    for loc, value in leaves(data):
        found = taken(places(*loc))
        assert tomli.loads(f"x = {found}")["x"] == value, (loc, found)
        if isinstance(loc[-1], str):
            key = taken(places.key(*loc))
            assert list(tomli.loads(f"{key} = 1")) == [loc[-1]]


def yaml_of(text: str) -> tuple[Any, Places]:
    read = read_yaml(Source("t", text))
    assert not isinstance(read, Diagnostic), read.message
    return read


@given(TABLES)
@settings(max_examples=150, deadline=None)
def test_every_value_of_a_generated_yaml_file_is_found(data: dict[str, Any]) -> None:
    text = json.dumps(data, ensure_ascii=False, indent=1)
    value, places = yaml_of(text)
    assert value == data
    for loc, leaf in leaves(data):
        assert json.loads(taken(places(*loc))) == leaf
        if isinstance(loc[-1], str):
            assert json.loads(taken(places.key(*loc))) == loc[-1]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"), ("yes", "yes"), ("on", "on"), ("Off", "Off"), ("y", "y"),
        ("true", True), ("True", True), ("FALSE", False), ("tRue", "tRue"),
        ("~", None), ("null", None), ("Null", None), ("", None), ("nil", "nil"),
        ("17", 17), ("017", 17), ("0o17", 15), ("0x1F", 31), ("-5", -5), ("+5", 5), ("1_000", "1_000"), ("0b1", "0b1"),
        ("1:30", "1:30"), ("2001-01-01", "2001-01-01"), ("1.5", 1.5), (".5", 0.5), ("1.", 1.0), ("1e3", 1000.0),
        ("-.inf", -math.inf), (".Inf", math.inf), ("inf", "inf"), ("1.2.3", "1.2.3"), ("<<", "<<"), ("=", "="),
        ('"17"', "17"), ("'true'", "true"), ("!!str 17", "17"), ("!!int 17", 17), ("!!float 17", 17.0),
        ("!!float .5", 0.5), ("! 17", "17"), ("!!null ~", None), ("!!bool true", True),
        ("!!seq [1]", [1]), ("!!map {}", {}),
    ],
)  # fmt: skip
def test_yaml_scalars(text: str, value: object) -> None:
    read, _ = yaml_of(f"a: {text}\n")
    assert read == {"a": value} and type(read["a"]) is type(value)


def test_yaml_nan() -> None:
    read, _ = yaml_of("a: .nan\n")
    assert math.isnan(read["a"])


def test_yaml_aliases_have_the_places_of_their_anchor() -> None:
    value, places = yaml_of("a: &s [1, 22]\nb: *s\nc:\n- &t {k: v}\n- *t\n")
    assert value == {"a": [1, 22], "b": [1, 22], "c": [{"k": "v"}, {"k": "v"}]}
    assert (taken(places("b")), taken(places("b", 1)), places("b", 1).line) == ("*s", "22", 1)
    assert (places.key("b").line, places("c", 1, "k").line) == (2, 4)


def test_yaml_block_collections() -> None:
    value, places = yaml_of("a:\n  - x: 1\n    y: |\n      two\n      lines\n\n  - z\nb: end # comment\n")
    assert value == {"a": [{"x": 1, "y": "two\nlines\n"}, "z"], "b": "end"}
    assert (taken(places("a", 0, "x")), taken(places("a", 1)), taken(places("b"))) == ("1", "z", "end")
    assert taken(places("a", 0)) == "x: 1"


def test_yaml_expansion_is_bounded() -> None:
    text = (
        "a: &a ["
        + "1, " * 9
        + "1]\n"
        + "".join(f"b{i}: &b{i} [{', '.join([f'*{chr(97)}' if i == 0 else f'*b{i - 1}'] * 9)}]\n" for i in range(30))
    )
    found = read_yaml(Source("t", text))
    assert isinstance(found, Diagnostic) and found.code == "S005"
