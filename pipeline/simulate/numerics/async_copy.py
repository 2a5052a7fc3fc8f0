"""NumPy rules: DMAs and semaphores.

A copy takes effect as late as hardware may let it: at the wait that takes its bytes from the semaphore. Between start
and wait the destination holds poison, reads of it and writes to either end are findings. A DMA semaphore counts
bytes; one core runs alone here, so a wait that the counter cannot meet will never end: a finding, and the run stops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from pipeline.ir.jaxpr import Eqn, MemorySpace, Prim
from pipeline.simulate.extent import Place
from pipeline.simulate.machine import Buffer, Copy, Filling, Machine, Stopped
from pipeline.simulate.numerics.memory import Access
from pipeline.simulate.numerics.rules import Compile, Rules, Step

_HBM = (MemorySpace.ANY, MemorySpace.HBM)


def copy_bytes(shape: tuple[int, ...], bits: int, cut: Mapping[int, int] = MappingProxyType({})) -> int:
    """Bytes a DMA of that shape moves, with the padding that was `cut` off it along some axes and no other."""
    count: int = prod(n + cut.get(axis, 0) for axis, n in enumerate(shape))
    return count * max(bits, 4) // 8


def _without(view: Any, cut: dict[int, int], done: dict[int, int]) -> Any:
    """`view` without what is cut off the copy's other end, unless it was cut off here too."""
    if not cut:
        return view
    ends = (n - max(cut.get(axis, 0) - done.get(axis, 0), 0) for axis, n in enumerate(view.shape))
    return view[tuple(slice(end) for end in ends)]


At = tuple[int, ...]
ENDS = ("src_transforms", "dst_transforms", "semaphore_transforms")


def starter(eqn: Eqn, machine: Machine, target: Access) -> Callable[..., None]:
    """A copy of what the places see, whose bytes go to `semaphore`, a view of `counter`."""
    filled: tuple[Filling, str] | None = None
    old: Any = None  # what the destination holds until the copy is there, of such a filling and of that name

    def start(
        src: Buffer, src_place: Place, dst: Buffer, dst_place: Place, counter: Buffer, semaphore: Any, nbytes: int,
        mark: Place | None = None,
    ) -> None:  # fmt: skip
        if machine.copies:
            machine.check_read(src, src_place, eqn.span)
            machine.check_write(dst, dst_place, eqn.span)
        src_shape, dst_shape = np.shape(src_place.view), np.shape(dst_place.view)
        if src_shape != dst_shape:
            machine.report(
                "R304", "", f"a copy from '{src.name}' of shape {src_shape} goes to '{dst.name}' of shape "
                f"{dst_shape} at {machine.place()}", eqn.span, "give both ends the same shape",
            )  # fmt: skip
            raise Stopped
        if not dst.data.flags.writeable:
            raise AssertionError(f"a copy into the read-only '{dst.name}'")
        copy = Copy(src, src_place, dst, dst_place, mark, counter, semaphore, nbytes, eqn.span, machine.index)
        if src.space in _HBM:
            machine.copied_in += nbytes
        if dst.space in _HBM:
            machine.copied_out += nbytes
        if machine.mode.eager:
            deliver(copy)
            return
        machine.take_off(copy)
        nonlocal filled, old
        if filled is None or filled[0] is not machine.filling or filled[1] != dst.name:
            filled = machine.filling, dst.name
            old = machine.filling.value(target.seen_dtype, dst.name, padding=False)
        if dst_place.is_view:
            dst_place.view[...] = old
        else:
            dst_place.store(np.full(dst_shape, old, dst_place.view.dtype))

    return start


def eval_dma_start(eqn: Eqn, compile: Compile) -> Step:
    source, target, counter = (Access(eqn, compile, end, param) for end, param in enumerate(ENDS))
    machine = compile.machine
    launch = starter(eqn, machine, target)

    def start(*inputs: Any) -> None:
        src, dst, semaphore = inputs[0], inputs[1], inputs[2]
        from_inputs, from_cut = source.within(src, inputs) if src.space in _HBM else (inputs, {})
        to_inputs, to_cut = target.within(dst, inputs) if dst.space in _HBM else (inputs, {})
        src_view, dst_view = source.view(src.data, from_inputs), target.view(dst.data, to_inputs)
        nbytes = copy_bytes(np.shape(dst_view), target.seen_dtype.bits, to_cut)
        if from_cut or to_cut:  # both ends are slices, and so views
            if from_cut and not machine.mode.eager:
                dst_view[...] = machine.filling.value(dst.dtype, dst.name, padding=True)
            src_view, dst_view = _without(src_view, to_cut, from_cut), _without(dst_view, from_cut, to_cut)
        src_place = source.place(src, from_inputs, src_view)
        dst_place = target.place(dst, to_inputs, dst_view)
        mark = None
        if dst.written is not None and not dst.whole:
            marks = _without(target.noting.view(dst.written, to_inputs, quiet=True), from_cut, to_cut)
            mark = Place(target.noting, dst.written, to_inputs, marks)
        launch(src, src_place, dst, dst_place, semaphore, counter.view(semaphore.data, inputs), nbytes, mark)

    return start


def waiter(eqn: Eqn, machine: Machine) -> Callable[..., None]:
    """Takes the bytes of the copy to a place from the semaphore; delivers that copy, or the oldest on the semaphore."""

    def wait(dst: Buffer, place: Place, semaphore: Buffer, count: Any, need: int) -> None:
        mine = [c for c in machine.copies if c.counter is semaphore and np.may_share_memory(c.semaphore, count)]
        same = [c for c in mine if c.dst is dst and _is_same(c.dst_place, place)]
        for copy in same[:1] + [c for c in mine if c not in same[:1]]:
            if int(count) >= need:
                break
            deliver(copy)
            machine.land(copy)
        if int(count) < need and not machine.mode.lenient:
            machine.report(
                "R310", semaphore.name,
                f"a wait on '{semaphore.name}' at {machine.place()} needs {need} bytes, but copies of only "
                f"{int(count)} bytes were started on it: the wait never ends", eqn.span,
                "start the copy before the wait, once for each wait",
            )  # fmt: skip
            raise Stopped
        count.fill(int(count) - need)

    return wait


def eval_dma_wait(eqn: Eqn, compile: Compile) -> Step:
    _, target, counter = (Access(eqn, compile, end, param) for end, param in enumerate(ENDS))
    wait = waiter(eqn, compile.machine)

    def wait_for(*inputs: Any) -> None:
        dst, semaphore = inputs[1], inputs[2]
        to_inputs, cut = target.within(dst, inputs) if dst.space in _HBM else (inputs, {})
        view = target.view(dst.data, to_inputs)
        need = copy_bytes(np.shape(view), target.seen_dtype.bits, cut)
        wait(dst, target.place(dst, to_inputs, view), semaphore, counter.view(semaphore.data, inputs), need)

    return wait_for


def quick_start(eqn: Eqn, machine: Machine, nbytes: int) -> Callable[..., None]:
    """A start whose views the caller has found, with the first index of each along the axes."""
    compile: Any = SimpleNamespace(machine=machine)
    source, target, _ = (Access(eqn, compile, end, param) for end, param in enumerate(ENDS))
    launch = starter(eqn, machine, target)

    def start(
        src: Buffer, src_view: Any, src_at: At, dst: Buffer, dst_view: Any, dst_at: At, marks: Any, counter: Buffer,
        semaphore: Any, inputs: Any,
    ) -> None:  # fmt: skip
        src_place = Place(source, src.data, inputs, src_view, start=src_at)
        dst_place = Place(target, dst.data, inputs, dst_view, start=dst_at)
        mark = None if marks is None else Place(target, dst.written, inputs, marks, start=dst_at)
        launch(src, src_place, dst, dst_place, counter, semaphore, nbytes, mark)

    return start


def quick_wait(eqn: Eqn, machine: Machine, need: int) -> Callable[..., None]:
    """The same for a wait."""
    compile: Any = SimpleNamespace(machine=machine)
    target = Access(eqn, compile, 1, ENDS[1])
    wait = waiter(eqn, machine)

    def wait_for(dst: Buffer, view: Any, at: At, counter: Buffer, semaphore: Any, inputs: Any) -> None:
        wait(dst, Place(target, dst.data, inputs, view, start=at), counter, semaphore, need)

    return wait_for


def _is_same(a: Place, b: Place) -> bool:
    if a.start is not None and b.start is not None and a.data is b.data:
        return a.start == b.start and bool(a.view.shape == b.view.shape)
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
    copy.semaphore.fill(int(copy.semaphore) + copy.nbytes)


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
        count.fill(int(count) - need)

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
