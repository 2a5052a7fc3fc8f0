"""Kernels that copy a page of few rows within VMEM, as spec text: rows and types of every sort, parts of pages, pages
of arrays in HBM, which some chips have in VMEM.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.oracles.directed_copies import _HEAD, _copy, _made, _used, _windows
from pipeline.oracles.random_legality import operand, scratch

F32, BF16, I8 = "float32", "bfloat16", "int8"
_ODD = (
    (F32, 1, 4, 128), (F32, 2, 4, 128), (F32, 3, 4, 128), (F32, 5, 4, 128), (F32, 5, 2, 128), (F32, 16, 3, 128),
    (F32, 16, 5, 128), (BF16, 16, 12, 128), (BF16, 16, 5, 128), (F32, 16, 4, 256), (BF16, 16, 2, 512),
    (BF16, 3, 8, 128), (F32, 16, 12, 128), (F32, 16, 4, 64),
)  # fmt: skip


def directed_pages() -> Iterator[tuple[str, str]]:
    """(family, type and shape, the spec's text)."""
    for dtype in (F32, BF16, I8):
        for rows in (1, 2, 4, 8, 16):
            for n in (16, 64):
                yield f"page {dtype} {n}x{rows}", _page(dtype, n, rows, 128)
    for dtype, n, rows, columns in _ODD:
        yield f"odd {dtype} {n}x{rows}x{columns}", _page(dtype, n, rows, columns)
    for dtype, rows in ((F32, 4), (BF16, 4), (F32, 2)):
        part = "x_ref.at[:, :, pl.ds(128, 128)]"
        yield f"columns {dtype} {rows}", _HEAD + _windows((16, rows, 256), (16, rows, 128), part, "o_ref", dtype)
        part = "x_ref.at[:, pl.ds(0, 8)]"
        yield f"several {dtype} {rows}", _HEAD + _windows((4, 16, rows, 128), (4, 8, rows, 128), part, "o_ref", dtype)
        part = f"x_ref.at[:, pl.ds(0, {rows})]"
        yield f"rows {dtype} {rows}", _HEAD + _windows((16, 2 * rows, 128), (16, rows, 128), part, "o_ref", dtype)
    for dtype, rows in ((BF16, 4), (BF16, 8), (F32, 4), (F32, 2)):
        yield f"read {dtype} {rows}", _HEAD + _read(dtype, rows)


def _page(dtype: str, n: int, rows: int, columns: int) -> str:
    return _HEAD + _windows((4, n, rows, columns), (n, rows, columns), "x_ref.at[2]", "o_ref", dtype)


def _read(dtype: str, rows: int) -> str:
    """A page whose number is read, of an array in HBM."""
    body = _copy("x_ref.at[n_ref[1]]", "s_ref.at[1]") + _used("s_ref.at[1]", "o_ref")
    parts = {
        "n": operand("scalar_prefetch", "n", (4,), "int32"),
        "x": operand("inputs", "x", (8, 16, rows, 128), dtype, space="any"),
        "o": operand("outputs", "o", (16, rows, 128), dtype, space="any"),
        "s": scratch("s", "vmem", (2, 16, rows, 128), dtype),
        "d": scratch("d", "dma_semaphore"),
    }
    return _made(body, parts)
