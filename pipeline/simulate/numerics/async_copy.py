"""NumPy rules: DMAs and semaphores.

A copy takes effect as late as hardware may let it: at the wait that takes its bytes from the semaphore. Between start
and wait the destination holds poison, reads of it and writes to either end are findings. A DMA semaphore counts
bytes; one core runs alone here, so a wait that the counter cannot meet will never end: a finding, and the run stops.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from pipeline.ir.jaxpr import Eqn, MemorySpace, Prim
from pipeline.simulate.extent import Place
from pipeline.simulate.machine import Buffer, Copy, Stopped
from pipeline.simulate.numerics.memory import Access
from pipeline.simulate.numerics.rules import Compile, Rules, Step

_HBM = (MemorySpace.ANY, MemorySpace.HBM)


def copy_bytes(view: Any, bits: int, cut: dict[int, int]) -> int:
    """Bytes a DMA of this view moves, with the padding that was `cut` off it along some axes and no other."""
    count: int = prod(n + cut.get(axis, 0) for axis, n in enumerate(np.shape(view)))
    return count * max(bits, 4) // 8


def _without(view: Any, cut: dict[int, int], done: dict[int, int]) -> Any:
    """`view` without what is cut off the copy's other end, unless it was cut off here too."""
    if not cut:
        return view
    ends = (n - max(cut.get(axis, 0) - done.get(axis, 0), 0) for axis, n in enumerate(view.shape))
    return view[tuple(slice(end) for end in ends)]


def eval_dma_start(eqn: Eqn, compile: Compile) -> Step:
    source = Access(eqn, compile, 0, "src_transforms")
    target = Access(eqn, compile, 1, "dst_transforms")
    counter = Access(eqn, compile, 2, "semaphore_transforms")
    machine = compile.machine

    def start(*inputs: Any) -> None:
        src, dst, semaphore = inputs[0], inputs[1], inputs[2]
        from_inputs, from_cut = source.within(src, inputs) if src.space in _HBM else (inputs, {})
        to_inputs, to_cut = target.within(dst, inputs) if dst.space in _HBM else (inputs, {})
        src_view, dst_view = source.view(src.data, from_inputs), target.view(dst.data, to_inputs)
        nbytes = copy_bytes(dst_view, target.seen_dtype.bits, to_cut)
        if from_cut or to_cut:  # both ends are slices, and so views
            if from_cut and not machine.mode.eager:
                dst_view[...] = machine.filling.value(dst.dtype, dst.name, padding=True)
            src_view, dst_view = _without(src_view, to_cut, from_cut), _without(dst_view, from_cut, to_cut)
        src_place = source.place(src, from_inputs, src_view)
        dst_place = target.place(dst, to_inputs, dst_view)
        if machine.copies:
            machine.check_read(src, src_place, eqn.span)
            machine.check_write(dst, dst_place, eqn.span)
        if np.shape(src_view) != np.shape(dst_view):
            machine.report(
                "R304", "", f"a copy from '{src.name}' of shape {np.shape(src_view)} goes to '{dst.name}' of shape "
                f"{np.shape(dst_view)} at {machine.place()}", eqn.span, "give both ends the same shape",
            )  # fmt: skip
            raise Stopped
        mark = None
        if dst.written is not None and not dst.whole:
            marks = _without(target.noting.view(dst.written, to_inputs, quiet=True), from_cut, to_cut)
            mark = Place(target.noting, dst.written, to_inputs, marks)
        if not dst.data.flags.writeable:
            raise AssertionError(f"a copy into the read-only '{dst.name}'")
        copy = Copy(src, src_place, dst, dst_place, mark, counter.view(semaphore.data, inputs),
                    nbytes, eqn.span, machine.place())  # fmt: skip
        if not machine.mode.eager:
            machine.copies.append(copy)
        if src.space in _HBM:
            machine.copied_in += copy.nbytes
        if dst.space in _HBM:
            machine.copied_out += copy.nbytes
        if machine.mode.eager:
            deliver(copy)
        else:
            old = machine.filling.value(target.seen_dtype, dst.name, padding=False)
            dst_place.store(np.full(dst_view.shape, old, dst_view.dtype))

    return start


def eval_dma_wait(eqn: Eqn, compile: Compile) -> Step:
    """Takes the bytes of the copy it names from the semaphore; delivers that copy, or the oldest on the semaphore."""
    target = Access(eqn, compile, 1, "dst_transforms")
    counter = Access(eqn, compile, 2, "semaphore_transforms")
    machine = compile.machine

    def wait(*inputs: Any) -> None:
        dst, semaphore = inputs[1], inputs[2]
        to_inputs, cut = target.within(dst, inputs) if dst.space in _HBM else (inputs, {})
        view = target.view(dst.data, to_inputs)
        count = counter.view(semaphore.data, inputs)
        need = copy_bytes(view, target.seen_dtype.bits, cut)
        mine = [c for c in machine.copies if np.may_share_memory(c.semaphore, count)]
        place = target.place(dst, to_inputs, view)
        same = [c for c in mine if c.dst is dst and _is_same(c.dst_place, place)]
        for copy in same[:1] + [c for c in mine if c not in same[:1]]:
            if int(count) >= need:
                break
            deliver(copy)
            machine.copies.remove(copy)
        if int(count) < need and not machine.mode.lenient:
            machine.report(
                "R310", semaphore.name,
                f"a wait on '{semaphore.name}' at {machine.place()} needs {need} bytes, but copies of only "
                f"{int(count)} bytes were started on it: the wait never ends", eqn.span,
                "start the copy before the wait, once for each wait",
            )  # fmt: skip
            raise Stopped
        count[...] -= need

    return wait


def _is_same(a: Place, b: Place) -> bool:
    if np.shape(a.view) != np.shape(b.view):
        return False
    if a.is_view and b.is_view:
        return bool(a.view.__array_interface__["data"] == b.view.__array_interface__["data"])
    return bool(np.array_equal(a.bytes(), b.bytes()))


def deliver(copy: Copy) -> None:
    """The copy lands: contents of the source now, and its bytes on the semaphore."""
    copy.dst_place.store(copy.src_place.load())
    if copy.dst_mark is not None:
        copy.dst_mark.store(np.True_)
    copy.semaphore[...] += copy.nbytes


def eval_semaphore_signal(eqn: Eqn, compile: Compile) -> Step:
    counter = Access(eqn, compile)

    def signal(*inputs: Any) -> None:
        semaphore: Buffer = inputs[0]
        counter.view(semaphore.data, inputs)[...] += int(inputs[1])

    return signal


def eval_semaphore_wait(eqn: Eqn, compile: Compile) -> Step:
    counter = Access(eqn, compile)
    machine = compile.machine

    def wait(*inputs: Any) -> None:
        semaphore: Buffer = inputs[0]
        count = counter.view(semaphore.data, inputs)
        need = int(inputs[1])
        if int(count) < need and not machine.mode.lenient:
            machine.report(
                "R310", semaphore.name,
                f"a wait on '{semaphore.name}' at {machine.place()} needs a count of {need}, but it is {int(count)} "
                "and nobody else will signal it: the wait never ends", eqn.span, "signal the semaphore before the wait",
            )  # fmt: skip
            raise Stopped
        count[...] -= need

    return wait


def eval_semaphore_read(eqn: Eqn, compile: Compile) -> Step:
    counter = Access(eqn, compile)
    return lambda *inputs: np.int32(counter.view(inputs[0].data, inputs))


RULES: Rules = {
    Prim.DMA_START: eval_dma_start,
    Prim.DMA_WAIT: eval_dma_wait,
    Prim.SEMAPHORE_SIGNAL: eval_semaphore_signal,
    Prim.SEMAPHORE_WAIT: eval_semaphore_wait,
    Prim.SEMAPHORE_READ: eval_semaphore_read,
}
