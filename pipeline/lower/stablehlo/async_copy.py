"""StableHLO rules: DMAs and semaphores.

A copy is made at its start, the earliest that hardware may be; a wait takes its bytes from the semaphore and waits for
nothing. Semaphores are counters only in a kernel that reads one; otherwise signals and waits leave no trace.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from pipeline.dtypes import I32
from pipeline.ir.jaxpr import Eqn, Prim, Slice
from pipeline.ir.module import Value
from pipeline.lower.equations import Unsupported
from pipeline.lower.stablehlo.context import Cell, LowerContext, Operand, Rules, shape_of
from pipeline.lower.stablehlo.views import View


def _view(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand], position: int, param: str) -> tuple[Cell, View]:
    cell = operands[position]
    assert isinstance(cell, Cell), "a value where a ref belongs"
    return cell, View(ctx, eqn, operands, cell.dtype, param)


def _count(ctx: LowerContext, cell: Cell, view: View, change: Value, name: str) -> None:
    """Add `change` to the semaphore's count, or subtract it."""
    if cell.value is None:
        return
    old = view.load(cell.value)
    cell.value = view.store(cell.value, ctx.emit(name, (old, change), old.type))


def lower_dma_start(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[()]:
    source, source_view = _view(ctx, eqn, operands, 0, "src_transforms")
    target, target_view = _view(ctx, eqn, operands, 1, "dst_transforms")
    semaphore, count = _view(ctx, eqn, operands, 2, "semaphore_transforms")
    _bound(source_view, source, target_view, target, semaphore)
    moved = source_view.load(source.get())
    target.value = target_view.store(target.get(), moved)
    _count(ctx, semaphore, count, ctx.integer(_bytes(moved, target)), "add")
    return ()


def lower_dma_wait(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[()]:
    semaphore, count = _view(ctx, eqn, operands, 2, "semaphore_transforms")
    if semaphore.value is not None:
        target, target_view = _view(ctx, eqn, operands, 1, "dst_transforms")
        _count(ctx, semaphore, count, ctx.integer(_bytes(target_view.load(target.get()), target)), "subtract")
    return ()


def _bound(source_view: View, source: Cell, target_view: View, target: Cell, semaphore: Cell) -> None:
    """Give slices of traced size room for all that both ends have: what is past the size is not stored."""
    sides = (source_view.sizes, target_view.sizes)
    if sides == (None, None):
        return
    if None in sides or semaphore.value is not None:
        raise Unsupported("L103", "a copy of traced size has no StableHLO form here", "copy slices of a fixed size")
    room = []
    for view, cell in ((source_view, source), (target_view, target)):
        indexer = view.last
        assert indexer is not None
        shape = view.shape_before_last(cell.shape)
        axes = [n for n, index in zip(shape, indexer.indices, strict=True) if isinstance(index, Slice)]
        room.append([n if size is None else size for n, size in zip(axes, view.sizes or (), strict=True)])
    source_view.bounds = target_view.bounds = tuple(map(min, *room))


def _bytes(moved: Value, target: Cell) -> int:
    """Bytes that a DMA of this tensor moves, without padding."""
    return prod(shape_of(moved)) * max(target.dtype.bits, 4) // 8


def lower_semaphore_signal(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[()]:
    semaphore, count = _view(ctx, eqn, operands, 0, "transforms")
    _count(ctx, semaphore, count, ctx.convert(ctx.value(operands[1]), I32), "add")
    return ()


def lower_semaphore_wait(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[()]:
    semaphore, count = _view(ctx, eqn, operands, 0, "transforms")
    _count(ctx, semaphore, count, ctx.convert(ctx.value(operands[1]), I32), "subtract")
    return ()


def lower_semaphore_read(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    semaphore, count = _view(ctx, eqn, operands, 0, "transforms")
    return (count.load(semaphore.get()),)


RULES: Rules = {
    Prim.DMA_START: lower_dma_start,
    Prim.DMA_WAIT: lower_dma_wait,
    Prim.SEMAPHORE_SIGNAL: lower_semaphore_signal,
    Prim.SEMAPHORE_WAIT: lower_semaphore_wait,
    Prim.SEMAPHORE_READ: lower_semaphore_read,
}
