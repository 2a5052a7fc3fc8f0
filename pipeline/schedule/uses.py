"""What a kernel's body does to its refs: who is read, who is written, whether a write covers the ref every time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pipeline.ir.jaxpr import Eqn, Jaxpr, Prim, RefAval, Var

_WRITES = frozenset({Prim.SWAP, Prim.MASKED_SWAP, Prim.ADDUPDATE})


class Use(NamedTuple):
    """Uses of one ref over the body. `covered_first`: the first thing the body does to it, on every step and not
    inside a branch or a loop, is to overwrite all of it."""

    read: bool = False
    written: bool = False
    covered_first: bool = False


def ref_uses(body: Jaxpr) -> tuple[Use, ...]:
    """A `Use` for each binder of the body, in order."""
    uses: dict[Var, Use] = {var: Use() for var in body.invars}
    _visit(body, {var: var for var in body.invars}, uses, True)
    return tuple(uses[var] for var in body.invars)


def _visit(jaxpr: Jaxpr, roots: dict[Var, Var], uses: dict[Var, Use], always: bool) -> None:
    """`roots` maps the refs in scope to binders of the body; scoped refs are in no one's way and left out."""
    used: set[Var] = {atom for eqn in jaxpr.eqns for atom in eqn.inputs if isinstance(atom, Var)}
    used.update(atom for atom in jaxpr.outvars if isinstance(atom, Var))
    for eqn in jaxpr.eqns:
        inner = list(nested(eqn))
        if inner:
            for jaxpr_inside, inputs in inner:
                inside = {
                    var: roots[atom]
                    for var, atom in zip(jaxpr_inside.invars, inputs, strict=False)
                    if isinstance(atom, Var) and atom in roots
                }
                _visit(jaxpr_inside, inside, uses, always and eqn.prim in (Prim.JIT, Prim.RUN_SCOPED))
            continue
        for place, atom in enumerate(eqn.inputs):
            if not isinstance(atom, Var) or atom not in roots:
                continue
            root = roots[atom]
            use = uses[root]
            writes = eqn.prim in _WRITES and place == 0
            old_value = any(out in used for out in eqn.outputs)
            reads = (
                not writes or eqn.prim is Prim.ADDUPDATE or (eqn.prim in (Prim.SWAP, Prim.MASKED_SWAP) and old_value)
            )
            if eqn.prim is Prim.DMA_WAIT:
                continue
            if eqn.prim is Prim.DMA_START:
                reads, writes = place == 0, place == 1
            covers = writes and not reads and always and eqn.prim is Prim.SWAP and covers_whole(eqn, root)
            first = not use.read and not use.written
            uses[root] = Use(use.read or reads, use.written or writes, use.covered_first or (first and covers))


def covers_whole(eqn: Eqn, root: Var) -> bool:
    """Whether a swap covers the whole ref: the value has the ref's size, in bits, since the ref may be cast."""
    value, inner = eqn.inputs[1].aval, root.aval
    assert isinstance(inner, RefAval)
    if isinstance(value, RefAval):
        return False
    return value.size * value.dtype.bits == inner.inner.size * inner.inner.dtype.bits


def nested(eqn: Eqn) -> Iterator[tuple[Jaxpr, tuple[object, ...]]]:
    """Jaxprs inside an equation, each with the equation's inputs that its binders stand for, in order."""
    match eqn.prim:
        case Prim.JIT | Prim.SCAN:
            yield _jaxpr(eqn.param("jaxpr")), eqn.inputs
        case Prim.COND:
            branches = eqn.param("branches")
            assert isinstance(branches, tuple)
            for branch in branches:
                yield _jaxpr(branch), eqn.inputs[1:]
        case Prim.WHILE:
            n_cond, n_body = eqn.param("cond_nconsts"), eqn.param("body_nconsts")
            assert isinstance(n_cond, int) and isinstance(n_body, int)
            carry = eqn.inputs[n_cond + n_body :]
            yield _jaxpr(eqn.param("cond_jaxpr")), (*eqn.inputs[:n_cond], *carry)
            yield _jaxpr(eqn.param("body_jaxpr")), (*eqn.inputs[n_cond : n_cond + n_body], *carry)
        case Prim.RUN_SCOPED:
            inner = _jaxpr(eqn.param("jaxpr"))
            scoped = len(inner.invars) - len(eqn.inputs)
            yield inner, (*([None] * scoped), *eqn.inputs)
        case _:
            return


def users(jaxpr: Jaxpr, value: Var) -> list[Eqn | None]:
    """The equations that take a value, in whatever jaxpr inside it is made; None for a jaxpr that returns it."""
    found: list[Eqn | None] = [eqn for eqn in jaxpr.eqns if value in eqn.inputs]
    found += [None for atom in jaxpr.outvars if atom is value]
    for eqn in jaxpr.eqns:
        for inner, _ in nested(eqn):
            found += users(inner, value)
    return found


def _jaxpr(param: object) -> Jaxpr:
    assert isinstance(param, Jaxpr)
    return param
