"""One row for each dtype: width, kind, and its spelling in jaxprs and in MLIR. No NumPy here.

`simulate/numerics` maps a row to an `ml_dtypes` type; nothing that only prints has to import one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What the bits of an element mean."""

    FLOAT = "float"
    INT = "int"
    UINT = "uint"
    BOOL = "bool"
    SEMAPHORE = "semaphore"


@dataclass(frozen=True, slots=True)
class DType:
    """A dtype. `name` is the spec's and NumPy's spelling, `short` the jaxpr's, `mlir` the element type's.

    `bits` is the width of the value (1 for a bool); how memory pads it is `schedule/layout.py`'s business.
    """

    name: str
    short: str
    bits: int
    kind: Kind
    mlir: str

    @property
    def is_float(self) -> bool:
        return self.kind is Kind.FLOAT

    @property
    def is_integer(self) -> bool:
        """Signed or unsigned, not bool."""
        return self.kind in (Kind.INT, Kind.UINT)

    @property
    def is_signed(self) -> bool:
        return self.kind in (Kind.INT, Kind.FLOAT)

    @property
    def is_semaphore(self) -> bool:
        return self.kind is Kind.SEMAPHORE

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        return hash(self.name)  # of one field, as a dtype is looked up in tables all the time


BOOL = DType("bool", "bool", 1, Kind.BOOL, "i1")
I4 = DType("int4", "i4", 4, Kind.INT, "i4")
I8 = DType("int8", "i8", 8, Kind.INT, "i8")
I16 = DType("int16", "i16", 16, Kind.INT, "i16")
I32 = DType("int32", "i32", 32, Kind.INT, "i32")
I64 = DType("int64", "i64", 64, Kind.INT, "i64")
U4 = DType("uint4", "u4", 4, Kind.UINT, "i4")
U8 = DType("uint8", "u8", 8, Kind.UINT, "i8")
U16 = DType("uint16", "u16", 16, Kind.UINT, "i16")
U32 = DType("uint32", "u32", 32, Kind.UINT, "i32")
U64 = DType("uint64", "u64", 64, Kind.UINT, "i64")
F8_E4M3FN = DType("float8_e4m3fn", "f8_e4m3fn", 8, Kind.FLOAT, "f8E4M3FN")
F8_E5M2 = DType("float8_e5m2", "f8_e5m2", 8, Kind.FLOAT, "f8E5M2")
F8_E4M3B11FNUZ = DType("float8_e4m3b11fnuz", "f8_e4m3b11fnuz", 8, Kind.FLOAT, "f8E4M3B11FNUZ")
F16 = DType("float16", "f16", 16, Kind.FLOAT, "f16")
BF16 = DType("bfloat16", "bf16", 16, Kind.FLOAT, "bf16")
F32 = DType("float32", "f32", 32, Kind.FLOAT, "f32")
F64 = DType("float64", "f64", 64, Kind.FLOAT, "f64")
DMA_SEM = DType("dma_sem", "dma_sem", 32, Kind.SEMAPHORE, "!tpu.dma_semaphore")
SEM = DType("sem", "sem", 32, Kind.SEMAPHORE, "!tpu.semaphore")

_ALL = (
    BOOL, I4, I8, I16, I32, I64, U4, U8, U16, U32, U64,
    F8_E4M3FN, F8_E5M2, F8_E4M3B11FNUZ, F16, BF16, F32, F64, DMA_SEM, SEM,
)  # fmt: skip

BY_NAME: dict[str, DType] = {dtype.name: dtype for dtype in _ALL}
BY_SHORT: dict[str, DType] = {dtype.short: dtype for dtype in _ALL}
