"""What an index map takes of the scalar unit: its equations as instructions, each when its operands are there."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.ir.jaxpr import Arg, Atom, Jaxpr, Literal, NDIndexer, Prim, Var
from pipeline.schedule.bundles.scalar_code import Code

_SAME = frozenset(
    {Prim.CONVERT_ELEMENT_TYPE, Prim.BROADCAST_IN_DIM, Prim.RESHAPE, Prim.SQUEEZE, Prim.MULTIPLE_OF, Prim.STOP_GRADIENT}
)
_TESTS = frozenset({Prim.EQ, Prim.NE, Prim.LT, Prim.LE, Prim.GT, Prim.GE})
_BY_A_POWER = 5  # instructions in a row of a signed division by a power of two: the sign has to be seen to
_PREDICATES = frozenset({Prim.AND, Prim.OR, Prim.NOT})
_DIVISION = 8  # by another constant: a product with its inverse, shifts and corrections


def run_map(code: Code, jaxpr: Jaxpr, signed: bool, start: int = 0) -> list[int | None]:
    """When each block index is there if the map's evaluation starts at `start`; None for one that is constant.

    `signed`: what it computes with may be negative.
    """
    ready: dict[Var, int | None] = dict.fromkeys(jaxpr.invars, start)
    return _run(code, jaxpr, ready, signed)


def _run(code: Code, jaxpr: Jaxpr, ready: dict[Var, int | None], signed: bool) -> list[int | None]:
    def look(atom: Atom) -> int | None:
        return None if isinstance(atom, Literal) else ready.get(atom)

    for eqn in jaxpr.eqns:
        args = [look(atom) for atom in eqn.inputs]
        inner = [j for _, param in eqn.params for j in (param if isinstance(param, tuple) else (param,))]
        bodies = [j for j in inner if isinstance(j, Jaxpr)]
        if eqn.prim is Prim.GET:
            results: Sequence[int | None] = [_read(code, eqn.param("transforms"), args)]
        elif bodies:  # a call; of a loop or a branch every body once
            given = args[len(args) - len(bodies[-1].invars) :] if len(args) >= len(bodies[-1].invars) else args
            results = []
            for body in bodies:
                results = _run(code, body, dict(zip(body.invars, given, strict=False)), signed)
            results = list(results)[: len(eqn.outputs)] + [max_ready(args)] * (len(eqn.outputs) - len(results))
        elif all(arg is None for arg in args) or (eqn.prim is Prim.SIGN and not signed):
            results = [None] * len(eqn.outputs)
        elif eqn.prim in _PREDICATES and None in args:
            results = [None]
        elif eqn.prim is Prim.SELECT_N and args[0] is None:
            results = [args[1]]
        elif eqn.prim in _SAME:
            results = [args[0]]
        else:
            results = [_compute(code, eqn.prim, eqn.inputs, max_ready(args) or 0, signed)]
        ready.update(zip(eqn.outputs, results, strict=True))
    return [look(atom) for atom in jaxpr.outvars]


def max_ready(values: Sequence[int | None]) -> int | None:
    """When all of these are there; None if all are constants."""
    return max((value for value in values if value is not None), default=None)


def _compute(code: Code, prim: Prim, inputs: Sequence[Atom], at: int, signed: bool) -> int:
    if prim in (Prim.DIV, Prim.REM):
        by = inputs[1].value if isinstance(inputs[1], Literal) else 0
        power = isinstance(by, int) and (by <= 0 or by & (by - 1) == 0)  # an argument of a call: most are powers
        return code.steps((_BY_A_POWER if signed else 1) if power else _DIVISION, at)
    if prim in _TESTS:
        return code.test(at)
    if prim is Prim.SIGN:
        return code.op(code.test(at))
    if prim is Prim.MUL and not any(isinstance(atom, Literal) for atom in inputs):
        return code.op(at, latency=code.timing.multiply)
    return code.op(at)


def _read(code: Code, transforms: object, args: Sequence[int | None]) -> int:
    """A prefetched element: its place, where it has more than one index that varies, and the load."""
    first = transforms[0] if isinstance(transforms, tuple) and transforms else None
    indices = first.indices if isinstance(first, NDIndexer) else ()
    moving = [args[e.position] for e in indices if isinstance(e, Arg)]
    at = max_ready(moving) or 0
    for _ in range(max(0, len(indices) - 1) if moving else 0):
        at = code.op(at)
    return code.load(at)
