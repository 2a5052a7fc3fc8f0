"""Where a fact stands in a text (`Span`) and how a mistake is reported (`Diagnostic`, `SpecError`).

The one module everybody may import; it imports nothing of ours. The table of codes is in `codes.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum


@dataclass(frozen=True, slots=True)
class Source:
    """A text that spans point into: the name it is shown under, and its contents."""

    name: str
    text: str = field(repr=False)

    def line(self, number: int) -> str | None:
        """Line `number` (from 1) without its newline, None past the end."""
        lines = self.text.split("\n")  # not splitlines: it also breaks at form feeds and the like, which parsers don't
        return lines[number - 1].removesuffix("\r") if 1 <= number <= len(lines) else None


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one line of a source. Lines and columns count from 1; `end_column` is exclusive.

    `origin` says where that text was made from, e.g. "attention.py:41" for an equation of an imported kernel.
    """

    source: Source | None
    line: int
    column: int
    end_column: int | None = None
    origin: str | None = None


NOWHERE = Span(None, 0, 0)


class Severity(Enum):
    """What a diagnostic does to the run: an error fails it, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of the spec that mends a finding, as data; `pipeline fix` makes it in the file's text.

    kind:  "set": `key` of the table `at` gets `value` (`at`: an operand's or scratch's name, "grid", "" for the spec).
           "index": entry `key` of the index map of operand `at` gets `value`.
           "order": the grid's axes are reordered: `value` holds the old axes in their new order.
           "align": the start computed at `span`, or as entry `key` of the index map of operand `at`, is rounded down to
           a multiple of `value`.
           "convert": operands of the expression at `span` are converted to dtype `value`, its result to `key`.
           "clear": the kernel begins with zeros in its ref of operand or scratch `at`, in the first of the steps along
           the grid axes `value`; in every step where there are none.
    """

    kind: str
    at: str = ""
    key: str = ""
    value: int | str | tuple[int | str | None, ...] = ""
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: a stable code, one sentence with the numbers in it, the place, what to do.

    `details` are further lines shown under the message as they are, e.g. a memory plan. `fixes` are the smallest change
    that mends it: all of them together.
    """

    code: str
    message: str
    span: Span = NOWHERE
    hint: str | None = None
    severity: Severity = Severity.ERROR
    details: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()


class SpecError(Exception):
    """Mistakes of a spec author; carries one diagnostic or several."""

    def __init__(
        self,
        code: str,
        message: str,
        span: Span = NOWHERE,
        *,
        hint: str | None = None,
        details: tuple[str, ...] = (),
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.diagnostics: tuple[Diagnostic, ...] = (Diagnostic(code, message, span, hint, Severity.ERROR, details),)

    @classmethod
    def of(cls, diagnostics: Iterable[Diagnostic]) -> SpecError:
        """One error that carries all of `diagnostics` (at least one)."""
        found = tuple(diagnostics)
        error = cls(found[0].code, found[0].message, found[0].span)
        error.diagnostics = found
        return error


def render(diagnostic: Diagnostic, *, line_numbers: bool = True) -> str:
    """The text of one diagnostic, without a final newline.

    `line_numbers=False` leaves out line and column: the form kept in goldens, where an unrelated edit
    above must change nothing.
    """
    span = diagnostic.span
    head = f"{diagnostic.severity.value}[{diagnostic.code}]: {diagnostic.message}"
    lines: list[str] = []
    if span.source is None:
        lines.append(head)
    elif not line_numbers or span.line == 0:
        lines.append(f"{span.source.name}: {head}")
    else:
        lines.append(f"{span.source.name}:{span.line}:{span.column}: {head}")
    excerpt = span.source.line(span.line) if span.source is not None else None
    gutter = " " * (len(str(span.line)) if line_numbers else 0)
    if excerpt is not None and excerpt.strip():
        shown, column, end = _window(excerpt, span)
        number = str(span.line) if line_numbers else ""
        lines.append(f"{gutter} |")
        lines.append(f"{number} | {shown}")
        lines.append(f"{gutter} | {' ' * (column - 1)}{'^' * max(1, end - column)}")
    if span.origin is not None and line_numbers:
        lines.append(f"{gutter} = from: {span.origin}")
    lines.extend(f"{gutter} | {detail}".rstrip() for detail in diagnostic.details)
    if diagnostic.hint is not None:
        lines.append(f"{gutter} = hint: {diagnostic.hint}")
    return "\n".join(lines)


_WIDTH = 120  # columns of an excerpt; longer lines (minified or hostile input) are cut around the span


def _window(line: str, span: Span) -> tuple[str, int, int]:
    """The part of `line` to show, with the span's columns in it; tabs and controls become blanks."""
    text = "".join(c if c.isprintable() else " " for c in line)
    start = span.column
    end = min(span.end_column or start + 1, len(text) + 1)
    if len(text) <= _WIDTH:
        return text, start, max(end, start + 1)
    first = max(0, min(start - 1 - _WIDTH // 3, len(text) - _WIDTH))
    shown = text[first : first + _WIDTH]
    return shown, start - first, min(max(end, start + 1) - first, _WIDTH + 1)
