"""What lowering rules of every target use: avals and params of an equation, and a way to say that a form is missing."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.dtypes import Kind
from pipeline.ir.jaxpr import Atom, Eqn, Jaxpr, RefAval, ShapedArray

OP_LIMIT = 250_000  # ops of one module; unrolled loops multiply, and a spec may not take unbounded memory


class Unsupported(Exception):
    """The target has no form for this equation: code, sentence, hint."""

    def __init__(self, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


class TooLarge(Exception):
    """The module has grown past OP_LIMIT."""


def shaped(atom: Atom) -> ShapedArray:
    """Aval of an operand that is an array."""
    aval = atom.aval
    assert isinstance(aval, ShapedArray), f"{aval} where an array belongs"
    return aval


def ref_aval(atom: Atom) -> RefAval:
    """Aval of an operand that is a ref."""
    aval = atom.aval
    assert isinstance(aval, RefAval), f"{aval} where a ref belongs"
    return aval


def out_aval(eqn: Eqn) -> ShapedArray:
    """Aval of the one result."""
    (out,) = eqn.outputs
    return shaped(out)


def is_bool(aval: ShapedArray) -> bool:
    return aval.dtype.kind is Kind.BOOL


def ints(param: object) -> tuple[int, ...]:
    """A param that is a tuple of ints."""
    assert isinstance(param, tuple)
    found = tuple(n for n in param if isinstance(n, int))
    assert len(found) == len(param), param
    return found


def nested_eqns(jaxpr: Jaxpr) -> Iterator[Eqn]:
    """All equations, nested ones too, in order."""
    for eqn in jaxpr.eqns:
        yield eqn
        for _, param in eqn.params:
            for item in param if isinstance(param, tuple) else (param,):
                if isinstance(item, Jaxpr):
                    yield from nested_eqns(item)
