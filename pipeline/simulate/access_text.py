"""Loads from refs and stores to them as Python text, where an index in range is all that they need to know.

An index out of range, a copy in flight, and whatever is not written here (arrays of positions, bitcasts, masks) are
left to the NumPy rule (`numerics/memory.py`). One element of an integer ref is read and written through a memoryview,
which gives Python's numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from pipeline.ir.jaxpr import Eqn, Index, Prim, RefAval, ShapedArray, Slice
from pipeline.simulate.function_text import Value, Write, Writer, is_number
from pipeline.simulate.numerics.async_copy import ENDS, copy_bytes, quick_start, quick_wait
from pipeline.simulate.numerics.memory import Access
from pipeline.simulate.program import Form


class Where(NamedTuple):
    """The elements of an access: its index as text, what has to hold for it, whether it is one element, the shape of
    what it sees, and the first index along each axis as text."""

    text: str
    checks: tuple[str, ...]
    single: bool
    shape: tuple[int, ...]
    start: str

    @property
    def test(self) -> str:
        return " and ".join(self.checks)


def located(w: Writer, eqn: Eqn, given: list[Value], position: int = 0, param: str = "transforms") -> Where | None:
    """Where an access goes; None where it takes more than indices to say so."""
    access = Access(eqn, cast(Any, w), position, param)
    aval = eqn.inputs[position].aval
    assert isinstance(aval, RefAval)
    if access.whole:
        return Where("...", (), False, aval.shape, str((0,) * len(aval.shape)))
    if access.fancy or len(access.steps) != 1 or not hasattr(access.steps[0], "indices"):
        return None
    checks, entries, starts, shape = [], [], "", []
    for n, index in zip(aval.shape, access.steps[0].indices, strict=True):
        found = _entry(w, n, index, given)
        if found is None:
            return None
        text, check = found
        entries.append(text)
        checks += [check] if check else []
        starts += text.partition(":")[0] + ", "
        shape += [index.size] if isinstance(index, Slice) and isinstance(index.size, int) else []
    single = not any(isinstance(index, Slice) for index in access.steps[0].indices)
    return Where(", ".join(entries), tuple(checks), single, tuple(shape), f"({starts})")


def _no_copies(w: Writer, buffer: str) -> tuple[str, ...]:
    """What has to hold besides, where the body starts copies."""
    return (f"not {buffer}.flights",) if w.machine.copies_of_its_own else ()


def _entry(w: Writer, n: int, index: Index, given: list[Value]) -> tuple[str, str] | None:
    """One axis' index and what has to hold for it, of `n` elements."""
    start, size, stride = (index.start, index.size, index.stride) if isinstance(index, Slice) else (index, 1, 1)
    if not isinstance(size, int) or size < 1 or (size - 1) * stride >= n or stride < 1:
        return None
    extent = (size - 1) * stride + 1
    if isinstance(start, int):
        if not 0 <= start <= n - extent:
            return None
        first, last, check = str(start), str(start + extent), ""
    else:
        if given[start.position].dtype is None:
            return None
        first = w.number(given[start.position])
        last, check = f"{first} + {extent}", f"0 <= {first} <= {n - extent}"
    if not isinstance(index, Slice):
        return first, check
    return f"{first}:{last}" + (f":{stride}" if stride > 1 else ""), check


def _view(w: Writer, buffer: str) -> str:
    """A memoryview of what a buffer holds."""
    return w.at_start(f"{buffer}_data", f"memoryview({buffer}.data)")


def write_get(w: Writer, form: Form, given: list[Value], function: Any) -> list[Value] | None:
    eqn = form.eqn
    where = located(w, eqn, given)
    if where is None:
        return None
    buffer, aval = w.array(given[0]), eqn.outputs[0].aval
    where = where._replace(checks=_no_copies(w, buffer) + where.checks)
    made = w.variable(aval)
    name = made.number or made.array
    if made.number is not None and where.single:
        text = f"{_view(w, buffer)}[{where.text}]"
    elif made.number is not None:
        return None
    else:
        text = f"{buffer}.data" + ("" if where.text == "..." else f"[{where.text}]")
        text += "" if form.aliasing or where.single else ".copy()"
    if not where.checks:
        w.line(f"{name} = {text}")
        return [made]
    w.line(f"if {where.test}: {name} = {text}")
    w.line("else:")
    with w.block():
        got = f"{w.know(function)}({', '.join([w.array(value) for value in given])})"
        w.line(f"{name} = {got}" + (".item()" if made.number is not None else ""))
    return [made]


def write_swap(w: Writer, form: Form, given: list[Value], function: Any) -> list[Value] | None:
    """A store; whoever wants the old elements asks the NumPy rule."""
    where = None if form.used else located(w, form.eqn, given)
    if where is None:
        return None
    buffer = w.array(given[0])
    where = where._replace(checks=_no_copies(w, buffer) + where.checks)
    aval = form.eqn.inputs[0].aval
    assert isinstance(aval, RefAval)
    by_number = where.single and is_number(ShapedArray((), aval.dtype))
    value = w.number(given[1]) if by_number else w.array(given[1])
    if where.checks:
        w.line(f"if {where.test}:")
        w.depth += 1
    if by_number:
        w.line(f"{_view(w, buffer)}[{where.text}] = {value}")
        marks = w.at_start(
            f"{buffer}_marks",
            f"None if {buffer}.written is None or {buffer}.whole else memoryview({buffer}.written)",
        )
        w.line(f"if {marks} is not None: {marks}[{where.text}] = True")
    else:
        w.line(f"{buffer}.data[{where.text}] = {value}")
        if where.text == "...":
            w.line(f"if {buffer}.written is not None: {buffer}.whole = True")
        else:
            w.line(f"if {buffer}.written is not None and not {buffer}.whole: {buffer}.written[{where.text}] = True")
    if where.checks:
        w.depth -= 1
        w.line("else:")
        with w.block():
            w.line(f"{w.know(function)}({', '.join([w.array(value) for value in given])})")
    return [Value("None")]


def write_copy(w: Writer, form: Form, given: list[Value], function: Any) -> list[Value] | None:
    """The start of a copy, or a wait for one, whose ends and semaphore are named by indices."""
    eqn = form.eqn
    starts = eqn.prim is Prim.DMA_START
    ends = range(0 if starts else 1, 3)
    found = [located(w, eqn, given, end, ENDS[end]) for end in ends]
    places = [place for place in found if place is not None]
    if len(places) < len(ends) or places[0].shape != places[-2].shape or places[-1].shape:
        return None
    w.calls += 1
    nbytes = copy_bytes(places[-2].shape, eqn.inputs[1].aval.dtype.bits)
    quick = (quick_start if starts else quick_wait)(eqn, w.machine, nbytes)
    buffers = [w.array(given[end]) for end in ends]
    inputs = ", ".join([value.number or w.array(value) for value in given])
    tests = [check for place in places for check in place.checks]
    arguments = []
    for buffer, place in zip(buffers[:-1], places[:-1], strict=True):
        arguments += [buffer, f"{buffer}.data[{place.text}]", place.start]
    if starts:
        dst, text = buffers[1], places[1].text
        arguments.append(f"None if {dst}.written is None or {dst}.whole else {dst}.written[{text}]")
    semaphore, text = buffers[-1], places[-1].text
    arguments += [semaphore, f"{semaphore}.data[{text}{'' if text == '...' else ', ...'}]", f"({inputs})"]
    call = f"{w.know(quick)}({', '.join(arguments)})"
    if not tests:
        w.line(call)
        return []
    w.line(f"if {' and '.join(tests)}: {call}")
    w.line("else:")
    with w.block():
        w.line(f"{w.know(function)}({', '.join([w.array(value) for value in given])})")
    return []


ACCESSES: dict[Prim, Write] = {
    Prim.GET: write_get, Prim.SWAP: write_swap, Prim.DMA_START: write_copy, Prim.DMA_WAIT: write_copy,
}  # fmt: skip
