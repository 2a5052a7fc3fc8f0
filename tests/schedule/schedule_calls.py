"""Calls made by hand for the tests of this stage: operands with affine index maps, refs read or written or neither."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import F32, I32, DType
from pipeline.ir.call import BlockDim, Blocked, KernelCall, Operand, Role, Scratch, Squeezed
from pipeline.ir.jaxpr import Eqn, Jaxpr, Literal, MemorySpace, NDIndexer, Prim, RefAval, ShapedArray, Slice, Var

SCALAR = ShapedArray((), I32)


def affine_map(rank: int, rows: Sequence[tuple[int, Sequence[int]]]) -> Jaxpr:
    """The index map of a grid of `rank` axes whose results are constant + sum(coefficient * index)."""
    args = tuple(Var(SCALAR) for _ in range(rank))
    eqns: list[Eqn] = []
    outs: list[Var | Literal] = []

    def emit(prim: Prim, a: Var | Literal, b: Var | Literal) -> Var:
        out = Var(SCALAR)
        eqns.append(Eqn(prim, (a, b), (out,)))
        return out

    for constant, coefficients in rows:
        total: Var | Literal = Literal(constant, SCALAR)
        for arg, c in zip(args, coefficients, strict=True):
            if c:
                total = emit(Prim.ADD, total, arg if c == 1 else emit(Prim.MUL, arg, Literal(c, SCALAR)))
        outs.append(total)
    return Jaxpr(args, tuple(eqns), tuple(outs))


def operand(
    name: str,
    shape: tuple[int, ...],
    block: Sequence[int | None] | None = None,
    index_map: Jaxpr | None = None,
    *,
    dtype: DType = F32,
    role: Role = Role.INPUT,
    space: MemorySpace = MemorySpace.VMEM,
    buffers: int | None = None,
) -> Operand:
    """An operand; a None in `block` is squeezed."""
    dims: tuple[BlockDim, ...] | None = None
    seen = shape
    if block is not None:
        dims = tuple(Squeezed() if n is None else Blocked(n) for n in block)
        seen = tuple(n for n in block if n is not None)
    return Operand(
        name,
        role,
        ShapedArray(shape, dtype),
        RefAval(ShapedArray(seen, dtype), space),
        dims,
        index_map,
        buffers,
    )


def scratch(name: str, shape: tuple[int, ...], dtype: DType = F32, space: MemorySpace = MemorySpace.VMEM) -> Scratch:
    return Scratch(name, RefAval(ShapedArray(shape, dtype), space))


def read(ref: Var) -> Eqn:
    """The whole of a ref, loaded."""
    aval = ref.aval
    assert isinstance(aval, RefAval)
    entry = NDIndexer(tuple(Slice(0, n) for n in aval.shape))
    return Eqn(Prim.GET, (ref,), (Var(aval.inner),), (("transforms", (entry,)),))


def call(
    operands: Sequence[Operand],
    grid: tuple[int, ...] = (),
    scratches: Sequence[Scratch] = (),
    *,
    read_refs: bool = True,
    vmem_limit_bytes: int | None = None,
    semantics: tuple[str, ...] | None = None,
) -> KernelCall:
    """A call whose body loads every ref in VMEM, or does nothing."""
    refs = tuple(Var(o.ref) for o in operands) + tuple(Var(s.ref) for s in scratches)
    loads = tuple(
        read(ref)
        for ref in refs
        if isinstance(ref.aval, RefAval) and ref.aval.space is MemorySpace.VMEM and not ref.aval.dtype.is_semaphore
    )
    return KernelCall(
        "kernel",
        Jaxpr(refs, loads if read_refs else (), ()),
        grid,
        tuple(operands),
        tuple(scratches),
        semantics=semantics,
        vmem_limit_bytes=vmem_limit_bytes,
    )
