"""Kernels about one way of moving vector registers each, as spec text: turning them, shifting them, joining them,
adding them up, sharing out the matrix units. Each in a few shapes, so that a wrong rule shows as a wrong slope.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.oracles.kernel_text import head_text, operand_text

_STEPS = 8
F32, BF16, I8 = "float32", "bfloat16", "int8"
Array = tuple[tuple[int, ...], str]  # a block's shape and dtype


def directed_vectors() -> Iterator[tuple[str, str]]:
    """(name, the spec's text)."""
    yield from _transposes()
    yield from _shifts()
    yield from _rows()
    yield from _sums()
    yield from _products()


def kernel_text(body: str, inputs: Sequence[Array], output: Array, whole: str = "") -> str:
    """A kernel over blocks along the first axis; operands named in `whole` are the same in every step."""
    operands = dict(zip("xyzw", inputs, strict=False)) | {"o": output}
    lines = [line for line in body.split("\n") if line]
    text = head_text("Vector registers about one thing", operands, lines, [_STEPS])
    for name, (shape, dtype) in operands.items():
        first = "0" if name in whole else "i"
        array = [shape[0] * (1 if name in whole else _STEPS), *shape[1:]]
        indices = ", ".join([first] + ["0"] * (len(shape) - 1))
        text += operand_text("outputs" if name == "o" else "inputs", name, array, shape, indices, dtype)
    return text


def _transposes() -> Iterator[tuple[str, str]]:
    for dtype in (F32, BF16, I8):
        for rows, columns in ((128, 128), (256, 256), (384, 128), (64, 128)):
            text = kernel_text("o_ref[...] = x_ref[...].T", [((rows, columns), dtype)], ((columns, rows), dtype))
            yield f"transpose {dtype} {rows}x{columns}", text
    for dtype in (F32, BF16):
        for outer, rows in ((4, 64), (64, 4), (16, 16)):
            for times in ("", " * 2"):
                body = f"o_ref[...] = jnp.swapaxes(x_ref[...]{times}, 0, 1)"
                text = kernel_text(body, [((outer, rows, 128), dtype)], ((rows, outer, 128), dtype))
                yield f"swap {dtype} {outer}x{rows}{times}", text


def _shifts() -> Iterator[tuple[str, str]]:
    bodies = {
        "halves": "v = x_ref[...]\no_ref[...] = jnp.concatenate([-v[:, 64:], v[:, :64]], axis=1)",
        "half of a half": "v = x_ref[...]\no_ref[...] = jnp.concatenate([v[:, 96:], v[:, :96]], axis=1)",
    }
    for dtype in (F32, BF16):
        for name, body in bodies.items():
            yield f"{name} {dtype}", kernel_text(body, [((64, 128), dtype)], ((64, 128), dtype))
        body = "o_ref[...] = jnp.concatenate([x_ref[...], y_ref[...]], axis=1)"
        yield f"side by side {dtype}", kernel_text(body, [((64, 64), dtype)] * 2, ((64, 128), dtype))
        body = "v = x_ref[...]\no_ref[...] = v[:, 64:] + v[:, :64]"
        yield f"halves added {dtype}", kernel_text(body, [((64, 128), dtype)], ((64, 64), dtype))
        body = "o_ref[...] = x_ref[:, 1:257] + x_ref[:, 64:320]"
        yield f"lanes loaded {dtype}", kernel_text(body, [((64, 384), dtype)], ((64, 256), dtype))
        body = "o_ref[...] = x_ref[0:8, 1:9, :].astype(jnp.float32) * x_ref[1:9, 2:10, :].astype(jnp.float32)"
        yield f"rows loaded {dtype}", kernel_text(body, [((10, 16, 128), dtype)], ((8, 8, 128), F32))
    for by in (1, 3, 8):
        body = f"v = x_ref[...]\no_ref[...] = pltpu.roll(v, {by}, 0) + pltpu.roll(v, {by + 1}, 0)"
        yield f"rolled by {by}", kernel_text(body, [((64, 256), F32)], ((64, 256), F32))


def _rows() -> Iterator[tuple[str, str]]:
    body = "v = x_ref[...]\no_ref[...] = jnp.concatenate([v[3:], v[:3]], axis=0)"
    yield "below each other", kernel_text(body, [((64, 128), F32)], ((64, 128), F32))
    sums = "[jnp.sum(v * t, axis=0, keepdims=True) for t in range(2, 10)]"
    body = f"v = x_ref[...]\no_ref[...] = jnp.concatenate({sums}, axis=0)"
    yield "sums below each other", kernel_text(body, [((32, 128), F32)], ((8, 128), F32))
    body = "v = x_ref[...]\no_ref[...] = jnp.concatenate([v[t : t + 1] * 2 for t in range(8)] * 2, axis=0)"
    yield "rows in their places", kernel_text(body, [((8, 256), F32)], ((16, 256), F32))
    for rows in (2, 4):
        body = f"o_ref[...] = jnp.max(x_ref[...].reshape({64 // rows}, {rows}, 128), axis=1)"
        yield f"maximum of {rows} rows", kernel_text(body, [((64, 128), F32)], ((64 // rows, 128), F32))


def _sums() -> Iterator[tuple[str, str]]:
    for rows, columns in ((512, 128), (256, 512), (128, 1024)):
        body = f"o_ref[...] = jnp.broadcast_to(jnp.sum(x_ref[...], axis=0, keepdims=True), (8, {columns}))"
        yield f"sum {rows}x{columns}", kernel_text(body, [((rows, columns), F32)], ((8, columns), F32))
    body = "v = x_ref[...]\no_ref[...] = v - jnp.mean(v, axis=(1, 2), keepdims=True)"
    yield "mean of groups", kernel_text(body, [((8, 16, 128), F32)], ((8, 16, 128), F32))
    body = "v = x_ref[...]\no_ref[...] = v * (1.0 / (jnp.sqrt(jnp.sum(v * v)) + 1e-6))"
    yield "norm of all", kernel_text(body, [((64, 256), F32)], ((64, 256), F32))
    for source, result in ((F32, "float8_e5m2"), ("float8_e5m2", F32), (BF16, "float8_e5m2")):
        body = f"o_ref[...] = x_ref[...].astype(jnp.{result})"
        yield f"{source} to {result}", kernel_text(body, [((64, 512), source)], ((64, 512), result))


def _products() -> Iterator[tuple[str, str]]:
    head = (
        "for h in range({heads}):\n"
        "    s = jnp.dot(x_ref[h], y_ref[h].T, preferred_element_type=jnp.float32)\n"
        "    p = jnp.exp(s - jnp.max(s, axis=-1, keepdims=True))\n"
        "    r = jnp.dot(p.astype(z_ref.dtype), z_ref[h], preferred_element_type=jnp.float32)\n"
        "    o_ref[h] = r / jnp.sum(p, axis=-1, keepdims=True)"
    )
    for heads in (1, 2, 4):
        keys = ((heads, 128, 128), BF16)
        text = kernel_text(head.format(heads=heads), [((heads, 8, 128), BF16), keys, keys], ((heads, 8, 128), F32))
        yield f"heads {heads}", text
    for rows, depth, columns in ((128, 384, 384), (256, 512, 128), (64, 128, 256), (64, 768, 256)):
        body = "o_ref[...] = jnp.dot(x_ref[...], y_ref[...], preferred_element_type=jnp.float32)"
        arrays = [((rows, depth), BF16), ((depth, columns), BF16)]
        yield f"product {rows}x{depth}x{columns}", kernel_text(body, arrays, ((rows, columns), F32), "y")
    body = (
        "a = jnp.dot(x_ref[...], y_ref[...], preferred_element_type=jnp.float32)\n"
        "o_ref[...] = jnp.dot(a.astype(jnp.bfloat16), z_ref[...], preferred_element_type=jnp.float32)"
    )
    arrays = [((128, 256), BF16), ((256, 128), BF16), ((128, 256), BF16)]
    yield "product of a product", kernel_text(body, arrays, ((128, 256), F32), "yz")
    body = (
        "a = jnp.dot(x_ref[...], y_ref[...].T, preferred_element_type=jnp.float32)\n"
        "b = jnp.dot(a.astype(jnp.bfloat16), y_ref[...], preferred_element_type=jnp.float32)\n"
        "o_ref[...] = b + jnp.dot(x_ref[...], z_ref[...], preferred_element_type=jnp.float32)"
    )
    arrays = [((64, 128), BF16), ((64, 128), BF16), ((128, 128), BF16)]
    yield "sum of products", kernel_text(body, arrays, ((64, 128), F32), "z")
    body = (
        "s = jnp.dot(x_ref[...], y_ref[...].T, preferred_element_type=jnp.float32)\n"
        "o_ref[...] = jnp.dot(s.T.astype(jnp.bfloat16), x_ref[...], preferred_element_type=jnp.float32)"
    )
    arrays = [((128, 128), BF16), ((128, 128), BF16)]
    yield "turned rows", kernel_text(body, arrays, ((128, 128), F32))
