"""Tensor types of avals, and what memory that nobody has written holds."""

from __future__ import annotations

from pipeline.dtypes import I16, DType, Kind
from pipeline.ir.jaxpr import ShapedArray
from pipeline.ir.module import ScalarType, TensorType

_ELEMENTS: dict[DType, ScalarType] = {}


def element_type(dtype: DType) -> ScalarType:
    """Unsigned integers say so; a semaphore is a counter of 32 bits."""
    found = _ELEMENTS.get(dtype)
    if found is None:
        name = "i32" if dtype.is_semaphore else f"u{dtype.mlir}" if dtype.kind is Kind.UINT else dtype.mlir
        found = _ELEMENTS[dtype] = ScalarType(name)
    return found


def tensor(shape: tuple[int, ...], dtype: DType) -> TensorType:
    return TensorType(shape, element_type(dtype))


def tensor_type(aval: ShapedArray) -> TensorType:
    return tensor(aval.shape, aval.dtype)


def uninitialised(dtype: DType) -> bool | int | float:
    """NaN; the smallest integer, 0 for an unsigned one; false. A semaphore starts at 0, so does what is int16, since
    JAX's interpret mode keeps semaphores in that."""
    match dtype.kind:
        case Kind.FLOAT:
            return float("nan")
        case Kind.INT if dtype is not I16:
            return -(1 << (dtype.bits - 1))
        case Kind.BOOL:
            return False
        case _:
            return 0
