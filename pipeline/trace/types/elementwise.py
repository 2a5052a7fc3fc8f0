"""Abstract rules: elementwise primitives, conversions, select and clamp."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.dtypes import BF16, BOOL, BY_NAME, F32, DType, Kind
from pipeline.errors import Span
from pipeline.ir.jaxpr import Aval, Param, Prim, ShapedArray
from pipeline.trace.types.common import Rule, broadcast, fail, value

# kinds an operand may have: f float, i integer, b bool
_ALLOWED: dict[Prim, str] = {
    **dict.fromkeys(
        (Prim.FLOOR, Prim.CEIL, Prim.ROUND, Prim.EXP, Prim.EXP2, Prim.EXPM1, Prim.LOG, Prim.LOG1P, Prim.SIN, Prim.COS,
         Prim.TAN, Prim.TANH, Prim.LOGISTIC, Prim.ERF, Prim.ERF_INV, Prim.RSQRT, Prim.SQRT, Prim.CBRT,
         Prim.RECIPROCAL, Prim.REDUCE_PRECISION, Prim.ATAN2, Prim.NEXTAFTER, Prim.IS_FINITE), "f"),
    **dict.fromkeys(
        (Prim.NEG, Prim.SIGN, Prim.SQUARE, Prim.ABS, Prim.INTEGER_POW, Prim.ADD, Prim.SUB, Prim.MUL, Prim.DIV,
         Prim.REM, Prim.POW), "fi"),
    **dict.fromkeys((Prim.NOT, Prim.AND, Prim.OR, Prim.XOR), "ib"),
    **dict.fromkeys(
        (Prim.POPULATION_COUNT, Prim.CLZ, Prim.SHIFT_LEFT, Prim.SHIFT_RIGHT_ARITHMETIC, Prim.SHIFT_RIGHT_LOGICAL),
        "i"),
    **dict.fromkeys(
        (Prim.MAX, Prim.MIN, Prim.EQ, Prim.NE, Prim.LT, Prim.LE, Prim.GT, Prim.GE, Prim.CLAMP, Prim.STOP_GRADIENT),
        "fib"),
}  # fmt: skip

_TO_BOOL = frozenset((Prim.EQ, Prim.NE, Prim.LT, Prim.LE, Prim.GT, Prim.GE, Prim.IS_FINITE))
_KIND_LETTER = {Kind.FLOAT: "f", Kind.INT: "i", Kind.UINT: "i", Kind.BOOL: "b", Kind.SEMAPHORE: "s"}
_KIND_WORDS = {"f": "floats", "fi": "floats or integers", "ib": "integers or bools", "i": "integers"}


def check_kind(prim: Prim, dtype: DType, span: Span) -> None:
    """Raise unless `prim` takes operands of `dtype`."""
    allowed = _ALLOWED[prim]
    if _KIND_LETTER[dtype.kind] not in allowed:
        words = _KIND_WORDS.get(allowed, "numbers")
        fail("T203", f"{prim.value} takes {words}, not {dtype.name}", span, "convert the operand with .astype(...)")


def _nary(prim: Prim) -> Rule:
    def type_nary(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
        arrays = [value(aval, span) for aval in avals]
        first = arrays[0].dtype
        check_kind(prim, first, span)
        for array in arrays[1:]:
            # pow with an integer exponent is the one that mixes dtypes
            if array.dtype is not first and not (prim is Prim.POW and array.dtype.is_integer):
                fail(
                    "T203",
                    f"{prim.value} takes operands of one dtype, not {first.name} and {array.dtype.name}",
                    span,
                    "convert one of them with .astype(...)",
                )
        shape = broadcast([array.shape for array in arrays], prim.value, span)
        dtype = BOOL if prim in _TO_BOOL else first
        return (ShapedArray(shape, dtype, all(array.weak_type for array in arrays)),)

    return type_nary


def type_convert(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """convert_element_type: any number to any number."""
    array = value(avals[0], span)
    dtype = params["new_dtype"]
    assert isinstance(dtype, DType)
    return (ShapedArray(array.shape, dtype, bool(params["weak_type"])),)


def type_bitcast_convert(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """bitcast_convert_type: equal widths keep the shape; a narrower dtype adds a last axis, a wider one eats it."""
    array = value(avals[0], span)
    dtype = params["new_dtype"]
    assert isinstance(dtype, DType)
    old, new = array.dtype.bits, dtype.bits
    if old == new:
        return (ShapedArray(array.shape, dtype),)
    if old > new:
        return (ShapedArray((*array.shape, old // new), dtype),)
    if not array.shape or array.shape[-1] != new // old:
        fail("T204", f"a bitcast of {array} to {dtype.name} needs a last axis of {new // old}", span)
    return (ShapedArray(array.shape[:-1], dtype),)


def type_bitcast(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """pltpu.bitcast: the second-minor axis takes up the ratio of the widths."""
    array = value(avals[0], span)
    dtype = params["ty"]
    assert isinstance(dtype, DType)
    if len(array.shape) < 2:
        fail("T204", f"pltpu.bitcast takes rank 2 or more, not {array}", span)
    bits = array.shape[-2] * array.dtype.bits
    if bits % dtype.bits:
        fail(
            "T204", f"pltpu.bitcast: {array.shape[-2]} rows of {array.dtype.name} are no whole {dtype.name} rows", span
        )
    return (ShapedArray((*array.shape[:-2], bits // dtype.bits, array.shape[-1]), dtype),)


def type_pack_elementwise(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """pltpu.pack_elementwise: as many arrays as narrow elements fit into a wide one, the first in the lowest bits."""
    arrays = [value(aval, span) for aval in avals]
    narrow = params["packed_dtype"]
    assert isinstance(narrow, DType)
    wide = arrays[0].dtype if arrays else F32
    if any(array.dtype is not wide or array.shape != arrays[0].shape for array in arrays):
        shown = ", ".join(map(str, arrays))
        fail("T204", f"pltpu.pack_elementwise takes arrays of one shape and dtype, not {shown}", span)
    _check_packing("pltpu.pack_elementwise packs", wide, narrow, span)
    ratio = wide.bits // narrow.bits
    if len(arrays) != ratio:
        fail(
            "T201", f"{ratio} elements of {narrow.name} fit into one of {wide.name}, but {len(arrays)} are packed", span
        )
    return (ShapedArray(arrays[0].shape, BY_NAME[f"uint{wide.bits}"]),)


def type_unpack_elementwise(
    avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span
) -> tuple[ShapedArray, ...]:
    """pltpu.unpack_elementwise: the narrow elements at one place of each wide one, the lowest bits being place 0."""
    array = value(avals[0], span)
    narrow, wide, index = params["packed_dtype"], params["unpacked_dtype"], params["index"]
    assert isinstance(narrow, DType) and isinstance(wide, DType) and isinstance(index, int)
    if not array.dtype.is_integer or array.dtype.bits != wide.bits:
        said = f"pltpu.unpack_elementwise takes integers as wide as {wide.name}, not {array.dtype.name}"
        fail("T203", said, span, "pltpu.bitcast it to an unsigned dtype first")
    _check_packing("pltpu.unpack_elementwise unpacks", wide, narrow, span)
    if not 0 <= index < wide.bits // narrow.bits:
        held = f"{wide.bits // narrow.bits} of {narrow.name} in one of {wide.name}"
        fail("T205", f"pltpu.unpack_elementwise: index {index} is out of range, there are {held}", span)
    return (ShapedArray(array.shape, wide),)


def _check_packing(what: str, wide: DType, narrow: DType, span: Span) -> None:
    floats = wide is F32 and narrow is BF16
    if not floats and not (wide.is_integer and narrow.is_integer and narrow.bits < wide.bits):
        fail("T203", f"{what} bfloat16 with float32, and integers with wider ones, not {narrow.name} with {wide.name}",
             span)  # fmt: skip


def type_select_n(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """select_n: a predicate, scalar or of the cases' shape; the cases have one shape and dtype."""
    which, *cases = [value(aval, span) for aval in avals]
    first = cases[0]
    for case in cases[1:]:
        if case.shape != first.shape:
            fail("T204", f"select takes cases of one shape, not {list(first.shape)} and {list(case.shape)}", span)
        if case.dtype is not first.dtype:
            fail("T203", f"select takes cases of one dtype, not {first.dtype.name} and {case.dtype.name}", span)
    if which.dtype is not BOOL and which.dtype.name != "int32":
        fail("T203", f"select takes a bool or int32 predicate, not {which.dtype.name}", span)
    if which.shape not in ((), first.shape):
        fail("T204", f"select: a predicate of shape {list(which.shape)} for cases of {list(first.shape)}", span)
    return (ShapedArray(first.shape, first.dtype, all(case.weak_type for case in cases)),)


def type_clamp(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """clamp(low, x, high): bounds are scalars or of x's shape, all of one dtype."""
    low, array, high = [value(aval, span) for aval in avals]
    for bound in (low, high):
        if bound.dtype is not array.dtype:
            fail("T203", f"clamp takes one dtype, not {bound.dtype.name} and {array.dtype.name}", span)
        if bound.shape not in ((), array.shape):
            fail("T204", f"clamp: a bound of shape {list(bound.shape)} for {array}", span)
    return (ShapedArray(array.shape, array.dtype, low.weak_type and array.weak_type and high.weak_type),)


RULES: dict[Prim, Rule] = {
    **{prim: _nary(prim) for prim in _ALLOWED if prim is not Prim.CLAMP},
    Prim.CONVERT_ELEMENT_TYPE: type_convert,
    Prim.BITCAST_CONVERT_TYPE: type_bitcast_convert,
    Prim.BITCAST: type_bitcast,
    Prim.PACK_ELEMENTWISE: type_pack_elementwise,
    Prim.UNPACK_ELEMENTWISE: type_unpack_elementwise,
    Prim.SELECT_N: type_select_n,
    Prim.CLAMP: type_clamp,
}
