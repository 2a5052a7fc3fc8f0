"""`pltpu.emit_pipeline`: a loop over a grid inside a kernel, with copies of blocks in and out running ahead and behind.

The equations are those of JAX 0.10.2 one by one: a prologue that fetches the first blocks, a scan over the grid whose
carry is the windows' slots and the grid indices, an epilogue that waits for the last copies out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any

from pipeline.dtypes import BOOL, I32
from pipeline.ir.jaxpr import Aval, Jaxpr, Prim, RefAval, ShapedArray
from pipeline.trace.builder import Builder, Outer, RefTracer, Tracer, kind_of
from pipeline.trace.surface import async_copy, control, operators, scopes, select
from pipeline.trace.surface.block_specs import BlockSpec
from pipeline.trace.surface.common import Bound, literal, refuse, static_bool, static_int
from pipeline.trace.surface.pipeline_buffers import Buffer, Flag, Indices, Number, buffer_space, differ, op

Fn = Callable[..., Any]
_COUNTER = ShapedArray((), I32, weak_type=True)


def make(ctx: Builder, body: object, grid: object, in_specs: object, out_specs: object, semantics: object,
         trace_scopes: object) -> Bound:  # fmt: skip
    """The function that runs the pipeline on refs."""
    what = "pltpu.emit_pipeline"
    fn = control.as_function(ctx, body, f"{what}: the body")
    if not isinstance(grid, tuple | list):
        ctx.fail("T202", f"{what}: the grid is {kind_of(grid)}, where a tuple of ints is needed")
    sizes = tuple(static_int(ctx, size, f"{what}: a size of the grid") for size in grid)
    if any(size < 1 for size in sizes):
        ctx.fail("T202", f"{what}: the grid {list(sizes)} has a size that is not positive")
    if semantics is not None and not isinstance(semantics, tuple | list):
        ctx.fail("T202", f"{what}: dimension_semantics is {kind_of(semantics)}, where a tuple is needed")
    ins, outs = _specs(ctx, in_specs), _specs(ctx, out_specs)
    for spec in outs:
        if (spec.buffer_count or 0) > 2:
            ctx.fail("T216", f"{what}: an output has {spec.buffer_count} buffer slots", "outputs have at most 2")
    scoped = static_bool(ctx, trace_scopes, f"{what}: trace_scopes")

    def call(ctx: Builder, *refs: object, scratches: object = None, allocations: object = None,
             body_prologue: object = None) -> None:  # fmt: skip
        refuse(ctx, what, allocations=allocations, body_prologue=body_prologue)
        if len(refs) != len(ins) + len(outs):
            ctx.fail("T201", f"{what}: {len(refs)} refs are given for {len(ins)} in_specs and {len(outs)} out_specs")
        given = [ref if isinstance(ref, RefTracer) else _no_ref(ctx, ref) for ref in refs]
        extra = () if scratches is None else scratches
        if not isinstance(extra, tuple | list):
            ctx.fail("T202", f"{what}: scratches are {kind_of(extra)}, where a tuple of refs is needed")
        kinds = [True] * len(ins) + [False] * len(outs)
        buffers = [_buffer(ctx, *one, sizes) for one in zip((*ins, *outs), given, kinds, strict=True)]
        _Pipeline(ctx, fn, sizes, given, tuple(extra), scoped).run(buffers)

    return Bound(ctx, "the pipeline", call)


def _no_ref(ctx: Builder, value: object) -> RefTracer:
    ctx.fail("T211", f"pltpu.emit_pipeline: {kind_of(value)} is given, where a ref is needed")


def _specs(ctx: Builder, specs: object) -> tuple[BlockSpec, ...]:
    found = tuple(specs) if isinstance(specs, tuple | list) else (specs,)
    for one in found:
        if not isinstance(one, BlockSpec):
            ctx.fail("T202", f"pltpu.emit_pipeline: {kind_of(one)} is no BlockSpec",
                     "use pl.BlockSpec(block, index_map)")  # fmt: skip
    return found


def _buffer(ctx: Builder, spec: BlockSpec, ref: RefTracer, is_input: bool, grid: tuple[int, ...]) -> Buffer:
    what = "pltpu.emit_pipeline"
    if spec.block is not None and len(spec.block) != len(ref.shape):
        ctx.fail("T204", f"{what}: a block of {len(spec.block)} sizes for a ref {ref.aval}", "give one per dimension")
    trivial = _is_trivial(ctx, spec, grid, ref.shape)
    count = spec.buffer_count or (1 if trivial else 2)
    aliased = ref.space is buffer_space(spec)
    if not trivial and not aliased and not any(spec.block or ()):
        ctx.fail("T216", f"{what}: a block without dimensions is not supported here", "keep one with a size of 1")
    return Buffer(spec, is_input, count, trivial, aliased)


def _is_trivial(ctx: Builder, spec: BlockSpec, grid: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Whether the window is the whole operand at every grid point, as far as the index map's text tells."""
    if spec.block is None:
        return True
    if spec.block != shape:
        return False
    moving = [axis for axis, size in enumerate(grid) if size != 1]
    if spec.index_map is None or not moving:
        return True
    inner = ctx.trace(spec.index_map, [_COUNTER] * len(grid), "an index map")
    if any(isinstance(const.aval, RefAval) for const in inner.consts):
        return False
    binders = inner.jaxpr.invars[len(inner.consts) :]
    used = {*inner.jaxpr.outvars, *(atom for eqn in inner.jaxpr.eqns for atom in eqn.inputs)}
    return not any(binders[axis] in used for axis in moving)


class _Pipeline:
    __slots__ = ("body", "ctx", "grid", "refs", "scoped", "scratches", "stages", "steps")

    def __init__(self, ctx: Builder, body: Fn, grid: tuple[int, ...], refs: Sequence[RefTracer],
                 scratches: tuple[object, ...], scoped: bool) -> None:  # fmt: skip
        self.ctx = ctx
        self.body = body
        self.grid = grid
        self.refs = refs
        self.scratches = scratches
        self.scoped = scoped
        self.steps = prod(grid)
        self.stages = 2

    def run(self, buffers: list[Buffer]) -> None:
        """Allocate the windows and run within their scope."""
        self.stages = max(2, *(one.spec.buffer_count or 2 for one in buffers)) if buffers else 2
        wanted = [(one, name, aval) for one, ref in zip(buffers, self.refs, strict=True)
                  for name, aval in one.allocations(ref).items()]  # fmt: skip

        def inside(*refs: RefTracer) -> None:
            for (one, name, _), ref in zip(wanted, refs, strict=True):
                one.put(name, ref)
            self._run(buffers)

        types = [async_copy.ScratchType(aval.shape, aval.dtype, aval.space) for _, _, aval in wanted]
        scopes.run_scoped(self.ctx, inside, *types)

    def _run(self, buffers: list[Buffer]) -> None:
        ctx = self.ctx
        pairs = list(zip(buffers, self.refs, strict=True))
        first: Indices = (0,) * len(self.grid)
        step = _Step(self, 0, first)
        for one in buffers:
            one.initialize_slots(ctx)
        for one, ref in pairs:
            if one.is_input and one.trivial and one.window is not None:
                async_copy.sync_copy(ctx, ref, one.window)
        with step.environment():
            for ahead in range(self.stages - 1):
                for one, ref in pairs:
                    step.initialize(one, ref, ahead)
        last = previous(ctx, self._loop(buffers, first), self.grid)
        step = _Step(self, self.steps - 1, last)
        with step.environment():
            for one, ref in pairs:
                step.finalize(one, ref)
        for one, ref in pairs:
            if not one.is_input and one.trivial and one.window is not None:
                async_copy.sync_copy(ctx, one.window, ref)

    def _loop(self, buffers: list[Buffer], first: Indices) -> Indices:
        """The scan over the grid; gives the grid indices after its last step, and leaves the slots in `buffers`."""
        ctx = self.ctx
        carried = [(one, name, value) for one in buffers for name, value in one.carry()]
        start = [ctx.asarray(index) for index in first]
        avals: list[Aval] = [_COUNTER, *(value.aval for _, _, value in carried), *(value.aval for value in start)]

        def body(counter: Tracer, *flat: Any) -> object:
            after = op(ctx, "+", counter, 1)
            own = {id(one): one.fresh() for one in buffers}
            for (one, name, _), value in zip(carried, flat, strict=False):
                own[id(one)].put(name, value)
            following = self._step(list(own.values()), counter, flat[len(carried) :])
            slots = [own[id(one)].slots[name] for one, name, value in carried if isinstance(value, Tracer)]
            return after, slots, following

        inner = ctx.trace(body, avals, "the body of pltpu.emit_pipeline")
        # refs, and slots that stay as they are, are consts
        count = len(inner.consts)
        binders = inner.jaxpr.invars[count:]
        init: list[Tracer | RefTracer] = [Tracer(literal(0, I32, True).atom), *(value for *_, value in carried), *start]
        results = iter(inner.jaxpr.outvars)
        outs = [None if isinstance(value, RefTracer) else next(results) for value in init]
        fixed = [out is None or out is binder for out, binder in zip(outs, binders, strict=True)]
        split = list(zip(init, binders, outs, fixed, strict=True))
        moved = [(value, binder) for value, binder, _, stays in split if stays]
        rest = [(value, binder, out) for value, binder, out, stays in split if not stays]
        jaxpr = Jaxpr(
            (*(binder for _, binder in moved), *inner.jaxpr.invars[:count], *(binder for _, binder, _ in rest)),
            inner.jaxpr.eqns,
            tuple(out for *_, out in rest if out is not None),
        )
        inputs: list[Outer | RefTracer] = [
            *(value for value, _ in moved), *inner.consts, *(value for value, *_ in rest)
        ]  # fmt: skip
        found = iter(ctx.emit(Prim.SCAN, inputs, {
            "jaxpr": jaxpr, "length": self.steps, "num_carry": len(rest), "num_consts": count + len(moved),
            "reverse": False, "unroll": 1,
        }))  # fmt: skip
        after = [value if stays else next(found) for value, _, _, stays in split]
        for (one, name, _), value in zip(carried, after[1:], strict=False):
            one.put(name, value)
        return tuple(value for value in after[1 + len(carried) :] if isinstance(value, Tracer))

    def _step(self, buffers: list[Buffer], counter: Tracer, indices: Indices) -> Indices:
        """One grid point: copies, the body, copies."""
        ctx = self.ctx
        at = fixed_to_zero(indices, self.grid)
        step = _Step(self, counter, at)
        pairs = list(zip(buffers, self.refs, strict=True))
        with step.environment():
            for one, ref in pairs:
                one.bind(ctx, ref, step.indices)
            for phase in (step.copy_in, step.wait_in):
                for one, ref in pairs:
                    phase(one, ref)
            seen = [one.current(ctx) for one in buffers]
            with step.scope("ep_run_kernel"):
                self.body(*seen, *self.scratches)
            for phase in (step.copy_out, step.wait_out):
                for one, ref in pairs:
                    phase(one, ref)
            for one in buffers:
                if one.is_input:
                    one.advance(ctx, "wait_in", op(ctx, "|", step.moves(one, step.indices, step.next), step.is_last))
        return following(ctx, at, self.grid)


class _Step:
    """One grid point seen from a scope: its indices, those before and after it, and what is copied there."""

    __slots__ = ("ahead", "ctx", "indices", "is_first", "is_last", "next", "number", "pipeline", "previous")

    def __init__(self, pipeline: _Pipeline, number: Number, indices: Indices) -> None:
        ctx, grid = pipeline.ctx, pipeline.grid
        self.ctx = ctx
        self.pipeline = pipeline
        self.number = number
        self.is_first: Flag = op(ctx, "==", number, 0)
        self.is_last: Flag = op(ctx, "==", number, pipeline.steps - 1)
        self.indices = self._offset(indices)
        self.previous = self._offset(previous(ctx, indices, grid))
        later = following(ctx, indices, grid)
        self.next = self._offset(later)
        self.ahead = [self.indices, self.next]
        for _ in range(pipeline.stages - 1):
            later = following(ctx, later, grid)
            self.ahead.append(self._offset(later))

    def _offset(self, indices: Indices) -> Indices:
        # where JAX adds the first index of a core's share of the grid: here always 0
        return tuple(op(self.ctx, "+", index, 0) for index in indices)

    @contextmanager
    def environment(self) -> Iterator[None]:
        """Within, `pl.program_id` is of this pipeline's grid."""
        ctx = self.ctx
        outer = ctx.axes
        ctx.axes = tuple(zip(self.indices, self.pipeline.grid, strict=True))
        try:
            yield
        finally:
            ctx.axes = outer

    @contextmanager
    def scope(self, name: str) -> Iterator[None]:
        if not self.pipeline.scoped:
            yield
            return
        with self.ctx.named(name):
            yield

    def _when(self, predicate: Flag, name: str, fn: Callable[[], None]) -> None:
        def scoped() -> None:
            with self.scope(name):
                fn()

        control.when(self.ctx, predicate)(scoped)

    def moves(self, one: Buffer, a: Indices, b: Indices) -> Flag:
        """Whether the window is at different blocks at two grid points."""
        if one.count == 0 or one.trivial:
            return False
        return differ(self.ctx, one.indices(self.ctx, a), one.indices(self.ctx, b))

    def initialize(self, one: Buffer, ref: RefTracer, ahead: int) -> None:
        with self.scope(f"ep_initialize_{ahead}"):
            if not one.is_input or one.count == 0 or one.trivial or ahead + 1 >= one.count:
                return
            predicate: Flag = self.is_first
            at = self.ahead[ahead]
            if ahead:
                moved = differ(self.ctx, one.indices(self.ctx, at), one.indices(self.ctx, self.ahead[ahead - 1]))
                predicate = op(self.ctx, "&", self.is_first, moved)
            control.when(self.ctx, predicate)(lambda: one.copy_in(self.ctx, ref, at))
            one.advance(self.ctx, "copy_in", predicate)

    def copy_in(self, one: Buffer, ref: RefTracer) -> None:
        if one.trivial:
            return
        ctx = self.ctx
        if one.count == 1:
            moves = self.moves(one, self.indices, self.previous)
        else:
            moves = self.moves(one, self.ahead[one.count - 2], self.ahead[one.count - 1])
        predicate = op(ctx, "&", moves, operators.unary(ctx, "~", self._out_of_fetch(one)))
        if one.count == 1:
            predicate = op(ctx, "|", predicate, self.is_first)
        if not one.is_input:
            return
        self._when(predicate, "ep_copy_in", lambda: one.copy_in(ctx, ref, self.ahead[one.count - 1]))
        one.advance(ctx, "copy_in", op(ctx, "&", predicate, one.is_input))

    def _out_of_fetch(self, one: Buffer) -> Tracer:
        """Whether there is nothing left to fetch."""
        if one.count == 0:
            return literal(False, BOOL)
        found = op(self.ctx, ">=", self.number, self.pipeline.steps - one.count + 1)
        assert isinstance(found, Tracer)
        return found

    def wait_in(self, one: Buffer, ref: RefTracer) -> None:
        if one.trivial:
            return
        predicate = op(self.ctx, "|", self.moves(one, self.indices, self.previous), self.is_first)

        def wait() -> None:
            if one.is_input:
                one.wait_in(self.ctx, ref, self.indices)

        self._when(predicate, "ep_wait_in", wait)

    def copy_out(self, one: Buffer, ref: RefTracer) -> None:
        if one.trivial:
            return
        predicate = op(self.ctx, "|", self.moves(one, self.indices, self.next), self.is_last)

        def copy() -> None:
            if not one.is_input:
                one.copy_out(self.ctx, ref, self.indices)

        self._when(predicate, "ep_copy_out", copy)
        one.advance(self.ctx, "copy_out", op(self.ctx, "&", predicate, not one.is_input))

    def wait_out(self, one: Buffer, ref: RefTracer) -> None:
        if one.trivial:
            return
        moved = self.moves(one, self.indices, self.previous)
        predicate = op(self.ctx, "&", moved, operators.unary(self.ctx, "~", self.is_first))

        def wait() -> None:
            if not one.is_input:
                one.wait_out(self.ctx, ref, self.previous)

        self._when(predicate, "ep_wait_out", wait)
        one.advance(self.ctx, "wait_out", op(self.ctx, "&", predicate, not one.is_input))

    def finalize(self, one: Buffer, ref: RefTracer) -> None:
        if one.trivial:
            return

        def wait() -> None:
            if not one.is_input:
                one.wait_out(self.ctx, ref, self.indices)

        self._when(self.is_last, "ep_finalize", wait)


# grid indices


def fixed_to_zero(indices: Indices, grid: tuple[int, ...]) -> Indices:
    """0 along axes of one step."""
    return tuple(0 if size == 1 else index for index, size in zip(indices, grid, strict=True))


def following(ctx: Builder, indices: Indices, grid: tuple[int, ...]) -> Indices:
    """The next grid point, the first one after the last."""
    out: list[Number] = []
    carry: Flag = True
    for index, size in reversed(list(zip(indices, grid, strict=True))):
        more = select.lax_select(ctx, carry, op(ctx, "+", index, 1), index)
        carry = op(ctx, "==", more, size)
        out.append(select.lax_select(ctx, carry, 0, more))
    return fixed_to_zero(tuple(reversed(out)), grid)


def previous(ctx: Builder, indices: Indices, grid: tuple[int, ...]) -> Indices:
    """The grid point before, the last one before the first."""
    out: list[Number] = []
    borrow: Flag = True
    for index, size in reversed(list(zip(indices, grid, strict=True))):
        less = select.lax_select(ctx, borrow, op(ctx, "-", index, 1), index)
        borrow = op(ctx, "==", less, -1)
        out.append(select.lax_select(ctx, borrow, size - 1, less))
    return fixed_to_zero(tuple(reversed(out)), grid)
