"""A spec's data by the published schema: the quick way to a spec file's tables, for a file that keeps to it.

To import pydantic and build the models' validators takes longer than all else that `show` does. schema.json is made
from the models and held equal to them, so what it takes they take: such a file is read here. Any other file, and a
value of which the two might think differently, goes to the models (`structure.py`), which also say what is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from pipeline.spec.model import SpecFile

_SCHEMA = Path(__file__).with_name("schema.json")
# A schema that says anything else is not read here, rather than read without it.
_WORDS = {
    *("$ref", "additionalProperties", "allOf", "anyOf", "default", "description", "enum", "items", "maxItems"),
    *("maxLength", "maxProperties", "minItems", "pattern", "properties", "required", "type"),
}
_BESIDE_CHOICES = {"allOf", "anyOf", "default", "description"}
_TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "null": type(None)}
_LARGE = 1 << 63  # an integer beyond is legal, but no common case


class Record:
    """A table: its keys as attributes, with defaults for those left out, as the model of the table has them."""

    def __init__(self, values: dict[str, object]) -> None:
        self.__dict__.update(values)


class _Unsure(Exception):
    """The schema does not take the value, or not for certain."""


def read_quickly(data: Mapping[str, object]) -> SpecFile | None:
    """What `SpecFile.model_validate(data)` gives, as `Record`s; None where it may refuse. Errors: none."""
    try:
        return cast("SpecFile", _table(_schema(), data))
    except _Unsure:
        return None


@cache
def _schema() -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(_SCHEMA.read_bytes())
    return {key: value for key, value in whole.items() if key not in ("$schema", "title")}


def _value(schema: Mapping[str, Any], value: object) -> object:
    """The value as the models hold it. Errors: _Unsure."""
    if not _WORDS.issuperset(schema):
        raise _Unsure
    if "$ref" in schema:
        return _table(_schema()["definitions"][schema["$ref"].rpartition("/")[2]], value)
    choices = schema.get("allOf") or schema.get("anyOf")  # allOf has one entry, see schema.py
    if choices:
        for choice in choices if schema.keys() <= _BESIDE_CHOICES else ():
            try:
                return _value(choice, value)
            except _Unsure:
                continue
        raise _Unsure
    match schema.get("type"):
        case "object":
            return _mapping(schema, value)
        case "array":
            return _array(schema, value)
        case kind if type(value) is _TYPES.get(kind or ""):
            _check_scalar(schema, value)
            return value
    raise _Unsure


def _table(schema: Mapping[str, Any], value: object) -> Record:
    """A table with keys of its own."""
    if type(value) is not dict or not (_WORDS | {"definitions"}).issuperset(schema):
        raise _Unsure
    keys = schema["properties"]
    if not keys.keys() >= value.keys() or not all(key in value for key in schema.get("required", ())):
        raise _Unsure
    return Record({key: _value(one, value[key]) if key in value else one.get("default") for key, one in keys.items()})


def _mapping(schema: Mapping[str, Any], value: object) -> dict[str, object]:
    """A table whose keys are the author's."""
    if type(value) is not dict or len(value) > schema.get("maxProperties", len(value)) or "properties" in schema:
        raise _Unsure
    for key in value:
        if type(key) is not str:
            raise _Unsure
        _check_scalar({}, key)
    return {key: _value(schema["additionalProperties"], one) for key, one in value.items()}


def _array(schema: Mapping[str, Any], value: object) -> list[object]:
    if type(value) is not list or not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        raise _Unsure
    return [_value(schema["items"], one) for one in value]


def _check_scalar(schema: Mapping[str, Any], value: object) -> None:
    if isinstance(value, str):
        if len(value) > schema.get("maxLength", len(value)):
            raise _Unsure
        if "pattern" in schema and re.fullmatch(schema["pattern"], value) is None:
            raise _Unsure
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):  # no text, to pydantic
            raise _Unsure
    elif isinstance(value, int) and not -_LARGE <= value < _LARGE:
        raise _Unsure
    if "enum" in schema and value not in schema["enum"]:
        raise _Unsure
