"""Rules for many lanes: loads and stores. A ref with lanes has one place in memory for each; one without is read only.

An access that starts elsewhere in each lane is one lookup in a view of all its possible places.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from pipeline.ir.jaxpr import Arg, Eqn, NDIndexer, Prim, RefBitcast, RefReshape, Slice, Transforms
from pipeline.simulate.batch.compiler import LanesCompiler, Unproven
from pipeline.simulate.batch.values import LanesRule, flags_of
from pipeline.simulate.machine import Buffer
from pipeline.simulate.numerics.dtypes import is_narrow, numpy_dtype
from pipeline.simulate.numerics.rules import Step

Array = Any
STORES = frozenset({Prim.SWAP, Prim.ADDUPDATE, Prim.MASKED_SWAP})


def lanes_access(eqn: Eqn, compiler: LanesCompiler) -> Step:
    """A load or store of the whole ref, at indices that are the same in all lanes, or at a start of each lane's own."""
    flags = flags_of(eqn, compiler)
    transforms = eqn.param("transforms")
    assert isinstance(transforms, tuple)
    chain: Transforms = tuple(t for t in transforms if isinstance(t, (NDIndexer, RefReshape, RefBitcast)))
    used = {position for t in chain for position in _positions(t)}
    if any(eqn.inputs[i].aval.shape != () for i in used):
        return each_access(eqn, compiler)
    if eqn.prim is Prim.MASKED_LOAD and any(
        flag and atom.aval.shape == () for flag, atom in zip(flags[1:3], eqn.inputs[1:3], strict=False)
    ):
        return each_access(eqn, compiler)  # scalars that go with arrays
    if not any(flags[i] for i in used):
        if not flags[0]:
            return compiler.lifted(eqn)
        return compiler.lifted(eqn, transforms=tuple(_moved(t, compiler.lanes) for t in chain))
    simple = eqn.prim in (Prim.GET, Prim.SWAP, Prim.ADDUPDATE) and len(chain) == 1
    if simple and isinstance(chain[0], NDIndexer):
        places = Places(chain[0], flags, compiler)
        return _placed(eqn, places, compiler)
    return each_access(eqn, compiler)


def _positions(transform: NDIndexer | RefReshape | RefBitcast) -> list[int]:
    """Inputs of the equation that a transform uses."""
    found = []
    for index in transform.indices if isinstance(transform, NDIndexer) else ():
        for part in (index.start, index.size) if isinstance(index, Slice) else (index,):
            if isinstance(part, Arg):
                found.append(part.position)
    return found


def _moved(transform: NDIndexer | RefReshape | RefBitcast, lanes: int) -> NDIndexer | RefReshape | RefBitcast:
    match transform:
        case NDIndexer(indices):
            return NDIndexer((Slice(0, lanes), *indices))
        case RefReshape(shape):
            return RefReshape((lanes, *shape))
        case RefBitcast(dtype, shape):
            return RefBitcast(dtype, (lanes, *shape))


class Places:
    """One indexer of which some starts differ between lanes: a view of every place they may have, and how to look up.

    Of the view's axes the first are the starts that differ, then, if the ref has them, the lanes; the rest is what one
    lane gets.
    """

    def __init__(self, indexer: NDIndexer, flags: tuple[bool, ...], compiler: LanesCompiler) -> None:
        self.indices = indexer.indices
        self.flags = flags
        self.ref_lanes = flags[0]
        self.lanes = np.arange(compiler.lanes)
        self.single = not self.ref_lanes and not any(isinstance(index, Slice) for index in self.indices)
        sizes = [index.size for index in self.indices if isinstance(index, Slice)]
        if any(isinstance(size, Arg) for size in sizes):
            raise Unproven("an access of a traced size")

    def elements(self, *inputs: Any) -> Array:
        """One element for each lane, where no index is a slice and the ref has no lanes."""
        data = inputs[0].data
        index: tuple[Any, ...] = tuple(inputs[i.position] if isinstance(i, Arg) else i for i in self.indices)
        for value, n in zip(index, data.shape, strict=True):
            low, high = (value.min(), value.max()) if np.ndim(value) else (value, value)
            if low < 0 or high >= n:
                raise Unproven("an index out of range")
        return data[index]

    def find(self, data: Array, inputs: tuple[Any, ...]) -> tuple[Array, tuple[Array, ...]]:
        """The view of `data`, and the index into it that gives all lanes. Raises Unproven for an index out of range."""
        first = 1 if self.ref_lanes else 0
        counts: list[int] = []
        steps: list[int] = []
        starts: list[Array] = []
        shape: list[int] = []
        strides: list[int] = []
        basic: list[Any] = [slice(None)] * first
        for axis, index in enumerate(self.indices, first):
            n, stride = data.shape[axis], data.strides[axis]
            start = index.start if isinstance(index, Slice) else index
            size = index.size if isinstance(index, Slice) else 1
            every = index.stride if isinstance(index, Slice) else 1
            assert isinstance(size, int)
            value = inputs[start.position] if isinstance(start, Arg) else start
            room = n - max(size - 1, 0) * every
            differs = isinstance(start, Arg) and self.flags[start.position]
            if np.any(np.asarray(value) < 0) or np.any(np.asarray(value) >= max(room, 1)) or room < 1:
                raise Unproven("an index out of range")
            if differs:
                counts.append(room)
                steps.append(stride)
                starts.append(np.asarray(value).astype(np.intp))
                basic.append(slice(None))
            else:
                basic.append(slice(int(value), None))
            if isinstance(index, Slice):
                shape.append(size)
                strides.append(stride * every)
        if self.ref_lanes:
            counts.append(data.shape[0])
            steps.append(data.strides[0])
            starts.append(self.lanes)
        base = data[tuple(basic)]
        view = as_strided(base, (*counts, *shape), (*steps, *strides), writeable=data.flags.writeable)
        return view, tuple(starts)


def _placed(eqn: Eqn, places: Places, compiler: LanesCompiler) -> Step:
    if eqn.prim is Prim.GET:

        def load(*inputs: Any) -> Array:
            view, index = places.find(inputs[0].data, inputs)
            return view[index]

        return places.elements if places.single else load
    adds, wanted = eqn.prim is Prim.ADDUPDATE, eqn.prim is Prim.SWAP and compiler.is_used(eqn, 0)
    dtype = eqn.inputs[0].aval.dtype
    narrow, own = is_narrow(dtype), numpy_dtype(dtype)

    def store(*inputs: Any) -> Any:
        buffer, value = inputs[0], inputs[1]
        view, index = places.find(buffer.data, inputs)
        old: Array = view[index] if adds or wanted else None
        if adds:
            value = (old.astype(np.float32) + value.astype(np.float32)).astype(own) if narrow else old + value
        view[index] = value
        if buffer.written is not None and not buffer.whole:
            marks, index = places.find(buffer.written, inputs)
            marks[index] = True
        return old if wanted else None

    return store


def each_access(eqn: Eqn, compiler: LanesCompiler) -> Step:
    """One lane after the other."""
    function, flags, lanes = compiler.one_by_one(eqn), flags_of(eqn, compiler), compiler.lanes

    def run(buffer: Buffer, *inputs: Any) -> Any:
        found = []
        for lane in range(lanes):
            one = Buffer(buffer.name, buffer.dtype, buffer.space, buffer.data, buffer.span)
            if flags[0]:
                one.data = buffer.data[lane, ...]
                if buffer.written is not None and not buffer.whole:
                    one.written = buffer.written[lane, ...]
            mine = (x[lane] if flag else x for x, flag in zip(inputs, flags[1:], strict=True))
            found.append(function(one, *mine))
            if one.whole and one.written is not None:
                one.written[...] = True
        return None if found[0] is None else np.stack(found)

    return run


RULES: dict[Prim, LanesRule] = {
    Prim.GET: lanes_access,
    Prim.SWAP: lanes_access,
    Prim.ADDUPDATE: lanes_access,
    Prim.MASKED_LOAD: lanes_access,
    Prim.MASKED_SWAP: lanes_access,
}
