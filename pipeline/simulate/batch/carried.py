"""Whether scratch memory carries anything from one run of steps into the next.

It does not if the first step of each run overwrites it whole before it reads of it. A branch counts if its predicate
is known there: it is computed from the indices of the grid axes inside the run, which are 0 in its first step.
"""

from __future__ import annotations

from typing import Any

from pipeline.ir.jaxpr import Arg, Atom, Eqn, Jaxpr, Literal, NDIndexer, Prim, RefAval, Slice, Var
from pipeline.simulate.machine import Filling, Machine
from pipeline.simulate.numerics import elementwise
from pipeline.simulate.numerics.dtypes import literal
from pipeline.simulate.program import Compiler, inline

_PURE = frozenset(elementwise.RULES) | {Prim.CONVERT_ELEMENT_TYPE}


def carries(body: Jaxpr, refs: set[int], axes: frozenset[int], grid: tuple[int, ...]) -> bool:
    """Whether one of the body's binders `refs` may hold what another run left; runs differ in the indices `axes`."""
    names: dict[Var, int] = {}
    for position in refs:
        var = body.invars[position]
        names[var] = position
    walk = _Walk(axes, grid)
    return not walk.through(body, names, {}, set())


class _Walk:
    def __init__(self, axes: frozenset[int], grid: tuple[int, ...]) -> None:
        self.axes = axes
        self.machine = Machine(grid, Filling())

    def through(self, jaxpr: Jaxpr, names: dict[Var, int], known: dict[Var, Any], covered: set[int]) -> bool:
        """Follow `jaxpr` with the scratch refs `names`. Adds to `covered` what it overwrites; False for a read before.

        `known`: values of scalars in the first step of a run.
        """
        eqns, _ = inline(jaxpr)
        used = {atom for eqn in eqns for atom in eqn.inputs if isinstance(atom, Var)}
        for eqn in eqns:
            if eqn.prim is Prim.PROGRAM_ID:
                if eqn.param("axis") not in self.axes:
                    known[eqn.outputs[0]] = self._value(eqn, ())
            elif eqn.prim is Prim.COND:
                if not self._cond(eqn, names, known, covered):
                    return False
            elif not self._step(eqn, names, known, covered, used):
                return False
        return True

    def _value(self, eqn: Eqn, inputs: tuple[Any, ...]) -> Any:
        return Compiler(self.machine).function(eqn)(*inputs)

    def _step(self, eqn: Eqn, names: dict[Var, int], known: dict[Var, Any], covered: set[int], used: set[Var]) -> bool:
        scalar = len(eqn.outputs) == 1 and eqn.outputs[0].aval.shape == ()
        if eqn.prim is Prim.NUM_PROGRAMS or (
            scalar and eqn.prim in _PURE and all(isinstance(a, Literal) or a in known for a in eqn.inputs)
        ):
            known[eqn.outputs[0]] = self._value(eqn, tuple(_known(atom, known) for atom in eqn.inputs))
            return True
        touched = {names[atom] for atom in eqn.inputs if isinstance(atom, Var) and atom in names} - covered
        if not touched:
            return True
        if eqn.prim is Prim.SWAP and eqn.outputs[0] not in used and _whole(eqn):
            covered.update(touched)
            return True
        return False

    def _cond(self, eqn: Eqn, names: dict[Var, int], known: dict[Var, Any], covered: set[int]) -> bool:
        branches = eqn.param("branches")
        assert isinstance(branches, tuple)
        jaxprs = [branch for branch in branches if isinstance(branch, Jaxpr)]
        index = eqn.inputs[0]
        if isinstance(index, Literal) or index in known:
            jaxprs = [jaxprs[min(max(int(_known(index, known)), 0), len(jaxprs) - 1)]]
        found = []
        for jaxpr in jaxprs:
            inside = dict(zip(jaxpr.invars, eqn.inputs[1:], strict=True))
            inner = {var: names[atom] for var, atom in inside.items() if isinstance(atom, Var) and atom in names}
            scalars = {var: known[atom] for var, atom in inside.items() if isinstance(atom, Var) and atom in known}
            written = set(covered)
            if not self.through(jaxpr, inner, scalars, written):
                return False
            found.append(written)
        covered.update(set.intersection(*found))
        return True


def _known(atom: Atom, known: dict[Var, Any]) -> Any:
    return known[atom] if isinstance(atom, Var) else literal(atom.value, atom.aval.dtype)


def _whole(eqn: Eqn) -> bool:
    """Whether a store covers its ref: through nothing, or through full slices alone."""
    transforms, aval = eqn.param("transforms"), eqn.inputs[0].aval
    assert isinstance(transforms, tuple) and isinstance(aval, RefAval)
    if not transforms:
        return True
    first = transforms[0]
    if len(transforms) > 1 or not isinstance(first, NDIndexer):
        return False
    return all(
        (index == 0 and n == 1)
        if isinstance(index, (int, Arg))
        else isinstance(index, Slice) and (index.start, index.size, index.stride) == (0, n, 1)
        for index, n in zip(first.indices, aval.shape, strict=True)
    )
