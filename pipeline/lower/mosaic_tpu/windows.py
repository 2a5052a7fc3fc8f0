"""The kernel function's arguments, and the windows through which the pipeline emitter moves its operands.

Each operand of a kernel with a grid has an entry in `window_params`; one in VMEM or SMEM has a function `transform_i`
that gives its block's place, one left in ANY or HBM has neither. A kernel without a grid has no windows at all.
"""

from __future__ import annotations

from dataclasses import replace

from pipeline.dtypes import I32 as INT32
from pipeline.errors import NOWHERE, Diagnostic, Fix, Span
from pipeline.ir.call import BlockDim, Blocked, Element, KernelCall, Operand, Role, Squeezed
from pipeline.ir.jaxpr import Jaxpr, Literal, MemorySpace, ShapedArray
from pipeline.ir.module import Attr, DictAttr, Func, IntArray, MemRefType, Op, Raw, Region, SymbolRef, Value
from pipeline.lower.mosaic_tpu.context import Dims, Form, LowerContext, Rules, Target
from pipeline.lower.mosaic_tpu.types import I32, SPACES, memref_type

_MODES = {1: "synchronous", 2: "double_buffered"}
_WITHOUT_WINDOW = (MemorySpace.ANY, MemorySpace.HBM, MemorySpace.SEMAPHORE)


def operand_dims(operand: Operand) -> Dims:
    """The memref's dimensions, None where the ref that the body sees has them squeezed out."""
    if operand.block is None:
        return operand.ref.shape
    return tuple(_ref_dim(dim) for dim in operand.block)


def _ref_dim(dim: BlockDim) -> int | None:
    match dim:
        case Blocked(size):
            return size
        case Element(size):
            return size
        case Squeezed():
            return None


def operand_type(operand: Operand) -> MemRefType:
    return memref_type(operand.ref, tuple(1 if dim is None else dim for dim in operand_dims(operand)))


def windows(
    call: KernelCall, rules: Rules, target: Target, form: Form
) -> tuple[tuple[DictAttr, ...], tuple[Func, ...], list[Diagnostic]]:
    """`window_params` entries, transform functions, and what is wrong with the windows. Empty without a grid."""
    operands = [operand for operand in call.operands if operand.role is not Role.SCALAR_PREFETCH]
    problems: list[Diagnostic] = []
    if not call.grid:
        for operand in operands:
            if not is_trivial(operand):
                problems.append(
                    Diagnostic(
                        "L106",
                        f"operand {operand.name!r} has a window of its own, but the kernel has no grid to move it",
                        operand.block_span,
                        "leave out block and index_map, or declare a grid, e.g. shape = [1]",
                    )
                )
        return (), (), problems
    entries: list[DictAttr] = []
    funcs: list[Func] = []
    for position, operand in enumerate(operands):
        if operand.ref.space in _WITHOUT_WINDOW:
            entries.append(DictAttr(()))
            continue
        name = f"transform_{position}"
        func, found = _transform(call, operand, name, rules, target, form)
        funcs.append(func)
        problems.extend(found)
        problems.extend(_window_problems(operand))
        entries.append(DictAttr(_window(operand, name)))
    return tuple(entries), tuple(funcs), problems


def is_trivial(operand: Operand) -> bool:
    """Whether the window is the whole array, always."""
    if operand.block is None or operand.index_map is None:
        return True
    sizes = tuple(1 if size is None else size for size in map(_ref_dim, operand.block))
    outs = operand.index_map.outvars
    return sizes == operand.array.shape and all(isinstance(out, Literal) and out.value == 0 for out in outs)


def _window_problems(operand: Operand) -> list[Diagnostic]:
    problems: list[Diagnostic] = []
    if operand.buffer_count is not None and operand.buffer_count not in _MODES and not _single_buffered(operand):
        problems.append(
            Diagnostic(
                "L106",
                f"operand {operand.name!r} asks for {operand.buffer_count} buffers; the pipeline emitter has 1 or 2",
                operand.span,
                "ask for 1 or 2 buffers, or leave it out for 2",
                fixes=(Fix("set", operand.name, "buffer_count", 2),),
            )
        )
    block = operand.block or ()
    if any(isinstance(dim, Element) for dim in block) and any(isinstance(dim, Blocked) for dim in block):
        problems.append(
            Diagnostic(
                "L106",
                f"operand {operand.name!r} mixes element and blocked dimensions, which a window cannot",
                operand.block_span,
                "make all its dimensions Element, with the index map counting elements along each of them",
            )
        )
    return problems


def _single_buffered(operand: Operand) -> bool:
    return SPACES[operand.ref.space] == "vmem" and is_trivial(operand)


def _window(operand: Operand, transform: str) -> tuple[tuple[str, Attr], ...]:
    """Attributes of one window, in alphabetical order."""
    attrs: list[tuple[str, Attr]] = []
    buffers = 1 if _single_buffered(operand) else operand.buffer_count
    if buffers is not None:
        attrs.append(("pipeline_mode", Raw(f"#tpu.pipeline_mode<{_MODES.get(buffers, 'double_buffered')}>")))
    attrs.append(("transform_indices", SymbolRef(transform)))
    bounds = tuple(1 if dim is None else dim for dim in operand_dims(operand))
    attrs.append(("window_bounds", IntArray(bounds)))
    block = operand.block or ()
    if any(isinstance(dim, Element) for dim in block):
        padding = [dim.padding if isinstance(dim, Element) else (0, 0) for dim in block]
        low, high = ([str(pair[side]) for pair in padding] for side in (0, 1))
        attrs.append(("window_kind", Raw(f"#tpu.element_window<[{', '.join(low)}], [{', '.join(high)}]>")))
    return tuple(attrs)


def _transform(
    call: KernelCall, operand: Operand, name: str, rules: Rules, target: Target, form: Form
) -> tuple[Func, list[Diagnostic]]:
    """The index map as a function of the grid indices and the scalar-prefetch refs."""
    grid = tuple(Value(I32) for _ in call.grid)
    prefetch = tuple(Value(operand_type(scalar)) for scalar in call.with_role(Role.SCALAR_PREFETCH))
    ctx = LowerContext(rules, target, form)
    jaxpr = operand.index_map if operand.index_map is not None else _zeros(len(operand.array.shape))
    args = (*grid, *prefetch)
    results = ctx.inline(jaxpr, args[: len(jaxpr.invars)] if operand.index_map is None else args)
    ctx.span = NOWHERE
    # JAX makes one more zero for the dimensions of dtypes that have some; ours have none
    ctx.constant(0, I32)
    ctx.append(Op("func.return", tuple(results)))
    func = Func(name, Region(args, tuple(ctx.ops)), tuple(value.type for value in results))
    return func, [_at(problem, operand.index_map_span) for problem in ctx.problems]


def _at(problem: Diagnostic, span: Span) -> Diagnostic:
    return replace(problem, span=span) if problem.span == NOWHERE else problem


def _zeros(rank: int) -> Jaxpr:
    return Jaxpr((), (), (Literal(0, ShapedArray((), INT32)),) * rank)
