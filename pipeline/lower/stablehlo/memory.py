"""StableHLO rules: loads, stores and program ids. A store gives the ref's cell another tensor."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.ir.jaxpr import Arg, Eqn, NDIndexer, Prim, Slice
from pipeline.ir.module import Value
from pipeline.lower.stablehlo.context import Cell, LowerContext, Operand, Rules, shape_of
from pipeline.lower.stablehlo.views import View


def _cell(operand: Operand) -> Cell:
    assert isinstance(operand, Cell), "a value where a ref belongs"
    return operand


def _view(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Cell, View]:
    cell = _cell(operands[0])
    return cell, View(ctx, eqn, operands, cell.dtype, "transforms")


def lower_get(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    cell, view = _view(ctx, eqn, operands)
    return (view.load(cell.get()),)


def lower_swap(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    cell, view = _view(ctx, eqn, operands)
    old = cell.get()
    shown = view.load(old)
    cell.value = view.store(old, ctx.value(operands[1], shape_of(shown)))
    return (shown,)


def lower_addupdate(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[()]:
    cell, view = _view(ctx, eqn, operands)
    if view.names_elements:
        cell.value = view.add(cell.get(), ctx.value(operands[1], shape_of(view.load(cell.get()))))
        return ()
    old = view.load(cell.get())
    total = ctx.emit("add", (old, ctx.value(operands[1], shape_of(old))), old.type)
    cell.value = view.store(cell.get(), total)
    return ()


def lower_masked_load(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Elements that the mask leaves out read `other`; without one they are unspecified, so uninitialised."""
    cell, view = _view(ctx, eqn, operands)
    if not eqn.param("has_mask"):
        return (view.load(cell.get()),)
    shown = view.load(_padded(ctx, eqn, operands, cell))
    shape = shape_of(shown)
    other = ctx.value(operands[2], shape) if eqn.param("has_other") else ctx.unset(shape, view.seen_dtype)
    return (ctx.emit("select", (ctx.value(operands[1], shape), shown, other), shown.type),)


def lower_masked_swap(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    cell, view = _view(ctx, eqn, operands)
    if not eqn.param("has_mask"):
        return lower_swap(ctx, eqn, operands)
    data = _padded(ctx, eqn, operands, cell)
    shown = view.load(data)
    shape = shape_of(shown)
    stored = view.store(data, ctx.value(operands[1], shape), ctx.value(operands[2], shape))
    cell.value = ctx.slice(stored, [0] * len(cell.shape), cell.shape)
    return (shown,)


def _padded(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand], cell: Cell) -> Value:
    """The ref's tensor with room past its end, so that a masked slice that overruns it is not clamped."""
    transforms = eqn.param("transforms")
    assert isinstance(transforms, tuple)
    data = cell.get()
    if len(transforms) != 1 or not isinstance(transforms[0], NDIndexer):
        return data
    room = []
    for n, index in zip(cell.shape, transforms[0].indices, strict=True):
        more = 0
        if isinstance(index, Slice) and isinstance(index.size, int):
            span = (index.size - 1) * index.stride + 1
            more = span if isinstance(index.start, Arg) else max(0, index.start + span - n)
        elif isinstance(index, Arg) and shape_of(ctx.value(operands[index.position])) == ():
            more = 1
        room.append(more)
    return ctx.pad(data, ctx.unset((), cell.dtype), [0] * len(room), room)


def lower_program_id(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    axis = eqn.param("axis")
    assert isinstance(axis, int)
    return (ctx.program_ids[axis],)


def lower_num_programs(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    axis = eqn.param("axis")
    assert isinstance(axis, int)
    return (ctx.integer(ctx.grid[axis]),)


RULES: Rules = {
    Prim.GET: lower_get,
    Prim.SWAP: lower_swap,
    Prim.ADDUPDATE: lower_addupdate,
    Prim.MASKED_LOAD: lower_masked_load,
    Prim.MASKED_SWAP: lower_masked_swap,
    Prim.PROGRAM_ID: lower_program_id,
    Prim.NUM_PROGRAMS: lower_num_programs,
}
