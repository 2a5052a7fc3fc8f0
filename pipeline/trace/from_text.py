"""A kernel or an index map given as a jaxpr's text: parsed, held against the spec's operands, and checked equation by
equation, so that the stages after this one can rely on it as on a jaxpr that was traced here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from pipeline.dtypes import I32
from pipeline.errors import Diagnostic, Span, SpecError
from pipeline.ir.jaxpr import Arg, Atom, Aval, Eqn, Jaxpr, Literal, NDIndexer, Prim, RefAval, ShapedArray, Slice
from pipeline.ir.jaxpr_parse import Parser
from pipeline.ir.jaxpr_text import print_aval
from pipeline.spec.spec import Code
from pipeline.trace.builder import MAX_ELEMENTS, MAX_EQUATIONS, MAX_RANK
from pipeline.trace.param_forms import FORMS
from pipeline.trace.types import rules
from pipeline.trace.types.common import integer_range

_MAX_FOUND = 50
T = TypeVar("T")


def body_from_text(code: Code, refs: Sequence[RefAval], names: Sequence[str], grid_rank: int) -> Jaxpr:
    """The kernel's body. `names` are those of the operands and scratch, whose refs are `refs`.

    Errors: SpecError T901 (not a jaxpr), T902 (binders or results), T903 and those of the type rules (equations).
    """
    parser = _parsed(code)
    jaxpr = parser.parse()
    found = list(_binders(jaxpr, parser.binder_spans, refs, names, "the kernel's jaxpr", code))
    if jaxpr.outvars:
        message = f"the kernel's jaxpr has {len(jaxpr.outvars)} results, where a kernel writes to its refs"
        found.append(Diagnostic("T902", message, code.span(1, 1), "end it with: in () }"))
    return _checked(jaxpr, found, grid_rank)


def index_map_from_text(code: Code, avals: Sequence[Aval], results: int, what: str) -> Jaxpr:
    """An index map; `avals` are the grid indices and the scalar-prefetch refs it gets. Errors: as `body_from_text`."""
    parser = _parsed(code)
    jaxpr = parser.parse()
    names = [f"grid index {i}" if isinstance(aval, ShapedArray) else "scalar prefetch" for i, aval in enumerate(avals)]
    found = list(_binders(jaxpr, parser.binder_spans, avals, names, what, code))
    outs = [out.aval for out in jaxpr.outvars]
    if len(outs) != results:
        message = f"{what} gives {len(outs)} indices for a block of rank {results}"
        found.append(Diagnostic("T902", message, code.span(1, 1), "give one block index for each dimension"))
    for aval in outs:
        if isinstance(aval, RefAval) or aval.shape or aval.dtype is not I32:
            message = f"{what} gives {print_aval(aval)}, where an i32[] index is needed"
            found.append(Diagnostic("T902", message, code.span(1, 1)))
    return _checked(jaxpr, found, 0)


def _parsed(code: Code) -> Parser:
    return Parser(code.text, lambda line, column, end: code.span(line, column, end))


def _binders(
    jaxpr: Jaxpr, spans: Sequence[Span], wanted: Sequence[Aval], names: Sequence[str], what: str, code: Code
) -> Iterator[Diagnostic]:
    """T902 where the binders are not what the spec's operands say."""
    if len(jaxpr.invars) != len(wanted):
        said = f"{len(wanted)}: {', '.join(names)}" if names else "none"
        message = f"{what} has {len(jaxpr.invars)} binders, but the spec has {said}"
        yield Diagnostic("T902", message, code.span(1, 1))
        return
    for var, span, aval, name in zip(jaxpr.invars, spans, wanted, names, strict=True):
        if var.aval != aval:
            message = f"{what} binds {print_aval(var.aval)} for {name}, which the spec says is {print_aval(aval)}"
            yield Diagnostic("T902", message, span)


def _checked(jaxpr: Jaxpr, found: list[Diagnostic], grid_rank: int) -> Jaxpr:
    if not found:
        checker = _Checker(grid_rank)
        checker.jaxpr(jaxpr)
        found = checker.found
    if found:
        raise SpecError.of(dict.fromkeys(found[:_MAX_FOUND]))
    return jaxpr


class _Checker:
    def __init__(self, grid_rank: int) -> None:
        self.grid_rank = grid_rank
        self.count = 0
        self.found: list[Diagnostic] = []

    def report(self, message: str, eqn: Eqn) -> None:
        self.found.append(Diagnostic("T903", message, eqn.span))

    def jaxpr(self, jaxpr: Jaxpr) -> None:
        for eqn in jaxpr.eqns:
            self.count += 1
            if self.count > MAX_EQUATIONS:
                message = f"the jaxpr has more than {MAX_EQUATIONS} equations"
                self.found.append(Diagnostic("T217", message, eqn.span, "loop with fori_loop instead of unrolling"))
            if len(self.found) >= _MAX_FOUND or self.count > MAX_EQUATIONS:
                return
            self.eqn(eqn)

    def eqn(self, eqn: Eqn) -> None:
        name = eqn.prim.value
        wanted = [var.aval for var in eqn.outputs]
        for aval in wanted:
            shape = aval.shape
            if len(shape) > MAX_RANK or min(shape, default=0) < 0 or math.prod(shape) > MAX_ELEMENTS:
                self.report(f"{name}: {print_aval(aval)} is no array that can be", eqn)
                return
        try:
            params = dict(eqn.params)
            for atom in eqn.inputs:
                self.literal(atom, eqn)
            for key, value in eqn.params:
                form = FORMS.get(key)
                if form is not None and not form(value):
                    self.report(f"the param {key} of {name} is not of its form", eqn)
                    return
            if not self.places(eqn):
                return
            self.nested(eqn, params)
            got = rules.infer(eqn.prim, tuple(atom.aval for atom in eqn.inputs), params, eqn.span)
        except SpecError as error:
            self.found.extend(error.diagnostics)
            return
        except KeyError as error:
            self.report(f"{name} lacks the param {error}", eqn)
            return
        except (AssertionError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError):
            # the rules rely on params that the surface makes; text may say anything
            self.report(f"{name} does not take these operands and params", eqn)
            return
        # a weak type changes nothing after the trace, so that the text's own is taken
        if [_strong(aval) for aval in got] != [_strong(aval) for aval in wanted]:
            shown = [" ".join(print_aval(aval) for aval in avals) or "nothing" for avals in (got, wanted)]
            self.report(f"{name} of these operands gives {shown[0]}, but the jaxpr says {shown[1]}", eqn)

    def literal(self, atom: Atom, eqn: Eqn) -> None:
        if not isinstance(atom, Literal):
            return
        _need(not atom.aval.shape and not atom.aval.dtype.is_semaphore)
        if atom.aval.dtype.is_float:
            return
        low, high = integer_range(atom.aval.dtype)
        if not low <= atom.value <= high or isinstance(atom.value, float):
            self.report(f"{atom.value} is no value of {atom.aval.dtype.name}", eqn)

    def places(self, eqn: Eqn) -> bool:
        """Dynamic places in transforms are operands that are i32 scalars or arrays; grid axes are there."""
        before = len(self.found)
        for key, chain in eqn.params:
            if not key.endswith("transforms") or not isinstance(chain, tuple):
                continue
            for transform in chain:
                if isinstance(transform, NDIndexer):
                    for position in _positions(transform):
                        aval = eqn.inputs[position].aval
                        if isinstance(aval, RefAval) or not aval.dtype.is_integer:
                            self.report(f"{eqn.prim.value} is indexed by {print_aval(aval)}", eqn)
        if eqn.prim in (Prim.PROGRAM_ID, Prim.NUM_PROGRAMS):
            axis = eqn.param("axis")
            if not isinstance(axis, int) or isinstance(axis, bool) or not 0 <= axis < self.grid_rank:
                self.report(f"{eqn.prim.value} of axis {axis}, but the grid has {self.grid_rank} axes", eqn)
        return len(self.found) == before

    def nested(self, eqn: Eqn, params: Mapping[str, object]) -> None:
        """Nested jaxprs: called with operands that fit their binders, and well formed themselves."""
        for jaxpr, avals in _bodies(eqn, params):
            binders = [var.aval for var in jaxpr.invars]
            if avals is not None and [_strong(a) for a in binders] != [_strong(a) for a in avals]:
                shown = [" ".join(map(print_aval, group)) or "nothing" for group in (avals, binders)]
                self.report(f"{eqn.prim.value} calls a jaxpr with {shown[0]} that binds {shown[1]}", eqn)
            self.jaxpr(jaxpr)
        branches = params.get("branches")
        if eqn.prim is Prim.COND and isinstance(branches, tuple):
            outs = [[_strong(out.aval) for out in branch.outvars] for branch in branches if isinstance(branch, Jaxpr)]
            if any(out != outs[0] for out in outs):
                self.report("the branches of cond give different results", eqn)
            if not isinstance(index := eqn.inputs[0].aval, ShapedArray) or index.shape or not index.dtype.is_integer:
                self.report(f"cond chooses by {print_aval(eqn.inputs[0].aval)}, where an i32[] is needed", eqn)


def _strong(aval: Aval) -> Aval:
    return replace(aval, weak_type=False) if isinstance(aval, ShapedArray) and aval.weak_type else aval


def _positions(indexer: NDIndexer) -> Iterator[int]:
    for index in indexer.indices:
        for part in (index.start, index.size) if isinstance(index, Slice) else (index,):
            if isinstance(part, Arg):
                yield part.position


def _bodies(eqn: Eqn, params: Mapping[str, object]) -> Iterator[tuple[Jaxpr, list[Aval] | None]]:
    """Each nested jaxpr with the avals it is called with; None where it makes some of its refs itself."""
    operands = [atom.aval for atom in eqn.inputs]
    match eqn.prim:
        case Prim.COND:
            branches = params["branches"]
            for branch in _need(branches if isinstance(branches, tuple) else ()):
                yield _jaxpr(branch), operands[1:]
        case Prim.SCAN:
            body = _jaxpr(params["jaxpr"])
            _need(_count(params["num_consts"]) + _count(params["num_carry"]) == len(operands))
            _need(len(body.outvars) == params["num_carry"])
            for key in ("length", "unroll", "reverse"):
                _count(int(params[key]))  # type: ignore[call-overload]  # bools and ints, by `FORMS`
            yield body, operands
        case Prim.WHILE:
            first, second = _count(params["cond_nconsts"]), _count(params["body_nconsts"])
            carry = operands[first + second :]
            yield _jaxpr(params["cond_jaxpr"]), operands[:first] + carry
            yield _jaxpr(params["body_jaxpr"]), operands[first : first + second] + carry
        case Prim.RUN_SCOPED:
            body = _jaxpr(params["jaxpr"])
            made = len(body.invars) - len(operands)
            _need(made >= 0 and [_strong(v.aval) for v in body.invars[made:]] == [_strong(a) for a in operands])
            _need(all(isinstance(var.aval, RefAval) for var in body.invars[:made]))
            yield body, None
        case Prim.JIT:
            yield _jaxpr(params["jaxpr"]), operands
        case Prim.CUSTOM_JVP_CALL | Prim.CUSTOM_VJP_CALL:
            yield _jaxpr(params["call_jaxpr"]), operands
        case _:
            _need(not any(isinstance(value, Jaxpr) for value in params.values()))


def _jaxpr(value: object) -> Jaxpr:
    if not isinstance(value, Jaxpr):
        raise ValueError
    return value


def _count(value: object) -> int:
    """A param that counts something."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError
    return value


def _need(value: T) -> T:
    """`value` unless it is false or empty; then the equation's params are wrong."""
    if not value:
        raise ValueError
    return value
