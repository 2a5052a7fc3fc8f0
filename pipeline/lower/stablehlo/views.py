"""Refs with transforms, on tensors: what a view shows, and the tensor that a store through it leaves.

As in JAX: a negative start counts from the end, and a slice is moved so that it fits; nothing is detected. An indexer
with integer arrays, or with strides from a traced start, is a gather, and a scatter when stored to: each of its
positions that is out of range reads the nearest element, and stores nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import BOOL, BY_NAME, I32, DType
from pipeline.ir.jaxpr import Arg, Eqn, NDIndexer, RefBitcast, RefReshape, Slice, Transform
from pipeline.ir.module import Raw, TensorType, Value
from pipeline.lower.equations import Unsupported
from pipeline.lower.stablehlo.context import LowerContext, Operand, like, shape_of
from pipeline.lower.stablehlo.elementwise import bitcast_rows
from pipeline.lower.stablehlo.gather import take
from pipeline.lower.stablehlo.starts import wrapped
from pipeline.lower.stablehlo.types import tensor


class View:
    """A chain of transforms of one equation; `operands` are all of the equation's."""

    def __init__(self, ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand], dtype: DType, param: str) -> None:
        transforms = eqn.param(param)
        assert isinstance(transforms, tuple)
        self.ctx = ctx
        self.operands = operands
        self.dtype = dtype
        self.chain: tuple[Transform, ...] = tuple(
            t for t in transforms if isinstance(t, (NDIndexer, RefReshape, RefBitcast))
        )
        self.bounds: tuple[int, ...] | None = None  # of the view's axes, where a slice has a traced size

    @property
    def sizes(self) -> tuple[int | None, ...] | None:
        """Sizes of the view's axes, None for a traced one; None where there is no such axis."""
        slices = [i for t in self.chain if isinstance(t, NDIndexer) for i in t.indices if isinstance(i, Slice)]
        if all(isinstance(index.size, int) for index in slices):
            return None
        last = self.last
        inner = [i for t in self.chain[:-1] if isinstance(t, NDIndexer) for i in t.indices]
        if last is None or any(self._is_array(i) or (isinstance(i, Slice) and isinstance(i.size, Arg)) for i in inner):
            raise Unsupported("L103", "a slice of traced size that is transformed further has no StableHLO form")
        kept = [index for index in last.indices if isinstance(index, Slice)]
        return tuple(index.size if isinstance(index.size, int) else None for index in kept)

    @property
    def last(self) -> NDIndexer | None:
        """The indexer that ends the chain."""
        return self.chain[-1] if self.chain and isinstance(self.chain[-1], NDIndexer) else None

    def shape_before_last(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Shape of what the last transform is applied to, for a ref of `shape`."""
        for transform in self.chain[:-1]:
            if isinstance(transform, NDIndexer):
                shape = tuple(_static(index.size) for index in transform.indices if isinstance(index, Slice))
            else:
                shape = transform.shape
        return shape

    def load(self, data: Value) -> Value:
        """What the view shows of `data`."""
        return self._load_chain(data, self.chain)

    def _load_chain(self, data: Value, chain: tuple[Transform, ...]) -> Value:
        dtype = self.dtype
        for transform in chain:
            data = self._load(data, transform, dtype)
            dtype = transform.dtype if isinstance(transform, RefBitcast) else dtype
        return data

    @property
    def seen_dtype(self) -> DType:
        """Dtype of what the view shows."""
        return next((t.dtype for t in reversed(self.chain) if isinstance(t, RefBitcast)), self.dtype)

    def store(self, data: Value, value: Value, mask: Value | None = None) -> Value:
        """`data` after a store of `value` through the view, where the mask is set.

        What lies beside it is moved as integers where the view is of narrow floats of another ref's bits: XLA makes
        signalling NaNs of these quiet.
        """
        chain = tuple(_as_bits(transform) for transform in self.chain)
        if any(bits is not transform for bits, transform in zip(chain, self.chain, strict=True)):
            seen = _as_bits(RefBitcast(self.seen_dtype, ()))
            assert isinstance(seen, RefBitcast)
            if seen.dtype is not self.seen_dtype:
                value = self.ctx.emit("bitcast_convert", (value,), tensor(shape_of(value), seen.dtype))
        if mask is not None:
            shown = self._load_chain(data, chain)
            value = self.ctx.emit("select", (mask, value, shown), shown.type)
        return self._store(data, value, chain, self.dtype)

    @property
    def names_elements(self) -> bool:
        """Whether the view ends in arrays of indices, which may name an element several times."""
        return self.last is not None and any(map(self._is_array, self.last.indices))

    def add(self, data: Value, value: Value) -> Value:
        """`data` with `value` added to the elements that the view's arrays of indices name, each time they do."""
        return self._store(data, value, self.chain, self.dtype, adds=True)

    def _store(
        self, data: Value, value: Value, chain: tuple[Transform, ...], dtype: DType, adds: bool = False
    ) -> Value:
        if not chain:
            return value
        first, *rest = chain
        if rest:
            inner = self._load(data, first, dtype)
            inner_dtype = first.dtype if isinstance(first, RefBitcast) else dtype
            value = self._store(inner, value, tuple(rest), inner_dtype, adds)
        match first:
            case RefReshape():
                return self.ctx.reshape(value, shape_of(data))
            case RefBitcast(inner_dtype):
                return bitcast_rows(self.ctx, value, inner_dtype, dtype)
            case NDIndexer():
                return self._put(data, value, first, dtype, adds and not rest)

    def _load(self, data: Value, transform: Transform, dtype: DType) -> Value:
        match transform:
            case RefReshape(shape):
                return self.ctx.reshape(data, shape)
            case RefBitcast(to):
                return bitcast_rows(self.ctx, data, dtype, to)
            case NDIndexer():
                return self._take(data, transform)

    # --- one indexer ----------------------------------------------------------------------------------------------

    def _is_array(self, index: object) -> bool:
        return isinstance(index, Arg) and shape_of(self._value(index)) != ()

    def _is_bound(self, indexer: NDIndexer) -> bool:
        return self.bounds is not None and indexer is self.last

    def _gathers(self, indexer: NDIndexer) -> bool:
        """Whether single positions are looked up, rather than a slice cut out."""
        indices = indexer.indices
        strided = any(isinstance(index, Slice) and index.stride != 1 for index in indices)
        traced = any(isinstance(index, Slice) and isinstance(index.start, Arg) for index in indices)
        return self._is_bound(indexer) or (strided and traced) or any(map(self._is_array, indices))

    def _value(self, index: Arg) -> Value:
        return self.ctx.value(self.operands[index.position])

    def _take(self, data: Value, indexer: NDIndexer) -> Value:
        if self._gathers(indexer):
            index, axes, offsets, out = self._positions(data, indexer)
            return take(self.ctx, data, index, axes, offsets, out)
        cut = _Cut(self, indexer)
        shown = cut.span(data)
        if any(stride != 1 for stride in cut.strides):
            shown = self.ctx.slice(shown, [0] * len(cut.spans), cut.spans, cut.strides)
        return self.ctx.reshape(shown, cut.shape)

    def _put(self, data: Value, value: Value, indexer: NDIndexer, dtype: DType, adds: bool) -> Value:
        ctx = self.ctx
        if self._gathers(indexer):
            return self._scatter(data, value, indexer, adds)
        cut = _Cut(self, indexer)
        block = ctx.reshape(value, cut.sizes)
        if any(stride != 1 for stride in cut.strides):
            block = _interleave(ctx, cut.span(data), block, cut.strides, dtype)
        if cut.spans == shape_of(data):
            return block
        return ctx.update_slice(data, block, cut.start_values(data))

    def _positions(
        self, data: Value, indexer: NDIndexer, drop: bool = False
    ) -> tuple[Value, tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """For an indexer with arrays: index tensor, axes it indexes, the result's axes that are whole, its shape.

        `drop`: positions out of range, or past a traced size, are outside `data`, where a scatter stores nothing.
        """
        ctx = self.ctx
        shape = shape_of(data)
        arrays: tuple[int, ...] = ()
        for index in indexer.indices:
            if isinstance(index, Arg) and self._is_array(index):
                arrays = shape_of(self._value(index))
        for index in indexer.indices:
            if isinstance(index, Arg) and self._is_array(index):
                arrays = tuple(max(pair) for pair in zip(arrays, shape_of(self._value(index)), strict=True))
        dropped = [axis for axis, index in enumerate(indexer.indices) if not isinstance(index, Slice)]
        together = not dropped or dropped == list(range(dropped[0], dropped[-1] + 1))
        at = dropped[0] if dropped and together else 0
        kept = [index for index in indexer.indices if isinstance(index, Slice)]
        sizes = list(self.bounds or ()) if self._is_bound(indexer) else [_static(index.size) for index in kept]
        out = (*sizes[:at], *arrays, *sizes[at:])
        places = [d for d in range(len(out)) if not at <= d < at + len(arrays)]  # of the kept axes
        whole: list[int] = []
        indexed: list[tuple[int, int]] = []  # axis, axis of the result (-1: none)
        order = iter(places)
        for axis, index in enumerate(indexer.indices):
            place = next(order) if isinstance(index, Slice) else -1
            if isinstance(index, Slice) and index.start == 0 and index.size == shape[axis] and index.stride == 1:
                whole.append(place)
            else:
                indexed.append((axis, place))
        batch = [d for d in range(len(out)) if d not in whole]
        batch_shape = tuple(out[d] for d in batch)
        columns = []
        for axis, place in indexed:
            index = indexer.indices[axis]
            if isinstance(index, Slice):
                column = self._counting(index, batch_shape, batch.index(place))
            elif self._is_array(index):
                assert isinstance(index, Arg)
                dims = tuple(batch.index(at + d) for d in range(len(arrays)))
                column = ctx.broadcast(ctx.convert(self._value(index), I32), batch_shape, dims)
            else:
                column = ctx.broadcast(self._scalar(index), batch_shape)
            column = wrapped(ctx, column, shape[axis])
            if not drop:
                low, high = ctx.integer(0), ctx.integer(shape[axis] - 1)
                limits = [ctx.broadcast(limit, batch_shape) for limit in (low, high)]
                column = ctx.emit("clamp", (limits[0], column, limits[1]), column.type)
            elif isinstance(index, Slice) and isinstance(index.size, Arg):
                count = ctx.iota(batch_shape, batch.index(place))
                inside = ctx.compare("LT", count, ctx.broadcast(self._scalar(index.size), batch_shape), I32)
                beyond = ctx.constant(shape[axis], like(column, batch_shape))
                column = ctx.emit("select", (inside, column, beyond), column.type)
            columns.append(ctx.reshape(column, (*batch_shape, 1)))
        index_tensor = columns[0] if len(columns) == 1 else ctx.concatenate(columns, len(batch_shape))
        return index_tensor, tuple(axis for axis, _ in indexed), tuple(whole), out

    def _counting(self, index: Slice, shape: tuple[int, ...], axis: int) -> Value:
        ctx = self.ctx
        column = ctx.iota(shape, axis)
        if index.stride != 1:
            column = ctx.emit("multiply", (column, ctx.constant(index.stride, like(column, shape))), column.type)
        return ctx.emit("add", (column, ctx.broadcast(self._scalar(index.start), shape)), column.type)

    def _scalar(self, index: object) -> Value:
        """A scalar index as i32."""
        if isinstance(index, int):
            return self.ctx.integer(index)
        assert isinstance(index, Arg)
        return self.ctx.convert(self._value(index), I32)

    def _scatter(self, data: Value, value: Value, indexer: NDIndexer, adds: bool) -> Value:
        """The last of several stores to one element stays; of several additions all count."""
        ctx = self.ctx
        index, axes, offsets, _ = self._positions(data, indexer, drop=True)
        assert isinstance(data.type, TensorType)
        scalar = TensorType((), data.type.element)
        old, new = Value(scalar), Value(scalar)
        region = ctx.region((old, new), lambda: (ctx.emit("add", (old, new), scalar) if adds else new,))
        fields = (
            ("update_window_dims", offsets),
            ("inserted_window_dims", axes),
            ("scatter_dims_to_operand_dims", axes),
        )
        parts = [f"{name} = {list(dims)}" for name, dims in fields if dims]
        numbers = f"#stablehlo.scatter<{', '.join([*parts, f'index_vector_dim = {len(shape_of(index)) - 1}'])}>"
        attrs = (
            ("indices_are_sorted", False),
            ("scatter_dimension_numbers", Raw(numbers)),
            ("unique_indices", False),
        )
        return ctx.emit("scatter", (data, index, value), data.type, attrs, (region,))


class _Cut:
    """An indexer of scalars and slices as starts, sizes, strides; `spans` are what the slices stretch over."""

    def __init__(self, view: View, indexer: NDIndexer) -> None:
        self.view = view
        self.starts: list[object] = []
        sizes, strides, shape = [], [], []
        for index in indexer.indices:
            if isinstance(index, Slice):
                size = _static(index.size)
                shape.append(size)
                self.starts.append(index.start)
                strides.append(index.stride)
            else:
                size = 1
                self.starts.append(index)
                strides.append(1)
            sizes.append(size)
        self.sizes, self.strides, self.shape = tuple(sizes), tuple(strides), tuple(shape)
        self.spans = tuple((n - 1) * s + 1 if n else 0 for n, s in zip(sizes, strides, strict=True))

    def start_values(self, data: Value) -> list[Value]:
        ctx, scalar = self.view.ctx, self.view._scalar
        return [wrapped(ctx, scalar(start), n) for start, n in zip(self.starts, shape_of(data), strict=True)]

    def span(self, data: Value) -> Value:
        ctx = self.view.ctx
        static = [start for start in self.starts if isinstance(start, int)]
        if len(static) < len(self.starts):
            return ctx.dynamic_slice(data, self.start_values(data), self.spans)
        return ctx.slice(data, static, [a + n for a, n in zip(static, self.spans, strict=True)])


def _interleave(ctx: LowerContext, old: Value, new: Value, strides: tuple[int, ...], dtype: DType) -> Value:
    """`old` with `new` in every `strides`-th place."""
    shape = shape_of(old)
    fill = ctx.unset((), dtype)
    zeros = [0] * len(shape)
    between = [stride - 1 for stride in strides]
    spread = ctx.pad(new, fill, zeros, zeros, between)
    ones = ctx.constant(True, tensor(shape_of(new), BOOL))
    chosen = ctx.pad(ones, ctx.constant(False, tensor((), BOOL)), zeros, zeros, between)
    return ctx.emit("select", (chosen, spread, old), old.type)


def _as_bits(transform: Transform) -> Transform:
    """A bitcast to a narrow float as one to unsigned integers of its width."""
    if isinstance(transform, RefBitcast) and transform.dtype.is_float and transform.dtype.bits < 32:
        return RefBitcast(BY_NAME[f"uint{transform.dtype.bits}"], transform.shape)
    return transform


def _static(size: int | Arg) -> int:
    if isinstance(size, int):
        return size
    raise Unsupported("L103", "a slice of traced size has no StableHLO form", "copy slices of a fixed size")
