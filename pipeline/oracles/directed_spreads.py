"""Kernels that spread one lane or one row of a register over all of it, as many as are in the name, as spec text."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.oracles.directed_vectors import BF16, F32, kernel_text


def directed_spreads() -> Iterator[tuple[str, str]]:
    """(what is spread, the spec's text)."""
    for n in (1, 2, 4, 8):
        terms = {
            "lanes": [f"v * w[:, {i} : {i + 1}]" for i in range(n)],
            "rows": [f"v * w[{i} : {i + 1}, :]" for i in range(n)],
            "loaded": [f"v * y_ref[{i} : {i + 1}, :]" for i in range(n)],
            "same": ["v * w[:, 3:4]", *(f"(v + {i}) * w[:, 3:4]" for i in range(1, n))],
        }
        for name, parts in terms.items():
            body = f"v = x_ref[...]\nw = y_ref[...]\no_ref[...] = {' + '.join(parts)}"
            table = ((64, 16) if "lanes same".count(name) else (16, 256), F32)
            yield f"{name} {n}", kernel_text(body, [((64, 256), F32), table], ((64, 256), F32))
        converted = " + ".join(f"v * w[:, {i} : {i + 1}].astype(jnp.float32)" for i in range(n))
        body = f"v = x_ref[...].astype(jnp.float32)\nw = y_ref[...]\no_ref[...] = ({converted}).astype(jnp.bfloat16)"
        yield f"lanes bf16 {n}", kernel_text(body, [((64, 256), BF16), ((64, 16), F32)], ((64, 256), BF16))
