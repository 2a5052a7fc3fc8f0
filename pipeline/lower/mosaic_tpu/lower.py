"""`lower`: a `KernelCall` as a Mosaic TPU module, op by op as JAX lowers the same jaxpr.

The module is what JAX 0.10.2 hands to the TPU compiler, but for names: it is called after the kernel, its function
`main`; and without the attributes that say nothing of the kernel (`stable_mosaic.version`, `tpu.core_type`).
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.errors import Diagnostic, SpecError
from pipeline.ir.call import KernelCall, Role
from pipeline.ir.jaxpr import Prim
from pipeline.ir.module import Attr, Func, IntArray, Module, Op, Raw, Region, TypedInt, Value
from pipeline.lower.equations import nested_eqns
from pipeline.lower.mosaic_tpu.context import OP_LIMIT, Form, LowerContext, Target, TooLarge
from pipeline.lower.mosaic_tpu.rules import RULES
from pipeline.lower.mosaic_tpu.types import I32, memref_type
from pipeline.lower.mosaic_tpu.windows import operand_dims, operand_type, windows

DEFAULT_SEMANTICS = "arbitrary"
DYNAMIC = -(2**63)  # MLIR's mark of a size that is known at run time only
_DEFAULT_FORM = Form()


def lower(call: KernelCall, chip: Target, form: Form = _DEFAULT_FORM) -> Module:
    """The kernel function `main`, then one `transform_i` per window.

    Errors: SpecError with every primitive that has no rule (L101), every equation whose dtypes or shapes have no Mosaic
    form (L102 to L105), every window that cannot be expressed (L106), or L107 for a module that grows too large.
    """
    missing = list(_missing(call))
    if missing:
        raise SpecError.of(missing)
    try:
        main, problems = _main(call, chip, form)
        entries, transforms, window_problems = windows(call, RULES, chip, form)
    except TooLarge:
        raise SpecError(
            "L107",
            f"kernel {call.name!r} lowers to more than {OP_LIMIT} ops",
            call.span,
            hint="unrolled loops multiply what is in them: leave out unroll, or loop with lax.fori_loop",
        ) from None
    found = list(dict.fromkeys(problems + window_problems))
    if found:
        raise SpecError.of(found)
    func = Func("main", main, (), _attributes(call, entries))
    return Module(call.name, (func, *transforms))


def _main(call: KernelCall, chip: Target, form: Form) -> tuple[Region, list[Diagnostic]]:
    grid = tuple(Value(I32) for _ in call.grid)
    ctx = LowerContext(RULES, chip, form, grid)
    refs: list[Value] = []
    for operand in call.operands:
        ref = Value(operand_type(operand))
        dims = operand_dims(operand)
        if None in dims:
            ctx.dims[ref] = dims
        if operand.role is Role.OUTPUT:
            ctx.outputs.add(ref)
        refs.append(ref)
    refs.extend(Value(memref_type(scratch.ref)) for scratch in call.scratch)
    ctx.inline(call.body, refs)
    ctx.append(Op("func.return", span=call.span))
    return Region((*grid, *refs), tuple(ctx.ops)), ctx.problems


def _attributes(call: KernelCall, entries: tuple[Attr, ...]) -> tuple[tuple[str, Attr], ...]:
    """The function's attributes, in alphabetical order; those of the grid only where there is one."""
    semantics = call.semantics if call.semantics is not None else (DEFAULT_SEMANTICS,) * len(call.grid)
    attrs: list[tuple[str, Attr]] = [
        ("dimension_semantics", tuple(Raw(f"#tpu.dimension_semantics<{word}>") for word in semantics))
    ]
    if call.grid:
        bounds = tuple(DYNAMIC if axis in call.dynamic_grid else size for axis, size in enumerate(call.grid))
        attrs.append(("iteration_bounds", IntArray(bounds)))
    attrs.append(("scalar_prefetch", TypedInt(len(call.with_role(Role.SCALAR_PREFETCH)), "i64")))
    attrs.append(("scratch_operands", TypedInt(len(call.scratch), "i64")))
    if call.grid:
        attrs.append(("window_params", entries))
    return tuple(attrs)


def _missing(call: KernelCall) -> Iterator[Diagnostic]:
    """One diagnostic for each place with a primitive that has no rule, body first."""
    seen: set[tuple[Prim, object]] = set()
    jaxprs = [call.body, *(operand.index_map for operand in call.operands if operand.index_map is not None)]
    for jaxpr in jaxprs:
        for eqn in nested_eqns(jaxpr):
            key = (eqn.prim, eqn.span)
            if eqn.prim in RULES or key in seen:
                continue
            seen.add(key)
            yield Diagnostic("L101", f"{eqn.prim.value} has no lowering for TPUs", eqn.span, _nearest(eqn.prim))


def _nearest(prim: Prim) -> str:
    """What can be written instead, or what there is."""
    if prim in _INSTEAD:
        return _INSTEAD[prim]
    names = sorted(rule.value for rule in RULES)
    close = [name for name in names if name.split("_")[0] == prim.value.split("_")[0]]
    return (
        f"related primitives that do: {', '.join(close)}" if close else f"{len(names)} primitives do: see explain L101"
    )


_INSTEAD: dict[Prim, str] = {
    Prim.ADDUPDATE: "write ref[...] += value, which loads, adds and stores",
    Prim.REV: "index in reverse order instead, or permute with a matmul",
    Prim.SORT: "sort outside the kernel",
    Prim.CUMSUM: "multiply with a triangular matrix of ones: jnp.dot(x, jnp.triu(ones))",
    Prim.CUMPROD: "loop over the axis with lax.fori_loop",
    Prim.CUMMAX: "loop over the axis with lax.fori_loop",
    Prim.CUMMIN: "loop over the axis with lax.fori_loop",
    Prim.DYNAMIC_SLICE: "slice the ref instead of the value: ref[pl.ds(start, size)]",
    Prim.DYNAMIC_UPDATE_SLICE: "store to a slice of a ref: ref[pl.ds(start, size)] = value",
    Prim.REDUCE_PROD: "sum the logarithms, or loop with lax.fori_loop",
    Prim.EXPM1: "write jnp.exp(x) - 1",
    Prim.CBRT: "write jnp.sign(x) * jnp.abs(x) ** (1 / 3)",
    Prim.REDUCE_PRECISION: "convert to the narrower dtype and back",
}
