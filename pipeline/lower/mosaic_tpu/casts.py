"""Mosaic lowering rules: changes of dtype."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import BOOL, F32, I32, DType, Kind
from pipeline.ir.jaxpr import Eqn, Literal, Prim, ShapedArray
from pipeline.ir.module import Raw, Value
from pipeline.lower.mosaic_tpu.context import LowerContext, Operand, Rule, Rules, Unsupported, out_aval, shaped
from pipeline.lower.mosaic_tpu.types import value_type


def lower_convert_element_type(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """One op where Mosaic has one, else a chain through 32 bits."""
    (x,) = map(ctx.value, operands)
    return (convert(ctx, x, shaped(eqn.inputs[0]), out_aval(eqn).dtype),)


def convert(ctx: LowerContext, x: Value, aval: ShapedArray, to: DType) -> Value:
    if aval.dtype == to:
        return x
    if to.bits == 64:
        raise Unsupported("L102", f"a conversion to {to} has no Mosaic form: 64-bit types do not exist there")
    name = _one_op(aval.dtype, to)
    if name == "":
        return x
    if name is not None:
        return ctx.emit(name, (x,), value_type(ShapedArray(aval.shape, to)))
    return _through_32_bits(ctx, x, aval, to)


def _one_op(source: DType, to: DType) -> str | None:
    """The single op that converts; "" where the bits stay as they are, None where there is none."""
    match source.kind, to.kind:
        case Kind.FLOAT, Kind.FLOAT:
            if source.bits == to.bits:
                return None
            return "arith.extf" if source.bits < to.bits else "arith.truncf"
        case ((Kind.INT | Kind.UINT), (Kind.INT | Kind.UINT)):
            if source.bits == to.bits:
                return ""
            if source.bits > to.bits:
                return "arith.trunci"
            return "arith.extsi" if source.is_signed else "arith.extui"
        case Kind.FLOAT, Kind.INT:
            return "arith.fptosi"
        case Kind.FLOAT, Kind.UINT:
            return "arith.fptoui"
        case Kind.INT, Kind.FLOAT:
            return "arith.sitofp"
        case Kind.UINT, Kind.FLOAT:
            return "arith.uitofp"
        case Kind.BOOL, (Kind.INT | Kind.UINT):
            return "arith.extui"
        case _:
            return None


def _through_32_bits(ctx: LowerContext, x: Value, aval: ShapedArray, to: DType) -> Value:
    source = aval.dtype
    if source.kind is Kind.BOOL:
        wide = convert(ctx, x, aval, I32)
        if to.is_float and to.bits < 32:
            single = convert(ctx, wide, ShapedArray(aval.shape, I32), F32)
            return convert(ctx, single, ShapedArray(aval.shape, F32), to)
        return convert(ctx, wide, ShapedArray(aval.shape, I32), to)
    if to.kind is Kind.BOOL:
        wide_dtype = source
        if source.bits < 32:
            wide_dtype = F32 if source.is_float else I32
        wide_aval = ShapedArray(aval.shape, wide_dtype)
        wide = convert(ctx, x, aval, wide_dtype)
        zero = ShapedArray((), wide_dtype)
        literal = Literal(0.0 if wide_dtype.is_float else 0, zero)
        return ctx.apply(Prim.NE, ShapedArray(aval.shape, BOOL), (wide, wide_aval), (literal, zero))
    raise Unsupported("L102", f"a conversion from {source} to {to} has no Mosaic form", "go through float32")


def lower_bitcast_convert_type(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Reinterpretation of each element; widths have to agree."""
    (x,) = map(ctx.value, operands)
    aval, out = shaped(eqn.inputs[0]), out_aval(eqn)
    if aval.dtype.bits != out.dtype.bits:
        raise Unsupported(
            "L102",
            f"bitcast_convert_type from {aval.dtype} ({aval.dtype.bits} bits) to {out.dtype} ({out.dtype.bits} bits) "
            "has no Mosaic form: the widths differ",
            "pltpu.bitcast packs and unpacks along the sublanes",
        )
    return (ctx.emit("tpu.bitcast" if aval.shape else "arith.bitcast", (x,), value_type(out)),)


def lower_bitcast(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """`pltpu.bitcast`: the second-minor dimension scales by the ratio of the widths."""
    (x,) = map(ctx.value, operands)
    return (ctx.emit("tpu.bitcast", (x,), value_type(out_aval(eqn))),)


def lower_pack_elementwise(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Narrow elements of several vectors side by side in words."""
    narrow = eqn.param("packed_dtype")
    assert isinstance(narrow, DType)
    parts = tuple(_vector(ctx.value(x), shaped(atom)) for x, atom in zip(operands, eqn.inputs, strict=True))
    return (ctx.emit("tpu.pack_elementwise", parts, value_type(out_aval(eqn)), (("target_type", Raw(narrow.mlir)),)),)


def lower_unpack_elementwise(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """The elements at one place of each word."""
    narrow, index = eqn.param("packed_dtype"), eqn.param("index")
    assert isinstance(narrow, DType) and isinstance(index, int)
    x = _vector(ctx.value(operands[0]), shaped(eqn.inputs[0]))
    attrs = (("index", Raw(str(index))), ("source_type", Raw(narrow.mlir)))
    return (ctx.emit("tpu.unpack_elementwise", (x,), value_type(out_aval(eqn)), attrs),)


def _vector(x: Value, aval: ShapedArray) -> Value:
    if not aval.shape:
        raise Unsupported("L102", f"packing and unpacking of a scalar ({aval}) has no Mosaic form", "shift and mask it")
    return x


RULES: Rules = {
    Prim.CONVERT_ELEMENT_TYPE: Rule(lower_convert_element_type),
    Prim.BITCAST_CONVERT_TYPE: Rule(lower_bitcast_convert_type),
    Prim.BITCAST: Rule(lower_bitcast),
    Prim.PACK_ELEMENTWISE: Rule(lower_pack_elementwise),
    Prim.UNPACK_ELEMENTWISE: Rule(lower_unpack_elementwise),
}
