"""Kernels that divide integers by a constant, as spec text: quotients, remainders, both, of numbers with and without a
sign, and of such as are known to be small."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.oracles.directed_vectors import kernel_text

_SHAPE = (64, 256)


def directed_divisions() -> Iterator[tuple[str, str]]:
    """(name, the spec's text)."""
    for dtype in ("int32", "uint32"):
        for name in ("div", "rem"):
            for divisor in (1, 8, 3, 7, 100):
                body = f"o_ref[...] = lax.{name}(x_ref[...], jnp.full({_SHAPE}, {divisor}, jnp.{dtype}))"
                yield f"{name} {dtype} {divisor}", _text(body, dtype)
    for divisor in (8, 7):
        yield f"floor {divisor}", _text(f"o_ref[...] = x_ref[...] // {divisor}")
        yield f"modulo {divisor}", _text(f"o_ref[...] = x_ref[...] % {divisor}")
        body = f"v = x_ref[...]\no_ref[...] = lax.div(v, {divisor}) + lax.rem(v, {divisor})"
        yield f"both {divisor}", _text(body)
        body = f"o_ref[...] = x_ref[...] + lax.broadcasted_iota(jnp.int32, {_SHAPE}, 1) // {divisor}"
        yield f"columns {divisor}", _text(body)
    yield "div int32 -8", _text("o_ref[...] = lax.div(x_ref[...], -8)")
    yield "rem int32 -3", _text("o_ref[...] = lax.rem(x_ref[...], -3)")


def _text(body: str, dtype: str = "int32") -> str:
    return kernel_text(body, [(_SHAPE, dtype)], (_SHAPE, dtype))
