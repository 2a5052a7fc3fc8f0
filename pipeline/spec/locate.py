"""Where keys and values stand in a TOML text that has been parsed: headers, dotted keys, inline tables, arrays.

tomli gives values without positions. This scanner walks the same text and keeps offsets only; it expects valid TOML,
and where it meets anything else it stops with the places found so far.
"""

from __future__ import annotations

import re
from contextlib import suppress

from pipeline.errors import Source, SpecError
from pipeline.spec.limits import MAX_VALUES
from pipeline.spec.places import Key, Place, Places

# Possessive repeats (++) keep every pattern linear on hostile input.
_LONG_BASIC = r'"""(?:[^"\\]++|\\.|"(?!""))*+"""(?:"{1,2}+)?'
_LONG_LITERAL = r"'''(?:[^']++|'(?!''))*+'''(?:'{1,2}+)?"
_BASIC = r'"(?:[^"\\\n]++|\\[^\n])*+"'
_LITERAL = r"'[^'\n]*+'"
_STRING = re.compile(f"{_LONG_BASIC}|{_LONG_LITERAL}|{_BASIC}|{_LITERAL}", re.DOTALL)
_KEY = re.compile(f"({_BASIC}|{_LITERAL}|[^\\s\\[\\]{{}}.=,#\"']++)")
_DOT = re.compile(r"[ \t]*+\.[ \t]*+")
_EQUALS = re.compile(r"[ \t]*+=[ \t]*+")
_SKIP = re.compile(r"(?:[ \t\n]++|#[^\n]*+)*+")
_BARE = re.compile(r"\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*+|[^\s,\]}#]++")
# A string that doesn't end takes the rest of its line or text, lest every later quote look for an end again.
_UNENDED = r"\"{3}.*+|'{3}.*+|\"[^\n]*+|'[^\n]*+"
_NESTING = re.compile(f"{_STRING.pattern}|{_UNENDED}|#[^\n]*+|[\\[{{]|[\\]}}]", re.DOTALL)


def toml_depth(text: str, limit: int) -> int | None:
    """Offset of the bracket that opens level `limit` + 1 of arrays and inline tables; None where none does."""
    depth = 0
    for match in _NESTING.finditer(text):
        token = match[0]
        if token in "[{":
            depth += 1
            if depth > limit:
                return match.start()
        elif token in "]}":
            depth = max(0, depth - 1)
    return None


def locate_toml(source: Source) -> Places:
    """The places of a TOML text's keys and values.

    Errors: SpecError S005 for more values than any spec has.
    """
    root = Place(0, 0)
    places = Places(source, root)
    scanner = _Scanner(source.text, root)
    with suppress(_Stop):
        scanner.document()
    if scanner.values > MAX_VALUES:
        span = places.span(scanner.at, scanner.at)
        raise SpecError("S005", f"the file holds more than {MAX_VALUES} values", span)
    return places


class _Stop(Exception):
    """The text isn't what a TOML parser would have accepted."""


class _Scanner:
    def __init__(self, text: str, root: Place) -> None:
        self.text = text
        self.at = 0
        self.root = root
        self.values = 0  # entered so far; the scan stops where there are too many
        self.array_lengths: dict[int, int] = {}  # id of an array-of-tables place (all live in root) -> its tables

    def document(self) -> None:
        table = self.root
        while self.skip():
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.key_value(table)

    def skip(self) -> bool:
        """Over blanks, newlines and comments; whether any text is left."""
        match = _SKIP.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at < len(self.text)

    def header(self) -> Place:
        """`[a.b]` or `[[a.b]]`; gives the table that the following keys go to."""
        start = self.at
        array = self.text.startswith("[[", start)
        self.at += 2 if array else 1
        self.blanks()
        keys = self.dotted_key()
        self.blanks()
        if not self.text.startswith("]]" if array else "]", self.at):
            raise _Stop
        self.at += 2 if array else 1
        extent = (start, self.at)
        place = self.root
        for key, key_start, key_end in keys[:-1]:
            place = self.last_table(self.enter(place, key, extent, (key_start, key_end)))
        key, key_start, key_end = keys[-1]
        place = self.enter(place, key, extent, (key_start, key_end))
        if not array:
            if not place.children:  # a table made by a longer header before is given its own header's place
                place.start, place.end = extent
            return place
        index = self.array_lengths.get(id(place), 0)
        self.array_lengths[id(place)] = index + 1
        return self.enter(place, index, extent, (key_start, key_end))

    def last_table(self, place: Place) -> Place:
        """For an array of tables its latest table, which a dotted header goes on from."""
        count = self.array_lengths.get(id(place))
        return place if count is None else place.children[count - 1]

    def enter(self, place: Place, key: Key, extent: tuple[int, int], key_extent: tuple[int, int]) -> Place:
        inner = place.child(key)
        if inner is None:
            self.count()
            inner = place.children[key] = Place(*extent, *key_extent)
        return inner

    def key_value(self, table: Place) -> None:
        """`a.b = value` in a table."""
        keys = self.dotted_key()
        match = _EQUALS.match(self.text, self.at)
        if match is None:
            raise _Stop
        self.at = match.end()
        for key, start, end in keys[:-1]:
            table = self.enter(table, key, (start, keys[-1][2]), (start, end))
        key, start, end = keys[-1]
        place = self.value()
        place.key_start, place.key_end = start, end
        table.children[key] = place

    def dotted_key(self) -> list[tuple[str, int, int]]:
        """The parts of a key with their offsets."""
        parts = []
        while True:
            match = _KEY.match(self.text, self.at)
            if match is None:
                raise _Stop
            parts.append((_unquoted(match[0]), match.start(), match.end()))
            self.at = match.end()
            dot = _DOT.match(self.text, self.at)
            if dot is None:
                return parts
            self.at = dot.end()

    def blanks(self) -> None:
        while self.text.startswith((" ", "\t"), self.at):
            self.at += 1

    def count(self) -> None:
        self.values += 1
        if self.values > MAX_VALUES:
            raise _Stop

    def value(self) -> Place:
        """A value of any kind; nesting is bounded, as `toml_depth` has been asked before."""
        self.count()
        start = self.at
        first = self.text[start : start + 1]
        if first in ("[", "{"):
            self.at += 1
            place = Place(start, start)
            while self.skip() and self.text[self.at] not in "]}":
                if first == "[":
                    place.children[len(place.children)] = self.value()
                else:
                    self.key_value(place)
                if self.skip() and self.text[self.at] == ",":
                    self.at += 1
            self.at += 1
            place.end = self.at
            return place
        match = (_STRING if first in ('"', "'") else _BARE).match(self.text, start)
        if match is None:
            raise _Stop
        self.at = match.end()
        return Place(start, self.at)


def _unquoted(key: str) -> str:
    """A key as tomli gives it."""
    if key[0] not in "\"'":
        return key
    if "\\" not in key:
        return key[1:-1]
    import tomli  # only here: an escaped key is rare

    try:
        return next(iter(tomli.loads(f"{key} = 0")))
    except (tomli.TOMLDecodeError, ValueError):
        return key
