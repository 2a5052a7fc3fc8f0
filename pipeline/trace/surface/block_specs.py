"""`pl.BlockSpec` and `pl.Buffered` inside a kernel, and the door to `pltpu.emit_pipeline`, which few kernels need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeline.ir.jaxpr import MemorySpace
from pipeline.trace.builder import Builder, Tracer, kind_of
from pipeline.trace.surface.common import Bound, refuse, static_int


class Buffered:
    """`pl.Buffered(n)`: how many buffer slots a window has."""

    __slots__ = ("buffer_count",)

    def __init__(self, buffer_count: int) -> None:
        self.buffer_count = buffer_count


class BlockSpec:
    """`pl.BlockSpec`: the block of an operand and the index map to it. An entry None of `block` drops its dimension."""

    __slots__ = ("block", "buffer_count", "index_map", "space")

    def __init__(
        self,
        block: tuple[int | None, ...] | None,
        index_map: Callable[..., Any] | None,
        space: MemorySpace | None,
        buffer_count: int | None,
    ) -> None:
        self.block = block
        self.index_map = index_map
        self.space = space
        self.buffer_count = buffer_count


def buffered(ctx: Builder, buffer_count: object, use_lookahead: object = False) -> Buffered:
    """`pl.Buffered(buffer_count)`."""
    refuse(ctx, "pl.Buffered", use_lookahead=use_lookahead)
    count = static_int(ctx, buffer_count, "pl.Buffered: the count")
    if count < 1:
        ctx.fail("T202", f"pl.Buffered: {count} buffer slots, where at least 1 is needed")
    return Buffered(count)


def block_spec(ctx: Builder, block_shape: object = None, index_map: object = None, *, memory_space: object = None,
               pipeline_mode: object = None) -> BlockSpec:  # fmt: skip
    """`pl.BlockSpec(block_shape, index_map)`."""
    what = "pl.BlockSpec"
    block: tuple[int | None, ...] | None = None
    if block_shape is not None:
        if not isinstance(block_shape, tuple | list):
            ctx.fail("T202", f"{what}: the block shape is {kind_of(block_shape)}, where a tuple is needed")
        block = tuple(None if size is None else static_int(ctx, size, f"{what}: a size") for size in block_shape)
        if any(size is not None and size < 1 for size in block):
            ctx.fail("T204", f"{what}: block shape {list(block)} has a size that is not positive")
    if index_map is not None and (not callable(index_map) or isinstance(index_map, Tracer)):
        ctx.fail("T202", f"{what}: the index map is {kind_of(index_map)}, where a function is needed")
    # pltpu.VMEM is a function that makes scratch types, and knows its space
    space = getattr(memory_space, "space", memory_space)
    if space is not None and not isinstance(space, MemorySpace):
        ctx.fail("T202", f"{what}: {kind_of(memory_space)} is no memory space", "use pltpu.VMEM, pltpu.SMEM or pl.ANY")
    if pipeline_mode is not None and not isinstance(pipeline_mode, Buffered):
        ctx.fail("T202", f"{what}: pipeline_mode is {kind_of(pipeline_mode)}", "use pl.Buffered(count)")
    return BlockSpec(block, index_map, space, None if pipeline_mode is None else pipeline_mode.buffer_count)


def emit_pipeline(ctx: Builder, body: object, *, grid: object, in_specs: object = (), out_specs: object = (),
                  tiling: object = None, core_axis: object = None, core_axis_name: object = None,
                  dimension_semantics: object = None, trace_scopes: object = True,
                  no_pipelining: object = False) -> Bound:  # fmt: skip
    """`pltpu.emit_pipeline(body, grid=.., in_specs=.., out_specs=..)`: called with refs, it pipelines their blocks.

    `dimension_semantics` matters only for a grid split over cores, which is not supported.
    """
    from pipeline.trace.surface.emit_pipeline import make  # here: most kernels don't need it

    refuse(ctx, "pltpu.emit_pipeline", tiling=tiling, core_axis=core_axis, core_axis_name=core_axis_name,
           no_pipelining=no_pipelining)  # fmt: skip
    return make(ctx, body, grid, in_specs, out_specs, dimension_semantics, trace_scopes)
