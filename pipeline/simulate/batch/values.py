"""Rules for many lanes: equations on values. Most are the rule for one step with every axis moved on by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeline.dtypes import BOOL
from pipeline.ir.jaxpr import Eqn, Prim
from pipeline.simulate.batch.compiler import LanesCompiler, spread
from pipeline.simulate.numerics import elementwise, reduce
from pipeline.simulate.numerics.elementwise import out_aval
from pipeline.simulate.numerics.matmul import contraction
from pipeline.simulate.numerics.rules import Step
from pipeline.simulate.numerics.shape import ints

Array = Any
LanesRule = Callable[[Eqn, LanesCompiler], Step]


def flags_of(eqn: Eqn, compiler: LanesCompiler) -> tuple[bool, ...]:
    """Per input, whether it has lanes."""
    return tuple(compiler.has_lanes(atom) for atom in eqn.inputs)


def each_lane(eqn: Eqn, compiler: LanesCompiler) -> Step:
    """One lane after the other, for what has no better rule. Inputs and outputs are values."""
    function, flags, lanes = compiler.one_by_one(eqn), flags_of(eqn, compiler), compiler.lanes
    several = len(eqn.outputs) > 1

    def run(*inputs: Array) -> Any:
        found = [
            function(*(x[lane] if flag else x for x, flag in zip(inputs, flags, strict=True))) for lane in range(lanes)
        ]
        if not several:
            return np.stack(found)
        return tuple(np.stack(parts) for parts in zip(*found, strict=True))

    return run


def _all_spread(step: Step, eqn: Eqn, compiler: LanesCompiler) -> Step:
    """`step` with lanes on every input."""
    flags, lanes = flags_of(eqn, compiler), compiler.lanes
    if all(flags):
        return step
    return lambda *xs: step(*(x if flag else spread(x, lanes) for x, flag in zip(xs, flags, strict=True)))


def _padded_ranks(step: Step, eqn: Eqn, compiler: LanesCompiler) -> Step:
    """`step` with axes after the lanes of a scalar that goes with arrays, so that it is broadcast over them."""
    rank = len(out_aval(eqn).shape)
    short = [
        i
        for i, atom in enumerate(eqn.inputs)
        if compiler.has_lanes(atom) and len(atom.aval.shape) < rank
    ]  # fmt: skip
    if not short:
        return step

    def run(*inputs: Array) -> Any:
        values = list(inputs)
        for i in short:
            values[i] = values[i].reshape(-1, *[1] * rank)
        return step(*values)

    return run


def lanes_elementwise(eqn: Eqn, compiler: LanesCompiler) -> Step:
    return _padded_ranks(compiler.lifted(eqn), eqn, compiler)


def lanes_select_n(eqn: Eqn, compiler: LanesCompiler) -> Step:
    which, lanes, shape = eqn.inputs[0], compiler.lanes, out_aval(eqn).shape
    last = len(eqn.inputs) - 2
    if which.aval.shape == () and not compiler.has_lanes(which):

        def pick(w: Array, *cases: Array) -> Array:
            case = cases[min(max(int(w), 0), last)]
            return case if np.ndim(case) > len(shape) else spread(case, lanes)

        return pick
    if which.aval.shape == () and shape != ():
        axes = [1] * len(shape)
        if last == 1 and which.aval.dtype is BOOL:
            return lambda w, no, yes: np.where(w.reshape(-1, *axes), yes, no)

        def choose(w: Array, *cases: Array) -> Array:
            at = w.reshape(-1, *axes)
            out = np.broadcast_to(cases[0], (lanes, *shape))
            for i, case in enumerate(cases[1:], 1):
                out = np.where(at >= i, case, out)
            return out

        return choose
    return compiler.lifted(eqn)


def _moved(eqn: Eqn, name: str) -> tuple[int, ...]:
    return tuple(axis + 1 for axis in ints(eqn, name))


def _axis(eqn: Eqn, name: str) -> int:
    axis = eqn.param(name)
    assert isinstance(axis, int)
    return axis + 1


def lanes_reduce(eqn: Eqn, compiler: LanesCompiler) -> Step:
    return compiler.lifted(eqn, axes=_moved(eqn, "axes"))


def lanes_scan(eqn: Eqn, compiler: LanesCompiler) -> Step:
    return compiler.lifted(eqn, axis=_axis(eqn, "axis"))


def lanes_broadcast_in_dim(eqn: Eqn, compiler: LanesCompiler) -> Step:
    shape = (compiler.lanes, *out_aval(eqn).shape)
    return compiler.lifted(eqn, broadcast_dimensions=(0, *_moved(eqn, "broadcast_dimensions")), shape=shape)


def lanes_transpose(eqn: Eqn, compiler: LanesCompiler) -> Step:
    return compiler.lifted(eqn, permutation=(0, *_moved(eqn, "permutation")))


def lanes_slice(eqn: Eqn, compiler: LanesCompiler) -> Step:
    strides = eqn.param("strides")
    return compiler.lifted(
        eqn,
        start_indices=(0, *ints(eqn, "start_indices")),
        limit_indices=(compiler.lanes, *ints(eqn, "limit_indices")),
        strides=None if strides is None else (1, *ints(eqn, "strides")),
    )


def lanes_concatenate(eqn: Eqn, compiler: LanesCompiler) -> Step:
    return _all_spread(compiler.lifted(eqn, dimension=_axis(eqn, "dimension")), eqn, compiler)


def lanes_sort(eqn: Eqn, compiler: LanesCompiler) -> Step:
    return _all_spread(compiler.lifted(eqn, dimension=_axis(eqn, "dimension")), eqn, compiler)


def lanes_stack(eqn: Eqn, compiler: LanesCompiler) -> Step:
    return _all_spread(compiler.lifted(eqn, axis=_axis(eqn, "axis")), eqn, compiler)


def lanes_split(eqn: Eqn, compiler: LanesCompiler) -> Step:
    return compiler.lifted(eqn, axis=_axis(eqn, "axis"))


def lanes_rev(eqn: Eqn, compiler: LanesCompiler) -> Step:
    return compiler.lifted(eqn, dimensions=_moved(eqn, "dimensions"))


def lanes_tile(eqn: Eqn, compiler: LanesCompiler) -> Step:
    return compiler.lifted(eqn, reps=(1, *ints(eqn, "reps")))


def lanes_pad(eqn: Eqn, compiler: LanesCompiler) -> Step:
    if compiler.has_lanes(eqn.inputs[1]):
        return each_lane(eqn, compiler)
    config: Any = eqn.param("padding_config")
    return compiler.lifted(eqn, padding_config=((0, 0, 0), *config))


def lanes_roll(eqn: Eqn, compiler: LanesCompiler) -> Step:
    stride_axis = eqn.param("stride_axis")
    if compiler.has_lanes(eqn.inputs[1]) or stride_axis is not None:
        return each_lane(eqn, compiler)
    return compiler.lifted(eqn, axis=_axis(eqn, "axis"))


def lanes_dynamic_slice(eqn: Eqn, compiler: LanesCompiler) -> Step:
    if any(compiler.has_lanes(atom) for atom in eqn.inputs[1:]):
        return each_lane(eqn, compiler)
    lifted = compiler.lifted(eqn, slice_sizes=(compiler.lanes, *ints(eqn, "slice_sizes")))
    return lambda x, *starts: lifted(x, 0, *starts)


def lanes_dynamic_update_slice(eqn: Eqn, compiler: LanesCompiler) -> Step:
    if any(compiler.has_lanes(atom) for atom in eqn.inputs[2:]):
        return each_lane(eqn, compiler)
    axes = len(eqn.inputs[0].aval.shape)
    sizes, shape = eqn.inputs[1].aval.shape, eqn.inputs[0].aval.shape
    has_lanes, lanes = compiler.has_lanes(eqn.inputs[0]), compiler.lanes

    def update(x: Array, value: Array, *starts: Array) -> Array:
        out = np.array(x if has_lanes else spread(x, lanes))
        first = [min(max(int(s), 0), n - k) for n, k, s in zip(shape, sizes, starts, strict=True)]
        out[(slice(None), *(slice(a, a + k) for a, k in zip(first, sizes, strict=True)))] = value
        return out

    return update if axes else each_lane(eqn, compiler)


def lanes_dot_general(eqn: Eqn, compiler: LanesCompiler) -> Step:
    """One product a lane, each as for one step; an operand without lanes is brought into form once."""
    dot = contraction(eqn)
    return lambda x, y: dot.product(dot.left(x), dot.right(y))


_ELEMENTWISE: dict[Prim, LanesRule] = {prim: lanes_elementwise for prim in elementwise.RULES}
_REDUCE: dict[Prim, LanesRule] = {
    prim: lanes_scan if prim in (Prim.CUMSUM, Prim.CUMPROD, Prim.CUMMAX, Prim.CUMMIN) else lanes_reduce
    for prim in reduce.RULES
}
RULES: dict[Prim, LanesRule] = {
    **_ELEMENTWISE,
    **_REDUCE,
    Prim.SELECT_N: lanes_select_n,
    Prim.CONVERT_ELEMENT_TYPE: lanes_elementwise,
    Prim.REDUCE_PRECISION: lanes_elementwise,
    Prim.BITCAST_CONVERT_TYPE: lambda eqn, compiler: compiler.lifted(eqn),
    Prim.BITCAST: lambda eqn, compiler: compiler.lifted(eqn),
    Prim.PACK_ELEMENTWISE: lanes_elementwise,
    Prim.UNPACK_ELEMENTWISE: lanes_elementwise,
    Prim.BROADCAST_IN_DIM: lanes_broadcast_in_dim,
    Prim.RESHAPE: lambda eqn, compiler: compiler.lifted(eqn),
    Prim.SQUEEZE: lambda eqn, compiler: compiler.lifted(eqn),
    Prim.EXPAND_DIMS: lambda eqn, compiler: compiler.lifted(eqn),
    Prim.TRANSPOSE: lanes_transpose,
    Prim.CONCATENATE: lanes_concatenate,
    Prim.STACK: lanes_stack,
    Prim.SPLIT: lanes_split,
    Prim.SLICE: lanes_slice,
    Prim.PAD: lanes_pad,
    Prim.REV: lanes_rev,
    Prim.TILE: lanes_tile,
    Prim.ROLL: lanes_roll,
    Prim.SORT: lanes_sort,
    Prim.DYNAMIC_SLICE: lanes_dynamic_slice,
    Prim.DYNAMIC_UPDATE_SLICE: lanes_dynamic_update_slice,
    Prim.DOT_GENERAL: lanes_dot_general,
}
