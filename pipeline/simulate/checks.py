"""Checks that are asked for: a kernel's equations in an instrumented form that says where a value first goes wrong.

What is checked is no mistake in itself: a masked-out NaN or a clamped index may be meant. So none of it is looked for
unless the spec's `[simulate] checks` or `pipeline run --checks` name it:

bounds         an index of a slice or a gather of a value that is clamped, dropped or filled (an access of a ref, or a
               block, out of bounds is always a finding)
nan            the first equation that makes a NaN from numbers, or an infinity from finite ones
div            a division or remainder by zero
uninitialized  a read of scratch or of an output block before it is written
debug          `pl.debug_check`
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from pipeline.ir.call import KernelCall
from pipeline.ir.jaxpr import Eqn, Prim, ShapedArray
from pipeline.simulate.clearing import clearing
from pipeline.simulate.machine import Buffer, Machine, Stopped
from pipeline.simulate.numerics.memory import Access
from pipeline.simulate.numerics.rules import Compile, Step
from pipeline.spec.limits import CHECKS

Array = Any
_DIVISIONS = {Prim.DIV: 1, Prim.REM: 1, Prim.RECIPROCAL: 0}  # primitive -> the input that may not be zero
# bits read as another type, values picked as they are, refs: what comes out was not made there
_NOT_MADE = frozenset(
    {
        Prim.GET, Prim.SWAP, Prim.MASKED_LOAD, Prim.MASKED_SWAP, Prim.ADDUPDATE, Prim.BITCAST, Prim.GATHER,
        Prim.PACK_ELEMENTWISE, Prim.UNPACK_ELEMENTWISE,
        Prim.BITCAST_CONVERT_TYPE, Prim.COND, Prim.SCAN, Prim.WHILE, Prim.RUN_SCOPED, Prim.SELECT_N, Prim.SORT,
    }
)  # fmt: skip
_READS = {Prim.GET: "transforms", Prim.MASKED_LOAD: "transforms", Prim.ADDUPDATE: "transforms", Prim.SWAP: "transforms",
          Prim.DMA_START: "src_transforms"}  # fmt: skip
_PER_ELEMENT = 1 << 24  # elements of a value that is looked at one by one for the place of the first


class Checker:
    """Puts the checks of these kinds around the equations of one run."""

    def __init__(self, call: KernelCall, machine: Machine, kinds: Iterable[str]) -> None:
        self.call, self.machine = call, machine
        wanted = frozenset(kinds)
        machine.marks_scratch |= "uninitialized" in wanted
        instruments = {
            "bounds": self._bounds,
            "nan": self._nan,
            "div": self._div,
            "uninitialized": self._uninitialized,
            "debug": self._debug,
        }
        self.instruments = [instruments[kind] for kind in CHECKS if kind in wanted]

    def wrap(self, eqn: Eqn, function: Step, compile: Compile) -> Step:
        """The equation's step with its checks."""
        for instrument in self.instruments:
            function = instrument(eqn, function, compile)
        return function

    # --- one kind each
    def _bounds(self, eqn: Eqn, function: Step, compile: Compile) -> Step:
        look = {
            Prim.DYNAMIC_SLICE: _look_at_slice,
            Prim.DYNAMIC_UPDATE_SLICE: _look_at_update,
            Prim.GATHER: _look_at_gather,
        }.get(eqn.prim)
        if look is None:
            return function

        def checked(*inputs: Any) -> Any:
            for axis, start, size, n in look(eqn, inputs):
                outside = (start < 0) | (start > n - size)
                if np.any(outside):
                    at = int(np.asarray(start)[outside].flat[0])
                    what = f"index {at}" if size == 1 else f"elements {at} to {at + size - 1}"
                    self.machine.report(
                        "R350", str(axis),
                        f"{eqn.prim.value} of a value of {n} elements along axis {axis} takes {what} at "
                        f"{self.machine.place()}", eqn.span, "guard the access, or correct its start",
                    )  # fmt: skip
            return function(*inputs)

        return checked

    def _nan(self, eqn: Eqn, function: Step, compile: Compile) -> Step:
        floats = [
            i for i, var in enumerate(eqn.outputs) if isinstance(var.aval, ShapedArray) and var.aval.dtype.is_float
        ]
        if not floats or eqn.prim in _NOT_MADE:
            return function
        single = len(eqn.outputs) == 1

        def checked(*inputs: Any) -> Any:
            result = function(*inputs)
            for i in floats:
                value = result if single else result[i]
                wide = _wide(value)
                if not np.isfinite(wide).all():
                    self._made(eqn, wide, [_wide(x) for x in inputs if _is_float(x)])
            return result

        return checked

    def _made(self, eqn: Eqn, value: Array, inputs: list[Array]) -> None:
        """Report what `value` has of NaN or infinity that its inputs do not account for."""
        same = all(np.shape(x) in ((), np.shape(value)) for x in inputs)
        any_nan: Array = False
        all_finite: Array = True
        for x in inputs:
            any_nan = any_nan | (np.isnan(x) if same else bool(np.isnan(x).any()))
            all_finite = all_finite & (np.isfinite(x) if same else bool(np.isfinite(x).all()))
        nan, infinite = np.isnan(value) & ~np.asarray(any_nan), np.isinf(value) & np.asarray(all_finite)
        made = nan | infinite
        if not np.any(made):
            return
        at = _first(made)
        kind = "NaN" if np.asarray(nan)[at] else "infinity"
        took = f" from {', '.join(f'{float(np.broadcast_to(x, np.shape(value))[at]):.3g}' for x in inputs)}" if (
            same and inputs) else ""  # fmt: skip
        count = int(np.sum(made))
        self.machine.report(
            "R351", "",
            f"{eqn.prim.value} makes {kind}{took}{_where(at)} at {self.machine.place()}"
            + (f"; {count} such elements" if count > 1 else ""),
            eqn.span, "keep the operand in the function's domain, and results in the dtype's range",
        )  # fmt: skip

    def _div(self, eqn: Eqn, function: Step, compile: Compile) -> Step:
        position = _DIVISIONS.get(eqn.prim)
        if position is None:
            return function

        def checked(*inputs: Any) -> Any:
            zero = np.asarray(inputs[position] == 0)
            if zero.any():
                what = {Prim.DIV: "a division", Prim.REM: "a remainder", Prim.RECIPROCAL: "a reciprocal"}[eqn.prim]
                self.machine.report(
                    "R352", "",
                    f"{what} by zero{_where(_first(zero))} at {self.machine.place()}"
                    + (f"; {int(zero.sum())} such elements" if zero.sum() > 1 else ""),
                    eqn.span, "put another divisor where it is zero: jnp.where(y == 0, 1, y)",
                )  # fmt: skip
            return function(*inputs)

        return checked

    def _uninitialized(self, eqn: Eqn, function: Step, compile: Compile) -> Step:
        param = _READS.get(eqn.prim)
        if param is None or (eqn.prim is Prim.SWAP and not compile.is_used(eqn, 0)):
            return function
        access = Access(eqn, compile, 0, param).noting
        mask = 1 if eqn.prim is Prim.MASKED_LOAD and eqn.param("has_mask") else None

        def checked(*inputs: Any) -> Any:
            buffer: Buffer = inputs[0]
            if buffer.written is not None and not buffer.whole and not buffer.given:
                self._unwritten(eqn, access, buffer, inputs, None if mask is None else inputs[mask])
            return function(*inputs)

        return checked

    def _unwritten(self, eqn: Eqn, access: Access, buffer: Buffer, inputs: tuple[Any, ...], mask: Array | None) -> None:
        try:
            inside, _ = access.within(buffer, inputs)
            missing = ~np.asarray(access.view(buffer.written, inside, quiet=True))
        except Stopped:  # the access itself is impossible, and says so when it is made
            return
        if mask is not None:
            missing = missing & mask
        for copy in self.machine.copies:
            if copy.dst is buffer and missing.any():  # what is on its way is a finding already
                coming = copy.dst_place.bytes().any(-1)
                missing = missing & ~np.asarray(access.view(coming, inside, quiet=True))
        if not missing.any():
            return
        shape = np.shape(buffer.data)
        ids = np.asarray(access.view(np.arange(buffer.data.size).reshape(shape), inside, quiet=True))
        at = tuple(int(i) for i in np.unravel_index(int(ids[missing].flat[0]), shape))
        count, total = int(missing.sum()), missing.size
        self.machine.report(
            "R353", buffer.name,
            f"'{buffer.name}' is read at {self.machine.place()} before it is written: {count} of the {total} elements, "
            f"first{_where(at)}", eqn.span, f"write '{buffer.name}' first, in the first step that uses it",
            fixes=clearing(self.call, buffer.name),
        )  # fmt: skip

    def _debug(self, eqn: Eqn, function: Step, compile: Compile) -> Step:
        if eqn.prim is not Prim.CHECK:
            return function

        def checked(failed: Any, code: Any) -> None:
            if failed:
                self.machine.report(
                    "R354", "", f"a check of the kernel fails at {self.machine.place()}: {eqn.param('message')}",
                    eqn.span, "correct what leads to it, or the condition",
                )  # fmt: skip

        return checked


def _look_at_slice(eqn: Eqn, inputs: tuple[Any, ...]) -> Iterable[tuple[int, Array, int, int]]:
    """(axis, start, size, elements) of each axis."""
    sizes = eqn.param("slice_sizes")
    assert isinstance(sizes, tuple)
    for axis, (start, size, n) in enumerate(zip(inputs[1:], sizes, eqn.inputs[0].aval.shape, strict=True)):
        assert isinstance(size, int)
        yield axis, start, size, n


def _look_at_update(eqn: Eqn, inputs: tuple[Any, ...]) -> Iterable[tuple[int, Array, int, int]]:
    shapes = eqn.inputs[0].aval.shape, eqn.inputs[1].aval.shape
    for axis, (start, n, size) in enumerate(zip(inputs[2:], *shapes, strict=True)):
        yield axis, start, size, n


def _look_at_gather(eqn: Eqn, inputs: tuple[Any, ...]) -> Iterable[tuple[int, Array, int, int]]:
    numbers: Any = eqn.param("dimension_numbers")
    sizes: Any = eqn.param("slice_sizes")
    for column, axis in enumerate(dict(numbers)["start_index_map"]):
        yield axis, inputs[1][..., column], sizes[axis], eqn.inputs[0].aval.shape[axis]


def _is_float(x: Any) -> bool:
    return not isinstance(x, Buffer) and np.asarray(x).dtype.kind not in "iub" and "int" not in np.asarray(x).dtype.name


def _wide(x: Array) -> Array:
    """A float in a dtype that NumPy has tests for."""
    x = np.asarray(x)
    return x if x.dtype.kind == "f" else x.astype(np.float32)


def _first(mask: Array) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), np.shape(mask)))


def _where(at: tuple[int, ...]) -> str:
    return f" at [{', '.join(map(str, at))}]" if at else ""
