"""Abstract rules: reads and writes of refs, grid queries, hints; and the type a chain of transforms gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.dtypes import BOOL, I32
from pipeline.errors import Span
from pipeline.ir.jaxpr import (
    Arg,
    Aval,
    NDIndexer,
    Param,
    Prim,
    RefBitcast,
    RefReshape,
    ShapedArray,
    Slice,
)
from pipeline.trace.types.common import Rule, fail, ref, value

DYNAMIC = -1  # a dimension whose size is traced


def view_aval(inner: ShapedArray, transforms: Param, avals: Sequence[Aval], span: Span) -> ShapedArray:
    """Aval of what a ref of `inner` shows after `transforms`; a dimension of traced size is `DYNAMIC`.

    `avals` are those of the whole equation's inputs, which `Arg` counts.
    """
    assert isinstance(transforms, tuple)
    for transform in transforms:
        if isinstance(transform, NDIndexer):
            inner = _indexed(inner, transform, avals, span)
        elif isinstance(transform, RefReshape):
            inner = ShapedArray(transform.shape, inner.dtype)
        elif isinstance(transform, RefBitcast):
            inner = ShapedArray(transform.shape, transform.dtype)
    return inner


def _indexed(inner: ShapedArray, indexer: NDIndexer, avals: Sequence[Aval], span: Span) -> ShapedArray:
    assert len(indexer.indices) == len(inner.shape), f"{indexer} for {inner}"
    shape: list[int] = []
    arrays: tuple[int, ...] = ()
    places: list[int] = []  # where in `shape` a dropped axis stood
    contiguous, last = True, -2
    for axis, index in enumerate(indexer.indices):
        if isinstance(index, Slice):
            shape.append(index.size if isinstance(index.size, int) else DYNAMIC)
            continue
        if isinstance(index, Arg):
            position = value(avals[index.position], span)
            if not position.dtype.is_integer:
                fail("T207", f"an index is {position}: indices are integers", span)
            arrays = position.shape or arrays
        contiguous = contiguous and (not places or axis == last + 1)
        last = axis
        places.append(len(shape))
    # NumPy's rule: the axes of integer arrays stand where those were, or first when they were apart
    at = places[0] if places and contiguous else 0
    return ShapedArray((*shape[:at], *arrays, *shape[at:]), inner.dtype)


def type_get(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """The view's contents."""
    source = ref(avals[0], span)
    if source.dtype.is_semaphore:
        fail("T220", f"{source} is a semaphore: it cannot be read as an array", span, "use pltpu.semaphore_read")
    out = view_aval(source.inner, params["transforms"], avals, span)
    _check_static(out, "a read", span)
    return (out,)


def _check_static(aval: ShapedArray, what: str, span: Span) -> None:
    if DYNAMIC in aval.shape:
        fail("T215", f"{what} has a slice of traced size", span, "only async copies take slices of traced size")


def _stored(avals: tuple[Aval, ...], transforms: Param, stored: ShapedArray, what: str, span: Span) -> ShapedArray:
    target = ref(avals[0], span)
    if target.dtype.is_semaphore:
        fail("T220", f"{target} is a semaphore: it cannot be written as an array", span)
    view = view_aval(target.inner, transforms, avals, span)
    _check_static(view, what, span)
    if stored.shape != view.shape:
        fail(
            "T210",
            f"{what} of shape {list(stored.shape)} into a view of shape {list(view.shape)}",
            span,
            "index the ref, or broadcast or reshape the value",
        )
    if stored.dtype is not view.dtype:
        fail(
            "T210",
            f"{what} of dtype {stored.dtype.name} into a ref of {view.dtype.name}",
            span,
            f"convert the value: .astype(jnp.{view.dtype.name})",
        )
    return view


def type_swap(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """The old contents."""
    return (_stored(avals, params["transforms"], value(avals[1], span), "a store", span),)


def type_addupdate(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """No result."""
    _stored(avals, params["transforms"], value(avals[1], span), "an update", span)
    return ()


def _check_mask(mask: ShapedArray, shape: tuple[int, ...], span: Span) -> None:
    if mask.dtype is not BOOL:
        fail("T203", f"a mask is bool, not {mask.dtype.name}", span)
    if mask.shape != shape:
        fail("T204", f"a mask of shape {list(mask.shape)} for a view of {list(shape)}", span)


def type_masked_load(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """The view's contents where the mask holds."""
    source = ref(avals[0], span)
    out = view_aval(source.inner, params["transforms"], avals, span)
    _check_static(out, "a load", span)
    if params["has_mask"]:
        _check_mask(value(avals[1], span), out.shape, span)
    return (out,)


def type_masked_swap(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """The old contents."""
    stored = value(avals[1], span)
    out = _stored(avals, params["transforms"], stored, "a store", span)
    if params["has_mask"]:
        _check_mask(value(avals[2], span), out.shape, span)
    return (out,)


def type_grid(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """program_id, num_programs: i32[]."""
    return (ShapedArray((), I32),)


def type_multiple_of(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """The operand, with a promise about it."""
    array = value(avals[0], span)
    return (array,)


RULES: dict[Prim, Rule] = {
    Prim.GET: type_get,
    Prim.SWAP: type_swap,
    Prim.ADDUPDATE: type_addupdate,
    Prim.MASKED_LOAD: type_masked_load,
    Prim.MASKED_SWAP: type_masked_swap,
    Prim.PROGRAM_ID: type_grid,
    Prim.NUM_PROGRAMS: type_grid,
    Prim.MULTIPLE_OF: type_multiple_of,
}
