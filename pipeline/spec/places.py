"""Where each key and value of a spec file stands: a tree of character offsets, made by `locate.py`, `yaml_reader.py`.

`Places` answers the question every later stage has (`Locate`): which span does this key have?
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from pipeline.errors import NOWHERE, Source, Span
from pipeline.spec.spec import Code

Key = str | int


class Place:
    """A value at [start, end) of the text, its key at [key_start, key_end), and the values inside it."""

    __slots__ = ("children", "end", "key_end", "key_start", "start")

    def __init__(self, start: int, end: int, key_start: int | None = None, key_end: int | None = None) -> None:
        self.start = start
        self.end = end
        self.key_start = start if key_start is None else key_start
        self.key_end = end if key_end is None else key_end
        self.children: dict[Key, Place] = {}

    def child(self, key: Key) -> Place | None:
        return self.children.get(key)


@dataclass(frozen=True, slots=True)
class OpaqueCode(Code):
    """Code whose text isn't a plain stretch of the file (escapes, folded lines): its spans are the whole value's."""

    value_span: Span = field(default=NOWHERE, compare=False)

    def span(self, line: int, column: int, end_column: int | None = None) -> Span:
        return self.value_span


class Places:
    """The `Locate` of a spec file; also finds keys and makes `Code` from string values."""

    __slots__ = ("_lines", "root", "source")

    def __init__(self, source: Source, root: Place) -> None:
        self.source = source
        self.root = root
        self._lines: list[int] = []

    def __call__(self, *loc: Key) -> Span:
        """Span of the value at `loc`, or of the nearest key around it."""
        place = self._find(loc)
        return self.span(place.start, place.end)

    def key(self, *loc: Key) -> Span:
        """Span of the key itself, for a key that shouldn't be there."""
        place = self._find(loc)
        return self.span(place.key_start, place.key_end)

    def rename(self, loc: tuple[Key, ...], key: Key) -> None:
        """Let what stands at `loc` be found under `key` as well: a mistyped key that has been reported."""
        parent = self._find(loc[:-1])
        if loc[-1] in parent.children:
            parent.children[key] = parent.children[loc[-1]]

    def span(self, start: int, end: int) -> Span:
        """Span of the offsets [start, end), cut at the end of its first line."""
        line, column = self.position(start)
        line_end = self._line_end(line)
        stop = min(max(end, start), line_end)
        return Span(self.source, line, column, column + stop - start if stop > start else None)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, of a character offset."""
        if not self._lines:
            self._lines = [0, *(i + 1 for i, c in enumerate(self.source.text) if c == "\n")]
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def code(self, loc: tuple[Key, ...], text: str) -> Code:
        """`text`, the string value at `loc`, with the place of its characters as far as they can be matched."""
        place = self._find(loc)
        return self._plain(place, text) or OpaqueCode(text, self.source, value_span=self(*loc))

    def _find(self, loc: tuple[Key, ...]) -> Place:
        place = self.root
        for key in loc:
            inner = place.child(key)
            if inner is None:
                break
            place = inner
        return place

    def _line_end(self, line: int) -> int:
        return self._lines[line] - 1 if line < len(self._lines) else len(self.source.text)

    def _line_text(self, line: int) -> str | None:
        if not 1 <= line <= len(self._lines):
            return None
        return self.source.text[self._lines[line - 1] : self._line_end(line)]

    def _plain(self, place: Place, text: str) -> Code | None:
        """Code whose lines are lines of the file, at one indentation; None where they aren't."""
        line, column = self.position(place.start)
        lines = text.split("\n")
        if len(lines) == 1:
            found = self.source.text.find(text, place.start, place.end)
            if found < 0 or found - place.start > 3:  # 3: an opening quote at most stands before the text
                return None
            at_line, at_column = self.position(found)
            return Code(text, self.source, at_line, 0, at_column)
        opening = self.source.text[place.start : self._line_end(line)]
        quotes = len(opening) - len(lines[0])
        if lines[0] and opening.endswith(lines[0]) and quotes in (1, 3) and self._matches(lines[1:], line + 1) == 0:
            return Code(text, self.source, line, 0, column + quotes)
        indent = self._matches(lines, line + 1)
        return None if indent is None else Code(text, self.source, line + 1, indent)

    def _matches(self, lines: list[str], first_line: int) -> int | None:
        """Columns that the file's lines are indented by, compared to `lines`; None unless first and last agree.

        Only the first and the last line with text are held against the file: a line between them may have an escape.
        """
        written = [(i, line) for i, line in enumerate(lines) if line.strip()]
        if not written:
            return 0
        indents = []
        for i, line in (written[0], written[-1]):
            found = self._line_text(first_line + i)
            at = -1 if found is None else found.find(line)
            if found is None or at < 0 or found[:at].strip(" "):
                return None
            indents.append(at)
        return indents[0] if indents[0] == indents[-1] else None
