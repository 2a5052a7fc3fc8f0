"""Async copies and semaphores, and the scratch types that `pl.run_scoped` takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from pipeline.dtypes import DMA_SEM, I32, SEM, DType
from pipeline.ir.jaxpr import MemorySpace, Param, Prim, RefAval, ShapedArray
from pipeline.trace.builder import Builder, RefTracer, Tracer
from pipeline.trace.surface.common import Function, as_dtype, convert, operand, refuse, static_int, static_shape
from pipeline.trace.surface.refs import a_ref
from pipeline.trace.surface.scopes import run_scoped
from pipeline.trace.tree import flatten


class AsyncCopy:
    """A copy described by `make_async_copy`, not yet started."""

    __slots__ = ("semaphore", "source", "target")

    METHODS: ClassVar[dict[str, Callable[..., Any]]]

    def __init__(self, source: RefTracer, target: RefTracer, semaphore: RefTracer) -> None:
        self.source = source
        self.target = target
        self.semaphore = semaphore


def _emit_copy(ctx: Builder, prim: Prim, copy: AsyncCopy, **extra: Param) -> None:
    parts = (copy.source, copy.target, copy.semaphore)
    dynamic: list[Tracer] = []
    params: dict[str, Param] = dict(extra)
    for name, part in zip(("src", "dst", "semaphore"), parts, strict=True):
        before = len(dynamic)
        params[f"{name}_transforms"] = ctx.transforms(part, dynamic, 3)
        ctx.lift([part, *dynamic[before:]])  # each ref is followed by its own indices when JAX flattens them
    ctx.emit(prim, [*parts, *dynamic], params)


def _start(ctx: Builder, copy: AsyncCopy, priority: object = 0, *, add: object = False) -> None:
    refuse(ctx, "an async copy's start", add=add)
    _emit_copy(ctx, Prim.DMA_START, copy, priority=static_int(ctx, priority, "start: the priority"))


def _wait(ctx: Builder, copy: AsyncCopy) -> None:
    _emit_copy(ctx, Prim.DMA_WAIT, copy)


def _wait_send(ctx: Builder, copy: AsyncCopy) -> None:
    ctx.fail("T220", "wait_send on a copy within one device", "use wait")


AsyncCopy.METHODS = {"start": _start, "wait": _wait, "wait_recv": _wait, "wait_send": _wait_send}


def make_async_copy(ctx: Builder, src_ref: object, dst_ref: object, sem: object) -> AsyncCopy:
    """`pltpu.make_async_copy(src, dst, sem)`."""
    return AsyncCopy(
        a_ref(ctx, src_ref, "make_async_copy: the source"),
        a_ref(ctx, dst_ref, "make_async_copy: the destination"),
        a_ref(ctx, sem, "make_async_copy: the semaphore"),
    )


def async_copy(ctx: Builder, src_ref: object, dst_ref: object, sem: object, *, priority: object = 0,
               add: object = False) -> AsyncCopy:  # fmt: skip
    """`pltpu.async_copy`: described and started."""
    copy = make_async_copy(ctx, src_ref, dst_ref, sem)
    _start(ctx, copy, priority, add=add)
    return copy


def sync_copy(ctx: Builder, src_ref: object, dst_ref: object, *, add: object = False) -> None:
    """`pltpu.sync_copy`: copies started and waited for under a semaphore of their own."""
    sources, tree = flatten(src_ref)
    targets, other = flatten(dst_ref)
    if tree != other:
        ctx.fail("T202", "pltpu.sync_copy: source and destination have different structures")
    if not sources:
        return

    def body(sem: RefTracer) -> None:
        copies = [make_async_copy(ctx, a, b, sem) for a, b in zip(sources, targets, strict=True)]
        for copy in copies:
            _start(ctx, copy, add=add)
        for copy in copies:
            _wait(ctx, copy)

    run_scoped(ctx, body, ScratchType((), DMA_SEM, MemorySpace.SEMAPHORE))


def _semaphore(ctx: Builder, prim: Prim, semaphore: object, amount: object, what: str) -> None:
    target = a_ref(ctx, semaphore, f"{what}: the semaphore")
    value = convert(ctx, operand(ctx, amount, f"{what}: the amount"), I32)
    dynamic: list[Tracer] = []
    transforms = ctx.transforms(target, dynamic, 2)
    ctx.lift([target, *dynamic, value])
    ctx.emit(prim, [target, value, *dynamic], {"transforms": transforms})


def semaphore_signal(ctx: Builder, sem_or_view: object, inc: object = 1, *, device_id: object = None,
                     device_id_type: object = None, core_index: object = None) -> None:  # fmt: skip
    """`pl.semaphore_signal`, on this device."""
    refuse(ctx, "pl.semaphore_signal", device_id=device_id, core_index=core_index)
    _semaphore(ctx, Prim.SEMAPHORE_SIGNAL, sem_or_view, inc, "pl.semaphore_signal")


def semaphore_wait(ctx: Builder, sem_or_view: object, value: object = 1, *, decrement: object = True) -> None:
    """`pl.semaphore_wait`, which takes the amount off."""
    if decrement is not True:
        ctx.fail("T216", "pl.semaphore_wait: decrement=False is not supported here")
    _semaphore(ctx, Prim.SEMAPHORE_WAIT, sem_or_view, value, "pl.semaphore_wait")


def semaphore_read(ctx: Builder, sem_or_view: object) -> Tracer:
    """`pl.semaphore_read`: the count."""
    target = a_ref(ctx, sem_or_view, "pl.semaphore_read: the semaphore")
    dynamic: list[Tracer] = []
    transforms = ctx.transforms(target, dynamic, 1)
    return ctx.emit1(Prim.SEMAPHORE_READ, [target, *dynamic], {"transforms": transforms})


# scratch types


class ScratchType:
    """`pltpu.VMEM(shape, dtype)`: what `pl.run_scoped` allocates."""

    __slots__ = ("ref_aval",)

    def __init__(self, shape: tuple[int, ...], dtype: DType, space: MemorySpace) -> None:
        self.ref_aval = RefAval(ShapedArray(shape, dtype), space)


class SemaphoreKind(Function):
    """`pltpu.SemaphoreType.DMA`: one semaphore as it is; called with a shape, an array of them."""

    __slots__ = ("ref_aval",)

    def __init__(self, name: str, kind: DType) -> None:
        def make(ctx: Builder, shape: object) -> ScratchType:
            return ScratchType(static_shape(ctx, shape, name), kind, MemorySpace.SEMAPHORE)

        super().__init__(name, make)
        self.ref_aval = RefAval(ShapedArray((), kind), MemorySpace.SEMAPHORE)


DMA_SEMAPHORE = SemaphoreKind("pltpu.SemaphoreType.DMA", DMA_SEM)
REGULAR_SEMAPHORE = SemaphoreKind("pltpu.SemaphoreType.REGULAR", SEM)


class MemoryKind(Function):
    """`pltpu.VMEM`, `pltpu.SMEM`, ..: a memory space, which makes scratch types when called."""

    __slots__ = ("space",)

    def __init__(self, space: MemorySpace) -> None:
        what = f"pltpu.{space.name}"

        def make(ctx: Builder, shape: object, dtype: object) -> ScratchType:
            wanted = as_dtype(ctx, dtype, what)
            return ScratchType(static_shape(ctx, shape, what), wanted, space)

        super().__init__(what, make)
        self.space = space
