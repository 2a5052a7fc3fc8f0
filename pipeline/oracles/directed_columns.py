"""Kernels of sums over lanes that end as vectors of one axis, as spec text: stored, or computed with vectors that are
loaded, whose elements lie along lanes and not along sublanes.
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


def directed_columns() -> Iterator[tuple[str, str]]:
    """(what becomes of the sum and how many rows there are, the spec's text)."""
    for rows in (128, 256, 512):
        for name, body in _BODIES.items():
            whole, column = ((rows, 256), F32), ((rows,), F32)
            inputs = [whole, column] if "y_ref" in body else [whole]
            yield f"{name} {rows}", kernel_text(body, inputs, whole if name == "spread" else column)
    for planes, rows in ((8, 128), (8, 16)):
        body = "o_ref[...] = jnp.sum(x_ref[...], axis=2)"
        yield f"planes {planes}x{rows}", kernel_text(body, [((planes, rows, 128), F32)], ((planes, rows), F32))
