"""Index-map jaxprs as functions of Python integers: scalar primitives, loops with fuel, reads of prefetched data.

An index map computes on i32 scalars. What this evaluator has no rule for (floats, vectors) raises `Undecided`, and
the caller says so instead of guessing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pipeline.dtypes import DType, Kind
from pipeline.ir.jaxpr import Arg, Atom, Eqn, Jaxpr, Literal, NDIndexer, Prim, RefAval, Var

# (position among the map's refs, element index) -> the element
Reader = Callable[[int, tuple[int, ...]], int]
IndexFunction = Callable[[Sequence[int], "Reader | None"], tuple[int, ...]]

_FUEL = 100_000  # loop trips in one evaluation of one map


class Undecided(Exception):
    """The map cannot be evaluated here; the text says what is in the way."""


def wrap(value: int, dtype: DType) -> int:
    """`value` as `dtype` holds it: two's complement wrap-around, 0 or 1 for bool."""
    if dtype.kind is Kind.BOOL:
        return int(bool(value))
    mask = (1 << dtype.bits) - 1
    value &= mask
    return value - mask - 1 if dtype.is_signed and value >> (dtype.bits - 1) else value


def _div(a: int, b: int) -> int:
    """Division towards zero; by zero all ones, as the hardware-neutral jaxpr leaves it to the target."""
    if b == 0:
        return -1
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def _rem(a: int, b: int) -> int:
    """Remainder with the sign of the dividend; of a division by zero the dividend."""
    return a if b == 0 else a - b * _div(a, b)


def _select(which: int, *cases: int) -> int:
    return cases[which] if 0 <= which < len(cases) else cases[-1]


SCALAR: dict[Prim, Callable[..., int]] = {
    Prim.ADD: lambda a, b: a + b,
    Prim.SUB: lambda a, b: a - b,
    Prim.MUL: lambda a, b: a * b,
    Prim.DIV: _div,
    Prim.REM: _rem,
    Prim.MAX: max,
    Prim.MIN: min,
    Prim.NEG: lambda a: -a,
    Prim.ABS: abs,
    Prim.SIGN: lambda a: (a > 0) - (a < 0),
    Prim.SQUARE: lambda a: a * a,
    Prim.AND: lambda a, b: a & b,
    Prim.OR: lambda a, b: a | b,
    Prim.XOR: lambda a, b: a ^ b,
    Prim.SHIFT_LEFT: lambda a, b: a << b if 0 <= b < 64 else 0,
    Prim.SHIFT_RIGHT_ARITHMETIC: lambda a, b: a >> min(max(b, 0), 63),
    Prim.EQ: lambda a, b: int(a == b),
    Prim.NE: lambda a, b: int(a != b),
    Prim.LT: lambda a, b: int(a < b),
    Prim.LE: lambda a, b: int(a <= b),
    Prim.GT: lambda a, b: int(a > b),
    Prim.GE: lambda a, b: int(a >= b),
    Prim.SELECT_N: _select,
    Prim.CLAMP: lambda low, x, high: max(low, min(x, high)),
    Prim.CONVERT_ELEMENT_TYPE: lambda a: a,
    Prim.BROADCAST_IN_DIM: lambda a: a,
    Prim.RESHAPE: lambda a: a,
    Prim.SQUEEZE: lambda a: a,
    Prim.MULTIPLE_OF: lambda a: a,
    Prim.STOP_GRADIENT: lambda a: a,
}


def apply_scalar(eqn: Eqn, args: Sequence[int]) -> int:
    """The result of a one-result scalar equation on `args`.

    Errors: Undecided for a primitive or a dtype without a rule.
    """
    dtype = scalar_dtype(eqn.outputs[0])
    if eqn.prim is Prim.NOT:
        return wrap(int(not args[0]) if dtype.kind is Kind.BOOL else ~args[0], dtype)
    if eqn.prim is Prim.SHIFT_RIGHT_LOGICAL:
        return wrap((args[0] & ((1 << dtype.bits) - 1)) >> min(max(args[1], 0), 63), dtype)
    if eqn.prim is Prim.INTEGER_POW:
        power = eqn.param("y")
        if not isinstance(power, int) or not 0 <= power <= 64:
            raise Undecided("integer_pow with a negative or huge exponent")
        return wrap(int(args[0] ** power), dtype)
    rule = SCALAR.get(eqn.prim)
    if rule is None:
        raise Undecided(f"{eqn.prim.value} in an index map")
    return wrap(rule(*args), dtype)


def scalar_dtype(atom: Atom) -> DType:
    """Dtype of an integer or bool scalar. Errors: Undecided for anything else."""
    aval = atom.aval
    if isinstance(aval, RefAval) or aval.size != 1 or not (aval.dtype.is_integer or aval.dtype.kind is Kind.BOOL):
        raise Undecided(f"a value of type {aval} in an index map")
    return aval.dtype


class _Meter:
    """What is left of the fuel of one evaluation."""

    def __init__(self) -> None:
        self.fuel = _FUEL

    def burn(self) -> None:
        self.fuel -= 1
        if self.fuel < 0:
            raise Undecided(f"a loop of more than {_FUEL} trips in an index map")


def compile_map(jaxpr: Jaxpr) -> IndexFunction:
    """`jaxpr` as a function of grid indices and a reader of scalar-prefetch data.

    Errors: Undecided, when called, for what has no rule; also when it reads data and the reader is None.
    """
    return _straight_line(jaxpr) or _interpreter(jaxpr)


_Step = tuple[Callable[..., int], tuple[int, ...], int]  # rule, slots of its arguments, slot of its result


def _straight_line(jaxpr: Jaxpr) -> IndexFunction | None:
    """The map as a list of steps over numbered slots, several times faster than walking it; None if it branches."""
    slots: list[int] = []
    steps: list[_Step] = []
    places: dict[Var, int] = {}
    indices: list[int] = []
    for var in jaxpr.invars:
        if not isinstance(var.aval, RefAval):
            indices.append(len(slots))
        places[var] = len(slots)
        slots.append(0)

    def place(atom: Atom) -> int:
        if isinstance(atom, Literal):
            slots.append(_value(atom, {}))
            return len(slots) - 1
        return places[atom]

    def add(inner: Jaxpr) -> None:
        for eqn in inner.eqns:
            if eqn.prim is Prim.JIT:
                called = _jaxpr(eqn, "jaxpr")
                places.update(zip(called.invars, [place(a) for a in eqn.inputs], strict=True))
                add(called)
                places.update(zip(eqn.outputs, [place(a) for a in called.outvars], strict=True))
            else:
                if eqn.prim in (Prim.COND, Prim.WHILE, Prim.SCAN, Prim.GET):
                    raise Undecided("not a straight line")
                steps.append((_step_rule(eqn), tuple(place(a) for a in eqn.inputs), len(slots)))
                places[eqn.outputs[0]] = len(slots)
                slots.append(0)

    try:
        add(jaxpr)
        results = tuple(place(a) for a in jaxpr.outvars)
    except Undecided:
        return None

    def run(point: Sequence[int], read: Reader | None) -> tuple[int, ...]:
        env = slots.copy()
        for slot, index in zip(indices, point, strict=True):
            env[slot] = index
        for rule, arguments, result in steps:
            env[result] = rule(*[env[a] for a in arguments])
        return tuple([env[r] for r in results])

    return run


def _step_rule(eqn: Eqn) -> Callable[..., int]:
    """`apply_scalar` for one equation, its lookups done once. Errors: Undecided."""
    dtype = scalar_dtype(eqn.outputs[0])
    rule = SCALAR.get(eqn.prim)
    if rule is None:
        apply_scalar(eqn, [0] * len(eqn.inputs))  # raises for a primitive without a rule
        return lambda *args: apply_scalar(eqn, args)
    if dtype.kind is Kind.BOOL:
        return lambda *args: int(bool(rule(*args)))
    if eqn.prim in _NEVER_WRAPS:
        return rule
    low = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
    high = low + (1 << dtype.bits)

    def wrapped(*args: int) -> int:
        value = rule(*args)
        return value if low <= value < high else wrap(value, dtype)

    return wrapped


_NEVER_WRAPS = frozenset({Prim.MAX, Prim.MIN, Prim.REM, Prim.SELECT_N, Prim.SIGN, Prim.CLAMP})


def count_steps(jaxpr: Jaxpr) -> int:
    """Equations that one evaluation runs, loops counted once."""
    total = 0
    for eqn in jaxpr.eqns:
        total += 1
        for _, param in eqn.params:
            inner = param if isinstance(param, tuple) else (param,)
            total += sum(count_steps(j) for j in inner if isinstance(j, Jaxpr))
    return total


def _interpreter(jaxpr: Jaxpr) -> IndexFunction:
    """The map walked equation by equation."""

    def run(point: Sequence[int], read: Reader | None) -> tuple[int, ...]:
        env: dict[Var, Any] = {}
        indices = iter(point)
        refs = 0
        for var in jaxpr.invars:
            if isinstance(var.aval, RefAval):
                env[var] = refs
                refs += 1
            else:
                env[var] = next(indices)
        return tuple(_run(jaxpr, env, read, _Meter()))

    return run


def _run(jaxpr: Jaxpr, env: dict[Var, Any], read: Reader | None, meter: _Meter) -> list[Any]:
    for eqn in jaxpr.eqns:
        args = [_value(a, env) for a in eqn.inputs]
        match eqn.prim:
            case Prim.JIT:
                results = _call(_jaxpr(eqn, "jaxpr"), args, read, meter)
            case Prim.COND:
                branches = eqn.param("branches")
                assert isinstance(branches, tuple)
                branch = branches[min(max(args[0], 0), len(branches) - 1)]
                assert isinstance(branch, Jaxpr)
                results = _call(branch, args[1:], read, meter)
            case Prim.WHILE:
                results = _while(eqn, args, read, meter)
            case Prim.SCAN:
                results = _scan(eqn, args, read, meter)
            case Prim.GET:
                results = [_get(eqn, args, read)]
            case _:
                results = [apply_scalar(eqn, args)]
        env.update(zip(eqn.outputs, results, strict=True))
    return [_value(a, env) for a in jaxpr.outvars]


def _value(atom: Atom, env: dict[Var, Any]) -> Any:
    if isinstance(atom, Literal):
        if isinstance(atom.value, float):
            raise Undecided("a float in an index map")
        return int(atom.value)
    return env[atom]


def _jaxpr(eqn: Eqn, name: str) -> Jaxpr:
    inner = eqn.param(name)
    assert isinstance(inner, Jaxpr)
    return inner


def _count(eqn: Eqn, name: str) -> int:
    n = eqn.param(name)
    assert isinstance(n, int)
    return n


def _call(jaxpr: Jaxpr, args: list[Any], read: Reader | None, meter: _Meter) -> list[Any]:
    return _run(jaxpr, dict(zip(jaxpr.invars, args, strict=True)), read, meter)


def _while(eqn: Eqn, args: list[Any], read: Reader | None, meter: _Meter) -> list[Any]:
    n_cond, n_body = _count(eqn, "cond_nconsts"), _count(eqn, "body_nconsts")
    cond_consts, body_consts, carry = args[:n_cond], args[n_cond : n_cond + n_body], args[n_cond + n_body :]
    while _call(_jaxpr(eqn, "cond_jaxpr"), [*cond_consts, *carry], read, meter)[0]:
        meter.burn()
        carry = _call(_jaxpr(eqn, "body_jaxpr"), [*body_consts, *carry], read, meter)
    return carry


def _scan(eqn: Eqn, args: list[Any], read: Reader | None, meter: _Meter) -> list[Any]:
    n_consts, n_carry = _count(eqn, "num_consts"), _count(eqn, "num_carry")
    if len(args) != n_consts + n_carry or len(eqn.outputs) != n_carry:
        raise Undecided("a scan over arrays in an index map")
    consts, carry = args[:n_consts], args[n_consts:]
    for _ in range(_count(eqn, "length")):
        meter.burn()
        carry = _call(_jaxpr(eqn, "jaxpr"), [*consts, *carry], read, meter)
    return carry


def _get(eqn: Eqn, args: list[Any], read: Reader | None) -> int:
    if read is None:
        raise Undecided("an index map that reads scalar-prefetch data")
    transforms = eqn.param("transforms")
    ref = eqn.inputs[0].aval
    assert isinstance(transforms, tuple) and isinstance(ref, RefAval)
    index: tuple[int, ...] = (0,) * len(ref.shape)
    if transforms:
        if len(transforms) != 1 or not isinstance(transforms[0], NDIndexer):
            raise Undecided("a transformed ref in an index map")
        entries = transforms[0].indices
        if not all(isinstance(e, (int, Arg)) for e in entries):
            raise Undecided("a slice of a ref in an index map")
        index = tuple(args[e.position] if isinstance(e, Arg) else e for e in entries if isinstance(e, (int, Arg)))
    elif ref.inner.size != 1:
        raise Undecided("a whole ref read in an index map")
    return wrap(int(read(args[0], index)), scalar_dtype(eqn.outputs[0]))
