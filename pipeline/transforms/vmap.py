"""vmap of a kernel call: a new leading grid axis, a squeezed leading dimension of every window, maps to match.

Source: JAX 0.10.2, the batched grid, blocks and index maps of its own rule. Scratch is not batched, so steps along the
new axis come one after the other. Scalar-prefetch operands are shared by all.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from pipeline.dtypes import I32
from pipeline.ir.call import Blocked, KernelCall, Operand, Role, Squeezed
from pipeline.ir.jaxpr import Eqn, Jaxpr, Literal, Param, Prim, ShapedArray, Var

_OF_THE_GRID = frozenset({Prim.PROGRAM_ID, Prim.NUM_PROGRAMS})


def vmap(call: KernelCall, size: int) -> KernelCall:
    """The call over `size` of everything that it reads and writes; the new axis is the first of each array."""
    return replace(
        call,
        body=_shifted(call.body),
        grid=(size, *call.grid),
        operands=tuple(_batched(operand, size, call) for operand in call.operands),
        semantics=None if call.semantics is None else ("arbitrary", *call.semantics),
        dynamic_grid=tuple(axis + 1 for axis in call.dynamic_grid),
    )


def unbatched(call: KernelCall) -> tuple[str, ...]:
    """Operands that stay in memory whole, without a window: batched they get one."""
    return tuple(o.name for o in call.operands if o.role is not Role.SCALAR_PREFETCH and o.block is None)


def _batched(operand: Operand, size: int, call: KernelCall) -> Operand:
    array = operand.array
    if operand.role is Role.SCALAR_PREFETCH:
        return operand
    own, block = operand.index_map, operand.block
    if block is None:
        block = tuple(map(Blocked, array.shape))
    if own is None:
        zero = Literal(0, ShapedArray((), I32, weak_type=True))
        binders = [Var(ShapedArray((), I32)) for _ in call.grid]
        binders.extend(Var(one.ref) for one in call.with_role(Role.SCALAR_PREFETCH))
        own = Jaxpr(tuple(binders), (), (zero,) * len(array.shape))
    first = Var(ShapedArray((), I32))
    return replace(
        operand,
        array=replace(array, shape=(size, *array.shape)),
        block=(Squeezed(), *block),
        index_map=Jaxpr((first, *own.invars), own.eqns, (first, *own.outvars)),
    )


def _shifted(jaxpr: Jaxpr) -> Jaxpr:
    """The body, whose questions about the grid are now about one axis further in."""
    return replace(jaxpr, eqns=tuple(map(_moved, jaxpr.eqns)))


def _moved(eqn: Eqn) -> Eqn:
    params: list[tuple[str, Param]] = []
    for name, param in eqn.params:
        if name == "axis" and eqn.prim in _OF_THE_GRID:
            assert isinstance(param, int)
            params.append((name, param + 1))
        elif isinstance(param, Jaxpr):
            params.append((name, _shifted(param)))
        elif isinstance(param, tuple) and any(isinstance(item, Jaxpr) for item in param):
            inner = tuple(_shifted(item) if isinstance(item, Jaxpr) else item for item in param)
            params.append((name, cast("Param", inner)))
        else:
            params.append((name, param))
    return replace(eqn, params=tuple(params))
