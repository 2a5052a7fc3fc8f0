"""Equations of scalars as Python text over Python's numbers: integers wrap as their dtype does, bools stay bools.

A function here gives the values of an equation's outputs, or None for one that is left to its NumPy rule. Floats of 32
bits and more stay NumPy's scalars, whose operators need no call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeline.dtypes import BOOL, F32, F64, DType
from pipeline.ir.jaxpr import Eqn, Prim, ShapedArray
from pipeline.simulate.function_text import Value, Write, Writer
from pipeline.simulate.numerics.dtypes import numpy_dtype
from pipeline.simulate.program import Form

Made = list[Value] | None


def result(w: Writer, eqn: Eqn, text: str) -> list[Value]:
    """The equation's value as the number that `text` gives."""
    value = w.value("", eqn.outputs[0].aval)
    value.array, value.number = None, w.let(text)
    return [value]


def scalars(eqn: Eqn) -> bool:
    """Whether an equation's inputs and output are all scalars."""
    avals = [atom.aval for atom in (*eqn.inputs, *eqn.outputs)]
    return all(isinstance(aval, ShapedArray) and not aval.shape for aval in avals)


def integers(eqn: Eqn) -> DType | None:
    """The dtype of an equation whose inputs are integers, of whole bytes, of one dtype."""
    dtypes = {atom.aval.dtype for atom in eqn.inputs}
    (dtype, *more) = dtypes
    return dtype if not more and dtype.is_integer and dtype.bits >= 8 and scalars(eqn) else None


def bounds(dtype: DType) -> tuple[int, int]:
    """Smallest and largest value of an integer dtype."""
    if dtype.is_signed:
        return -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1
    return 0, (1 << dtype.bits) - 1


def mask(dtype: DType) -> int:
    """All bits of the dtype."""
    return (1 << dtype.bits) - 1


def wrapped(w: Writer, eqn: Eqn, text: str, dtype: DType) -> list[Value]:
    """The value of `text`, which may be any integer, as the dtype holds it."""
    if not dtype.is_signed:
        return result(w, eqn, f"({text}) & {mask(dtype)}")
    low, high = bounds(dtype)
    made = result(w, eqn, text)
    name = made[0].number
    w.line(f"if not {low} <= {name} <= {high}: {name} = ({name} + {-low} & {mask(dtype)}) - {-low}")
    return made


NEUTRAL = {"+": "0", "-": "0", "*": "1"}  # what changes nothing: a loop's counter comes with such equations


def arithmetic(operator: str) -> Write:
    """Rule for what may leave the range of its dtype."""

    def write(w: Writer, form: Form, given: list[Value], function: Any) -> Made:
        eqn = form.eqn
        dtype = integers(eqn)
        if dtype is not None:
            for neutral, other in ((0, 1), (1, 0)) if operator != "-" else ((1, 0),):
                if given[neutral].number == NEUTRAL[operator]:
                    return [given[other]]
            return wrapped(w, eqn, f"{w.number(given[0])} {operator} {w.number(given[1])}", dtype)
        return floats(w, eqn, given, operator)

    return write


def floats(w: Writer, eqn: Eqn, given: list[Value], operator: str) -> Made:
    """NumPy's scalars know the operator."""
    dtype = eqn.inputs[0].aval.dtype
    if dtype not in (F32, F64) or not scalars(eqn):
        return None
    return [w.value(w.let(f"{w.array(given[0])} {operator} {w.array(given[1])}"), eqn.outputs[0].aval)]


def plain(text: str, bools: bool = True) -> Write:
    """Rule for what cannot leave the range: `text` with `a` and `b`, each a variable or a number in brackets."""

    def write(w: Writer, form: Form, given: list[Value], function: Any) -> Made:
        eqn = form.eqn
        if not (integers(eqn) or (bools and scalars(eqn) and all(x.aval.dtype is BOOL for x in eqn.inputs))):
            return None
        names = [w.number(value) for value in given]
        return result(w, eqn, text.format(**dict(zip("abc", names, strict=False))))

    return write


def comparison(operator: str) -> Write:
    """Rule for a comparison."""
    compare = plain(f"{{a}} {operator} {{b}}")

    def write(w: Writer, form: Form, given: list[Value], function: Any) -> Made:
        return compare(w, form, given, function) or floats(w, form.eqn, given, operator)

    return write


def write_not(w: Writer, form: Form, given: list[Value], function: Any) -> Made:
    dtype = integers(form.eqn)
    if dtype is None:
        return plain("not {a}")(w, form, given, function)
    return result(w, form.eqn, f"~{w.number(given[0])}" + ("" if dtype.is_signed else f" & {mask(dtype)}"))


def unary(text: str) -> Write:
    """Rule for an integer that may leave its range, as a negated one."""

    def write(w: Writer, form: Form, given: list[Value], function: Any) -> Made:
        dtype = integers(form.eqn)
        if dtype is None:
            return None
        return wrapped(w, form.eqn, text.format(a=w.number(given[0])), dtype)

    return write


def quotient(a: int, b: int) -> int:
    """Rounded toward zero; by zero -1, which is all ones."""
    if b == 0:
        return -1
    return a // b if (a < 0) == (b < 0) else -(-a // b)


def remainder(a: int, b: int) -> int:
    """With the sign of `a`; by zero `a`."""
    if b == 0:
        return a
    return abs(a) % abs(b) * (-1 if a < 0 else 1)


def division(function: Callable[[int, int], int], by_positive: str) -> Write:
    """Rule for div or rem; `by_positive` is its text where the divisor is known."""

    def write(w: Writer, form: Form, given: list[Value], step: Any) -> Made:
        dtype = integers(form.eqn)
        if dtype is None:
            return floats(w, form.eqn, given, "/") if function is quotient else None
        a, b = w.number(given[0]), w.number(given[1])
        if b.isdigit() and int(b) > 0:
            return result(w, form.eqn, by_positive.format(a=a, b=b))
        return wrapped(w, form.eqn, f"{w.know(function)}({a}, {b})", dtype)

    return write


def shift(kind: str) -> Write:
    """Rule for a shift: by the width or more, or by a negative amount, no bit is left but a sign."""

    def write(w: Writer, form: Form, given: list[Value], function: Any) -> Made:
        eqn = form.eqn
        dtype = integers(eqn)
        if dtype is None or (kind == "arithmetic" and not dtype.is_signed):
            return None
        a, b, bits = w.number(given[0]), w.number(given[1]), dtype.bits
        inside = "" if b.isdigit() and int(b) < bits else f" if 0 <= {b} < {bits} else "
        if kind == "arithmetic":
            return result(w, eqn, f"{a} >> {b}{inside}{f'{a} >> {bits - 1}' if inside else ''}")
        moved = f"{a} << {b}" if kind == "left" else f"({a} & {mask(dtype)}) >> {b}"
        return wrapped(w, eqn, f"{moved}{inside}{'0' if inside else ''}", dtype)

    return write


def write_convert(w: Writer, form: Form, given: list[Value], function: Any) -> Made:
    eqn = form.eqn
    source, target = eqn.inputs[0].aval.dtype, eqn.outputs[0].aval.dtype
    if given[0].dtype is None or not scalars(eqn):
        return None
    if source is target:
        return given
    if target is BOOL:
        return result(w, eqn, f"{w.number(given[0])} != 0")
    if target is F32 and source.bits <= 32:  # a double holds it: rounded once
        return [w.value(w.let(f"{w.know(numpy_dtype(F32).type)}({w.number(given[0])})"), eqn.outputs[0].aval)]
    if not target.is_integer or target.bits < 8:
        return None
    if source is BOOL:
        return result(w, eqn, f"+{w.number(given[0])}")
    (low, high), (least, most) = bounds(source), bounds(target)
    if least <= low and high <= most:
        return result(w, eqn, w.number(given[0]))
    return wrapped(w, eqn, w.number(given[0]), target)


def write_select(w: Writer, form: Form, given: list[Value], function: Any) -> Made:
    """One of two whole values."""
    eqn = form.eqn
    which = eqn.inputs[0].aval
    if len(given) != 3 or which.shape or which.dtype is not BOOL:
        return None
    if all(value.dtype is not None for value in given):
        test, no, yes = [w.number(value) for value in given]
        return result(w, eqn, f"{yes} if {test} else {no}")
    test, no, yes = w.number(given[0]), w.array(given[1]), w.array(given[2])
    return [w.value(w.let(f"{yes} if {test} else {no}"), eqn.outputs[0].aval)]


def write_same(w: Writer, form: Form, given: list[Value], function: Any) -> Made:
    return given


def write_program_id(w: Writer, form: Form, given: list[Value], function: Any) -> Made:
    return result(w, form.eqn, f"int(machine.index[{form.eqn.param('axis')}])")


def write_num_programs(w: Writer, form: Form, given: list[Value], function: Any) -> Made:
    axis = form.eqn.param("axis")
    assert isinstance(axis, int)
    return result(w, form.eqn, str(w.machine.grid[axis]))


def write_bits(text: str) -> Write:
    """Rule for a count of bits."""

    def write(w: Writer, form: Form, given: list[Value], function: Any) -> Made:
        dtype = integers(form.eqn)
        if dtype is None:
            return None
        return result(w, form.eqn, text.format(a=f"({w.number(given[0])} & {mask(dtype)})", n=dtype.bits))

    return write


SCALARS: dict[Prim, Write] = {
    Prim.ADD: arithmetic("+"),
    Prim.SUB: arithmetic("-"),
    Prim.MUL: arithmetic("*"),
    Prim.DIV: division(quotient, "{a} // {b} if {a} >= 0 else -(-{a} // {b})"),
    Prim.REM: division(remainder, "{a} % {b} if {a} >= 0 else -(-{a} % {b})"),
    Prim.NEG: unary("-{a}"),
    Prim.ABS: unary("abs({a})"),
    Prim.SIGN: plain("({a} > 0) - ({a} < 0)", bools=False),
    Prim.SQUARE: unary("{a} * {a}"),
    Prim.MAX: plain("{a} if {a} > {b} else {b}"),
    Prim.MIN: plain("{a} if {a} < {b} else {b}"),
    Prim.CLAMP: plain("{c} if {c} < {b} or {c} < {a} else {a} if {a} > {b} else {b}"),
    Prim.AND: plain("{a} & {b}"),
    Prim.OR: plain("{a} | {b}"),
    Prim.XOR: plain("{a} ^ {b}"),
    Prim.NOT: write_not,
    Prim.SHIFT_LEFT: shift("left"),
    Prim.SHIFT_RIGHT_LOGICAL: shift("logical"),
    Prim.SHIFT_RIGHT_ARITHMETIC: shift("arithmetic"),
    Prim.EQ: comparison("=="),
    Prim.NE: comparison("!="),
    Prim.LT: comparison("<"),
    Prim.LE: comparison("<="),
    Prim.GT: comparison(">"),
    Prim.GE: comparison(">="),
    Prim.SELECT_N: write_select,
    Prim.CONVERT_ELEMENT_TYPE: write_convert,
    Prim.POPULATION_COUNT: write_bits("{a}.bit_count()"),
    Prim.CLZ: write_bits("{n} - {a}.bit_length()"),
    Prim.STOP_GRADIENT: write_same,
    Prim.PROGRAM_ID: write_program_id,
    Prim.NUM_PROGRAMS: write_num_programs,
}
