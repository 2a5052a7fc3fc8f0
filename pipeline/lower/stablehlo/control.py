"""StableHLO rules: branches, loops, calls, scoped memory. What a region stores to refs leaves it as further results."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import I32
from pipeline.ir.jaxpr import Eqn, Jaxpr, Prim, RefAval
from pipeline.ir.module import Value
from pipeline.lower.equations import shaped
from pipeline.lower.stablehlo.context import Cell, LowerContext, Operand, Rules, cell_for, shape_of
from pipeline.lower.stablehlo.starts import note_counters
from pipeline.lower.stablehlo.types import tensor_type
from pipeline.lower.stablehlo.uses import stored_binders


def _cells(args: Sequence[Operand], *jaxprs: Jaxpr) -> list[Cell]:
    """The refs among `args` (the jaxprs' binders) that one of them stores to, each once."""
    positions = sorted(frozenset().union(*(stored_binders(jaxpr) for jaxpr in jaxprs)))
    found = [args[position] for position in positions if position < len(args)]
    kept = [cell for cell in found if isinstance(cell, Cell) and cell.value is not None]
    return list(dict.fromkeys(kept))


def lower_cond(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
    """`stablehlo.case`: an index out of range takes the last branch there, so it is clamped first."""
    param = eqn.param("branches")
    assert isinstance(param, tuple)
    branches = [branch for branch in param if isinstance(branch, Jaxpr)]
    args = list(operands[1:])
    cells = _cells(args, *branches)
    last = len(branches) - 1
    if last == 0:
        return ctx.inline(branches[0], args)
    index = ctx.convert(ctx.value(operands[0]), I32)
    if shaped(eqn.inputs[0]).dtype.bits > 1:
        index = ctx.emit("clamp", (ctx.integer(0), index, ctx.integer(last)), index.type)

    def build(branch: Jaxpr) -> Sequence[Value]:
        return ctx.inline(branch, args)

    regions = tuple(ctx.region((), lambda branch=branch: build(branch), cells) for branch in branches)  # type: ignore[misc]
    types = [tensor_type(shaped(out)) for out in eqn.outputs]
    results = ctx.emit_many("case", (index,), [*types, *(cell.get().type for cell in cells)], (), regions)
    for cell, value in zip(cells, results[len(types) :], strict=True):
        cell.value = value
    return results[: len(types)]


def lower_scan(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
    """A loop that counts its rounds; what is scanned over is sliced by the count, what it stacks is put in place."""
    body, length = _jaxpr(eqn, "jaxpr"), _int(eqn, "length")
    const_count, carry_count = _int(eqn, "num_consts"), _int(eqn, "num_carry")
    consts = operands[:const_count]
    carry = [ctx.value(x) for x in operands[const_count : const_count + carry_count]]
    rows = [ctx.value(x) for x in operands[const_count + carry_count :]]
    stacks = [ctx.unset(shaped(out).shape, shaped(out).dtype) for out in eqn.outputs[carry_count:]]
    cells = _cells([*consts, *carry, *rows], body)
    reverse = bool(eqn.param("reverse"))

    def test(state: tuple[Value, ...]) -> Value:
        return ctx.compare("LT", state[0], ctx.integer(length), I32)

    def step(state: tuple[Value, ...]) -> Sequence[Value]:
        count, *values = state
        ctx.naturals.add(count)
        note_counters(ctx, body, const_count, carry, values)
        place = count
        if reverse and (rows or stacks):
            place = ctx.emit("subtract", (ctx.integer(length - 1), count), count.type)
        row_values = [_row(ctx, row, place) for row in rows]
        results = ctx.inline(body, [*consts, *values[:carry_count], *row_values])
        filled = [
            _put_row(ctx, stack, row, place)
            for stack, row in zip(values[carry_count:], results[carry_count:], strict=True)
        ]
        following = ctx.emit("add", (count, ctx.integer(1)), count.type)
        return [following, *results[:carry_count], *filled]

    return ctx.while_loop([ctx.integer(0), *carry, *stacks], cells, test, step)[1:]


def _row(ctx: LowerContext, stack: Value, place: Value) -> Value:
    shape = shape_of(stack)
    starts = [place, *(ctx.integer(0) for _ in shape[1:])]
    return ctx.reshape(ctx.dynamic_slice(stack, starts, (1, *shape[1:])), shape[1:])


def _put_row(ctx: LowerContext, stack: Value, row: Value, place: Value) -> Value:
    shape = shape_of(stack)
    starts = [place, *(ctx.integer(0) for _ in shape[1:])]
    return ctx.update_slice(stack, ctx.reshape(row, (1, *shape[1:])), starts)


def lower_while(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
    condition, body = _jaxpr(eqn, "cond_jaxpr"), _jaxpr(eqn, "body_jaxpr")
    tested, fixed = _int(eqn, "cond_nconsts"), _int(eqn, "body_nconsts")
    cond_consts, body_consts = operands[:tested], operands[tested : tested + fixed]
    carry = [ctx.value(x) for x in operands[tested + fixed :]]
    cells = _cells([*body_consts, *carry], body)

    def test(state: tuple[Value, ...]) -> Value:
        return ctx.inline(condition, [*cond_consts, *state])[0]

    def step(state: tuple[Value, ...]) -> Sequence[Value]:
        note_counters(ctx, body, fixed, carry, state)
        return ctx.inline(body, [*body_consts, *state])

    return ctx.while_loop(carry, cells, test, step)


def lower_jit(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
    return ctx.inline(_jaxpr(eqn, "jaxpr"), operands)


def lower_custom_call(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
    return ctx.inline(_jaxpr(eqn, "call_jaxpr"), operands)


def lower_run_scoped(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
    """The scoped refs are uninitialised each time."""
    body = _jaxpr(eqn, "jaxpr")
    scoped = [var.aval for var in body.invars[: len(body.invars) - len(operands)]]
    cells = [cell_for(ctx, aval) for aval in scoped if isinstance(aval, RefAval)]
    return ctx.inline(body, [*cells, *operands])


def lower_nothing(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[()]:
    """A message or a check has no form that every XLA client could run; it is left out."""
    return ()


def _jaxpr(eqn: Eqn, name: str) -> Jaxpr:
    value = eqn.param(name)
    assert isinstance(value, Jaxpr), f"{value} where a jaxpr belongs"
    return value


def _int(eqn: Eqn, name: str) -> int:
    value = eqn.param(name)
    assert isinstance(value, int), f"{value} where an int belongs"
    return value


RULES: Rules = {
    Prim.COND: lower_cond,
    Prim.SCAN: lower_scan,
    Prim.WHILE: lower_while,
    Prim.JIT: lower_jit,
    Prim.CUSTOM_JVP_CALL: lower_custom_call,
    Prim.CUSTOM_VJP_CALL: lower_custom_call,
    Prim.RUN_SCOPED: lower_run_scoped,
    Prim.DEBUG_PRINT: lower_nothing,
    Prim.CHECK: lower_nothing,
}
