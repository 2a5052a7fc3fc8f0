"""What steps that may run at once could share, read off the program: the refs that a race check has to watch.

A task is the steps that agree in all program ids along parallel axes: these keep their order. Two tasks may run at
once, on two cores, each with scratch, semaphores and windows of its own; arrays in HBM are one for all. Most kernels
are proved free of races here, and need not be watched while they run:
- an output's blocks are told apart by an affine index map;
- scratch is overwritten whole by the first step of each task before anything reads it, so nothing is carried over.
"""

from __future__ import annotations

from typing import NamedTuple

from pipeline.ir.call import Element, KernelCall, Operand, Role
from pipeline.ir.jaxpr import Eqn, Jaxpr, Literal, Prim, ShapedArray, Var
from pipeline.schedule.index_map import IndexMap, analyse
from pipeline.schedule.scalar import Undecided, apply_scalar
from pipeline.schedule.uses import Use, covers_whole, nested, ref_uses
from pipeline.schedule.visits import count_visits, injective
from pipeline.simulate.mode import parallel_axes
from pipeline.simulate.uses import written_refs

_WAITS = frozenset({Prim.DMA_WAIT, Prim.SEMAPHORE_WAIT, Prim.SEMAPHORE_READ})


class Watch(NamedTuple):
    """What has to be watched. Numbers are positions among the body's binders, which start with the operands.

    axes:    grid axes of two steps or more that are parallel.
    carried: scratch, semaphores and prefetched operands that one task may find as another left them.
    arrays:  operands without a window that the body writes to, or that share memory with one.
    windows: outputs whose blocks are not proved to be one task's each, or that share memory with an input.
    aliases: (input, output) positions of operands that share memory, where the input may see what was written.
    """

    axes: tuple[int, ...]
    carried: tuple[int, ...] = ()
    arrays: tuple[int, ...] = ()
    windows: tuple[int, ...] = ()
    aliases: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.carried or self.arrays or self.windows or self.aliases)


def watch_for(call: KernelCall) -> Watch:
    """What a run of `call` has to watch; nothing (false) where the program shows that there can't be a race."""
    axes = parallel_axes(call.grid, call.semantics)
    aliased = _aliases(call)
    if not axes and not aliased:
        return Watch(())
    written = written_refs(call.body)
    shared = {position for pair in aliased for position in pair}
    arrays: list[int] = []
    windows: list[int] = []
    for position, operand in enumerate(call.operands):
        if operand.role is Role.SCALAR_PREFETCH:
            continue
        if operand.block is None:
            if position in shared or (axes and position in written):
                arrays.append(position)
        elif position in shared or (axes and operand.role is Role.OUTPUT and not _told_apart(call, operand, axes)):
            windows.append(position)
    carried: tuple[int, ...] = ()
    if axes:
        covered = overwritten_by_tasks(call, axes)
        waits = _waits(call.body)
        own = [i for i, o in enumerate(call.operands) if o.role is Role.SCALAR_PREFETCH and i in written]
        first = len(call.operands)
        own += [
            first + i
            for i, s in enumerate(call.scratch)
            if (waits if s.ref.dtype.is_semaphore else first + i in written)
        ]
        carried = tuple(i for i in own if call.body.invars[i] not in covered)
    return Watch(axes, carried, tuple(arrays), tuple(windows), aliased)


def _aliases(call: KernelCall) -> tuple[tuple[int, int], ...]:
    """Aliased pairs, but for those that work in place: each block is read where it is written, and visited once."""
    outputs = [i for i, operand in enumerate(call.operands) if operand.role is Role.OUTPUT]
    found = []
    uses: tuple[Use, ...] | None = None
    for source, target in call.aliases:
        position = outputs[target]
        if not _in_place(call, call.operands[source], call.operands[position]):
            uses = ref_uses(call.body) if uses is None else uses
            fetched = call.operands[source].block is not None or uses[source].read
            if fetched and (call.operands[position].block is not None or uses[position].written):
                found.append((source, position))
    return tuple(found)


def _in_place(call: KernelCall, source: Operand, target: Operand) -> bool:
    if source.block is None or source.block != target.block:
        return False
    maps = [_map(call, operand) for operand in (source, target)]
    same = maps[0].forms == maps[1].forms and all(form.coefficients is not None for form in maps[0].forms)
    if not same:
        return False
    visits = count_visits(maps[1], 0)
    return visits.exact and visits.copies == visits.visited


def _map(call: KernelCall, operand: Operand) -> IndexMap:
    assert operand.index_map is not None
    return analyse(operand.index_map, call.grid)


def _told_apart(call: KernelCall, operand: Operand, axes: tuple[int, ...]) -> bool:
    """Whether two steps that differ along a parallel axis have blocks without a common element, by the map's form."""
    assert operand.block is not None
    index_map = _map(call, operand)
    apart: set[int] = set()
    for member, (form, dim) in enumerate(zip(index_map.forms, operand.block, strict=True)):
        if form.coefficients is None or not form.axes or not injective(index_map, member, form.axes):
            continue
        reach = dim.size if isinstance(dim, Element) else 1
        if len(form.axes) == 1 or reach == 1:
            apart.update(a for a in form.axes if abs(form.coefficients[a]) >= reach)
    return apart.issuperset(axes)


# --- scratch


def overwritten_by_tasks(call: KernelCall, axes: tuple[int, ...]) -> set[Var]:
    """Binders of the body that the steps which agree along `axes` overwrite whole before they read them."""
    ids: dict[int, int] = {a: 0 for a, n in enumerate(call.grid) if n == 1}
    inner = [a for a, n in enumerate(call.grid) if n > 1 and a not in axes]
    if not inner or min(inner) > max(axes, default=-1):  # these steps follow one another: only the first has to
        ids.update(dict.fromkeys(inner, 0))
    return overwritten_first(call.body, ids)


def overwritten_first(body: Jaxpr, ids: dict[int, int]) -> set[Var]:
    """Binders of the body that a step overwrites whole before it reads them, whichever step has the program ids `ids`
    along these axes."""
    status: dict[Var, bool] = {}
    _follow(body, {var: var for var in body.invars}, {}, ids, status, True)
    return {var for var, covered in status.items() if covered}


def _follow(
    jaxpr: Jaxpr, roots: dict[Var, Var], known: dict[Var, int], ids: dict[int, int], status: dict[Var, bool],
    always: bool,
) -> None:  # fmt: skip
    """The first thing done to each ref goes into `status`: True if it is overwritten whole, in every such step."""
    used = {atom for eqn in jaxpr.eqns for atom in eqn.inputs if isinstance(atom, Var)}
    used.update(atom for atom in jaxpr.outvars if isinstance(atom, Var))
    for eqn in jaxpr.eqns:
        inner = list(nested(eqn))
        if eqn.prim is Prim.COND and (chosen := _value(eqn.inputs[0], known)) is not None:
            inner = [inner[min(max(chosen, 0), len(inner) - 1)]]
            certain = always
        else:
            certain = always and eqn.prim in (Prim.JIT, Prim.RUN_SCOPED)
        for body, inputs in inner:
            inside: dict[Var, Var] = {}
            values: dict[Var, int] = {}
            for var, atom in zip(body.invars, inputs, strict=False):
                if isinstance(atom, Var) and atom in roots:
                    inside[var] = roots[atom]
                elif certain and isinstance(atom, (Var, Literal)) and (value := _value(atom, known)) is not None:
                    values[var] = value
            _follow(body, inside, values, ids, status, certain)
        if inner:
            continue
        refs = [atom for atom in eqn.inputs if isinstance(atom, Var) and atom in roots]
        for atom in refs:
            root = roots[atom]
            covers = eqn.prim is Prim.SWAP and atom is eqn.inputs[0] and eqn.outputs[0] not in used
            if root not in status:
                status[root] = covers and always and covers_whole(eqn, root)
        if not refs:
            _fold(eqn, known, ids)


def _fold(eqn: Eqn, known: dict[Var, int], ids: dict[int, int]) -> None:
    """The equation's value, if it is an integer that the known program ids decide."""
    if len(eqn.outputs) != 1:
        return
    if eqn.prim is Prim.PROGRAM_ID:
        axis = eqn.param("axis")
        if isinstance(axis, int) and axis in ids:
            known[eqn.outputs[0]] = ids[axis]
        return
    aval = eqn.outputs[0].aval
    if not isinstance(aval, ShapedArray) or aval.shape or aval.dtype.is_float:
        return
    values = [_value(atom, known) for atom in eqn.inputs]
    if not values or any(value is None for value in values):
        return
    try:
        known[eqn.outputs[0]] = apply_scalar(eqn, [value for value in values if value is not None])
    except Undecided:
        return


def _value(atom: object, known: dict[Var, int]) -> int | None:
    if isinstance(atom, Literal):
        return None if isinstance(atom.value, float) else int(atom.value)
    return known.get(atom) if isinstance(atom, Var) else None


def _waits(jaxpr: Jaxpr) -> bool:
    return any(eqn.prim in _WAITS or any(_waits(body) for body, _ in nested(eqn)) for eqn in jaxpr.eqns)
