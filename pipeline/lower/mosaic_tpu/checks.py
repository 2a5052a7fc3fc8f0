"""What types the ops of a Mosaic module take: facts that jaxlib's verifiers hold, as a table for `verify_module`."""

from __future__ import annotations

from math import prod

from pipeline.ir.module import Dense, MemRefType, Op, ScalarType, Type, Value
from pipeline.ir.verify import Check, Checks
from pipeline.lower.mosaic_tpu.asm import CAST_OPS, SAME_TYPE_OPS
from pipeline.lower.mosaic_tpu.types import I1, INDEX

_FLOATS = ("f32", "bf16", "f16", "f8E4M3FN", "f8E5M2", "f8E4M3B11FNUZ")


def _element(type_: Type) -> str:
    return type_.name if isinstance(type_, ScalarType) else type_.element.name


def _shape(type_: Type) -> tuple[int | None, ...]:
    return () if isinstance(type_, ScalarType) else type_.shape


def _width(type_: Type) -> int:
    digits = "".join(c for c in _element(type_).removeprefix("f8").removeprefix("b") if c.isdigit())
    return 8 if _element(type_).startswith("f8") else int(digits or "0")


def _same_type(op: Op) -> str | None:
    types = {value.type for value in (*op.operands, *op.results)}
    if len(types) != 1:
        return f"operands and result of {len(types)} types"
    is_float = _element(op.results[0].type) in _FLOATS
    wants_float = op.name.endswith("f") or (op.dialect == "math" and op.name not in _INTEGER_MATH)
    return None if is_float == wants_float else f"an op for {'floats' if wants_float else 'integers'}"


_INTEGER_MATH = ("math.absi", "math.ctlz", "math.ctpop")


def _cast(op: Op) -> str | None:
    (source,), (result,) = op.operands, op.results
    if op.name == "vector.broadcast":
        return _broadcast(source.type, result.type)
    if op.name == "vector.shape_cast":
        sizes = prod(n or 0 for n in _shape(source.type)), prod(n or 0 for n in _shape(result.type))
        same = _element(source.type) == _element(result.type)
        return None if sizes[0] == sizes[1] and same else f"{sizes[0]} elements to {sizes[1]}, or another dtype"
    if _shape(source.type) != _shape(result.type):
        return "another shape"
    if op.name == "arith.index_cast":
        return None if result.type == INDEX else "casts to index only"
    kinds = _CAST_KINDS.get(op.name)
    if kinds is None:
        return None
    found = (_element(source.type) in _FLOATS, _element(result.type) in _FLOATS)
    if found != kinds[:2]:
        return f"{_element(source.type)} to {_element(result.type)}"
    grows = _width(result.type) - _width(source.type)
    return None if kinds[2] == 0 or grows * kinds[2] > 0 else f"{_element(source.type)} to {_element(result.type)}"


# from a float, to a float, whether the width grows (1), shrinks (-1) or does not matter (0)
_CAST_KINDS: dict[str, tuple[bool, bool, int]] = {
    "arith.extf": (True, True, 1),
    "arith.truncf": (True, True, -1),
    "arith.extsi": (False, False, 1),
    "arith.extui": (False, False, 1),
    "arith.trunci": (False, False, -1),
    "arith.sitofp": (False, True, 0),
    "arith.uitofp": (False, True, 0),
    "arith.fptosi": (True, False, 0),
    "arith.fptoui": (True, False, 0),
}


def _broadcast(source: Type, result: Type) -> str | None:
    small, large = _shape(source), _shape(result)
    fits = len(small) <= len(large) and all(n in (1, m) for n, m in zip(reversed(small), reversed(large), strict=False))
    return None if fits and _element(source) == _element(result) else f"{small} to {large}"


def _constant(op: Op) -> str | None:
    value = op.attr("value")
    return None if isinstance(value, Dense) and value.type == op.results[0].type else "value of another type"


def _compare(op: Op) -> str | None:
    x, y = op.operands
    (result,) = op.results
    if x.type != y.type:
        return "operands of two types"
    if _element(result.type) != I1.name or _shape(result.type) != _shape(x.type):
        return "result is no i1 of the operands' shape"
    return None if (_element(x.type) in _FLOATS) == (op.name == "arith.cmpf") else "operands of the other kind"


def _select(op: Op) -> str | None:
    condition, x, y = op.operands
    if not x.type == y.type == op.results[0].type:
        return "cases and result of several types"
    fits = _element(condition.type) == I1.name and _shape(condition.type) in ((), _shape(x.type))
    return None if fits else f"condition of type {condition.type}"


def _access(ref: Type, indices: tuple[Value, ...], moved: Type) -> str | None:
    if not isinstance(ref, MemRefType):
        return "no memref"
    if len(indices) != len(ref.shape) or any(index.type != INDEX for index in indices):
        return f"{len(indices)} indices into rank {len(ref.shape)}, or some not of type index"
    if _element(ref) != _element(moved):
        return f"{_element(moved)} in a memref of {_element(ref)}"
    return None


def _vector_load(op: Op) -> str | None:
    ref, *indices = op.operands
    return _in_vmem(ref.type) or _access(ref.type, tuple(indices), op.results[0].type)


def _vector_store(op: Op) -> str | None:
    ref, *rest = op.operands
    rank = len(_shape(ref.type))
    return _in_vmem(ref.type) or _access(ref.type, tuple(rest[:rank]), rest[rank].type)


def _in_vmem(ref: Type) -> str | None:
    return None if isinstance(ref, MemRefType) and ref.space == "vmem" else "a vector access outside VMEM"


def _scalar_load(op: Op) -> str | None:
    ref, *indices = op.operands
    return _access(ref.type, tuple(indices), op.results[0].type)


def _scalar_store(op: Op) -> str | None:
    value, ref, *indices = op.operands
    return _access(ref.type, tuple(indices), value.type)


def _reduction(op: Op) -> str | None:
    x, start = op.operands
    if start.type != op.results[0].type:
        return "accumulator and result of two types"
    return None if _element(x.type) == _element(start.type) else "accumulator of another dtype"


def _matmul(op: Op) -> str | None:
    _, _, start = op.operands
    if start.type != op.results[0].type:
        return "accumulator and result of two types"
    return None if _width(start.type) == 32 else f"accumulator of {_width(start.type)} bits"


def _if(op: Op) -> str | None:
    (condition,) = op.operands
    if condition.type != I1:
        return "condition is no i1"
    wanted = tuple(value.type for value in op.results)
    yields = [tuple(value.type for value in region.ops[-1].operands) for region in op.regions]
    return None if all(types == wanted for types in yields) else f"branches yield {yields}, results are {wanted}"


def _for(op: Op) -> str | None:
    carry = tuple(value.type for value in op.operands[3:])
    args = tuple(value.type for value in op.regions[0].args[1:])
    yields = tuple(value.type for value in op.regions[0].ops[-1].operands)
    results = tuple(value.type for value in op.results)
    return None if carry == args == yields == results else "carry, arguments, yields and results differ in type"


def _while(op: Op) -> str | None:
    before, after = op.regions
    flag, *passed = before.ops[-1].operands
    lists = (
        tuple(value.type for value in op.operands),
        tuple(value.type for value in before.args),
        tuple(value.type for value in passed),
        tuple(value.type for value in after.args),
        tuple(value.type for value in after.ops[-1].operands),
        tuple(value.type for value in op.results),
    )
    return None if flag.type == I1 and len(set(lists)) == 1 else "carry, arguments, yields and results differ in type"


def _memref_slice(op: Op) -> str | None:
    ref, *rest = op.operands
    rank = len(_shape(ref.type))
    dynamic = sum(n is None for n in _shape(op.results[0].type))
    return None if len(rest) == rank + dynamic else f"{len(rest)} starts and sizes for rank {rank}"


def _all(names: tuple[str, ...], check: Check) -> dict[str, Check]:
    return dict.fromkeys(names, check)


CHECKS: Checks = {
    **_all(SAME_TYPE_OPS, _same_type),
    **_all(CAST_OPS, _cast),
    "arith.constant": _constant,
    "arith.cmpi": _compare,
    "arith.cmpf": _compare,
    "arith.select": _select,
    "vector.load": _vector_load,
    "tpu.strided_load": _vector_load,
    "tpu.vector_store": _vector_store,
    "tpu.strided_store": _vector_store,
    "memref.load": _scalar_load,
    "memref.store": _scalar_store,
    "vector.multi_reduction": _reduction,
    "tpu.matmul": _matmul,
    "scf.if": _if,
    "scf.for": _for,
    "scf.while": _while,
    "tpu.memref_slice": _memref_slice,
}
