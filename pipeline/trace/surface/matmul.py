"""Contractions: `jnp.dot`, `jnp.matmul`, `@`, `jnp.einsum` of two, `lax.dot_general`."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.dtypes import DType
from pipeline.ir.jaxpr import Param, Prim
from pipeline.trace.builder import Builder, Tracer, kind_of
from pipeline.trace.surface.common import (
    as_dtype,
    broadcast_shapes,
    convert,
    operand,
    promote,
    refuse,
    result_type,
    static_ints,
)
from pipeline.trace.surface.shape import expand_dims, ravel, transpose

_PRECISIONS = {"default": "DEFAULT", "high": "HIGH", "highest": "HIGHEST", "fastest": "DEFAULT", "float32": "HIGHEST",
               "bfloat16_3x": "HIGH", "tensorfloat32": "HIGH", "bfloat16": "DEFAULT"}  # fmt: skip
Pairs = tuple[tuple[int, ...], tuple[int, ...]]


class Precision:
    """`lax.Precision.HIGHEST`: a member, by its name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"Precision.{self.name}"


PRECISION = {name: Precision(name) for name in ("DEFAULT", "HIGH", "HIGHEST")}


def _precision(ctx: Builder, given: object) -> Param:
    """None, or the names for the two operands."""
    if given is None:
        return None
    pair = given if isinstance(given, tuple | list) else (given, given)
    if len(pair) != 2:
        ctx.fail("T202", f"precision takes one value or a pair, not {len(pair)}")
    names: list[Param] = []
    for one in pair:
        name = one.name if isinstance(one, Precision) else _PRECISIONS.get(one) if isinstance(one, str) else None
        if name is None:
            ctx.fail("T202", f"{kind_of(one)} is no precision", "use jax.lax.Precision.HIGHEST or None")
        names.append(name)
    return tuple(names)


def emit_dot(ctx: Builder, a: Tracer, b: Tracer, contract: Pairs, batch: Pairs, precision: object,
             preferred: DType | None) -> Tracer:  # fmt: skip
    """One `dot_general`."""
    params: dict[str, Param] = {
        "dimension_numbers": (contract, batch),
        "precision": _precision(ctx, precision),
        "preferred_element_type": preferred,
    }
    return ctx.emit1(Prim.DOT_GENERAL, [a, b], params)


def dot_general(ctx: Builder, lhs: object, rhs: object, dimension_numbers: object, precision: object = None,
                preferred_element_type: object = None, *, out_sharding: object = None) -> Tracer:  # fmt: skip
    """`lax.dot_general`."""
    refuse(ctx, "lax.dot_general", out_sharding=out_sharding)
    numbers = dimension_numbers
    if not (isinstance(numbers, tuple | list) and len(numbers) == 2
            and all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in numbers)):  # fmt: skip
        ctx.fail(
            "T202", "lax.dot_general: dimension_numbers are ((lhs contract, rhs contract), (lhs batch, rhs batch))"
        )
    sides = [tuple(static_ints(ctx, axes, "lax.dot_general: axes") for axes in pair) for pair in numbers]
    a, b = ctx.asarray(lhs), ctx.asarray(rhs)
    contract, batch = (
        (
            tuple(n % a.ndim if -a.ndim <= n < 0 else n for n in left),
            tuple(n % b.ndim if -b.ndim <= n < 0 else n for n in right),
        )
        for left, right in sides
    )
    wanted = None if preferred_element_type is None else as_dtype(ctx, preferred_element_type, "lax.dot_general")
    return emit_dot(ctx, a, b, contract, batch, precision, wanted)


def lax_dot(ctx: Builder, lhs: object, rhs: object, *, dimension_numbers: object = None, precision: object = None,
            preferred_element_type: object = None, out_sharding: object = None) -> Tracer:  # fmt: skip
    """`lax.dot` of vectors or matrices."""
    a, b = ctx.asarray(lhs), ctx.asarray(rhs)
    if dimension_numbers is None:
        if not 1 <= a.ndim <= 2 or not 1 <= b.ndim <= 2:
            ctx.fail("T204", f"lax.dot takes vectors or matrices, not {a.aval} and {b.aval}")
        dimension_numbers = (((a.ndim - 1,), (0,)), ((), ()))
    return dot_general(ctx, a, b, dimension_numbers, precision, preferred_element_type, out_sharding=out_sharding)


def _preferred(ctx: Builder, a: Tracer, b: Tracer, given: object, what: str) -> tuple[DType, bool]:
    """The result's dtype, weakness where nobody has asked for one."""
    if given is not None:
        return as_dtype(ctx, given, what), False
    return result_type(ctx, [a, b], what)


def dot(ctx: Builder, a: object, b: object, *, precision: object = None, preferred_element_type: object = None,
        out_sharding: object = None) -> Tracer:  # fmt: skip
    """`jnp.dot`: the last axis of `a` with the second-last (or only) one of `b`."""
    refuse(ctx, "jnp.dot", out_sharding=out_sharding)
    x, y = (ctx.asarray(operand(ctx, value, "jnp.dot")) for value in (a, b))
    ctx.lift_all(x, y)
    preferred, weak = _preferred(ctx, x, y, preferred_element_type, "jnp.dot")
    contract: Pairs = ((), ()) if x.ndim == 0 or y.ndim == 0 else ((x.ndim - 1,), (max(0, y.ndim - 2),))
    if x.dtype is not y.dtype and preferred_element_type is None and not (x.dtype.is_float and y.dtype.is_float):
        x, y = promote(ctx, "jnp.dot", x, y)
    return convert(ctx, emit_dot(ctx, x, y, contract, ((), ()), precision, preferred), preferred, weak)


def matmul(ctx: Builder, a: object, b: object, *, precision: object = None, preferred_element_type: object = None,
           out_sharding: object = None) -> Tracer:  # fmt: skip
    """`jnp.matmul`, `a @ b`: leading axes are batch axes and broadcast."""
    refuse(ctx, "jnp.matmul", out_sharding=out_sharding)
    x, y = (ctx.asarray(operand(ctx, value, "jnp.matmul")) for value in (a, b))
    ctx.lift_all(x, y)
    for side, value in (("left", x), ("right", y)):
        if value.ndim < 1:
            ctx.fail("T204", f"jnp.matmul: the {side} operand is a scalar", "use *")
    preferred, weak = _preferred(ctx, x, y, preferred_element_type, "jnp.matmul")
    x, y = _operands(ctx, x, y, preferred_element_type)
    x_batch, y_batch = x.shape[:-2], y.shape[:-2]
    batch = broadcast_shapes(ctx, [x_batch, y_batch], "jnp.matmul") if x_batch or y_batch else ()
    if not x_batch or not y_batch:
        # one side has no batch axes: they stay free axes of the other
        out = emit_dot(ctx, x, y, ((x.ndim - 1,), (max(0, y.ndim - 2),)), ((), ()), precision, preferred)
        if y_batch:
            places = list(range(out.ndim))
            rows = 1 if x.ndim == 2 else 0
            order = [*places[rows : rows + len(y_batch)], *places[:rows], *places[rows + len(y_batch) :]]
            out = transpose(ctx, out, tuple(order))
        return convert(ctx, out, preferred, weak)
    if x_batch != y_batch:
        shown = f"{list(x_batch)} and {list(y_batch)}"
        ctx.fail("T216", f"jnp.matmul: batch axes {shown} that differ are not supported here",
                 "broadcast the operands to one shape first")  # fmt: skip
    count = len(batch)
    axes = tuple(range(count))
    out = emit_dot(ctx, x, y, ((x.ndim - 1,), (y.ndim - 2,)), (axes, axes), precision, preferred)
    return convert(ctx, out, preferred, weak)


def _operands(ctx: Builder, x: Tracer, y: Tracer, given: object) -> tuple[Tracer, Tracer]:
    """Floats of two dtypes go into the dot as they are; everything else is promoted first."""
    if x.dtype is not y.dtype and not (x.dtype.is_float and y.dtype.is_float) and given is None:
        x, y = promote(ctx, "jnp.matmul", x, y)
    return x, y


def batch_matmul(ctx: Builder, lhs: object, rhs: object, precision: object = None) -> Tracer:
    """`lax.batch_matmul`: all axes but the last two are batch axes."""
    a, b = ctx.asarray(lhs), ctx.asarray(rhs)
    if a.ndim < 2 or a.ndim != b.ndim:
        ctx.fail("T204", f"lax.batch_matmul takes equal ranks of 2 or more, not {a.aval} and {b.aval}")
    axes = tuple(range(a.ndim - 2))
    return emit_dot(ctx, a, b, ((a.ndim - 1,), (b.ndim - 2,)), (axes, axes), precision, None)


def outer(ctx: Builder, a: object, b: object, out: object = None) -> Tracer:
    """`jnp.outer`: a product of columns and rows."""
    refuse(ctx, "jnp.outer", out=out)
    ctx.lift_all(a, b)
    x, y = promote(ctx, "jnp.outer", a, b)
    return ctx.emit1(Prim.MUL, [expand_dims(ctx, ravel(ctx, x), 1), expand_dims(ctx, ravel(ctx, y), 0)])


def vdot(ctx: Builder, a: object, b: object, *, precision: object = None,
         preferred_element_type: object = None) -> Tracer:  # fmt: skip
    x, y = (ctx.asarray(operand(ctx, value, "jnp.vdot")) for value in (a, b))
    return dot(ctx, ravel(ctx, x), ravel(ctx, y), precision=precision, preferred_element_type=preferred_element_type)


def inner(ctx: Builder, a: object, b: object, *, precision: object = None,
          preferred_element_type: object = None) -> Tracer:  # fmt: skip
    """`jnp.inner`: last axes contracted."""
    x, y = (ctx.asarray(operand(ctx, value, "jnp.inner")) for value in (a, b))
    ctx.lift_all(x, y)
    if x.ndim == 0 or y.ndim == 0:
        return dot(ctx, x, y, precision=precision, preferred_element_type=preferred_element_type)
    preferred, weak = _preferred(ctx, x, y, preferred_element_type, "jnp.inner")
    x, y = _operands(ctx, x, y, preferred_element_type)
    out = emit_dot(ctx, x, y, ((x.ndim - 1,), (y.ndim - 1,)), ((), ()), precision, preferred)
    return convert(ctx, out, preferred, weak)


def einsum(ctx: Builder, subscripts: object, *operands: object, precision: object = None,
           preferred_element_type: object = None, optimize: object = None) -> Tracer:  # fmt: skip
    """`jnp.einsum` of two operands whose letters all stand once in each: batch, contracted, free and summed axes.

    An axis of 1 stretches to its namesake's size.
    """
    refuse(ctx, "jnp.einsum", optimize=optimize)
    if not isinstance(subscripts, str):
        ctx.fail("T202", f"jnp.einsum takes a string first, not {kind_of(subscripts)}")
    text = subscripts.replace(" ", "")
    inputs, arrow, output = text.partition("->")
    terms = inputs.split(",")
    letters = "".join(terms)
    if not arrow or not (letters + output).isalpha() or len(terms) != 2 or len(operands) != 2:
        ctx.fail("T216", f"jnp.einsum({text!r}) is not supported here: two operands and '->', letters only",
                 "use jnp.dot, jnp.matmul or lax.dot_general")  # fmt: skip
    x, y = (ctx.asarray(operand(ctx, value, "jnp.einsum")) for value in operands)
    for term, value in zip(terms, (x, y), strict=True):
        if len(term) != value.ndim:
            ctx.fail("T204", f"jnp.einsum: {term!r} has {len(term)} letters for {value.aval} of rank {value.ndim}")
        if len(set(term)) != len(term):
            ctx.fail("T216", f"jnp.einsum: a letter twice in {term!r} is not supported here")
    left, right = terms
    if len(set(output)) != len(output) or any(name not in letters for name in output):
        ctx.fail("T202", f"jnp.einsum: the output {output!r} does not fit the inputs {inputs!r}")
    with ctx.named(subscripts):
        preferred, weak = _preferred(ctx, x, y, preferred_element_type, "jnp.einsum")
        x, y = _operands(ctx, x, y, preferred_element_type)
        sizes: dict[str, int] = {}
        for name, size in (*zip(left, x.shape, strict=True), *zip(right, y.shape, strict=True)):
            sizes[name] = max(size, sizes.get(name, 1))
        x, left = _without_stretched(ctx, x, left, right, sizes)
        y, right = _without_stretched(ctx, y, right, left, sizes)
        x, left = _without_alone(ctx, x, left, right + output, preferred)
        y, right = _without_alone(ctx, y, right, left + output, preferred)
        return convert(ctx, _einsum(ctx, x, y, left, right, output, precision, preferred), preferred, weak)


def _without_stretched(ctx: Builder, value: Tracer, term: str, other: str, sizes: dict[str, int]) -> tuple[Tracer, str]:
    """`value` without its axes of 1 that the other operand has in another size."""
    axes = tuple(i for i, name in enumerate(term) if name in other and value.shape[i] == 1 and sizes[name] != 1)
    if not axes:
        return value, term
    [squeezed] = ctx.emit(Prim.SQUEEZE, [value], {"dimensions": axes})
    return squeezed, "".join(name for i, name in enumerate(term) if i not in axes)


def _without_alone(ctx: Builder, value: Tracer, term: str, used: str, dtype: DType) -> tuple[Tracer, str]:
    """`value` summed, in `dtype`, over the axes that nothing else names."""
    axes = tuple(i for i, name in enumerate(term) if name not in used)
    if not axes:
        return value, term
    [total] = ctx.emit(Prim.REDUCE_SUM, [convert(ctx, value, dtype)], {"axes": axes})
    return total, "".join(name for i, name in enumerate(term) if i not in axes)


def _einsum(ctx: Builder, x: Tracer, y: Tracer, left: str, right: str, output: str, precision: object,
            preferred: DType) -> Tracer:  # fmt: skip
    contracted = [name for name in left if name in right and name not in output]
    batch = [name for name in left if name in right and name in output]

    def axes(term: str, names: Sequence[str]) -> tuple[int, ...]:
        return tuple(term.index(name) for name in names)

    free = [name for name in left if name not in right], [name for name in right if name not in left]
    names = "".join((*batch, *free[0], *free[1]))
    swapped = "".join((*batch, *free[1], *free[0]))
    if names != output:
        x, y, left, right, names = y, x, right, left, swapped
    contract = axes(left, contracted), axes(right, contracted)
    out = emit_dot(ctx, x, y, contract, (axes(left, batch), axes(right, batch)), precision, preferred)
    return transpose(ctx, out, tuple(names.index(name) for name in output))
