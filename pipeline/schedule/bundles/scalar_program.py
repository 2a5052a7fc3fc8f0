"""A program of scalar instructions with values: what is known is folded, what is equal is made once, and of the rest
each block takes what it is first needed in.

What a range of values is known of is followed through sums, products and limits, as the compiler follows it: a block's
place is trusted to lie inside its array only then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Union

from pipeline.schedule.bundles.scalar_code import Code, Timing


class Known(NamedTuple):
    """A number known when the kernel is compiled."""

    n: int


Node = int  # an instruction's result, by the order in which they are made
Value = Union[Node, Known]
Range = Union[tuple[int, int], None]
DIVISION = 8  # instructions of a division by what is no power of two: a product with its inverse, shifts, corrections


class Program:
    """Instructions in program order. `minimum`: the chip has an unsigned minimum, which a magnitude is made with."""

    def __init__(self, timing: Timing, minimum: bool) -> None:
        self.timing, self.minimum = timing, minimum
        self.operands: list[tuple[Node, ...]] = []
        self.latency: list[int] = []
        self.slots: list[int] = []
        self.ranges: list[Range] = []
        self.positive: set[Node] = set()  # not negative, though the range is not known
        self.seen: dict[tuple[object, ...], Node] = {}
        self.placed: set[Node] = set()

    # --- instructions
    def given(self, between: Range = None) -> Node:
        """A value that is there when the program begins."""
        node = self._new((), 0, 0, between)
        self.placed.add(node)
        return node

    def op(self, name: str, *values: Value, latency: int = 1, slots: int = 1, between: Range = None) -> Node:
        """An instruction; one that was made before is not made again."""
        key = (name, *values)
        found = self.seen.get(key)
        if found is None:
            nodes = tuple(v for v in values if not isinstance(v, Known))
            found = self.seen[key] = self._new(nodes, latency, slots, between)
        return found

    def _new(self, operands: tuple[Node, ...], latency: int, slots: int, between: Range) -> Node:
        self.operands.append(operands)
        self.latency.append(latency)
        self.slots.append(slots)
        self.ranges.append(between)
        return len(self.operands) - 1

    def test(self, name: str, *values: Value) -> Node:
        """A comparison, or an operation on predicates."""
        return self.op(name, *values, latency=self.timing.predicate)

    def between(self, value: Value) -> Range:
        return (value.n, value.n) if isinstance(value, Known) else self.ranges[value]

    def never_negative(self, value: Value) -> bool:
        between = self.between(value)
        return value in self.positive or (between is not None and between[0] >= 0)

    # --- arithmetic
    def add(self, a: Value, b: Value) -> Value:
        if isinstance(a, Known) and isinstance(b, Known):
            return Known(a.n + b.n)
        if Known(0) in (a, b):
            return b if a == Known(0) else a
        first, second = self.between(a), self.between(b)
        total = None if first is None or second is None else (first[0] + second[0], first[1] + second[1])
        return self.op("add", a, b, between=total)

    def subtract(self, a: Value, b: Value) -> Value:
        """The difference of two that vary has no range that the compiler knows."""
        if isinstance(a, Known) and isinstance(b, Known):
            return Known(a.n - b.n)
        if isinstance(b, Known):
            return self.add(a, Known(-b.n))
        between = self.between(b) if isinstance(a, Known) else None
        rest = None if between is None or not isinstance(a, Known) else (a.n - between[1], a.n - between[0])
        return self.op("subtract", a, b, between=rest)

    def multiply(self, a: Value, b: Value) -> Value:
        if isinstance(a, Known):
            a, b = b, a
        if isinstance(a, Known) and isinstance(b, Known):
            return Known(a.n * b.n)
        if b == Known(0) or b == Known(1):
            return b if b == Known(0) else a
        first, second = self.between(a), self.between(b)
        product = None
        if first is not None and second is not None:
            corners = [x * y for x in first for y in second]
            product = (min(corners), max(corners))
        power = isinstance(b, Known) and b.n > 0 and b.n & (b.n - 1) == 0
        latency = 1 if power else self.timing.multiply
        return self.op("multiply", a, b, latency=latency, between=product)

    def limit(self, name: str, a: Value, b: Value) -> Value:
        """The larger or the smaller of two, by `name`."""
        pick = max if name == "max" else min
        if isinstance(a, Known) and isinstance(b, Known):
            return Known(pick(a.n, b.n))
        first, second = self.between(a), self.between(b)
        both = None if first is None or second is None else (pick(first[0], second[0]), pick(first[1], second[1]))
        return self.op(name, self.test(f"is {name}", a, b), a, b, between=both)

    def select(self, chosen: Value, a: Value, b: Value) -> Value:
        """`a` where the predicate holds, else `b`: a move under the predicate, two where both are still wanted."""
        if isinstance(chosen, Known):
            return a if chosen.n else b
        if a == b:
            return a
        return self.op("select", chosen, a, b)

    def magnitude(self, a: Node) -> Node:
        if self.minimum:
            return self.op("minimum", a, self.op("negate", a))
        return a if self.never_negative(a) else self.op("magnitude", self._negative(a), self.op("negate", a), a)

    def _negative(self, a: Node) -> Value:
        return Known(0) if self.never_negative(a) else self.test("negative", a)

    def _signed(self, name: str, a: Node, by: int) -> Value:
        """What is left of a division of magnitudes, with the sign of `a`."""
        part = self.op(name, self.magnitude(a), Known(by))
        negative = self._negative(a)
        if isinstance(negative, Known):
            self.positive.add(part)
        return part if isinstance(negative, Known) else self.op("signed", negative, self.op("negate", part), part)

    def divide(self, name: str, a: Value, b: Value) -> Value:
        """Division rounding to zero, or its remainder, by `name`."""
        if isinstance(a, Known) and isinstance(b, Known) and b.n:
            whole = abs(a.n) // abs(b.n) * (1 if (a.n < 0) == (b.n < 0) else -1)
            return Known(whole if name == "quotient" else a.n - whole * b.n)
        if name == "quotient" and b == Known(1):
            return a
        if isinstance(b, Known) and b.n > 0 and b.n & (b.n - 1) == 0 and not isinstance(a, Known):
            return self._signed(name, a, b.n)
        at: Value = a
        for step in range(DIVISION):
            at = self.op(f"{name} {step}", at, b)
        return at

    def differs_in_sign(self, a: Node) -> Node:
        """Whether a sign is another one than a positive number's."""
        if self.never_negative(a):
            return self.test("not positive", a)
        return self.test("nand", self.test("not negative", a), self.test("positive", a))

    # --- blocks
    def place(self, code: Code, roots: Iterable[Value]) -> dict[Node, int]:
        """What these need and no block has yet, in `code`, in program order; when each result of it is there."""
        wanted: set[Node] = set()
        stack = [root for root in roots if not isinstance(root, Known)]
        while stack:
            node = stack.pop()
            if node in wanted or node in self.placed:
                continue
            wanted.add(node)
            stack.extend(self.operands[node])
        ready: dict[Node, int] = {}
        for node in sorted(wanted):
            start = max((ready.get(operand, 0) for operand in self.operands[node]), default=0)
            ready[node] = code.op(start, latency=self.latency[node], slots=self.slots[node])
        self.placed |= wanted
        return ready
