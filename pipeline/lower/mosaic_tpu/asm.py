"""How the ops that the TPU lowering uses are spelled: a table from op name to assembly form.

Every form here is what the dialect's own printer writes (checked against jaxlib), but for blanks at the end of a line.
"""

from __future__ import annotations

from collections.abc import Callable

from pipeline.ir.module import Dense, IntArray, MemRefType, Op, Type, Value
from pipeline.ir.module_text import Form, Forms, Printer, attr_text, dense_text, string_text

SAME_TYPE_OPS = (
    "arith.addf", "arith.addi", "arith.subf", "arith.subi", "arith.mulf", "arith.muli", "arith.divf", "arith.divsi",
    "arith.divui", "arith.remf", "arith.remsi", "arith.remui", "arith.maximumf", "arith.maxsi", "arith.maxui",
    "arith.minimumf", "arith.minsi", "arith.minui", "arith.andi", "arith.ori", "arith.xori", "arith.shli",
    "arith.shrsi", "arith.shrui", "arith.negf", "math.atan2", "math.powf", "math.exp", "math.exp2", "math.log",
    "math.log1p", "math.sin", "math.cos", "math.tan", "math.tanh", "math.erf", "math.rsqrt", "math.sqrt", "math.floor",
    "math.ceil", "math.round", "math.roundeven", "math.absf", "math.absi", "math.ctlz", "math.ctpop",
)  # fmt: skip
CAST_OPS = (
    "arith.extf", "arith.truncf", "arith.extsi", "arith.extui", "arith.trunci", "arith.sitofp", "arith.uitofp",
    "arith.fptosi", "arith.fptoui", "arith.index_cast", "arith.bitcast", "vector.shape_cast", "vector.broadcast",
)  # fmt: skip
_ARROWS = (
    "tpu.bitcast", "tpu.weird", "tpu.memref_squeeze", "tpu.memref_reshape", "tpu.memref_bitcast", "tpu.reciprocal",
)  # fmt: skip
_ALLOCATIONS = ("tpu.sem_alloc",)


def _same_type(p: Printer, op: Op, depth: int) -> str:
    return f"{op.name} {p.values(op.operands)} : {p.type(op.results[0].type)}"


def _cast(p: Printer, op: Op, depth: int) -> str:
    (x,) = op.operands
    return f"{op.name} {p.value(x)} : {p.type(x.type)} to {p.type(op.results[0].type)}"


def _arrow(p: Printer, op: Op, depth: int) -> str:
    return f"{op.name} {p.values(op.operands)}{p.attr_dict(op.attrs)} : {_signature(p, op)}"


def _signature(p: Printer, op: Op) -> str:
    return f"{p.types(x.type for x in op.operands)} -> {p.types(x.type for x in op.results)}"


def _constant(p: Printer, op: Op, depth: int) -> str:
    value = op.attr("value")
    assert isinstance(value, Dense)
    return f"arith.constant {dense_text(value)}"


def _compare(p: Printer, op: Op, depth: int) -> str:
    x, y = op.operands
    return f"{op.name} {attr_text(op.attr('predicate'))}, {p.value(x)}, {p.value(y)} : {p.type(x.type)}"


def _select(p: Printer, op: Op, depth: int) -> str:
    condition, x, _ = op.operands
    # a scalar condition over anything goes without its type
    lead = "" if p.type(condition.type) == "i1" else f"{p.type(condition.type)}, "
    return f"arith.select {p.values(op.operands)} : {lead}{p.type(x.type)}"


def _extract(p: Printer, op: Op, depth: int) -> str:
    (x,) = op.operands
    position = op.attr("position")
    assert isinstance(position, IntArray)
    at = ", ".join(map(str, position.values))
    return f"vector.extract {p.value(x)}[{at}] : {p.type(op.results[0].type)} from {p.type(x.type)}"


def _extract_slice(p: Printer, op: Op, depth: int) -> str:
    (x,) = op.operands
    shown = p.attr_dict(op.attrs)
    return f"{op.name} {p.value(x)}{shown} : {p.type(x.type)} to {p.type(op.results[0].type)}"


def _reduction(p: Printer, op: Op, depth: int) -> str:
    x, start = op.operands
    kind, dims = attr_text(op.attr("kind")), attr_text(op.attr("reduction_dims"))
    return f"{op.name} {kind}, {p.value(x)}, {p.value(start)} {dims} : {p.type(x.type)} to {p.type(start.type)}"


def _indexed(p: Printer, ref: Value, indices: tuple[Value, ...]) -> str:
    return f"{p.value(ref)}[{p.values(indices)}]"


def _vector_load(p: Printer, op: Op, depth: int) -> str:
    ref, *indices = op.operands
    return (
        f"{op.name} {_indexed(p, ref, tuple(indices))}{p.attr_dict(op.attrs)} : {p.type(ref.type)}, "
        f"{p.type(op.results[0].type)}"
    )


def _memref_load(p: Printer, op: Op, depth: int) -> str:
    ref, *indices = op.operands
    return f"memref.load {_indexed(p, ref, tuple(indices))} : {p.type(ref.type)}"


def _memref_store(p: Printer, op: Op, depth: int) -> str:
    value, ref, *indices = op.operands
    types = p.type(ref.type) if op.name == "memref.store" else f"{p.type(ref.type)}, {p.type(value.type)}"
    return f"{op.name} {p.value(value)}, {_indexed(p, ref, tuple(indices))} : {types}"


def _vector_store(p: Printer, op: Op, depth: int) -> str:
    ref, *rest = op.operands
    rank = _rank(ref.type)
    indices, value, mask = tuple(rest[:rank]), rest[rank], rest[rank + 1 :]
    masked = f" masked {p.value(mask[0])}" if mask else ""
    # the mask's type follows a comma that is there without a mask, too
    last = f" {p.type(mask[0].type)}" if mask else ""
    return (
        f"{op.name} {_indexed(p, ref, indices)}, {p.value(value)}{masked}{p.attr_dict(op.attrs)} : "
        f"{p.type(ref.type)}, {p.type(value.type)},{last}"
    )


def _strided_store(p: Printer, op: Op, depth: int) -> str:
    ref, *rest = op.operands
    *indices, value = rest
    return (
        f"{op.name} {_indexed(p, ref, tuple(indices))}, {p.value(value)}{p.attr_dict(op.attrs)} : "
        f"{p.type(ref.type)}, {p.type(value.type)}"
    )


def _rank(type_: Type) -> int:
    assert isinstance(type_, MemRefType)
    return len(type_.shape)


def _memref_slice(p: Printer, op: Op, depth: int) -> str:
    ref, *rest = op.operands
    rank = _rank(ref.type)
    sizes = f" <{p.values(rest[rank:])}>" if len(rest) > rank else ""
    return (
        f"{op.name} {_indexed(p, ref, tuple(rest[:rank]))}{sizes} : {p.type(ref.type)} -> {p.type(op.results[0].type)}"
    )


def _alloca(p: Printer, op: Op, depth: int) -> str:
    return f"memref.alloca() : {p.type(op.results[0].type)}"


def _no_operands(p: Printer, op: Op, depth: int) -> str:
    return f"{op.name}{p.attr_dict(op.attrs)} : {p.type(op.results[0].type)}"


def _iteration_bound(p: Printer, op: Op, depth: int) -> str:
    return f"{op.name} {attr_text(op.attr('dim'))} : i32"


def _assume_multiple(p: Printer, op: Op, depth: int) -> str:
    (x,) = op.operands
    return f"{op.name} {p.value(x)}, {attr_text(op.attr('multiple'))} : {p.type(x.type)}"


def _concatenate(p: Printer, op: Op, depth: int) -> str:
    return f"{op.name} {p.values(op.operands)} in {attr_text(op.attr('dimension'))} : {_signature(p, op)}"


def _transpose(p: Printer, op: Op, depth: int) -> str:
    (x,) = op.operands
    return f"{op.name} {p.value(x)}, {attr_text(op.attr('permutation'))} : {_signature(p, op)}"


def _unpack(p: Printer, op: Op, depth: int) -> str:
    (x,) = op.operands
    rest = p.attr_dict(op.attrs, "index")
    return f"{op.name} {p.value(x)}, {attr_text(op.attr('index'))}{rest} : {_signature(p, op)}"


def _dynamic_gather(p: Printer, op: Op, depth: int) -> str:
    x, indices = op.operands
    return f"{op.name} {p.value(x)}[{p.value(indices)}] in {attr_text(op.attr('dimensions'))} : {_signature(p, op)}"


def _dynamic_rotate(p: Printer, op: Op, depth: int) -> str:
    x, shift = op.operands
    rest = p.attr_dict(op.attrs, "dimension")
    axis = attr_text(op.attr("dimension"))
    return f"{op.name} {p.value(x)} by {p.value(shift)} dim {axis}{rest} : {_signature(p, op)}"


def _named(p: Printer, op: Op, names: tuple[str, ...]) -> str:
    """`source(%0 : memref<..>) target(..)`."""
    pairs = zip(names, op.operands, strict=True)
    return " ".join(f"{name}({p.value(x)} : {p.type(x.type)})" for name, x in pairs)


def _enqueue_dma(p: Printer, op: Op, depth: int) -> str:
    return f"{op.name} {_named(p, op, ('source', 'target', 'target_semaphore'))}{p.attr_dict(op.attrs)}"


def _wait_dma(p: Printer, op: Op, depth: int) -> str:
    return f"{op.name} {_named(p, op, ('semaphore', 'src', 'dst'))}"


def _semaphore_change(p: Printer, op: Op, depth: int) -> str:
    return f"{op.name} {p.values(op.operands)} : {p.type(op.operands[0].type)}"


def _log(p: Printer, op: Op, depth: int) -> str:
    tag = op.attr("tag")
    assert isinstance(tag, str)
    values = ""
    if op.operands:
        values = f" : [{p.values(op.operands)}] : {p.types(x.type for x in op.operands)}"
    return f"{op.name} {string_text(tag)}{p.attr_dict(op.attrs, 'tag')}{values}"


def _log_buffer(p: Printer, op: Op, depth: int) -> str:
    tag = op.attr("tag")
    assert isinstance(tag, str)
    (ref,) = op.operands
    return f"{op.name} {string_text(tag)}{p.attr_dict(op.attrs, 'tag')} : {p.value(ref)} : {p.type(ref.type)}"


def _terminator(p: Printer, op: Op, depth: int) -> str:
    name = op.name.removeprefix("func.")
    if not op.operands:
        return name
    return f"{name} {p.values(op.operands)} : {p.types(x.type for x in op.operands)}"


def _condition(p: Printer, op: Op, depth: int) -> str:
    flag, *values = op.operands
    types = f" {p.values(values)} : {p.types(x.type for x in values)}" if values else ""
    return f"scf.condition({p.value(flag)}){types}"


def _results(p: Printer, op: Op) -> str:
    return f" -> ({p.types(x.type for x in op.results)})" if op.results else ""


def _body(p: Printer, op: Op, at: int, depth: int) -> str:
    """A region of an scf op: its yield is left out where it yields nothing."""
    region = op.regions[at]
    last = region.ops[-1]
    return p.block(region, depth + 1, skip=last if last.name == "scf.yield" and not last.operands else None)


def _if(p: Printer, op: Op, depth: int) -> str:
    indent = "  " * depth
    head = f"scf.if {p.value(op.operands[0])}{_results(p, op)} {{\n"
    return f"{head}{_body(p, op, 0, depth)}{indent}}} else {{\n{_body(p, op, 1, depth)}{indent}}}"


def _for(p: Printer, op: Op, depth: int) -> str:
    first, end, step, *carry = op.operands
    counter, *args = op.regions[0].args
    carried = ""
    if carry:
        pairs = ", ".join(f"{p.value(arg)} = {p.value(x)}" for arg, x in zip(args, carry, strict=True))
        carried = f" iter_args({pairs}){_results(p, op)}"
    head = f"scf.for {p.value(counter)} = {p.value(first)} to {p.value(end)} step {p.value(step)}{carried}  : i32 {{\n"
    return f"{head}{_body(p, op, 0, depth)}{'  ' * depth}}}"


def _while(p: Printer, op: Op, depth: int) -> str:
    indent = "  " * depth
    before, after = op.regions
    pairs = ", ".join(f"{p.value(arg)} = {p.value(x)}" for arg, x in zip(before.args, op.operands, strict=True))
    head = f"scf.while ({pairs}) : ({p.types(x.type for x in op.operands)}) -> ({p.types(x.type for x in op.results)})"
    args = ", ".join(f"{p.value(arg)}: {p.type(arg.type)}" for arg in after.args)
    return (
        f"{head} {{\n{p.block(before, depth + 1)}{indent}}} do {{\n"
        f"{indent}^bb0({args}):\n{_body(p, op, 1, depth)}{indent}}}"
    )


def _all(names: tuple[str, ...], form: Callable[[Printer, Op, int], str]) -> dict[str, Form]:
    return dict.fromkeys(names, form)


FORMS: Forms = {
    **_all(SAME_TYPE_OPS, _same_type),
    **_all(CAST_OPS, _cast),
    **_all(_ARROWS, _arrow),
    **_all(_ALLOCATIONS, _no_operands),
    "arith.constant": _constant,
    "arith.cmpi": _compare,
    "arith.cmpf": _compare,
    "arith.select": _select,
    "vector.extract": _extract,
    "vector.extract_strided_slice": _extract_slice,
    "vector.multi_reduction": _reduction,
    "vector.load": _vector_load,
    "vector.store": _memref_store,
    "memref.load": _memref_load,
    "memref.store": _memref_store,
    "memref.alloca": _alloca,
    "tpu.vector_store": _vector_store,
    "tpu.strided_load": _vector_load,
    "tpu.strided_store": _strided_store,
    "tpu.iota": _no_operands,
    "tpu.iteration_bound": _iteration_bound,
    "tpu.assume_multiple": _assume_multiple,
    "tpu.matmul": _arrow,
    "tpu.pack_elementwise": _arrow,
    "tpu.unpack_elementwise": _unpack,
    "tpu.reduce_index": _arrow,
    "tpu.concatenate": _concatenate,
    "tpu.transpose": _transpose,
    "tpu.dynamic_gather": _dynamic_gather,
    "tpu.dynamic_rotate": _dynamic_rotate,
    "tpu.memref_slice": _memref_slice,
    "tpu.enqueue_dma": _enqueue_dma,
    "tpu.wait_dma2": _wait_dma,
    "tpu.sem_read": _arrow,
    "tpu.sem_signal": _semaphore_change,
    "tpu.sem_wait": _semaphore_change,
    "tpu.log": _log,
    "tpu.log_buffer": _log_buffer,
    "tpu.yield": _terminator,
    "func.return": _terminator,
    "scf.yield": _terminator,
    "scf.condition": _condition,
    "scf.if": _if,
    "scf.for": _for,
    "scf.while": _while,
}
