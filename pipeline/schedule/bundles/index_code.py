"""An index map as instructions of a scalar program."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipeline.dtypes import Kind
from pipeline.ir.jaxpr import Arg, Atom, Jaxpr, Literal, NDIndexer, Prim, Var
from pipeline.schedule.bundles.scalar_program import Known, Program, Value

_SAME = frozenset(
    {Prim.CONVERT_ELEMENT_TYPE, Prim.BROADCAST_IN_DIM, Prim.RESHAPE, Prim.SQUEEZE, Prim.MULTIPLE_OF, Prim.STOP_GRADIENT}
)
_COMPARES: dict[Prim, Callable[[int, int], bool]] = {
    Prim.EQ: lambda a, b: a == b,
    Prim.NE: lambda a, b: a != b,
    Prim.LT: lambda a, b: a < b,
    Prim.LE: lambda a, b: a <= b,
    Prim.GT: lambda a, b: a > b,
    Prim.GE: lambda a, b: a >= b,
}
_LOGIC = frozenset({Prim.AND, Prim.OR, Prim.XOR, Prim.NOT})
_ANY = Known(-1)
_TABLES = 1 << 10  # more than a call has
_WORD = 32  # bits
_NAMES = {Prim.MAX: "max", Prim.MIN: "min", Prim.DIV: "quotient", Prim.REM: "remainder"}


def run_map(program: Program, jaxpr: Jaxpr, indices: Sequence[Value], mark: Known = _ANY) -> list[Value]:
    """The block indices that a map gives for the grid's; what else it takes are tables. `mark` tells reads of a table
    apart that are not made once for all."""
    tables = [Known((mark.n + 1) * _TABLES + n) for n in range(len(jaxpr.invars) - len(indices))]
    return _run(program, jaxpr, dict(zip(jaxpr.invars, [*indices, *tables], strict=True)), {})


def _run(program: Program, jaxpr: Jaxpr, values: dict[Var, Value], signs: dict[Value, Value]) -> list[Value]:
    """`signs`: of what each sign was taken."""

    def look(atom: Atom) -> Value:
        return Known(int(atom.value)) if isinstance(atom, Literal) else values.get(atom, Known(0))

    for eqn in jaxpr.eqns:
        args = [look(atom) for atom in eqn.inputs]
        inner = [j for _, param in eqn.params for j in (param if isinstance(param, tuple) else (param,))]
        bodies = [j for j in inner if isinstance(j, Jaxpr)]
        if eqn.prim is Prim.GET:
            dtype = eqn.outputs[0].aval.dtype
            read = _read(program, eqn.param("transforms"), args, dtype.bits < _WORD)
            results = [read if dtype.bits >= _WORD else _part(program, read, dtype.kind is Kind.INT)]
        elif bodies:  # a call; of a loop or a branch every body once
            given = args[len(args) - len(bodies[-1].invars) :] if len(args) >= len(bodies[-1].invars) else args
            results = []
            for body in bodies:
                results = _run(program, body, dict(zip(body.invars, given, strict=False)), signs)
            results = results[: len(eqn.outputs)]
            results += [program.op("carried", *args) for _ in range(len(eqn.outputs) - len(results))]
        else:
            results = [_compute(program, eqn.prim, args, signs)] * len(eqn.outputs)
        values.update(zip(eqn.outputs, results, strict=True))
    return [look(atom) for atom in jaxpr.outvars]


def _compute(program: Program, prim: Prim, args: list[Value], signs: dict[Value, Value]) -> Value:
    if prim in _SAME:
        return args[0]
    match prim:
        case Prim.ADD:
            return program.add(args[0], args[1])
        case Prim.SUB:
            return program.subtract(args[0], args[1])
        case Prim.NEG:
            return program.subtract(Known(0), args[0])
        case Prim.MUL:
            return program.multiply(args[0], args[1])
        case Prim.MAX | Prim.MIN:
            return program.limit(_NAMES[prim], args[0], args[1])
        case Prim.DIV | Prim.REM:
            return program.divide(_NAMES[prim], args[0], args[1])
        case Prim.SELECT_N if len(args) == 3:
            return program.select(args[0], args[2], args[1])
        case Prim.SIGN:
            if isinstance(args[0], Known):
                return Known((args[0].n > 0) - (args[0].n < 0))
            found = program.op("sign", program.test("positive", args[0]), args[0])
            signs[found] = args[0]
            return found
    if prim in _COMPARES:
        return _compare(program, prim, args, signs)
    if prim in _LOGIC:
        return _logic(program, prim, args)
    if all(isinstance(arg, Known) for arg in args):
        return Known(0)
    return program.op(prim.value, *args)


def _compare(program: Program, prim: Prim, args: list[Value], signs: dict[Value, Value]) -> Value:
    a, b = args
    if isinstance(a, Known) and isinstance(b, Known):
        return Known(int(_COMPARES[prim](a.n, b.n)))
    signed = signs.get(a)
    if prim is Prim.NE and b == Known(1) and isinstance(signed, int):
        return program.differs_in_sign(signed)
    if prim is Prim.LT and b == Known(0) and program.never_negative(a):
        return Known(0)
    return program.test(prim.value, a, b)


def _logic(program: Program, prim: Prim, args: list[Value]) -> Value:
    known = [arg.n for arg in args if isinstance(arg, Known)]
    if len(known) == len(args):
        return Known(int({"and": all, "or": any}.get(prim.value, lambda n: not n[0])(known)))
    if prim is Prim.AND and known:
        return Known(0) if not known[0] else next(arg for arg in args if not isinstance(arg, Known))
    if prim is Prim.OR and known:
        return Known(1) if known[0] else next(arg for arg in args if not isinstance(arg, Known))
    return program.test(prim.value, *args)


def _read(program: Program, transforms: object, args: Sequence[Value], narrow: bool) -> Value:
    """A prefetched element: its place, where it has more than one index that varies, and the load. Of `narrow` ones
    there are several in a word: which word, and which of it."""
    first = transforms[0] if isinstance(transforms, tuple) and transforms else None
    indices = first.indices if isinstance(first, NDIndexer) else ()
    places = [args[e.position] if isinstance(e, Arg) else Known(e) for e in indices if isinstance(e, (int, Arg))]
    moving = [value for value in places if not isinstance(value, Known)]
    at: Value = Known(0)
    for n, value in enumerate(moving):
        at = value if not n else program.op("place", at, value)
    if narrow:
        inside = program.op("row of a word", *moving)
        at = program.op("word", at, program.op("words before", inside))
        return program.op("read", args[0], at, program.op("bits before", inside), *places, latency=program.timing.load)
    return program.op("read", args[0], at, *places, latency=program.timing.load)


def _part(program: Program, word: Value, signed: bool) -> Value:
    """An element of a word: shifted down and cut off; with a sign, shifted up and down again."""
    found = program.op("cut off", program.op("shifted down", word))
    return program.op("signed down", program.op("signed up", found)) if signed else found
