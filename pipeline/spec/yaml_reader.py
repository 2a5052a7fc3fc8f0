"""Reads a YAML spec: PyYAML's events, YAML 1.2's scalars, every key's place. Nothing but plain data comes out.

PyYAML's own composer is not used: it knows YAML 1.1's scalars (`no` is false, 1:30 is 90), keeps the last of two equal
keys, recurses, and writes an alias's value out as often as it is asked to.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from pipeline.errors import Diagnostic, Source, Span
from pipeline.spec.limits import MAX_DEPTH, MAX_VALUES
from pipeline.spec.places import Key, Place, Places

_INT = re.compile(r"[-+]?[0-9]++")
_OCTAL = re.compile(r"0o[0-7]++")
_HEX = re.compile(r"0x[0-9a-fA-F]++")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?)(?:[eE][-+]?[0-9]++)?")
_INF = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_WORDS: dict[str, Any] = {"": None, "~": None, ".nan": float("nan"), ".NaN": float("nan"), ".NAN": float("nan")}
for _word, _value in (("null", None), ("true", True), ("false", False)):
    _WORDS |= {_word: _value, _word.capitalize(): _value, _word.upper(): _value}
_TAG = "tag:yaml.org,2002:"
_MAX_DIGITS = 4000  # of an integer; Python refuses to convert more than 4300


class _Fault(Exception):
    """A mistake of the file, as message, [start, end) offsets and hint."""

    def __init__(self, code: str, message: str, start: int, end: int, hint: str | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.start, self.end, self.hint = code, message, start, end, hint


def read_yaml(source: Source) -> tuple[object, Places] | Diagnostic:
    """The one document of a YAML text as dicts, lists and scalars, with its places.

    Errors: S004 where it isn't YAML (or a key is given twice), S005 where it nests or expands too far.
    """
    places = Places(source, Place(0, 0))
    try:
        value, places.root = _Reader(source.text).document()
    except _Fault as fault:
        return Diagnostic(fault.code, fault.message, places.span(fault.start, fault.end), fault.hint)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = mark.index if mark is not None else 0
        message = f"not valid YAML: {error.problem or error.context}"
        hint = "text that holds ': ' needs quotes" if "mapping values" in message else None
        return Diagnostic("S004", message, places.span(at, at + 1), hint)
    except yaml.reader.ReaderError as error:
        at = error.position if isinstance(error.position, int) else 0
        found = f"U+{error.character:04X}" if isinstance(error.character, int) else repr(error.character)
        return Diagnostic("S004", f"not valid YAML: the character {found} is not allowed", places.span(at, at + 1))
    except yaml.YAMLError:
        return Diagnostic("S004", "not valid YAML", Span(source, 1, 1))
    return value, places


class _Open:
    """A mapping or sequence whose end hasn't come yet."""

    __slots__ = ("anchor", "key", "place", "size", "value")

    def __init__(self, value: dict[str, object] | list[object], place: Place, anchor: str | None) -> None:
        self.value = value
        self.place = place
        self.anchor = anchor
        self.size = 1  # values in it, aliases written out
        self.key: tuple[str, int, int] | None = None  # of a mapping: the key whose value comes next


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[object, Place, int]] = {}
        self.result: tuple[object, Place] = (None, Place(0, 0))
        self.documents = 0

    def document(self) -> tuple[object, Place]:
        for event in yaml.parse(self.text, Loader=yaml.SafeLoader):
            assert event.start_mark is not None and event.end_mark is not None
            start, end = event.start_mark.index, event.end_mark.index
            if isinstance(event, yaml.ScalarEvent):
                self.scalar(event, start, end)
            elif isinstance(event, yaml.AliasEvent):
                self.alias(event.anchor or "", start, end)
            elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                self.begin(event, start, end)
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                self.finish(end)
            elif isinstance(event, yaml.DocumentStartEvent):
                self.documents += 1
                if self.documents > 1:
                    raise _Fault("S004", "a spec is one YAML document, but a second one starts here", start, end)
        return self.result

    def begin(self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent, start: int, end: int) -> None:
        mapping = isinstance(event, yaml.MappingStartEvent)
        if event.tag not in (None, "!", _TAG + ("map" if mapping else "seq")):
            raise _Fault("S004", f"the YAML tag {_shown(event.tag)} is not known here", start, end)
        self.no_key(start, end)
        if len(self.open) >= MAX_DEPTH:
            raise _Fault("S005", f"values nest deeper than {MAX_DEPTH} levels", start, end)
        self.open.append(_Open({} if mapping else [], Place(start, end), event.anchor))

    def finish(self, end: int) -> None:
        done = self.open.pop()
        stop = len(self.text[done.place.start : end].rstrip())  # a block collection ends where the next token starts
        done.place.end = done.place.start + stop
        self.add(done.value, done.place, done.size, done.anchor)

    def scalar(self, event: yaml.ScalarEvent, start: int, end: int) -> None:
        if any("\ud800" <= c <= "\udfff" for c in ("" if event.value.isascii() else event.value)):
            raise _Fault("S004", "an escape stands for half a character (a surrogate)", start, end)
        if self.open and isinstance(self.open[-1].value, dict) and self.open[-1].key is None:
            self.key(event.value, start, end)
            if event.anchor:
                self.anchors[event.anchor] = (event.value, Place(start, end), 1)
            return
        value = self.resolve(event, start, end)
        place = Place(start, start + len(self.text[start:end].rstrip()))
        self.add(value, place, 1, event.anchor)

    def key(self, key: str, start: int, end: int) -> None:
        mapping = self.open[-1]
        first = mapping.place.child(key)
        if first is not None:
            line = self.text.count("\n", 0, first.key_start) + 1
            raise _Fault("S004", f"the key {_shown(key)} is given twice, first in line {line}", start, end)
        mapping.key = (key, start, end)

    def no_key(self, start: int, end: int) -> None:
        """Refuse a collection where a mapping's key is due."""
        if self.open and isinstance(self.open[-1].value, dict) and self.open[-1].key is None:
            raise _Fault("S004", "a key must be a plain word", start, end)

    def alias(self, anchor: str, start: int, end: int) -> None:
        self.no_key(start, end)
        if anchor not in self.anchors:
            enclosing = any(one.anchor == anchor for one in self.open)
            fact = "stands inside the value it names" if enclosing else "names no anchor above it"
            raise _Fault("S004", f"the alias *{_shown(anchor)} {fact}", start, end)
        value, target, size = self.anchors[anchor]
        place = Place(start, end)
        place.children = target.children
        self.add(value, place, size, None)

    def add(self, value: object, place: Place, size: int, anchor: str | None) -> None:
        """A finished value goes to the collection around it."""
        if anchor is not None:
            self.anchors[anchor] = (value, place, size)
        if not self.open:
            self.result = (value, place)
            return
        outer = self.open[-1]
        outer.size += size
        if outer.size > MAX_VALUES:
            fact = f"holds more than {MAX_VALUES} values, aliases written out"
            raise _Fault("S005", f"the file {fact}", place.start, place.end)
        key: Key
        if isinstance(outer.value, dict):
            assert outer.key is not None
            key, start, end = outer.key
            outer.key = None
            outer.value[key] = value
            inner = Place(place.start, place.end, start, end)
            inner.children = place.children
            outer.place.children[key] = inner
        else:
            outer.place.children[len(outer.value)] = place
            outer.value.append(value)

    def resolve(self, event: yaml.ScalarEvent, start: int, end: int) -> object:
        """A scalar's value by YAML 1.2's core schema, or by its tag where it has one of the core's."""
        text = event.value
        tag = event.tag
        if tag in (None, "!"):
            if event.style is not None or tag == "!":
                return text
            return self.plain(text, start, end)
        kind = {_TAG + "str": str, _TAG + "int": int, _TAG + "float": float, _TAG + "bool": bool}.get(tag)
        if kind is str:
            return text
        value = self.plain(text, start, end)
        if kind is float and type(value) is int and len(text) < 300:
            return float(value)
        if (kind is not None and type(value) is kind) or (tag == _TAG + "null" and value is None):
            return value
        raise _Fault("S004", f"the YAML tag {_shown(tag)} doesn't fit this value", start, end)

    def plain(self, text: str, start: int, end: int) -> object:
        if text in _WORDS:
            return _WORDS[text]
        if _INT.fullmatch(text) or _OCTAL.fullmatch(text) or _HEX.fullmatch(text):
            if len(text) > _MAX_DIGITS:
                raise _Fault("S004", f"an integer of {len(text)} digits is too long", start, end)
            return int(text, 8 if text.startswith("0o") else 16 if text.startswith("0x") else 10)
        if _FLOAT.fullmatch(text):
            return float(text)
        if _INF.fullmatch(text):
            return float("-inf" if text[0] == "-" else "inf")
        return text


def _shown(text: str) -> str:
    """Untrusted text for a message: short and printable."""
    short = text if len(text) <= 40 else text[:37] + "..."
    return "'" + "".join(c if c.isprintable() else "?" for c in short) + "'"
