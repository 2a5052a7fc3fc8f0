"""NumPy rules: loads, stores and views of refs, program ids. Every dynamic index is checked against its ref.

A view is a NumPy view of the buffer, so that a store through it lands; only a bitcast of a ref copies, and a store
through it is written back. An index out of range is a finding, and the run goes on with the index clamped; in the
lenient mode as under `interpret=True`, which wraps it first, and drops single positions of a store (`lookups.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np

from pipeline.dtypes import DType
from pipeline.ir.jaxpr import Arg, Eqn, Index, NDIndexer, Prim, RefAval, RefBitcast, RefReshape, Slice, Transforms
from pipeline.simulate.extent import Place
from pipeline.simulate.machine import Buffer, Stopped
from pipeline.simulate.numerics import lookups
from pipeline.simulate.numerics.bitcasts import NoteBitcast, bitcast_rows
from pipeline.simulate.numerics.dtypes import is_narrow, numpy_dtype
from pipeline.simulate.numerics.elementwise import choose, in_dtype, out_aval
from pipeline.simulate.numerics.rules import Compile, Rules, Step
from pipeline.simulate.numerics.rules import Value as Array
from pipeline.trace.types.tiles import tiles

Inputs = tuple[Any, ...]
Locate = Callable[[Array, Inputs, bool], Array]  # array, the equation's inputs, "for marks" -> the view

Plus = Callable[[Array, Array], Array]


class Access:
    """A ref with transforms, as an equation names it: `view` finds the elements, `load` and `store` use them.

    `noting` is the same for arrays of notes, one for each element of the ref, which have no bits to cast.
    """

    def __init__(
        self, eqn: Eqn, compile: Compile, position: int = 0, param: str = "transforms", notes: bool = False
    ) -> None:
        transforms = eqn.param(param)
        aval = eqn.inputs[position].aval
        assert isinstance(aval, RefAval) and isinstance(transforms, tuple)
        self.machine = compile.machine
        self.eqn = eqn
        self.position = position
        self.dtype = aval.dtype  # of the ref; `seen_dtype` is that of the view
        chain: Transforms = tuple(t for t in transforms if isinstance(t, (NDIndexer, RefReshape, RefBitcast)))
        if chain and isinstance(chain[0], NDIndexer) and _is_all(chain[0], aval.shape):
            chain = chain[1:]
        self.steps: list[Any] = []
        dtype = aval.dtype
        for transform in chain:
            if notes and isinstance(transform, RefBitcast):
                self.steps.append(NoteBitcast(dtype.bits, transform.dtype.bits))
            else:
                self.steps.append(self._step(transform, dtype))
            dtype = transform.dtype if isinstance(transform, RefBitcast) else dtype
        self.seen_dtype = dtype
        self.whole = not self.steps
        self.bitcasts = any(isinstance(t, RefBitcast) for t in chain)
        self.noting = Access(eqn, compile, position, param, True) if self.bitcasts and not notes else self
        self.fancy = any(self.form(index)[0] for t in chain if isinstance(t, NDIndexer) for index in t.indices)

    def form(self, index: Index) -> tuple[bool, bool, int]:
        """An index: whether an array of positions, whether a slice with a traced start, its stride."""
        if isinstance(index, Slice):
            return False, isinstance(index.start, Arg), index.stride
        return isinstance(index, Arg) and self.eqn.inputs[index.position].aval.shape != (), False, 1

    def _step(self, transform: NDIndexer | RefReshape | RefBitcast, dtype: DType) -> Any:
        match transform:
            case NDIndexer(indices):
                return _Indexer(self, indices)
            case RefReshape(shape):
                return _Reshape(shape)
            case RefBitcast(target):
                return _Bitcast(dtype, target)

    def constant(self, eqn: Eqn) -> tuple[Any, ...] | None:
        """The index of the elements, if it is the same in every run and in range; () for the whole ref."""
        if self.whole:
            return ()
        first = self.steps[0]
        if len(self.steps) > 1 or not isinstance(first, _Indexer) or first.static is None:
            return None
        found: list[Any] = []
        for n, index in zip(eqn.inputs[self.position].aval.shape, first.indices, strict=True):
            start, size, stride = (index.start, index.size, index.stride) if isinstance(index, Slice) else (index, 1, 1)
            assert isinstance(start, int) and isinstance(size, int)
            if size < 1 or start < 0 or start + (size - 1) * stride >= n:
                return None
            found.append(slice(start, start + (size - 1) * stride + 1, stride) if isinstance(index, Slice) else start)
        return (*found, ...)  # so that a single element is a view too

    def view(self, data: Array, inputs: Inputs, *, quiet: bool = False) -> Array:
        """The elements, as a view of `data` unless an array index or a bitcast is involved."""
        for step in self.steps:
            data = step.load(data, inputs, quiet)
        return data

    def place(self, buffer: Buffer, inputs: Inputs, view: Array, mask: Array | None = None) -> Place:
        """The elements of `buffer` that `view` was made of."""
        return Place(self, buffer.data, inputs, view, mask)

    def within(self, buffer: Buffer, inputs: Inputs) -> tuple[Inputs, dict[int, int]]:
        """`inputs` with traced sizes cut where they reach past the array's end, but not past its last tile.

        An array in HBM is stored in whole tiles, and a copy rounded up to them moves padding, which nobody may use.
        Also gives how many elements are cut off along each axis of the view.
        """
        if len(self.steps) != 1 or not isinstance(self.steps[0], _Indexer):
            return inputs, {}
        shape, indices = buffer.data.shape, self.steps[0].indices
        kept = [axis for axis, index in enumerate(indices) if isinstance(index, Slice)]
        cut: dict[int, int] = {}
        found = list(inputs)
        for axis, n, index, tile in zip(range(len(shape)), shape, indices, tiles(shape, self.dtype), strict=True):
            if not isinstance(index, Slice) or not isinstance(index.size, Arg) or index.stride != 1:
                continue
            size = int(inputs[index.size.position])
            end = _value(index.start, inputs) + size
            if n < end <= -(-n // tile) * tile and size > end - n:
                cut[kept.index(axis)] = end - n
                found[index.size.position] = np.int32(size - (end - n))
        return tuple(found), cut

    def store(self, data: Array, inputs: Inputs, value: Array, *, quiet: bool = False, depth: int = 0) -> None:
        """Write `value` to the elements."""
        if depth == len(self.steps):
            data[...] = value
            return
        step = self.steps[depth]
        last = depth + 1 == len(self.steps)
        if last and isinstance(step, _Indexer):
            step.store(data, inputs, value, quiet)
            return
        inner = step.load(data, inputs, quiet)
        self.store(inner, inputs, value, quiet=quiet, depth=depth + 1)
        self._put_back(step, data, inputs, inner)

    def add(self, data: Array, inputs: Inputs, value: Array, plus: Plus, depth: int = 0) -> None:
        """Add `value` to the elements; of an array of indices, to one element as often as it is named."""
        if depth == len(self.steps):
            data[...] = plus(data, value)
            return
        step = self.steps[depth]
        if depth + 1 == len(self.steps) and isinstance(step, _Indexer):
            step.add(data, inputs, value, plus)
            return
        inner = step.load(data, inputs, False)
        self.add(inner, inputs, value, plus, depth + 1)
        self._put_back(step, data, inputs, inner)

    @staticmethod
    def _put_back(step: Any, data: Array, inputs: Inputs, inner: Array) -> None:
        """What was changed in `inner` into `data`, unless it is a view of it."""
        if np.may_share_memory(inner, data):
            return
        if isinstance(step, _Indexer):
            step.store(data, inputs, inner, True)
        else:
            step.store_back(data, inner)

    def mark(self, buffer: Buffer, inputs: Inputs, mask: Array | None = None) -> None:
        """Note that the elements of an output were written."""
        if buffer.written is None or buffer.whole:
            return
        if self.whole and mask is None:
            buffer.whole = True
        elif mask is None:
            self.noting.store(buffer.written, inputs, True, quiet=True)
        else:
            marks = self.noting.view(buffer.written, inputs, quiet=True) | mask
            self.noting.store(buffer.written, inputs, marks, quiet=True)


def _is_all(transform: NDIndexer, shape: tuple[int, ...]) -> bool:
    return all(
        isinstance(i, Slice) and i.start == 0 and i.size == n and i.stride == 1
        for i, n in zip(transform.indices, shape, strict=True)
    )


class _Reshape:
    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def load(self, data: Array, inputs: Inputs, quiet: bool) -> Array:
        return data.reshape(self.shape)

    def store_back(self, data: Array, inner: Array) -> None:
        data[...] = inner.reshape(data.shape)


class _Bitcast:
    def __init__(self, source: DType, target: DType) -> None:
        self.source = source
        self.target = target

    def load(self, data: Array, inputs: Inputs, quiet: bool) -> Array:
        return bitcast_rows(data, self.source, self.target)

    def store_back(self, data: Array, inner: Array) -> None:
        data[...] = bitcast_rows(inner, self.target, self.source)


class _Indexer:
    """One NDIndexer: static parts prepared, dynamic ones read from the equation's inputs and checked."""

    def __init__(self, access: Access, indices: tuple[Index, ...]) -> None:
        self.access = access
        self.indices = indices
        static = all(
            isinstance(i, int) or (isinstance(i, Slice) and isinstance(i.start, int) and isinstance(i.size, int))
            for i in indices
        )
        self.static: dict[tuple[int, ...], tuple[Any, ...]] | None = {} if static else None
        self.arrays = any(access.form(index)[0] for index in indices)
        self.lookup = access.machine.mode.lenient and lookups.is_lookup([access.form(index) for index in indices])

    def load(self, data: Array, inputs: Inputs, quiet: bool) -> Array:
        entries = self.outside(data, inputs, quiet) if self.lookup else None
        if entries is not None:
            return lookups.load(data, entries)
        return data[self.index(data, inputs, quiet)]

    def store(self, data: Array, inputs: Inputs, value: Array, quiet: bool) -> None:
        entries = self.outside(data, inputs, quiet) if self.lookup else None
        if entries is not None:
            lookups.store(data, entries, value)
        else:
            data[self.index(data, inputs, quiet)] = value

    def add(self, data: Array, inputs: Inputs, value: Array, plus: Plus) -> None:
        entries = self.outside(data, inputs, False) if self.lookup else None
        if entries is None and not self.arrays:
            at = self.index(data, inputs, False)
            data[at] = plus(data[at], value)
        elif entries is None:
            numbers = np.arange(data.size).reshape(data.shape)
            lookups.add(data, numbers[self.index(data, inputs, False)], value, plus)
        else:
            lookups.add(data, lookups.numbers(data.shape, entries), value, plus)

    def outside(self, data: Array, inputs: Inputs, quiet: bool) -> list[Any] | None:
        """The positions along each axis where one of them is out of range; None where all are inside."""
        entries: list[Any] = []
        found = False
        for axis, (n, index) in enumerate(zip(data.shape, self.indices, strict=True)):
            if isinstance(index, Slice):
                start, size, stride = _value(index.start, inputs), _value(index.size, inputs), index.stride
                last = start + (size - 1) * stride
                if size and (start < 0 or last >= n):
                    entries.append([start + i * stride for i in range(size)])
                    self._outside(axis, n, start, size, stride, inputs, quiet)
                    found = True
                else:
                    entries.append(slice(start, last + 1 if size else start, stride))
                continue
            value = index if isinstance(index, int) else _signed(inputs[index.position])
            beyond = np.asarray((np.asarray(value) < 0) | (np.asarray(value) >= n))
            if beyond.any():
                self._outside(axis, n, int(np.asarray(value)[beyond].flat[0]), 1, 1, inputs, quiet)
                found = True
            entries.append(value)
        return entries if found else None

    def index(self, data: Array, inputs: Inputs, quiet: bool) -> tuple[Any, ...]:
        shape = data.shape
        if self.static is not None and shape in self.static:
            return self.static[shape]
        found = tuple(
            self._entry(axis, n, index, inputs, quiet)
            for axis, (n, index) in enumerate(zip(shape, self.indices, strict=True))
        )
        found = (*found, ...)  # so that a single element is a view too
        if self.static is not None and len(found) == len(shape) + 1:
            self.static[shape] = found
        return found

    def _entry(self, axis: int, n: int, index: Index, inputs: Inputs, quiet: bool) -> Any:
        if isinstance(index, Slice):
            start, size, stride = _value(index.start, inputs), _value(index.size, inputs), index.stride
            last = start + (size - 1) * stride
            if size < 0 or start < 0 or last >= n:
                if size < 0 or (size - 1) * stride >= n:
                    self._outside(axis, n, start, size, stride, inputs, quiet)
                    raise Stopped
                self._outside(axis, n, start, size, stride, inputs, quiet)
                start = self._wrapped(start, n)
                start = min(max(start, 0), n - 1 - (size - 1) * stride)
            return slice(start, start + (size - 1) * stride + 1 if size else start, stride)
        value = index if isinstance(index, int) else _signed(inputs[index.position])
        if isinstance(value, np.ndarray) and value.shape != ():
            outside = (value < 0) | (value >= n)
            if outside.any():
                self._outside(axis, n, int(value[outside].flat[0]), 1, 1, inputs, quiet)
            return np.clip(value, 0, n - 1).astype(np.intp)
        at = int(value)
        if not 0 <= at < n:
            self._outside(axis, n, at, 1, 1, inputs, quiet)
            at = self._wrapped(at, n)
            return min(max(at, 0), n - 1)
        return at

    def _wrapped(self, start: int, n: int) -> int:
        """A negative start counts from the end in the lenient mode, before it is clamped."""
        return start + n if start < 0 and self.access.machine.mode.lenient else start

    def _outside(self, axis: int, n: int, start: int, size: int, stride: int, inputs: Inputs, quiet: bool) -> None:
        if quiet:
            return
        access = self.access
        machine = access.machine
        buffer = inputs[access.position].name
        what = f"index {start}" if size == 1 else f"elements {start} to {start + (size - 1) * stride}"
        machine.report(
            "R303", f"{buffer}/{axis}",
            f"'{buffer}' has {n} elements along axis {axis}, but {what} {'is' if size == 1 else 'are'} used at "
            f"{machine.place()}", access.eqn.span, "guard the access, or correct its start",
        )  # fmt: skip


def _value(value: int | Arg, inputs: Inputs) -> int:
    return value if isinstance(value, int) else int(_signed(inputs[value.position]))


def _signed(index: Array) -> Array:
    """An index as hardware has it: of 32 bits, signed."""
    return index.astype(np.int32) if getattr(index, "dtype", None) == np.uint32 else index


def eval_bitcast(eqn: Eqn, compile: Compile) -> Step:
    source, target = in_dtype(eqn), out_aval(eqn).dtype
    return lambda x: bitcast_rows(x, source, target)


def eval_get(eqn: Eqn, compile: Compile) -> Step:
    access = Access(eqn, compile)
    machine = compile.machine
    fresh = not compile.may_alias(eqn) and not access.fancy and not access.bitcasts
    at = None if machine.copies_of_its_own or fresh else access.constant(eqn)
    if at == ():
        return attrgetter("data")
    if at is not None:
        return lambda buffer: buffer.data[at]

    def get(*inputs: Any) -> Array:
        buffer = inputs[0]
        view = access.view(buffer.data, inputs)
        if machine.copies:
            machine.check_read(buffer, access.place(buffer, inputs, view), eqn.span)
        return view.copy() if fresh else view

    return get


def eval_swap(eqn: Eqn, compile: Compile) -> Step:
    access = Access(eqn, compile)
    machine = compile.machine
    wanted = compile.is_used(eqn, 0)
    if access.whole and not wanted and not machine.copies_of_its_own:

        def overwrite(buffer: Buffer, value: Array) -> None:
            buffer.data[...] = value
            if buffer.written is not None:
                buffer.whole = True

        return overwrite

    def swap(*inputs: Any) -> Array:
        buffer, value = inputs[0], inputs[1]
        data = buffer.data
        old = None
        if wanted or machine.copies:
            old = access.view(data, inputs)
            if machine.copies:
                machine.check_write(buffer, access.place(buffer, inputs, old), eqn.span)
            old = old.copy() if wanted else None
        access.store(data, inputs, value)
        if buffer.written is not None:
            access.mark(buffer, inputs)
        return old

    return swap


def eval_addupdate(eqn: Eqn, compile: Compile) -> Step:
    access = Access(eqn, compile)
    machine = compile.machine
    narrow = is_narrow(access.seen_dtype)
    own = numpy_dtype(access.seen_dtype)

    def plus(x: Array, y: Array) -> Array:
        return (x.astype(np.float32) + y.astype(np.float32)).astype(own) if narrow else x + y

    def addupdate(*inputs: Any) -> None:
        buffer, value = inputs[0], inputs[1]
        if machine.copies:
            place = access.place(buffer, inputs, access.view(buffer.data, inputs, quiet=True))
            machine.check_read(buffer, place, eqn.span)
            machine.check_write(buffer, place, eqn.span)
        access.add(buffer.data, inputs, value, plus)
        if buffer.written is not None:
            access.mark(buffer, inputs)

    return addupdate


def _padded(access: Access, buffer: Buffer, inputs: Inputs) -> Array | None:
    """A copy of the buffer's data with poison past its end, as long as a masked access of one indexer overruns it.

    None where the access stays inside. Such elements are harmless if the mask leaves them out. In the lenient mode a
    negative start counts from the end of what is padded by a slice's size, as in JAX, so that it reads the padding.
    """
    if len(access.steps) != 1 or not isinstance(access.steps[0], _Indexer):
        return None
    data = buffer.data
    lenient = access.machine.mode.lenient
    if access.fancy and lenient:
        return None
    extra = []
    for n, index in zip(data.shape, access.steps[0].indices, strict=True):
        end = 0
        if isinstance(index, Slice):
            start, size = _value(index.start, inputs), _value(index.size, inputs)
            end = start + (size - 1) * index.stride + 1 if start >= 0 else 0
            if start < 0 and lenient:
                end = n + size
        elif lenient and isinstance(index, Arg) and not np.ndim(inputs[index.position]):
            end = n + 1 if not 0 <= int(inputs[index.position]) < n else 0
        elif isinstance(index, Arg) and np.ndim(inputs[index.position]):
            end = int(np.max(inputs[index.position], initial=0)) + 1
        extra.append(max(0, min(end - n, 2 * data.size + 1024)))
    if not any(extra):
        return None
    shape = tuple(n + more for n, more in zip(data.shape, extra, strict=True))
    padded = np.full(shape, access.machine.filling.value(access.dtype, buffer.name, padding=True), data.dtype)
    padded[tuple(slice(n) for n in data.shape)] = data
    return padded


def _masked_place(
    access: Access, buffer: Buffer, inputs: Inputs, view: Array, padded: Array | None, mask: Array | None
) -> Place:
    """Where a masked access goes: what the mask lets through of `view`, a view of `padded` if that is there."""
    return Place(access, buffer.data, inputs, view, mask, None if padded is None else padded.shape)


def _check_mask(access: Access, buffer: Buffer, inputs: Inputs, padded: Array, mask: Array) -> None:
    """A finding if the mask lets an element past the buffer's end through."""
    outside = np.ones(padded.shape, bool)
    outside[tuple(slice(n) for n in buffer.data.shape)] = False
    if (access.view(outside, inputs, quiet=True) & mask).any():
        access.view(buffer.data, inputs)  # says which axis and element


def eval_masked_load(eqn: Eqn, compile: Compile) -> Step:
    """Elements that the mask leaves out read `other`; without one they are unspecified, so poison."""
    has_mask, has_other = bool(eqn.param("has_mask")), bool(eqn.param("has_other"))
    access = Access(eqn, compile)
    machine = compile.machine

    def load(*inputs: Any) -> Array:
        buffer = inputs[0]
        if not has_mask:
            view = access.view(buffer.data, inputs)
            if machine.copies:
                machine.check_read(buffer, access.place(buffer, inputs, view), eqn.span)
            return view.copy()
        mask = inputs[1]
        padded = _padded(access, buffer, inputs)
        if padded is not None:
            _check_mask(access, buffer, inputs, padded, mask)
        view = access.view(buffer.data if padded is None else padded, inputs)
        if machine.copies:
            machine.check_read(buffer, _masked_place(access, buffer, inputs, view, padded, mask), eqn.span)
        other = inputs[2] if has_other else machine.filling.value(access.seen_dtype, buffer.name, padding=True)
        return choose(mask, np.asarray(other), view)

    return load


def eval_masked_swap(eqn: Eqn, compile: Compile) -> Step:
    has_mask = bool(eqn.param("has_mask"))
    access = Access(eqn, compile)
    machine = compile.machine

    def swap(*inputs: Any) -> Array:
        buffer, value = inputs[0], inputs[1]
        mask = inputs[2] if has_mask else None
        padded = None if mask is None else _padded(access, buffer, inputs)
        if padded is not None:
            _check_mask(access, buffer, inputs, padded, mask)
        data = buffer.data if padded is None else padded
        view = access.view(data, inputs)
        if machine.copies:
            machine.check_write(buffer, _masked_place(access, buffer, inputs, view, padded, mask), eqn.span)
        old = np.array(view)
        access.store(data, inputs, value if mask is None else choose(mask, old, value), quiet=True)
        if padded is not None:
            buffer.data[...] = padded[tuple(slice(n) for n in buffer.data.shape)]
            buffer.whole = buffer.written is not None  # marks of an overrunning store are not kept apart
        elif buffer.written is not None:
            access.mark(buffer, inputs, mask)
        return old

    return swap


def eval_program_id(eqn: Eqn, compile: Compile) -> Step:
    axis = eqn.param("axis")
    assert isinstance(axis, int)
    machine = compile.machine
    return lambda: machine.index[axis]


def eval_num_programs(eqn: Eqn, compile: Compile) -> Step:
    axis = eqn.param("axis")
    assert isinstance(axis, int)
    size = np.int32(compile.machine.grid[axis])
    return lambda: size


RULES: Rules = {
    Prim.GET: eval_get,
    Prim.SWAP: eval_swap,
    Prim.ADDUPDATE: eval_addupdate,
    Prim.MASKED_LOAD: eval_masked_load,
    Prim.MASKED_SWAP: eval_masked_swap,
    Prim.PROGRAM_ID: eval_program_id,
    Prim.NUM_PROGRAMS: eval_num_programs,
    Prim.BITCAST: eval_bitcast,
}
