"""Mosaic lowering rules: primitives that move elements without computing with them."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.ir.jaxpr import Eqn, Prim
from pipeline.ir.module import IntArray, Raw, Type, Value, VectorType
from pipeline.lower.mosaic_tpu.context import (
    LowerContext,
    Operand,
    Rule,
    Rules,
    Unsupported,
    ints,
    out_aval,
    shaped,
)
from pipeline.lower.mosaic_tpu.types import scalar_type, value_type, with_shape


def lower_broadcast_in_dim(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """A shape cast that puts unit dimensions in, then a broadcast that stretches them; each only if it is needed."""
    (x,) = map(ctx.value, operands)
    shape, out = shaped(eqn.inputs[0]).shape, out_aval(eqn).shape
    if shape == out:
        return (x,)
    dimensions = ints(eqn.param("broadcast_dimensions"))
    if dimensions:
        sizes = [1] * len(out)
        for dimension, size in zip(dimensions, shape, strict=True):
            sizes[dimension] = size
        x = ctx.shape_cast(x, tuple(sizes))
        if tuple(sizes) == out:
            return (x,)
    return (ctx.broadcast(x, out),)


def lower_reshape(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    if dict(eqn.params).get("dimensions") is not None:
        raise Unsupported("L102", "reshape with dimensions has no Mosaic form", "transpose first")
    if not shaped(eqn.inputs[0]).shape:
        return (ctx.broadcast(x, out_aval(eqn).shape),)
    if not out_aval(eqn).shape:
        return (ctx.extract_scalar(x),)
    return (ctx.shape_cast(x, out_aval(eqn).shape),)


def lower_squeeze(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    out = out_aval(eqn)
    if out.shape:
        return (ctx.shape_cast(x, out.shape),)
    if max(out.dtype.bits, 8) != 32:
        raise Unsupported(
            "L102", f"a {out.dtype} vector cannot become a scalar: scalars have 32 bits", "convert it to 32 bits first"
        )
    return (ctx.extract_scalar(x),)


def concatenate(ctx: LowerContext, values: Sequence[Value], dimension: int) -> Value:
    shapes = [_vector(value).shape for value in values]
    sizes = list(shapes[0])
    sizes[dimension] = sum(shape[dimension] for shape in shapes)
    type_ = VectorType(tuple(sizes), _vector(values[0]).element)
    return ctx.emit("tpu.concatenate", tuple(values), type_, (("dimension", Raw(str(dimension))),))


def lower_concatenate(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    dimension = eqn.param("dimension")
    assert isinstance(dimension, int)
    return (concatenate(ctx, list(map(ctx.value, operands)), dimension),)


def lower_stack(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Each part with a unit dimension, then a concatenation."""
    axis = eqn.param("axis")
    assert isinstance(axis, int)
    shape = list(shaped(eqn.inputs[0]).shape)
    shape.insert(axis, 1)
    scalar = len(shape) == 1
    parts = [
        ctx.broadcast(x, tuple(shape)) if scalar else ctx.shape_cast(x, tuple(shape)) for x in map(ctx.value, operands)
    ]
    return (parts[0] if len(parts) == 1 else concatenate(ctx, parts, axis),)


def lower_tile(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """A concatenation of copies for each axis that repeats, the first axis first."""
    (x,) = map(ctx.value, operands)
    for axis, count in enumerate(ints(eqn.param("reps"))):
        if count > 1:
            x = concatenate(ctx, [x] * count, axis)
    return (x,)


def lower_split(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value, ...]:
    (x,) = map(ctx.value, operands)
    axis = eqn.param("axis")
    assert isinstance(axis, int)
    starts = [0] * len(shaped(eqn.inputs[0]).shape)
    parts: list[Value] = []
    for out in eqn.outputs:
        shape = shaped(out).shape
        parts.append(extract_slice(ctx, x, tuple(starts), shape))
        starts[axis] += shape[axis]
    return tuple(parts)


def extract_slice(
    ctx: LowerContext, x: Value, starts: tuple[int, ...], sizes: tuple[int, ...], strides: tuple[int, ...] | None = None
) -> Value:
    attrs = (
        ("offsets", starts),
        ("sizes", sizes),
        ("strides", strides if strides is not None else (1,) * len(sizes)),
    )
    shown = tuple((name, Raw(f"[{', '.join(map(str, values))}]")) for name, values in attrs)
    return ctx.emit("vector.extract_strided_slice", (x,), with_shape(x.type, sizes), shown)


def lower_slice(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    starts, limits = ints(eqn.param("start_indices")), ints(eqn.param("limit_indices"))
    strides = eqn.param("strides")
    if strides is not None and any(n != 1 for n in ints(strides)):
        raise Unsupported(
            "L102",
            f"a slice of a value with strides {list(ints(strides))} has no Mosaic form: strides have to be 1",
            "load with strides instead: ref[pl.ds(start, size, stride=n)]",
        )
    sizes = tuple(limit - start for start, limit in zip(starts, limits, strict=True))
    return (extract_slice(ctx, x, starts, sizes),)


def lower_transpose(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    (x,) = map(ctx.value, operands)
    permutation = ints(eqn.param("permutation"))
    attrs = (("permutation", Raw(f"[{', '.join(map(str, permutation))}]")),)
    return (ctx.emit("tpu.transpose", (x,), value_type(out_aval(eqn)), attrs),)


def lower_iota(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Counts along a dimension. Vectors of rank 1 have no iota: a row of a matrix is cast."""
    out = out_aval(eqn)
    dimension = eqn.param("dimension")
    assert isinstance(dimension, int)
    if not out.dtype.is_integer:
        raise Unsupported(
            "L102", f"iota of {out.dtype} has no Mosaic form, only of integers", "count in int32 and convert the result"
        )
    if len(out.shape) == 1:
        row = _iota(ctx, VectorType((1, *out.shape), scalar_type(out.dtype)), 1)
        return (ctx.shape_cast(row, out.shape),)
    return (_iota(ctx, value_type(out), dimension),)


def _iota(ctx: LowerContext, type_: Type, dimension: int) -> Value:
    return ctx.emit("tpu.iota", (), type_, (("dimensions", IntArray((dimension,), "i32")),))


def lower_roll(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    x, shift = map(ctx.value, operands)
    axis, stride, stride_axis = eqn.param("axis"), eqn.param("stride"), eqn.param("stride_axis")
    attrs: list[tuple[str, Raw]] = [("dimension", Raw(str(axis)))]
    if stride is not None:
        attrs.append(("stride", Raw(f"{stride} : si32")))
    if stride_axis is not None:
        attrs.append(("stride_dimension", Raw(f"{stride_axis} : si32")))
    return (ctx.emit("tpu.dynamic_rotate", (x, shift), x.type, tuple(attrs)),)


def lower_pad(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """Concatenations with broadcast padding, low side first, axis by axis."""
    x, padding = map(ctx.value, operands)
    config = eqn.param("padding_config")
    assert isinstance(config, tuple)
    if not shaped(eqn.inputs[0]).shape:
        raise Unsupported("L102", "pad of a scalar has no Mosaic form")
    for axis, entry in enumerate(config):
        low, high, interior = ints(entry)
        if interior > 0 or low < 0 or high < 0:
            raise Unsupported(
                "L102",
                f"padding ({low}, {high}, {interior}) on axis {axis} has no Mosaic form: interior padding and cropping",
                "slice, or concatenate with zeros",
            )
        if low:
            x = concatenate(ctx, [_padding(ctx, x, padding, axis, low), x], axis)
        if high:
            x = concatenate(ctx, [x, _padding(ctx, x, padding, axis, high)], axis)
    return (x,)


def _padding(ctx: LowerContext, x: Value, padding: Value, axis: int, size: int) -> Value:
    shape = list(_vector(x).shape)
    shape[axis] = size
    return ctx.broadcast(padding, tuple(shape))


def lower_gather(ctx: LowerContext, eqn: Eqn, operands: Sequence[Operand]) -> tuple[Value]:
    """`take_along_axis` along one of the two minor dimensions; no other gather has a Mosaic form."""
    x, indices = map(ctx.value, operands)
    source, index, out = shaped(eqn.inputs[0]).shape, shaped(eqn.inputs[1]).shape, out_aval(eqn).shape
    rank = len(out)
    numbers = _fields(eqn)
    collapsed = ints(numbers["collapsed_slice_dims"])
    batching = ints(numbers["operand_batching_dims"])
    if (
        len(source) != rank
        or index != (*out, 1)
        or eqn.param("slice_sizes") != (1,) * rank
        or eqn.param("mode") not in ("FILL_OR_DROP", "PROMISE_IN_BOUNDS")
        or numbers["offset_dims"] != ()
        or collapsed != numbers["start_index_map"]
        or batching != numbers["start_indices_batching_dims"]
        or len(collapsed) != 1
        or len(batching) != rank - 1
    ):
        raise Unsupported(
            "L102",
            "only a gather of one element per index along one axis has a Mosaic form",
            'write it as jnp.take_along_axis(x, indices, axis, mode="promise_in_bounds")',
        )
    (axis,) = collapsed
    if axis < rank - 2:
        raise Unsupported(
            "L102", f"a gather along axis {axis} of rank {rank} has no Mosaic form: only the last two axes", None
        )
    indices = ctx.shape_cast(indices, out)
    attrs = (("dimensions", Raw(f"[{axis}]")),)
    return (ctx.emit("tpu.dynamic_gather", (x, indices), VectorType(out, _vector(x).element), attrs),)


def _fields(eqn: Eqn) -> dict[str, tuple[int, ...]]:
    """A gather's dimension numbers by name."""
    numbers = eqn.param("dimension_numbers")
    assert isinstance(numbers, tuple)
    found: dict[str, tuple[int, ...]] = {}
    for entry in numbers:
        assert isinstance(entry, tuple) and isinstance(entry[0], str)
        found[entry[0]] = ints(entry[1])
    return found


def _vector(value: Value) -> VectorType:
    if not isinstance(value.type, VectorType):
        raise Unsupported("L102", "a scalar cannot be sliced or concatenated", "broadcast it to a vector first")
    return value.type


RULES: Rules = {
    Prim.BROADCAST_IN_DIM: Rule(lower_broadcast_in_dim),
    Prim.RESHAPE: Rule(lower_reshape),
    Prim.SQUEEZE: Rule(lower_squeeze),
    Prim.CONCATENATE: Rule(lower_concatenate),
    Prim.STACK: Rule(lower_stack),
    Prim.TILE: Rule(lower_tile),
    Prim.SPLIT: Rule(lower_split),
    Prim.SLICE: Rule(lower_slice),
    Prim.TRANSPOSE: Rule(lower_transpose),
    Prim.IOTA: Rule(lower_iota),
    Prim.ROLL: Rule(lower_roll),
    Prim.PAD: Rule(lower_pad),
    Prim.GATHER: Rule(lower_gather),
}
