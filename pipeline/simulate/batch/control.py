"""Rules for many lanes: control flow. Lanes that take different branches part; each part runs its branch at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, Prim, RefAval, ShapedArray
from pipeline.simulate.batch.compiler import LanesCompiler, Unproven, spread
from pipeline.simulate.machine import EQUATION_WORK, MAX_TRIPS, Buffer
from pipeline.simulate.numerics.control import jaxpr_param
from pipeline.simulate.numerics.dtypes import numpy_dtype
from pipeline.simulate.numerics.rules import Step
from pipeline.simulate.program import Program
from pipeline.simulate.uses import written_refs

Array = Any
# steps of the body of a loop whose length differs, times lanes, below which each lane's own loop is a function that is
# faster, for what is run often
LEAST_APART = 32
ControlRule = Callable[[Eqn, LanesCompiler], tuple[Step, tuple[bool, ...]]]


def _integer(eqn: Eqn, name: str) -> int:
    value = eqn.param(name)
    assert isinstance(value, int), name
    return value


def _flags(atoms: tuple[Atom, ...], compiler: LanesCompiler) -> tuple[bool, ...]:
    return tuple(compiler.has_lanes(atom) for atom in atoms)


def _given(values: list[Any], have: tuple[bool, ...], want: tuple[bool, ...], lanes: int) -> list[Any]:
    """`values` with lanes where they are wanted."""
    return [
        spread(value, lanes) if needed and not there else value
        for value, there, needed in zip(values, have, want, strict=True)
    ]


def _results(values: list[Any]) -> Any:
    return tuple(values) if len(values) > 1 else values[0] if values else None


def lanes_cond(eqn: Eqn, compiler: LanesCompiler) -> tuple[Step, tuple[bool, ...]]:
    branches = eqn.param("branches")
    assert isinstance(branches, tuple)
    jaxprs = [branch for branch in branches if isinstance(branch, Jaxpr)]
    flags = _flags(eqn.inputs[1:], compiler)
    programs = [compiler.lanes_program(branch, flags) for branch in jaxprs]
    apart = compiler.has_lanes(eqn.inputs[0])
    want = tuple(apart or any(p.batched[i] for p in programs) for i in range(len(eqn.outputs)))
    last, lanes = len(programs) - 1, compiler.lanes

    def together(index: Any, *operands: Any) -> Any:
        chosen = programs[min(max(int(index), 0), last)]
        return _results(_given(chosen.run(*operands), chosen.batched, want, lanes))

    if not apart:
        return together, want
    parts = _Parts(jaxprs, flags, eqn, compiler)

    def each(index: Array, *operands: Any) -> Any:
        chosen = np.clip(index.astype(np.intp), 0, last)
        if (chosen == chosen[0]).all():
            return together(chosen[0], *operands)
        return parts.run(chosen, operands)

    return each, want


class _Parts:
    """The branches of a `cond`, each for those lanes that take it."""

    def __init__(self, jaxprs: list[Jaxpr], flags: tuple[bool, ...], eqn: Eqn, compiler: LanesCompiler) -> None:
        self.jaxprs, self.flags, self.compiler = jaxprs, flags, compiler
        self.stored = [written_refs(jaxpr) for jaxpr in jaxprs]
        self.outputs: list[ShapedArray] = []
        for var in eqn.outputs:
            assert isinstance(var.aval, ShapedArray)
            self.outputs.append(var.aval)
        self.programs: dict[tuple[int, int], Program] = {}

    def run(self, chosen: Array, operands: tuple[Any, ...]) -> Any:
        machine = self.compiler.lanes_machine
        index = machine.index
        results = [np.empty((chosen.size, *aval.shape), numpy_dtype(aval.dtype)) for aval in self.outputs]
        for branch, jaxpr in enumerate(self.jaxprs):
            if not jaxpr.eqns and not jaxpr.outvars:
                continue
            for taken in _pieces(np.flatnonzero(chosen == branch)):
                lanes = slice(taken[0], taken[-1] + 1) if taken[-1] - taken[0] + 1 == taken.size else taken
                program = self._program(branch, int(taken.size))
                mine = _parts(operands, self.flags, lanes, {})
                machine.index = machine.for_lanes(lanes)
                for result, value in zip(results, program.run(*mine), strict=True):
                    result[lanes] = value
                machine.index = index
                for position in self.stored[branch]:
                    _put_back(operands[position], mine[position], lanes)
        return _results(results)

    def _program(self, branch: int, lanes: int) -> Program:
        key = (branch, lanes)
        if key not in self.programs:
            self.programs[key] = self.compiler.sized(lanes).lanes_program(self.jaxprs[branch], self.flags)
        return self.programs[key]


def _pieces(lanes: Array) -> Iterator[Array]:
    """Lanes in parts of 2^k: a branch is compiled for few numbers of lanes, whatever number takes it."""
    start = 0
    while start < lanes.size:
        size = 1 << int(lanes.size - start).bit_length() - 1
        yield lanes[start : start + size]
        start += size


def _parts(values: Sequence[Any], flags: tuple[bool, ...], lanes: Any, known: dict[int, Any]) -> list[Any]:
    """Some lanes of each value or buffer. A buffer that is there twice, or is `known` already, has one part."""
    return [known.setdefault(id(x), _some(x, lanes)) if flag else x for x, flag in zip(values, flags, strict=True)]


def _some(value: Any, lanes: Any) -> Any:
    """Some lanes of a value or buffer: a view where they are neighbours, else a copy."""
    if not isinstance(value, Buffer):
        return value[lanes]
    part = Buffer(value.name, value.dtype, value.space, value.data[lanes], value.span)
    if value.written is not None and not value.whole:
        part.written = value.written[lanes]
    return part


def _put_back(buffer: Buffer, part: Buffer, lanes: Any) -> None:
    """What a branch stored to its lanes of a buffer."""
    if not isinstance(lanes, slice):
        buffer.data[lanes] = part.data
    if part.written is not None and buffer.written is not None:
        if part.whole:
            buffer.written[lanes] = True
        elif not isinstance(lanes, slice):
            buffer.written[lanes] = part.written


def lanes_scan(eqn: Eqn, compiler: LanesCompiler) -> tuple[Step, tuple[bool, ...]]:
    jaxpr = jaxpr_param(eqn, "jaxpr")
    length, consts, carries = _integer(eqn, "length"), _integer(eqn, "num_consts"), _integer(eqn, "num_carry")
    reverse = bool(eqn.param("reverse"))
    given = _flags(eqn.inputs, compiler)
    fixed, stacked = given[:consts], given[consts + carries :]
    body, carried = _settled(jaxpr, compiler, fixed, given[consts : consts + carries], stacked)
    made = body.batched[carries:]
    machine, lanes = compiler.machine, compiler.lanes

    def scan(*inputs: Any) -> Any:
        if length > MAX_TRIPS:
            machine.too_many_trips("", eqn.span)
        constant = inputs[:consts]
        carry = _given(list(inputs[consts : consts + carries]), given[consts : consts + carries], carried, lanes)
        xs = inputs[consts + carries :]
        stacks: list[list[Any]] = [[] for _ in made]
        for i in range(length - 1, -1, -1) if reverse else range(length):
            machine.spend(EQUATION_WORK)
            row = [x[:, i] if flag else x[i] for x, flag in zip(xs, stacked, strict=True)]
            out = body.run(*constant, *carry, *row)
            carry = _given(out[:carries], body.batched[:carries], carried, lanes)
            for stack, y in zip(stacks, out[carries:], strict=True):
                stack.append(y)
        ys = [
            np.stack(stack[::-1] if reverse else stack, 1 if flag else 0)
            for stack, flag in zip(stacks, made, strict=True)
        ]
        return _results(carry + ys)

    return scan, (*carried, *made)


def _settled(
    jaxpr: Jaxpr, compiler: LanesCompiler, before: tuple[bool, ...], carry: tuple[bool, ...], after: tuple[bool, ...]
) -> tuple[Program, tuple[bool, ...]]:
    """A loop's body, compiled with lanes on each carried value that has them in some round."""
    while True:
        body = compiler.lanes_program(jaxpr, (*before, *carry, *after))
        found = tuple(a or b for a, b in zip(carry, body.batched, strict=False))
        if found == carry:
            return body, carry
        carry = found


def lanes_while(eqn: Eqn, compiler: LanesCompiler) -> tuple[Step, tuple[bool, ...]]:
    """A loop that ends in the same round in all lanes, or goes on with those lanes that have not come to their end."""
    tested, fixed = _integer(eqn, "cond_nconsts"), _integer(eqn, "body_nconsts")
    given = _flags(eqn.inputs, compiler)
    first = given[tested + fixed :]
    cond_jaxpr, body_jaxpr = jaxpr_param(eqn, "cond_jaxpr"), jaxpr_param(eqn, "body_jaxpr")
    body, carried = _settled(body_jaxpr, compiler, given[tested : tested + fixed], first, ())
    test = compiler.lanes_program(cond_jaxpr, (*given[:tested], *carried))
    machine, lanes = compiler.machine, compiler.lanes
    if any(test.batched):
        return _apart(eqn, compiler, given[:tested], given[tested : tested + fixed], first)

    def loop(*inputs: Any) -> Any:
        cond_consts, body_consts = inputs[:tested], inputs[tested : tested + fixed]
        carry = _given(list(inputs[tested + fixed :]), first, carried, lanes)
        while bool(test.run(*cond_consts, *carry)[0]):
            machine.trip(eqn.span, lanes)
            carry = _given(body.run(*body_consts, *carry), body.batched, carried, lanes)
        return _results(carry)

    return loop, carried


def _apart(
    eqn: Eqn, compiler: LanesCompiler, tested: tuple[bool, ...], fixed: tuple[bool, ...], first: tuple[bool, ...]
) -> tuple[Step, tuple[bool, ...]]:
    """A loop whose length differs between lanes. Every carried value has lanes."""
    cond_jaxpr, body_jaxpr = jaxpr_param(eqn, "cond_jaxpr"), jaxpr_param(eqn, "body_jaxpr")
    carried = (True,) * len(first)
    stored = written_refs(body_jaxpr)
    programs: dict[int, tuple[Program, Program]] = {}
    machine = compiler.lanes_machine

    def compiled(lanes: int) -> tuple[Program, Program]:
        if lanes not in programs:
            sized = compiler.sized(lanes)
            programs[lanes] = (
                sized.lanes_program(cond_jaxpr, (*tested, *carried)),
                sized.lanes_program(body_jaxpr, (*fixed, *carried)),
            )
        return programs[lanes]

    _, whole = compiled(compiler.lanes)
    if machine.often and compiler.lanes * len(whole.steps) < LEAST_APART:
        raise Unproven("a loop that is faster step by step")

    def loop(*inputs: Any) -> Any:
        lanes, index = compiler.lanes, machine.index
        consts, body_consts = inputs[: len(tested)], inputs[len(tested) : len(tested) + len(fixed)]
        carry = _given(list(inputs[len(tested) + len(fixed) :]), first, carried, lanes)
        results = carry
        active: Array = None  # numbers of the lanes that go on; None: all
        mine, mine_tested = list(body_consts), list(consts)
        while True:
            test, body = compiled(lanes)
            going = np.broadcast_to(test.run(*mine_tested, *carry)[0], (lanes,))
            if not going.all():
                if active is None:
                    active, results = np.arange(lanes), [np.array(value) for value in carry]
                else:
                    for result, value in zip(results, carry, strict=True):
                        result[active] = value
                    for position in stored:
                        _put_back(body_consts[position], mine[position], active)
                if not going.any():
                    break
                carry = [value[going] for value in carry]
                active = active[going]
                lanes = int(active.size)
                known: dict[int, Any] = {}
                mine = _parts(body_consts, fixed, active, known)
                mine_tested = _parts(consts, tested, active, known)
                machine.index = tuple(i[active] if np.ndim(i) else i for i in index)
                test, body = compiled(lanes)
            machine.trip(eqn.span, lanes)
            carry = _given(body.run(*mine, *carry), body.batched, carried, lanes)
        machine.index = index
        return _results(results)

    return loop, carried


def lanes_run_scoped(eqn: Eqn, compiler: LanesCompiler) -> tuple[Step, tuple[bool, ...]]:
    jaxpr = jaxpr_param(eqn, "jaxpr")
    scoped = len(jaxpr.invars) - len(eqn.inputs)
    refs = list(_refs(jaxpr, scoped))
    body = compiler.lanes_program(jaxpr, (*[True] * scoped, *_flags(eqn.inputs, compiler)))
    machine, lanes = compiler.machine, compiler.lanes

    def run(*consts: Any) -> Any:
        buffers = [
            machine.allocate(f"scoped {i}", aval.dtype, (lanes, *aval.shape), aval.space, eqn.span)
            for i, aval in enumerate(refs)
        ]
        return _results(body.run(*buffers, *consts))

    return run, body.batched


def _refs(jaxpr: Jaxpr, scoped: int) -> Iterator[RefAval]:
    for var in jaxpr.invars[:scoped]:
        assert isinstance(var.aval, RefAval)
        if var.aval.dtype.is_semaphore:
            raise Unproven("a semaphore")
        yield var.aval


RULES: dict[Prim, ControlRule] = {
    Prim.COND: lanes_cond,
    Prim.SCAN: lanes_scan,
    Prim.WHILE: lanes_while,
    Prim.RUN_SCOPED: lanes_run_scoped,
}
