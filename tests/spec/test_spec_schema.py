"""The published JSON Schema is made from the models, and says the same as they do of good and bad documents."""

from __future__ import annotations

import copy
import datetime
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator
from pydantic import ValidationError
from spec_texts import BASE

import pipeline.spec.schema
from pipeline.spec import quick
from pipeline.spec.model import SpecFile
from pipeline.spec.quick import Record, read_quickly
from pipeline.spec.schema import schema, schema_text

PUBLISHED = Path(pipeline.spec.schema.__file__).with_name("schema.json")
VALIDATOR = Draft4Validator(schema())
GOOD: dict[str, Any] = tomli.loads(BASE)

# id: whether the models take it, then a path and a value to set there (... removes the key)
CASES: dict[str, tuple[bool, tuple[str | int, ...], Any]] = {
    "as-it-is": (True, ("summary",), "again"),
    "no-name": (False, ("name",), ...),
    "upper-name": (False, ("name",), "Softmax"),
    "number-name": (False, ("name",), 3),
    "long-name": (False, ("name",), "x" * 65),
    "no-summary": (True, ("summary",), ...),
    "no-targets": (False, ("targets",), ...),
    "empty-targets": (False, ("targets",), []),
    "one-target": (False, ("targets",), "v5e"),
    "unknown-key": (False, ("extra",), 1),
    "no-kernel": (False, ("kernel",), ...),
    "kernel-static": (True, ("kernel", "static"), {"a": 1, "b": "x", "c": 1.5, "d": False}),
    "kernel-static-list": (False, ("kernel", "static"), {"a": [1]}),
    "kernel-key": (False, ("kernel", "text"), "x"),
    "param-list": (False, ("params", "M"), [1]),
    "param-null": (False, ("params", "M"), None),
    "matrix": (True, ("matrix",), {"M": [1, "x", True, 0.5]}),
    "matrix-empty": (False, ("matrix",), {"M": []}),
    "matrix-scalar": (False, ("matrix",), {"M": 1}),
    "variants": (True, ("variants",), [{"name": "Big_1", "params": {"M": 1}}]),
    "variant-name": (False, ("variants",), [{"name": "a-b"}]),
    "variant-no-name": (False, ("variants",), [{"params": {}}]),
    "sweep": (True, ("sweep",), {"M": [1, 2], "block.x.0": "64..512", "block.x": ["8x128"]}),
    "sweep-scalar": (False, ("sweep",), {"M": 1}),
    "sweep-empty": (False, ("sweep",), {"M": []}),
    "no-grid": (True, ("grid",), ...),
    "null-grid": (True, ("grid",), None),
    "grid-bool": (False, ("grid", "shape", 0), True),
    "grid-float": (False, ("grid", "shape", 0), 1.0),
    "grid-int": (True, ("grid", "shape", 0), 16),
    "grid-empty": (True, ("grid", "shape"), []),
    "grid-rank": (False, ("grid", "shape"), [1] * 9),
    "semantics-word": (False, ("grid", "semantics"), ["sequential"]),
    "semantics-two": (True, ("grid", "semantics"), ["parallel", "arbitrary"]),
    "shape-string": (False, ("inputs", 0, "shape"), "8"),
    "shape-null": (False, ("inputs", 0, "shape"), None),
    "dtype-number": (False, ("inputs", 0, "dtype"), 16),
    "no-block": (True, ("inputs", 0, "block"), ...),
    "block-null": (True, ("inputs", 0, "block", 0), None),
    "block-squeezed": (True, ("inputs", 0, "block", 0), "squeezed"),
    "block-element": (True, ("inputs", 0, "block", 0), {"element": "M", "padding": [0, 8]}),
    "block-element-key": (False, ("inputs", 0, "block", 0), {"element": 8, "pad": [0, 8]}),
    "block-element-none": (False, ("inputs", 0, "block", 0), {}),
    "block-padding-one": (False, ("inputs", 0, "block", 0), {"element": 8, "padding": [0]}),
    "block-padding-three": (False, ("inputs", 0, "block", 0), {"element": 8, "padding": [0, 1, 2]}),
    "block-float": (False, ("inputs", 0, "block", 0), 8.0),
    "space": (True, ("inputs", 0, "memory_space"), "smem"),
    "space-word": (False, ("inputs", 0, "memory_space"), "cmem"),
    "buffers": (True, ("inputs", 0, "buffer_count"), 3),
    "buffers-float": (False, ("inputs", 0, "buffer_count"), 3.0),
    "data-file": (True, ("inputs", 0, "data"), "x.npy"),
    "data-list": (False, ("inputs", 0, "data"), [1]),
    "data-kind": (False, ("inputs", 0, "data", "kind"), "gaussian"),
    "data-number": (True, ("inputs", 0, "data", "low"), 0.5),
    "data-expression": (True, ("inputs", 0, "data", "low"), "M"),
    "data-bool": (False, ("inputs", 0, "data", "low"), True),
    "data-seed-float": (False, ("inputs", 0, "data", "seed"), 0.5),
    "input-alias": (False, ("inputs", 0, "alias"), "o"),
    "output-alias": (True, ("outputs", 0, "alias"), "x"),
    "output-data": (False, ("outputs", 0, "data"), "x.npy"),
    "no-outputs": (False, ("outputs",), []),
    "no-inputs": (True, ("inputs",), []),
    "operand-name": (False, ("outputs", 0, "name"), "1o"),
    "outputs-table": (False, ("outputs",), {"name": "o"}),
    "prefetch": (True, ("scalar_prefetch",), [{"name": "s", "shape": [8], "dtype": "int32"}]),
    "prefetch-block": (False, ("scalar_prefetch",), [{"name": "s", "shape": [8], "dtype": "int32", "block": [8]}]),
    "scratch": (True, ("scratch",), [{"name": "s", "kind": "vmem", "shape": [8], "dtype": "int32"}]),
    "scratch-semaphore": (True, ("scratch",), [{"name": "s", "kind": "semaphore"}]),
    "scratch-kind": (False, ("scratch",), [{"name": "s", "kind": "hbm"}]),
    "limit": (True, ("vmem_limit_bytes",), "2**20"),
    "limit-float": (False, ("vmem_limit_bytes",), 1e6),
    "expect": (True, ("expect",), {"error": "P101"}),
    "expect-empty": (True, ("expect",), {}),  # S127 says it names neither
    "expect-warning": (True, ("expect",), {"warning": "P501"}),
    "expect-also": (True, ("expect",), {"error": "R311", "also": ["R312"]}),
    "expect-list": (False, ("expect",), {"error": ["R311", "R312"]}),
    "reference-list": (False, ("simulate", "reference"), ["lambda x: x"]),
}


def changed(path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    document = copy.deepcopy(GOOD)
    node: Any = document
    for key in path[:-1]:
        node = node[key]
    if value is ...:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return document


def models_take(document: object) -> bool:
    try:
        SpecFile.model_validate(document)
    except ValidationError:
        return False
    return True


def test_published_schema_is_the_models() -> None:
    assert PUBLISHED.read_text() == schema_text()


def test_schema_is_valid_draft_4() -> None:
    Draft4Validator.check_schema(schema())
    assert "$defs" not in schema_text() and "prefixItems" not in schema_text()


@pytest.mark.parametrize("case", CASES)
def test_schema_and_models_agree(case: str) -> None:
    good, path, value = CASES[case]
    document = changed(path, value)
    assert models_take(document) is good
    assert VALIDATOR.is_valid(document) is good


JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 99), st.just(1.5), st.sampled_from(["x", "vmem", "", "9a"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "element", "kind"]), inner),
    max_leaves=4,
)
PATHS = [path for _, path, _ in CASES.values()]


@given(st.sampled_from(PATHS), JUNK)
@settings(max_examples=200, deadline=None)
def test_schema_and_models_agree_on_junk(path: tuple[str | int, ...], value: Any) -> None:
    document = changed(path, value)
    assert VALIDATOR.is_valid(document) is models_take(document)


def plain(value: object) -> object:
    """What a model's `model_dump` gives, of a `Record`."""
    match value:
        case Record():
            return {key: plain(one) for key, one in vars(value).items()}
        case dict():
            return {key: plain(one) for key, one in value.items()}
        case list():
            return [plain(one) for one in value]
    return value


def same(one: object, other: object) -> bool:
    """Equal, also in type and in the order of keys: 1, 1.0 and True are three values."""
    return repr(one) == repr(other)


@pytest.mark.parametrize("case", CASES)
def test_the_quick_reader_is_the_models(case: str) -> None:
    good, path, value = CASES[case]
    document = changed(path, value)
    read = read_quickly(document)
    assert (read is not None) is good
    if read is not None:
        assert same(plain(read), SpecFile.model_validate(document).model_dump())


@given(st.sampled_from(PATHS), JUNK)
@settings(max_examples=300, deadline=None)
def test_the_quick_reader_is_the_models_on_junk(path: tuple[str | int, ...], value: Any) -> None:
    document = changed(path, value)
    read = read_quickly(document)
    assert (read is not None) is models_take(document)
    if read is not None:
        assert same(plain(read), SpecFile.model_validate(document).model_dump())


# What the models may refuse, or read in a way of their own, is theirs, whether they take it in the end or not.
STRANGE = {
    "newline": (("name",), "softmax\n"),
    "surrogate": (("summary",), "\ud800"),
    "surrogate-key": (("params",), {"\udfff": 1}),
    "number-key": (("params",), {1: 1}),
    "huge": (("grid", "shape", 0), 10**30),
    "tuple": (("targets",), ("v5e",)),
    "date": (("params", "M"), datetime.date(2020, 2, 2)),
}


@pytest.mark.parametrize("case", STRANGE)
def test_the_quick_reader_leaves_what_is_strange_to_the_models(case: str) -> None:
    assert read_quickly(changed(*STRANGE[case])) is None


def test_the_quick_reader_takes_other_schemas_words_for_no_word_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_quickly(GOOD) is not None
    whole = copy.deepcopy(quick._schema())
    monkeypatch.setattr("pipeline.spec.quick._schema", lambda: whole)
    assert read_quickly(GOOD) is not None
    whole["properties"]["summary"]["format"] = "email"
    assert read_quickly(GOOD) is None


def test_the_models_check_nothing_that_a_schema_cannot_say() -> None:
    """A validator in Python would be passed over for a file that is read by its schema."""

    def kinds(node: object) -> Iterator[str]:
        if isinstance(node, dict):
            if isinstance(node.get("type"), str):
                yield node["type"]
            for one in node.values():
                yield from kinds(one)
        elif isinstance(node, (list, tuple)):
            for one in node:
                yield from kinds(one)

    SpecFile.model_rebuild()
    found = set(kinds(SpecFile.__pydantic_core_schema__))
    assert "model-field" in found
    assert [kind for kind in sorted(found) if kind.startswith("function") or kind in ("custom-error", "call")] == []


def test_shipped_specs_need_no_pydantic() -> None:
    specs = Path(pipeline.spec.schema.__file__).parents[2] / "specs"
    files = sorted(specs.glob("*.toml"))
    assert len(files) >= 9
    for file in files:
        assert read_quickly(tomli.loads(file.read_text())) is not None, file.name


def test_every_key_is_described() -> None:
    """What an editor shows on hovering; numbers of data are described by their kind."""
    whole = json.loads(schema_text())
    for name, table in [("the spec", whole), *whole["definitions"].items()]:
        assert table["additionalProperties"] is False
        for key, one in table["properties"].items():
            assert one.get("description") or name == "DataTable", (name, key)
