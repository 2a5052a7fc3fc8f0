"""The tile that copies of uneven blocks are rounded up to: arrays in HBM end with their last tile."""

from __future__ import annotations

from pipeline.dtypes import DType


def tiles(shape: tuple[int, ...], dtype: DType) -> tuple[int, ...]:
    """Elements of one tile along each dimension.

    Source: the TPU's layouts for chips from the fourth generation on: 128 lanes by up to 8 sublanes, as few of them
    as hold the rows; smaller types are packed into the 32 bits of a lane.
    """
    packing = max(32 // dtype.bits, 1)
    if not shape:
        return ()
    if len(shape) == 1:
        return (packing * 128,)
    rows = packing
    while rows < min(shape[-2], 8):
        rows *= 2
    return (*(1,) * (len(shape) - 2), rows, 128)
