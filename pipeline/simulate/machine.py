"""The state of a functional run: buffers behind refs, copies in flight, semaphores, findings, and the work budget.

What a kernel does to memory goes through here, so that a use of memory that hardware would not promise (a read of a
buffer that a copy is still filling, a semaphore that never gets there) is seen when it happens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

import numpy as np

from pipeline.dtypes import DMA_SEM, DType
from pipeline.errors import NOWHERE, Diagnostic, Fix, Severity, Span
from pipeline.ir.jaxpr import MemorySpace
from pipeline.simulate.extent import Place, region_text, shared
from pipeline.simulate.mode import SEQUENTIAL, Mode
from pipeline.simulate.numerics.dtypes import arbitrary, numpy_dtype, poison

Array = Any

# Work is counted in elements produced; 32 multiply-adds of a contraction count as one. An equation costs
# EQUATION_WORK on top, what its dispatch in Python takes next to an element (about 1 ns).
EQUATION_WORK = 1_000
WORK_LIMIT = 10_000_000_000  # some ten seconds
MAX_TRIPS = 150_000  # rounds of one loop with a static length, and of all `while` loops of a run: half a second
OFTEN = 100  # runs of a program or rounds of a loop after which it is worth a function of its own
MAX_FINDINGS = 50
MAX_BYTES = 1 << 30  # of one value or scratch buffer


class Stopped(Exception):
    """The run cannot go on: a deadlock, an impossible access, or the work budget. A finding says which."""


@dataclass(frozen=True, slots=True)
class Filling:
    """What memory nobody wrote holds in a run.

    padding: False fills the part of a partial block past the array with zeros rather than poison; memory: the same
    for outputs and scratch. `only` limits poison to one name. `variant` chooses between fillings for integers.
    """

    padding: bool = True
    memory: bool = True
    only: str | None = None
    variant: int = 0
    seed: int | None = None  # poison is any finite value instead, another one for each name; 2n + 1 mirrors 2n

    def value(self, dtype: DType, name: str, *, padding: bool) -> Array:
        """The filling for buffer `name`."""
        wanted = self.padding if padding else self.memory
        if dtype.is_semaphore or not wanted or (self.only is not None and name != self.only):
            return numpy_dtype(dtype).type(0)
        if self.seed is not None:
            return arbitrary(dtype, f"{self.seed // 2}/{name}", mirrored=self.seed % 2 == 1)
        return poison(dtype, self.variant)


class Buffer:
    """What a ref points at. `data` is replaced when a window moves on; `written` marks elements of outputs that were
    stored to (None where nobody asks), `whole` says that all were, `given` that the rest was the caller's. `alias` is
    the buffer that has the same memory under another name. `flights`: ends that copies in flight have here."""

    __slots__ = ("alias", "data", "dtype", "flights", "given", "name", "space", "span", "whole", "written")

    def __init__(self, name: str, dtype: DType, space: MemorySpace, data: Array, span: Span = NOWHERE) -> None:
        self.name = name
        self.dtype = dtype
        self.space = space
        self.data = data
        self.span = span
        self.written: Array | None = None
        self.whole = False
        self.given = False
        self.alias: Buffer | None = None
        self.flights = 0

    def fly(self, more: int) -> None:
        """So many more copies in flight have an end here."""
        self.flights += more
        if self.alias is not None:
            self.alias.flights += more


class Copy:
    """A DMA in flight: delivered when somebody waits for it, which is the latest that hardware may be."""

    __slots__ = ("counter", "dst", "dst_mark", "dst_place", "index", "nbytes", "semaphore", "span", "src", "src_place")

    def __init__(
        self, src: Buffer, src_place: Place, dst: Buffer, dst_place: Place, dst_mark: Place | None, counter: Buffer,
        semaphore: Array, nbytes: int, span: Span, index: tuple[Any, ...],
    ) -> None:  # fmt: skip
        self.src, self.src_place = src, src_place
        self.dst, self.dst_place, self.dst_mark = dst, dst_place, dst_mark
        self.counter, self.semaphore = counter, semaphore  # the buffer, and the place in it
        self.nbytes = nbytes
        self.span = span
        self.index = index  # the step that started it


class Machine:
    """One run. `step` is the flattened grid step, `index` the program ids as i32 scalars."""

    def __init__(
        self, grid: tuple[int, ...], filling: Filling, work_limit: int = WORK_LIMIT, mode: Mode = SEQUENTIAL
    ) -> None:
        self.grid = grid
        self.watchers: list[Watcher] = []
        self.copies_of_its_own = True  # whether the body may start copies
        self.often = False  # whether the kernel is run so often that anything is worth preparing
        self.marks_scratch = False  # whether scratch keeps account of what was written, too
        self.start(filling, work_limit, mode)

    def start(self, filling: Filling, work_limit: int, mode: Mode) -> None:
        """Get ready for a run."""
        self.mode = mode
        self.filling = filling
        self.index: tuple[Any, ...] = tuple(np.int32(0) for _ in self.grid)
        self.work = work_limit
        self.trips = MAX_TRIPS
        self.findings: dict[tuple[str, Span, str], Diagnostic] = {}
        self.copies: list[Copy] = []
        self.poisoned_integers = False
        self.copied_in = 0  # HBM bytes that the body's own copies read
        self.copied_out = 0  # and write

    # --- findings
    def place(self, index: tuple[Any, ...] | None = None) -> str:
        """The current step in words, or the one with that index."""
        if not self.grid:
            return "the only step"
        return f"step ({', '.join(str(int(i)) for i in (self.index if index is None else index))})"

    def report(
        self, code: str, key: str, message: str, span: Span, hint: str | None = None,
        severity: Severity = Severity.ERROR, fixes: tuple[Fix, ...] = (),
    ) -> None:  # fmt: skip
        """Record a finding once for each place in the kernel and `key`; the first occurrence is the one told."""
        where = (code, span, key)
        if where not in self.findings and len(self.findings) < MAX_FINDINGS:
            self.findings[where] = Diagnostic(code, message, span, hint, severity, fixes=fixes)

    def spend(self, work: int) -> None:
        """Take `work` from the budget; Stopped when it is used up."""
        self.work -= work
        if self.work < 0:
            self.report(
                "R104", "", f"the functional run was given up at {self.place()}: it takes more work than the limit",
                NOWHERE, "bound the loops of the kernel, or declare a smaller variant",
            )  # fmt: skip
            raise Stopped

    def trip(self, span: Span, rounds: int = 1) -> None:
        """Take a round of the `while` loop at `span`, one for each step, from the budget; Stopped if none is left."""
        self.spend(EQUATION_WORK)
        self.trips -= rounds
        if self.trips < 0:
            self.too_many_trips(f"its loops have run {MAX_TRIPS} rounds and go on", span)

    def too_many_trips(self, why: str, span: Span) -> NoReturn:
        """Give the run up at a loop."""
        message = f"the functional run was given up at {self.place()}: {why}"
        self.report("R104", "", message, span, "bound the loop, or declare a smaller variant")
        raise Stopped

    # --- memory
    def take_off(self, copy: Copy) -> None:
        """A copy is in flight from now on."""
        self.copies.append(copy)
        copy.src.fly(1)
        copy.dst.fly(1)

    def land(self, copy: Copy) -> None:
        """A copy is not in flight any more."""
        self.copies.remove(copy)
        copy.src.fly(-1)
        copy.dst.fly(-1)

    def allocate(self, name: str, dtype: DType, shape: tuple[int, ...], space: MemorySpace, span: Span) -> Buffer:
        """Scratch: counters start at zero, everything else is filled as uninitialised memory."""
        if not dtype.is_float and not dtype.is_semaphore:
            self.poisoned_integers = True
        data = np.full(shape, self.filling.value(dtype, name, padding=False), numpy_dtype(dtype))
        buffer = Buffer(name, dtype, space, data, span)
        if self.marks_scratch and not dtype.is_semaphore:
            buffer.written = np.zeros(shape, bool)
        return buffer

    def release(self, buffers: list[Buffer]) -> None:
        """Buffers end here: no copy may still use them, and every semaphore must be back at zero."""
        for copy in list(self.copies):
            ends = [b.name for b in (copy.src, copy.dst) if b in buffers]
            if ends or any(np.may_share_memory(copy.semaphore, b.data) for b in buffers):
                self.land(copy)
                self.report(
                    "R311", "",
                    f"the copy from '{copy.src.name}' to '{copy.dst.name}' is started and never waited for", copy.span,
                    "wait for every copy before the kernel ends",
                )  # fmt: skip
                copy.semaphore.fill(int(copy.semaphore) + copy.nbytes)
        for buffer in buffers:
            if buffer.dtype.is_semaphore and np.any(buffer.data):
                at = tuple(int(i) for i in np.argwhere(np.asarray(buffer.data))[0])
                name = f"{buffer.name}[{', '.join(map(str, at))}]" if at else buffer.name
                unit = "bytes" if buffer.dtype is DMA_SEM else "signals"
                self.report(
                    "R312", buffer.name, f"semaphore '{name}' is left at {int(buffer.data[at])} {unit}, not 0",
                    buffer.span, "match each start or signal with one wait",
                )  # fmt: skip

    def check_read(self, buffer: Buffer, place: Place, span: Span) -> None:
        """Call before reading while copies are in flight: none may be filling what is read."""
        if not buffer.flights:
            return
        for copy in self.copies:
            where = _shared(copy.dst, copy.dst_place, buffer, place)
            if where is not None:
                self._report_use("R301", buffer, where, f"is read at {self.place()}", "into it", copy, "read", span)

    def check_write(self, buffer: Buffer, place: Place, span: Span) -> None:
        """Call before writing while copies are in flight: none may be reading or filling what is written."""
        if not buffer.flights:
            return
        for copy in self.copies:
            what, where = "into it", _shared(copy.dst, copy.dst_place, buffer, place)
            if where is None:
                what, where = "out of it", _shared(copy.src, copy.src_place, buffer, place)
            if where is not None:
                self._report_use("R302", buffer, where, f"is written at {self.place()}", what, copy, "write", span)

    def _report_use(
        self, code: str, buffer: Buffer, where: str, used: str, what: str, copy: Copy, use: str, span: Span
    ) -> None:
        started = self.place(copy.index)
        began = "" if started == self.place() else f", started at {started},"
        self.report(
            code, buffer.name, f"'{buffer.name}'{where} {used} while a copy {what}{began} is in flight", span,
            f"wait for the copy before the {use}",
        )  # fmt: skip

    def check_move(self, buffer: Buffer) -> None:
        """Call before a window's block is replaced while copies are in flight: none may use it."""
        for copy in self.copies:
            if copy.src is buffer or copy.dst is buffer:
                what = "out of" if copy.src is buffer else "into"
                self.report(
                    "R302", buffer.name,
                    f"the block of '{buffer.name}' is replaced before {self.place()} while a copy {what} it, started "
                    f"at {self.place(copy.index)}, is in flight", copy.span,
                    "wait for the copy in the step that starts it, or copy by way of scratch",
                )  # fmt: skip


def _shared(used: Buffer, used_place: Place, buffer: Buffer, place: Place) -> str | None:
    """The elements of `buffer` at a place that a copy's end uses too, as text ("" if they have no bounds to tell); None
    if there are none."""
    if used is not buffer and (used.alias is not buffer or buffer.alias is None):
        return None
    if used is buffer and used_place.is_view and place.is_view and not overlaps(used_place.view, place.view):
        return None
    found = shared(place, used_place)
    if found is not None:
        return region_text(found)
    exact = place.mask is not None or not (place.is_view and used_place.is_view)
    return "" if used is buffer and not exact else None


class Watcher(Protocol):
    """Somebody who looks on while equations are run; none are there in an ordinary run, which is not slowed."""

    def wrap(self, eqn: Any, function: Callable[..., Any], compile: Any) -> Callable[..., Any]:
        """The equation's step in a form that is watched, or `function` as it is."""
        ...


def overlaps(a: Array, b: Array) -> bool:
    """Whether two views share an element. Exact for slices; undecided pathological strides count as sharing."""
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray) or not np.may_share_memory(a, b):
        return False
    try:
        return np.shares_memory(a, b, 100_000)  # type: ignore[arg-type]
    except Exception:  # numpy's TooHardError moved between modules
        return True
