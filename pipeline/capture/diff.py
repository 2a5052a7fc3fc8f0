"""What changed between two texts: counts for `build`, a unified diff of bounded length for `check`.

difflib does the matching, on what is left between the common head and tail; texts too large for it are taken as
replaced in one piece, so the time is bounded.
"""

from __future__ import annotations

from typing import NamedTuple

CONTEXT = 3  # unchanged lines shown around a change
LONGEST = 80  # lines of one diff that are shown
WIDEST = 2000  # characters of one line that are shown
_MATCHED = 9_000_000  # lines of the one times lines of the other, beyond which difflib would take seconds


class Change(NamedTuple):
    """Lines [old, old_end) of the old text became lines [new, new_end) of the new one. Counted from 0."""

    old: int
    old_end: int
    new: int
    new_end: int


def changes(old: list[str], new: list[str]) -> list[Change]:
    """The changed stretches between two lists of lines, in order."""
    head = 0
    while head < len(old) and head < len(new) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    if not a and not b:
        return []
    if not a or not b or len(a) * len(b) > _MATCHED:
        return [Change(head, head + len(a), head, head + len(b))]
    from difflib import SequenceMatcher

    codes = SequenceMatcher(None, a, b).get_opcodes()
    return [Change(head + i, head + j, head + k, head + m) for tag, i, j, k, m in codes if tag != "equal"]


def count_changes(old: str, new: str) -> tuple[int, int]:
    """Lines added and removed from `old` to `new`."""
    found = changes(old.splitlines(keepends=True), new.splitlines(keepends=True))
    return sum(c.new_end - c.new for c in found), sum(c.old_end - c.old for c in found)


def unified(old: str, new: str, old_label: str, new_label: str, longest: int = LONGEST) -> list[str]:
    """A unified diff, one line an item, without line ends; cut after `longest` lines with a count of the rest."""
    a, b = old.splitlines(keepends=True), new.splitlines(keepends=True)
    lines = [f"--- {old_label}", f"+++ {new_label}"]
    for group in _groups(changes(a, b)):
        first, last = group[0], group[-1]
        start, stop = max(0, first.old - CONTEXT), min(len(a), last.old_end + CONTEXT)
        new_start = first.new - (first.old - start)
        new_stop = last.new_end + (stop - last.old_end)
        lines.append(f"@@ -{_range(start, stop)} +{_range(new_start, new_stop)} @@")
        position = start
        for change in group:
            lines.extend(_line(" ", text) for text in a[position : change.old])
            lines.extend(_line("-", text) for text in a[change.old : change.old_end])
            lines.extend(_line("+", text) for text in b[change.new : change.new_end])
            position = change.old_end
        lines.extend(_line(" ", text) for text in a[position:stop])
    if len(lines) > longest:
        rest = len(lines) - longest
        lines = [*lines[:longest], f"... {rest} more lines of this diff"]
    return lines


def _groups(found: list[Change]) -> list[list[Change]]:
    """Changes near enough to share a hunk, together."""
    groups: list[list[Change]] = []
    for change in found:
        if groups and change.old - groups[-1][-1].old_end <= 2 * CONTEXT:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _range(start: int, stop: int) -> str:
    """A hunk's range: first line from 1 and length; an empty one names the line before it."""
    length = stop - start
    return f"{start + 1 if length else start},{length}"


def _line(mark: str, text: str) -> str:
    """One line of the diff; ends that no editor shows are spelled out."""
    body = text.rstrip("\r\n")
    end = text[len(body) :]
    note = {"\n": "", "": " (no newline at the end)"}.get(end, " (line ends in a carriage return)")
    if len(body) > WIDEST:
        body = f"{body[:WIDEST]} ({len(body) - WIDEST} more characters)"
    return f"{mark}{body}{note}"
