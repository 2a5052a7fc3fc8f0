"""Vector operations to register operations: the context that the rules share, and the elementwise rules.

A register operation on the same operands is made once in a block, as the compiler's common subexpressions are; that is
also what makes a division by a row's sum cost one reciprocal a row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pipeline.chips.chip import Chip
from pipeline.chips.costs import Costs, Slots
from pipeline.ir.module import Dense, Op, Value, VectorType
from pipeline.schedule.bundles import apart, casts, division, lined, masks, shifted
from pipeline.schedule.bundles.added import Part, Sums
from pipeline.schedule.bundles.columns import alike
from pipeline.schedule.bundles.graph import FREE, Graph, Kind, Node
from pipeline.schedule.bundles.held import Held
from pipeline.schedule.bundles.machine import Machine
from pipeline.schedule.bundles.tiles import Tiled, aligned, grid, packing, splat

if TYPE_CHECKING:
    from pipeline.schedule.bundles.matrix_work import Share

_CARRIED = Kind("carried", "", 0)  # a register from another block: there from the start, but no constant
_EXACT = casts.CLAMPS  # rounding before or after gives the same
_OF_BITS = frozenset({"arith.andi", "arith.ori", "arith.xori"})  # of words, whatever parts they have
_ANGLES = ("math.sin", "math.cos")
_ANGLE_LAST = 7.0  # instructions of a sine or cosine that are its own: kernels of both against kernels of one
Make = Callable[[tuple[Node, ...]], Node]


class Lowering:
    """State of the lowering of one kernel: values so far, registers made in the current block, cost rows missing."""

    def __init__(self, chip: Chip, costs: Costs) -> None:
        self.chip, self.costs = chip, costs
        self.graph = Graph()
        self.machine = Machine(chip)
        self.values: dict[Value, Tiled] = {}
        self.made: dict[Value, Op] = {}
        self.users: dict[Value, list[Op]] = {}
        self.memo: dict[tuple[object, ...], Node] = {}
        self.packed_from: dict[Node, tuple[Node, ...]] = {}  # a packed register -> what was packed
        self.part_of: dict[Node, tuple[Node, int]] = {}  # an unpacked register -> the packed one, which part
        self.apart: dict[
            Node, tuple[Node, ...]
        ] = {}  # the last row of a mask -> all its rows, in registers of their own
        self.ranges: dict[Node, tuple[int, int]] = {}  # the least and the largest integer in a register, where known
        self.stores: dict[Value, dict[object, list[Node]]] = {}  # ref -> place -> stores and loads since
        self.held = Held(self.graph)
        self.unknown: set[str] = set()
        self.shares: dict[int, list[list[Share]]] = {}  # what each matrix unit does of the block's matmuls
        self.turns = 0  # what went through the XLUs to be turned, in the current block
        self.sums = Sums({}, {}, set())  # of the block's products
        self.summed: dict[Node, tuple[list[Part], tuple[Node, ...]]] = {}  # of the block: products, other addends
        self.unit_rows: dict[int, list[tuple[Node, Node]]] = {}  # its blocks of weights: the first and the last rows
        self.scalar: Callable[[Value], Node] = lambda value: FREE  # the node of a scalar
        self.number: Callable[[Value], int | None] = lambda value: None  # the integer that one is, where it is known
        self.tile = (chip.sublanes, chip.lanes)
        self.native = frozenset(dtype.mlir for dtype in chip.vector_dtypes)
        self.native_eup = frozenset(dtype.mlir for dtype in chip.transcendental_dtypes)

    # --- blocks
    def new_block(self) -> int:
        """Registers are not shared with what comes next; gives the first node of the new block."""
        self.memo.clear()
        self.stores.clear()
        self.held.refs.clear()
        self.unit_rows.clear()
        self.summed.clear()
        self.turns = 0
        return len(self.graph)

    def keep(self, values: tuple[Value, ...]) -> None:
        """The registers of vectors among these are wanted, whatever becomes of them."""
        for value in values:
            if isinstance(value.type, VectorType):
                self.graph.roots.extend(node for node in self.value(value).nodes if node >= 0)

    # --- values
    def value(self, value: Value) -> Tiled:
        """The registers of a vector, which begins in the first lane; of one axis, each row of lanes by itself."""
        kind, found = value.type, self.in_lines(value)
        assert isinstance(kind, VectorType)
        return lined.apart(self, found) if len(kind.shape) == 1 else found

    def in_lines(self, value: Value) -> Tiled:
        """The same, where rows of lanes may be of one register."""
        kind, found = value.type, self.raised(value)
        assert isinstance(kind, VectorType)
        return shifted.moved(self, found, kind.shape[-1]) if found.shift else found

    def raised(self, value: Value) -> Tiled:
        """The registers of a vector, which begins in the first row of one."""
        kind, found = value.type, self.shifted(value)
        assert isinstance(kind, VectorType)
        return shifted.raised(self, found, kind.shape[-2]) if found.down else found

    def shifted(self, value: Value) -> Tiled:
        """The registers of a vector as they came about; one from outside is there from the start."""
        found = self.values.get(value)
        if found is None:
            kind = value.type
            assert isinstance(kind, VectorType)
            same = kind.shape[-1:] == (1,)  # carried columns keep the layout of the reduction they come from
            found = splat(kind, *self.tile)
            nodes = [self.graph.add(_CARRIED, ()) for _ in found.nodes]
            found = self.values[value] = found._replace(nodes=nodes, lane_same=same, row_same=False)
        return found

    def together(self, values: list[Value]) -> list[Tiled]:
        """Operands of one operation, in the rows and the lanes of the first that varies along them."""
        found = [self.shifted(value) for value in values]
        shapes = [value.type.shape for value in values if isinstance(value.type, VectorType)]
        if any(t.down for t in found):
            to = next((t.down for t in found if not t.row_same), 0)
            found = [shifted.lowered(self, t, shape[-2], to) for t, shape in zip(found, shapes, strict=True)]
            if len({t.down for t in found if not t.row_same}) > 1:
                found = [shifted.raised(self, t, shape[-2]) for t, shape in zip(found, shapes, strict=True)]
        first = next((t for t in found if not t.lane_same), None)
        if first is None or not any(t.shift for t in found):
            return found
        return [shifted.moved(self, t, shape[-1], first.shift) for t, shape in zip(found, shapes, strict=True)]

    def in_first_lane(self, op: Op, inputs: list[Tiled]) -> list[Tiled]:
        """The operands of an operation whose result has to begin there, and in the first row."""
        kind = op.results[0].type
        assert isinstance(kind, VectorType)
        if any(t.down for t in inputs):
            inputs = [shifted.raised(self, t, kind.shape[-2]) for t in inputs]
        return [shifted.moved(self, t, kind.shape[-1]) for t in inputs]

    def grid(self, kind: VectorType) -> tuple[int, int, int]:
        return grid(kind, packing(kind.element), *self.tile)

    def is_splat(self, value: Value) -> bool:
        """Whether the value is one constant or scalar everywhere."""
        if not isinstance(value.type, VectorType):
            return True
        made = self.made.get(value)
        if made is None:
            return False
        if made.name == "arith.constant":
            return True
        return made.name == "vector.broadcast" and self.is_splat(made.operands[0])

    # --- nodes
    def once(self, kind: Kind, operands: tuple[Node, ...], mark: object = None) -> Node:
        """The instruction on these registers, made at its first use in the block. On constants only, it is constant."""
        key = (kind, operands, mark)
        found = self.memo.get(key)
        if found is None:
            found = self.memo[key] = self.graph.add(kind, operands)
        return found

    def valu(self, name: str, *operands: Node, mark: object = None) -> Node:
        return self.once(self.machine.valu(name), operands, mark)

    def constant_reciprocal(self, value: Value) -> Node:
        """The reciprocal of a constant: folded, unless the unit's result needs Newton steps; then it is made once."""
        row = self.costs.ops.get("tpu.reciprocal", {})
        if row.get("valu", 0) <= 1:
            return FREE
        key = ("constant reciprocal", self.splat(value))
        if key not in self.memo:
            add, machine = self.graph.add, self.machine
            node = add(machine.pop, (add(machine.eup("reciprocal", False), ()),))
            for _ in range(5):  # a Newton step and a check for infinities
                node = add(machine.valu("reciprocal"), (node,))
            self.memo[key] = node
        return self.memo[key]

    def popped(self, push: Kind, operands: tuple[Node, ...], queue: int = -1) -> Node:
        """A push to a unit and the pop of its result."""
        key = (push, operands, "popped")
        found = self.memo.get(key)
        if found is None:
            node = self.graph.add(push, operands, queue)
            found = self.memo[key] = self.graph.add(self.machine.pop, (node,))
        return found

    def crossed(self, push: Kind, node: Node) -> Node:
        """A register sent through the XLU; a part of a packed one goes with the other, and is unpacked again."""
        packed, part = self.part_of.get(node, (FREE, 0))
        if packed < 0:
            return self.popped(push, (node,))
        both = self.popped(push, (self.valu("interleave", packed),))
        return self.valu("unpack", both, mark=part)

    def sequence(
        self, name: str, row: Slots, operands: tuple[Node, ...], packed: bool = False, mark: object = None
    ) -> Node:
        """The instructions of an operation on one register: a chain `before` the transcendental unit, the push, a chain
        `after` it, and the rest beside the chain, joined at its end."""
        if not operands or min(operands) < 0:
            operands = tuple([node for node in operands if node >= 0])
            if not operands:
                return FREE
        key = (name, operands, packed, mark)
        found = self.memo.get(key)
        if found is not None:
            return found
        total, pushes = round(row.get("valu", 0)), round(row.get("eup", 0) / self.machine.push_cycles)
        if total <= 1 and not pushes:
            node = self.graph.add(self.machine.valu(name), operands) if total else operands[0]
        else:
            node = self._chain(name, row, operands, total, pushes, packed)
        self.memo[key] = node
        return node

    def _chain(self, name: str, row: Slots, operands: tuple[Node, ...], total: int, pushes: int, packed: bool) -> Node:
        add, machine = self.graph.add, self.machine
        spare = max(0, total - pushes)
        before = min(spare, round(row.get("before", 0)))
        after = min(spare - before, round(row.get("after", 0.75 * (spare - before) + 0.5)))
        beside = spare - before - after
        step = machine.valu(name)
        last, chain = operands, operands
        for _ in range(before):
            chain = (add(step, chain),)
        for _ in range(pushes):
            chain = (add(machine.pop, (add(machine.eup(name, packed), chain),)),)
        strands = [last] * max(1, -(-beside // max(1, after)))
        for i in range(beside):  # as many strands as take no longer than the chain
            strand = i % len(strands)
            strands[strand] = (add(step, strands[strand]),)
        sides = tuple(strand[0] for strand in strands) if beside else ()
        for i in range(after):
            chain = (add(step, chain + sides if i == after - 1 else chain),)
        if sides and not after:
            chain = (add(step, chain + sides),) if not pushes else chain
        return chain[0]

    # --- elementwise
    def row(self, name: str, element: str, per_word: int, operands: int) -> tuple[Slots | None, bool]:
        """Instructions for one register and whether the operation works on packed registers as they are.

        Without packed arithmetic the row is for one register of 32-bit elements, between unpacking and packing.
        """
        base = self.costs.ops.get(name)
        if per_word == 1:
            return base, True
        if name in _OF_BITS:
            return {"valu": 1.0}, True
        special = self.costs.packed.get(name)
        extras = ("before", "after")
        if special is not None and special.get("valu", 0) * per_word <= 1 and not special.get("eup"):
            return {"valu": 1.0}, True
        eup = (special or base or {}).get("eup")
        if element in (self.native_eup if eup else self.native):
            if special is None:
                return base, True
            return {u: n if u in extras else n * per_word for u, n in special.items()}, True
        if special is not None:
            inner = special.get("valu", 0) - operands - 1 / per_word
            return {**special, "valu": max(1.0, inner)}, False
        return base, False

    def elementwise(self, op: Op) -> None:
        """Register by register on equal grids."""
        result = op.results[0].type
        assert isinstance(result, VectorType)
        vectors = [v for v in op.operands if isinstance(v.type, VectorType)]
        if self.fused(op):
            return
        inputs = self.together(vectors)
        elements = [v.type.element for v in vectors if isinstance(v.type, VectorType) and v.type.element.name != "i1"]
        name = op.name
        if not elements:
            if apart.leads(inputs):
                apart.logic(self, op, inputs)
                return
            self.map(op, inputs, 1, lambda nodes: masks.logic(self, name, nodes))
            return
        element = elements[0]
        per_word = packing(element)
        if name == "arith.divf":
            self._divide(op, inputs, element.name, per_word)
            return
        if name in division.DIVISIONS:
            known = self.splat(op.operands[1])
            if isinstance(known, str):
                self.map(op, inputs, per_word, lambda nodes: division.divide_by(self, name, nodes[0], int(known)))
            else:
                self.map(op, inputs, per_word, lambda nodes: division.divide(self, name, nodes))
            return
        factor = masks.factor(self, op) if name == "arith.muli" else None
        if factor is not None and (self.costs.ops.get(name) or {}).get("valu", 0) > 1:
            self.map(op, inputs, per_word, lambda nodes: self.shifted_sums(nodes, factor))
            return
        if name == "arith.select":
            if per_word == 1 and inputs[0].apart:
                apart.select(self, op, inputs)
                return
            masks.select(self, op, inputs, element.name, per_word)
            return
        if name == "tpu.reciprocal" and "true" in str(dict(op.attrs).get("approx")).lower():
            name = "tpu.reciprocal approx"
        if name in masks.COMPARES:
            name = f"cmp {masks.predicate(op)}"
            row, whole = self.row(op.name, element.name, per_word, len(inputs))
        else:
            row, whole = self.row(name, element.name, per_word, len([v for v in vectors if not self.is_splat(v)]))
        if row is None:
            self.unknown.add(op.name)
            row = {}
        found = row
        mark = tuple(self.splat(v) for v in op.operands)  # tells operations apart that read the same registers
        if whole or per_word == 1:
            packed = per_word > 1
            make: Make = lambda nodes: self.sequence(name, found, nodes, packed, mark)  # noqa: E731
            if name in _ANGLES and row.get("valu", 0) > 2 * _ANGLE_LAST:
                make = lambda nodes: self._of_angle(name, found, nodes)  # noqa: E731
            self.map(op, inputs, per_word, masks.ranged(self, op, vectors, make))
        else:
            self.widened(op, inputs, per_word, name, found, mark)

    def _of_angle(self, name: str, row: Slots, nodes: tuple[Node, ...]) -> Node:
        """A sine or a cosine: most of either brings the angle into range, once where both are wanted."""
        first = {**row, "valu": row["valu"] - _ANGLE_LAST, "after": max(1.0, row.get("after", 1) - _ANGLE_LAST)}
        return self.sequence(name, {"valu": _ANGLE_LAST}, (self.sequence("angle", first, nodes),))

    def shifted_sums(self, nodes: tuple[Node, ...], factor: int) -> Node:
        """A product with a constant where a product is dear: a shift for each run of ones' ends, and their sum."""
        (node,) = (n for n in nodes if n >= 0) if any(n >= 0 for n in nodes) else (FREE,)
        if node < 0:
            return FREE
        total = FREE
        left, at = abs(factor), 0
        while left:
            if left & 1:
                digit = 2 - (left & 3)
                left -= digit
                term = self.valu("shl", node, mark=at) if at else node
                total = term if total < 0 else self.valu("addi", total, term)
            left, at = left >> 1, at + 1
        return total if total >= 0 else node

    def splat(self, value: Value) -> object:
        """What a constant or scalar is, from which all registers are made; None for other vectors."""
        made = self.made.get(value)
        while made is not None and made.name == "vector.broadcast":
            value = made.operands[0]
            made = self.made.get(value)
        if made is not None and made.name == "arith.constant":
            held = made.attr("value")
            return repr(held.value) if isinstance(held, Dense) else None
        if isinstance(value.type, VectorType):
            return None
        number = self.number(value)
        return value if number is None else repr(number)

    def map(self, op: Op, inputs: list[Tiled], per_word: int, make: Make) -> None:
        """The result's registers, made from those of the inputs at the same place."""
        kind = op.results[0].type
        assert isinstance(kind, VectorType)
        inputs = alike(self, kind, inputs)
        if any(t.upright for t in inputs):
            first = next(t for t in inputs if t.upright)
            outer, rows, columns = first.outer, first.rows, 1
            upright = True
        else:
            outer, rows, columns = grid(kind, per_word, *self.tile)
            columns = max((t.columns for t in inputs if t.shift), default=columns)
            rows = max((t.rows for t in inputs if t.down), default=rows)
            if kind.element.name == "i1" and per_word == 1 and inputs:
                rows = max(t.rows for t in inputs)
            upright = False
        lists = [aligned(t, outer, rows, columns) for t in inputs]
        nodes = [make(tuple(place)) for place in zip(*lists, strict=True)]
        self.values[op.results[0]] = Tiled(
            outer,
            rows,
            columns,
            nodes,
            per_word,
            all(t.lane_same for t in inputs),
            all(t.row_same for t in inputs),
            upright,
            max((t.shift for t in inputs), default=0),
            max((t.down for t in inputs), default=0),
        )

    def widened(self, op: Op, inputs: list[Tiled], per_word: int, name: str, row: Slots, mark: object) -> None:
        """Unpack, compute in 32 bits, pack."""
        kind = op.results[0].type
        assert isinstance(kind, VectorType)
        inputs = self.in_first_lane(op, inputs)
        wide = packing(kind.element) == 1  # a comparison's mask is not packed

        outer, rows, columns = grid(kind, per_word, *self.tile)
        column = next((t for t in inputs if t.upright), None)
        if column is not None:
            outer, rows, columns = column.outer, column.rows, 1
        exact = op.name in _EXACT
        lists = [masks.split(self, t, per_word, (outer, rows, columns), exact) for t in inputs]
        parts = [
            [self.sequence(name, row, tuple(p[part] for p in places), mark=mark) for part in range(per_word)]
            for places in zip(*lists, strict=True)
        ]
        same = (all(t.lane_same for t in inputs), all(t.row_same for t in inputs))
        if not wide:
            nodes = [self.pack(p) for p in parts]
            self.values[op.results[0]] = Tiled(outer, rows, columns, nodes, per_word, *same, column is not None)
            return
        nodes = []
        for r in range(outer * rows):
            line = parts[r * columns : (r + 1) * columns]
            for part in range(per_word):
                nodes.extend(p[part] for p in line)
        self.values[op.results[0]] = Tiled(outer, rows * per_word, columns, nodes, 1, *same, column is not None)

    def unpack(self, node: Node, part: int, exact: bool = False) -> Node:
        """A part of a packed register in 32 bits. `exact`: what comes next commutes with rounding, which follows."""
        if node < 0:
            return node
        made = self.packed_from.get(node)
        if made is not None:
            if exact and part < len(made):
                return made[part]
            if len(set(made)) == 1:
                part = 0
        found = self.once(self.machine.valu("unpack"), (node,), part)
        self.part_of[found] = (node, part)
        return found

    def pack(self, nodes: list[Node]) -> Node:
        """Registers of one row group into one: pairs of 16-bit halves, then pairs of those."""
        parts = tuple(n for n in nodes if n >= 0)
        whole = self.part_of.get(nodes[0], (FREE, 0))[0]
        if whole >= 0 and all(self.part_of.get(n) == (whole, i) for i, n in enumerate(nodes)):
            return whole
        while len(nodes) > 1:
            pairs = [tuple(n for n in nodes[i : i + 2] if n >= 0) for i in range(0, len(nodes), 2)]
            nodes = [self.valu("pack", *pair) if pair else FREE for pair in pairs]
        if nodes[0] >= 0:
            self.packed_from[nodes[0]] = parts
        return nodes[0]

    def joined(self, value: Tiled) -> Tiled:
        """Loaded registers of packed tiles, which have two columns of lanes each: as 16 rows of one on some chips."""
        row = self.costs.ops.get("matmul_operand_packed" if value.packing == 2 else "")
        if row is None or value.columns == 1:
            return value
        nodes = []
        for node in value.nodes:
            loads = tuple(self.graph.add(self.machine.load, ()) for _ in range(round(row.get("vload", 0))))
            nodes.append(self.sequence("relayout", row, (node, *loads)))
        return value._replace(nodes=nodes)

    def packed(self, value: Tiled, per_word: int) -> Tiled:
        """Rows of registers of 32-bit elements packed together."""
        rows = -(-value.rows // per_word)
        nodes = []
        for o in range(value.outer):
            for r in range(0, value.rows, per_word):
                for c in range(value.columns):
                    group = [value.at(o, i, c) for i in range(r, min(value.rows, r + per_word))]
                    nodes.append(self.pack(group + [FREE] * (per_word - len(group))))
        return value._replace(rows=rows, nodes=nodes, packing=per_word)

    def _divide(self, op: Op, inputs: list[Tiled], element: str, per_word: int) -> None:
        """A reciprocal, once for each different divisor, and a product."""
        exact = self.costs.ops.get("tpu.reciprocal")
        if exact is None:
            self.unknown.add(op.name)
            exact = {}
        rough = self.costs.ops.get("tpu.reciprocal approx", {"valu": 1.0, "eup": 1.0})
        row, name = (exact, "reciprocal") if per_word == 1 else (rough, "reciprocal approx")
        native = element in self.native_eup and per_word > 1
        product = self.machine.valu("mul")
        constant = FREE
        if self.is_splat(op.operands[1]) and per_word == 1:
            constant = self.constant_reciprocal(op.operands[1])
        folds = self.splat(op.operands[0]) == "1.0" and per_word == 1

        def divide(nodes: tuple[Node, ...]) -> Node:
            top, bottom = nodes
            if bottom < 0:
                return self.once(product, tuple(n for n in (top, constant) if n >= 0), self.splat(op.operands[1]))
            inverse = self.sequence(name, row, (bottom,), native)
            return inverse if folds and top < 0 else self.once(product, (inverse, *((top,) if top >= 0 else ())))

        if per_word == 1 or element in self.native:
            self.map(op, inputs, per_word, divide)
            return
        kind = op.results[0].type
        assert isinstance(kind, VectorType)
        outer, rows, columns = grid(kind, per_word, *self.tile)
        lists = [aligned(t, outer, rows, columns) for t in self.in_first_lane(op, inputs)]
        nodes = [
            self.pack([divide(tuple(self.unpack(n, part) for n in place)) for part in range(per_word)])
            for place in zip(*lists, strict=True)
        ]
        self.values[op.results[0]] = Tiled(outer, rows, columns, nodes, per_word)

    def _as_it_is(self, value: Value) -> bool:
        """Whether the chip computes with elements of this type, without unpacking them."""
        kind = value.type
        return isinstance(kind, VectorType) and (packing(kind.element) == 1 or kind.element.name in self.native)

    def fused(self, op: Op) -> bool:
        """What is done together with another operation, or is none: a product with one; a clamp between constants; a
        mask to 0 or 1 and then to float; a sign that goes into an exponential's factor; a rounding that the conversion
        after it does."""
        users = {user.name for user in self.users.get(op.results[0], ())}
        into_factor = op.name == "arith.negf" and users == {"math.exp"} and self._as_it_is(op.results[0])
        if into_factor or (op.name in casts.ROUNDS and casts.only_converted(self, op)):
            self.values[op.results[0]] = self.in_lines(op.operands[0])
            return True
        if op.name == "arith.mulf":
            for value, factor in (op.operands, op.operands[::-1]):
                if self.splat(factor) == "1.0" and isinstance(value.type, VectorType):
                    self.values[op.results[0]] = self.in_lines(value)
                    return True
        other = {"arith.maximumf": "arith.minimumf", "arith.minimumf": "arith.maximumf"}
        for value in op.operands[:2]:
            made = self.made.get(value)
            if made is None:
                continue
            clamp = other.get(op.name) == made.name and any(map(self.is_splat, made.operands))
            if clamp and any(map(self.is_splat, op.operands)) and value in self.values:
                self.values[op.results[0]] = self.values[value]
                return True
            if op.name in ("arith.sitofp", "arith.uitofp") and made.name == "arith.extui" and value in self.values:
                source = made.operands[0].type
                if isinstance(source, VectorType) and source.element.name == "i1":
                    self.values[op.results[0]] = self.values[value]
                    return True
        return False
