"""Kernels that want many vector registers at once, as spec text: blocks that live across a reduction, across a product,
through a chain of elementwise operations. Each in sizes from a few registers to many times what a chip has.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.oracles.directed_vectors import BF16, F32, Array, kernel_text

_SIZES = ((64, 128), (64, 256), (128, 256), (128, 512), (128, 1024), (256, 1024), (512, 1024))  # 8 to 512 registers
_BODIES = {
    "exponentials": "v = jnp.exp(x_ref[...])\no_ref[...] = v / jnp.sum(v, axis=1, keepdims=True)",
    "loaded": "v = x_ref[...]\no_ref[...] = v - jnp.max(v, axis=1, keepdims=True)",
    "two reductions": (
        "v = x_ref[...]\nm = jnp.mean(v, axis=1, keepdims=True)\nc = v - m\n"
        "o_ref[...] = c * jax.lax.rsqrt(jnp.mean(c * c, axis=1, keepdims=True) + 1e-5)"
    ),
    "softmax": (
        "v = x_ref[...]\np = jnp.exp(v - jnp.max(v, axis=1, keepdims=True))\n"
        "o_ref[...] = p / jnp.sum(p, axis=1, keepdims=True)"
    ),
    "columns": "v = jnp.exp(x_ref[...])\no_ref[...] = v / jnp.sum(v, axis=0, keepdims=True)",
    "all": "v = jnp.exp(x_ref[...])\no_ref[...] = v / jnp.sum(v)",
}
_PAIRS = {
    "gradient": (
        "v, g = x_ref[...], y_ref[...]\n"
        "o_ref[...] = v * (g - jnp.sum(v * g, axis=1, keepdims=True))"
    ),
    "gradient of a norm": (
        "v, g = x_ref[...], y_ref[...]\n"
        "r = jax.lax.rsqrt(jnp.mean(v * v, axis=1, keepdims=True) + 1e-5)\nn = v * r\n"
        "o_ref[...] = r * (g - n * jnp.mean(g * n, axis=1, keepdims=True))"
    ),
    "elementwise": (
        "v, g = x_ref[...], y_ref[...]\nm = 0.9 * v + 0.1 * g\ns = 0.99 * g * g + v\n"
        "o_ref[...] = m / (jnp.sqrt(s) + 1e-8)"
    ),
}  # fmt: skip


def directed_registers() -> Iterator[tuple[str, str]]:
    """(name, the spec's text)."""
    for name, body in _BODIES.items():
        for rows, columns in _SIZES:
            block = ((rows, columns), F32)
            yield f"{name} {rows}x{columns}", kernel_text(body, [block], block)
    for name, body in _PAIRS.items():
        for rows, columns in _SIZES:
            block = ((rows, columns), F32)
            yield f"{name} {rows}x{columns}", kernel_text(body, [block, block], block)
    yield from _one_with_many()
    yield from _packed()
    yield from _several()
    yield from _products()


def _one_with_many() -> Iterator[tuple[str, str]]:
    """One register that is added to so many: the last sum is three times as many instructions after its load."""
    for n in (64, 170, 171, 341, 342, 512):
        body = f"o_ref[...] = (x_ref[...].reshape({n}, 8, 128) + y_ref[...][None]).reshape({8 * n}, 128)"
        block: Array = ((8 * n, 128), F32)
        yield f"one with many {n}", kernel_text(body, [block, ((8, 128), F32)], block, "y")


def _packed() -> Iterator[tuple[str, str]]:
    """Of 16-bit elements, computed with in 32 bits."""
    for name in ("softmax", "two reductions"):
        body = _BODIES[name].replace("x_ref[...]", "x_ref[...].astype(jnp.float32)").replace("= p /", "= (p /")
        body = body.rsplit("= ", 1)[0] + "= (" + body.rsplit("= ", 1)[1].lstrip("(") + ").astype(jnp.bfloat16)"
        for rows, columns in _SIZES[2:]:
            block = ((rows, columns), BF16)
            yield f"{name} bfloat16 {rows}x{columns}", kernel_text(body, [block], block)


def _several() -> Iterator[tuple[str, str]]:
    """So many blocks of 32 registers that live across one reduction."""
    for n in (1, 2, 3, 4, 6, 8):
        lines = [f"v{i} = jnp.exp(x_ref[{i}])" for i in range(n)]
        total = " + ".join(f"v{i}" for i in range(n))
        lines.append(f"t = jnp.sum({total}, axis=1, keepdims=True)")
        lines += [f"o_ref[{i}] = v{i} * t" for i in range(n)]
        block: Array = ((n, 128, 256), F32)
        yield f"blocks {n}", kernel_text("\n".join(lines), [block], block)


def _products() -> Iterator[tuple[str, str]]:
    body = (
        "v = jnp.exp(x_ref[...])\n"
        "o_ref[...] = v + jnp.dot(v.astype(jnp.bfloat16), y_ref[...], preferred_element_type=jnp.float32)"
    )
    for rows in (32, 64, 128, 256, 512, 1024):
        block: Array = ((rows, 256), F32)
        yield f"across a product {rows}", kernel_text(body, [block, ((256, 256), BF16)], block, "y")
    body = (
        "s = jnp.dot(x_ref[...], y_ref[...].T, preferred_element_type=jnp.float32)\n"
        "p = jnp.exp(s - jnp.max(s, axis=1, keepdims=True))\n"
        "o_ref[...] = p / jnp.sum(p, axis=1, keepdims=True)"
    )
    for rows, columns in ((64, 128), (128, 256), (128, 512), (256, 512), (512, 512)):
        inputs: list[Array] = [((rows, 128), BF16), ((columns, 128), BF16)]
        yield f"of a product {rows}x{columns}", kernel_text(body, inputs, ((rows, columns), F32), "y")
