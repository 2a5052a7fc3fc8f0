"""What the matmuls of a basic block ask of the matrix units: blocks of weights, each with rows to send through it, and
which unit does which part.

`matrix_units.py` shares them out.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, NamedTuple

from pipeline.ir.module import Op, ScalarType, Value, VectorType
from pipeline.schedule.bundles import transposes
from pipeline.schedule.bundles.attrs import int_lists
from pipeline.schedule.bundles.matrix_units import share_out, share_whole
from pipeline.schedule.bundles.tiles import packing

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering

WHOLE = "weights_taken_whole"  # a chip's feature
_NAMES = {"f32": "float32", "bf16": "bfloat16", "i8": "int8", "i4": "int4", "f8": "float8"}
_INTEGERS = ("i4", "i8")
_BYTE_FLOAT = "f8E4M3FN"  # holds every integer of 4 bits
_PASSES = 6  # of bfloat16 products for a float32 one in full
_FOLDED_GROUPS = 16  # of rows: more, and depth is not folded into columns, whose halves would be added outside


class Weights(NamedTuple):
    """A block of weights in a unit.

    batch, row, column: which: of the batch, of the contracted axis, of the result's columns.
    depth, width:       its size along both, in elements.
    pushes, push_cycles: how many pushes load it, and the cycles each takes.
    folded:             rows of it go in two at a time, side by side: twice the depth, or twice the columns.
    group, groups:      rows of the left operand that one instruction sends through, and how many instructions it takes.
    hold:               cycles that each takes.
    """

    batch: int
    row: int
    column: int
    depth: int
    width: int
    pushes: int
    push_cycles: int
    folded: bool
    group: int
    groups: int
    hold: int


class Share(NamedTuple):
    """Groups `begin` to `end` - 1 of the rows for a block of weights, by number."""

    block: int
    begin: int
    end: int


class Shape(NamedTuple):
    """A matmul: rows, depth and columns of the product; whether the weights lie turned, and the rows."""

    rows: int
    depth: int
    columns: int
    transposed: bool
    turned: bool


def shape(low: Lowering, op: Op) -> Shape:
    lhs, rhs, result = op.operands[0].type, op.operands[1].type, op.results[0].type
    assert isinstance(lhs, VectorType) and isinstance(rhs, VectorType) and isinstance(result, VectorType)
    m, n = _rows_and_columns(lhs, rhs, result)
    lhs_last, rhs_last = contracted(op)
    transposed = rhs_last == len(rhs.shape) - 1
    if turned_before(low, op) is not None:
        transposed = not transposed  # the matrix unit turns it for nothing
    return Shape(m, lhs.shape[lhs_last], n, transposed, lhs_last != len(lhs.shape) - 1)


def turned_before(low: Lowering, op: Op) -> Op | None:
    """The transpose that makes a matmul's weights."""
    made = low.made.get(op.operands[1])
    return made if made is not None and made.name == "tpu.transpose" and transposes.turns(made) else None


def taken(low: Lowering, op: Op) -> tuple[ScalarType, ScalarType]:
    """Element types that the units take both operands as: integers of 4 bits as 8, or as floats that hold them; all
    integers as bfloat16 where the chip converts them first.

    Source: libtpu 0.0.42.1's schedules of one product of each pair of element types.
    """
    kinds = [value.type for value in (*op.operands[:2], op.results[0])]
    elements = [kind.element for kind in kinds if isinstance(kind, VectorType)]
    names = [element.name for element in elements]
    row = next((m for m in low.chip.matmuls if [m.lhs.mlir, m.rhs.mlir, m.accumulator.mlir] == names), None)
    integers = all(name in _INTEGERS for name in names[:2]) and "int8" in dict(low.chip.mxu_rows_per_cycle)
    by = {"i4": "i8"} if integers and (row is None or row.native) else {"i4": "bf16", "i8": "bf16"}
    if f"i4 -> {_BYTE_FLOAT} operand" in low.costs.casts:
        by["i4"] = _BYTE_FLOAT
    lhs, rhs, _ = (ScalarType(by.get(element.name, element.name)) for element in elements)
    return lhs, rhs


def dtype_name(element: ScalarType) -> str:
    """As chip profiles name a sort of operands; "" for what no unit takes."""
    return _NAMES.get("f8" if element.name.startswith("f8") else element.name, "")


def blocks(low: Lowering, op: Op) -> list[Weights]:
    """A matmul's blocks of weights in the order in which they are loaded; none on a chip that has no unit for it."""
    result = op.results[0].type
    assert isinstance(result, VectorType)
    chip, machine = low.chip, low.machine
    size = chip.mxu_size
    rates = dict(chip.mxu_rows_per_cycle)
    left, right = taken(low, op)
    found = [r for t in (left, right) if (r := rates.get(dtype_name(t))) is not None]
    if not found or not size or not chip.mxu_count:
        return []
    m, k, n, transposed, _ = shape(low, op)
    packed = packing(right)
    if packed == 1 and low.costs.ops.get("matmul_weights_wide"):
        packed = 2
    push = "mxu_transposed_push" if transposed else "mxu_push_wide" if packed == 1 else "mxu_push"
    push_cycles = machine.get(push)
    if transposed and packed == 1:
        push_cycles = max(1, push_cycles // 2)  # 8 rows of 32 bits, of packed ones 16
    group = chip.sublanes * max(1, packing(left))
    hold = max(1, round(group / min(found)))
    passes = _PASSES if "fp32" in str(dict(op.attrs).get("precision")) else 1
    made: list[Weights] = []
    for b in range(prod(result.shape[:-2])):
        for column in range(-(-n // size)):
            for row in range(-(-k // size)):
                depth, width = min(size, k - row * size), min(size, n - column * size)
                along, across = (width, depth) if transposed else (depth, width)
                half = size // 2 if size > chip.lanes else 0
                folded = across <= half < along and (transposed or m <= _FOLDED_GROUPS * group)
                # a quarter of the unit: another one takes another group of rows
                paired = 2 if max(depth, width) <= half and m > group else 1
                pushes = -(-along // (chip.sublanes * packed))
                made.append(
                    Weights(
                        b, row, column, depth, width, -(-pushes // 2) if folded else pushes, push_cycles, folded,
                        group * paired, -(-m // (group * paired)), hold,
                    )
                )  # fmt: skip
    return made * passes


def assign(low: Lowering, ops: list[Op]) -> dict[int, list[list[Share]]]:
    """For each matmul of a basic block, by its id, what each unit does of it."""
    count = low.chip.mxu_count
    work = [(op, n, block) for op in ops for n, block in enumerate(blocks(low, op))]
    found: dict[int, list[list[Share]]] = {id(op): [[] for _ in range(count)] for op in ops}
    alone, staged = [block for _, _, block in work], low.chip.mxu_staged_weights
    if WHOLE in low.chip.features:
        parts = share_whole(alone, count, staged, _added(work, low.sums.first) if low.chip.mxu_accumulators else ())
    else:
        parts = share_out(alone, count, staged)
    for (op, n, _), part in zip(work, parts, strict=True):
        begin = 0
        for unit, groups in part.items():
            found[id(op)][unit].append(Share(n, begin, begin + groups))
            begin += groups
    return found


def _added(work: list[tuple[Op, int, Weights]], first: dict[int, int]) -> list[int]:
    """For each block of weights the last one before of the same columns of the result, or of a product's that it is
    added to, or -1; none of one whose depth lies beside its columns, as that is added outside the unit. `first`: of a
    product's sum the first product, by ids."""
    last: dict[tuple[int, int, int], int] = {}
    found = []
    for at, (op, _, block) in enumerate(work):
        key = (first.get(id(op), id(op)), block.batch, block.column)
        beside = block.folded and block.depth > block.width
        found.append(-1 if beside else last.get(key, -1))
        last[key] = at
    return found


def summed(ops: tuple[Op, ...], users: dict[Value, list[Op]]) -> tuple[Op, ...]:
    """The operations with each product that is only an addend where it is added, as it takes the other addend in: after
    the products between, where there are any."""
    moved: dict[int, Op] = {}  # by the sum's id
    made = {op.results[0]: at for at, op in enumerate(ops) if op.name == "tpu.matmul"}
    for at, op in enumerate(ops) if len(made) > 1 else ():
        if op.name == "arith.addf":
            alone = [made[v] for v in op.operands if v in made and len(users.get(v, ())) == 1]
            if alone and any(alone[0] < other < at for other in made.values()):
                moved[id(op)] = ops[alone[0]]
    if not moved:
        return ops
    away = set(map(id, moved.values()))
    return tuple(
        each for op in ops if id(op) not in away for each in ((moved[id(op)], op) if id(op) in moved else (op,))
    )


def _rows_and_columns(lhs: VectorType, rhs: VectorType, result: VectorType) -> tuple[int, int]:
    """Of the product, in elements; an operand of rank 1 has no free axis and counts as one row, or one column."""
    free = list(result.shape)
    n = free.pop() if len(rhs.shape) > 1 else 1
    m = free.pop() if len(lhs.shape) > 1 else 1
    return m, n


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
    return int_lists(dict(op.attrs).get("dimension_numbers"))


def contracted(op: Op) -> tuple[int, int]:
    """The last contracted axis of either operand."""
    lhs, rhs, *_ = _dimension_lists(op)
    return lhs[-1], rhs[-1]
