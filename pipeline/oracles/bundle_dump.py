"""A dump of packed bundles as text: its bundles, its loops with their trips, and the bundles that one grid step takes.

The compiler prints a bundle a line, empty ones too, with the address before it and `LB` where a loop's body begins. A
branch takes effect some bundles later, and those may hold instructions. Depth marks (`>`) are not read: they are
missing where instructions of other blocks were moved into a loop.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_START = re.compile(r"\s*(0x[0-9a-f]+|0)\s+(\S*?)\s*:")
_BRANCH = re.compile(r"sbr\.rel\s*(?:\((!?)(%p\w+)\))?\s*target bundleno = (\d+)")
_COMMENT = re.compile(r"/\*|\*/")
_MAYBE = r"\s+(?:\(!?%\w+\),?\s*)?"  # a predicate, where the instruction was moved into another block
_LEFT_WHEN = r"{}\s*=\s*scmp\.ge\.s32\.totalorder" + _MAYBE + r"(%\w+),\s*(-?\d+)"
_COUNTS = r"{}\s*=\s*sadd\.s32" + _MAYBE + r"(\d+),\s*(%\w+)"
_CARRIED = r"{}\s*=\s*sphi\s+(%\w+),"
_CONSTANT = r"{}\s*=\s*smov" + _MAYBE + r"(-?\d+)"


class Bundle(NamedTuple):
    address: int
    label: str
    text: str  # without comments


class Loop(NamedTuple):
    """Bundles `first` to `last`, delay slots of the branch back included; `trips` is None where the text has none."""

    first: int
    last: int
    trips: int | None

    def __contains__(self, address: object) -> bool:
        return isinstance(address, int) and self.first <= address <= self.last


class Count(NamedTuple):
    """Bundles of a step: every loop by its trips, one of `unknown_loops` as a trip, every branch as not taken."""

    bundles: int
    unknown_loops: int


def read_bundles(text: str) -> list[Bundle]:
    """The bundles of a dump in order; [] for text that is none. A comment may go on for lines, and have more inside."""
    found: list[Bundle] = []
    for line in _without_comments(text).splitlines():
        match = _START.match(line)
        if match is not None:
            found.append(Bundle(int(match[1], 16), match[2], line[match.end() :]))
        elif found:
            found[-1] = found[-1]._replace(text=found[-1].text + line)
    return found


def _without_comments(text: str) -> str:
    kept, depth, at = [], 0, 0
    for match in _COMMENT.finditer(text):
        if depth == 0:
            kept.append(text[at : match.start()])
        depth = depth + 1 if match[0] == "/*" else max(0, depth - 1)
        at = match.end()
    return "".join(kept) + (text[at:] if depth == 0 else "")


def find_loops(bundles: list[Bundle], delay: int) -> list[Loop]:
    """A loop for each branch back, by its first bundle; `delay` bundles after a branch belong to it."""
    text = "\n".join(bundle.text for bundle in bundles)
    loops = []
    for bundle in bundles:
        for branch in _BRANCH.finditer(bundle.text):
            target = int(branch[3])
            if target <= bundle.address:
                trips = _trips(text, branch[2]) if branch[1] else None
                loops.append(Loop(target, bundle.address + delay, trips))
    return sorted(loops)


def _trips(text: str, left: str) -> int | None:
    """Trips of a loop that is left when predicate `left` holds: a counter from a constant to a constant."""

    def look(pattern: str, name: str) -> re.Match[str] | None:
        return re.search(pattern.format(re.escape(name)) + r"(?![\w.])", text)

    bound = look(_LEFT_WHEN, left)
    counter = look(_COUNTS, bound[1]) if bound is not None else None
    carried = re.search(_CARRIED.format(re.escape(counter[2])), text) if counter is not None else None
    start = look(_CONSTANT, carried[1]) if carried is not None else None
    if bound is None or counter is None or start is None:
        return None
    return max(1, -(-(int(bound[2]) - int(start[1])) // int(counter[1])))


def _times(text: str, looped: bool, delay: int) -> tuple[list[tuple[int, int]], int] | None:
    """(address, how often it runs) of each bundle of a step, and the loops of unknown trips, which are counted as 1."""
    bundles = read_bundles(text)
    loops = find_loops(bundles, delay)
    if not bundles:
        return None
    if looped:
        if not loops:
            return None
        grid = max(loops, key=lambda loop: loop.last - loop.first)
        bundles = [bundle for bundle in bundles if bundle.address in grid]
        loops = [loop for loop in loops if loop is not grid and loop.first in grid]
    found = []
    for bundle in bundles:
        times = 1
        for loop in loops:
            if bundle.address in loop:
                times *= 1 if loop.trips is None else loop.trips
        found.append((bundle.address, times))
    return found, sum(loop.trips is None for loop in loops)


def count_step(text: str, looped: bool, delay: int) -> Count | None:
    """Bundles of one trip of the grid's loop, the longest one; of the whole kernel if the grid is not `looped`.
    `delay` bundles after a branch belong to it.

    None if the text has no bundles, or no loop where there should be one.
    """
    found = _times(text, looped, delay)
    return None if found is None else Count(sum(times for _, times in found[0]), found[1])


def unit_cycles(text: str, utilization: str, looped: bool, delay: int) -> dict[str, int]:
    """Cycles that each unit is busy in a step, by the compiler's table of a line for each bundle of `text`.

    {} if the table is of another computation.
    """
    heads, rows = [], []
    for line in utilization.splitlines():
        if line.startswith("MXU"):
            heads = [name.strip() for name in line.split(",")]
        elif line[:1].isdigit():
            rows.append([int(n) for n in line.split()])
    found = _times(text, looped, delay)
    if found is None or not heads or len(rows) != len(read_bundles(text)):
        return {}
    totals = dict.fromkeys(heads, 0)
    for address, times in found[0]:
        for name, n in zip(heads, rows[address], strict=True):
            totals[name] += n * times
    return totals
