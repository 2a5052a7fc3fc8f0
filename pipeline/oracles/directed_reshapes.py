"""Kernels that reshape a value between its load and its store, as spec text: lanes of less than a tile split into rows
and put together again, tiles laid out as one axis and back, columns as one axis. And vectors of one axis that are
computed with, sliced, joined, spread over rows and reduced.

Each by dtype and size, where one thing is varied at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from pipeline.oracles.directed_vectors import BF16, F32, I8, kernel_text

Named = tuple[str, str]  # a name, the spec's text
Shape = tuple[int, ...]
_TILES = ((16, 128), (32, 128), (64, 128), (64, 256), (64, 512), (2, 64, 128))


def directed_reshapes() -> Iterator[Named]:
    yield from _lanes()
    yield from _flat()
    yield from _columns()
    yield from _lines()


def _reshaped(kind: str, before: Shape, after: Shape, dtype: str, what: str = "x_ref[...].reshape({})") -> Named:
    name = f"{kind} {dtype} {'x'.join(map(str, before))} {'x'.join(map(str, after))}"
    return name, kernel_text(f"o_ref[...] = {what.format(after)}", [(before, dtype)], (after, dtype))


def _lanes() -> Iterator[Named]:
    for dtype, heights in ((F32, (8, 32)), (BF16, (8, 32)), (I8, (32,))):
        for rows in heights:
            for wide, lanes in ((64, 32), (64, 16), (64, 8), (64, 4), (64, 2), (32, 16), (32, 8), (96, 32)):
                yield _reshaped("split", (rows, wide), (rows, wide // lanes, lanes), dtype)
    for dtype in (F32, BF16):
        for rows in (8, 32):
            for wide, lanes in ((64, 32), (64, 16), (64, 8), (32, 8)):
                yield _reshaped("fold", (rows, wide // lanes, lanes), (rows, wide), dtype)


def _flat() -> Iterator[Named]:
    for dtype, least in ((F32, 2048), (BF16, 8192), (I8, 16384)):
        for shape in _TILES:
            if prod(shape) >= least:
                yield _reshaped("flat", shape, (prod(shape),), dtype)
    for shape in _TILES:
        yield _reshaped("raised", (prod(shape),), shape, F32)
    twice = "(x_ref[...] * 2).reshape({}) * 3"
    for rows in (8, 64):
        yield _reshaped("flat computed", (rows, 128), (rows * 128,), F32, twice)
        yield _reshaped("raised computed", (rows * 128,), (rows, 128), F32, twice)


def _columns() -> Iterator[Named]:
    for dtype, rows in ((F32, 128), (F32, 256), (BF16, 256)):
        yield _reshaped("column", (rows, 1), (rows,), dtype)


def _lines() -> Iterator[Named]:
    bodies = {
        "copied": "x_ref[...]",
        "doubled": "x_ref[...] * 2",
        "chosen": "jnp.where(x_ref[...] > 0, x_ref[...], jnp.exp(x_ref[...]))",
        "joined": "jnp.concatenate([x_ref[...], x_ref[...] * 2])",
        "halves": "x_ref[...][:{0}] + x_ref[...][{0}:]",
        "halves loaded": "x_ref[:{0}] + x_ref[{0}:]",
        "same": "jnp.full(o_ref.shape, 1.0)",
    }
    sizes = {"joined": 2.0, "halves": 0.5, "halves loaded": 0.5}
    for kind, body in bodies.items():
        for n in (256, 1024, 2048, 8192, 16384):
            result = ((int(n * sizes.get(kind, 1.0)),), F32)
            yield f"line {kind} {n}", kernel_text(f"o_ref[...] = {body.format(n // 2)}", [((n,), F32)], result)
    for n in (1024, 8192):
        whole = kernel_text("o_ref[...] = x_ref[...].astype(jnp.int32)", [((n,), F32)], ((n,), "int32"))
        yield f"line rounded {n}", whole
        most = kernel_text("o_ref[...] = jnp.full((8, 128), jnp.max(x_ref[...]))", [((n,), F32)], ((8, 128), F32))
        yield f"line reduced {n}", most
    for dtype in (F32, BF16):
        for n in (512, 1024, 2048):
            arrays = [((16, n), dtype), ((n,), dtype)]
            text = kernel_text("o_ref[...] = x_ref[...] + y_ref[...]", arrays, ((16, n), dtype), "y")
            yield f"line spread {dtype} {n}", text
