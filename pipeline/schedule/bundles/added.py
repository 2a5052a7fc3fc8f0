"""Products that are added up, with one another and to what a ref held. Nothing is added to zero. Where a matrix unit's
result buffer adds, it does this as well:

A sum of products that is only an addend of another one is never popped: its unit adds the next product to it. So it is
through a ref as well, which passes on what was stored there. Units take the products of one sum together at first, as
they do blocks of one product (`matrix_units.py`).

Source: libtpu 0.0.42.1's listings for 7x of two to four products, each after vector work of its own, that are added to
zero, to what a ref held, to one another, and to two sums by turns: which unit takes which, and what is popped. Zero:
the vector operations of such kernels on v4, v5e, v5p, v6e and 7x.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pipeline.ir.module import Dense, MemRefType, Op, Value, VectorType
from pipeline.schedule.bundles.decided import constant
from pipeline.schedule.bundles.graph import FREE, Node

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering

_PLAIN = frozenset({"vector.load", "vector.store", "tpu.vector_store"})
_Place = tuple[tuple[int, ...], tuple[int, ...]]


class Part(NamedTuple):
    """A result of a unit: how long after `node` it is there; -1 for the unit if its sum is not kept there."""

    node: Node
    wait: int
    unit: int


class Sums(NamedTuple):
    """first: for a product by its id the first product of its sum, as an id. adds: the additions that make the sums, by
    their ids; whether each adds to zero. inner: the products and additions that are only an addend, by their ids."""

    first: dict[int, int]
    adds: dict[int, bool]
    inner: set[int]


class _Passed:
    """Vectors by where they come from: what is loaded where it was stored is what was stored there."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.same: dict[Value, Value] = {}
        self.held: dict[Value, dict[_Place, Value]] = {}
        self.uses: Counter[Value] = Counter()

    def of(self, value: Value) -> Value:
        return self.same.get(value, value)

    def read(self, op: Op) -> None:
        if op.name == "vector.shape_cast" and op.operands[0].type == op.results[0].type:
            self.same[op.results[0]] = self.of(op.operands[0])
        elif op.name in _PLAIN and op.operands[0] not in self.low.made and (place := self._place(op)) is not None:
            self._access(op, place)
        elif op.regions or any(isinstance(v.type, MemRefType) for v in op.operands):
            self.leave()
        else:
            self.uses.update(self.of(v) for v in op.operands if isinstance(v.type, VectorType))

    def leave(self) -> None:
        """What is in memory now may be read by others."""
        for places in self.held.values():
            self.uses.update(places.values())
        self.held.clear()

    def _access(self, op: Op, place: _Place) -> None:
        places = self.held.setdefault(op.operands[0], {})
        if op.results and place in places and places[place].type == op.results[0].type:
            self.same[op.results[0]] = places[place]
            return
        for other in [other for other in places if other != place and not _apart(other, place)]:
            self.uses[places[other]] += 1
            if not op.results:
                del places[other]
        if not op.results:
            places[place] = self.of(next(v for v in op.operands if isinstance(v.type, VectorType)))

    def _place(self, op: Op) -> _Place | None:
        """Where an access begins and its shape; None if that is not known, or it is one under a mask."""
        kinds = [v.type for v in (*op.operands, *op.results) if isinstance(v.type, VectorType)]
        starts = [constant(v, self.low.made) for v in op.operands[1:] if not isinstance(v.type, VectorType)]
        known = tuple(start for start in starts if start is not None)
        return (known, kinds[0].shape) if len(kinds) == 1 and len(known) == len(starts) == len(kinds[0].shape) else None


def sums(low: Lowering, ops: tuple[Op, ...], live: set[int]) -> Sums:
    """The sums of products among these operations; where no unit's result buffer adds, of a product and zero alone."""
    found = Sums({}, {}, set())
    kept = [op for op in ops if id(op) in live]
    if not any(op.name == "tpu.matmul" for op in kept):
        return found
    adds = bool(low.chip.mxu_accumulators)
    passed = _Passed(low)
    for op in kept:
        passed.read(op)
    passed.leave()
    inside = set(map(id, kept))
    sources: dict[Value, int] = {}  # products and sums that are only an addend, by the first product
    for op in kept:
        if op.name == "tpu.matmul" and _is_zero(passed.of(op.operands[2]), low):
            source = found.first[id(op)] = id(op)
        elif op.name == "arith.addf" and (addends := [a for v in op.operands if (a := passed.of(v)) in sources]):
            to_zero = any(_is_zero(passed.of(v), low) for v in op.operands)
            if not (adds or to_zero):
                continue
            source = sources[addends[0]]
            others = {sources[a] for a in addends[1:]}
            found.first.update((each, source) for each, first in found.first.items() if first in others)
            found.adds[id(op)] = to_zero
        else:
            continue
        result = op.results[0]
        if not adds and op.name != "tpu.matmul":
            continue
        if passed.uses[result] == 1 and all(id(user) in inside for user in low.users.get(result, ())):
            sources[result] = source
            found.inner.add(id(op))
    return found


def add_up(low: Lowering, op: Op) -> None:
    """After a product, or an addition: the registers of one that makes a sum, made anew, as units add what each has of
    it."""
    value = low.values.get(op.results[0])
    if value is None:  # no unit takes its operands
        return
    if id(op) in low.sums.adds:
        made = {node: _made_anew(low, node, low.sums.adds[id(op)]) for node in dict.fromkeys(value.nodes)}
        value = low.values[op.results[0]] = value._replace(nodes=[made[node] for node in value.nodes])
    if id(op) not in low.sums.inner:
        for node in value.nodes:
            low.summed.pop(node, None)


def _made_anew(low: Lowering, node: Node, to_zero: bool) -> Node:
    operands = low.graph.operands[node] if node >= 0 else ()
    if to_zero and len(operands) == 1:
        return operands[0]
    parts = [part for o in operands for part in low.summed.get(o, ((), ()))[0]]
    others = [other for o in operands for other in (low.summed[o][1] if o in low.summed else (o,))]
    if len(operands) < 2:
        others.append(FREE)
    return total(low, parts, tuple(others)) if parts else node


def total(low: Lowering, parts: list[Part], others: tuple[Node, ...] = ()) -> Node:
    """Partial products popped and added up, and other addends; in the unit's result buffer where that adds."""
    add = low.graph.add
    groups: dict[int, list[Part]] = {}
    for i, part in enumerate(parts):
        kept = low.chip.mxu_accumulators and part.unit >= 0
        groups.setdefault(part.unit if kept else -1 - i, []).append(part)
    found = FREE
    for members in groups.values():
        popped = add(low.machine.pop, tuple(p.node for p in members), wait=max(p.wait for p in members))
        found = popped if found < 0 else low.valu("add", found, popped)
    for other in others:
        found = low.valu("add", found, *((other,) if other >= 0 else ()))
    if found >= 0:
        low.summed[found] = parts, others
    return found


def _apart(one: _Place, other: _Place) -> bool:
    """Whether two places of a ref do not touch."""
    sides = zip(one[0], one[1], other[0], other[1], strict=True)
    return any(a + m <= b or b + n <= a for a, m, b, n in sides)


def _is_zero(value: Value, low: Lowering) -> bool:
    made = low.made.get(value)
    if made is not None and made.name == "vector.broadcast":
        return _is_zero(made.operands[0], low)
    held = made.attr("value") if made is not None and made.name == "arith.constant" else None
    return isinstance(held, Dense) and held.value == 0
