"""Abstract rules: async copies, semaphores, debugging output."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.dtypes import DMA_SEM, I32, SEM
from pipeline.errors import Span
from pipeline.ir.jaxpr import Aval, Param, Prim, ShapedArray
from pipeline.trace.types.common import Rule, fail, ref, value
from pipeline.trace.types.memory import view_aval


def _check_semaphore(avals: tuple[Aval, ...], at: int, transforms: Param, what: str, dma: bool, span: Span) -> None:
    semaphore = ref(avals[at], span)
    wanted = DMA_SEM if dma else SEM
    if semaphore.dtype is not wanted:
        hint = "declare it as a DMA semaphore" if dma else "DMA semaphores are signalled by async copies alone"
        fail("T220", f"{what} takes a semaphore of dtype {wanted.name}, not {semaphore}", span, hint)
    view = view_aval(semaphore.inner, transforms, avals, span)
    if view.shape:
        fail("T220", f"{what} takes one semaphore, not an array of {list(view.shape)}", span, "index it: sem.at[i]")


def type_dma(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """dma_start, dma_wait: source and destination views agree in shape and dtype. No result."""
    source, target = ref(avals[0], span), ref(avals[1], span)
    a = view_aval(source.inner, params["src_transforms"], avals, span)
    b = view_aval(target.inner, params["dst_transforms"], avals, span)
    if a.shape != b.shape:
        fail("T210", f"an async copy of shape {list(a.shape)} into a view of shape {list(b.shape)}", span)
    if a.dtype is not b.dtype:
        fail("T210", f"an async copy of {a.dtype.name} into a ref of {b.dtype.name}", span)
    _check_semaphore(avals, 2, params["semaphore_transforms"], "an async copy", True, span)
    return ()


def type_semaphore(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """semaphore_signal, semaphore_wait: one semaphore, an i32 to add or take. No result."""
    amount = value(avals[1], span)
    if amount.shape or amount.dtype is not I32:
        fail("T203", f"a semaphore counts in scalar int32, not {amount}", span)
    dma = ref(avals[0], span).dtype is DMA_SEM
    _check_semaphore(avals, 0, params["transforms"], "a signal or wait", dma, span)
    return ()


def type_semaphore_read(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """The semaphore's count, i32[]."""
    dma = ref(avals[0], span).dtype is DMA_SEM
    _check_semaphore(avals, 0, params["transforms"], "semaphore_read", dma, span)
    return (ShapedArray((), I32),)


def type_nothing(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """No result."""
    return ()


RULES: dict[Prim, Rule] = {
    Prim.DMA_START: type_dma,
    Prim.DMA_WAIT: type_dma,
    Prim.SEMAPHORE_SIGNAL: type_semaphore,
    Prim.SEMAPHORE_WAIT: type_semaphore,
    Prim.SEMAPHORE_READ: type_semaphore_read,
    Prim.DEBUG_PRINT: type_nothing,
    Prim.CHECK: type_nothing,
}
