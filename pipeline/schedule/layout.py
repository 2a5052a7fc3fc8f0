"""How arrays lie in memory: tiles, padding, bytes. Every number of the memory plan comes from here.

Source of all rules: layouts that libtpu 0.0.42.1 printed for arrays of ranks 1 to 4 and allocations it made, alike on
v4, v5e, v5p, v6e and 7x; what v2 and v3 have of their own is in their profiles. For a chip of 8 sublanes and 128
lanes they give the numbers quoted below.
"""

from __future__ import annotations

from math import prod

from pipeline.chips.chip import Chip
from pipeline.dtypes import DType, Kind
from pipeline.schedule.result import Tiling

WINDOW_GRANULE_BYTES = 1024  # all buffer slots of a window together are rounded up to this
SCALAR_BYTES = 4096  # scratch of rank 0 takes one vector register
TALL = "tall_byte_tiles"  # the feature of chips that lay 8-bit arrays in tiles of 32 rows
_WIDE_ENOUGH = 16  # fewer lanes than this do not get the large tile of a packed dtype (12 do not, 16 do)


def round_up(n: int, multiple: int) -> int:
    """Smallest multiple of `multiple` (positive) that is at least `n`."""
    return -(-n // multiple) * multiple


def next_power_of_two(n: int) -> int:
    """Smallest power of two that is at least `n`; 1 for n < 1."""
    return 1 << max(0, n - 1).bit_length()


def storage_bits(dtype: DType) -> int:
    """Bits an element takes in memory: a bool travels as 32 bits, anything else as itself."""
    return 32 if dtype.kind is Kind.BOOL else dtype.bits


def packing(dtype: DType) -> int:
    """Elements per 32-bit word, 1 for wider dtypes."""
    return max(1, 32 // storage_bits(dtype))


def rows_per_word(dtype: DType, chip: Chip) -> int:
    """Rows of elements in the smallest piece of memory: what 32 bits hold, or twice as many where words are longer."""
    return packing(dtype) * chip.word_bytes // (4 * chip.lanes)


def masks(bits: int, chip: Chip) -> bool:
    """Whether the chip can mask single elements of `bits` bits, so that rows need not fill a register or its words."""
    return bits >= 32 or f"mask_{bits}_bit" in chip.features


def tiling(shape: tuple[int, ...], dtype: DType, chip: Chip) -> Tiling:
    """Tile of an array of `shape`: (rows, lanes) for rank 2 and more, (None, lanes) for rank 1 and 0.

    A window of rank 2 or more has the tile of its array, not of its block; one of rank 1 that of its block. Rows: the
    next power of two of the second-minor size, at least the packing of 16-bit and 8-bit dtypes, at most 8; whole
    multiples of 32 (8 bits) or 64 (4 bits) rows that are at least 16 lanes wide get a tile of 32 or 64 rows. A chip
    whose memory has words of two rows (v2, v3) has no tile of fewer, and no tiles of 32 rows.
    """
    per_word = packing(dtype)
    least = rows_per_word(dtype, chip)
    sublanes, lanes = chip.sublanes, chip.lanes
    if len(shape) < 2:
        n = shape[0] if shape else 1
        return Tiling(None, min(sublanes * lanes, max(lanes * least, next_power_of_two(n))))
    rows, columns = shape[-2], shape[-1]
    large = sublanes * per_word
    if TALL in chip.features and per_word >= 4 and rows % large == 0 and columns >= _WIDE_ENOUGH:
        return Tiling(large, lanes)
    if per_word > 4:
        return Tiling(sublanes, lanes)
    return Tiling(max(least, min(sublanes, next_power_of_two(rows))), lanes)


def crosses_registers(start: int, size: int, dtype: DType, chip: Chip) -> bool:
    """Whether `size` rows from row `start` have to be put together from two registers to make a value of `size` rows.

    Source: verdicts of libtpu 0.0.42.1 on slices and loads of 4-bit and 8-bit rows, which it refuses to mask where they
    do. A value of few 8-bit rows lies in a smaller tile, and registers begin at that tile's rows.
    """
    rows = tiling((size, chip.lanes), dtype, chip).rows
    unit = min(chip.sublanes, rows or 1)
    return start % unit != 0 and start % unit + size > unit


def padded(shape: tuple[int, ...], tile: Tiling) -> tuple[int, ...]:
    """`shape` with its last axes rounded up to whole tiles."""
    if tile.rows is None:
        return (round_up(shape[0] if shape else 1, tile.lanes),)
    *outer, rows, columns = shape
    return (*outer, round_up(rows, tile.rows), round_up(columns, tile.lanes))


def tiled_bytes(shape: tuple[int, ...], dtype: DType, tile: Tiling) -> int:
    """Bytes of an array or block of `shape` in whole tiles; 0 for an empty one."""
    if prod(shape) == 0:
        return 0
    return prod(padded(shape, tile)) * storage_bits(dtype) // 8


def plain_bytes(shape: tuple[int, ...], dtype: DType) -> int:
    """Bytes of the elements alone, what a reader would count."""
    return -(-prod(shape) * storage_bits(dtype) // 8)


def scratch_bytes(shape: tuple[int, ...], dtype: DType, chip: Chip) -> int:
    """Bytes of VMEM scratch. It is tiled by its own shape; a 4-bit element takes 8 bits there, unlike in a window."""
    if not shape:
        return SCALAR_BYTES
    if prod(shape) == 0:
        return 0
    bits = max(8, storage_bits(dtype))
    return prod(padded(shape, tiling(shape, dtype, chip))) * bits // 8


def smem_bytes(shape: tuple[int, ...], dtype: DType, chip: Chip) -> int:
    """Bytes of an array in SMEM: rank 1 and 0 are packed to whole words of memory, the others tiled as in VMEM."""
    if prod(shape) == 0:
        return 0
    if len(shape) < 2:
        return round_up(plain_bytes(shape, dtype), chip.word_bytes)
    return tiled_bytes(shape, dtype, tiling(shape, dtype, chip))
