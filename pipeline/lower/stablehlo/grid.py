"""The grid as a loop, and the windows through which it sees the operands: one block of each a step.

An operand is padded before the loop to whole blocks, with NaN (the smallest integer, false), and an output cut back
after it. Each step slices the operands' blocks at the starts that the index maps give, and puts the blocks that it
stored to back in place. A start out of range wraps, if negative, and is clamped so that the block
fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from pipeline.dtypes import I32, I64
from pipeline.ir.call import BlockDim, Blocked, Element, Operand, Squeezed
from pipeline.ir.jaxpr import Literal
from pipeline.ir.module import Value
from pipeline.lower.stablehlo.context import Cell, LowerContext
from pipeline.lower.stablehlo.starts import wrapped
from pipeline.lower.stablehlo.types import tensor

Starts = dict[tuple[Value, int], Value]  # a block's index along an axis and its size -> its first element


class Edge(NamedTuple):
    """What is added to an axis before the loop, in elements."""

    low: int
    high: int


class Window:
    """An operand's array, padded, and the block of it that the body sees. Without a block, the body sees the array."""

    def __init__(self, ctx: LowerContext, operand: Operand, initial: Value | None) -> None:
        self.ctx = ctx
        self.operand = operand
        self.dims: tuple[BlockDim, ...] = operand.block or ()
        self.sizes = tuple(1 if isinstance(dim, Squeezed) else dim.size for dim in self.dims)
        shape, dtype = operand.array.shape, operand.array.dtype
        self.edges = [Edge(0, 0)] * len(shape)
        if operand.block is not None:
            self.edges = [_edge(dim, n) for dim, n in zip(self.dims, shape, strict=True)]
        low, high = [edge.low for edge in self.edges], [edge.high for edge in self.edges]
        padded = tuple(n + edge.low + edge.high for n, edge in zip(shape, self.edges, strict=True))
        value = ctx.unset(padded, dtype) if initial is None else initial
        if initial is not None and padded != shape:
            value = ctx.pad(initial, ctx.unset((), dtype), low, high)
        self.array = Cell(padded, dtype, value)
        self.block = self.array if operand.block is None else Cell(operand.ref.shape, dtype, None)
        self.starts: list[Value] = []

    @property
    def is_whole(self) -> bool:
        """Whether the one block is the whole array, in every step."""
        index_map = self.operand.index_map
        return self.sizes == self.array.shape and (
            index_map is None or all(isinstance(out, Literal) and out.value == 0 for out in index_map.outvars)
        )

    def enter(self, program_ids: Sequence[Value], prefetch: Sequence[Cell], starts: Starts) -> None:
        """Bring this step's block in. `starts` are those that other windows have computed, to be used again."""
        if self.operand.block is None:
            return
        ctx = self.ctx
        ctx.span = self.operand.index_map_span
        block = self.array.get()
        if not self.is_whole:
            index_map = self.operand.index_map
            assert index_map is not None
            places = ctx.inline(index_map, (*program_ids, *prefetch))
            ctx.span = self.operand.index_map_span
            self.starts = [
                ctx.integer(int(out.value) * _stride(dim))
                if isinstance(out, Literal)
                else self._start(dim, place, n, starts)
                for dim, place, n, out in zip(self.dims, places, self.array.shape, index_map.outvars, strict=True)
            ]
            block = ctx.dynamic_slice(block, self.starts, self.sizes)
        self.block.value = ctx.reshape(block, self.operand.ref.shape)

    def _start(self, dim: BlockDim, place: Value, size: int, starts: Starts) -> Value:
        """Along one axis of `size` elements."""
        ctx = self.ctx
        stride = _stride(dim)
        key = (place, stride)
        if key not in starts:
            index = ctx.convert(place, I32)
            if stride != 1:
                index = ctx.emit("multiply", (index, ctx.integer(stride)), index.type)
            starts[key] = index
        return wrapped(ctx, starts[key], size)

    def leave(self) -> None:
        """Put the block back."""
        if self.operand.block is None:
            return
        ctx = self.ctx
        ctx.span = self.operand.span
        block = ctx.reshape(self.block.get(), self.sizes)
        self.array.value = block if self.is_whole else ctx.update_slice(self.array.get(), block, self.starts)

    def result(self) -> Value:
        """The array without its padding."""
        starts = [edge.low for edge in self.edges]
        limits = [start + n for start, n in zip(starts, self.operand.array.shape, strict=True)]
        return self.ctx.slice(self.array.get(), starts, limits)


def _stride(dim: BlockDim) -> int:
    """Elements from one index to the next."""
    return dim.size if isinstance(dim, Blocked) else 1


def _edge(dim: BlockDim, n: int) -> Edge:
    match dim:
        case Blocked(size):
            return Edge(0, -n % size)
        case Squeezed():
            return Edge(0, 0)
        case Element(size, (low, high)):
            return Edge(low, max(high, size - n - low))


class Loop:
    """The loop over all steps of a grid: a count of steps, then the program id of each axis, the last one fastest."""

    def __init__(self, ctx: LowerContext) -> None:
        self.ctx = ctx
        self.steps = prod(ctx.grid)
        self.counter = tensor((), I32 if self.steps < 1 << 31 else I64)

    def start(self) -> list[Value]:
        return [self.ctx.constant(0, self.counter), *(self.ctx.integer(0) for _ in self.ctx.grid)]

    def test(self, state: tuple[Value, ...]) -> Value:
        return self.ctx.compare("LT", state[0], self.ctx.constant(self.steps, self.counter), I32)

    def following(self, state: tuple[Value, ...]) -> list[Value]:
        """Counter and program ids of the next step: an id that reaches its end starts anew and moves the next axis."""
        ctx = self.ctx
        step, *ids = state
        moved: list[Value] = []
        carry: Value | None = None
        for axis in range(len(ids) - 1, -1, -1):
            here = ids[axis]
            further = ctx.emit("add", (here, ctx.integer(1)), here.type)
            if carry is not None:
                further = ctx.emit("select", (carry, further, here), here.type)
            if axis:
                carry = ctx.compare("EQ", further, ctx.integer(ctx.grid[axis]), I32)
                further = ctx.emit("select", (carry, ctx.integer(0), further), here.type)
            moved.append(further)
        return [ctx.emit("add", (step, ctx.constant(1, self.counter)), step.type), *reversed(moved)]
