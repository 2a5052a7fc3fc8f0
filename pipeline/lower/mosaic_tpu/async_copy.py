"""Mosaic lowering rules: copies by DMA, semaphores, messages.

Int indices become constants before any view is made, operand by operand; then the views are made, last one first.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import Kind
from pipeline.ir.jaxpr import Arg, Eqn, Index, NDIndexer, Prim, RefBitcast, RefReshape, Slice, Transforms
from pipeline.ir.module import Attr, IntArray, MemRefType, TypedInt, Value, VectorType
from pipeline.lower.mosaic_tpu.context import LowerContext, Operand, Rule, Rules, Unsupported, ref_aval, shaped
from pipeline.lower.mosaic_tpu.types import I1, I32, INDEX
from pipeline.lower.mosaic_tpu.views import View, transform_ref

_REFS = ("src", "dst", "semaphore")


def lower_dma_start(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value, ...]:
    src, dst, semaphore = _copy_views(ctx, eqn, operands)
    _refuse_difference(src, dst)
    priority = dict(eqn.params).get("priority", 0)
    assert isinstance(priority, int)
    if priority not in (0, 1):
        raise Unsupported("L105", f"a copy of priority {priority}: there are priorities 0 and 1", "use 0 or 1")
    attrs: tuple[tuple[str, Attr], ...] = (("priority", TypedInt(priority, "i32")),) if priority else ()
    ctx.emit_many("tpu.enqueue_dma", (src, dst, semaphore), (), attrs)
    return ()


def _refuse_difference(src: Value, dst: Value) -> None:
    """A DMA moves bytes: both sides have the same elements and the same shape."""
    assert isinstance(src.type, MemRefType) and isinstance(dst.type, MemRefType)
    if src.type.element != dst.type.element:
        found = f"from {src.type.element.name} to {dst.type.element.name}"
        raise Unsupported("L105", f"a copy {found}: a DMA converts nothing", "convert after the copy")
    if src.type.shape != dst.type.shape:
        found = " to ".join(str(tuple("?" if n is None else n for n in t.shape)) for t in (src.type, dst.type))
        raise Unsupported("L105", f"a copy from {found}: both sides have one shape", "slice the larger one with .at")


def lower_dma_wait(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value, ...]:
    src, dst, semaphore = _copy_views(ctx, eqn, operands)
    ctx.emit_many("tpu.wait_dma2", (semaphore, src, dst))
    return ()


def _copy_views(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value, Value, Value]:
    if any(ref_aval(eqn.inputs[at]).dtype.kind is Kind.BOOL for at in (0, 1)) and eqn.prim is Prim.DMA_START:
        raise Unsupported("L105", "a copy of bools has no Mosaic form", "copy an int8 or int32 array")
    values = list(operands)
    transforms = [_with_values(ctx, _transforms(eqn, f"{name}_transforms"), values) for name in _REFS]
    views = [_copy_view(ctx, eqn, values, at, transforms[at]) for at in (2, 1, 0)]
    semaphore, dst, src = views
    _refuse_rank(semaphore)
    return src, dst, semaphore


def _copy_view(ctx: LowerContext, eqn: Eqn, values: list[Operand], at: int, transforms: Transforms) -> Value:
    ref = values[at]
    assert isinstance(ref, Value)
    aval = ref_aval(eqn.inputs[at])
    if ref in ctx.dims and transforms:
        raise Unsupported(
            "L105",
            "a slice of a ref with squeezed dimensions has no Mosaic form in a copy",
            "give the block a size of 1 instead of None, and index it",
        )
    return transform_ref(ctx, eqn, values, View(ref, aval.shape, aval.dtype), transforms).value


def _with_values(ctx: LowerContext, transforms: Transforms, values: list[Operand]) -> Transforms:
    """The transforms with each int index as a constant among `values`."""

    def constant(index: Index) -> Index:
        if isinstance(index, int):
            values.append(ctx.constant(index, I32))
            return Arg(len(values) - 1)
        return index

    made: list[NDIndexer | RefReshape | RefBitcast] = []
    for step in transforms:
        if isinstance(step, NDIndexer):
            step = NDIndexer(tuple(i if isinstance(i, Slice) else constant(i) for i in step.indices))
        made.append(step)
    return tuple(made)


def _transforms(eqn: Eqn, name: str) -> Transforms:
    transforms = eqn.param(name)
    assert isinstance(transforms, tuple)
    return transforms  # type: ignore[return-value]


def _semaphore(ctx: LowerContext, eqn: Eqn, values: list[Operand], transforms: Transforms) -> Value:
    ref = values[0]
    assert isinstance(ref, Value)
    aval = ref_aval(eqn.inputs[0])
    found = transform_ref(ctx, eqn, values, View(ref, aval.shape, aval.dtype), transforms).value
    _refuse_rank(found)
    return found


def _refuse_rank(semaphore: Value) -> None:
    assert isinstance(semaphore.type, MemRefType)
    if semaphore.type.shape:
        shape = list(semaphore.type.shape)
        raise Unsupported("L105", f"a semaphore of shape {shape}: one at a time is used", "index it: semaphore.at[0]")


def lower_semaphore_read(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    values = list(operands)
    transforms = _with_values(ctx, _transforms(eqn, "transforms"), values)
    return (ctx.emit("tpu.sem_read", (_semaphore(ctx, eqn, values, transforms),), I32),)


def lower_semaphore_change(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value, ...]:
    values = list(operands)
    transforms = _with_values(ctx, _transforms(eqn, "transforms"), values)
    amount = ctx.value(values[1])
    name = "tpu.sem_signal" if eqn.prim is Prim.SEMAPHORE_SIGNAL else "tpu.sem_wait"
    if eqn.prim is Prim.SEMAPHORE_WAIT:
        ctx.constant(True, I1)  # the operand that says whether to decrement; the op always does
    ctx.emit_many(name, (_semaphore(ctx, eqn, values, transforms), amount))
    return ()


def lower_debug_print(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value, ...]:
    """Scalars are logged as they are; a vector goes through a buffer in VMEM."""
    values = tuple(map(ctx.value, operands))
    text = eqn.param("fmt")
    assert isinstance(text, str)
    avals = [shaped(atom) for atom in eqn.inputs]
    if any(aval.shape for aval in avals):
        return _log_vector(ctx, values, text)
    formatted = "{" in text
    if formatted and any(aval.dtype.bits != 32 or not aval.dtype.is_integer for aval in avals):
        raise Unsupported(
            "L105", "debug_print with {} takes 32-bit integers only", "leave out the {}: the values follow the text"
        )
    attrs: list[tuple[str, Attr]] = [("formatted", True)] if formatted else []
    attrs.append(("tag", _numbered(text) if formatted else text))
    ctx.emit_many("tpu.log", values, (), tuple(attrs))
    return ()


def lower_check(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value, ...]:
    """Nothing: a check is compiled only where JAX's `pallas_enable_debug_checks` is set."""
    return ()


def _log_vector(ctx: LowerContext, values: tuple[Value, ...], text: str) -> tuple[Value, ...]:
    if len(values) != 1 or not text.endswith("{}"):
        raise Unsupported(
            "L105",
            f"debug_print of {len(values)} operands, vectors among them, with the format {text!r} has no Mosaic form",
            "print scalars only, or one vector with a format that ends in {}",
        )
    (value,) = values
    assert isinstance(value.type, VectorType)
    shape = value.type.shape

    def build() -> None:
        ref = ctx.emit("memref.alloca", (), MemRefType(shape, value.type.element, "vmem"))  # type: ignore[union-attr]
        zero = ctx.constant(0, INDEX)
        ctx.emit_many("vector.store", (value, ref, *([zero] * len(shape))))
        attrs: tuple[tuple[str, Attr], ...] = (("shape", IntArray(shape)), ("tag", text[:-2]))
        ctx.emit_many("tpu.log_buffer", (ref,), (), attrs)
        ctx.emit_many("tpu.yield", ())

    ctx.emit_many("tpu.region", (), (), (), (ctx.region((), build),))
    return ()


def _numbered(text: str) -> str:
    """`{}` as `$0`, `$1`, ..."""
    parts = text.split("{}")
    return "".join(f"{part}${i}" if i < len(parts) - 1 else part for i, part in enumerate(parts))


RULES: Rules = {
    Prim.DMA_START: Rule(lower_dma_start, literals=True),
    Prim.DMA_WAIT: Rule(lower_dma_wait, literals=True),
    Prim.SEMAPHORE_READ: Rule(lower_semaphore_read, literals=True),
    Prim.SEMAPHORE_SIGNAL: Rule(lower_semaphore_change, literals=True),
    Prim.SEMAPHORE_WAIT: Rule(lower_semaphore_change, literals=True),
    Prim.DEBUG_PRINT: Rule(lower_debug_print),
    Prim.CHECK: Rule(lower_check),
}
