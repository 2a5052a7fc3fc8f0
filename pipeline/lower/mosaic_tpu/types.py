"""MLIR types of avals, as Mosaic takes them: signless integers, booleans kept as i32 in memory."""

from __future__ import annotations

from pipeline.dtypes import DType, Kind
from pipeline.ir.jaxpr import Aval, MemorySpace, RefAval, ShapedArray
from pipeline.ir.module import MemRefType, ScalarType, Type, VectorType

INDEX = ScalarType("index")
I1 = ScalarType("i1")
I32 = ScalarType("i32")
F32 = ScalarType("f32")

_SCALARS: dict[str, ScalarType] = {"i1": I1, "i32": I32, "f32": F32}

# the space a ref's author names, as the module spells it; what is left open is VMEM, as every window is
SPACES: dict[MemorySpace, str] = {
    MemorySpace.DEFAULT: "vmem",
    MemorySpace.VMEM: "vmem",
    MemorySpace.SMEM: "smem",
    MemorySpace.HBM: "hbm",
    MemorySpace.ANY: "any",
    MemorySpace.SEMAPHORE: "semaphore_mem",
}


def scalar_type(dtype: DType) -> ScalarType:
    found = _SCALARS.get(dtype.mlir)
    if found is None:
        found = _SCALARS[dtype.mlir] = ScalarType(dtype.mlir)
    return found


def memory_type(dtype: DType) -> ScalarType:
    """Element type in memory: a bool takes 32 bits there."""
    return I32 if dtype.kind is Kind.BOOL else scalar_type(dtype)


def array_type(shape: tuple[int, ...], dtype: DType) -> ScalarType | VectorType:
    """A scalar for shape (), else a vector."""
    element = scalar_type(dtype)
    return VectorType(shape, element) if shape else element


def value_type(aval: ShapedArray) -> ScalarType | VectorType:
    return array_type(aval.shape, aval.dtype)


def memref_type(aval: RefAval, shape: tuple[int, ...] | None = None) -> MemRefType:
    """Type of a ref, with `shape` in place of its own where the window keeps squeezed dimensions."""
    return MemRefType(aval.shape if shape is None else shape, memory_type(aval.dtype), SPACES[aval.space])


def aval_type(aval: Aval) -> Type:
    return memref_type(aval) if isinstance(aval, RefAval) else value_type(aval)


def with_shape(type_: Type, shape: tuple[int, ...]) -> ScalarType | VectorType:
    """`type_` with another shape; a scalar type for ()."""
    element = type_ if isinstance(type_, ScalarType) else type_.element
    return VectorType(shape, element) if shape else element
