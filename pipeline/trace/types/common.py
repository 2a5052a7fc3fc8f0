"""What the rule files share: the type of a rule, Python scalars as literals, broadcasting of operands."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from pipeline.dtypes import BF16, BOOL, F16, F32, F64, I32, DType, Kind
from pipeline.errors import Span, SpecError
from pipeline.ir.jaxpr import Aval, Literal, Param, RefAval, ShapedArray

Rule = Callable[[tuple[Aval, ...], Mapping[str, Param], Span], tuple[ShapedArray, ...]]


def fail(code: str, message: str, span: Span, hint: str | None = None) -> NoReturn:
    raise SpecError(code, message, span, hint=hint)


def value(aval: Aval, span: Span) -> ShapedArray:
    """`aval` of a value; a ref is an error."""
    if isinstance(aval, RefAval):
        fail("T211", f"an operand is a ref, {aval}, where a value is needed", span, "read it: ref[...]")
    return aval


def ref(aval: Aval, span: Span) -> RefAval:
    """`aval` of a ref; a value is an error."""
    if not isinstance(aval, RefAval):
        fail("T211", f"an operand is a value, {aval}, where a ref is needed", span)
    return aval


# (mantissa bits, smallest normal exponent, largest finite value) of the floats that struct cannot pack
_SMALL_FLOATS: dict[str, tuple[int, int, float]] = {
    "bfloat16": (7, -126, 3.3895313892515355e38),
    "float8_e4m3fn": (3, -6, 448.0),
    "float8_e5m2": (2, -14, 57344.0),
    "float8_e4m3b11fnuz": (3, -10, 30.0),
}


def round_float(number: float, dtype: DType) -> float:
    """The double nearest to `number` that `dtype` can hold, ties to even; overflow gives inf, or nan without inf.

    Source: IEEE 754 for f16, f32; the OCP 8-bit formats for e4m3fn (no inf), e5m2; ml_dtypes for e4m3b11fnuz.
    """
    if number != number or number in (float("inf"), float("-inf")):
        if number == number and dtype.name in ("float8_e4m3fn", "float8_e4m3b11fnuz"):
            return float("nan")
        return number
    if dtype is F64:
        return number
    if dtype is F32 or dtype is F16:
        form = "f" if dtype is F32 else "e"
        try:
            (rounded,) = struct.unpack(f"<{form}", struct.pack(f"<{form}", number))
        except OverflowError:
            return float("inf") if number > 0 else float("-inf")
        assert isinstance(rounded, float)
        return rounded
    mantissa, low, largest = _SMALL_FLOATS[dtype.name]
    if dtype is BF16:
        number = _odd_f32(number)
    rounded = _round_bits(number, mantissa, low)
    if abs(rounded) > largest:
        infinite = dtype.name in ("bfloat16", "float8_e5m2")
        return float("nan") if not infinite else float("inf") if number > 0 else float("-inf")
    return rounded


def _odd_f32(number: float) -> float:
    """`number` as f32: JAX and NumPy reach bf16 from a Python float by way of f32."""
    return round_float(number, F32)


def _round_bits(number: float, mantissa: int, low: int) -> float:
    from math import frexp, ldexp

    if number == 0.0 or number in (float("inf"), float("-inf")):
        return number
    _, exponent = frexp(number)
    step = max(exponent - 1, low) - mantissa  # exponent of the unit in the last place
    return ldexp(float(round(ldexp(number, -step))), step) or (0.0 if number > 0 else -0.0)


def integer_range(dtype: DType) -> tuple[int, int]:
    """Least and greatest value of an integer dtype (or bool)."""
    if dtype.kind is Kind.INT:
        return -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1
    return 0, (1 << dtype.bits) - 1


def scalar_literal(number: bool | int | float, span: Span) -> Literal:
    """The weakly typed literal of a Python scalar: bool (never weak), i32, f32."""
    if isinstance(number, bool):
        return Literal(number, ShapedArray((), BOOL))
    if isinstance(number, int):
        return Literal(checked_int(number, I32, span), ShapedArray((), I32, True))
    return Literal(round_float(number, F32), ShapedArray((), F32, True))


def checked_int(number: int, dtype: DType, span: Span) -> int:
    """`number`, which `dtype` has to be able to hold."""
    low, high = integer_range(dtype)
    if not low <= number <= high:
        shown = str(number) if abs(number) < 10**40 else f"a number of {number.bit_length()} bits"
        fail("T222", f"{shown} does not fit {dtype.name}, which holds {low} to {high}", span)
    return number


def convert_scalar(number: bool | int | float, dtype: DType, span: Span) -> bool | int | float:
    """`number` as `dtype` holds it: floats rounded, integers range-checked, floats to ints truncated."""
    if dtype.is_float:
        try:
            return round_float(float(number), dtype)
        except OverflowError:
            fail("T222", f"an int of {int(number).bit_length()} bits does not fit {dtype.name}", span)
    if dtype is BOOL:
        return bool(number)
    if isinstance(number, float):
        if number != number or number in (float("inf"), float("-inf")):
            fail("T222", f"{number} does not fit {dtype.name}", span)
        number = int(number)
    return checked_int(int(number), dtype, span)


def broadcast(shapes: Sequence[tuple[int, ...]], what: str, span: Span) -> tuple[int, ...]:
    """Result shape of an elementwise primitive: ranks are equal or 0, sizes equal or 1."""
    ranked = [shape for shape in shapes if shape]
    if not ranked:
        return ()
    first = ranked[0]
    if all(shape == first for shape in ranked):
        return first
    shown = " and ".join(str(list(shape)) for shape in ranked)
    if any(len(shape) != len(first) for shape in ranked):
        fail("T204", f"{what} takes operands of one rank, not shapes {shown}", span)
    out: list[int] = []
    for axis, sizes in enumerate(zip(*ranked, strict=True)):
        wide = [n for n in sizes if n != 1]
        if wide and any(n != wide[0] for n in wide):
            fail("T204", f"{what}: shapes {shown} do not fit along axis {axis} ({sizes[0]} and {sizes[1]})", span)
        out.append(wide[0] if wide else 1)
    return tuple(out)


def param_ints(param: object) -> tuple[int, ...]:
    """A param that is a tuple of ints."""
    assert isinstance(param, tuple)
    return tuple(n for n in param if isinstance(n, int))
