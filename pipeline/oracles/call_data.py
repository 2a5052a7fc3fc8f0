"""`KernelCall`s as plain data, so that a recorded kernel can be judged without JAX. Jaxprs are kept as their text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from pipeline.dtypes import BY_NAME
from pipeline.ir.call import BlockDim, Blocked, Element, KernelCall, Operand, Role, Scratch, Squeezed
from pipeline.ir.jaxpr import Eqn, Jaxpr, RefAval, ShapedArray
from pipeline.ir.jaxpr_text import parse_jaxpr, print_jaxpr

Data = dict[str, Any]
DEFAULT_NAME = "kern"


def write_call(call: KernelCall) -> Data:
    """`call` as JSON values; what has its default is left out. Spans are not kept."""
    data: Data = {
        "grid": list(call.grid),
        "operands": [_operand(operand) for operand in call.operands],
        "scratch": [scratch.name for scratch in call.scratch],
        "body": print_jaxpr(call.body).splitlines(),
    }
    if call.name != DEFAULT_NAME:
        data["name"] = call.name
    scopes = [[at, list(eqn.scopes)] for at, eqn in enumerate(_eqns(call.body)) if eqn.scopes]
    if scopes:
        data["scopes"] = scopes
    if call.semantics is not None:
        data["semantics"] = list(call.semantics)
    if call.aliases:
        data["aliases"] = [list(pair) for pair in call.aliases]
    if call.vmem_limit_bytes is not None:
        data["vmem_limit_bytes"] = call.vmem_limit_bytes
    return data


def _operand(operand: Operand) -> Data:
    data: Data = {
        "name": operand.name,
        "role": operand.role.name,
        "shape": list(operand.array.shape),
        "dtype": operand.array.dtype.name,
    }
    if operand.block is not None:
        data["block"] = [_dim(dim) for dim in operand.block]
    if operand.index_map is not None:
        data["map"] = print_jaxpr(operand.index_map).splitlines()
    if operand.buffer_count is not None:
        data["buffers"] = operand.buffer_count
    return data


def _dim(dim: BlockDim) -> Any:
    match dim:
        case Squeezed():
            return None
        case Blocked(size):
            return size
        case Element(size, padding):
            return {"element": size, "padding": list(padding)}


def read_call(data: Data) -> KernelCall:
    """The call that `write_call` wrote; the refs' shapes and spaces are those of the body's binders."""
    body = _jaxpr(data["body"])
    if "scopes" in data:
        body = _with_scopes(body, {at: tuple(scopes) for at, scopes in data["scopes"]}, count())
    refs = [var.aval for var in body.invars]
    operands = []
    for said, ref in zip(data["operands"], refs, strict=False):
        assert isinstance(ref, RefAval)
        block = said.get("block")
        operands.append(
            Operand(
                said["name"],
                Role[said["role"]],
                ShapedArray(tuple(said["shape"]), BY_NAME[said["dtype"]]),
                ref,
                None if block is None else tuple(map(_read_dim, block)),
                _jaxpr(said["map"]) if "map" in said else None,
                said.get("buffers"),
            )
        )
    scratch = []
    for name, ref in zip(data["scratch"], refs[len(operands) :], strict=True):
        assert isinstance(ref, RefAval)
        scratch.append(Scratch(name, ref))
    return KernelCall(
        data.get("name", DEFAULT_NAME),
        body,
        tuple(data["grid"]),
        tuple(operands),
        tuple(scratch),
        None if data.get("semantics") is None else tuple(data["semantics"]),
        tuple((i, o) for i, o in data.get("aliases", ())),
        data.get("vmem_limit_bytes"),
    )


_PARSED: dict[str, Jaxpr] = {}  # the same index map stands in a thousand records; a Jaxpr is never changed


def _jaxpr(said: str | list[str]) -> Jaxpr:
    """The jaxpr of a text, whole or as its lines."""
    text = said if isinstance(said, str) else "\n".join(said) + "\n"
    if text not in _PARSED:
        _PARSED[text] = parse_jaxpr(text)
    return _PARSED[text]


def _read_dim(value: Any) -> BlockDim:
    match value:
        case None:
            return Squeezed()
        case int():
            return Blocked(value)
        case _:
            low, high = value["padding"]
            return Element(value["element"], (low, high))


def _eqns(jaxpr: Jaxpr) -> Iterator[Eqn]:
    """All equations, each before those nested in it: their positions here are how scopes are kept."""
    for eqn in jaxpr.eqns:
        yield eqn
        for _, param in eqn.params:
            for item in param if isinstance(param, tuple) else (param,):
                if isinstance(item, Jaxpr):
                    yield from _eqns(item)


def _with_scopes(jaxpr: Jaxpr, scopes: dict[int, tuple[str, ...]], numbers: Iterator[int]) -> Jaxpr:
    def nested(value: Any) -> Any:
        if isinstance(value, Jaxpr):
            return _with_scopes(value, scopes, numbers)
        return tuple(nested(item) for item in value) if isinstance(value, tuple) else value

    eqns: list[Eqn] = []
    for eqn in jaxpr.eqns:
        own = scopes.get(next(numbers), ())
        eqns.append(replace(eqn, params=tuple((name, nested(value)) for name, value in eqn.params), scopes=own))
    return replace(jaxpr, eqns=tuple(eqns))
