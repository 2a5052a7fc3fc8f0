"""Kernels that permute axes or reshape heads and do nothing else, as spec text: permutations of three and four axes,
exchanges of rows with the axis before them in every width, and heads split from lanes or folded into them.

Each between a load and a store, where those may do it, and (`+ 1`) between sums, where they may not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from pipeline.oracles.directed_vectors import BF16, F32, I8, kernel_text

Named = tuple[str, str]  # a name, the spec's text
_FP8 = "float8_e4m3fn"
_INT4 = "int4"


def directed_permutations() -> Iterator[Named]:
    yield from _permutations()
    yield from _turns()
    yield from _exchanges()
    yield from _heads()


def _moved(what: str, shape: tuple[int, ...], result: tuple[int, ...], dtype: str, sums: bool = False) -> Named:
    inner, end = ("(x_ref[...] + 1)", " + 1") if sums else ("x_ref[...]", "")
    body = f"o_ref[...] = {what.format(inner)}{end}"
    name = f"{what.format('x')} {dtype} {'x'.join(map(str, shape))}{end}"
    return name, kernel_text(body, [(shape, dtype)], (result, dtype))


def _permuted(shape: tuple[int, ...], order: tuple[int, ...], dtype: str, sums: bool = False) -> Named:
    return _moved(f"jnp.transpose({{}}, {order})", shape, tuple(shape[a] for a in order), dtype, sums)


def _permutations() -> Iterator[Named]:
    for order in permutations(range(3)):
        if order not in ((0, 1, 2), (1, 0, 2)):
            for dtype in (F32, BF16):
                yield _permuted((8, 16, 128), order, dtype)
    for order in ((0, 2, 1, 3), (1, 2, 0, 3), (0, 3, 1, 2), (0, 2, 3, 1), (1, 3, 0, 2), (3, 2, 1, 0), (2, 3, 0, 1)):
        yield _permuted((2, 4, 16, 128), order, F32)


def _turns() -> Iterator[Named]:
    for shape in ((8, 128, 128), (4, 128, 16), (8, 8, 16), (3, 40, 200)):
        yield _permuted(shape, (0, 2, 1), F32)
    yield _permuted((8, 128, 128), (0, 2, 1), BF16)


def _exchanges() -> Iterator[Named]:
    for dtype in (F32, BF16):
        for outer, rows in ((2, 8), (8, 4), (16, 8), (8, 16), (16, 16), (16, 32), (32, 16), (32, 32)):
            for sums in (False, True):
                yield _permuted((outer, rows, 128), (1, 0, 2), dtype, sums)
        for shape in ((16, 32, 256), (32, 16, 384), (8, 16, 256), (4, 8, 512), (5, 12, 256)):
            yield _permuted(shape, (1, 0, 2), dtype)
    for dtype, shapes in (
        (I8, ((8, 8, 128), (16, 32, 128), (32, 16, 128), (32, 64, 128), (32, 32, 256))),
        (_FP8, ((32, 32, 128), (32, 64, 256))),
        (_INT4, ((8, 8, 128), (64, 64, 256))),
    ):
        for shape in shapes:
            yield _permuted(shape, (1, 0, 2), dtype)


def _heads() -> Iterator[Named]:
    for dtype in (F32, BF16):
        for rows, heads in ((16, 2), (32, 4), (16, 8), (32, 16)):
            wide, apart = (rows, heads * 128), (rows, heads, 128)
            for sums in (False, True):
                yield _moved(f"jnp.reshape({{}}, {apart})", wide, apart, dtype, sums)
                yield _moved(f"jnp.reshape({{}}, {wide})", apart, wide, dtype, sums)
