"""Kernels that choose by a mask of one axis which is broadcast to rows, as spec text: alone, or with a mask of both."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.oracles.directed_vectors import F32, kernel_text

_BY_STEP = "m = (jnp.arange({lanes}) < pl.program_id(0) * 7)[None, :]\n"
_PART = "m = (jnp.arange({lanes}) < {lanes} - 60)[None, :]\n"
_WHOLE = "m = (jnp.arange({lanes}) < {lanes})[None, :]\n"
_HALF = "m = (jnp.arange({lanes}) < {lanes} // 2)[None, :]\n"
_BODIES = {
    "by the step": f"{_BY_STEP}o_ref[...] = jnp.where(m, x_ref[...], 0.0)",
    "between two by the step": f"{_BY_STEP}o_ref[...] = jnp.where(m, x_ref[...], y_ref[...])",
    "first by the step": f"{_BY_STEP}o_ref[...] = jnp.where(m & (x_ref[...] > 0), x_ref[...], 0.0)",
    "first of another by the step": f"{_BY_STEP}o_ref[...] = jnp.where(m & (x_ref[...] > 0), y_ref[...], 0.0)",
    "last by the step": f"{_BY_STEP}o_ref[...] = jnp.where((x_ref[...] > 0) & m, x_ref[...], 0.0)",
    "last, either, by the step": f"{_BY_STEP}o_ref[...] = jnp.where((x_ref[...] > 0) | m, x_ref[...], 0.0)",
    "in part": f"{_PART}o_ref[...] = jnp.where(m, x_ref[...], 0.0)",
    "first in part": f"{_PART}o_ref[...] = jnp.where(m & (x_ref[...] > 0), x_ref[...], 0.0)",
    "whole": f"{_WHOLE}o_ref[...] = jnp.where(m, x_ref[...], 0.0)",
    "first whole": f"{_WHOLE}o_ref[...] = jnp.where(m & (x_ref[...] > 0), x_ref[...], 0.0)",
    "first half": f"{_HALF}o_ref[...] = jnp.where(m & (x_ref[...] > 0), x_ref[...], 0.0)",
    "half summed": f"{_HALF}s = jnp.sum(jnp.where(m, x_ref[...], 0.0), axis=1, keepdims=True)\n"
    "o_ref[...] = x_ref[...] * s",
    "of both axes": "m = jax.lax.broadcasted_iota(jnp.int32, (1, {lanes}), 1) < {lanes} - 60\n"
    "o_ref[...] = jnp.where(m & (x_ref[...] > 0), x_ref[...], 0.0)",
}


def directed_masks() -> Iterator[tuple[str, str]]:
    """(the mask and the block, the spec's text)."""
    for rows, lanes in ((8, 256), (64, 512), (256, 256)):
        for name, body in _BODIES.items():
            block = ((rows, lanes), F32)
            text = kernel_text(body.format(lanes=lanes), [block] * (1 + ("y_ref" in body)), block)
            yield f"{name} {rows}x{lanes}", text
