"""Which steps of a grid may run at once, and how many: the proof, from the index maps and the body.

The grid, walked in order, is cut into lanes of equal length, most often its outer axes; in each lane the steps keep
their order. That is sound if no lane leaves anything that another one sees:
- inputs are read only;
- each output block is visited in one stretch of steps, which lies within one lane;
- scratch is overwritten before it is read in each lane's first step;
- there is no copy of the body's own, no semaphore and no message.
"""

from __future__ import annotations

from math import lcm, prod
from typing import Any, NamedTuple

import numpy as np

from pipeline.ir.call import KernelCall, Operand, Role
from pipeline.ir.jaxpr import Eqn, ShapedArray
from pipeline.schedule.uses import nested, ref_uses
from pipeline.simulate.batch.blocks import Blocks
from pipeline.simulate.batch.compiler import Unproven
from pipeline.simulate.numerics.dtypes import numpy_dtype
from pipeline.simulate.sharing import overwritten_first
from pipeline.simulate.uses import written_refs

Array = Any
# what the blocks and values of the lanes may take together: they should stay in cache. Tried on blocks of 4 KiB to
# 512 KiB: the best is between 1 and 4 MiB, and blocks of which few fit gain nothing.
BATCH_BYTES = 1 << 21
LEAST_LANES = 8


class Plan(NamedTuple):
    """`lanes` steps may run at once, each of them followed by `inner` - 1 more. `axes`: the grid axes along which the
    lanes differ."""

    axes: frozenset[int]
    lanes: int
    inner: int


def bytes_per_step(call: KernelCall) -> int:
    """What a step's blocks, scratch and its two largest values take."""
    blocks = [operand.ref for operand in call.operands if operand.block is not None]
    held: int = sum(_bytes(ref) for ref in (*blocks, *(scratch.ref for scratch in call.scratch)))
    return held + 2 * max((_largest(eqn) for eqn in call.body.eqns), default=0)


def _bytes(aval: Any) -> int:
    size: int = prod(aval.shape)
    return size * numpy_dtype(aval.dtype).itemsize


def _largest(eqn: Eqn) -> int:
    own = [_bytes(var.aval) for var in eqn.outputs if isinstance(var.aval, ShapedArray)]
    inner = [_largest(inside) for jaxpr, _ in nested(eqn) for inside in jaxpr.eqns]
    return max([*own, *inner], default=0)


def lanes_at_once(call: KernelCall) -> int:
    """How many steps fill the cache; 1 if these are too few."""
    fit = BATCH_BYTES // max(1, bytes_per_step(call))
    return fit if fit >= LEAST_LANES else 1


def plan(call: KernelCall, columns: list[list[Any] | None], changes: list[Array | None]) -> Plan:
    """As many lanes as may be. Raises Unproven.

    columns: per operand its block index for every step, one entry an axis: an array, or an int if it never changes.
    changes: per operand in which steps its block is not that of the step before; None if it never changes.
    """
    grid = call.grid
    steps = prod(grid)
    stored = written_refs(call.body)
    first_scratch = len(call.operands)
    outputs = []
    for position, operand in enumerate(call.operands):
        if operand.role is not Role.OUTPUT:
            if position in stored:
                raise Unproven(f"'{operand.name}' is an input that the body stores to")
            continue
        changed = changes[position]
        if operand.block is None or changed is None:
            raise Unproven(f"all steps share '{operand.name}'")
        if not _visited_once(columns[position] or [], changed, operand.array.shape):
            raise Unproven(f"blocks of '{operand.name}' are left and visited again")
        outputs.append(changed)
    scratch = {position for position in stored if position >= first_scratch}
    for inner in _lengths(grid, outputs):
        axes = frozenset(a for a, n in enumerate(grid) if inner % (prod(grid[a + 1 :]) * n))
        if all(_same_in_each(changed.reshape(-1, inner)) for changed in outputs) and not (scratch - _fresh(call, axes)):
            return Plan(axes, steps // inner, inner)
    raise Unproven("every step needs the one before")


def complete_outputs(
    call: KernelCall, columns: list[list[Any] | None], changes: list[Array | None], in_order: bool
) -> frozenset[str]:
    """Outputs of which a run stores to every element, and reads none before: nobody has to keep account of them.

    in_order: whether the steps are run in the grid's own order. The rest is as for `plan`."""
    always = overwritten_first(call.body, {})
    names = {operand.name for operand, var in zip(call.operands, call.body.invars, strict=False) if var in always}
    if in_order:
        names |= _overwritten_in_order(call, columns, changes)
    return frozenset(
        operand.name
        for operand, places in zip(call.operands, columns, strict=True)
        if operand.role is Role.OUTPUT and operand.name in names and places is not None and _covers(operand, places)
    )


def _covers(operand: Operand, columns: list[Any]) -> bool:
    """Whether the blocks are all there are of the array."""
    try:
        blocks = Blocks(operand)
        check_range(blocks, columns)
    except Unproven:
        return False
    flat: Any = 0
    for column, n in zip(columns, blocks.counts, strict=True):
        flat = flat * n + (column if isinstance(column, int) else column.astype(np.int64))
    return bool(np.unique(flat).size == prod(blocks.counts))


def _overwritten_in_order(
    call: KernelCall, columns: list[list[Any] | None], changes: list[Array | None]
) -> set[str]:  # fmt: skip
    """Outputs of which every block that is visited is stored to as a whole, and not read before."""
    if any(
        places is None and operand.block is not None for operand, places in zip(call.operands, columns, strict=True)
    ):
        return set()
    try:
        found = plan(call, columns, changes)
    except Unproven:
        return set()
    grid, operands = call.grid, call.operands
    inner = [axis for axis in range(len(grid)) if axis not in found.axes]
    always = overwritten_first(call.body, {})
    at_first = overwritten_first(call.body, {axis: 0 for axis in inner})
    at_last = overwritten_first(call.body, {axis: grid[axis] - 1 for axis in inner})
    names = set()
    for operand, use, binder, changed in zip(operands, ref_uses(call.body), call.body.invars, changes, strict=False):
        if operand.role is not Role.OUTPUT:
            continue
        stays = changed is None or not changed.reshape(found.lanes, found.inner)[:, 1:].any()  # in each lane
        if binder in always or (stays and (binder in at_first or (binder in at_last and not use.read))):
            names.add(operand.name)
    return names


def _lengths(grid: tuple[int, ...], outputs: list[Array]) -> list[int]:
    """Lengths that lanes may have: of the grid's inner axes, and the least that the output blocks may allow."""
    steps = prod(grid)
    least = 1
    for changed in outputs:
        again = np.flatnonzero(changed[1 : steps // 2 + 1])
        least = lcm(least, int(again[0]) + 1 if again.size else steps)
    found = {prod(grid[axis:]) for axis in range(1, len(grid) + 1)} | {least}
    return sorted(inner for inner in found if inner < steps and steps % inner == 0)


def _fresh(call: KernelCall, axes: frozenset[int]) -> set[int]:
    """Positions of the binders that the first step of each lane overwrites before it reads them."""
    found = overwritten_first(call.body, {axis: 0 for axis in range(len(call.grid)) if axis not in axes})
    return {position for position, var in enumerate(call.body.invars) if var in found}


def _same_in_each(changed: Array) -> bool:
    """Whether each lane starts with a new block, and moves on in the same steps as the others."""
    return bool(changed[:, 0].all()) and bool((changed == changed[:1]).all())


def _visited_once(columns: list[Any], changed: Array, shape: tuple[int, ...]) -> bool:
    """Whether no block comes back after it was left."""
    flat: Any = 0
    for column, n in zip(columns, shape, strict=True):
        flat = flat * (n + 1) + (column if isinstance(column, int) else column.astype(np.int64))
    visits = np.broadcast_to(flat, changed.shape)[changed]
    if visits.size < 2 or (np.diff(visits) > 0).all():
        return True
    return bool(np.unique(visits).size == visits.size)


def differs(columns: list[Any], found: Plan) -> bool:
    """Whether an operand's block is another one in another lane."""
    for column in columns:
        if not isinstance(column, int):
            places = column.reshape(found.lanes, found.inner)
            if (places != places[:1]).any():
                return True
    return False


def check_range(blocks: Blocks, columns: list[Any]) -> None:
    """Raises Unproven for a block index out of range."""
    for column, count in zip(columns, blocks.counts, strict=True):
        if np.min(column) < 0 or np.max(column) >= count:
            raise Unproven("a block index out of range")
