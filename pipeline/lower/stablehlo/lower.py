"""`lower`: a `KernelCall` as a StableHLO function from the inputs' arrays to the outputs': its interpret form.

The grid is a `stablehlo.while` that carries the step and its program ids, the outputs, the scratch that the body
stores to, and nothing that never changes. What `interpret=True` means holds here too: an output block that is visited
again has kept its contents, an aliased output starts as its input's values and the input's ref does not see stores to
it, starts out of range wrap and are clamped, and a copy is made when it is started. Debug messages are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.errors import Diagnostic, SpecError
from pipeline.ir.call import KernelCall, Role
from pipeline.ir.jaxpr import Jaxpr, Prim, ShapedArray
from pipeline.ir.module import Func, Module, Region, Value
from pipeline.lower.equations import OP_LIMIT, TooLarge, nested_eqns
from pipeline.lower.stablehlo.context import Cell, LowerContext, cell_for
from pipeline.lower.stablehlo.grid import Loop, Starts, Window
from pipeline.lower.stablehlo.rules import RULES
from pipeline.lower.stablehlo.types import tensor_type
from pipeline.lower.stablehlo.unused import drop_unused
from pipeline.lower.stablehlo.uses import stored_binders


def lower(call: KernelCall) -> Module:
    """One function, `main`: an argument for each scalar-prefetch and input operand, a result for each output.

    Errors: SpecError with every primitive that has no rule (L101), every equation that has no StableHLO form (L102,
    L103), or L107 for a module that grows too large.
    """
    missing = list(_missing(call))
    if missing:
        raise SpecError.of(missing)
    counts = any(eqn.prim is Prim.SEMAPHORE_READ for eqn in nested_eqns(call.body))
    ctx = LowerContext(RULES, call.grid, counts)
    args = tuple(Value(tensor_type(o.array)) for o in call.operands if o.role is not Role.OUTPUT)
    try:
        results = _run(ctx, call, args)
    except TooLarge:
        raise SpecError(
            "L107",
            f"kernel {call.name!r} lowers to more than {OP_LIMIT} ops",
            call.span,
            hint="unrolled loops multiply what is in them: leave out unroll, or loop with lax.fori_loop",
        ) from None
    ctx.span = call.span
    return _module(ctx, call.name, args, results)


def lower_function(name: str, jaxpr: Jaxpr) -> Module:
    """A jaxpr without refs as a module of one function `main`. Errors as for `lower`."""
    args = tuple(Value(tensor_type(var.aval)) for var in jaxpr.invars if isinstance(var.aval, ShapedArray))
    ctx = LowerContext(RULES, (), False)
    return _module(ctx, name, args, ctx.inline(jaxpr, args))


def _module(ctx: LowerContext, name: str, args: tuple[Value, ...], results: list[Value]) -> Module:
    if ctx.problems:
        raise SpecError.of(list(dict.fromkeys(ctx.problems)))
    ctx.emit_many("func.return", results)
    body = drop_unused(Region(args, tuple(ctx.ops)))
    return Module(name, (Func("main", body, tuple(value.type for value in results)),))


def _run(ctx: LowerContext, call: KernelCall, args: tuple[Value, ...]) -> list[Value]:
    ctx.span = call.span
    windows = _windows(ctx, call, args)
    scratch = [cell_for(ctx, item.ref) for item in call.scratch]
    prefetch = [w.array for w in windows if w.operand.role is Role.SCALAR_PREFETCH]
    stored = stored_binders(call.body)
    written = [window for position, window in enumerate(windows) if position in stored]
    kept = [cell for i, cell in enumerate(scratch, len(windows)) if i in stored and cell.value is not None]
    refs = [*(window.block for window in windows), *scratch]

    def step(program_ids: Sequence[Value]) -> None:
        ctx.program_ids = tuple(program_ids)
        starts: Starts = {}
        for window in windows:
            window.enter(program_ids, prefetch, starts)
        ctx.inline(call.body, refs)
        for window in written:
            window.leave()

    if call.grid:
        _loop(ctx, step, [*(window.array for window in written), *kept])
    else:
        step(())
    ctx.span = call.span
    return [window.result() for window in windows if window.operand.role is Role.OUTPUT]


def _loop(ctx: LowerContext, step: object, cells: list[Cell]) -> None:
    assert callable(step)
    loop = Loop(ctx)

    def body(state: tuple[Value, ...]) -> Sequence[Value]:
        ctx.naturals.update(state)
        step(state[1:])
        return loop.following(state)

    ctx.while_loop(loop.start(), cells, loop.test, body)


def _windows(ctx: LowerContext, call: KernelCall, args: tuple[Value, ...]) -> list[Window]:
    aliased = {output: args[position] for position, output in call.aliases}
    windows: list[Window] = []
    outputs = 0
    for position, operand in enumerate(call.operands):
        if operand.role is Role.OUTPUT:
            windows.append(Window(ctx, operand, aliased.get(outputs)))
            outputs += 1
        else:
            windows.append(Window(ctx, operand, args[position]))
    return windows


def _missing(call: KernelCall) -> Iterator[Diagnostic]:
    """One diagnostic for each place with a primitive that has no rule, body first."""
    seen: set[tuple[Prim, object]] = set()
    for jaxpr in (call.body, *(o.index_map for o in call.operands if o.index_map is not None)):
        for eqn in nested_eqns(jaxpr):
            key = (eqn.prim, eqn.span)
            if eqn.prim in RULES or key in seen:
                continue
            seen.add(key)
            yield Diagnostic("L101", f"{eqn.prim.value} has no lowering to StableHLO", eqn.span)
