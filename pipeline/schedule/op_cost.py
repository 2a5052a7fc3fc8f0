"""What one operation of a Mosaic module asks of the vector core: unit-cycles by issue slot, latency, flops.

Work is counted in tiles of 8 x 128 32-bit elements (`Chip.sublanes` x `Chip.lanes`); packed dtypes fill a register with
two or more tiles. Instruction counts come from the chip's cost table, latencies from its profile.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import prod
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.chips.costs import Costs, Slots
from pipeline.ir.module import Attr, Dense, IntArray, Op, Raw, ScalarType, Type, TypedInt, Value, VectorType

_INTS = re.compile(r"-?\d+")
_BITS = re.compile(r"\d+")
_DMA_SCALAR_OPS = 26  # address arithmetic and bounds checks in front of a copy: about 13 bundles of two scalar slots


class Work(NamedTuple):
    """An operation's demand.

    latency: cycles from the first operand tile to the first result tile. `waits`: the result's first tile needs the
    operands' last ones (a reduction over rows, a matmul's weights).
    replicated: the result is the same in all lanes, so broadcasting it along lanes costs nothing.
    """

    slots: Slots
    tiles: int = 0
    latency: int = 0
    waits: bool = False
    replicated: bool = False
    flops: int = 0
    known: bool = True


_FREE = Work({})
_ELEMENTWISE = frozenset({"arith", "math"})
_CASTS = frozenset(
    {"arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui"}
    | {"arith.extsi", "arith.extui", "arith.trunci"}
)
_NO_WORK = frozenset(
    {"vector.shape_cast", "arith.constant", "arith.index_cast", "arith.bitcast", "tpu.bitcast", "tpu.assume_multiple"}
    | {"vector.extract", "tpu.memref_slice", "tpu.memref_squeeze", "tpu.memref_reshape", "tpu.memref_bitcast"}
    | {"memref.alloca", "tpu.sem_alloc", "tpu.iteration_bound", "tpu.concatenate", "func.return", "tpu.log"}
    | {"scf.yield", "tpu.yield", "scf.condition", "tpu.log_buffer"}
)
_DMA = frozenset({"tpu.enqueue_dma", "tpu.wait_dma2", "tpu.sem_signal", "tpu.sem_wait", "tpu.sem_read"})
_COUNTED = frozenset({"addf", "subf", "mulf", "divf", "maximumf", "minimumf", "negf", "remf"})  # one flop an element


class Counter:
    """Counts operations for one chip. `made` gives the operation that made a value, `replicated` what was found so."""

    def __init__(self, chip: Chip, costs: Costs) -> None:
        self.chip, self.costs = chip, costs
        self.native = {dtype.mlir for dtype in (*chip.vector_dtypes,)}
        self.native_transcendental = {dtype.mlir for dtype in chip.transcendental_dtypes}
        self.made: dict[Value, Op] = {}
        self.replicated: set[Value] = set()

    def count(self, op: Op) -> Work:
        """The work of one operation without regions; results are remembered for the operations after it."""
        work = self._count(op)
        for result in op.results:
            self.made[result] = op
            if work.replicated:
                self.replicated.add(result)
        return work

    def _count(self, op: Op) -> Work:
        rule = _RULES.get(op.name)
        if rule is not None:
            return rule(self, op)
        if op.name in _NO_WORK:
            return _FREE._replace(replicated=bool(op.operands) and op.operands[0] in self.replicated)
        if op.name in _DMA:
            return Work({"salu": float(_DMA_SCALAR_OPS)}, latency=1)
        kinds = [value.type for value in (*op.results, *op.operands)]
        if not any(isinstance(kind, VectorType) for kind in kinds):
            return Work({"salu": 1.0}, latency=1)
        if op.name in _CASTS:
            return self._cast(op)
        if op.dialect in _ELEMENTWISE:
            return self._elementwise(op)
        return Work({}, known=False)

    def latency(self, name: str) -> int:
        """A latency of the profile; an unknown one counts as a cycle."""
        return self.chip.latency(name) or 1

    def tiles(self, kind: Type) -> int:
        """Tiles of 32-bit elements that a vector takes, padding of packed rows included; 0 for a scalar."""
        if not isinstance(kind, VectorType):
            return 0
        return prod(kind.shape[:-2]) * self._flat_tiles(kind)

    def _flat_tiles(self, kind: VectorType) -> int:
        lanes, sublanes = self.chip.lanes, self.chip.sublanes
        per_word = packing(kind.element)
        if len(kind.shape) < 2:
            return -(-(kind.shape[0] if kind.shape else 1) // lanes)
        rows, columns = kind.shape[-2:]
        tall = sublanes * per_word
        return (-(-rows // tall) * per_word if rows >= tall else -(-rows // sublanes)) * -(-columns // lanes)

    def cost(self, name: str, element: ScalarType, operands: int) -> Slots | None:
        """Unit-cycles per tile of an elementwise operation on `element`; None without a row."""
        base = self.costs.ops.get(name)
        if packing(element) == 1 or element.name == "i1":
            return base
        special = self.costs.packed.get(name)
        if special is not None:
            return special
        if base is None:
            return None
        native = self.native_transcendental if base.get("eup") else self.native
        if element.name in native:
            return {unit: n / packing(element) for unit, n in base.items()}
        return {**base, "valu": base.get("valu", 0) + operands + 1 / packing(element)}  # unpack each, pack once

    def _elementwise(self, op: Op) -> Work:
        result = op.results[0].type
        vectors = [value for value in op.operands if isinstance(value.type, VectorType)]
        wide = max((value.type for value in vectors), key=self.tiles, default=result)
        assert isinstance(wide, VectorType)
        replicated = bool(vectors) and all(self._is_replicated(value) for value in vectors)
        size = prod(wide.shape)
        flops = size if op.name.partition(".")[2] in _COUNTED or op.dialect == "math" else 0
        tiles = self.tiles(wide)
        if op.name == "arith.divf" and packing(wide.element) == 1:
            shared = self._divisor_tiles(op.operands[1], tiles)
            rest = self.costs.ops.get("tpu.reciprocal")
            if shared < tiles and rest is not None:
                # one reciprocal for each row of the divisor, then a product
                slots = _scaled(rest, shared)
                slots["valu"] = slots.get("valu", 0) + tiles
                return Work(_popped(slots, shared), tiles, self._depth(rest), replicated=replicated, flops=flops)
        row = self.cost(op.name, wide.element, len(vectors))
        if row is None:
            return Work({}, tiles, known=False)
        slots = _popped(_scaled(row, tiles), tiles / packing(wide.element))
        return Work(slots, tiles, self._depth(row), replicated=replicated, flops=flops)

    def _is_replicated(self, value: Value) -> bool:
        return value in self.replicated or self._splat(value)

    def _splat(self, value: Value) -> bool:
        made = self.made.get(value)
        if made is None:
            return False
        if made.name == "arith.constant":
            return True
        return made.name == "vector.broadcast" and not isinstance(made.operands[0].type, VectorType)

    def _divisor_tiles(self, value: Value, tiles: int) -> int:
        made = self.made.get(value)
        if made is not None and made.name == "vector.broadcast":
            return min(tiles, max(1, self.tiles(made.operands[0].type)))
        return 1 if self._splat(value) else tiles

    def _depth(self, row: Slots) -> int:
        """Cycles through a sequence of instructions, most of which wait for one another."""
        steps = max(1.0, 0.75 * row.get("valu", 0))
        unit = self.latency("transcendental") if row.get("eup") else 0
        return round(steps * self.latency("float_op")) + unit

    def _cast(self, op: Op) -> Work:
        source, result = op.operands[0].type, op.results[0].type
        assert isinstance(source, VectorType) and isinstance(result, VectorType)
        tiles = max(self.tiles(source), self.tiles(result))
        names = (_element(source.element), _element(result.element))
        row = self.costs.casts.get(" -> ".join(names))
        replicated = op.operands[0] in self.replicated
        if row is None:
            return Work({}, tiles, known=False, replicated=replicated)
        return Work(_scaled(row, tiles), tiles, self.latency("float_op"), replicated=replicated)


def packing(element: ScalarType) -> int:
    """Elements of a 32-bit word; 1 for masks, indices and wider types."""
    found = _BITS.search(element.name)
    bits = int(found.group()) if found else 32
    return 32 // bits if 1 < bits < 32 else 1


def _element(element: ScalarType) -> str:
    return "f8" if element.name.startswith("f8") else element.name


def _scaled(row: Slots, tiles: float) -> Slots:
    return {unit: n * tiles for unit, n in row.items()}


def _popped(slots: Slots, tiles: float) -> Slots:
    """A transcendental's results are popped from its unit's queue, one a tile."""
    return {**slots, "vpop": slots.get("vpop", 0) + tiles} if slots.get("eup") else slots


def int_values(attr: Attr) -> tuple[int, ...]:
    """The integers an attribute holds, whatever its form; none for any other attribute."""
    match attr:
        case IntArray(values):
            return values
        case Raw(text) | str(text):
            return tuple(map(int, _INTS.findall(text)))
        case TypedInt(value):
            return (value,)
        case _:
            return ()


def _attr(op: Op, name: str) -> Attr:
    return dict(op.attrs).get(name)


def _load(counter: Counter, op: Op) -> Work:
    kind = op.results[0].type
    if not isinstance(kind, VectorType):
        return Work({"salu": 1.0}, latency=counter.latency("load"))
    tiles = counter.tiles(kind)
    return Work({"vload": tiles / packing(kind.element)}, tiles, counter.latency("load"))


def _store(counter: Counter, op: Op) -> Work:
    kind = next((v.type for v in op.operands if isinstance(v.type, VectorType)), None)
    if kind is None:
        return Work({"salu": 1.0}, latency=1)
    tiles = counter.tiles(kind)
    return Work({"vstore": tiles / packing(kind.element)}, tiles, 1)


def _broadcast(counter: Counter, op: Op) -> Work:
    """Free along rows and from values that fill all lanes; a column needs a permute for each tile of rows."""
    source, result = op.operands[0].type, op.results[0].type
    if not isinstance(source, VectorType) or not isinstance(result, VectorType) or op.operands[0] in counter.replicated:
        return Work({}, counter.tiles(result), replicated=True)
    grows = bool(source.shape) and source.shape[-1] == 1 and result.shape[-1] > 1
    if not grows:
        return Work({}, counter.tiles(result))
    row = counter.costs.ops.get("lane_broadcast")
    if row is None:
        return Work({}, known=False)
    tiles = counter.tiles(source)
    return Work({**_scaled(row, tiles), "vpop": tiles}, tiles, counter.latency("lane_permute"), replicated=True)


def _reduction(counter: Counter, op: Op) -> Work:
    """Leading axes: vector adds. Rows: vector adds, then a few steps within a tile. Lanes: adds, then one trip each."""
    source = op.operands[0].type
    assert isinstance(source, VectorType)
    rank = len(source.shape)
    axes = set(int_values(_attr(op, "reduction_dims")))
    shape = list(source.shape)
    lanes, sublanes = counter.chip.lanes, counter.chip.sublanes
    outer = prod(n for a, n in enumerate(shape[:-2]) if a not in axes)
    reduced_outer = prod(n for a, n in enumerate(shape[:-2]) if a in axes)
    rows = -(-shape[-2] // sublanes) if rank > 1 else 1
    columns = -(-shape[-1] // lanes)
    valu = float((reduced_outer - 1) * outer * rows * columns)
    slots: Slots = {}
    latency, waits = counter.latency("float_op"), False
    in_lanes, in_rows = rank - 1 in axes, rank > 1 and rank - 2 in axes
    if in_rows:
        within = counter.costs.ops.get("sublane_reduce", {}).get("valu", 0)
        valu += outer * columns * (rows - 1 + (within if min(shape[-2], sublanes) > 1 else 0))
        latency += 6 * counter.latency("float_op")
        waits = True
        rows = 1
    if in_lanes:
        row = counter.costs.ops.get("lane_reduce")
        if row is None:
            return Work({}, known=False)
        valu += outer * rows * (columns - 1)
        slots = _scaled(row, outer * rows)
        slots["vpop"] = outer * rows
        latency += counter.latency("lane_reduce")
    unpack = counter.tiles(source) if packing(source.element) > 1 else 0
    slots["valu"] = slots.get("valu", 0) + valu + unpack
    size = prod(source.shape)
    return Work(slots, counter.tiles(source), latency, waits, replicated=in_lanes, flops=size)


def _arg_reduction(counter: Counter, op: Op) -> Work:
    source = op.operands[0].type
    assert isinstance(source, VectorType)
    row = counter.costs.ops.get("lane_arg_reduce")
    if row is None:
        return Work({}, known=False)
    tiles = counter.tiles(source)
    rows = max(1, tiles // -(-source.shape[-1] // counter.chip.lanes))
    slots = {"xlu": row.get("xlu", 0) * rows, "valu": row.get("valu", 0) * tiles, "vpop": 2.0 * rows}
    switch = counter.latency("xlu_reduce_to_permute") + counter.latency("xlu_permute_to_reduce")
    return Work(slots, tiles, 2 * counter.latency("lane_reduce") + switch, replicated=True)


def _transpose(counter: Counter, op: Op) -> Work:
    source = op.operands[0].type
    assert isinstance(source, VectorType)
    rank = len(source.shape)
    permutation = int_values(_attr(op, "permutation"))
    tiles = counter.tiles(source)
    if permutation and permutation[-1] == rank - 1:
        return Work({"valu": float(tiles)}, tiles, counter.latency("float_op"))
    packed = packing(source.element) > 1
    row = (counter.costs.packed if packed else counter.costs.ops).get("tpu.transpose")
    if row is None:
        return Work({}, tiles, known=False)
    latency = counter.latency("transpose_packed" if packed else "transpose")
    fill = 16 * counter.latency("xlu_op")  # a block of 128 rows is pushed before its first row comes out
    return Work({**_scaled(row, tiles), "vpop": float(tiles)}, tiles, latency + fill)


def _iota(counter: Counter, op: Op) -> Work:
    kind = op.results[0].type
    tiles = counter.tiles(kind)
    row = counter.cost("tpu.iota", kind.element, 0) if isinstance(kind, VectorType) else None
    if row is None:
        return Work({}, tiles, known=False)
    return Work(_scaled(row, tiles), tiles, counter.latency("int_op"))


def _rotate(counter: Counter, op: Op) -> Work:
    source = op.operands[0].type
    assert isinstance(source, VectorType)
    along_lanes = int_values(_attr(op, "dimension"))[:1] == (len(source.shape) - 1,)
    row = counter.costs.ops.get("lane_rotate" if along_lanes else "sublane_rotate")
    tiles = counter.tiles(source)
    if row is None:
        return Work({}, tiles, known=False)
    slots = _scaled(row, tiles)
    if along_lanes:
        slots["vpop"] = float(tiles)
    return Work(slots, tiles, counter.latency("lane_rotate" if along_lanes else "float_op"))


def _gather(counter: Counter, op: Op) -> Work:
    row = counter.costs.ops.get("tpu.dynamic_gather")
    tiles = counter.tiles(op.results[0].type)
    if row is None:
        return Work({}, tiles, known=False)
    return Work({**_scaled(row, tiles), "vpop": float(tiles)}, tiles, counter.latency("lane_permute"))


def _extract_slice(counter: Counter, op: Op) -> Work:
    """Whole tiles are only renamed; rows that do not start at a tile are shifted into place."""
    offsets = int_values(_attr(op, "offsets"))
    tiles = counter.tiles(op.results[0].type)
    replicated = op.operands[0] in counter.replicated
    if len(offsets) > 1 and offsets[-1] % counter.chip.lanes:
        row = counter.costs.ops.get("lane_rotate")
    elif len(offsets) > 1 and offsets[-2] % counter.chip.sublanes:
        row = counter.costs.ops.get("unaligned_rows")
    else:
        return Work({}, tiles, replicated=replicated)
    if row is None:
        return Work({}, tiles, known=False)
    return Work(_scaled(row, tiles), tiles, counter.latency("float_op"), replicated=replicated)


def _reciprocal(counter: Counter, op: Op) -> Work:
    kind = op.results[0].type
    approximate = _attr(op, "approx") is True
    name = "tpu.reciprocal approx" if approximate else "tpu.reciprocal"
    row = counter.costs.ops.get(name)
    tiles = counter.tiles(kind)
    if row is None or not isinstance(kind, VectorType):
        return Work({}, tiles, known=False)
    replicated = op.operands[0] in counter.replicated
    return Work(_scaled(row, tiles), tiles, counter._depth(row), replicated=replicated, flops=prod(kind.shape))


def matmul_shape(op: Op) -> tuple[int, int, int, int]:
    """(batch, m, k, n) of a `tpu.matmul`, from its dimension numbers; several axes of one kind are multiplied."""
    lhs, rhs = op.operands[0].type, op.operands[1].type
    assert isinstance(lhs, VectorType) and isinstance(rhs, VectorType)
    contracted, _, rows, columns, _, batch, _ = _dimension_lists(op)
    return (
        prod(lhs.shape[i] for i in batch),
        prod(lhs.shape[i] for i in rows),
        prod(lhs.shape[i] for i in contracted),
        prod(rhs.shape[i] for i in columns),
    )


def _dimension_lists(op: Op) -> list[tuple[int, ...]]:
    """Axes: contracted of lhs, of rhs, others of lhs, of rhs, order of the result, batch of lhs, of rhs."""
    text = _attr(op, "dimension_numbers")
    lists = re.findall(r"\[([^\]]*)\]", text.text) if isinstance(text, Raw) else []
    return [tuple(map(int, _INTS.findall(entry))) for entry in lists]


def _matmul(counter: Counter, op: Op) -> Work:
    """Rows through the units once for each block of the weights, partial sums added where the units cannot."""
    chip = counter.chip
    batch, m, k, n = matmul_shape(op)
    lhs, rhs, start = op.operands[0].type, op.operands[1].type, op.operands[2]
    assert isinstance(lhs, VectorType) and isinstance(rhs, VectorType)
    per_cycle = dict(chip.mxu_rows_per_cycle)
    names = {"f32": "float32", "bf16": "bfloat16", "i8": "int8", "i4": "int4", "f8": "float8"}
    rates = [per_cycle.get(names.get(_element(t.element), "")) for t in (lhs, rhs)]
    known = [rate for rate in rates if rate is not None]
    if not known or not chip.mxu_size or not chip.mxu_count:
        return Work({}, known=False)
    passes = 6 if "fp32" in str(_attr(op, "precision")) else 1
    k_blocks, n_blocks = -(-k // chip.mxu_size), -(-n // chip.mxu_size)
    rows = -(-m // chip.sublanes) * chip.sublanes
    out_tiles = batch * (rows // chip.sublanes) * -(-n // chip.lanes)
    slots: Slots = {"mxu": float(passes * batch * rows * k_blocks * n_blocks) / min(known)}
    sums = 1 if chip.mxu_accumulators else k_blocks * passes
    slots["vpop"] = float(out_tiles * sums)
    made = counter.made.get(start)
    zero = made is not None and made.name == "arith.constant" and _is_zero(made)
    slots["valu"] = float(out_tiles * (sums - 1 + (0 if zero else 1)))
    for kind in (lhs, rhs):
        if kind.element.name == "f32" and passes == 1:
            slots["valu"] += counter.tiles(kind) / 2  # rounded and packed to bfloat16
    latency = counter.latency("matmul_fill")
    numbers = int_values(_attr(op, "dimension_numbers"))
    if len(numbers) > 1 and _contracts_last(op):
        latency += counter.latency("matmul_transposed_fill")
    return Work(slots, out_tiles, latency, waits=True, flops=2 * batch * m * k * n)


def _is_zero(op: Op) -> bool:
    value = _attr(op, "value")
    return isinstance(value, Dense) and value.value == 0


def _contracts_last(op: Op) -> bool:
    """Whether the right operand is contracted over its last axis, so that its blocks are transposed on the way in."""
    rhs = op.operands[1].type
    return isinstance(rhs, VectorType) and _dimension_lists(op)[1] == (len(rhs.shape) - 1,)


_Rule = Callable[[Counter, Op], Work]
_RULES: dict[str, _Rule] = {
    "vector.load": _load,
    "tpu.strided_load": _load,
    "memref.load": _load,
    "vector.store": _store,
    "memref.store": _store,
    "tpu.vector_store": _store,
    "tpu.strided_store": _store,
    "vector.broadcast": _broadcast,
    "vector.multi_reduction": _reduction,
    "tpu.reduce_index": _arg_reduction,
    "tpu.transpose": _transpose,
    "tpu.iota": _iota,
    "tpu.dynamic_rotate": _rotate,
    "tpu.dynamic_gather": _gather,
    "vector.extract_strided_slice": _extract_slice,
    "tpu.reciprocal": _reciprocal,
    "tpu.matmul": _matmul,
}
