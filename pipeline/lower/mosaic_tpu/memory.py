"""Mosaic lowering rules: loads, stores, the grid's indices and scoped allocation.

A store first loads what it replaces, since its primitive returns that; nothing reads it and the compiler drops it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import Kind
from pipeline.ir.jaxpr import Eqn, Jaxpr, NDIndexer, Prim, RefAval, ShapedArray, Slice, Transforms
from pipeline.ir.module import IntArray, Raw, Value, VectorType
from pipeline.lower.mosaic_tpu.context import (
    LowerContext,
    Operand,
    Rule,
    Rules,
    Unsupported,
    is_bool,
    out_aval,
    ref_aval,
    shaped,
)
from pipeline.lower.mosaic_tpu.elementwise import compare
from pipeline.lower.mosaic_tpu.types import I32, memory_type, memref_type, value_type, with_shape
from pipeline.lower.mosaic_tpu.views import View, Window, base_view, split_indexer, transform_ref, window_of


def lower_get(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    return (_load(ctx, eqn, operands),)


def lower_masked_load(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    if eqn.param("has_mask"):
        raise Unsupported("L103", "a masked load has no Mosaic form", "load all of it and select with jnp.where")
    return (_load(ctx, eqn, operands),)


def lower_swap(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    return (_store(ctx, eqn, operands, None),)


def lower_masked_swap(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    return (_store(ctx, eqn, operands, 2 if eqn.param("has_mask") else None),)


def _transforms(eqn: Eqn) -> Transforms:
    transforms = eqn.param("transforms")
    assert isinstance(transforms, tuple)
    return transforms  # type: ignore[return-value]


def _view(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[View, NDIndexer | None]:
    """The view accessed, and the indexer of the access itself."""
    ref = operands[0]
    assert isinstance(ref, Value)
    before, indexer = split_indexer(_transforms(eqn))
    if indexer is not None:
        _refuse_index_arrays(eqn, indexer)
    view = transform_ref(ctx, eqn, operands, base_view(ctx, ref, ref_aval(eqn.inputs[0])), before)
    if view.type.space not in ("smem", "vmem"):
        raise Unsupported(
            "L103",
            f"a ref in {str(view.type.space).upper()} cannot be read or written directly, only refs in VMEM and SMEM",
            "copy between it and VMEM with pltpu.make_async_copy, or give the operand a block shape",
        )
    if view.type.space != "smem" and not view.dims:
        raise Unsupported("L103", "a ref of shape () can only be in SMEM", "give the ref a (1, 1) shape")
    return view, indexer


def _refuse_index_arrays(eqn: Eqn, indexer: NDIndexer) -> None:
    for index in indexer.indices:
        if isinstance(index, (int, Slice)):
            continue
        aval = shaped(eqn.inputs[index.position])
        if aval.shape:
            raise Unsupported(
                "L103",
                f"an index of type {aval} has no Mosaic form: indices are scalars and slices",
                "load the whole block and use jnp.take_along_axis on it",
            )


def _load(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> Value:
    view, indexer = _view(ctx, eqn, operands)
    window = window_of(ctx, eqn, operands, indexer, view.dims, as_index=True)
    out = out_aval(eqn)
    element = memory_type(out.dtype)
    if view.type.space == "smem":
        if out.shape:
            raise Unsupported(
                "L103", f"a load of {out} from SMEM: only scalars can be loaded from there", "load element by element"
            )
        return _to_bool(ctx, out, ctx.emit("memref.load", (view.value, *window.starts), element))
    sizes = window.static_sizes
    loaded = _vector_load(ctx, view, window, VectorType(sizes, element))
    differs = view.value in ctx.outputs and eqn.prim is Prim.GET
    if sizes != out.shape or (differs and ctx.form.mesh_casts):
        loaded = ctx.shape_cast(loaded, out.shape) if out.shape else ctx.extract_scalar(loaded)
    return _to_bool(ctx, out, loaded)


def _vector_load(ctx: LowerContext, view: View, window: Window, type_: VectorType) -> Value:
    operands = (view.value, *window.starts)
    if window.strided:
        return ctx.emit("tpu.strided_load", operands, type_, (("strides", IntArray(window.strides, "i32")),))
    return ctx.emit("vector.load", operands, type_)


def _store(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand], mask_at: int | None) -> Value:
    value_aval, out = shaped(eqn.inputs[1]), out_aval(eqn)
    if mask_at is not None:
        if value_aval.dtype.bits != 32:
            raise Unsupported("L103", f"a masked store of {value_aval.dtype}: only 32-bit elements can be masked")
        if shaped(eqn.inputs[mask_at]).shape != value_aval.shape:
            raise Unsupported(
                "L103", f"a masked store of {value_aval} with a mask {shaped(eqn.inputs[mask_at])}: the shapes differ"
            )
    view, indexer = _view(ctx, eqn, operands)
    value = ctx.value(operands[1])
    where = window_of(ctx, eqn, operands, indexer, view.dims, as_index=True)
    mask = None if mask_at is None else ctx.value(operands[mask_at])
    if view.type.space == "smem":
        return _store_scalar(ctx, view, where, value, value_aval, mask)
    if not value_aval.shape:
        raise Unsupported("L103", "a scalar cannot be stored to VMEM", "store a (1, 1) vector, or put the ref in SMEM")
    shape = _stored_shape(out.shape, indexer, view)
    old = _vector_load(ctx, view, where, VectorType(shape, memory_type(out.dtype)))
    if is_bool(value_aval):
        value = ctx.emit("arith.extui", (value,), with_shape(I32, value_aval.shape))
    differs = view.value not in ctx.outputs or eqn.prim is Prim.MASKED_SWAP
    if shape != out.shape or (differs and ctx.form.mesh_casts):
        old = ctx.shape_cast(old, out.shape)
        value = ctx.shape_cast(value, shape)
        if mask is not None:
            mask = ctx.shape_cast(mask, shape)
    old = _to_bool(ctx, value_aval, old)
    if where.strided:
        if mask is not None:
            raise Unsupported("L103", "a masked store with strides has no Mosaic form")
        attrs = (("strides", IntArray(where.strides, "i32")),)
        ctx.emit_many("tpu.strided_store", (view.value, *where.starts, value), (), attrs)
    else:
        extra = () if mask is None else (mask,)
        attrs = (("strides", IntArray((), "i32")),)
        ctx.emit_many("tpu.vector_store", (view.value, *where.starts, value, *extra), (), attrs)
    return old


def _stored_shape(out: tuple[int, ...], indexer: NDIndexer | None, view: View) -> tuple[int, ...]:
    """Shape of what is stored, with a one for each dimension that the index or the window drops."""
    sizes = list(out)
    if indexer is not None:
        for position, index in enumerate(indexer.indices):
            if not isinstance(index, Slice):
                sizes.insert(position, 1)
    rest = iter(sizes)
    return tuple(1 if dim is None else next(rest) for dim in view.dims)


def _store_scalar(
    ctx: LowerContext, view: View, where: Window, value: Value, aval: ShapedArray, mask: Value | None
) -> Value:
    if mask is not None:
        raise Unsupported("L103", "a masked store to SMEM has no Mosaic form", "put the store under pl.when")
    if aval.shape:
        raise Unsupported("L103", f"a store of {aval} to SMEM: only scalars can be stored there", "store its elements")
    old = _to_bool(ctx, aval, ctx.emit("memref.load", (view.value, *where.starts), memory_type(aval.dtype)))
    if is_bool(aval):
        value = ctx.emit("arith.extui", (value,), I32)
    ctx.emit_many("memref.store", (value, view.value, *where.starts))
    return old


def _to_bool(ctx: LowerContext, aval: ShapedArray, value: Value) -> Value:
    """A bool out of memory's 32 bits: whether they are not zero."""
    if not is_bool(aval):
        return value
    return compare(ctx, "ne", value, ctx.constant(0, with_shape(I32, aval.shape)))


def lower_program_id(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    axis = eqn.param("axis")
    assert isinstance(axis, int)
    if axis >= len(ctx.grid_indices):
        raise Unsupported(
            "L103",
            f"program_id({axis}) of a grid of rank {len(ctx.grid_indices)}",
            "declare a grid that has this axis",
        )
    return (ctx.grid_indices[axis],)


def lower_num_programs(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    axis = eqn.param("axis")
    return (ctx.emit("tpu.iteration_bound", (), I32, (("dim", Raw(str(axis))),)),)


def lower_run_scoped(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value, ...]:
    """A region that allocates the scoped refs, then runs the body."""
    jaxpr = eqn.param("jaxpr")
    assert isinstance(jaxpr, Jaxpr)
    consts = [ctx.value(x) for x in operands]
    scoped = jaxpr.invars[: len(jaxpr.invars) - len(consts)]

    def build() -> None:
        refs = []
        for var in scoped:
            assert isinstance(var.aval, RefAval)
            refs.append(allocate(ctx, var.aval))
        results = ctx.inline(jaxpr, (*refs, *consts))
        ctx.emit_many("tpu.yield", tuple(results))

    region = ctx.region((), build)
    types = [value_type(shaped(out)) for out in eqn.outputs]
    return ctx.emit_many("tpu.region", (), types, (), (region,))


def allocate(ctx: LowerContext, aval: RefAval) -> Value:
    if aval.dtype.kind is Kind.SEMAPHORE:
        return ctx.emit("tpu.sem_alloc", (), memref_type(aval))
    return ctx.emit("memref.alloca", (), memref_type(aval))


RULES: Rules = {
    Prim.GET: Rule(lower_get, literals=True),
    Prim.SWAP: Rule(lower_swap, literals=True),
    Prim.MASKED_LOAD: Rule(lower_masked_load, literals=True),
    Prim.MASKED_SWAP: Rule(lower_masked_swap, literals=True),
    Prim.PROGRAM_ID: Rule(lower_program_id),
    Prim.NUM_PROGRAMS: Rule(lower_num_programs),
    Prim.RUN_SCOPED: Rule(lower_run_scoped),
}
