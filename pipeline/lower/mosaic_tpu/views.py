"""Refs with transforms applied: slices, reshapes and bitcasts of memrefs, and the start indices of a load or store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.dtypes import DType
from pipeline.ir.jaxpr import Arg, Eqn, Index, NDIndexer, RefAval, RefBitcast, RefReshape, Slice, Transforms
from pipeline.ir.module import MemRefType, Value
from pipeline.lower.mosaic_tpu.context import Dims, LowerContext, Operand, Unsupported
from pipeline.lower.mosaic_tpu.types import I32, INDEX, scalar_type


@dataclass(frozen=True, slots=True)
class View:
    """A memref as a ref with transforms names it. `dims` are its dimensions, None where the ref has them squeezed."""

    value: Value
    dims: Dims
    dtype: DType

    @property
    def type(self) -> MemRefType:
        assert isinstance(self.value.type, MemRefType)
        return self.value.type

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the ref: without the squeezed dimensions."""
        return tuple(n for n in self.dims if n is not None)


@dataclass(frozen=True, slots=True)
class Window:
    """Where an access goes: one entry a dimension of the memref. `squeeze` dimensions drop out of the value."""

    starts: tuple[Value, ...]
    sizes: tuple[int | Value, ...]
    strides: tuple[int, ...]
    squeeze: tuple[bool, ...]

    @property
    def strided(self) -> bool:
        return any(stride != 1 for stride in self.strides)

    @property
    def static_sizes(self) -> tuple[int, ...]:
        return tuple(size for size in self.sizes if isinstance(size, int))


def base_view(ctx: LowerContext, ref: Value, aval: RefAval) -> View:
    return View(ref, ctx.dims.get(ref, aval.shape), aval.dtype)


def split_indexer(transforms: Transforms) -> tuple[Transforms, NDIndexer | None]:
    """The transforms before the last indexer, and that; None where the access is to the whole view."""
    if transforms and isinstance(transforms[-1], NDIndexer):
        return transforms[:-1], transforms[-1]
    return transforms, None


def window_of(
    ctx: LowerContext,
    eqn: Eqn,
    operands: Sequence[Operand],
    indexer: NDIndexer | None,
    dims: Dims,
    *,
    as_index: bool,
) -> Window:
    """Start values and sizes along each dimension. `as_index`: starts have type index, else i32."""
    given = iter(indexer.indices) if indexer is not None else None
    starts: list[Value] = []
    sizes: list[int | Value] = []
    strides: list[int] = []
    squeeze: list[bool] = []
    for dim in dims:
        index: Index
        if dim is None:
            index = 0
        elif given is None:
            index = Slice(0, dim)
        else:
            index = next(given)
        if isinstance(index, Slice):
            starts.append(_start(ctx, eqn, operands, index.start, as_index))
            sizes.append(_size(ctx, operands, index.size))
            strides.append(index.stride)
            squeeze.append(False)
        else:
            starts.append(_start(ctx, eqn, operands, index, as_index))
            sizes.append(1)
            strides.append(1)
            squeeze.append(True)
    return Window(tuple(starts), tuple(sizes), tuple(strides), tuple(squeeze))


def _start(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand], index: int | Arg, as_index: bool) -> Value:
    if isinstance(index, int):
        return ctx.constant(index, INDEX if as_index else I32)
    operand = operands[index.position]
    if not isinstance(operand, Value):
        return ctx.constant(int(operand.value), INDEX if as_index else I32)
    if getattr(operand.type, "shape", ()):
        raise Unsupported(
            "L103",
            "an index that is a vector has no Mosaic form: only scalars and slices do",
            "use jnp.take_along_axis on the loaded value",
        )
    if as_index:
        return ctx.emit("arith.index_cast", (operand,), INDEX)
    return operand


def _size(ctx: LowerContext, operands: Sequence[Operand], size: int | Arg) -> int | Value:
    return size if isinstance(size, int) else ctx.value(operands[size.position])


def transform_ref(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand], view: View, transforms: Transforms) -> View:
    """The memref that `transforms` make of a view, one op or two for each of them."""
    for step in transforms:
        match step:
            case NDIndexer():
                view = _slice(ctx, eqn, operands, view, step)
            case RefBitcast():
                view = _bitcast(ctx, view, step)
            case RefReshape():
                view = _reshape(ctx, view, step)
    return view


def _slice(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand], view: View, indexer: NDIndexer) -> View:
    window = window_of(ctx, eqn, operands, indexer, view.dims, as_index=False)
    if window.strided:
        raise Unsupported(
            "L103", "a strided slice of a ref has no Mosaic form", "index with the stride in the load itself"
        )
    dynamic = tuple(size for size in window.sizes if isinstance(size, Value))
    sizes = tuple(size if isinstance(size, int) else None for size in window.sizes)
    type_ = MemRefType(sizes, view.type.element, view.type.space)
    value = _view_op(ctx, "tpu.memref_slice", (view.value, *window.starts, *dynamic), type_)
    kept = tuple(size for size, squeeze in zip(sizes, window.squeeze, strict=True) if not squeeze)
    if any(window.squeeze):
        value = _view_op(ctx, "tpu.memref_squeeze", (value,), MemRefType(kept, type_.element, type_.space))
    # a dynamic size is no squeezed dimension: -1 keeps them apart, and nothing reads it
    return View(value, tuple(-1 if size is None else size for size in kept), view.dtype)


def _bitcast(ctx: LowerContext, view: View, step: RefBitcast) -> View:
    if view.dtype.bits != step.dtype.bits and (len(view.dims) < 2 or view.dims[-2] is None):
        raise Unsupported(
            "L103",
            f"a bitcast of a ref from {view.dtype} to {step.dtype} needs a second-minor dimension that is not squeezed",
            None,
        )
    type_ = MemRefType(step.shape, scalar_type(step.dtype), view.type.space)
    value = _view_op(ctx, "tpu.memref_bitcast", (view.value,), type_)
    dims = list(view.dims)
    if len(dims) >= 2 and dims[-2] is not None:
        dims[-2] = dims[-2] * view.dtype.bits // step.dtype.bits
    return View(value, tuple(dims), step.dtype)


def _reshape(ctx: LowerContext, view: View, step: RefReshape) -> View:
    if len(view.dims) < 2 or None in view.dims[-2:]:
        raise Unsupported(
            "L103", "a reshape of a ref needs two minor dimensions that are not squeezed", "load first, then reshape"
        )
    type_ = MemRefType(step.shape, scalar_type(view.dtype), view.type.space)
    return View(_view_op(ctx, "tpu.memref_reshape", (view.value,), type_), step.shape, view.dtype)


def _view_op(ctx: LowerContext, name: str, operands: tuple[Value, ...], type_: MemRefType) -> Value:
    value = ctx.emit(name, operands, type_)
    if operands[0] in ctx.outputs:
        ctx.outputs.add(value)
    return value
