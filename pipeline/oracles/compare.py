"""The first difference between two traces, in words: which equation, which operand, which param.

Variables are matched by where they are bound, so names and identities don't matter; everything else does: order,
params, shapes, dtypes, weak types, named scopes. Spans and names of operands don't take part.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.ir.call import KernelCall, Operand
from pipeline.ir.jaxpr import Atom, Aval, Eqn, Jaxpr, Literal, Param, RefAval, Var

Names = dict[Var, Var]  # ours to theirs


def call_difference(ours: KernelCall, theirs: KernelCall) -> str | None:
    """None if both say the same kernel; names of operands and scratch are not compared."""
    return next(_call(ours, theirs), None)


def jaxpr_difference(ours: Jaxpr, theirs: Jaxpr) -> str | None:
    """None if both are the same program up to the names of variables."""
    return next(_jaxpr(ours, theirs, ""), None)


def _call(ours: KernelCall, theirs: KernelCall) -> Iterator[str]:
    for field in ("name", "grid", "dynamic_grid", "semantics", "aliases", "vmem_limit_bytes"):
        yield from _plain(field, getattr(ours, field), getattr(theirs, field))
    yield from _plain("number of operands", len(ours.operands), len(theirs.operands))
    for mine, other in zip(ours.operands, theirs.operands, strict=False):
        yield from _operand(mine, other)
    yield from _plain("scratch", [_aval(s.ref) for s in ours.scratch], [_aval(s.ref) for s in theirs.scratch])
    yield from _jaxpr(ours.body, theirs.body, "body: ")


def _operand(ours: Operand, theirs: Operand) -> Iterator[str]:
    where = f"operand {ours.name}: "
    for field in ("role", "block", "buffer_count"):
        yield from _plain(where + field, getattr(ours, field), getattr(theirs, field))
    yield from _plain(where + "array", _aval(ours.array), _aval(theirs.array))
    yield from _plain(where + "ref", _aval(ours.ref), _aval(theirs.ref))
    if ours.index_map is None or theirs.index_map is None:
        yield from _plain(where + "index map present", ours.index_map is not None, theirs.index_map is not None)
    else:
        yield from _jaxpr(ours.index_map, theirs.index_map, where + "index map: ")


def _plain(what: str, ours: object, theirs: object) -> Iterator[str]:
    if type(ours) is not type(theirs) or ours != theirs:
        yield f"{what}: {ours!r} here, {theirs!r} there"


def _jaxpr(ours: Jaxpr, theirs: Jaxpr, where: str) -> Iterator[str]:
    names: Names = {}
    yield from _binders(ours.invars, theirs.invars, names, where + "binder")
    for i, (mine, other) in enumerate(zip(ours.eqns, theirs.eqns, strict=False)):
        yield from _eqn(mine, other, names, f"{where}equation {i} ({other.prim.value})")
    if len(ours.eqns) != len(theirs.eqns):
        longer, side = (ours, "here") if len(ours.eqns) > len(theirs.eqns) else (theirs, "there")
        extra = longer.eqns[min(len(ours.eqns), len(theirs.eqns))]
        yield (
            f"{where}{len(ours.eqns)} equations here, {len(theirs.eqns)} there; the first one only {side}: "
            f"{extra.prim.value}"
        )
    yield from _atoms(ours.outvars, theirs.outvars, names, where + "result")


def _eqn(ours: Eqn, theirs: Eqn, names: Names, where: str) -> Iterator[str]:
    if ours.prim is not theirs.prim:
        yield f"{where}: {ours.prim.value} here"
        return
    yield from _plain(where + " named scopes", ours.scopes, theirs.scopes)
    yield from _atoms(ours.inputs, theirs.inputs, names, where + " operand")
    yield from _param(where + " params", tuple(k for k, _ in ours.params), tuple(k for k, _ in theirs.params))
    for (key, mine), (_, other) in zip(ours.params, theirs.params, strict=False):
        yield from _param(f"{where} param {key}", mine, other)
    yield from _binders(ours.outputs, theirs.outputs, names, where + " output")


def _binders(ours: tuple[Var, ...], theirs: tuple[Var, ...], names: Names, where: str) -> Iterator[str]:
    if len(ours) != len(theirs):
        yield f"{where}s: {len(ours)} here, {len(theirs)} there"
    for i, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
        names[mine] = other
        yield from _plain(f"{where} {i}", _aval(mine.aval), _aval(other.aval))


def _atoms(ours: tuple[Atom, ...], theirs: tuple[Atom, ...], names: Names, where: str) -> Iterator[str]:
    if len(ours) != len(theirs):
        yield f"{where}s: {len(ours)} here, {len(theirs)} there"
    for i, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
        if isinstance(mine, Literal) or isinstance(other, Literal):
            yield from _plain(f"{where} {i}", _literal(mine), _literal(other))
        elif mine not in names:
            yield f"{where} {i}: a variable that nothing binds here"
        elif names[mine] is not other:
            yield f"{where} {i}: a different variable ({_aval(mine.aval)} here, {_aval(other.aval)} there)"


def _literal(atom: Atom) -> str:
    return f"literal {atom.value!r}:{_aval(atom.aval)}" if isinstance(atom, Literal) else "a variable"


def _aval(aval: Aval) -> str:
    """The aval in full: `~` marks a weak type."""
    if isinstance(aval, RefAval):
        return f"Ref<{aval.space.value}>{{{_aval(aval.inner)}}}"
    return f"{'~' if aval.weak_type else ''}{aval}"


def _param(where: str, ours: Param, theirs: Param) -> Iterator[str]:
    if isinstance(ours, Jaxpr) and isinstance(theirs, Jaxpr):
        yield from _jaxpr(ours, theirs, where + ": ")
    elif isinstance(ours, tuple) and isinstance(theirs, tuple) and any(isinstance(p, Jaxpr) for p in ours):
        yield from _plain(where + " length", len(ours), len(theirs))
        for i, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
            yield from _param(f"{where}[{i}]", mine, other)  # type: ignore[arg-type]
    else:
        # repr tells True from 1 and 0.0 from -0.0, and holds for nan
        yield from _plain(where, repr(ours), repr(theirs))
