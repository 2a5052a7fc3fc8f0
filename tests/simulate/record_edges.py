"""Records what JAX computes at the edges of dtypes that `record_jax.py` leaves out: ties of rounding, int4 and fp8,
signed zeros, orders of NaN, clamps that cross, products of many dtypes.

    python tests/simulate/record_edges.py          (needs the `oracle` extra)

writes data/edges.json in the form of data/primitives.json. Numbers below the smallest normal one are left out: XLA on a
CPU takes them for zeros, as a TPU does.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax
from record_jax import BF, BINARY_FLOAT, BINARY_INT, CAST, E4, E5, HERE, UNARY_INT, VERSIONS, ints, record

I4, U4, B11 = jnp.int4, jnp.uint4, jnp.float8_e4m3b11fnuz
# halfway between two numbers of bf16, f16 or fp8, to even and to odd; the last that rounds to a finite number
TIES = np.array(
    [
        1 + 2**-8, 1 + 2**-9, 1 + 3 * 2**-9, 1 + 2**-11, 1 + 3 * 2**-11, 1.0625, 1.1875, 1.3125, 1.125, 1.375, 448, 464,
        465, 480, 57344, 61440, 61441, 65504, 65519, 65520, 30, 30.5, 31, 2**-14, 2**-24, 2**-25, 3 * 2**-25, 2**-10,
        2**-9, 3 * 2**-10, 2**-17, 2**-16, 3 * 2**-17, 3.4e38, 3.39e38, 127.5, 128.5, -128.5, 254.5, 255.5, 1.5, 2.5,
        7.5, 8.5, -8.5, 15.5, -0.5, 0.5,
    ],
    np.float32,
)  # fmt: skip
FEW = np.array(
    [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1.0625, 1.1875, 7.5, -14.0, 240.0, 448.0, np.inf, -np.inf, np.nan],
    np.float32,
)
ZEROS = np.array([[0.0, -0.0, 1.0], [-0.0, 0.0, -1.0], [-0.0, -0.0, -2.0], [np.nan, 0.0, -0.0]], np.float32)
ORDER = np.array([[2.0, np.nan, -0.0, 0.0, np.inf, -np.nan], [0.0, -0.0, -1.0, -np.inf, np.nan, 2.0]], np.float32)
FLOATS = (np.float32, BF, np.float16)


def pairs(x: Any) -> tuple[Any, Any]:
    a, b = np.meshgrid(x, x, indexing="ij")
    return np.ascontiguousarray(a), np.ascontiguousarray(b)


def whole(dtype: Any) -> Any:
    info = jnp.iinfo(dtype)
    return np.arange(info.min, info.max + 1).astype(dtype)


def edges() -> dict[str, tuple[Any, ...]]:
    """(function, arguments) by name."""
    found: dict[str, tuple[Any, ...]] = {}

    def add(name: str, dtype: Any, function: Callable[..., Any], *args: Any) -> None:
        key = f"{name}-{np.dtype(dtype).name}"
        assert key not in found, key
        found[key] = (function, *args)

    for target in (BF, np.float16, E4, E5, B11, np.int8, np.uint8, I4, U4, np.int32):
        add("ties", target, lambda x, to=target: lax.convert_element_type(x, to), TIES)
    others = [*CAST, I4, U4, B11]
    for narrow, values in ((I4, whole(I4)), (U4, whole(U4)), (B11, FEW.astype(B11))):
        for other in others:
            if other == narrow:
                continue
            add(f"convert-{np.dtype(narrow).name}", other, lambda x, to=other: lax.convert_element_type(x, to), values)
            if other in CAST:
                given = FEW.astype(other) if jnp.issubdtype(other, jnp.floating) else (
                    np.array([False, True]) if other == np.bool_ else ints(other))  # fmt: skip
                add(
                    f"convert-{np.dtype(other).name}",
                    narrow,
                    lambda x, to=narrow: lax.convert_element_type(x, to),
                    given,
                )
    for dtype, values in ((I4, whole(I4)), (U4, whole(U4)), (np.uint16, ints(np.uint16))):
        for name, function in UNARY_INT.items():
            if name == "abs" or (name == "population_count" and dtype == I4):
                continue  # JAX refuses the first; XLA counts the sign bits that it keeps an int4 with
            add(name, dtype, function, values)
        for name, function in BINARY_INT.items():
            add(name, dtype, function, *pairs(values))
    for dtype in (E4, E5):
        x = FEW.astype(dtype)
        for name in ("neg", "abs", "sign", "floor", "sqrt"):
            add(name, dtype, getattr(lax, name), x)
        for name in ("add", "sub", "mul", "div", "max", "min", "eq", "ne", "lt", "ge"):
            add(name, dtype, BINARY_FLOAT[name], *pairs(x))
    for dtype in (*FLOATS, E5):
        z, o = ZEROS.astype(dtype), ORDER.astype(dtype)
        add("zeros_max", dtype, lax.max, *pairs(z[:, 0]))
        add("zeros_min", dtype, lax.min, *pairs(z[:, 0]))
        add("zeros_relu", dtype, lambda x: lax.max(x, jnp.zeros((), x.dtype)), z)
        for axis in (0, 1):
            add(f"zeros_reduce_max{axis}", dtype, lambda x, a=axis: jnp.max(x, axis=a), z[:3])
            add(f"zeros_reduce_min{axis}", dtype, lambda x, a=axis: jnp.min(x, axis=a), z[:3])
        for reverse in (False, True):
            which = "reversed" if reverse else "forward"
            add(f"cummax_{which}", dtype, lambda x, r=reverse: lax.cummax(x, 1, reverse=r), z)
            add(f"cummin_{which}", dtype, lambda x, r=reverse: lax.cummin(x, 0, reverse=r), z)
        add("order_argmax", dtype, lambda x: lax.argmax(x, 1, np.int32), o)
        add("order_argmin", dtype, lambda x: lax.argmin(x, 1, np.int32), o)
        add("order_sort", dtype, lambda x: lax.sort(x, dimension=1), o)
        add("order_sort2", dtype, lambda x: lax.sort((x, jnp.broadcast_to(jnp.arange(6), x.shape)), num_keys=1), o)
        add(
            "crossed_clamp",
            dtype,
            lambda x: lax.clamp(jnp.asarray(2, x.dtype), x, jnp.asarray(-1, x.dtype)),
            FEW.astype(dtype),
        )
        for exponent, mantissa in ((8, 7), (5, 10), (8, 5), (4, 2), (5, 2), (4, 3)):
            add(
                f"reduce_precision{exponent}_{mantissa}",
                dtype,
                lambda x, e=exponent, m=mantissa: lax.reduce_precision(x, e, m),
                np.concatenate([TIES, FEW]).astype(dtype),
            )
        add("power3", dtype, lambda x: lax.integer_pow(x, 3), np.concatenate([TIES, FEW]).astype(dtype))
        add("power7", dtype, lambda x: lax.integer_pow(x, 7), FEW.astype(dtype))
        add("inverse", dtype, lambda x: lax.integer_pow(x, -1), FEW.astype(dtype))
    flags = np.array([[True, False, True], [True, True, True], [False, False, False]])
    for dtype, x in (
        (np.bool_, flags),
        (np.int8, ints(np.int8)[:18].reshape(3, 6)),
        (np.uint32, ints(np.uint32)[:12].reshape(3, 4)),
    ):
        add("reduce_and", dtype, lambda x: lax.reduce_and(x, (1,)), x)
        add("reduce_or", dtype, lambda x: lax.reduce_or(x, (0,)), x)
    for dtype in (np.int8, np.uint8, np.int16, np.int32, np.uint32):
        x = np.resize(ints(dtype), (3, 7))
        add("sum", dtype, lambda x: lax.reduce_sum(x, (1,)), x)
        add("prod", dtype, lambda x: lax.reduce_prod(x, (0,)), x)
        add("cumsum_back", dtype, lambda x: lax.cumsum(x, 1, reverse=True), x)
        add("cumprod_back", dtype, lambda x: lax.cumprod(x, 0, reverse=True), x)
        add("largest_of_ends", dtype, lambda x: lax.argmax(x, 1, np.int32), x)
        add("sorted_ends", dtype, lambda x: lax.sort(x, dimension=1), x)
    which = np.array([-7, -1, 0, 1, 2, 3, 100], np.int32)
    add(
        "select_out_of_range",
        np.int32,
        lambda w, x: lax.select_n(w, x, x + 10, x + 20),
        which,
        np.arange(7, dtype=np.int32),
    )
    add("switch_out_of_range", np.int32, lambda w: lax.switch(w, [lambda: 1, lambda: 2, lambda: 3]), np.int32(-4))
    products: list[tuple[Any, Any, Any]] = [
        (np.float16, np.float16, np.float32), (np.float16, np.float16, np.float16), (BF, BF, BF), (E4, E4, np.float32),
        (E5, E5, np.float32), (E4, E5, np.float32), (BF, np.float32, np.float32), (np.uint8, np.uint8, np.int32),
        (np.int8, np.uint8, np.int32), (np.int16, np.int16, np.int32), (np.int8, np.int8, np.int8),
        (np.int32, np.int32, np.int32), (np.int8, BF, np.float32),
    ]  # fmt: skip
    whole_numbers = np.arange(35).reshape(5, 7) * 5 % 17 - 8
    for left, right, out in products:
        a, b = (np.clip(m, 0 if np.dtype(d).kind == "u" else -8, 8).astype(d)
                for m, d in ((whole_numbers, left), (whole_numbers.T + 3, right)))  # fmt: skip
        name = f"product-{np.dtype(left).name}-{np.dtype(right).name}"
        add(name, out, lambda a, b, to=out: lax.dot_general(
            a, b, (((1,), (0,)), ((), ())), preferred_element_type=to), a, b)  # fmt: skip
    f = np.arange(35, dtype=np.float32).reshape(5, 7) / 7
    for precision in (lax.Precision.DEFAULT, lax.Precision.HIGH, lax.Precision.HIGHEST):
        add(f"precise-{precision.name}", np.float32, lambda a, p=precision: lax.dot_general(
            a, a, (((1,), (1,)), ((), ())), precision=p), f)  # fmt: skip
    return found


def main() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # an overflow is what is asked for
        entries = [record(name, *case) for name, case in edges().items()]
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    path = HERE / "edges.json"
    path.write_text(f'{{"versions": {json.dumps(VERSIONS)}, "entries": [\n{lines}\n]}}\n')
    print(len(entries), path.stat().st_size)


if __name__ == "__main__":
    main()
