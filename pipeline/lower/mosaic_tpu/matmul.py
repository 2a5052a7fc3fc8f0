"""Mosaic lowering rules: contractions."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import BF16, F8_E4M3B11FNUZ, F8_E4M3FN, F8_E5M2, F32, DType, Kind
from pipeline.ir.jaxpr import Eqn, Prim, ShapedArray
from pipeline.ir.module import Attr, Raw, Value
from pipeline.lower.mosaic_tpu.context import LowerContext, Operand, Rule, Rules, Unsupported, ints, out_aval, shaped
from pipeline.lower.mosaic_tpu.types import array_type, value_type

_FLOATS = (BF16, F32, F8_E5M2, F8_E4M3FN, F8_E4M3B11FNUZ)
_PRECISIONS: dict[str, Attr] = {"HIGHEST": Raw("#tpu.contract_precision<fp32>")}


def lower_dot_general(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """`tpu.matmul` onto zeros; an m x k by 1 x k product that is not all f32 is a multiply and a lane reduction."""
    x, y = map(ctx.value, operands)
    lhs, rhs, out = shaped(eqn.inputs[0]), shaped(eqn.inputs[1]), out_aval(eqn)
    for aval in (lhs, rhs):
        if aval.dtype.kind is Kind.UINT:
            raise Unsupported(
                "L102",
                f"dot_general of {aval.dtype} has no Mosaic form: integers there are signed",
                "convert the operand to a signed dtype first",
            )
    if out.dtype not in _FLOATS and not out.dtype.is_integer:
        raise Unsupported("L102", f"dot_general with a result of {out.dtype} has no Mosaic form")
    if not out.shape:
        raise Unsupported("L102", "dot_general to a scalar has no Mosaic form", "multiply and sum: jnp.sum(x * y)")
    numbers = eqn.param("dimension_numbers")
    assert isinstance(numbers, tuple)
    contract, batch = numbers
    assert isinstance(contract, tuple) and isinstance(batch, tuple)
    lhs_contract, rhs_contract = ints(contract[0]), ints(contract[1])
    lhs_batch, rhs_batch = ints(batch[0]), ints(batch[1])
    if (
        lhs_contract == (1,)
        and rhs_contract == (1,)
        and len(lhs.shape) == len(rhs.shape) == 2
        and rhs.shape[0] == 1
        and (lhs.dtype != F32 or rhs.dtype != F32)
    ):
        return (_times_row(ctx, eqn, x, y),)
    if max(out.dtype.bits, 8) != 32:
        raise Unsupported(
            "L102",
            f"dot_general with a result of {out.dtype} has no Mosaic form: the matrix unit accumulates in 32 bits",
            "ask for preferred_element_type=jnp.float32 and convert the result",
        )
    if len(lhs_contract) != 1 or len(lhs_batch) > 1:
        raise Unsupported(
            "L102",
            f"dot_general over {len(lhs_contract)} dimensions, with {len(lhs_batch)} batch ones, has no Mosaic form: "
            "it contracts one, with one batch dimension at most",
            "reshape so that one dimension is contracted, or loop over the batch",
        )
    lhs_free = tuple(d for d in range(len(lhs.shape)) if d not in lhs_contract and d not in lhs_batch)
    rhs_free = tuple(d for d in range(len(rhs.shape)) if d not in rhs_contract and d not in rhs_batch)
    order = [n for d in (*lhs_batch, *lhs_free) for n in (0, d)] + [n for d in rhs_free for n in (1, d)]
    lists = (lhs_contract, rhs_contract, lhs_free, rhs_free, tuple(order), lhs_batch, rhs_batch)
    shown = ", ".join(f"[{', '.join(map(str, dims))}]" for dims in lists)
    attrs: list[tuple[str, Attr]] = [("dimension_numbers", Raw(f"#tpu.dot_dimension_numbers<{shown}>"))]
    precision = _precision(eqn)
    if precision is not None:
        attrs.append(("precision", precision))
    attrs.append(("transpose_lhs_hint", False))
    zeros = ctx.constant(0.0 if out.dtype.is_float else 0, value_type(out))
    return (ctx.emit("tpu.matmul", (x, y, zeros), value_type(out), tuple(attrs)),)


def _precision(eqn: Eqn) -> Attr:
    """None for the default one."""
    param: object = eqn.param("precision")
    if isinstance(param, tuple):
        if param[0] != param[1]:
            raise Unsupported("L102", f"dot_general with precisions {param[0]} and {param[1]} has no Mosaic form")
        param = param[0]
    if param is None or param == "DEFAULT":
        return None
    if param not in _PRECISIONS:
        raise Unsupported(
            "L102", f"dot_general with precision {param} has no Mosaic form", "DEFAULT and HIGHEST have one"
        )
    return _PRECISIONS[str(param)]


def _times_row(ctx: LowerContext, eqn: Eqn, x: Value, y: Value) -> Value:
    lhs, rhs, out = shaped(eqn.inputs[0]), shaped(eqn.inputs[1]), out_aval(eqn)
    dtype = dict(eqn.params).get("preferred_element_type") or lhs.dtype
    assert isinstance(dtype, DType)
    if lhs.shape != rhs.shape:
        # JAX broadcasts here to the result's dtype, which its own verifier refuses: operands are narrower
        raise Unsupported(
            "L102",
            f"{lhs} times the row {rhs} has no Mosaic form unless both are f32",
            "convert both operands to f32, or multiply and sum: jnp.sum(x * y, axis=1, keepdims=True)",
        )
    for aval in (lhs, rhs):
        if aval.dtype != dtype and dtype != F32:
            raise Unsupported("L102", f"{lhs} times the row {rhs} into {dtype} has no Mosaic form")
    wide = ShapedArray(lhs.shape, dtype)
    if lhs.dtype != dtype:
        x = ctx.emit("arith.extf", (x,), value_type(wide))
    if rhs.dtype != dtype:
        y = ctx.emit("arith.extf", (y,), value_type(wide))
    total = _row_sum(ctx, x, y, wide)
    return ctx.shape_cast(total, out.shape)


def _row_sum(ctx: LowerContext, x: Value, y: Value, aval: ShapedArray) -> Value:
    """Sum over lanes of the product; the accumulator's constant comes before the product."""
    start = ctx.constant(0.0 if aval.dtype.is_float else 0, array_type(aval.shape[:1], aval.dtype))
    product = ctx.emit("arith.mulf" if aval.dtype.is_float else "arith.muli", (x, y), x.type)
    attrs = (("kind", Raw("<add>")), ("reduction_dims", Raw("[1]")))
    return ctx.emit("vector.multi_reduction", (product, start), array_type(aval.shape[:1], aval.dtype), attrs)


RULES: Rules = {Prim.DOT_GENERAL: Rule(lower_dot_general)}
