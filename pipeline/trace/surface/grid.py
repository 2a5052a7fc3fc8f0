"""Grid queries, hints and debugging output: what `pl` has beside refs and control flow."""

from __future__ import annotations

from pipeline.dtypes import BOOL, DType
from pipeline.ir.jaxpr import Param, Prim
from pipeline.trace.builder import Builder, Tracer, kind_of
from pipeline.trace.surface.common import as_dtype, operand, static_bool, static_int, static_ints
from pipeline.trace.surface.elementwise import jnp_binary
from pipeline.trace.surface.loops import cdiv

_mul = jnp_binary(Prim.MUL)


def _axis(ctx: Builder, axis: object, what: str) -> int:
    grid = ctx.grid if ctx.axes is None else ctx.axes
    if grid is None:
        ctx.fail("T219", f"{what} in an index map", "an index map gets the program ids as its arguments")
    number = static_int(ctx, axis, f"{what}: the axis")
    if not -len(grid) <= number < len(grid):
        ctx.fail("T219", f"{what}: axis {number} is out of range for a grid of {len(grid)} axes")
    return number % len(grid)


def program_id(ctx: Builder, axis: object) -> int | Tracer:
    """`pl.program_id(axis)`: i32[]; in the body of `pltpu.emit_pipeline`, the index that its loop has."""
    number = _axis(ctx, axis, "pl.program_id")
    if ctx.axes is not None:
        return ctx.axes[number][0]
    return ctx.emit1(Prim.PROGRAM_ID, [], {"axis": number})


def num_programs(ctx: Builder, axis: object) -> int | Tracer:
    """`pl.num_programs(axis)`: a Python int where the grid is static along the axis, i32[] where it is not."""
    number = _axis(ctx, axis, "pl.num_programs")
    if ctx.axes is not None:
        return ctx.axes[number][1]
    assert ctx.grid is not None
    size = ctx.grid[number]
    return ctx.emit1(Prim.NUM_PROGRAMS, [], {"axis": number}) if size is None else size


def multiple_of(ctx: Builder, x: object, values: object) -> Tracer:
    """`pl.multiple_of(x, n)`: a promise about x."""
    value = ctx.asarray(x)
    if value.shape or not value.dtype.is_integer:
        ctx.fail("T203", f"pl.multiple_of takes a scalar integer, not {value.aval}")
    divisors = static_ints(ctx, values, "pl.multiple_of: the divisor")
    if any(n < 1 for n in divisors):
        ctx.fail("T202", f"pl.multiple_of: divisors {list(divisors)} have to be positive")
    return ctx.emit1(Prim.MULTIPLE_OF, [value], {"values": divisors})


def align_to(ctx: Builder, a: object, alignment: object) -> object:
    """`pl.align_to`: up to the next multiple."""
    blocks = cdiv(ctx, a, alignment)
    if isinstance(blocks, int) and isinstance(alignment, int):
        return blocks * alignment
    return _mul(ctx, blocks, alignment)


def next_power_of_2(ctx: Builder, x: object) -> int:
    value = static_int(ctx, x, "pl.next_power_of_2")
    if value < 0:
        ctx.fail("T202", f"pl.next_power_of_2 takes a number of 0 or more, not {value}")
    return 1 if value == 0 else 1 << (value - 1).bit_length()


def strides_from_shape(ctx: Builder, shape: object) -> tuple[int, ...]:
    """Row-major strides, in elements."""
    sizes = static_ints(ctx, shape, "pl.strides_from_shape")
    out: list[int] = []
    stride = 1
    for n in reversed(sizes):
        out.append(stride)
        stride *= n
    return tuple(reversed(out))


def reciprocal(ctx: Builder, x: object, *, approx: object = False, full_range: object = True) -> Tracer:
    """`pl.reciprocal`."""
    params: dict[str, Param] = {
        "approx": static_bool(ctx, approx, "pl.reciprocal: approx"),
        "full_range": static_bool(ctx, full_range, "pl.reciprocal: full_range"),
    }
    return ctx.emit1(Prim.RECIPROCAL, [ctx.asarray(x)], params)


def debug_print(ctx: Builder, fmt: object, *args: object) -> None:
    """`pl.debug_print(fmt, *values)`."""
    if not isinstance(fmt, str):
        ctx.fail("T202", f"pl.debug_print takes a format string first, not {kind_of(fmt)}")
    ctx.emit(Prim.DEBUG_PRINT, [ctx.asarray(operand(ctx, arg, "pl.debug_print")) for arg in args], {"fmt": fmt})


def debug_check(ctx: Builder, condition: object, message: object) -> None:
    """`pl.debug_check(condition, message)`: as JAX writes it, with the check's number as its code."""
    if not isinstance(message, str):
        ctx.fail("T202", f"pl.debug_check takes a message second, not {kind_of(message)}")
    wanted = operand(ctx, condition, "pl.debug_check")
    if not isinstance(wanted, Tracer) or wanted.shape or wanted.dtype is not BOOL:
        what = wanted.aval if isinstance(wanted, Tracer) else kind_of(wanted)
        ctx.fail("T203", f"pl.debug_check takes a scalar bool, not {what}", "reduce an array: jnp.all(..)")
    ctx.checks += 1
    failed = ctx.emit1(Prim.OR, [ctx.asarray(False), ctx.emit1(Prim.NOT, [wanted], {})], {})
    code = ctx.emit1(Prim.SELECT_N, [ctx.asarray(False), ctx.asarray(ctx.checks), ctx.asarray(-1)], {})
    ctx.emit(Prim.CHECK, [failed, code], {"debug": True, "message": message})


def roll(ctx: Builder, x: object, shift: object, axis: object, *, stride: object = None,
         stride_axis: object = None) -> Tracer:  # fmt: skip
    """`pltpu.roll`: towards higher positions; with a stride, row k goes k * stride further."""
    value = ctx.asarray(x)
    what = "pltpu.roll"
    if isinstance(shift, int) and shift < 0:
        ctx.fail("T202", f"{what}: shift {shift} is negative", "add the size of the axis to it")
    place = static_int(ctx, axis, f"{what}: the axis")
    if not 0 <= place < value.ndim:
        ctx.fail("T205", f"{what}: axis {place} is out of range for {value.aval}", "axes count from 0 here")
    if (stride is None) != (stride_axis is None):
        ctx.fail("T201", f"{what}: stride and stride_axis go together")
    params: dict[str, Param] = {"axis": place, "stride": None, "stride_axis": None}
    if stride is not None:
        params["stride"] = static_int(ctx, stride, f"{what}: the stride")
        params["stride_axis"] = static_int(ctx, stride_axis, f"{what}: the stride_axis")
    return ctx.emit1(Prim.ROLL, [value, ctx.asarray(shift)], params)


def bitcast(ctx: Builder, x: object, ty: object) -> Tracer:
    """`pltpu.bitcast`: the second-minor axis takes up the ratio of the widths."""
    wanted: DType = as_dtype(ctx, ty, "pltpu.bitcast")
    return ctx.emit1(Prim.BITCAST, [ctx.asarray(x)], {"ty": wanted})
