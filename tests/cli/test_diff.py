"""Diffs: the hunks say what a patch tool would, counts agree with difflib, length and time are bounded."""

from __future__ import annotations

import difflib
import time

from hypothesis import given
from hypothesis import strategies as st

from pipeline.capture.diff import changes, count_changes, unified

texts = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), max_size=30)


@given(texts, texts)
def test_changes_rebuild_the_new_text(old: list[str], new: list[str]) -> None:
    rebuilt: list[str] = []
    position = 0
    for change in changes(old, new):
        rebuilt += old[position : change.old] + new[change.new : change.new_end]
        position = change.old_end
    assert rebuilt + old[position:] == new


@given(texts, texts)
def test_hunks_apply(old: list[str], new: list[str]) -> None:
    """Follow the hunk headers as `patch` does and arrive at the new text."""
    lines = unified("".join(old), "".join(new), "a", "b", longest=10_000)[2:]
    result: list[str] = []
    position = 0
    for line in lines:
        if line.startswith("@@"):
            start, length = (int(n) for n in line.split()[1][1:].split(","))
            first = start - 1 if length else start
            result += old[position:first]
            position = first
            new_start, new_length = (int(n) for n in line.split()[2][1:].split(","))
            assert len(result) == (new_start - 1 if new_length else new_start)
        elif line.startswith("+"):
            result.append(line[1:] + "\n")
        else:
            assert old[position] == line[1:] + "\n"
            if line.startswith(" "):
                result.append(old[position])
            position += 1
    assert result + old[position:] == new


def test_same_output_as_difflib() -> None:
    old = [f"line {n}" for n in range(100)]
    new = [*old[:20], "x", *old[21:60], *old[62:]]
    expected = list(difflib.unified_diff(old, new, "a", "b", lineterm=""))
    assert unified("\n".join(old) + "\n", "\n".join(new) + "\n", "a", "b") == expected


def test_long_diffs_are_cut_with_a_count() -> None:
    lines = unified("", "x\n" * 500, "a", "b", longest=10)
    assert len(lines) == 11
    assert lines[-1] == "... 493 more lines of this diff"


def test_huge_texts_take_bounded_time() -> None:
    old = "".join(f"{n}\n" for n in range(40_000))
    new = "".join(f"{n + 7}x\n" for n in range(40_000))
    started = time.monotonic()
    assert count_changes(old, new) == (40_000, 40_000)
    assert time.monotonic() - started < 5


def test_a_change_of_line_ends_is_visible() -> None:
    assert unified("a\r\n", "a\n", "a", "b")[3:] == ["-a (line ends in a carriage return)", "+a"]
    assert unified("a", "a\n", "a", "b")[3:] == ["-a (no newline at the end)", "+a"]
