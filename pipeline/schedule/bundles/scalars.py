"""Scalar operations of the kernel's body as nodes: arithmetic, predicates, scalar memory, addresses.

A scalar that is known when the kernel is compiled has no node. One from another block is there from the start.
"""

from __future__ import annotations

from pipeline.chips.chip import Chip
from pipeline.ir.module import Dense, MemRefType, Op, ScalarType, Value
from pipeline.schedule.bundles import scalar_memory
from pipeline.schedule.bundles.folding import fold
from pipeline.schedule.bundles.graph import FREE, Graph, Kind, Node
from pipeline.schedule.bundles.masks import predicate
from pipeline.schedule.bundles.scalar_code import Timing

_SAME = frozenset(
    {"arith.index_cast", "tpu.assume_multiple", "arith.bitcast", "arith.trunci", "arith.extsi", "tpu.memref_squeeze"}
    | {"tpu.memref_reshape", "tpu.memref_bitcast"}
)
_PREDICATES = frozenset({"arith.andi", "arith.ori", "arith.xori"})
_DIVIDES = {"arith.divsi": 5, "arith.remsi": 5, "arith.divui": 1, "arith.remui": 1}  # a chain, by a power of two
_DIVISION = 8  # the same by another constant: a product, shifts and corrections
_IDENTITIES = {"arith.addi": 0, "arith.subi": 0, "arith.muli": 1, "arith.ori": 0, "arith.xori": 0} | {
    "arith.divsi": 1,
    "arith.divui": 1,
}
_ZEROED = frozenset({"arith.andi", "arith.muli"})
_COMMUTE = frozenset({"arith.addi", "arith.muli", "arith.ori", "arith.xori"})
_SCALED = frozenset({"arith.muli", "arith.addi", "arith.index_cast", "tpu.assume_multiple"})
_FLOAT = 3  # cycles to a float's user


class Scalars:
    """The nodes of scalars and of addresses, in the graph of the kernel's registers."""

    def __init__(self, chip: Chip, graph: Graph) -> None:
        self.graph = graph
        self.timing = timing = Timing.of(chip)
        self.nodes: dict[Value, Node] = {}
        self.known: set[Value] = set()
        self.numbers: dict[Value, int] = {}  # what those are, where they fold
        self.made: dict[Value, Op] = {}
        self.alias: dict[Value, Value] = {}  # what is the same as an earlier one
        self.seen: dict[tuple[object, ...], Value] = {}
        self.bounded: set[Value] = set()  # grid indices that the compiler bounds
        self.stored: set[Value] = set()
        self.places: dict[tuple[object, ...], Node] = {}
        self.sizes: dict[Value, Node] = {}  # of views that have no size that is known
        self.written: dict[Value, Node] = {}  # scalar memory -> the last store
        self.cells: dict[Value, dict[tuple[object, ...], Value]] = {}  # and what was stored in this block, by index
        self.alu = Kind("scalar", "salu", 1)
        self.float = Kind("scalar", "salu", _FLOAT)
        self.test = Kind("predicate", "salu", timing.predicate)
        self.product = Kind("scalar", "salu", timing.multiply)
        self.read = Kind("scalar load", "salu", timing.load)
        self.write = Kind("scalar store", "salu", 1)
        self.push = Kind("to scalar", "", dict(chip.cycles).get("vector_to_scalar", 1))

    # --- values
    def constant(self, value: Value) -> bool:
        return value in self.known

    def know(self, value: Value, number: int) -> None:
        self.known.add(value)
        self.numbers[value] = number

    def node(self, value: Value) -> Node:
        return self.nodes.get(value, FREE)

    def add(self, kind: Kind, *operands: Node) -> Node:
        return self.graph.add(kind, tuple(node for node in operands if node != FREE))

    def chain(self, n: int, *operands: Node) -> Node:
        node = operands[0] if len(operands) == 1 else FREE
        for i in range(n):
            node = self.add(self.alu, *(operands if not i else (node,)))
        return node

    # --- operations
    def lower(self, op: Op) -> None:
        """An operation without a vector for its result."""
        if not op.results:
            if op.name == "memref.store":
                self._store(op)
            return
        result = op.results[0]
        if op.name == "memref.load":
            cell = self.cells.get(op.operands[0], {}).get(tuple(map(self.key, op.operands[1:])))
            if cell is not None:
                self.alias_of(result, cell)
                return
        if op.name == "arith.constant" or (op.operands and all(v in self.known for v in op.operands)):
            self.known.add(result)
            self._fold(op)
            return
        decided = self._decided(op)
        if decided is not None:
            self.know(result, decided)
            return
        same = self._same_as(op)
        if same is not None:
            self.alias_of(result, same)
            return
        operands = [self.node(v) for v in op.operands]
        match op.name:
            case "memref.load":
                ref = op.operands[0]
                if self._in_register(ref):
                    return
                indices = op.operands[1:]
                at = scalar_memory.place(self, ref, indices)
                word = self.add(self.read, at, self.written.get(ref, FREE))
                self.nodes[result] = scalar_memory.unpacked(self, ref, indices[-1] if indices else None, word)
            case "arith.extf" if operands[0] >= 0:
                self.nodes[result] = scalar_memory.widened(self, operands[0])
            case "vector.extract":
                pass  # the rule that knows the vector's registers
            case "tpu.memref_slice":
                self.nodes[result] = self.view(op)
            case "arith.extui" if self._is_predicate(op.operands[0]):
                self.nodes[result] = operands[0]
            case "arith.cmpi" if self._from_predicate(op.operands[0]):
                self.nodes[result] = operands[0]  # a predicate made a number and compared with zero
            case name if name in _SAME:
                self.nodes[result] = operands[0]
            case name if name in _DIVIDES:
                self.nodes[result] = self.chain(self._division(op), *operands)
            case "arith.maxsi" | "arith.minsi" | "arith.maxui" | "arith.minui":
                self.nodes[result] = self.add(self.alu, self.add(self.test, *operands))
            case _:
                self.nodes[result] = self.add(self._kind(op), *operands)

    def alias_of(self, result: Value, same: Value) -> None:
        """`result` is what `same` is."""
        self.alias[result] = self.origin(same)
        self.nodes[result] = self.node(same)
        if same in self.known:
            self.known.add(result)
            n = self.integer(same)
            if n is not None:
                self.numbers[result] = n

    def _same_as(self, op: Op) -> Value | None:
        """An operand that the operation leaves as it is, or the result of an equal one before it."""
        identity = _IDENTITIES.get(op.name)
        if identity is not None and self.integer(op.operands[1]) == identity:
            return op.operands[0]
        if identity is not None and op.name in _COMMUTE and self.integer(op.operands[0]) == identity:
            return op.operands[1]
        stricter = self._stricter(op) if op.name == "arith.andi" and self._is_predicate(op.results[0]) else None
        if stricter is not None:
            return stricter
        if op.name == "memref.load" or op.regions or isinstance(op.results[0].type, MemRefType):
            return None
        first = self.seen.setdefault((op.name, tuple(map(self.key, op.operands)), op.attrs), op.results[0])
        return None if first is op.results[0] else first

    def _decided(self, op: Op) -> int | None:
        """What one operand alone makes of the result: a zero of a product, of a conjunction; all ones of the other."""
        for value in op.operands:
            n = self.integer(value)
            if n == 0 and op.name in _ZEROED:
                return 0
            if n and op.name == "arith.ori" and self._is_predicate(value):
                return 1
        return None

    def _fold(self, op: Op) -> None:
        """The number that a known scalar is, where it is one."""
        numbers = [n for n in map(self.integer, op.operands) if n is not None]
        if op.operands and len(numbers) == len(op.operands):
            found = fold(op, numbers)
            if found is not None:
                self.numbers[op.results[0]] = found

    def _stricter(self, op: Op) -> Value | None:
        """One of two predicates that says what both do: the other is known to hold, or to follow from it."""
        a, b = (self.origin(v) for v in op.operands)
        for one, other in ((a, b), (b, a)):
            if self.integer(other) == 1:
                return one
            first, second = self.made.get(one), self.made.get(other)
            if first is None or second is None or not first.name == second.name == "arith.cmpi":
                continue
            alike = self.key(first.operands[0]) == self.key(second.operands[0])
            zero = self.integer(first.operands[1]) == self.integer(second.operands[1]) == 0
            if alike and zero and predicate(first) in ("slt", "sgt") and predicate(second) == "ne":
                return one
        return None

    def origin(self, value: Value) -> Value:
        """The first of the values that are the same as this one."""
        return self.alias.get(value, value)

    def key(self, value: Value) -> object:
        value = self.origin(value)
        n = self.integer(value)
        return value if n is None else n

    def integer(self, value: Value) -> int | None:
        """A constant's value, as written or as it folds."""
        if value in self.numbers:
            return self.numbers[value]
        made = self.made.get(value)
        held = dict(made.attrs).get("value") if made is not None and made.name == "arith.constant" else None
        return held.value if isinstance(held, Dense) and isinstance(held.value, int) else None

    def extract(self, result: Value, vector: Node) -> None:
        """A scalar out of a vector register; one of a constant is there from the start."""
        if vector >= 0:
            self.nodes[result] = self.add(self.push, vector)

    def _kind(self, op: Op) -> Kind:
        kind = op.results[0].type
        if op.name in ("arith.cmpi", "arith.cmpf") or (op.name in _PREDICATES and self._is_predicate(op.results[0])):
            return self.test
        if op.name == "arith.muli":
            return self.alu if any(self._power_of_two(v) for v in op.operands) else self.product
        if isinstance(kind, ScalarType) and kind.name.startswith("f"):
            return self.float
        return self.alu

    def _division(self, op: Op) -> int:
        if not self._power_of_two(op.operands[1]):
            return _DIVISION
        return 1 if op.name == "arith.divsi" and self._bounded(op.operands[0]) else _DIVIDES[op.name]

    def _power_of_two(self, value: Value) -> bool:
        n = self.integer(value)
        if n is None:
            return value in self.known  # folded from others; most are sizes
        return n > 0 and n & (n - 1) == 0

    def _is_predicate(self, value: Value) -> bool:
        return isinstance(value.type, ScalarType) and value.type.name == "i1"

    def _from_predicate(self, value: Value) -> bool:
        made = self.made.get(value)
        return made is not None and made.name == "arith.extui" and self._is_predicate(made.operands[0])

    def _in_register(self, ref: Value) -> bool:
        """A table of one element is passed as a scalar."""
        kind = ref.type
        return ref not in self.made and isinstance(kind, MemRefType) and kind.shape == (1,) and ref not in self.stored

    def _store(self, op: Op) -> None:
        value, ref, *indices = op.operands
        node = self.add(self.write, self.node(value), scalar_memory.place(self, ref, tuple(indices)))
        self.graph.roots.append(node)
        self.written[ref] = node
        at = tuple(map(self.key, indices))
        known = all(self.integer(i) is not None for i in indices)
        held = self.cells.get(ref, {}) if known else {}  # one that is not known may be any
        self.cells[ref] = {**held, at: value}
        self.stored.add(ref)

    # --- addresses
    def address(self, ref: Value, indices: tuple[Value, ...]) -> Node:
        """A place in a ref: FREE where all of it is known."""
        base = self.node(ref)
        if all(i in self.known for i in indices):
            return base
        key = ("address", ref, *map(self.key, indices))
        if key not in self.places:
            parts = [self.add(self.alu, self.node(i)) for i in indices if i not in self.known]
            node = parts[0]
            for part in parts[1:]:
                node = self.add(self.alu, node, part)
            self.places[key] = self.add(self.alu, node, base)
        return self.places[key]

    def view(self, op: Op) -> Node:
        """Where a slice of a ref is: rows and columns become tiles before they are added up. Slices of arrays of one
        shape share that; their sizes, where those are not known, are in bytes by the same steps."""
        ref = op.operands[0]
        kind = ref.type
        shape = kind.shape if isinstance(kind, MemRefType) else ()
        counted = isinstance(kind, MemRefType) and kind.space == "semaphore_mem"  # one after the other, without tiles
        base = self.node(ref)
        parts = []
        for n, index in enumerate(op.operands[1 : 1 + len(shape)]):
            if index in self.known:
                continue
            key = ("part", self.key(index), shape[n + 1 :])
            if key not in self.places:
                steps = n < len(shape) - 1 if counted else 1 + (n >= len(shape) - 2 and len(shape) > 1)
                self.places[key] = self.chain(steps, self.node(index))
            parts.append(self.places[key])
        for size in op.operands[1 + len(shape) :]:
            self.sizes[op.results[0]] = self.chain(2, self.node(size))
        if not parts:
            return base
        node = parts[0]
        for part in parts[1:]:
            node = self.add(self.alu, node, part)
        return self.add(self.alu, node, base)

    def varies(self, ref: Value) -> bool:
        """Whether a ref's place depends on what is only known when the kernel runs, other than by a remainder."""
        made = self.made.get(ref)
        while made is not None and made.name.startswith("tpu.memref"):
            if any(i not in self.known and not self._bounded(i) for i in made.operands[1:]):
                return True
            ref = made.operands[0]
            made = self.made.get(ref)
        return False

    def _bounded(self, value: Value) -> bool:
        """Whether a value is seen to be in range: an unsigned remainder, or what comes of a bounded grid index."""
        value = self.origin(value)
        made = self.made.get(value)
        if made is None:
            return value in self.bounded
        if made.name in ("arith.remui", "arith.andi"):
            return made.operands[1] in self.known
        return made.name in _SCALED and all(v in self.known or self._bounded(v) for v in made.operands)
