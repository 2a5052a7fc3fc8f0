"""The first difference between two Mosaic modules, read by jaxlib: ops, wiring, types, attributes, in order.

Names of values don't matter: a value is known by where it is defined.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# What JAX writes besides the kernel, and why it doesn't count.
IGNORED_ATTRIBUTES: dict[str, str] = {
    "stable_mosaic.version": "left on the module by decoding the serialised form",
    "tpu.core_type": "the TensorCore, which is the default",
    "sym_name": "a module may be named after the kernel; the function `main` or after the kernel",
}
# attributes named here are ignored on these ops only
IGNORED_ON = ("builtin.module", "func.func")


def module_difference(ours: str, theirs: str, *, ignore_casts: bool = False) -> str | None:
    """None if both texts are the same module; else where they part, in words. Both have to parse.

    `ignore_casts`: shape casts to the shape that is there already are left out on both sides. JAX adds some where an
    operand was made under a mesh, and they mean nothing.
    """
    from pipeline.oracles.jax_mosaic import parse

    mine, other = parse(ours), parse(theirs)
    if ignore_casts:
        for module in (mine, other):
            _drop_casts(module.operation)
    return next(_op(mine.operation, other.operation, {}, "module"), None)


def _drop_casts(op: Any) -> None:
    for region in op.regions:
        for block in region:
            for inner in list(block):
                _drop_casts(inner.operation)
                operation = inner.operation
                if operation.name == "vector.shape_cast" and operation.operands[0].type == operation.results[0].type:
                    operation.results[0].replace_all_uses_with(operation.operands[0])
                    operation.erase()


Numbers = dict[Any, Any]  # our value to theirs


def _op(ours: Any, theirs: Any, values: Numbers, where: str) -> Iterator[str]:
    if ours.name != theirs.name:
        yield f"{where}: {_line(ours)} here, {_line(theirs)} there"
        return
    where = f"{where} ({ours.name})"
    if len(ours.operands) != len(theirs.operands):
        yield f"{where}: {len(ours.operands)} operands here, {len(theirs.operands)} there"
    for i, (mine, other) in enumerate(zip(ours.operands, theirs.operands, strict=False)):
        if values.get(mine) != other:
            yield f"{where}: operand {i} is another value: {_line(ours)} here, {_line(theirs)} there"
    yield from _attributes(ours, theirs, where)
    yield from _types(ours.results, theirs.results, values, f"{where}: result")
    if len(ours.regions) != len(theirs.regions):
        yield f"{where}: {len(ours.regions)} regions here, {len(theirs.regions)} there"
    for mine, other in zip(ours.regions, theirs.regions, strict=False):
        yield from _region(mine, other, values, where)


def _attributes(ours: Any, theirs: Any, where: str) -> Iterator[str]:
    mine, other = _attribute_texts(ours), _attribute_texts(theirs)
    for name in sorted(set(mine) | set(other)):
        if mine.get(name) != other.get(name):
            yield f"{where}: attribute {name} is {mine.get(name)} here, {other.get(name)} there"


def _attribute_texts(op: Any) -> dict[str, str]:
    symbol = str(op.attributes["sym_name"]) if "sym_name" in op.attributes else ""
    names = dict.fromkeys(op.attributes)
    if op.name in IGNORED_ON:
        # index maps are referred to by name, so theirs does count
        ignored = {name for name in IGNORED_ATTRIBUTES if name != "sym_name" or "transform_" not in symbol}
        names = {name: None for name in names if name not in ignored}
    return {name: str(op.attributes[name]) for name in names}


def _types(ours: Any, theirs: Any, values: Numbers, where: str) -> Iterator[str]:
    if len(ours) != len(theirs):
        yield f"{where}s: {len(ours)} here, {len(theirs)} there"
    for i, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
        values[mine] = other
        if str(mine.type) != str(other.type):
            yield f"{where} {i}: {mine.type} here, {other.type} there"


def _region(ours: Any, theirs: Any, values: Numbers, where: str) -> Iterator[str]:
    blocks, others = list(ours), list(theirs)
    if len(blocks) != len(others):
        yield f"{where}: {len(blocks)} blocks here, {len(others)} there"
    for mine, other in zip(blocks, others, strict=False):
        yield from _types(mine.arguments, other.arguments, values, f"{where}: argument")
        ops, more = list(mine), list(other)
        for i, (op, its) in enumerate(zip(ops, more, strict=False)):
            yield from _op(op.operation, its.operation, values, f"{where} > op {i}")
        if len(ops) != len(more):
            longer, side = (ops, "here") if len(ops) > len(more) else (more, "there")
            first = _line(longer[min(len(ops), len(more))])
            yield f"{where}: {len(ops)} ops here, {len(more)} there; the first one only {side}: {first}"


def _line(op: Any) -> str:
    """The first line of an op's text."""
    return str(op).strip().splitlines()[0]
