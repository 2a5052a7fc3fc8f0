"""What the matmuls of a basic block ask of the matrix units: blocks of weights, each with rows to send through it, and
which unit does which part.

Source: libtpu 0.0.42.1's listings after its pass that assigns units. In the order of the program each block of weights
goes to the unit that would be done with it first, as if every operand were there. When all are placed, rows of the last
ones move from the unit that is done last to the one that is done first, while that helps: these load the weights as
well.
"""

from __future__ import annotations

from bisect import bisect_left
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from pipeline.ir.module import Op, Value, VectorType
from pipeline.schedule.bundles import transposes
from pipeline.schedule.bundles.attrs import int_lists
from pipeline.schedule.bundles.matrix_units import share_whole
from pipeline.schedule.bundles.tiles import packing, short

if TYPE_CHECKING:
    from pipeline.schedule.bundles.lowering import Lowering

WHOLE = "weights_taken_whole"  # a chip's feature
_NAMES = {"f32": "float32", "bf16": "bfloat16", "i8": "int8", "i4": "int4", "f8": "float8"}
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


def blocks(low: Lowering, op: Op) -> list[Weights]:
    """A matmul's blocks of weights in the order in which they are loaded; none on a chip that has no unit for it."""
    lhs, rhs, result = op.operands[0].type, op.operands[1].type, op.results[0].type
    assert isinstance(lhs, VectorType) and isinstance(rhs, VectorType) and isinstance(result, VectorType)
    chip, machine = low.chip, low.machine
    size = chip.mxu_size
    rates = dict(chip.mxu_rows_per_cycle)
    found = [r for t in (lhs, rhs) if (r := rates.get(_NAMES.get(short(t), ""))) is not None]
    if not found or not size or not chip.mxu_count:
        return []
    m, k, n, transposed, _ = shape(low, op)
    packed = packing(rhs.element)
    if packed == 1 and low.costs.ops.get("matmul_weights_wide"):
        packed = 2
    push = "mxu_transposed_push" if transposed else "mxu_push_wide" if packed == 1 else "mxu_push"
    push_cycles = machine.get(push)
    if transposed and packed == 1:
        push_cycles = max(1, push_cycles // 2)  # 8 rows of 32 bits, of packed ones 16
    group = chip.sublanes * max(1, packing(lhs.element))
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
    every = [block for _, _, block in work]
    if not every:
        return found
    if WHOLE in low.chip.features:
        parts = share_whole(every, count)
    else:
        parts = share_out(every, count, low.chip.mxu_staged_weights)
    for (op, n, _), part in zip(work, parts, strict=True):
        begin = 0
        for unit, groups in part.items():
            found[id(op)][unit].append(Share(n, begin, begin + groups))
            begin += groups
    return found


class _Unit:
    """A unit's blocks of weights in the order of the program, as if every operand were there: a block's weights go in
    while rows of those before are on their way, once there is a place for them.

    taken: for each a position in the work, and its groups of rows. times: when its weights are in, its rows begin, and
    end, in cycles.
    """

    def __init__(self, work: list[Weights], staged: int) -> None:
        self.work, self.staged = work, staged
        self.taken: list[tuple[int, int]] = []
        self.times: list[tuple[int, int, int]] = []

    @property
    def end(self) -> int:
        return self.times[-1][2] if self.times else 0

    def change(self, at: int, groups: int) -> None:
        """So many groups more of the block at this position, or fewer."""
        first = bisect_left(self.taken, (at, 0))
        has = self.taken[first][1] if first < len(self.taken) and self.taken[first][0] == at else 0
        self.taken[first : first + (1 if has else 0)] = [(at, has + groups)] if has + groups else []
        del self.times[first:]
        for at, groups in self.taken[first:]:
            block = self.work[at]
            pushed, _, end = self.times[-1] if self.times else (0, 0, 0)
            if 0 < self.staged <= len(self.times):
                pushed = max(pushed, self.times[-self.staged][1])
            pushed += block.pushes * block.push_cycles
            begin = max(pushed, end)
            self.times.append((pushed, begin, begin + groups * block.hold))

    def end_with(self, at: int, groups: int) -> int:
        self.change(at, groups)
        end = self.end
        self.change(at, -groups)
        return end


def share_out(work: list[Weights], count: int, staged: int) -> list[dict[int, int]]:
    """For each block of weights the groups of rows by unit, its first unit first. `staged`: sets of weights that wait
    in a unit beside the one in use."""
    units = [_Unit(work, staged) for _ in range(count)]
    parts: list[dict[int, int]] = []
    for at, block in enumerate(work):
        first = min(range(count), key=lambda u: units[u].end_with(at, block.groups))
        units[first].change(at, block.groups)
        parts.append({first: block.groups})
    while True:
        most, least = max(range(count), key=lambda u: units[u].end), min(range(count), key=lambda u: units[u].end)
        at = units[most].taken[-1][0]
        if units[least].end_with(at, 1) >= units[most].end:
            return parts
        for unit, change in ((most, -1), (least, 1)):
            units[unit].change(at, change)
            parts[at][unit] = parts[at].get(unit, 0) + change
            if not parts[at][unit]:
                del parts[at][unit]


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
