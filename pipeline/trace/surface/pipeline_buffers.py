"""The windows of `pltpu.emit_pipeline`: buffer slots in fast memory, their semaphores and the copies between.

What is emitted, and in which order, is what JAX 0.10.2 traces, down to additions of 0.
"""

from __future__ import annotations

from typing import Any

from pipeline.dtypes import DMA_SEM, U32
from pipeline.ir.jaxpr import MemorySpace, Prim, RefAval, ShapedArray
from pipeline.trace.builder import Builder, PendingSlice, RefTracer, Tracer, kind_of
from pipeline.trace.surface import async_copy, operators, refs, select
from pipeline.trace.surface.block_specs import BlockSpec
from pipeline.trace.surface.common import literal
from pipeline.trace.surface.grid import multiple_of
from pipeline.trace.types.tiles import tiles

Number = int | Tracer
Indices = tuple[Number, ...]
Flag = bool | Tracer
SLOTS = ("copy_in", "wait_in", "copy_out", "wait_out")


def op(ctx: Builder, sign: str, left: Any, right: Any) -> Any:
    """`left sign right`: Python's own where neither is traced."""
    traced = isinstance(left, Tracer) or isinstance(right, Tracer)
    match sign:
        case "==" | "!=" | ">=" | "<":
            if traced:
                return operators.compare(ctx, sign, left, right)
            return {"==": left == right, "!=": left != right, ">=": left >= right, "<": left < right}[sign]
        case _:
            if traced:
                return operators.binary(ctx, sign, left, right)
            return {
                "+": lambda: left + right,
                "-": lambda: left - right,
                "*": lambda: left * right,
                "&": lambda: left & right,
                "|": lambda: left | right,
            }[sign]()


def differ(ctx: Builder, a: Indices, b: Indices) -> Flag:
    """Whether two tuples of block indices differ anywhere."""
    unequal = [op(ctx, "!=", x, y) for x, y in zip(a, b, strict=True)]
    out: Flag = False
    for one in unequal:
        out = op(ctx, "|", out, one)
    return out


class Buffer:
    """One operand's window. Slots count copies from 0 and never wrap; their remainder is the buffer slot.

    A window in the operand's own memory space is a view of the operand (`count` is 0 then); one as large as the
    operand that never moves (`trivial`) is filled before the loop and emptied after it.
    """

    __slots__ = ("aliased", "count", "is_input", "recv", "send", "slots", "spec", "trivial", "window")

    def __init__(self, spec: BlockSpec, is_input: bool, count: int, trivial: bool, aliased: bool) -> None:
        self.spec = spec
        self.is_input = is_input
        self.count = 0 if aliased else count
        self.trivial = trivial
        self.aliased = aliased
        self.window: RefTracer | None = None
        self.recv: RefTracer | None = None
        self.send: RefTracer | None = None
        self.slots: dict[str, Tracer] = {}

    def allocations(self, ref: RefTracer) -> dict[str, RefAval]:
        """The refs this window needs, by the attribute that holds each."""
        if self.aliased:
            return {}
        space = buffer_space(self.spec)
        if self.trivial:
            return {"window": RefAval(ref.aval.inner, space)}
        block = self._kept_sizes()
        shape = (self.count * block[0],) if len(block) == 1 else (self.count, *block)
        semaphores = RefAval(ShapedArray((self.count,), DMA_SEM), MemorySpace.SEMAPHORE)
        return {
            "window": RefAval(ShapedArray(shape, ref.dtype), space),
            "recv" if self.is_input else "send": semaphores,
        }

    def fresh(self) -> Buffer:
        """This window for another scope: without refs and slots."""
        return Buffer(self.spec, self.is_input, self.count, self.trivial, self.aliased)

    def initialize_slots(self, ctx: Builder) -> None:
        for name in SLOTS:
            if name.endswith("_in") == self.is_input:
                slot = literal(0, U32)
                ctx.settle(slot)
                self.slots[name] = slot

    def carry(self) -> list[tuple[str, RefTracer | Tracer]]:
        """What a loop carries of this window, in the order of JAX's fields."""
        items: list[tuple[str, RefTracer | Tracer]] = []
        if self.window is not None and not self.aliased:
            items.append(("window", self.window))
        items += [(name, self.slots[name]) for name in SLOTS if name in self.slots]
        items += [(name, ref) for name, ref in (("recv", self.recv), ("send", self.send)) if ref is not None]
        return items

    def put(self, name: str, value: RefTracer | Tracer) -> None:
        if isinstance(value, RefTracer):
            setattr(self, name, value)
        else:
            self.slots[name] = value

    def advance(self, ctx: Builder, name: str, predicate: Flag) -> None:
        if self.count == 0 or name.endswith("_in") != self.is_input:
            return
        slot = self.slots[name]
        self.slots[name] = select.lax_select(ctx, predicate, op(ctx, "+", slot, 1), slot)

    def _slot(self, ctx: Builder, name: str) -> Tracer:
        return ctx.emit1(Prim.REM, [self.slots[name], literal(self.count, U32)])

    # indices

    def indices(self, ctx: Builder, grid_indices: Indices) -> Indices:
        """Block indices of the operand at a grid point."""
        block, index_map = self.spec.block, self.spec.index_map
        assert block is not None
        if index_map is None:
            ctx.fail("T201", "pltpu.emit_pipeline: a BlockSpec whose block is not the whole operand needs an index map")
        found = index_map(*grid_indices)
        if not isinstance(found, tuple | list) or len(found) != len(block):
            ctx.fail("T204", f"pltpu.emit_pipeline: an index map returns {kind_of(found)}, where a tuple of "
                     f"{len(block)} block indices is needed")  # fmt: skip
        for one in found:
            scalar = one.shape == () and one.dtype.is_integer if isinstance(one, Tracer) else type(one) is int
            if not scalar:
                ctx.fail("T202", f"pltpu.emit_pipeline: an index map returns {kind_of(one)} as a block index")
        return tuple(found)

    def _kept_sizes(self) -> list[int]:
        assert self.spec.block is not None
        return [size for size in self.spec.block if size is not None]

    def bind(self, ctx: Builder, ref: RefTracer, grid_indices: Indices) -> None:
        """Point an aliased window at its block of the operand."""
        if not self.aliased:
            return
        if self.trivial:
            self.window = ref
            return
        assert self.spec.block is not None
        index = tuple(
            at if size is None else refs.ds(ctx, op(ctx, "*", at, size), size)
            for size, at in zip(self.spec.block, self.indices(ctx, grid_indices), strict=True)
        )
        self.window = refs.view(ctx, ref, index)

    def _source_slice(self, ctx: Builder, ref: RefTracer, grid_indices: Indices) -> tuple[object, ...]:
        """The index of the operand's block; the last block of an uneven dimension ends with its last tile."""
        assert self.spec.block is not None
        found = self.indices(ctx, grid_indices)
        sizes = tiles(ref.shape, ref.dtype)
        parts = zip(found, self.spec.block, ref.shape, sizes, strict=True)
        return tuple(at if size is None else _part(ctx, at, size, whole, tile) for at, size, whole, tile in parts)

    def _window_slice(self, ctx: Builder, source: tuple[object, ...]) -> tuple[PendingSlice, ...]:
        return tuple(PendingSlice(0, one.size) for one in source if isinstance(one, PendingSlice))

    def _at(self, ctx: Builder, slot: Tracer, part: tuple[PendingSlice, ...] | None = None) -> RefTracer:
        window = self.window
        assert window is not None
        if window.ndim > 1:
            return refs.view(ctx, window, (slot, *(part or ())))
        size = window.shape[0] // self.count
        start = op(ctx, "*", slot, size)
        if part is None:
            return refs.view(ctx, window, refs.ds(ctx, start, size))
        (one,) = part
        return refs.view(ctx, window, PendingSlice(op(ctx, "+", start, one.start), one.size))

    def current(self, ctx: Builder) -> RefTracer:
        """What the body sees."""
        assert self.window is not None
        if self.count == 0 or self.trivial:
            return self.window
        return self._at(ctx, self._slot(ctx, "wait_in" if self.is_input else "copy_out"))

    # copies

    def copy_in(self, ctx: Builder, ref: RefTracer, grid_indices: Indices) -> None:
        if self.count == 0:
            return
        assert self.recv is not None
        slot = self._slot(ctx, "copy_in")
        source = self._source_slice(ctx, ref, grid_indices)
        target = self._at(ctx, slot, self._window_slice(ctx, source))
        async_copy.async_copy(ctx, refs.view(ctx, ref, source), target, refs.view(ctx, self.recv, slot))

    def wait_in(self, ctx: Builder, ref: RefTracer, grid_indices: Indices) -> None:
        if self.count == 0:
            return
        assert self.recv is not None
        source = self._source_slice(ctx, ref, grid_indices)
        slot = self._slot(ctx, "wait_in")
        target = self._at(ctx, slot, self._window_slice(ctx, source))
        _wait(ctx, refs.view(ctx, ref, source), target, refs.view(ctx, self.recv, slot))

    def copy_out(self, ctx: Builder, ref: RefTracer, grid_indices: Indices) -> None:
        if self.count == 0:
            return
        assert self.send is not None
        slot = self._slot(ctx, "copy_out")
        target = self._source_slice(ctx, ref, grid_indices)
        source = self._at(ctx, slot, self._window_slice(ctx, target))
        if self.count == 1:
            async_copy.sync_copy(ctx, source, refs.view(ctx, ref, target))
        else:
            async_copy.async_copy(ctx, source, refs.view(ctx, ref, target), refs.view(ctx, self.send, slot))

    def wait_out(self, ctx: Builder, ref: RefTracer, grid_indices: Indices) -> None:
        if self.count == 0:
            return
        assert self.send is not None
        slot = self._slot(ctx, "wait_out")
        target = self._source_slice(ctx, ref, grid_indices)
        part = self._window_slice(ctx, target)
        if self.count > 1:
            source = self._at(ctx, slot, part)
            _wait(ctx, source, refs.view(ctx, ref, target), refs.view(ctx, self.send, slot))


def buffer_space(spec: BlockSpec) -> MemorySpace:
    """Where a window lives; `pl.ANY` is HBM on a TPU."""
    if spec.space is None:
        return MemorySpace.VMEM
    return MemorySpace.HBM if spec.space is MemorySpace.ANY else spec.space


def _wait(ctx: Builder, source: RefTracer, target: RefTracer, semaphore: RefTracer) -> None:
    copy = async_copy.make_async_copy(ctx, source, target, semaphore)
    async_copy.AsyncCopy.METHODS["wait"](ctx, copy)


def _part(ctx: Builder, at: Number, size: int, whole: int, tile: int) -> object:
    """Block `at` of a dimension of `whole` elements in blocks of `size`."""
    start = op(ctx, "*", size, at)
    rest = whole % size
    if rest == 0:
        return refs.ds(ctx, start, size)
    if size % tile:
        ctx.fail("T204", f"pltpu.emit_pipeline: blocks of {size} do not divide the {whole} elements of a dimension and "
                 f"are no multiple of its tile of {tile}", f"use blocks of a multiple of {tile}")  # fmt: skip
    is_last = op(ctx, "==", at, -(-whole // size) - 1)
    rounded = -(-rest // tile) * tile
    sizes = multiple_of(ctx, select.where_call(ctx, is_last, rounded, size), tile)
    return PendingSlice(op(ctx, "*", at, size), sizes)
