"""Mosaic lowering rules: branches, loops and calls.

A `scan` whose first carry counts up is an `scf.for`; so is a `while` that does nothing but compare the first carry with
the second and add one to it. Calls are inlined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pipeline.dtypes import I32 as INT32
from pipeline.dtypes import I64
from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, Literal, Prim, ShapedArray, Var
from pipeline.ir.module import Region, Type, Value
from pipeline.lower.mosaic_tpu.context import LowerContext, Operand, Rule, Rules, Unsupported, shaped
from pipeline.lower.mosaic_tpu.elementwise import compare
from pipeline.lower.mosaic_tpu.types import I32, value_type

Step = Callable[[Value, Sequence[Value]], Sequence[Value]]  # counter, carry -> carry


def lower_cond(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
    """`scf.if`, nested for more than two branches; a known index takes its branch and leaves no trace of the others."""
    index, *args = map(ctx.value, operands)
    branches = eqn.param("branches")
    assert isinstance(branches, tuple)
    types = tuple(value_type(shaped(out)) for out in eqn.outputs)
    return _choose(ctx, index, [_jaxpr(branch) for branch in branches], args, types)


def _choose(
    ctx: LowerContext, index: Value, branches: list[Jaxpr], args: list[Value], types: tuple[Type, ...]
) -> Sequence[Value]:
    if index in ctx.known or len(branches) == 1:
        return ctx.inline(branches[max(0, min(ctx.known.get(index, 0), len(branches) - 1))], args)
    span = ctx.span
    predicate = compare(ctx, "ne", index, ctx.constant(0, index.type))

    def on_true() -> None:
        if len(branches) > 2:
            rest = ctx.emit("arith.subi", (index, ctx.constant(1, index.type)), index.type)
            results = _choose(ctx, rest, branches[1:], args, types)
        else:
            results = ctx.inline(branches[1], args)
        ctx.emit_many("scf.yield", tuple(results))

    def on_false() -> None:
        ctx.emit_many("scf.yield", tuple(ctx.inline(branches[0], args)))

    then = ctx.region((), on_true)
    ctx.span = span
    otherwise = ctx.region((), on_false)
    ctx.span = span
    return ctx.emit_many("scf.if", (predicate,), types, (), (then, otherwise))


def lower_scan(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
    body = _jaxpr(eqn.param("jaxpr"))
    length, unroll = _int(eqn.param("length")), _int(eqn.param("unroll"))
    consts_count, carry_count = _int(eqn.param("num_consts")), _int(eqn.param("num_carry"))
    if eqn.param("reverse"):
        raise Unsupported("L104", "a reverse scan has no Mosaic form", "count up and index from the end")
    if len(body.invars) != consts_count + carry_count or len(body.outvars) != carry_count:
        raise Unsupported(
            "L104",
            "a scan over arrays has no Mosaic form: only a carry can go from step to step",
            "use lax.fori_loop and index refs with the counter",
        )
    body, counted = _without_counter(body, consts_count, carry_count)
    consts, carry = list(operands[:consts_count]), list(operands[consts_count:])
    start: int | Value = 0
    if counted:
        first = carry.pop(0)
        start = int(first.value) if isinstance(first, Literal) else first
    values = [ctx.value(x) for x in consts]
    carried = [ctx.value(x) for x in carry]
    results = _for_loop(ctx, body, start, length, values, carried, counted=counted, unroll=unroll)
    if counted:
        return (ctx.constant(length, I32), *results)
    return results


def _without_counter(body: Jaxpr, consts_count: int, carry_count: int) -> tuple[Jaxpr, bool]:
    """The body without its counter's increment, and whether its first carry is such a counter."""
    if not carry_count:
        return body, False
    counter = body.invars[consts_count]
    if not _is_counter(counter):
        return body, False
    at = _increment(body, counter, body.outvars[0])
    if at is None:
        return body, False
    step = body.eqns[at].outputs[0]
    outs = body.outvars[1:]
    if _is_read(step, body.eqns, outs):
        return replace(body, outvars=outs), True
    return replace(body, eqns=body.eqns[:at] + body.eqns[at + 1 :], outvars=outs), True


def _is_counter(var: Var) -> bool:
    return isinstance(var.aval, ShapedArray) and not var.aval.shape and var.aval.dtype in (INT32, I64)


def _increment(body: Jaxpr, counter: Var, result: Atom) -> int | None:
    """Position of the equation that makes `result` of `counter` by adding one."""
    for at, eqn in enumerate(body.eqns):
        if (
            eqn.prim is Prim.ADD
            and eqn.inputs[0] is counter
            and isinstance(eqn.inputs[1], Literal)
            and eqn.inputs[1].value == 1
            and eqn.outputs[0] is result
        ):
            return at
    return None


def _is_read(var: Var, eqns: Sequence[Eqn], outs: Sequence[Atom]) -> bool:
    return any(var is atom for eqn in eqns for atom in eqn.inputs) or any(var is atom for atom in outs)


def _for_loop(
    ctx: LowerContext,
    body: Jaxpr,
    start: int | Value,
    steps: int | Value,
    consts: list[Value],
    carry: list[Value],
    *,
    counted: bool,
    unroll: int,
) -> Sequence[Value]:
    """`scf.for` in strides of `unroll` with what is left after it; no loop where all steps are unrolled."""
    span = ctx.span
    if unroll == 0:
        if not isinstance(steps, int):
            raise Unsupported("L104", "a loop of unknown length cannot be unrolled in full", "leave out unroll")
        unroll = steps

    def run(counter: Value, values: Sequence[Value]) -> Sequence[Value]:
        known = ctx.known
        if unroll > 1:
            ctx.known = {}  # JAX lowers a repeated body once, without knowing what it is given
        try:
            return ctx.inline(body, (*consts, counter, *values) if counted else (*consts, *values))
        finally:
            ctx.known = known
            ctx.span = span

    values: Sequence[Value] = carry
    if isinstance(start, int) and isinstance(steps, int) and steps == unroll:
        for step in range(start, start + steps):
            values = run(ctx.constant(step, I32), values)
        return values

    def plus(value: Value, offset: int) -> Value:
        return ctx.emit("arith.addi", (value, ctx.constant(offset, I32)), I32)

    first = ctx.constant(start, I32) if isinstance(start, int) else start
    if isinstance(steps, int):
        rounds, rest = divmod(steps, unroll)
        end = plus(first, rounds * unroll)
        if rounds:
            values = _loop(ctx, first, end, unroll, values, run)
        for step in range(rounds * unroll, rounds * unroll + rest):
            values = run(plus(first, step), values)
        return values
    last = ctx.emit("arith.addi", (first, steps), I32)
    stride = ctx.constant(unroll, I32)
    whole = ctx.emit("arith.divsi", (steps, stride), I32)
    end = ctx.emit("arith.addi", (first, ctx.emit("arith.muli", (whole, stride), I32)), I32)
    values = _loop(ctx, first, end, unroll, values, run)
    return _loop(ctx, end, last, 1, values, run)


def _loop(
    ctx: LowerContext, first: Value, end: Value, stride: int, carry: Sequence[Value], run: Step
) -> Sequence[Value]:
    """One `scf.for` from `first` to `end`; each round runs the body `stride` times."""
    step = ctx.constant(stride, I32)
    counter = Value(I32)
    carried = tuple(Value(value.type) for value in carry)
    span = ctx.span

    def build() -> None:
        values: Sequence[Value] = carried
        for offset in range(stride):
            at = counter
            if offset:
                at = ctx.emit("arith.addi", (counter, ctx.constant(offset, I32)), I32)
            values = run(at, values)
        ctx.emit_many("scf.yield", tuple(values))

    region = ctx.region((counter, *carried), build)
    ctx.span = span
    types = tuple(value.type for value in carry)
    return ctx.emit_many("scf.for", (first, end, step, *carry), types, (), (region,))


def lower_while(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
    condition, body = _jaxpr(eqn.param("cond_jaxpr")), _jaxpr(eqn.param("body_jaxpr"))
    condition_count, body_count = _int(eqn.param("cond_nconsts")), _int(eqn.param("body_nconsts"))
    values = [ctx.value(x) for x in operands]
    carry = values[condition_count + body_count :]
    body_consts = values[condition_count : condition_count + body_count]
    counted = None if condition_count else _counted_body(condition, body, body_count)
    if counted is not None:
        first, last, *rest = carry
        steps = ctx.emit("arith.subi", (last, first), I32)
        results = _for_loop(ctx, counted, first, steps, body_consts, rest, counted=True, unroll=1)
        return (last, last, *results)
    return _while_loop(ctx, condition, body, values[:condition_count], body_consts, carry)


def _counted_body(condition: Jaxpr, body: Jaxpr, consts_count: int) -> Jaxpr | None:
    """The body as that of a counted loop, without the bound and the increment; None if the loop is no such one."""
    if len(condition.invars) < 2 or len(condition.eqns) != 1:
        return None
    counter, bound = condition.invars[:2]
    (test,) = condition.eqns
    if not (
        _is_counter(counter)
        and _is_counter(bound)
        and test.prim is Prim.LT
        and test.outputs[0] is condition.outvars[0]
        and test.inputs[0] is counter
        and test.inputs[1] is bound
    ):
        return None
    counter, bound = body.invars[consts_count : consts_count + 2]
    if body.outvars[1] is not bound:
        return None
    at = _increment(body, counter, body.outvars[0])
    if at is None:
        return None
    step, outs = body.eqns[at].outputs[0], body.outvars[2:]
    kept = body.eqns if _is_read(step, body.eqns, outs) else body.eqns[:at] + body.eqns[at + 1 :]
    if _is_read(bound, kept, outs):
        return None  # the counted form does not hand the bound on
    binders = body.invars[: consts_count + 1] + body.invars[consts_count + 2 :]
    return Jaxpr(binders, kept, outs)


def _while_loop(
    ctx: LowerContext,
    condition: Jaxpr,
    body: Jaxpr,
    condition_consts: list[Value],
    body_consts: list[Value],
    carry: list[Value],
) -> Sequence[Value]:
    span = ctx.span
    before = tuple(Value(value.type) for value in carry)
    after = tuple(Value(value.type) for value in carry)

    def test() -> None:
        (flag,) = ctx.inline(condition, (*condition_consts, *before))
        ctx.emit_many("scf.condition", (flag, *before))

    def step() -> None:
        results = ctx.inline(body, (*body_consts, *after))
        ctx.emit_many("scf.yield", tuple(results))

    regions: tuple[Region, ...] = (ctx.region(before, test), ctx.region(after, step))
    ctx.span = span
    return ctx.emit_many("scf.while", tuple(carry), tuple(value.type for value in carry), (), regions)


def lower_jit(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
    return ctx.inline(_jaxpr(eqn.param("jaxpr")), [ctx.value(x) for x in operands])


def lower_custom_call(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> Sequence[Value]:
    return ctx.inline(_jaxpr(eqn.param("call_jaxpr")), [ctx.value(x) for x in operands])


def _jaxpr(param: object) -> Jaxpr:
    assert isinstance(param, Jaxpr), f"{param} where a jaxpr belongs"
    return param


def _int(param: object) -> int:
    assert isinstance(param, int), f"{param} where an int belongs"
    return param


RULES: Rules = {
    Prim.COND: Rule(lower_cond),
    Prim.SCAN: Rule(lower_scan, literals=True),
    Prim.WHILE: Rule(lower_while),
    Prim.JIT: Rule(lower_jit),
    Prim.CUSTOM_JVP_CALL: Rule(lower_custom_call),
    Prim.CUSTOM_VJP_CALL: Rule(lower_custom_call),
}
