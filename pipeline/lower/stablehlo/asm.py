"""How StableHLO ops are spelled: a table from op name to assembly form, as the dialect's own printer writes them."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.ir.module import Dense, IntArray, Op, Value
from pipeline.ir.module_text import Form, Forms, Printer, attr_text, dense_text

SAME_TYPE_OPS = (
    "abs", "add", "and", "atan2", "cbrt", "ceil", "clamp", "convert", "cosine", "count_leading_zeros", "divide",
    "exponential", "exponential_minus_one", "floor", "log", "log_plus_one", "logistic", "maximum", "minimum",
    "multiply", "negate", "not", "or", "popcnt", "power", "remainder", "round_nearest_afz", "round_nearest_even",
    "rsqrt", "shift_left", "shift_right_arithmetic", "shift_right_logical", "sign", "sine", "sqrt", "subtract", "tan",
    "tanh", "xor",
)  # fmt: skip
_SIGNATURE_OPS = ("bitcast_convert", "is_finite", "reshape")


def _same_type(p: Printer, op: Op, depth: int) -> str:
    types = {value.type for value in (*op.operands, *op.results)}
    shown = p.type(op.results[0].type) if len(types) == 1 else _signature(p, op)
    return f"{op.name} {p.values(op.operands)} : {shown}"


def _signature(p: Printer, op: Op) -> str:
    results = p.types(value.type for value in op.results)
    shown = results if len(op.results) == 1 else f"({results})"
    return f"({p.types(value.type for value in op.operands)}) -> {shown}"


def _with_signature(p: Printer, op: Op, depth: int) -> str:
    return f"{op.name} {p.values(op.operands)} : {_signature(p, op)}"


def _arrow(p: Printer, op: Op, depth: int) -> str:
    shown = p.types(value.type for value in op.operands)
    return f"{op.name} {p.values(op.operands)} : {shown} -> {p.type(op.results[0].type)}"


def _constant(p: Printer, op: Op, depth: int) -> str:
    value = op.attr("value")
    assert isinstance(value, Dense)
    return f"{op.name} {dense_text(value)}"


def _compare(p: Printer, op: Op, depth: int) -> str:
    direction, kind = attr_text(op.attr("comparison_direction")), attr_text(op.attr("compare_type"))
    return f"{op.name} {direction}, {p.values(op.operands)}, {kind} : {_signature(p, op)}"


def _select(p: Printer, op: Op, depth: int) -> str:
    which, case, _ = op.operands
    return f"{op.name} {p.values(op.operands)} : {p.type(which.type)}, {p.type(case.type)}"


def _list(op: Op, name: str) -> str:
    value = op.attr(name)
    assert isinstance(value, IntArray)
    return f"[{', '.join(map(str, value.values))}]"


def _dims(word: str, attr: str, signature: bool) -> Form:
    """`op %x, word = [..] : type`, with the types of operands and result where they differ."""

    def form(p: Printer, op: Op, depth: int) -> str:
        types = _signature(p, op) if signature else p.type(op.results[0].type)
        return f"{op.name} {p.values(op.operands)}, {word} = {_list(op, attr)} : {types}"

    return form


def _slice(p: Printer, op: Op, depth: int) -> str:
    bounds = []
    parts = [op.attr(name) for name in ("starts", "limits", "strides")]
    starts, limits, strides = (part.values for part in parts if isinstance(part, IntArray))
    for start, limit, stride in zip(starts, limits, strides, strict=True):
        bounds.append(f"{start}:{limit}" if stride == 1 else f"{start}:{limit}:{stride}")
    return f"{op.name} {p.value(op.operands[0])} [{', '.join(bounds)}] : {_signature(p, op)}"


def _pad(p: Printer, op: Op, depth: int) -> str:
    shown = ", ".join(f"{name} = {_list(op, name)}" for name in ("low", "high", "interior"))
    return f"{op.name} {p.values(op.operands)}, {shown} : {_signature(p, op)}"


def _iota(p: Printer, op: Op, depth: int) -> str:
    return f"{op.name} dim = {attr_text(op.attr('dim'))} : {p.type(op.results[0].type)}"


def _concatenate(p: Printer, op: Op, depth: int) -> str:
    return f"{op.name} {p.values(op.operands)}, dim = {attr_text(op.attr('dim'))} : {_signature(p, op)}"


def _reduce_precision(p: Printer, op: Op, depth: int) -> str:
    return f"{op.name} {p.values(op.operands)}, format = {attr_text(op.attr('format'))} : {p.type(op.results[0].type)}"


def _dot_general(p: Printer, op: Op, depth: int) -> str:
    parts = []
    for name in ("batching_dims", "contracting_dims"):
        left, right = _list(op, f"lhs_{name}"), _list(op, f"rhs_{name}")
        if left != "[]" or name == "contracting_dims":
            parts.append(f"{name} = {left} x {right}")
    parts.append(f"precision = {attr_text(op.attr('precision'))}")
    return f"{op.name} {p.values(op.operands)}, {', '.join(parts)} : {_signature(p, op)}"


def _reduce(p: Printer, op: Op, depth: int) -> str:
    """`applies` the one op of the reducer, or shows the reducer: pairs of accumulator and element."""
    half = len(op.operands) // 2
    pairs = zip(op.operands[:half], op.operands[half:], strict=True)
    shown = ", ".join(f"({p.value(x)} init: {p.value(start)})" for x, start in pairs)
    across = f"across dimensions = {_list(op, 'dimensions')} : {_signature(p, op)}"
    if not op.regions:
        return f"{op.name}{shown} applies {attr_text(op.attr('reducer'))} {across}"
    (region,) = op.regions
    indent = "  " * depth
    args = " ".join(f"({_arg(p, region.args[i])}, {_arg(p, region.args[half + i])})" for i in range(half))
    return f"{op.name}{shown} {across}\n{indent} reducer{args}  {{\n{p.block(region, depth + 1)}{indent}}}"


def _arg(p: Printer, value: Value) -> str:
    return f"{p.value(value)}: {p.type(value.type)}"


def _while(p: Printer, op: Op, depth: int) -> str:
    indent = "  " * depth
    condition, body = op.regions
    pairs = ", ".join(f"{p.value(arg)} = {p.value(x)}" for arg, x in zip(condition.args, op.operands, strict=True))
    return (
        f"{op.name}({pairs}) : {p.types(value.type for value in op.operands)}\n"
        f"{indent}cond {{\n{p.block(condition, depth + 1)}{indent}}} do {{\n{p.block(body, depth + 1)}{indent}}}"
    )


def _return(p: Printer, op: Op, depth: int) -> str:
    name = op.name.removeprefix("func.")
    return f"{name} {p.values(op.operands)} : {p.types(value.type for value in op.operands)}" if op.operands else name


def _named(names: Sequence[str], form: Form) -> dict[str, Form]:
    return {f"stablehlo.{name}": form for name in names}


FORMS: Forms = {
    **_named(SAME_TYPE_OPS, _same_type),
    **_named(_SIGNATURE_OPS, _with_signature),
    "stablehlo.constant": _constant,
    "stablehlo.compare": _compare,
    "stablehlo.select": _select,
    "stablehlo.broadcast_in_dim": _dims("dims", "dims", True),
    "stablehlo.transpose": _dims("dims", "dims", True),
    "stablehlo.reverse": _dims("dims", "dims", False),
    "stablehlo.dynamic_slice": _dims("sizes", "sizes", True),
    "stablehlo.dynamic_update_slice": _with_signature,
    "stablehlo.slice": _slice,
    "stablehlo.pad": _pad,
    "stablehlo.iota": _iota,
    "stablehlo.concatenate": _concatenate,
    "stablehlo.reduce_precision": _reduce_precision,
    "stablehlo.dot_general": _dot_general,
    "stablehlo.reduce": _reduce,
    "stablehlo.while": _while,
    "stablehlo.return": _return,
    "func.return": _return,
    "chlo.erf": _arrow,
    "chlo.erf_inv": _arrow,
    "chlo.next_after": _arrow,
}
