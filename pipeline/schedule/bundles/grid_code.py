"""What a grid loop keeps count of, as a scalar program: the grid's indices of this step and the next, which windows
change their blocks, which of two buffers each is at, what is fetched, waited for and written back.

Source: libtpu 0.0.42.1's dumps between its passes, of kernels of our own with one to four inputs, up to three axes.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from pipeline.ir.jaxpr import Jaxpr
from pipeline.schedule.bundles.index_code import run_map
from pipeline.schedule.bundles.scalar_code import Timing
from pipeline.schedule.bundles.scalar_program import Known, Node, Program, Value

_SPARED = 2  # slots of a select between values that are both wanted afterwards, and of a predicate made a number


class Buffers(NamedTuple):
    """Of windows that change their blocks together: which buffer is fetched into (`first`), used, and written back, and
    the predicates of these; None where there is nothing of the kind."""

    first: Node
    used: Node
    fetch: Value | None
    wait: Value | None
    write: Value | None
    drain: Value | None
    carried: Value


Key = tuple[Value, ...]


class GridCode:
    """The loop over `grid`. `fetches`: there are windows that are copied in, one step ahead of their use; `used`: the
    axes whose index something reads. Nobody counts an axis outside of all of those."""

    def __init__(
        self, grid: tuple[int, ...], timing: Timing, minimum: bool, fetches: bool, used: frozenset[int]
    ) -> None:
        self.program = program = Program(timing, minimum)
        self.steps, self.fetches = prod(grid), fetches
        self.rank = len(grid)
        self.count = program.given()
        self.before = program.add(self.count, Known(-1))
        self.two_before = program.add(self.count, Known(-2)) if fetches else self.before
        self.buffers: dict[Key, Buffers] = {}
        self.rest: list[Value] = []  # what a step computes beside what its copies need
        self.kept: set[Value] = set()  # those of it that are predicates made numbers
        self.carried = 1
        if self.rank == 1:
            after = program.add(self.count, Known(1))
            self.now = self._axes(grid, [self.count])
            self.next = self._axes(grid, [after])
            self.past = self._axes(grid, [self.before if fetches else self.count])
        else:
            first = min(used, default=len(grid))
            self._counters(tuple(1 if axis < first else n for axis, n in enumerate(grid)))

    def _axes(self, grid: tuple[int, ...], moving: list[Value]) -> list[Value]:
        found = iter(moving)
        return [next(found) if n > 1 else Known(0) for n in grid]

    def _counters(self, grid: tuple[int, ...]) -> None:
        program = self.program
        sizes = [n for n in grid if n > 1]
        now: list[Value] = [program.given((0, n - 1)) for n in sizes]
        following: list[Value] = []
        more: Value = Known(1)
        for i, (index, n) in enumerate(reversed(list(zip(now, sizes, strict=True)))):
            plus = program.add(index, Known(1))
            if i:  # only when the axis inside has come round
                plus = program.op("wrapped", more, plus, index)
            more = program.test("round", plus, Known(n))
            following.append(program.op("select", more, Known(0), plus, between=(0, n - 1)))
        self.now = self._axes(grid, now)
        self.next = self._axes(grid, following[::-1])
        self.past = self._axes(grid, [program.given() for _ in sizes]) if self.fetches else self.now
        self.rest += following
        self.carried += len(sizes) * (1 + self.fetches)

    def key(self, index_map: Jaxpr | None, mark: Known) -> Key:
        """Windows of one key change their blocks at the same steps, and share the code that finds out. `mark`: the
        window's own, of one whose map reads tables, or none."""
        values = [] if index_map is None else run_map(self.program, index_map, self.now, mark)
        return tuple(value for value in values if not isinstance(value, Known))

    def open(self, index_map: Jaxpr | None, mark: Known, read: bool, written: bool) -> Buffers:
        """The state of a window's buffers; `read`, `written`: some window of the same key is an input, an output."""
        key = self.key(index_map, mark)
        if key in self.buffers:
            return self.buffers[key]
        program, last = self.program, Known(self.steps - 1)
        following = [] if index_map is None else run_map(program, index_map, self.next, mark)
        moving = [value for value in following if not isinstance(value, Known)]
        different: Value = Known(0)
        for n, (a, b) in enumerate(zip(key, moving, strict=False)):
            change = program.op("change", a, b)
            different = change if not n else program.op("either", different, change)
        same = program.test("same", different)
        first, used = program.given(), program.given()
        flipped = program.add(first, Known(1))
        carried = program.op("buffer", same, first, flipped, slots=_SPARED)
        if not self.fetches:
            changes = program.test("or", program.test("other", different), program.test("eq", self.count, last))
            over = program.test("or", program.test("eq", self.before, last), program.test("ne", first, used))
            found = Buffers(first, used, None, None, changes, over, carried)
        else:
            oldest = program.given()
            new, old = program.test("ne", first, used), program.test("ne", used, oldest)
            fetch = wait = write = drain = None
            if read:
                fetch = program.test("or", program.test("eq", self.count, Known(0)), new)
                wait = program.test("or", program.test("eq", self.before, Known(0)), old)
            if written:
                write = program.test("or", program.test("eq", self.before, last), new)
                drain = program.test("or", program.test("eq", self.two_before, last), old)
            found = Buffers(first, used, fetch, wait, write, drain, carried)
        self.buffers[key] = found
        self.carried += 3 if self.fetches else 2
        self.rest += [value for value in (found.carried, found.wait, found.write, found.drain) if value is not None]
        return found

    def keep(self, value: Value | None) -> None:
        """A predicate is made a number, for want of predicate registers."""
        if value is not None:
            self.rest.append(self.program.op("kept", value, slots=_SPARED))
            self.kept.add(self.rest[-1])
