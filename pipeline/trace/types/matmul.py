"""Abstract rule: dot_general."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.dtypes import DType
from pipeline.errors import Span
from pipeline.ir.jaxpr import Aval, Param, Prim, ShapedArray
from pipeline.trace.types.common import Rule, fail, param_ints, value
from pipeline.trace.types.promotion import common


def type_dot_general(avals: tuple[Aval, ...], params: Mapping[str, Param], span: Span) -> tuple[ShapedArray, ...]:
    """Contraction: the result's axes are batch, then the lhs's free axes, then the rhs's.

    `dimension_numbers` is ((lhs_contract, rhs_contract), (lhs_batch, rhs_batch)).
    """
    left, right = value(avals[0], span), value(avals[1], span)
    numbers = params["dimension_numbers"]
    assert isinstance(numbers, tuple)
    contract, batch = numbers
    assert isinstance(contract, tuple)
    assert isinstance(batch, tuple)
    (left_contract, right_contract), (left_batch, right_batch) = (
        [param_ints(axes) for axes in contract],
        [param_ints(axes) for axes in batch],
    )
    for what, array, axes in (
        ("left", left, (*left_contract, *left_batch)),
        ("right", right, (*right_contract, *right_batch)),
    ):
        for axis in axes:
            if not 0 <= axis < len(array.shape):
                fail("T205", f"dot: axis {axis} is out of range for the {what} operand {array}", span)
        if len(set(axes)) != len(axes):
            fail("T205", f"dot: the {what} operand's axes {list(axes)} name one twice", span)
    if len(left_contract) != len(right_contract) or len(left_batch) != len(right_batch):
        fail("T209", f"dot: {left} and {right} pair different numbers of axes", span)
    for role, pairs in (
        ("contracts", zip(left_contract, right_contract, strict=True)),
        ("batches", zip(left_batch, right_batch, strict=True)),
    ):
        for a, b in pairs:
            if left.shape[a] != right.shape[b]:
                fail(
                    "T209",
                    f"dot {role} axis {a} of {left} with axis {b} of {right}, but {left.shape[a]} is not "
                    f"{right.shape[b]}",
                    span,
                )
    preferred = params["preferred_element_type"]
    if preferred is None:
        both = common(left.dtype, right.dtype)
        if both is None:
            fail("T203", f"dot: {left.dtype.name} and {right.dtype.name} have no common dtype", span,
                 "convert one of them with .astype(...)")  # fmt: skip
        dtype = both
    else:
        assert isinstance(preferred, DType)
        dtype = preferred
        both = common(left.dtype, right.dtype)
        if both is not None and both.is_integer and dtype.bits < both.bits:
            fail("T203", f"dot of {both.name} cannot accumulate in {dtype.name}, which is narrower", span,
                 "leave preferred_element_type out, or give a wider dtype")  # fmt: skip
    shape = (
        *(left.shape[axis] for axis in left_batch),
        *(n for axis, n in enumerate(left.shape) if axis not in left_contract and axis not in left_batch),
        *(n for axis, n in enumerate(right.shape) if axis not in right_contract and axis not in right_batch),
    )
    return (ShapedArray(shape, dtype, left.weak_type and right.weak_type),)


RULES: dict[Prim, Rule] = {Prim.DOT_GENERAL: type_dot_general}
