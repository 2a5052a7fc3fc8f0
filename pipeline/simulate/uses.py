"""What a jaxpr does with its binders: which refs it writes to, and whether it is scalar arithmetic alone."""

from __future__ import annotations

from typing import Any

from pipeline.ir.jaxpr import Arg, Eqn, Jaxpr, NDIndexer, Prim, RefAval, Var
from pipeline.simulate.numerics import elementwise
from pipeline.simulate.program import INLINED, inline

VECTORIZED = (frozenset(elementwise.RULES) | {Prim.CONVERT_ELEMENT_TYPE}) - {Prim.MULTIPLE_OF}


def vectorizes(index_map: Jaxpr) -> bool:
    """Whether an index map can be evaluated for all steps at once: scalar arithmetic and reads at scalar indices."""
    eqns, _ = inline(index_map)
    return all(eqn.prim in VECTORIZED or (eqn.prim is Prim.GET and _reads_a_scalar(eqn)) for eqn in eqns)


def _reads_a_scalar(eqn: Eqn) -> bool:
    transforms = eqn.param("transforms")
    assert isinstance(transforms, tuple)
    return len(transforms) == 1 and all(
        isinstance(t, NDIndexer) and t.indices and all(isinstance(i, (int, Arg)) for i in t.indices) for t in transforms
    )


def written_refs(jaxpr: Jaxpr) -> set[int]:
    """Positions of the binders that the body, or a jaxpr nested in it, may write to."""
    found: set[Any] = set()
    for eqn in jaxpr.eqns:
        if not any(isinstance(atom.aval, RefAval) for atom in eqn.inputs):
            continue
        match eqn.prim:
            case Prim.JIT | Prim.CUSTOM_JVP_CALL | Prim.CUSTOM_VJP_CALL:
                for body in _jaxprs(eqn, INLINED[eqn.prim]):
                    found.update(eqn.inputs[i] for i in written_refs(body))
            case Prim.SWAP | Prim.ADDUPDATE | Prim.MASKED_SWAP:
                found.add(eqn.inputs[0])
            case Prim.DMA_START:
                found.add(eqn.inputs[1])
            case Prim.COND:
                for branch in _jaxprs(eqn, "branches"):
                    found.update(eqn.inputs[1 + i] for i in written_refs(branch))
            case Prim.SCAN:
                for body in _jaxprs(eqn, "jaxpr"):
                    found.update(eqn.inputs[i] for i in written_refs(body))
            case Prim.WHILE:
                skip = eqn.param("cond_nconsts")
                assert isinstance(skip, int)
                for body in _jaxprs(eqn, "body_jaxpr"):
                    found.update(eqn.inputs[skip + i] for i in written_refs(body))
            case Prim.RUN_SCOPED:
                for body in _jaxprs(eqn, "jaxpr"):
                    first = len(body.invars) - len(eqn.inputs)
                    found.update(eqn.inputs[i - first] for i in written_refs(body) if i >= first)
            case _:
                pass
    return {i for i, var in enumerate(jaxpr.invars) if isinstance(var, Var) and var in found}


def _jaxprs(eqn: Eqn, name: str) -> tuple[Jaxpr, ...]:
    value = eqn.param(name)
    return tuple(v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, Jaxpr))
