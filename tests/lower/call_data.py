"""`KernelCall`s as JSON, so that recorded ones can be lowered without JAX. Jaxprs are kept as their text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from pipeline.dtypes import BY_NAME, BY_SHORT, DType
from pipeline.ir.call import BlockDim, Blocked, Element, KernelCall, Operand, Role, Scratch, Squeezed
from pipeline.ir.jaxpr import Eqn, Jaxpr, MemorySpace, RefAval, ShapedArray
from pipeline.ir.jaxpr_text import parse_jaxpr, print_jaxpr

Data = dict[str, Any]


def to_data(call: KernelCall) -> Data:
    return {
        "name": call.name,
        "grid": list(call.grid),
        "semantics": None if call.semantics is None else list(call.semantics),
        "aliases": [list(pair) for pair in call.aliases],
        "operands": [_operand(operand) for operand in call.operands],
        "scratch": [{"name": scratch.name, "ref": _ref(scratch.ref)} for scratch in call.scratch],
        "body": _lines(call.body),
        "scopes": [[at, list(eqn.scopes)] for at, eqn in enumerate(_eqns(call.body)) if eqn.scopes],
    }


def from_data(data: Data) -> KernelCall:
    return KernelCall(
        name=data["name"],
        body=_with_scopes(_jaxpr(data["body"]), {at: tuple(scopes) for at, scopes in data["scopes"]}, count()),
        grid=tuple(data["grid"]),
        operands=tuple(_read_operand(entry) for entry in data["operands"]),
        scratch=tuple(Scratch(entry["name"], _read_ref(entry["ref"])) for entry in data["scratch"]),
        semantics=None if data["semantics"] is None else tuple(data["semantics"]),
        aliases=tuple((i, o) for i, o in data["aliases"]),
    )


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


def _lines(jaxpr: Jaxpr) -> list[str]:
    return print_jaxpr(jaxpr).splitlines()


def _jaxpr(lines: list[str]) -> Jaxpr:
    return parse_jaxpr("\n".join(lines) + "\n")


def _array(aval: ShapedArray) -> list[Any]:
    return [aval.dtype.name, list(aval.shape)]


def _read_array(data: list[Any]) -> ShapedArray:
    name, shape = data
    return ShapedArray(tuple(shape), _dtype(name))


def _dtype(name: str) -> DType:
    return BY_NAME.get(name) or BY_SHORT[name]


def _ref(ref: RefAval) -> list[Any]:
    return [ref.space.value, *_array(ref.inner)]


def _read_ref(data: list[Any]) -> RefAval:
    space, *array = data
    return RefAval(_read_array(array), MemorySpace(space))


def _operand(operand: Operand) -> Data:
    return {
        "name": operand.name,
        "role": operand.role.value,
        "array": _array(operand.array),
        "ref": _ref(operand.ref),
        "block": None if operand.block is None else [_dim(dim) for dim in operand.block],
        "index_map": None if operand.index_map is None else _lines(operand.index_map),
        "buffers": operand.buffer_count,
    }


def _read_operand(data: Data) -> Operand:
    return Operand(
        data["name"],
        Role(data["role"]),
        _read_array(data["array"]),
        _read_ref(data["ref"]),
        block=None if data["block"] is None else tuple(_read_dim(dim) for dim in data["block"]),
        index_map=None if data["index_map"] is None else _jaxpr(data["index_map"]),
        buffer_count=data["buffers"],
    )


def _dim(dim: BlockDim) -> int | list[int] | None:
    match dim:
        case Blocked(size):
            return size
        case Squeezed():
            return None
        case Element(size, (low, high)):
            return [size, low, high]


def _read_dim(data: int | list[int] | None) -> BlockDim:
    if data is None:
        return Squeezed()
    if isinstance(data, int):
        return Blocked(data)
    size, low, high = data
    return Element(size, (low, high))
