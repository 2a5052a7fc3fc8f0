"""Dropping what a kernel computes and nobody reads: JAX does this to every kernel it traces.

Reads of refs go when their result is unused; writes, async copies and semaphores stay. Nested jaxprs of `cond`,
`scan`, `jit` and `custom_jvp_call` lose unused operands, results and equations; those of `while` and
`run_scoped` are kept whole, as JAX keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, Param, Prim, Var

Uses = tuple[list[bool], "Eqn | None"]

_WRITES = frozenset((Prim.SWAP, Prim.ADDUPDATE, Prim.MASKED_SWAP))  # write their first input
_COPIES = frozenset((Prim.DMA_START, Prim.DMA_WAIT))  # write destination and semaphore
_ALWAYS = frozenset((Prim.SEMAPHORE_SIGNAL, Prim.SEMAPHORE_WAIT, Prim.DEBUG_PRINT, Prim.CHECK))


def drop_unused(
    jaxpr: Jaxpr, used_outputs: Sequence[bool] | None = None, keep_inputs: bool | Sequence[bool] = True
) -> tuple[Jaxpr, list[bool]]:
    """`jaxpr` without unused equations, and which of its binders are left.

    used_outputs: which results somebody reads; all by default.
    keep_inputs:  binders to keep although nothing reads them.
    """
    used = [True] * len(jaxpr.outvars) if used_outputs is None else list(used_outputs)
    live: set[Atom] = {out for out, wanted in zip(jaxpr.outvars, used, strict=True) if wanted}
    kept: list[Eqn] = []
    for eqn in reversed(jaxpr.eqns):
        uses, new = _shrink(eqn, [out in live for out in eqn.outputs])
        if new is not None:
            kept.append(new)
        live.update(atom for atom, use in zip(eqn.inputs, uses, strict=True) if use and isinstance(atom, Var))
    keep = [keep_inputs] * len(jaxpr.invars) if isinstance(keep_inputs, bool) else keep_inputs
    left = [var in live or stays for var, stays in zip(jaxpr.invars, keep, strict=True)]
    return Jaxpr(_where(jaxpr.invars, left), tuple(reversed(kept)), _where(jaxpr.outvars, used)), left


_T = TypeVar("_T")


def _where(items: Sequence[_T], keep: Sequence[bool]) -> tuple[_T, ...]:
    return tuple(item for item, wanted in zip(items, keep, strict=True) if wanted)


def _shrink(eqn: Eqn, used: list[bool]) -> Uses:
    """Which inputs `eqn` needs for the results in `used`, and what is left of it."""
    if not any(used) and not has_effect(eqn):
        return [False] * len(eqn.inputs), None
    rule = _RULES.get(eqn.prim)
    return rule(eqn, used) if rule is not None else ([True] * len(eqn.inputs), eqn)


def has_effect(eqn: Eqn) -> bool:
    """Whether something beyond its results depends on `eqn`."""
    return bool(_written(eqn))


_ELSEWHERE = object()  # an effect on nothing that has a binder


def _written(eqn: Eqn) -> set[object]:
    """The refs that `eqn` writes, and `_ELSEWHERE` for an effect on something else."""
    if eqn.prim in _WRITES:
        return {eqn.inputs[0]}
    if eqn.prim in _COPIES:
        return {eqn.inputs[1], eqn.inputs[2]}
    if eqn.prim in _ALWAYS:
        return {_ELSEWHERE}
    out: set[object] = set()
    for jaxpr, operands in nested(eqn):
        outer = dict(zip(jaxpr.invars, operands, strict=True))
        inner: set[object] = set()
        for one in jaxpr.eqns:
            inner |= _written(one)
        for item in inner:
            if item is _ELSEWHERE:
                out.add(item)
            elif isinstance(item, Var) and item in outer and outer[item] is not None:
                out.add(outer[item])
    return out


def nested(eqn: Eqn) -> list[tuple[Jaxpr, list[Atom | None]]]:
    """The jaxprs in `eqn`'s params, each with the operand that every binder stands for (None: made inside)."""
    inputs: list[Atom | None] = list(eqn.inputs)
    match eqn.prim:
        case Prim.COND:
            return [(branch, inputs[1:]) for branch in _jaxprs(eqn.param("branches"))]
        case Prim.SCAN | Prim.JIT:
            return [(_jaxpr(eqn.param("jaxpr")), inputs)]
        case Prim.CUSTOM_JVP_CALL | Prim.CUSTOM_VJP_CALL:
            return [(_jaxpr(eqn.param("call_jaxpr")), inputs)]
        case Prim.WHILE:
            cond, body = eqn.param("cond_nconsts"), eqn.param("body_nconsts")
            assert isinstance(cond, int)
            assert isinstance(body, int)
            carry = inputs[cond + body :]
            return [
                (_jaxpr(eqn.param("cond_jaxpr")), inputs[:cond] + carry),
                (_jaxpr(eqn.param("body_jaxpr")), inputs[cond : cond + body] + carry),
            ]
        case Prim.RUN_SCOPED:
            jaxpr = _jaxpr(eqn.param("jaxpr"))
            made: list[Atom | None] = [None] * (len(jaxpr.invars) - len(inputs))
            return [(jaxpr, made + inputs)]
        case _:
            return []


def _jaxpr(param: Param) -> Jaxpr:
    assert isinstance(param, Jaxpr)
    return param


def _jaxprs(param: Param) -> list[Jaxpr]:
    assert isinstance(param, tuple)
    return [_jaxpr(one) for one in param]  # type: ignore[arg-type]


def _with(eqn: Eqn, uses: list[bool], used: list[bool], **params: Param) -> Eqn:
    items = tuple((key, params.get(key, value)) for key, value in eqn.params)
    return replace(eqn, inputs=_where(eqn.inputs, uses), outputs=_where(eqn.outputs, used), params=items)


def _shrink_jit(eqn: Eqn, used: list[bool]) -> Uses:
    jaxpr, uses = drop_unused(_jaxpr(eqn.param("jaxpr")), used, False)
    return uses, _with(eqn, uses, used, jaxpr=jaxpr)


def _shrink_custom(eqn: Eqn, used: list[bool]) -> Uses:
    # its derivative may read what it does not, so no operand goes
    jaxpr, uses = drop_unused(_jaxpr(eqn.param("call_jaxpr")), used, True)
    return uses, _with(eqn, uses, used, call_jaxpr=jaxpr)


def _shrink_cond(eqn: Eqn, used: list[bool]) -> Uses:
    branches = _jaxprs(eqn.param("branches"))
    uses = [False] * (len(eqn.inputs) - 1)
    for branch in branches:
        uses = [a or b for a, b in zip(uses, drop_unused(branch, used, False)[1], strict=True)]
    small = tuple(drop_unused(branch, used, uses)[0] for branch in branches)
    return [True, *uses], _with(eqn, [True, *uses], used, branches=small)


def _shrink_scan(eqn: Eqn, used: list[bool]) -> Uses:
    jaxpr, consts, carry = _jaxpr(eqn.param("jaxpr")), eqn.param("num_consts"), eqn.param("num_carry")
    assert isinstance(consts, int)
    assert isinstance(carry, int)
    wanted = list(used)
    while True:  # a carry that one step reads is one that the step before has to give
        small, uses = drop_unused(jaxpr, wanted, [False] * consts + wanted)
        needed = [a or b for a, b in zip(wanted, uses[consts:], strict=True)]
        if needed == wanted:
            break
        wanted = needed
    params: dict[str, Param] = {"jaxpr": small, "num_consts": sum(uses[:consts]), "num_carry": sum(wanted)}
    return uses, _with(eqn, uses, wanted, **params)


_RULES: dict[Prim, Callable[[Eqn, list[bool]], Uses]] = {
    Prim.JIT: _shrink_jit,
    Prim.CUSTOM_JVP_CALL: _shrink_custom,
    Prim.COND: _shrink_cond,
    Prim.SCAN: _shrink_scan,
}
