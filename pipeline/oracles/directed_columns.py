"""Kernels of sums over lanes that end as vectors of one axis, as spec text: stored, or computed with vectors that are
loaded or count lanes, whose elements lie along lanes and not along sublanes.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.oracles.directed_vectors import F32, kernel_text

_SUM = "s = jnp.sum(x_ref[...], axis=1)\n"
_BODIES = {
    "stored": f"{_SUM}o_ref[...] = s",
    "computed": f"{_SUM}o_ref[...] = jnp.log(s) + jnp.max(x_ref[...], axis=1)",
    "first": f"{_SUM}o_ref[...] = s + y_ref[...]",
    "second": f"{_SUM}o_ref[...] = y_ref[...] - s",
    "chosen": f"{_SUM}o_ref[...] = jnp.where(y_ref[...] > 0, s, 1.0)",
    "spread": f"{_SUM}o_ref[...] = x_ref[...] * jnp.where(y_ref[...] > 0, s, 1.0)[:, None]",
}
_COUNTED = {
    "masked": "o_ref[...] = jnp.where(jnp.arange({rows}) < {rows}, s, 0.0)",
    "masked in part": "o_ref[...] = jnp.where(jnp.arange({rows}) < 100, s, 0.0)",
    "masked by the step": "o_ref[...] = jnp.where(jnp.arange({rows}) < pl.program_id(0) * 7, s, 0.0)",
    "masked twice": "m = jnp.arange({rows}) < {rows}\n"
    "o_ref[...] = jnp.where(m, s, 0.0) + jnp.where(m, jnp.max(x_ref[...], axis=1), 0.0)",
    "count first": "o_ref[...] = jnp.arange({rows}).astype(jnp.float32) - s",
    "count first of three": "o_ref[...] = jnp.arange({rows}).astype(jnp.float32) * s + y_ref[...]",
    "count last of three": "o_ref[...] = (y_ref[...] + s) * jnp.arange({rows}).astype(jnp.float32)",
    "unchosen": "o_ref[...] = jnp.where(False, jnp.exp(s), s + 1.0)",
}


def directed_columns() -> Iterator[tuple[str, str]]:
    """(what becomes of the sum and how many rows there are, the spec's text)."""
    for rows in (128, 256, 512):
        for name, body in _BODIES.items():
            whole, column = ((rows, 256), F32), ((rows,), F32)
            inputs = [whole, column] if "y_ref" in body else [whole]
            yield f"{name} {rows}", kernel_text(body, inputs, whole if name == "spread" else column)
    for rows in (128, 256):
        for name, body in _COUNTED.items():
            inputs = [((rows, 256), F32), ((rows,), F32)][: 2 if "y_ref" in body else 1]
            yield f"{name} {rows}", kernel_text(_SUM + body.format(rows=rows), inputs, ((rows,), F32))
    for planes, rows in ((8, 128), (8, 16)):
        body = "o_ref[...] = jnp.sum(x_ref[...], axis=2)"
        yield f"planes {planes}x{rows}", kernel_text(body, [((planes, rows, 128), F32)], ((planes, rows), F32))
