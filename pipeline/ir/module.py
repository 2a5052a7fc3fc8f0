"""An MLIR-like module as data: types, attributes, values, ops, regions. Printing is `module_text.py`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Union

from pipeline.errors import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class ScalarType:
    """`f32`, `i1`, `index`, `!tpu.dma_semaphore`, by its MLIR spelling."""

    name: str


@dataclass(frozen=True, slots=True)
class VectorType:
    """`vector<256x512xf32>`."""

    shape: tuple[int, ...]
    element: ScalarType


@dataclass(frozen=True, slots=True)
class MemRefType:
    """`memref<256x512xbf16, #tpu.memory_space<vmem>>`; a None dimension is dynamic (`?`)."""

    shape: tuple[int | None, ...]
    element: ScalarType
    space: str | None = None


@dataclass(frozen=True, slots=True)
class TensorType:
    """`tensor<256x512xbf16>`; a scalar is `tensor<bf16>`."""

    shape: tuple[int, ...]
    element: ScalarType


Type = Union[ScalarType, VectorType, MemRefType, TensorType]


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A result or a block argument; compared by identity. The printer numbers it."""

    type: Type


@dataclass(frozen=True, slots=True)
class Raw:
    """An attribute whose text is the dialect's own, printed as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class TypedInt:
    """`0 : i64`."""

    value: int
    type: str


@dataclass(frozen=True, slots=True)
class Dense:
    """A splat (`dense<0.0> : vector<..>`, any tensor) or scalar constant of `type`; value a bool, int or float."""

    value: bool | int | float
    type: Type


@dataclass(frozen=True, slots=True)
class IntArray:
    """`array<i64: 1, 2>`; with no values `array<i64>`."""

    values: tuple[int, ...]
    element: str = "i64"


@dataclass(frozen=True, slots=True)
class SymbolRef:
    """`@transform_0`."""

    name: str


Attr = Union[None, bool, str, Raw, TypedInt, Dense, IntArray, SymbolRef, tuple["Attr", ...], "DictAttr"]


@dataclass(frozen=True, slots=True)
class DictAttr:
    """`{a = .., b = ..}`, printed in this order."""

    items: tuple[tuple[str, Attr], ...]


@dataclass(frozen=True, slots=True)
class Op:
    """One operation, `dialect.name`; its assembly form is the printer's business (`asm.py` of the target)."""

    name: str
    operands: tuple[Value, ...] = ()
    results: tuple[Value, ...] = ()
    attrs: tuple[tuple[str, Attr], ...] = ()
    regions: tuple[Region, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def dialect(self) -> str:
        return self.name.partition(".")[0]

    def attr(self, name: str) -> Attr:
        """The attribute called `name`; an absent one is a bug of ours (KeyError)."""
        for key, value in self.attrs:
            if key == name:
                return value
        raise KeyError(f"{self.name} has no attribute {name!r}")


@dataclass(frozen=True, slots=True)
class Region:
    """One block: its arguments and its ops, terminator included."""

    args: tuple[Value, ...] = ()
    ops: tuple[Op, ...] = ()


def walk_ops(region: Region) -> Iterator[Op]:
    """A region's ops in order, those of regions inside an op right after it."""
    for op in region.ops:
        yield op
        for inner in op.regions:
            yield from walk_ops(inner)


@dataclass(frozen=True, slots=True)
class Func:
    """A function; `results` are the types it returns, `attrs` what follows `attributes`."""

    name: str
    body: Region
    results: tuple[Type, ...] = ()
    attrs: tuple[tuple[str, Attr], ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """A module named after the kernel: the kernel function first, then one transform per window."""

    name: str
    funcs: tuple[Func, ...]
