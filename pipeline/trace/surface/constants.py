"""Limits of dtypes: `jnp.finfo`, `jnp.iinfo`, and the values that reductions start from.

Source: IEEE 754 and the OCP 8-bit floating point formats.
"""

from __future__ import annotations

from pipeline.dtypes import BOOL, DType
from pipeline.trace.builder import Builder, Typed
from pipeline.trace.surface.common import Namespace, as_dtype
from pipeline.trace.types.common import integer_range

# name: (bits of mantissa, smallest normal exponent, largest finite value)
_FLOATS: dict[str, tuple[int, int, float]] = {
    "float64": (52, -1022, 1.7976931348623157e308),
    "float32": (23, -126, 3.4028234663852886e38),
    "float16": (10, -14, 65504.0),
    "bfloat16": (7, -126, 3.3895313892515355e38),
    "float8_e4m3fn": (3, -6, 448.0),
    "float8_e5m2": (2, -14, 57344.0),
    "float8_e4m3b11fnuz": (3, -10, 30.0),
}
_WITHOUT_INFINITY = ("float8_e4m3fn", "float8_e4m3b11fnuz")


def largest(dtype: DType) -> int | float:
    """The largest finite value."""
    return _FLOATS[dtype.name][2] if dtype.is_float else integer_range(dtype)[1]


def smallest(dtype: DType) -> int | float | bool:
    """What a maximum starts from: -inf, or the least value where there is none."""
    if dtype is BOOL:
        return False
    if dtype.is_float:
        return -largest(dtype) if dtype.name in _WITHOUT_INFINITY else float("-inf")
    return integer_range(dtype)[0]


def finfo(ctx: Builder, dtype: object) -> Namespace:
    found = as_dtype(ctx, dtype, "jnp.finfo")
    if not found.is_float:
        ctx.fail("T203", f"jnp.finfo takes a float dtype, not {found.name}", "for integers there is jnp.iinfo")
    mantissa, low, top = _FLOATS[found.name]
    floats = {
        "max": top,
        "min": -top,
        "eps": 2.0**-mantissa,
        "tiny": 2.0**low,
        "smallest_normal": 2.0**low,
        "smallest_subnormal": 2.0 ** (low - mantissa),
    }
    return Namespace(
        f"finfo({found.name})",
        {
            **{name: Typed(value, found) for name, value in floats.items()},
            "bits": found.bits,
            "nmant": mantissa,
            "dtype": found,
        },
    )


def iinfo(ctx: Builder, dtype: object) -> Namespace:
    found = as_dtype(ctx, dtype, "jnp.iinfo")
    if not found.is_integer:
        ctx.fail("T203", f"jnp.iinfo takes an integer dtype, not {found.name}", "for floats there is jnp.finfo")
    low, high = integer_range(found)
    return Namespace(f"iinfo({found.name})", {"max": high, "min": low, "bits": found.bits, "dtype": found})
