"""What the surface files share: functions with checked arguments, dtype promotion, conversion, broadcasting.

A value here is a Python scalar (static) or a `Tracer`. Promotion is JAX's lattice: a Python scalar is weakly
typed and yields to any array's dtype of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

from pipeline.dtypes import BOOL, BY_NAME, F32, I32, DType
from pipeline.ir.jaxpr import Literal, Prim, ShapedArray
from pipeline.trace.builder import Builder, RefTracer, Tracer, Typed, kind_of
from pipeline.trace.types.common import convert_scalar, integer_range, round_float
from pipeline.trace.types.promotion import WEAK_FLOAT, WEAK_INT, canonical, join

Scalar = Union[bool, int, float]
Value = Union[bool, int, float, Tracer]
Shape = tuple[int, ...]


class Function:
    """A function of a surface table. Called with the builder first; checks its arguments against the signature."""

    __slots__ = ("fn", "name")

    def __init__(self, name: str, fn: Callable[..., Any]) -> None:
        self.name = name
        self.fn = fn

    def __call__(self, ctx: Builder, *args: object, **kwargs: object) -> Any:
        problem = _binding_problem(self.fn, args, kwargs)
        if problem is not None:
            ctx.fail("T201", f"{self.name}: {problem}")
        return ctx.settle(self.fn(ctx, *args, **kwargs))

    def __repr__(self) -> str:
        return f"<function {self.name}>"


class Bound:
    """A callable that a surface function gives back: a method of a value, a decorator. Needs no builder."""

    __slots__ = ("ctx", "fn", "name", "targets")

    def __init__(self, ctx: Builder, name: str, fn: Callable[..., Any], *targets: object) -> None:
        self.ctx = ctx
        self.name = name
        self.fn = fn
        self.targets = targets

    def __call__(self, *args: object, **kwargs: object) -> Any:
        problem = _binding_problem(self.fn, (*self.targets, *args), kwargs, skip=len(self.targets))
        if problem is not None:
            self.ctx.fail("T201", f"{self.name}: {problem}")
        return self.ctx.settle(self.fn(self.ctx, *self.targets, *args, **kwargs))

    def __repr__(self) -> str:
        return f"<method {self.name}>"


def _binding_problem(
    fn: Callable[..., Any], args: tuple[object, ...], kwargs: dict[str, object], skip: int = 0
) -> str | None:
    """Why `fn(ctx, *args, **kwargs)` would not bind, or None. `skip` leading arguments are not the caller's."""
    code = fn.__code__
    count, kw_count = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames[1:count]
    kw_names = code.co_varnames[count : count + kw_count]
    if len(args) > len(names) and not code.co_flags & 0x04:
        return f"takes at most {len(names) - skip} positional arguments, {len(args) - skip} are given"
    positional = names[: len(args)]
    for name in kwargs:
        if name in positional:
            return f"argument {name!r} is given twice"
        if name not in names and name not in kw_names and not code.co_flags & 0x08:
            known = ", ".join((*names[skip:], *kw_names))
            return f"there is no argument {name!r} (there are: {known})"
    defaults = fn.__defaults__ or ()
    required = names[: len(names) - len(defaults)]
    missing = [name for name in required[len(args) :] if name not in kwargs]
    kw_defaults = fn.__kwdefaults__ or {}
    missing += [name for name in kw_names if name not in kw_defaults and name not in kwargs]
    if missing:
        return (
            f"argument {missing[0]!r} is missing"
            if len(missing) == 1
            else f"arguments {', '.join(missing)} are missing"
        )
    return None


class Namespace:
    """Named values reached as attributes: `lax.Precision`, `jnp.finfo(dtype)`. `attributes.py` gives them out."""

    __slots__ = ("name", "table")

    def __init__(self, name: str, table: Mapping[str, object]) -> None:
        self.name = name
        self.table = table

    def __repr__(self) -> str:
        return f"<{self.name}>"


def functions(prefix: str, **table: Callable[..., Any]) -> dict[str, Function]:
    """A table of functions, each knowing the name it is called by."""
    return {name: Function(f"{prefix}.{name}", fn) for name, fn in table.items()}


# dtypes and promotion


def dtype_of(value: Value) -> tuple[DType, bool]:
    """dtype and weakness of a value."""
    if isinstance(value, Tracer):
        aval = value.aval
        return aval.dtype, aval.weak_type
    if isinstance(value, bool):
        return BOOL, False
    return (I32, True) if isinstance(value, int) else (F32, True)


def result_type(ctx: Builder, values: Sequence[Value], what: str) -> tuple[DType, bool]:
    """dtype and weakness that `values` promote to together."""
    types = [dtype_of(value) for value in values]
    first = types[0][0]
    if len(types) == 1:
        return types[0]
    if all(dtype is BOOL for dtype, _ in types):
        return BOOL, False  # comparisons of weak numbers are weak; their promotion is not
    all_weak = all(weak for _, weak in types)
    if not all_weak and all(dtype is first for dtype, _ in types):
        return first, False
    name: str | None = None
    for dtype, weak in types:
        if dtype.is_semaphore:
            ctx.fail("T220", f"{what}: a semaphore is no number", "use pltpu.semaphore_read")
        one = dtype.name
        if weak and not all_weak and dtype is not BOOL:
            one = WEAK_FLOAT if dtype.is_float else WEAK_INT
        joined = one if name is None else join(name, one)
        if joined is None:
            ctx.fail(
                "T203",
                f"{what}: {name} and {one} have no common dtype to promote to",
                "convert one of them with .astype(...)",
            )
        name = joined
    if name == WEAK_INT:
        return I32, True
    if name == WEAK_FLOAT:
        return F32, True
    assert name is not None
    return canonical(BY_NAME[name]), all_weak and name != "bool"


def inexact(dtype: DType) -> DType:
    """The float dtype in which JAX computes what only floats have: `dtype` itself or f32."""
    return dtype if dtype.is_float else F32


def as_dtype(ctx: Builder, dtype: object, what: str) -> DType:
    """A dtype argument: a dtype, its name, or Python's bool, int, float."""
    if isinstance(dtype, DType):
        return canonical(dtype)
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", getattr(dtype, "__name__", None))
    name = {"int": "int32", "float": "float32"}.get(name, name) if isinstance(name, str) else None
    if isinstance(name, str) and name in BY_NAME and not BY_NAME[name].is_semaphore:
        return canonical(BY_NAME[name])
    ctx.fail("T208", f"{what}: {kind_of(dtype)} is no dtype", "dtypes are written as jnp.float32, jnp.bfloat16, ..")


# values


def operand(ctx: Builder, value: object, what: str) -> Value:
    """`value` as a number or array; a ref or anything else is an error."""
    if isinstance(value, Typed):
        return ctx.asarray(value)
    if isinstance(value, Tracer | bool | int | float):
        return value
    if isinstance(value, tuple | list):
        ctx.fail("T202", f"{what} takes arrays, not {kind_of(value)}", "join arrays with jnp.stack or jnp.concatenate")
    return ctx.asarray(value, what)


def shape_of(value: Value) -> Shape:
    return value.aval.shape if isinstance(value, Tracer) else ()


def literal(value: Scalar, dtype: DType, weak: bool = False) -> Tracer:
    """`value` as a literal of `dtype`: floats rounded, integers wrapped round, as a cast does."""
    if dtype.is_float:
        stored: Scalar = round_float(float(value), dtype)
    elif dtype is BOOL:
        stored = bool(value)
    else:
        low, high = integer_range(dtype)
        if value != value:
            stored = 0
        elif isinstance(value, float):
            stored = int(min(max(value, low), high))
        else:
            stored = (int(value) - low) % (high - low + 1) + low
    return Tracer(Literal(stored, ShapedArray((), dtype, weak)))


def convert(ctx: Builder, value: Value, dtype: DType, weak: bool = False) -> Tracer:
    """`value` as an array of `dtype`; nothing is emitted where it is one already, and literals fold."""
    if not isinstance(value, Tracer):
        if isinstance(value, int) and value.bit_length() > 64:
            ctx.fail("T222", f"an int of {value.bit_length()} bits does not fit {dtype.name}")
        return literal(value, dtype, weak)
    aval = value.aval
    if aval.dtype is dtype and aval.weak_type == weak:
        return value
    number = ctx.known(value)
    if number is not None:
        return literal(number, dtype, weak)
    return ctx.emit1(Prim.CONVERT_ELEMENT_TYPE, [value], {"new_dtype": dtype, "weak_type": weak})


def cast(ctx: Builder, value: Value, dtype: DType) -> Tracer:
    """`value` as an array of `dtype`, asked for by name (`jnp.uint8(x)`): a number has to fit it."""
    if not isinstance(value, Tracer):
        return Tracer(Literal(convert_scalar(value, dtype, ctx.span), ShapedArray((), dtype)))
    return convert(ctx, value, dtype)


def _promotable(ctx: Builder, value: object, what: str) -> Value:
    """An operand; as one, a Python int has to fit i32 whatever it is converted to."""
    checked = operand(ctx, value, what)
    if not isinstance(checked, Tracer):
        ctx.literal(checked)
    return checked


def promote(ctx: Builder, what: str, *values: object) -> list[Tracer]:
    """`values` converted to their common dtype."""
    checked = [_promotable(ctx, value, what) for value in values]
    dtype, weak = result_type(ctx, checked, what)
    return [convert(ctx, value, dtype, weak) for value in checked]


def promote_inexact(ctx: Builder, what: str, *values: object) -> list[Tracer]:
    """`values` converted to their common dtype, or f32 where that is no float."""
    checked = [_promotable(ctx, value, what) for value in values]
    dtype, weak = result_type(ctx, checked, what)
    return [convert(ctx, value, inexact(dtype), weak) for value in checked]


def broadcast_shapes(ctx: Builder, shapes: Sequence[Shape], what: str) -> Shape:
    """NumPy's broadcasting, aligned at the last axis."""
    rank = max(len(shape) for shape in shapes)
    out = [1] * rank
    for shape in shapes:
        for axis, size in enumerate(shape, rank - len(shape)):
            if size == 1:
                continue
            if out[axis] not in (1, size):
                shown = " and ".join(str(list(one)) for one in shapes if one)
                ctx.fail(
                    "T204",
                    f"{what}: shapes {shown} do not broadcast (axis {axis - rank}: {out[axis]} against {size})",
                    "sizes have to be equal or 1, aligned at the last axis",
                )
            out[axis] = size
    return tuple(out)


def broadcast_in_dim(ctx: Builder, value: Tracer, shape: Shape, dims: Sequence[int]) -> Tracer:
    """`value` under `shape`, its axes at `dims`; nothing is emitted where nothing changes."""
    if value.aval.shape == shape:
        return value
    return ctx.emit1(Prim.BROADCAST_IN_DIM, [value], {"shape": shape, "broadcast_dimensions": tuple(dims)})


def broadcast_to(ctx: Builder, value: Tracer, shape: Shape) -> Tracer:
    """`value` broadcast to `shape`, as NumPy aligns it."""
    own = value.aval.shape
    if own == shape:
        return value
    first = len(shape) - len(own)
    if first < 0 or any(n not in (1, m) for n, m in zip(own, shape[first:], strict=True)):
        ctx.fail("T204", f"{value.aval} does not broadcast to shape {list(shape)}")
    return broadcast_in_dim(ctx, value, shape, range(first, len(shape)))


def promote_shapes(ctx: Builder, what: str, *values: Tracer) -> list[Tracer]:
    """Operands of different ranks given the same one by leading axes of 1; scalars stay scalars."""
    shapes = [value.aval.shape for value in values]
    if len({len(shape) for shape in shapes if shape}) < 2:
        if any(shape != shapes[0] for shape in shapes):
            broadcast_shapes(ctx, shapes, what)
        return list(values)
    rank = len(broadcast_shapes(ctx, shapes, what))
    return [
        broadcast_in_dim(ctx, value, (1,) * (rank - len(shape)) + shape, range(rank - len(shape), rank))
        for value, shape in zip(values, shapes, strict=True)
    ]


def promote_args(ctx: Builder, what: str, *values: object) -> list[Tracer]:
    """Common dtype, common rank."""
    return promote_shapes(ctx, what, *promote(ctx, what, *values))


def promote_args_inexact(ctx: Builder, what: str, *values: object) -> list[Tracer]:
    """Common float dtype, common rank."""
    return promote_shapes(ctx, what, *promote_inexact(ctx, what, *values))


# static arguments


def static_int(ctx: Builder, value: object, what: str) -> int:
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Tracer):
        ctx.fail("T215", f"{what} has to be static, but is traced ({value.aval})", "use a Python int")
    ctx.fail("T202", f"{what} is {kind_of(value)}, where an int is needed")


def static_bool(ctx: Builder, value: object, what: str) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, Tracer):
        ctx.fail("T215", f"{what} has to be static, but is traced ({value.aval})", "use True or False")
    ctx.fail("T202", f"{what} is {kind_of(value)}, where True or False is needed")


def static_ints(ctx: Builder, value: object, what: str) -> tuple[int, ...]:
    """An int or a sequence of ints."""
    if isinstance(value, tuple | list):
        return tuple(static_int(ctx, item, what) for item in value)
    return (static_int(ctx, value, what),)


def static_shape(ctx: Builder, value: object, what: str) -> Shape:
    shape = static_ints(ctx, value, f"{what}: the shape")
    if any(n < 0 for n in shape):
        ctx.fail("T204", f"{what}: shape {list(shape)} has a negative size")
    return shape


def axis_of(ctx: Builder, axis: object, rank: int, what: str) -> int:
    """An axis counted from 0; negative ones count from the end."""
    number = static_int(ctx, axis, f"{what}: the axis")
    if not -rank <= number < rank:
        ctx.fail("T205", f"{what}: axis {number} is out of range for rank {rank}")
    return number % rank


def axes_of(ctx: Builder, axis: object, rank: int, what: str) -> tuple[int, ...]:
    """`axis`, None for all of them, as a sorted tuple."""
    if axis is None:
        return tuple(range(rank))
    given = axis if isinstance(axis, tuple | list) else (axis,)
    axes = tuple(axis_of(ctx, one, rank, what) for one in given)
    if len(set(axes)) != len(axes):
        ctx.fail("T205", f"{what}: axes {list(axes)} name one twice")
    return axes


def refuse(ctx: Builder, what: str, **options: object) -> None:
    """Arguments that JAX has and this does not: an error where one is given."""
    for name, value in options.items():
        if value is not None and value is not False and not (isinstance(value, tuple) and not value):
            ctx.fail("T216", f"{what}: the argument {name!r} is not supported here")


def shape_like(ctx: Builder, value: object, what: str) -> tuple[Shape, DType, bool]:
    """Shape, dtype and weakness of an array, a number or a ref."""
    if isinstance(value, RefTracer):
        return value.shape, value.dtype, False
    array = operand(ctx, value, what)
    return shape_of(array), *dtype_of(array)
