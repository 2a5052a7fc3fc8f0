"""Least and greatest value of a scalar equation, from those of its inputs: at worst the dtype's range."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import DType, Kind
from pipeline.ir.jaxpr import Eqn, Jaxpr, Prim
from pipeline.schedule.scalar import Undecided, compile_map, scalar_dtype

Interval = tuple[int, int]

_PASS_ON = frozenset(
    {Prim.CONVERT_ELEMENT_TYPE, Prim.BROADCAST_IN_DIM, Prim.RESHAPE, Prim.SQUEEZE, Prim.MULTIPLE_OF, Prim.STOP_GRADIENT}
)


def dtype_interval(dtype: DType) -> Interval:
    """All values of an integer dtype or bool."""
    if dtype.kind is Kind.BOOL:
        return 0, 1
    low = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
    return low, low + (1 << dtype.bits) - 1


def result_interval(eqn: Eqn, inputs: Sequence[Interval]) -> Interval:
    """Of a one-result equation. Where the result could wrap around, the dtype's range."""
    try:
        lowest, highest = dtype_interval(scalar_dtype(eqn.outputs[0]))
    except Undecided:
        return -(1 << 63), (1 << 63) - 1
    low, high = _exact(eqn, inputs) or (lowest, highest)
    return (low, high) if lowest <= low and high <= highest else (lowest, highest)


def _exact(eqn: Eqn, of: Sequence[Interval]) -> Interval | None:
    match eqn.prim:
        case Prim.ADD:
            return of[0][0] + of[1][0], of[0][1] + of[1][1]
        case Prim.SUB:
            return of[0][0] - of[1][1], of[0][1] - of[1][0]
        case Prim.NEG:
            return -of[0][1], -of[0][0]
        case Prim.MUL:
            corners = [a * b for a in of[0] for b in of[1]]
            return min(corners), max(corners)
        case Prim.MIN:
            return min(of[0][0], of[1][0]), min(of[0][1], of[1][1])
        case Prim.MAX:
            return max(of[0][0], of[1][0]), max(of[0][1], of[1][1])
        case Prim.CLAMP:
            (low, _), (a, b), (_, high) = of
            return max(low, min(a, high)), max(low, min(b, high))
        case Prim.DIV if of[0][0] >= 0 and of[1][0] > 0:
            return of[0][0] // of[1][1], of[0][1] // of[1][0]
        case Prim.REM if of[1][0] > 0:
            most = of[1][1] - 1
            return (0 if of[0][0] >= 0 else max(-most, of[0][0])), (0 if of[0][1] <= 0 else min(most, of[0][1]))
        case Prim.SELECT_N:
            return min(low for low, _ in of[1:]), max(high for _, high in of[1:])
        case Prim.ABS:
            low, high = of[0]
            return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))
        case Prim.SIGN:
            return max(-1, min(1, of[0][0])), max(-1, min(1, of[0][1]))
        case Prim.AND if of[0][0] >= 0 and of[1][0] >= 0:
            return 0, min(of[0][1], of[1][1])
        case Prim.SHIFT_RIGHT_ARITHMETIC | Prim.SHIFT_RIGHT_LOGICAL if of[0][0] >= 0 and 0 <= of[1][0] <= of[1][1] < 64:
            return of[0][0] >> of[1][1], of[0][1] >> of[1][0]
        case prim if prim in _PASS_ON:
            return of[0]
        case _:
            return None


def rounding_call(inner: Jaxpr, inputs: Sequence[Interval]) -> Interval | None:
    """Of `a // b` and `a % b`, which are traced as calls that mend the sign of a division towards zero; the mending has
    no effect where a >= 0 and b > 0. None for any other call, told apart by trying it."""
    if len(inputs) != 2 or len(inner.outvars) != 1 or inputs[0][0] < 0 or not 0 < inputs[1][0] == inputs[1][1]:
        return None
    if not any(eqn.prim in (Prim.DIV, Prim.REM) for eqn in inner.eqns) or len(inner.eqns) > 16:
        return None
    (low, high), (b, _) = inputs
    run = compile_map(inner)
    points = sorted({n for n in (low, low + 1, b - 1, b, b + 1, 2 * b - 1, 2 * b, high - 1, high) if low <= n <= high})
    try:
        values = [run((n, b), None)[0] for n in points]
    except (Undecided, ValueError):
        return None
    if values == [n // b for n in points]:
        return low // b, high // b
    if values == [n % b for n in points]:
        return 0, min(high, b - 1)
    return None
