"""What is stored in a block and read again there: the compiler passes the register on, and drops stores that a later
one covers. Both register by register, where a place is known and on the edges of tiles.

Source: libtpu 0.0.42.1's loads and stores of kernels that add to what they stored, whole or in part.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from pipeline.ir.module import MemRefType, Op, Value, VectorType
from pipeline.schedule.bundles.graph import Graph, Kind, Node
from pipeline.schedule.bundles.tiles import Tiled, packing

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering

DROPPED = Kind("dropped store", "", 0)
Place = tuple[int, ...]
_PLAIN = frozenset({"vector.load", "vector.store", "tpu.vector_store"})


class Stored(NamedTuple):
    """A register in memory: what it holds, and the store that put it there."""

    value: Node
    store: Node


class Held:
    """By ref and place, since the block began."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.refs: dict[Value, dict[Place, Stored]] = {}

    def passed_on(self, low: Lowering, op: Op, indices: list[int | None], kind: VectorType) -> list[Node | None]:
        """For each register of a load what was stored there, None where that is not known."""
        places = self._places(low, op, indices, kind)
        if not places:
            return []
        held = self.refs.get(op.operands[0], {})
        return [held[place].value if place in held else None for place in places]

    def cover(self, low: Lowering, op: Op, indices: list[int | None], kind: VectorType, value: Tiled) -> list[Place]:
        """Where the registers of a store are to lie; earlier stores in the same places are dropped."""
        places = self._places(low, op, indices, kind)
        if len(value.nodes) != len(places) or value.packing != packing(kind.element) or value.upright:
            self.refs.pop(op.operands[0], None)
            return []
        held = self.refs.get(op.operands[0], {})
        for place in places:
            if place in held:
                self.graph.kinds[held[place].store] = DROPPED
        return places

    def note(self, ref: Value, places: list[Place], value: Tiled, stores: list[Node]) -> None:
        """What was stored at these places, none of which may be known."""
        made = zip(value.nodes, stores, strict=True)
        self.refs.setdefault(ref, {}).update((place, Stored(*pair)) for place, pair in zip(places, made, strict=False))

    def _places(self, low: Lowering, op: Op, indices: list[int | None], kind: VectorType) -> list[Place]:
        """Where each register lies; none, and nothing is known of the ref any more, where that is not known."""
        ref = op.operands[0]
        vectors = sum(isinstance(v.type, VectorType) for v in op.operands)
        sizes = (low.chip.sublanes * packing(kind.element), low.chip.lanes)
        known = [i for i in indices if i is not None]
        root = ref
        while (made := low.made.get(root)) is not None and made.operands:
            root = made.operands[0]
        whole = (
            op.name in _PLAIN
            and vectors <= 1
            and isinstance(ref.type, MemRefType)
            and len(known) == len(ref.type.shape) == len(kind.shape) >= 2
            and all(n % size == i % size == 0 for n, i, size in zip(kind.shape[-2:], known[-2:], sizes, strict=True))
        )
        if root is not ref or not whole:
            self.refs.pop(root, None)
            return []
        outer = [range(i, i + n) for i, n in zip(known[:-2], kind.shape[:-2], strict=True)]
        inner = [range(i // s, (i + n) // s) for i, n, s in zip(known[-2:], kind.shape[-2:], sizes, strict=True)]
        return list(product(*outer, *inner))
