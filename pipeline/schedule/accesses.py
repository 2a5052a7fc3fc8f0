"""Vector loads and stores: does each start where a vector register can be filled from, and is its stride one there is?

Source: verdicts of libtpu 0.0.42.1 on about 300 loads and stores of ten dtypes at static and computed starts, alike on
v4, v5e, v5p, v6e and 7x but for 8-bit rows, which need masks that v4 lacks; v2 and v3 lack those of 16 bits too.
"""

from __future__ import annotations

from math import gcd
from typing import NamedTuple, Union

from pipeline.chips.chip import Chip
from pipeline.dtypes import DType
from pipeline.errors import Diagnostic, Fix, Span
from pipeline.ir.call import KernelCall
from pipeline.ir.jaxpr import (
    Arg,
    Eqn,
    Jaxpr,
    MemorySpace,
    NDIndexer,
    Prim,
    RefBitcast,
    RefReshape,
    Slice,
    Transform,
    Var,
)
from pipeline.schedule.layout import crosses_registers, masks, packing, storage_bits, tiling
from pipeline.schedule.multiples import Named, Scope, walk_body
from pipeline.schedule.uses import users

_LOADS = frozenset({Prim.GET, Prim.MASKED_LOAD})
_STORES = frozenset({Prim.SWAP, Prim.MASKED_SWAP, Prim.ADDUPDATE})


class _Axis(NamedTuple):
    """One axis of an access: `start` is the value if `static`, else a number known to divide it; `origin` gives it."""

    start: int
    static: bool
    size: int
    stride: int
    dropped: bool
    origin: Union[int, Arg] = 0


def check_accesses(call: KernelCall, chip: Chip) -> tuple[Diagnostic, ...]:
    """Findings on the body's loads from and stores to VMEM."""
    findings: list[Diagnostic] = []

    def visit(eqn: Eqn, scope: Scope) -> None:
        if eqn.prim not in _LOADS and eqn.prim not in _STORES:
            return
        ref = eqn.inputs[0]
        named = scope.refs.get(ref) if isinstance(ref, Var) else None
        if named is None or named.aval.dtype.is_semaphore:
            return
        if named.aval.space in (MemorySpace.VMEM, MemorySpace.DEFAULT):
            findings.extend(_check(eqn, named, scope, chip, call.body))

    walk_body(call, visit)
    return tuple(dict.fromkeys(findings))


def _check(eqn: Eqn, named: Named, scope: Scope, chip: Chip, body: Jaxpr) -> list[Diagnostic]:
    transforms = eqn.param("transforms")
    assert isinstance(transforms, tuple)
    access = _Access(eqn, named, scope, chip, body)
    for transform in transforms:
        assert isinstance(transform, (NDIndexer, RefReshape, RefBitcast))
        if not access.step(transform):
            return access.findings
    access.check()
    return access.findings


def _dtype(eqn: Eqn) -> DType:
    """The dtype of an equation's one result."""
    return eqn.outputs[0].aval.dtype


class _Access:
    """One load or store while its transforms are followed: for each axis of the ref what of it is taken."""

    def __init__(self, eqn: Eqn, named: Named, scope: Scope, chip: Chip, body: Jaxpr) -> None:
        self.eqn, self.named, self.scope, self.chip, self.body = eqn, named, scope, chip, body
        self.dtype: DType = named.aval.dtype
        self.findings: list[Diagnostic] = []
        self.axes = [_Axis(0, True, n, 1, False) for n in named.aval.shape]
        self.array, self.kept = named.array, named.axes
        # a small operand that is handed over whole can lie in SMEM just as well
        self.whole = named.operand and named.array == named.aval.shape
        self.columns = named.aval.shape[-1] if named.aval.shape else 1

    @property
    def what(self) -> str:
        return "load from" if self.eqn.prim in _LOADS else "store to"

    def step(self, transform: Transform) -> bool:
        """Apply one transform. False where the view is not followed any further."""
        match transform:
            case NDIndexer(indices):
                live = [i for i, axis in enumerate(self.axes) if not axis.dropped]
                if len(indices) != len(live):
                    return False
                for at, index in zip(live, indices, strict=True):
                    axis = self._taken(self.axes[at], index)
                    if axis is None:
                        return False
                    self.axes[at] = axis
                return True
            case RefReshape(shape):
                return self._reshape(shape)
            case _:
                return False  # a reinterpreted view: not decided here

    def _reshape(self, shape: tuple[int, ...]) -> bool:
        before = [axis.size for axis in self.axes if not axis.dropped]
        if shape and before and shape[-1] != before[-1]:
            self.add(
                "P607",
                f"the view of '{self.named.name}' reshapes its last axis from {before[-1]} to {shape[-1]}; a ref's "
                "last axis stays as it is (tpu.memref_reshape)",
                "reshape the value after loading it",
            )
        elif len(shape) > 1 and len(before) > 1 and packing(self.dtype) > 1:
            self._reshaped_rows(shape)
        return False

    def _reshaped_rows(self, shape: tuple[int, ...]) -> None:
        """Rows of a narrow dtype are cut between tiles only.

        Source: libtpu 0.0.42.1's verdicts on (64, 128) as (64 / k, k, 128), and on joined and outer axes. Of 7x's
        16-bit scratch it asks for 16 rows, which is not known here.
        """
        rows = tiling(self.array if len(self.array) > 1 else self.named.aval.shape, self.dtype, self.chip).rows or 1
        if shape[-2] % rows:
            self.add(
                "P607",
                f"the view of '{self.named.name}' has {shape[-2]} rows of {self.dtype.name} in its second-last axis, "
                f"which cuts tiles of {rows} rows (tpu.memref_reshape)",
                f"give that axis a multiple of {rows}, or reshape the value after loading it",
            )

    def _taken(self, axis: _Axis, index: Union[int, Arg, Slice]) -> _Axis | None:
        start = index.start if isinstance(index, Slice) else index
        size = index.size if isinstance(index, Slice) else 1
        stride = index.stride if isinstance(index, Slice) else 1
        if isinstance(start, Arg):
            aval = self.eqn.inputs[start.position].aval
            if aval.shape:
                return None  # indices that are arrays: lowering judges them
        if isinstance(size, Arg) or axis.stride != 1:
            return None
        value, static = self.scope.start(self.eqn, start), isinstance(start, int)
        both = axis.static and static
        start_now = axis.start + value if both else gcd(axis.start, value)
        return _Axis(start_now, both, size, stride, not isinstance(index, Slice), start)

    def check(self) -> None:
        """The rules, on the axes as they are now."""
        if self.axes and all(axis.dropped for axis in self.axes):
            self._scalar()
            return
        if any(axis.stride != 1 for axis in self.axes):
            self._strided()
            return
        tile = tiling(self.array if len(self.array) > 1 else self.named.aval.shape, self.dtype, self.chip)
        rank = len(self.array)
        for axis, place in zip(self.axes, self.kept, strict=True):
            if place == rank - 1:
                if tile.rows is None:
                    self._flat(axis, place)
                else:
                    self._lanes(axis, place, self.chip.lanes)
            elif place == rank - 2:
                self._rows(axis, place, tile.rows or 1)

    def _lanes(self, axis: _Axis, place: int, lanes: int) -> None:
        if not axis.static and axis.start % lanes:
            self._unaligned(axis, place, lanes, "lanes", "")

    def _flat(self, axis: _Axis, place: int) -> None:
        """One dimension: a start at a row of 32-bit words is enough, whatever the tile."""
        row, bits = self.chip.lanes * packing(self.dtype), storage_bits(self.dtype)
        self._lanes(axis, place, row)
        if masks(bits, self.chip) or axis.static or axis.start % row or axis.size % row == 0:
            return
        op = "tpu.vector_load" if self.eqn.prim in _LOADS else "tpu.vector_store"
        self.add(
            "P604",
            f"the {self.what} '{self.named.name}' takes {axis.size} elements of {self.dtype.name} along axis {place}, "
            f"which end inside a row of {row}; {self.chip.name} cannot mask {bits}-bit elements ({op})",
            f"take a multiple of {row}, or keep the data in a wider dtype",
        )

    def _rows(self, axis: _Axis, place: int, rows: int) -> None:
        wide = storage_bits(self.dtype) == 32
        if axis.static:
            bits = storage_bits(self.dtype)
            loads = self.eqn.prim in _LOADS and not masks(bits, self.chip) and axis.size > 1
            if loads and crosses_registers(axis.start, axis.size, self.dtype, self.chip) and not self.widened():
                self.add(
                    "P604",
                    f"the {self.what} '{self.named.name}' starts at row {axis.start} along axis {place}, inside a tile "
                    f"of {rows} rows of {self.dtype.name}; {self.chip.name} cannot shift {storage_bits(self.dtype)}-bit"
                    " rows into place (tpu.vector_load)",
                    f"start at a multiple of {self.chip.sublanes}, or keep the data in a wider dtype",
                )
            return
        if axis.start % rows == 0 or (wide and (self.columns <= self.chip.lanes or axis.size == 1)):
            return
        extra = f"; 32-bit rows can start anywhere one at a time, or in refs of at most {self.chip.lanes} lanes"
        self._unaligned(axis, place, rows, "rows", extra)

    def widened(self) -> bool:
        """Whether all that is done with the loaded value is to convert it to 32 bits: the compiler then loads it so."""
        uses = users(self.body, self.eqn.outputs[0])
        return bool(uses) and all(
            use is not None and use.prim is Prim.CONVERT_ELEMENT_TYPE and storage_bits(_dtype(use)) == 32
            for use in uses
        )

    def _unaligned(self, axis: _Axis, place: int, unit: int, what: str, extra: str) -> None:
        known = "nothing more than an integer" if axis.start == 1 else f"a multiple of {axis.start}"
        op = "tpu.vector_load" if self.eqn.prim in _LOADS else "tpu.vector_store"
        self.add(
            "P604",
            f"the {self.what} '{self.named.name}' starts at a computed index along axis {place} that is known to be "
            f"{known}; {self.dtype.name} there lies in tiles of {unit} {what}, and a start has to be provably a "
            f"multiple of {unit}{extra} ({op})",
            f"compute the index as a product with {unit}, or say so: pl.multiple_of(start, {unit})",
            self.scope.rounded(self.eqn, axis.origin, unit),
        )

    def _strided(self) -> None:
        op = "tpu.strided_load" if self.eqn.prim in _LOADS else "tpu.strided_store"
        name, lanes = self.named.name, self.chip.lanes
        if storage_bits(self.dtype) != 32:
            self.add(
                "P605",
                f"the strided {self.what} '{name}' moves {self.dtype.name}; only 32-bit elements have strides ({op})",
                "take all rows and select, or keep the ref in 32 bits",
            )
        elif self.axes[-1].stride != 1:
            self.add(
                "P605",
                f"the {self.what} '{name}' has stride {self.axes[-1].stride} over lanes, which have none ({op})",
                "transpose the data outside the kernel, so that the stride runs along rows",
            )
        elif self.columns != lanes:
            self.add(
                "P605",
                f"the strided {self.what} '{name}' works on a ref of {self.columns} lanes; it has to have exactly "
                f"{lanes} ({op})",
                f"give the ref a last axis of {lanes}",
            )

    def _scalar(self) -> None:
        if self.eqn.prim in _STORES:
            return  # lowering judges it
        name = self.named.name
        if storage_bits(self.dtype) != 32:
            self.add(
                "P606",
                f"a scalar is read from '{name}', which is {self.dtype.name}; only 32-bit elements leave vector memory "
                "one by one (vector.extract)",
                "load a row and convert it to 32 bits first, or pass the table in smem",
            )
        elif any(not axis.static for axis, place in zip(self.axes, self.kept, strict=True) if self._inner(place)):
            self.add(
                "P606",
                f"a scalar is read from '{name}' at a computed index; vector memory gives scalars at static indices "
                "only (tpu.vector_load)",
                "pass the table in smem, or as scalar prefetch",
                (Fix("set", name, "memory_space", "smem"),) if self.whole else (),
            )

    def _inner(self, place: int) -> bool:
        return place >= len(self.array) - 2

    def add(self, code: str, message: str, hint: str, fixes: tuple[Fix, ...] = ()) -> None:
        span: Span = self.eqn.span
        self.findings.append(Diagnostic(code, message, span, hint, fixes=fixes))
