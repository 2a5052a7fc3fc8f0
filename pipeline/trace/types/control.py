"""Abstract rules: primitives with nested jaxprs. Their results are those of the nested jaxpr."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.errors import Span
from pipeline.ir.jaxpr import Aval, Jaxpr, Param, Prim, ShapedArray
from pipeline.trace.types.common import Rule, value


def _results(jaxpr: object, span: Span) -> tuple[ShapedArray, ...]:
    assert isinstance(jaxpr, Jaxpr)
    return tuple(value(out.aval, span) for out in jaxpr.outvars)


def type_cond(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Results of the first branch; the surface has checked that the others agree."""
    branches = params["branches"]
    assert isinstance(branches, tuple)
    return _results(branches[0], span)


def type_scan(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """The final carry."""
    return _results(params["jaxpr"], span)


def type_while(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """The final carry."""
    return _results(params["body_jaxpr"], span)


def type_custom(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """The results of the call."""
    return _results(params["call_jaxpr"], span)


RULES: dict[Prim, Rule] = {
    Prim.CUSTOM_JVP_CALL: type_custom,
    Prim.CUSTOM_VJP_CALL: type_custom,
    Prim.COND: type_cond,
    Prim.SCAN: type_scan,
    Prim.WHILE: type_while,
    Prim.JIT: type_scan,
    Prim.RUN_SCOPED: type_scan,
}
