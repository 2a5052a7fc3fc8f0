"""Which of a jaxpr's refs its equations store to: what a region has to hand on."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, Prim, Var

_STORES: dict[Prim, tuple[int, ...]] = {
    Prim.SWAP: (0,),
    Prim.ADDUPDATE: (0,),
    Prim.MASKED_SWAP: (0,),
    Prim.DMA_START: (1, 2),
    Prim.DMA_WAIT: (2,),
    Prim.SEMAPHORE_SIGNAL: (0,),
    Prim.SEMAPHORE_WAIT: (0,),
}


def stored_binders(jaxpr: Jaxpr) -> frozenset[int]:
    """Positions of the binders that the jaxpr, or one nested in it, stores to. A semaphore's count is a store."""
    found: set[Var] = set()
    for eqn in jaxpr.eqns:
        for atom in _stored(eqn):
            if isinstance(atom, Var):
                found.add(atom)
    return frozenset(i for i, var in enumerate(jaxpr.invars) if var in found)


def _stored(eqn: Eqn) -> Iterator[Atom]:
    for position in _STORES.get(eqn.prim, ()):
        yield eqn.inputs[position]
    for jaxpr, first in nested(eqn):
        for position in sorted(stored_binders(jaxpr)):
            if position + first >= 0:
                yield eqn.inputs[position + first]


def nested(eqn: Eqn) -> Iterator[tuple[Jaxpr, int]]:
    """The jaxprs of an equation; binder i is given the equation's input i + offset (negative: none)."""
    for name, value in eqn.params:
        for item in value if isinstance(value, tuple) else (value,):
            if not isinstance(item, Jaxpr):
                continue
            offset = 0
            if eqn.prim is Prim.COND:
                offset = 1
            elif eqn.prim is Prim.RUN_SCOPED:
                offset = len(eqn.inputs) - len(item.invars)
            elif eqn.prim is Prim.WHILE and name == "body_jaxpr":
                skip = eqn.param("cond_nconsts")
                assert isinstance(skip, int)
                offset = skip
            yield item, offset
