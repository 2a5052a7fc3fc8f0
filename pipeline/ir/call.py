"""`KernelCall`: what the trace stage makes of a spec, and everything later stages know of the kernel.

A body over refs, one index-map jaxpr per blocked operand, the grid. It names no chip.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Union

from pipeline.errors import NOWHERE, Span
from pipeline.ir.jaxpr import Jaxpr, RefAval, ShapedArray


@dataclass(frozen=True, slots=True)
class Blocked:
    """`size` elements along this dimension; the index map counts blocks."""

    size: int


@dataclass(frozen=True, slots=True)
class Squeezed:
    """One element along this dimension, dropped from the ref's shape (`None` in a block shape)."""


@dataclass(frozen=True, slots=True)
class Element:
    """`size` elements; the index map counts elements. `padding` is (low, high), in elements."""

    size: int
    padding: tuple[int, int] = (0, 0)


BlockDim = Union[Blocked, Squeezed, Element]


class Role(Enum):
    """How the kernel sees an operand."""

    SCALAR_PREFETCH = "scalar prefetch"
    INPUT = "input"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Operand:
    """An array of the call.

    block:     one entry for each dimension of `array`; None for the whole array without a window
               (an operand in ANY or HBM, a scalar-prefetch operand).
    index_map: grid indices (i32[]) and scalar-prefetch refs to one i32[] for each dimension; None with `block`.
    ref:       aval of the ref the body sees (squeezed dims dropped).
    spans:     where the spec says it: whole entry, block, index_map.
    """

    name: str
    role: Role
    array: ShapedArray
    ref: RefAval
    block: tuple[BlockDim, ...] | None = None
    index_map: Jaxpr | None = None
    buffer_count: int | None = None
    span: Span = field(default=NOWHERE, compare=False)
    block_span: Span = field(default=NOWHERE, compare=False)
    index_map_span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Scratch:
    """Memory that lives for the whole call: VMEM, SMEM or semaphores, by the ref's space and dtype."""

    name: str
    ref: RefAval
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class KernelCall:
    """The traced kernel call.

    body:     binders are the refs of scalar-prefetch operands, inputs, outputs, scratch, in this order; no results.
    operands: scalar prefetch, inputs, outputs, in this order.
    grid:     steps per axis; () is a single step. The last axis varies fastest.
    dynamic_grid: axes whose steps are known at run time only; `grid` has the number in this run.
    semantics: one word per grid axis ("parallel", "arbitrary"); None where the spec says nothing.
    aliases:  (input position, output position) pairs, positions among inputs (with scalar prefetch) and outputs.
    """

    name: str
    body: Jaxpr
    grid: tuple[int, ...]
    operands: tuple[Operand, ...]
    scratch: tuple[Scratch, ...] = ()
    semantics: tuple[str, ...] | None = None
    aliases: tuple[tuple[int, int], ...] = ()
    vmem_limit_bytes: int | None = None
    span: Span = field(default=NOWHERE, compare=False)
    grid_span: Span = field(default=NOWHERE, compare=False)
    limit_span: Span = field(default=NOWHERE, compare=False)
    dynamic_grid: tuple[int, ...] = ()

    def with_role(self, role: Role) -> tuple[Operand, ...]:
        return tuple(operand for operand in self.operands if operand.role is role)
