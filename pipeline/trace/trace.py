"""The trace stage: a spec to a `KernelCall`.

Body and index maps are traced apart, so that each reports its own mistakes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from pipeline.dtypes import I32
from pipeline.errors import Diagnostic, SpecError
from pipeline.ir.call import BlockDim, Blocked, Element, KernelCall, Operand, Role, Scratch
from pipeline.ir.jaxpr import Aval, Jaxpr, Literal, MemorySpace, RefAval, ShapedArray, Var
from pipeline.spec.spec import Code, Spec, SpecOperand, SpecScratch, is_jaxpr_text
from pipeline.trace import functions, module, statements
from pipeline.trace.builder import Builder, Tracer, kind_of
from pipeline.trace.check import check
from pipeline.trace.dce import drop_unused
from pipeline.trace.evaluator import Evaluator
from pipeline.trace.names import GLOBALS
from pipeline.trace.near import near
from pipeline.trace.scope import names_bound
from pipeline.trace.source import Located, parse_expression, parse_module
from pipeline.trace.values import Closure, Frame, Partial

Result = TypeVar("Result")
_INDEX = ShapedArray((), I32)
_WEAK = ShapedArray((), I32, True)  # a Python int's
_STACK = 30_000  # Python frames that MAX_DEPTH nested evaluations may need


def trace(spec: Spec) -> KernelCall:
    """The kernel call of one variant of a spec.

    Errors: one SpecError (T1xx from the source's evaluation, T2xx from what it computes) with every mistake
    that can be told: of the body and of each index map up to its first error of evaluation, and all unknown
    names and unsupported constructs.
    """
    found: list[Diagnostic] = []
    operands = [_attempt(found, lambda op=op: _operand(spec, op)) for op in spec.operands]  # type: ignore[misc]
    scratch = tuple(_scratch(spec, entry) for entry in spec.scratch)
    refs = [_ref_of(op) for op in spec.operands] + [entry.ref for entry in scratch]
    names = [op.name for op in spec.operands] + [entry.name for entry in spec.scratch]
    body = _attempt(found, lambda: _body(spec, refs, names))
    if found:
        raise SpecError.of(dict.fromkeys(found))
    assert body is not None
    return KernelCall(
        name=spec.kernel.function,
        body=body,
        grid=spec.grid,
        operands=tuple(operand for operand in operands if operand is not None),
        scratch=scratch,
        semantics=spec.semantics,
        aliases=spec.aliases,
        vmem_limit_bytes=spec.vmem_limit_bytes,
        span=spec.locate("kernel"),
        grid_span=spec.locate("grid"),
        limit_span=spec.locate("vmem_limit_bytes"),
        dynamic_grid=spec.dynamic_grid,
    )


def _attempt(found: list[Diagnostic], work: Callable[[], Result]) -> Result | None:
    """`work()`, its diagnostics collected; runs that nest too deeply for Python become one as well."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _STACK))
    try:
        return work()
    except SpecError as error:
        found.extend(error.diagnostics)
    finally:
        sys.setrecursionlimit(limit)
    return None


# refs and windows


def _space(op: SpecOperand) -> MemorySpace:
    return MemorySpace.SMEM if op.role is Role.SCALAR_PREFETCH else op.space


def _block(op: SpecOperand) -> tuple[BlockDim, ...] | None:
    """The window's block; an array in ANY or HBM, or prefetched, has none, any other without a block is one block."""
    if op.block is not None:
        return op.block
    if _space(op) in (MemorySpace.ANY, MemorySpace.HBM) or op.role is Role.SCALAR_PREFETCH:
        return None
    return tuple(Blocked(size) for size in op.shape)


def _ref_of(op: SpecOperand) -> RefAval:
    """Aval of the ref that the body sees: the block's shape, without squeezed dimensions."""
    block = _block(op)
    if block is None:
        return RefAval(ShapedArray(op.shape, op.dtype), _space(op))
    shape = tuple(dim.size for dim in block if isinstance(dim, Blocked | Element))
    return RefAval(ShapedArray(shape, op.dtype), _space(op))


def _operand(spec: Spec, op: SpecOperand) -> Operand:
    block = _block(op)
    return Operand(
        name=op.name,
        role=op.role,
        array=ShapedArray(op.shape, op.dtype),
        ref=_ref_of(op),
        block=block,
        index_map=None if block is None else _index_map(spec, op, block),
        buffer_count=op.buffer_count,
        span=spec.locate(*op.loc),
        block_span=spec.locate(*op.loc, "block"),
        index_map_span=spec.locate(*op.loc, "index_map"),
    )


def _scratch(spec: Spec, entry: SpecScratch) -> Scratch:
    ref = RefAval(ShapedArray(entry.shape, entry.dtype), entry.space)
    return Scratch(entry.name, ref, spec.locate(*entry.loc))


# sources


def _globals(spec: Spec) -> Frame:
    frame = Frame(None)
    frame.values = {**GLOBALS, **spec.params}
    return frame


def _index_map(spec: Spec, op: SpecOperand, block: tuple[BlockDim, ...]) -> Jaxpr:
    """Grid indices and scalar-prefetch refs to one i32[] for each dimension of the array."""
    prefetched = [_ref_of(other) for other in spec.operands if other.role is Role.SCALAR_PREFETCH]
    avals: list[Aval] = [*[_INDEX] * len(spec.grid), *prefetched]
    code = op.index_map
    if code is None:
        zero = Literal(0, _WEAK)
        return Jaxpr(tuple(Var(aval) for aval in avals), (), (zero,) * len(block))
    if is_jaxpr_text(code.text):
        from pipeline.trace.from_text import index_map_from_text  # only for the specs that need it

        return index_map_from_text(code, avals, len(block), f"the index map of {op.name!r}")
    tree = parse_expression(code, "this index map")
    located = Located(code)
    frame = _globals(spec)
    problems = check(located, [tree], frame.values)
    if problems:
        raise SpecError.of(problems)
    builder = Builder(None)
    ev = Evaluator(located, builder)
    ev.at(tree.body)

    def index_map(*args: object) -> tuple[object, ...]:
        fn = ev.eval(tree.body, frame)
        ev.at(tree.body)
        if not isinstance(fn, Closure | Partial):
            ev.fail("T132", f"an index map is a function, not {kind_of(fn)}", 'write e.g. "lambda i: (i, 0)"')
        _check_arity(ev, fn, len(args), {}, _index_map_takes(spec, len(prefetched)))
        result = ev.call(fn, list(args), {})
        indices = tuple(result) if isinstance(result, tuple | list) else (result,)
        if len(indices) != len(block):
            ev.fail(
                "T132",
                f"the index map of {op.name!r} gives {len(indices)} indices for a block of rank {len(block)}",
                "give one block index for each dimension of the block",
            )
        return tuple(_index(ev, op, index) for index in indices)

    return builder.trace(index_map, avals, f"the index map of {op.name!r}").jaxpr


def _index(ev: Evaluator, op: SpecOperand, index: object) -> Tracer:
    if isinstance(index, bool) or not isinstance(index, int | Tracer):
        ev.fail("T132", f"the index map of {op.name!r} gives {kind_of(index)}, where an i32 index is needed")
    if isinstance(index, int):
        if not -(2**31) <= index < 2**31:
            ev.fail("T132", f"the index map of {op.name!r} gives an index that i32 cannot hold")
        return Tracer(Literal(index, _WEAK))
    if index.shape or index.dtype is not I32:
        ev.fail("T132", f"the index map of {op.name!r} gives {index.aval}, where an i32[] index is needed")
    return index


def _index_map_takes(spec: Spec, prefetched: int) -> str:
    axes = f"{len(spec.grid)} grid {'index' if len(spec.grid) == 1 else 'indices'}"
    return f"{axes} and {prefetched} scalar-prefetch refs" if prefetched else axes


def _body(spec: Spec, refs: list[RefAval], names: list[str]) -> Jaxpr:
    code: Code = spec.kernel.code
    if spec.kernel.is_jaxpr:
        from pipeline.trace.from_text import body_from_text  # only for the specs that need it

        return body_from_text(code, refs, names, len(spec.grid))
    tree = parse_module(code, "the kernel source")
    located = Located(code)
    bound = names_bound(tree.body)
    name = spec.kernel.function
    if name not in bound:
        span = spec.kernel.span
        raise SpecError("T106", f"the kernel source defines no {name!r}", span, hint=near(name, bound))
    nodes = module.needed(tree, name)
    outer = _globals(spec)
    problems = check(located, nodes, outer.values, bound)
    if problems:
        raise SpecError.of(problems)
    builder = Builder(tuple(None if axis in spec.dynamic_grid else n for axis, n in enumerate(spec.grid)))
    ev = Evaluator(located, builder)
    definition = next(node for node in reversed(nodes) if name in names_bound([node]))
    ev.at(definition)
    frame = Frame(outer, frozenset(bound))
    static: dict[str, object] = dict(spec.kernel.static_args)

    def kernel(*args: object) -> tuple[()]:
        statements.run_block(ev, nodes, frame)
        ev.at(definition)
        fn = frame.values.get(name)
        if isinstance(fn, Closure | Partial):
            takes = f"{len(args)} refs: {', '.join(names)}" if args else "no refs"
            _check_arity(ev, fn, len(args), static, takes)
        result = ev.call(fn, list(args), dict(static))
        if result is not None:
            ev.fail("T131", f"the kernel {name!r} returns {kind_of(result)}", "write results to the output refs")
        return ()

    return drop_unused(builder.trace(kernel, refs, f"the kernel {name!r}").jaxpr)[0]


def _check_arity(ev: Evaluator, fn: object, count: int, static: dict[str, object], takes: str) -> None:
    """Say how many positional arguments a function gets, where it does not take so many."""
    given = 0
    named = set(static)
    while isinstance(fn, Partial):
        given += len(fn.args)
        named |= fn.kwargs.keys()
        fn = fn.fn
    if not isinstance(fn, Closure):
        return
    least, most = functions.parameters(fn)
    positional = [arg.arg for arg in (*fn.node.args.posonlyargs, *fn.node.args.args)]
    fixed = [arg for arg in positional[given:] if arg in named]
    wanted = positional[: len(positional) - len(fn.defaults)]
    least -= given + sum(arg in wanted for arg in fixed)
    most = None if most is None else most - given - len(fixed)
    if count < least or (most is not None and count > most):
        has = str(least) if most == least else f"at least {least}" if most is None else f"{least} to {most}"
        ev.fail("T130", f"{fn.name} takes {has} arguments, but it gets {takes}", node=fn.node)
