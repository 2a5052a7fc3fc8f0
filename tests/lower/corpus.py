"""Small Pallas kernels, one idea each, whose Mosaic modules JAX has been asked for. Needs JAX; `record.py` imports it.

`CASES` maps a name to a function of no arguments that returns a JAX function around one `pallas_call`, and its avals.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

S = jax.ShapeDtypeStruct
F32, BF16, F16, I32, U32, I16, I8, U8, U16, BOOL = (
    jnp.float32,
    jnp.bfloat16,
    jnp.float16,
    jnp.int32,
    jnp.uint32,
    jnp.int16,
    jnp.int8,
    jnp.uint8,
    jnp.uint16,
    jnp.bool_,
)
E4, E5 = jnp.float8_e4m3fn, jnp.float8_e5m2
VMEM, SMEM, ANY = pltpu.VMEM, pltpu.SMEM, pl.ANY
DMA, REGULAR = pltpu.SemaphoreType.DMA, pltpu.SemaphoreType.REGULAR
B = pl.BlockSpec
CASES: dict[str, Callable[[], tuple[Any, list[Any]]]] = {}


def s(*shape: int, t: Any = F32) -> Any:
    return S(shape, t)


def call(
    kernel: Any,
    ins: Sequence[Any],
    outs: Any,
    *,
    grid: tuple[int, ...] = (),
    in_specs: Any = None,
    out_specs: Any = None,
    scratch: Sequence[Any] = (),
    semantics: Any = None,
    prefetch: int = 0,
    aliases: dict[int, int] | None = None,
) -> tuple[Any, list[Any]]:
    n = len(ins) - prefetch
    in_specs = in_specs if in_specs is not None else [B()] * n
    out_specs = out_specs if out_specs is not None else (B() if not isinstance(outs, list) else [B()] * len(outs))
    common: dict[str, Any] = dict(
        out_shape=outs,
        name=kernel.__name__ if hasattr(kernel, "__name__") else "kernel",
        compiler_params=pltpu.CompilerParams(dimension_semantics=semantics),
        input_output_aliases=aliases or {},
    )
    if prefetch:
        grid_spec = pltpu.PrefetchScalarGridSpec(
            num_scalar_prefetch=prefetch,
            grid=grid,
            in_specs=in_specs,
            out_specs=out_specs,
            scratch_shapes=list(scratch),
        )
        return pl.pallas_call(kernel, grid_spec=grid_spec, **common), list(ins)
    return (
        pl.pallas_call(
            kernel, grid=grid, in_specs=in_specs, out_specs=out_specs, scratch_shapes=list(scratch), **common
        ),
        list(ins),
    )


def case(*args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    """Registers a kernel under its name: `case(ins, outs, ...)`."""

    def add(kernel: Any) -> Any:
        name = kernel.__name__
        assert name not in CASES, name
        CASES[name] = lambda: call(kernel, *args, **kwargs)
        return kernel

    return add


def unary(name: str, fn: Any, t: Any = F32, out: Any = None, shape: tuple[int, ...] = (8, 128)) -> None:
    def kernel(x, o):
        o[...] = fn(x[...])

    kernel.__name__ = name
    case([S(shape, t)], S(shape, t if out is None else out))(kernel)


def binary(name: str, fn: Any, t: Any = F32, out: Any = None, shape: tuple[int, ...] = (8, 128)) -> None:
    def kernel(x, y, o):
        o[...] = fn(x[...], y[...])

    kernel.__name__ = name
    case([S(shape, t)] * 2, S(shape, t if out is None else out))(kernel)


# --- elementwise -------------------------------------------------------------------------------------------------
for _name, _fn in {
    "exp": jnp.exp,
    "exp2": jnp.exp2,
    "log": jnp.log,
    "log1p": jnp.log1p,
    "sin": jnp.sin,
    "cos": jnp.cos,
    "tan": jnp.tan,
    "tanh": jnp.tanh,
    "logistic": jax.nn.sigmoid,
    "rsqrt": lax.rsqrt,
    "sqrt": jnp.sqrt,
    "square": jnp.square,
    "abs": jnp.abs,
    "neg": lambda x: -x,
    "floor": jnp.floor,
    "ceil": jnp.ceil,
    "round": jnp.round,
    "erf": lax.erf,
    "erf_inv": lax.erf_inv,
    "sign": jnp.sign,
    "pow3": lambda x: x**3,
    "pow7": lambda x: x**7,
    "pow_m2": lambda x: lax.integer_pow(x, -2),
    "lax_round": lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
    "reciprocal": lambda x: pl.reciprocal(x),
    "reciprocal_approx": lambda x: pl.reciprocal(x, approx=True),
    "stop_gradient": lambda x: lax.stop_gradient(x) + 1.0,
    "mul_const": lambda x: x * 0.1,
    "rsub": lambda x: 1 - x,
    "pow_const": lambda x: x**2.5,
    "two_pow": lambda x: lax.pow(jnp.float32(2.0), x),
    "clamp": lambda x: jnp.clip(x, -1.0, 1.0),
    "lax_clamp": lambda x: lax.clamp(-1.0, x, 1.0),
    "silu": jax.nn.silu,
    "gelu_tanh": jax.nn.gelu,
    "relu": jax.nn.relu,
    "softplus": jax.nn.softplus,
    "nan_to_num": jnp.nan_to_num,
    "log_softmax": lambda x: jax.nn.log_softmax(x, axis=-1),
    "where_const": lambda x: jnp.where(x > 0, x, 0.0),
    "inf_const": lambda x: jnp.maximum(x, -jnp.inf),
    "third": lambda x: x * (1 / 3),
    "big": lambda x: x + 1234567.0,
    "tiny": lambda x: x * 1e-10,
}.items():
    unary(f"f32_{_name}", _fn)
for _name, _fn in {
    "exp": jnp.exp,
    "neg": lambda x: -x,
    "sign": jnp.sign,
    "mul_const": lambda x: x * 0.1,
    "logistic": jax.nn.sigmoid,
    "square": jnp.square,
    "tanh": jnp.tanh,
    "pow3": lambda x: x**3,
}.items():
    unary(f"bf16_{_name}", _fn, BF16)
unary("i32_abs", jnp.abs, I32)
unary("i32_neg", lambda x: -x, I32)
unary("i32_sign", jnp.sign, I32)
unary("u32_sign", jnp.sign, U32)
unary("i32_not", lambda x: ~x, I32)
unary("i32_square", jnp.square, I32)
unary("i32_pow3", lambda x: x**3, I32)
unary("i32_popcount", lax.population_count, I32)
unary("i32_clz", lax.clz, I32)
unary("is_finite", jnp.isfinite, F32, BOOL)
unary("is_nan", jnp.isnan, F32, BOOL)
unary("bool_not", jnp.logical_not, BOOL)
unary("floor_divide", lambda x: x // 3, I32)
unary("remainder", lambda x: x % 3, I32)
unary("f32_remainder", lambda x: x % 3.0)
unary("shifts", lambda x: (x << 3) ^ (x >> 2), I32)
unary("u32_shifts", lambda x: (x << jnp.uint32(3)) ^ (x >> jnp.uint32(2)), U32)
for _name, _fn in {
    "add": jnp.add,
    "sub": jnp.subtract,
    "mul": jnp.multiply,
    "div": jnp.divide,
    "max": jnp.maximum,
    "min": jnp.minimum,
    "rem": lax.rem,
    "pow": jnp.power,
    "atan2": jnp.arctan2,
    "nextafter": lax.nextafter,
}.items():
    binary(f"f32_{_name}", _fn)
for _t, _tn in ((I32, "i32"), (U32, "u32")):
    for _name, _fn in {
        "add": jnp.add,
        "sub": jnp.subtract,
        "mul": jnp.multiply,
        "div": lax.div,
        "max": jnp.maximum,
        "min": jnp.minimum,
        "rem": lax.rem,
        "and": jnp.bitwise_and,
        "or": jnp.bitwise_or,
        "xor": jnp.bitwise_xor,
    }.items():
        binary(f"{_tn}_{_name}", _fn, _t)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    binary(f"f32_{_name}", getattr(lax, _name), F32, BOOL)
    binary(f"i32_{_name}", getattr(lax, _name), I32, BOOL)
    binary(f"u32_{_name}", getattr(lax, _name), U32, BOOL)
    binary(f"bool_{_name}", getattr(lax, _name), BOOL, BOOL)
binary("f32_int_pow", lambda x, y: x ** y.astype(I32))
binary("bf16_add", jnp.add, BF16)
binary("bf16_div", jnp.divide, BF16)
binary("logical", lambda x, y: jnp.logical_and(x, y) | jnp.logical_xor(x, y), BOOL)
binary("bf16_lt", lax.lt, BF16, BOOL)


@case([s(8, 128), s(8, 128), s(8, 128, t=BOOL)], s(8, 128))
def select(x, y, c, o):
    o[...] = jnp.where(c[...], x[...], y[...])


@case([s(8, 128), s(8, 128), s(8, 128, t=I32)], s(8, 128))
def select_int(x, y, c, o):
    o[...] = jnp.where(c[...], x[...], y[...])


@case([s(8, 128)], s(8, 128))
def bias_row(x, o):
    o[...] = x[...] + x[0, :]


@case([s(8, 128), s(1, 128), s(8, 1)], s(8, 128))
def broadcasts(x, r, c, o):
    o[...] = x[...] * r[...] + c[...]


# --- casts -------------------------------------------------------------------------------------------------------
_CASTS = [
    (BF16, F32),
    (F32, BF16),
    (F32, F16),
    (F32, I32),
    (I32, F32),
    (I8, I32),
    (I32, I8),
    (U8, I32),
    (U8, F32),
    (I8, F32),
    (I8, BF16),
    (I16, I32),
    (BOOL, F32),
    (BOOL, I32),
    (BOOL, BF16),
    (F32, BOOL),
    (I32, BOOL),
    (I32, U32),
    (U32, I32),
    (F32, U32),
    (U32, F32),
    (F32, E4),
    (E4, F32),
    (E5, BF16),
    (I32, BF16),
    (F32, I8),
    (BF16, I32),
    (BF16, BOOL),
    (I8, BOOL),
    (U16, U32),
    (U8, U32),
    (BOOL, I8),
    (F32, E5),
]
for _a, _b in _CASTS:
    unary(f"cast_{jnp.dtype(_a).name}_{jnp.dtype(_b).name}", lambda x, t=_b: x.astype(t), _a, _b, (32, 128))
unary("bitcast_convert", lambda x: lax.bitcast_convert_type(x, I32), F32, I32)
unary("bitcast", lambda x: pltpu.bitcast(x, I32), F32, I32)


@case([s(16, 128, t=BF16)], s(8, 128, t=I32))
def bitcast_packed(x, o):
    o[...] = pltpu.bitcast(x[...], I32)


@case([s(8, 128), s(8, 128)], s(8, 128, t=U32))
def pack_floats(x, y, o):
    o[...] = pltpu.pack_elementwise([x[...], y[...]], packed_dtype=BF16)


@case([s(8, 128, t=I32), s(8, 128, t=I32)], s(8, 128, t=U32))
def pack_integers(x, y, o):
    o[...] = pltpu.pack_elementwise([x[...], y[...]], packed_dtype=jnp.int16)


def _unpacked(x, index, narrow, wide):
    return pltpu.unpack_elementwise(x, index=index, packed_dtype=narrow, unpacked_dtype=wide)


unary("unpack_floats", lambda x: _unpacked(x, 1, BF16, F32), U32, F32)
unary("unpack_integers", lambda x: _unpacked(x, 5, jnp.int4, I32), U32, I32)
unary("unpack_bytes", lambda x: _unpacked(x, 1, I8, jnp.int16), U16, jnp.int16, (32, 128))


# --- reductions --------------------------------------------------------------------------------------------------
def reduction(name: str, fn: Any, shape: tuple[int, ...], out: tuple[int, ...], t: Any = F32, ot: Any = None) -> None:
    def kernel(x, o):
        o[...] = fn(x[...])

    kernel.__name__ = name
    case([S(shape, t)], S(out, t if ot is None else ot))(kernel)


reduction("sum_lanes", lambda x: jnp.sum(x, axis=1, keepdims=True), (8, 128), (8, 1))
reduction("sum_sublanes", lambda x: jnp.sum(x, axis=0, keepdims=True), (8, 128), (1, 128))
reduction("sum_both", lambda x: jnp.sum(x, axis=(1, 2), keepdims=True), (4, 8, 128), (4, 1, 1))
reduction("sum_lead", lambda x: jnp.sum(x, axis=0), (4, 8, 128), (8, 128))
reduction("sum_1d", lambda x: jnp.sum(x, axis=1), (8, 128), (8,))
reduction("max_lanes", lambda x: jnp.max(x, axis=1, keepdims=True), (8, 128), (8, 1))
reduction("min_lanes", lambda x: jnp.min(x, axis=1, keepdims=True), (8, 128), (8, 1))
reduction("i32_reduce_sum", lambda x: jnp.sum(x, axis=1, keepdims=True), (8, 128), (8, 1), I32)
reduction("i32_reduce_max", lambda x: jnp.max(x, axis=1, keepdims=True), (8, 128), (8, 1), I32)
reduction("i32_reduce_min", lambda x: jnp.min(x, axis=1, keepdims=True), (8, 128), (8, 1), I32)
reduction("bf16_reduce_max", lambda x: jnp.max(x, axis=1, keepdims=True), (16, 128), (16, 1), BF16)
reduction("bf16_sum", lambda x: jnp.sum(x, axis=1, keepdims=True), (16, 128), (16, 1), BF16)
reduction("sum_all", lambda x: jnp.full((8, 128), jnp.sum(x)), (8, 128), (8, 128))
reduction("max_all", lambda x: jnp.full((8, 128), jnp.max(x)), (8, 128), (8, 128))
reduction("min_all", lambda x: jnp.full((8, 128), jnp.min(x)), (8, 128), (8, 128))
reduction("any_lanes", lambda x: jnp.any(x > 0, axis=1, keepdims=True).astype(F32), (8, 128), (8, 1))
reduction("all_lanes", lambda x: jnp.all(x > 0, axis=1, keepdims=True).astype(F32), (8, 128), (8, 1))
reduction("any_all", lambda x: jnp.full((8, 128), jnp.where(jnp.any(x > 0), 1.0, 2.0)), (8, 128), (8, 128))
reduction("all_all", lambda x: jnp.full((8, 128), jnp.where(jnp.all(x > 0), 1.0, 2.0)), (8, 128), (8, 128))
reduction("argmax", lambda x: jnp.argmax(x, axis=1, keepdims=True), (8, 128), (8, 1), F32, I32)
reduction("argmin", lambda x: jnp.argmin(x, axis=0, keepdims=True), (8, 128), (1, 128), F32, I32)
reduction(
    "mean_var",
    lambda x: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5),
    (8, 128),
    (8, 128),
)
reduction("softmax", lambda x: jax.nn.softmax(x, axis=-1), (8, 128), (8, 128))
reduction("logsumexp", lambda x: jax.nn.logsumexp(x, axis=-1, keepdims=True), (8, 128), (8, 1))


# --- shape -------------------------------------------------------------------------------------------------------
reduction("transpose", lambda x: x.T, (8, 128), (128, 8))
reduction("transpose3", lambda x: jnp.transpose(x, (1, 0, 2)), (4, 8, 128), (8, 4, 128))
reduction("reshape_lead", lambda x: x.reshape(2, 4, 128), (8, 128), (2, 4, 128))
reduction("reshape_merge", lambda x: x.reshape(32, 128), (4, 8, 128), (32, 128))
reduction("expand", lambda x: jnp.broadcast_to(x[:, None, :], (8, 4, 128)), (8, 128), (8, 4, 128))
reduction("slice", lambda x: x[2:6, :], (8, 128), (4, 128))
reduction("slice_lane", lambda x: x[:, :128] + x[:, 128:], (8, 256), (8, 128))
reduction("concat", lambda x: jnp.concatenate([x, x * 2, x], axis=0), (8, 128), (24, 128))
reduction("concat_lane", lambda x: jnp.concatenate([x, x], axis=1), (8, 128), (8, 256))
reduction("stack", lambda x: jnp.stack([x, x * 2], axis=0), (8, 128), (2, 8, 128))
reduction("tile", lambda x: jnp.tile(x, (2, 3)), (8, 128), (16, 384))
reduction("repeat", lambda x: jnp.repeat(x, 2, axis=0), (8, 128), (16, 128))
reduction("pltpu_repeat", lambda x: jnp.tile(x, (1, 2)), (8, 128), (8, 256))
reduction("roll", lambda x: pltpu.roll(x, 3, 1), (8, 128), (8, 128))
reduction("roll_stride", lambda x: pltpu.roll(x, 3, 1, stride=1, stride_axis=0), (8, 128), (8, 128))
reduction("pad", lambda x: jnp.pad(x, ((0, 8), (0, 0))), (8, 128), (16, 128))
reduction("pad_const", lambda x: lax.pad(x, jnp.float32(1.5), ((8, 0, 0), (0, 128, 0))), (8, 128), (16, 256))
reduction("squeeze", lambda x: jnp.squeeze(x, 0), (1, 8, 128), (8, 128))
reduction("split", lambda x: functools.reduce(jnp.add, jnp.split(x, 4, axis=0)), (32, 128), (8, 128))
reduction("iota0", lambda x: x + lax.broadcasted_iota(I32, (8, 128), 0), (8, 128), (8, 128), I32)
reduction("iota1", lambda x: x + lax.broadcasted_iota(I32, (8, 128), 1).astype(F32), (8, 128), (8, 128))
reduction("iota_1d", lambda x: x + jnp.arange(128, dtype=I32)[None, :], (8, 128), (8, 128), I32)
reduction("tril", lambda x: jnp.tril(x), (128, 128), (128, 128))
reduction("one_hot", lambda x: jax.nn.one_hot(x[:, 0], 128, dtype=F32), (8, 128), (8, 128), I32, F32)
reduction("scalar_reshape", lambda x: jnp.full((8, 128), x[0, 0]), (8, 128), (8, 128))
reduction("full_const", lambda x: jnp.full((8, 128), 3.5), (8, 128), (8, 128))
reduction("zeros_like", lambda x: jnp.zeros_like(x), (8, 128), (8, 128), BF16)
reduction(
    "take_along",
    lambda x: jnp.take_along_axis(
        x, jnp.broadcast_to(lax.broadcasted_iota(I32, (8, 128), 1), (8, 128)), axis=1, mode="promise_in_bounds"
    ),
    (8, 128),
    (8, 128),
)


# --- contraction -------------------------------------------------------------------------------------------------
def dot(
    name: str,
    dims: Any,
    a: tuple[int, ...],
    b: tuple[int, ...],
    o: tuple[int, ...],
    at: Any,
    bt: Any,
    ot: Any,
    **kw: Any,
) -> None:
    def kernel(x, y, out):
        out[...] = lax.dot_general(x[...], y[...], dims, **kw)

    kernel.__name__ = name
    case([S(a, at), S(b, bt)], S(o, ot))(kernel)


_NN, _NT, _TN = (((1,), (0,)), ((), ())), (((1,), (1,)), ((), ())), (((0,), (0,)), ((), ()))
_SQ = ((128, 128), (128, 128), (128, 128))
dot("dot_nn", _NN, *_SQ, BF16, BF16, F32, preferred_element_type=F32)
dot("dot_nt", _NT, *_SQ, BF16, BF16, F32, preferred_element_type=F32)
dot("dot_tn", _TN, *_SQ, BF16, BF16, F32, preferred_element_type=F32)
dot("dot_f32", _NN, *_SQ, F32, F32, F32)
dot("dot_highest", _NN, *_SQ, F32, F32, F32, precision=lax.Precision.HIGHEST)
dot("dot_default", _NN, *_SQ, F32, F32, F32, precision=lax.Precision.DEFAULT)
dot("dot_bf16_out", _NN, *_SQ, BF16, BF16, BF16)
dot("dot_mixed", _NN, *_SQ, F32, BF16, F32, preferred_element_type=F32)
dot("dot_i8", _NN, *_SQ, I8, I8, I32, preferred_element_type=I32)
dot("dot_f8", _NN, *_SQ, E4, E4, F32, preferred_element_type=F32)
dot(
    "dot_batched",
    (((2,), (1,)), ((0,), (0,))),
    (4, 8, 128),
    (4, 128, 128),
    (4, 8, 128),
    BF16,
    BF16,
    F32,
    preferred_element_type=F32,
)
dot("dot_batched_nt", (((2,), (2,)), ((0,), (0,))), (4, 8, 128), (4, 128, 128), (4, 8, 128), F32, F32, F32)
dot("dot_vector", _NT, (16, 128), (1, 128), (16, 1), BF16, BF16, F32, preferred_element_type=F32)
dot("dot_vector_f32", _NT, (16, 128), (1, 128), (16, 1), F32, F32, F32)
dot("dot_rect", _NN, (16, 256), (256, 128), (16, 128), BF16, BF16, F32, preferred_element_type=F32)


@case([s(128, 128, t=BF16), s(128, 128, t=BF16)], s(128, 128, t=BF16))
def dot_at(x, y, o):
    o[...] = (x[...] @ y[...]).astype(o.dtype)


# --- memory ------------------------------------------------------------------------------------------------------
@case([s(16, 128)], s(8, 128))
def load_slice(x, o):
    o[...] = x[8:16, :]


@case([s(16, 128), s(1, t=I32)], s(8, 128), in_specs=[B(), B(memory_space=SMEM)])
def load_dynamic(x, i, o):
    o[...] = x[pl.ds(i[0], 8), :]


@case([s(16, 128), s(1, t=I32)], s(8, 128), in_specs=[B(), B(memory_space=SMEM)])
def load_multiple_of(x, i, o):
    o[...] = x[pl.ds(pl.multiple_of(i[0] * 8, 8), 8), :]


@case([s(4, 8, 128), s(1, t=I32)], s(8, 128), in_specs=[B(), B(memory_space=SMEM)])
def load_index(x, i, o):
    o[...] = x[i[0]] + x[2]


@case([s(8, 128)], s(16, 128))
def store_slice(x, o):
    o[0:8, :] = x[...]
    o[8:16, :] = x[...] * 2.0


@case([s(8, 128), s(1, t=I32)], s(4, 8, 128), in_specs=[B(), B(memory_space=SMEM)])
def store_index(x, i, o):
    o[i[0]] = x[...]
    o[i[0] + 1, :, :] = x[...]


@case([s(8, 128)], s(8, 128))
def store_row(x, o):
    o[3, :] = x[2, :]


@case([s(16, 128)], s(8, 128))
def load_strided(x, o):
    o[...] = x[pl.ds(0, 8, stride=2), :]


@case([s(8, 128)], s(16, 128))
def store_strided(x, o):
    o[pl.ds(1, 8, stride=2), :] = x[...]


@case([s(8, 128)], s(8, 128))
def add_update(x, o):
    o[...] = x[...]
    o[...] += x[...]


@case([s(8, 128), s(8, 128, t=I32)], s(8, 128))
def masked_store(x, m, o):
    pltpu.store(o, x[...], mask=m[...] > 0)


@case([s(8, 128)], s(8, 128, t=BOOL))
def store_bool(x, o):
    o[...] = x[...] > 0


@case([s(8, 128, t=BOOL)], s(8, 128))
def load_bool(x, o):
    o[...] = jnp.where(x[...], 1.0, 0.0)


@case([s(4, t=I32), s(2, 3)], s(8, 128), in_specs=[B(memory_space=SMEM)] * 2)
def smem_scalars(n, x, o):
    o[...] = jnp.full((8, 128), x[1, 2] * n[3].astype(F32))


@case([s(4, t=I32)], s(4, t=I32), in_specs=[B(memory_space=SMEM)], out_specs=B(memory_space=SMEM))
def smem_store(n, o):
    o[0] = n[1] + 1
    o[1] = n[0] * n[2]
    o[2] = lax.select(n[0] > n[1], n[0], n[1])
    o[3] = 7


@case([s(8, 128)], s(8, 128), scratch=[VMEM((8, 128), F32), SMEM((2,), I32), VMEM((2, 8, 128), BF16)])
def scratch_kinds(x, o, acc, n, buf):
    acc[...] = x[...]
    n[0] = 3
    buf[1] = x[...].astype(BF16)
    acc[0:4, :] = x[4:8, :]
    o[...] = acc[...] + n[0].astype(F32) + buf[1].astype(F32)


@case([s(4, 5)], s(8, 128))
def vmem_scalar(x, o):
    o[...] = jnp.full(o.shape, x[3, 2] + 1.0)


@case([s(32, 128, t=BF16)], s(16, 128, t=U32))
def ref_bitcast(x, o):
    o[...] = x.bitcast(U32)[...]


@case([s(16, 256)], s(2, 8, 256))
def ref_reshape(x, o):
    o[...] = x.reshape(2, 8, 256)[...]


@case([s(4, 8, 128)], s(8, 128))
def ref_at(x, o):
    o[...] = x.at[1].at[0:8, :][...] + x.at[pl.ds(2, 2)][1]


# --- grids and windows -------------------------------------------------------------------------------------------
_ROW = B((8, 128), lambda i: (i, 0))


@case([s(32, 128)], s(32, 128), grid=(4,), in_specs=[_ROW], out_specs=_ROW, semantics=("parallel",))
def grid1(x, o):
    o[...] = x[...] * pl.program_id(0).astype(F32)


@case([], s(16, 384, t=I32), grid=(2, 3), in_specs=[], out_specs=B((8, 128), lambda i, j: (i, j)))
def program_ids(o):
    o[...] = jnp.full(o.shape, pl.program_id(0) * pl.num_programs(1) + pl.program_id(1), I32)


@case([s(32, 128), s(1, 128)], s(32, 128), grid=(4,), in_specs=[_ROW, B((1, 128), lambda i: (0, 0))], out_specs=_ROW)
def constant_window(x, r, o):
    o[...] = x[...] + r[...]


@case(
    [s(32, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[B((8, 128), lambda i: (i, 0), pipeline_mode=pl.Buffered(1))],
    out_specs=B((8, 128), lambda i: (i, 0), pipeline_mode=pl.Buffered(2)),
)
def buffered(x, o):
    o[...] = x[...]


@case(
    [s(4, 16, 128)],
    s(4, 16, 128),
    grid=(4, 2),
    in_specs=[B((None, 8, 128), lambda b, i: (b, i, 0))],
    out_specs=B((None, 8, 128), lambda b, i: (b, i, 0)),
    semantics=("parallel", "arbitrary"),
)
def squeezed(x, o):
    o[...] = x[...] * 2.0
    o[0, :] = x[1, :]


@case(
    [s(4, 2, 8, 128)],
    s(4, 8, 128),
    grid=(4, 2),
    in_specs=[B((None, None, 8, 128), lambda b, i: (b, i, 0, 0))],
    out_specs=B((None, 8, 128), lambda b, i: (b, 0, 0)),
)
def squeezed_middle(x, o):
    o[...] = x[...] * 2.0


@case([s(32, 128)], s(32, 128), grid=(4,), in_specs=[_ROW], out_specs=_ROW)
def output_reads(x, o):
    o[...] = x[...]
    o[0:4, :] = o[4:8, :] + o[pl.ds(pl.program_id(0), 4), :]
    o[1, :] = o[2, :]
    o[...] = o[...] * o.at[0:8][...]


@case(
    [s(4, 16, 128)],
    s(4, 16, 128),
    grid=(4, 2),
    in_specs=[B((None, 8, 128), lambda b, i: (b, i, 0))],
    out_specs=B((None, 8, 128), lambda b, i: (b, i, 0)),
)
def output_reads_squeezed(x, o):
    o[...] = x[...]
    o[...] = o[...] + o[pl.ds(0, 8, stride=1), :]


@case([s(8, 128)], s(8, 128, t=BOOL))
def output_reads_bool(x, o):
    o[...] = x[...] > 0
    o[...] = jnp.logical_not(o[...])


@case([s(16, 128)], s(8, 128), scratch=[VMEM((16, 128), F32), VMEM((16, 128), BOOL), VMEM((2, 16, 128), F32)])
def scratch_slices(x, o, a, b, c):
    a[0:8, :] = x[0:8, :]
    a[pl.ds(0, 8, stride=2), :] = x[0:8, :]
    b[...] = x[...] > 0
    c[1] = x[...]
    c[0, 0:8, :] = x[8:16, :]
    c.at[1][...] = x[...]
    c.at[1, 0:8][...] = x[0:8]
    x[0:8, :] = a[0:8, :]
    x[...] = a[...]
    o[...] = a[8:16, :] + c[0, pl.ds(8, 8), :] + jnp.where(b[0:8, :], 1.0, 0.0)


@case([s(8, 128), s(8, 128, t=I32)], s(8, 128), scratch=[VMEM((8, 128), F32)])
def masked_store_forms(x, m, o, a):
    pltpu.store(a, x[...], mask=m[...] > 0)
    pltpu.store(a, x[...])
    pltpu.store(o, x[...])
    pltpu.store(o.at[0:4], x[0:4, :], mask=m[0:4, :] > 0)
    o[...] += pltpu.load(a) + pltpu.load(o) + pltpu.load(x) + pltpu.load(o.at[0:8])


@case([s(8, 128)], s(2, t=I32), out_specs=B(memory_space=SMEM), scratch=[SMEM((2,), BOOL)])
def smem_bools(x, o, flags):
    flags[0] = jnp.sum(x[...]) > 0.0
    flags[1] = True
    o[0] = flags[0].astype(I32) + o[1]
    o[1] = 5


@case([s(8, 128), s(4, t=I32)], s(8, 128), in_specs=[B(), B(memory_space=SMEM)])
def scalar_arithmetic(x, n, o):
    a, b = n[0], n[1]
    q = a // 3 + b % 5 - lax.rem(a, b) + lax.div(a, b)
    f = jnp.exp(a.astype(F32)) * 2.0 - jnp.sqrt(jnp.abs(b.astype(F32))) + jnp.where(a > b, 1.0, -1.0)
    g = jnp.sign(f) + jnp.maximum(f, 0.0) ** 2 + jax.nn.sigmoid(f) + jnp.clip(f, -1.0, 1.0)
    c = jnp.logical_and(a > 0, jnp.logical_not(b <= 0)) | (a != b)
    o[...] = x[...] * g + q.astype(F32) + c.astype(F32) + lax.bitcast_convert_type(a, F32)


@case([s(8, 128)], s(8, 128))
def messages(x, o):
    pl.debug_print("start")
    pl.debug_print("value {}", 3)
    pl.debug_print("block {}", x[...])
    o[...] = x[...]


@case([s(4, t=I32)], s(8, 128), in_specs=[B(memory_space=SMEM)], grid=(2,), out_specs=B((8, 128), lambda i: (0, 0)))
def branch_of_branches(n, o):
    def inner(k):
        return lax.cond(k > 3, lambda: 1.0, lambda: lax.cond(k > 1, lambda: 2.0, lambda: n[3].astype(F32)))

    o[...] = jnp.full((8, 128), lax.switch(n[2], [lambda: 0.0, lambda: inner(n[0]), lambda: inner(n[1]), lambda: 4.0]))


@case([s(8, 128)], s(8, 128))
def loops_in_loops(x, o):
    def outer(i, a):
        return lax.fori_loop(0, 3, lambda j, b: b + x[...] * (i * 3 + j).astype(F32), a)

    o[...] = lax.fori_loop(0, 4, outer, jnp.zeros((8, 128), F32), unroll=2)


@case([s(8, 128)], s(8, 128))
def loop_of_one(x, o):
    def body(i, a):
        return lax.cond(i == 0, lambda: a * 2.0, lambda: a)

    o[...] = lax.fori_loop(0, 1, body, x[...])


@case([s(8, 128)], s(8, 128))
def unrolled_switch(x, o):
    def body(i, a):
        return lax.switch(i, [lambda: a * 2.0, lambda: a + 1.0, lambda: a - 3.0])

    o[...] = lax.fori_loop(0, 3, body, x[...], unroll=True)


@case(
    [s(2, 8, 128)],
    s(2, 8, 128),
    grid=(2,),
    in_specs=[B((pl.squeezed, 8, 128), lambda i: (i, 0, 0))],
    out_specs=B((pl.squeezed, 8, 128), lambda i: (i, 0, 0)),
)
def custom_derivative(x, o):
    o[...] = jax.nn.relu6(x[...]) + jax.nn.silu(x[...]) + jax.nn.leaky_relu(x[...])


@case(
    [s(16, t=I32), s(64, 128)],
    s(32, 128),
    grid=(2, 2),
    prefetch=1,
    in_specs=[B((8, 128), lambda i, j, t: (t[i * 2 + j] // 2, 0))],
    out_specs=B((8, 128), lambda i, j, t: (i * 2 + j, 0)),
    scratch=[VMEM((8, 128), F32)],
    semantics=("parallel", "arbitrary"),
)
def prefetch_grid2(t, x, o, acc):
    acc[...] = x[...]
    o[...] = acc[...] * t[pl.program_id(1)].astype(F32)


@case(
    [s(32, 128, t=I32), s(32, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[B((8, 128), lambda i: (i, 0), memory_space=SMEM), _ROW],
    out_specs=_ROW,
)
def smem_window(n, x, o):
    o[...] = x[...] * n[0, 1].astype(F32)


@case(
    [s(64, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[B((8, 128), lambda i: (jnp.minimum(i * 2 + 1, 7), 0))],
    out_specs=_ROW,
)
def index_arithmetic(x, o):
    o[...] = x[...]


@case(
    [s(64, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[B((8, 128), lambda i: (jnp.where(i < 2, i // 2, i % 3), 0))],
    out_specs=_ROW,
)
def index_select(x, o):
    o[...] = x[...]


@case(
    [s(64, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[B((pl.Element(8), pl.Element(128)), lambda i: (i * 4, 0))],
    out_specs=_ROW,
)
def element_window(x, o):
    o[...] = x[...]


@case(
    [s(64, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[B((pl.Element(8, (0, 4)), pl.Element(128)), lambda i: (i * 4, 0))],
    out_specs=_ROW,
)
def element_padding(x, o):
    o[...] = x[...]


@case(
    [s(4, t=I32), s(64, 128)],
    s(32, 128),
    grid=(4,),
    prefetch=1,
    in_specs=[B((8, 128), lambda i, t: (t[i], 0))],
    out_specs=B((8, 128), lambda i, t: (i, 0)),
)
def prefetch(t, x, o):
    o[...] = x[...] * t[pl.program_id(0)].astype(F32)


@case(
    [s(8, t=I32), s(4, t=I32), s(64, 128)],
    s(32, 128),
    grid=(4,),
    prefetch=2,
    in_specs=[B((8, 128), lambda i, t, u: (t[u[i] + 1], 0))],
    out_specs=B((8, 128), lambda i, t, u: (i, 0)),
)
def prefetch_chain(t, u, x, o):
    o[...] = x[...]


@case(
    [s(32, 128)],
    s(32, 128),
    grid=(2,),
    in_specs=[B((16, 128), lambda i: (i, 0))],
    out_specs=B((16, 128), lambda i: (i, 0)),
    aliases={0: 0},
)
def aliased(x, o):
    o[...] = x[...] + 1.0


@case([s(1024)], s(1024), grid=(1,), in_specs=[B((1024,), lambda i: (i,))], out_specs=B((1024,), lambda i: (i,)))
def rank1(x, o):
    o[...] = x[...] + 1.0


@case([s(32, 128), s(32, 128)], [s(32, 128), s(32, 128)], grid=(4,), in_specs=[_ROW, _ROW], out_specs=[_ROW, _ROW])
def two_outputs(x, y, a, b):
    a[...] = x[...] + y[...]
    b[...] = x[...] - y[...]


@case(
    [s(32, 128), s(32, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[_ROW, B(memory_space=ANY)],
    out_specs=_ROW,
    scratch=[VMEM((8, 128), F32), DMA],
)
def any_operand(x, h, o, buf, sem):
    copy = pltpu.make_async_copy(h.at[pl.ds(pl.program_id(0) * 8, 8), :], buf, sem)
    copy.start()
    copy.wait()
    o[...] = x[...] + buf[...]


# --- control -----------------------------------------------------------------------------------------------------
@case(
    [s(128, 256, t=BF16), s(256, 128, t=BF16)],
    s(128, 128, t=BF16),
    grid=(1, 1, 2),
    in_specs=[B((128, 128), lambda i, j, k: (i, k)), B((128, 128), lambda i, j, k: (k, j))],
    out_specs=B((128, 128), lambda i, j, k: (i, j)),
    scratch=[VMEM((128, 128), F32)],
    semantics=("parallel", "parallel", "arbitrary"),
)
def matmul(x, y, o, acc):
    @pl.when(pl.program_id(2) == 0)
    def _():
        acc[...] = jnp.zeros_like(acc)

    acc[...] += jnp.dot(x[...], y[...], preferred_element_type=F32)

    @pl.when(pl.program_id(2) == pl.num_programs(2) - 1)
    def _():
        o[...] = acc[...].astype(o.dtype)


@case([s(8, 128), s(2, t=I32)], s(8, 128), in_specs=[B(), B(memory_space=SMEM)])
def cond_value(x, n, o):
    o[...] = lax.cond(n[0] > n[1], lambda a: a * 2.0, lambda a: a + 1.0, x[...])


@case([s(8, 128), s(2, t=I32)], s(8, 128), in_specs=[B(), B(memory_space=SMEM)])
def cond_literals(x, n, o):
    o[...] = x[...] * lax.cond(n[0] > n[1], lambda: 2.0, lambda: 1.0)


@case([s(8, 128), s(2, t=I32)], s(8, 128), in_specs=[B(), B(memory_space=SMEM)])
def switch(x, n, o):
    o[...] = lax.switch(n[0], [lambda a: a, lambda a: a * 2.0, lambda a: a * 3.0], x[...])


@case([s(8, 128), s(2, t=I32)], s(8, 128), in_specs=[B(), B(memory_space=SMEM)])
def when_else(x, n, o):
    @pl.when(n[0] > 0)
    def _():
        o[...] = x[...]

    @pl.when(jnp.logical_not(n[0] > 0))
    def _():
        o[...] = jnp.zeros_like(x)


@case([s(64, 128)], s(8, 128))
def fori_static(x, o):
    o[...] = lax.fori_loop(0, 8, lambda i, a: a + x[pl.ds(i * 8, 8), :], jnp.zeros((8, 128), F32))


@case([s(64, 128)], s(8, 128))
def fori_from(x, o):
    o[...] = lax.fori_loop(2, 8, lambda i, a: a + x[pl.ds(i * 8, 8), :], jnp.zeros((8, 128), F32))


@case([s(64, 128)], s(8, 128))
def fori_unroll(x, o):
    o[...] = lax.fori_loop(0, 8, lambda i, a: a + x[pl.ds(i * 8, 8), :], jnp.zeros((8, 128), F32), unroll=2)


@case([s(56, 128)], s(8, 128))
def fori_unroll_rest(x, o):
    o[...] = lax.fori_loop(0, 7, lambda i, a: a + x[pl.ds(i * 8, 8), :], jnp.zeros((8, 128), F32), unroll=2)


@case([s(64, 128)], s(8, 128))
def fori_full(x, o):
    o[...] = lax.fori_loop(0, 4, lambda i, a: a + x[pl.ds(i * 8, 8), :], jnp.zeros((8, 128), F32), unroll=True)


@case([s(64, 128), s(1, t=I32)], s(8, 128), in_specs=[B(), B(memory_space=SMEM)])
def fori_dynamic(x, n, o):
    o[...] = lax.fori_loop(0, n[0], lambda i, a: a + x[pl.ds(pl.multiple_of(i * 8, 8), 8), :], jnp.zeros((8, 128), F32))


@case([s(64, 128)], s(64, 128))
def fori_store(x, o):
    def body(i, _):
        o[pl.ds(i * 8, 8), :] = x[pl.ds(i * 8, 8), :] * 2.0
        return 0

    lax.fori_loop(0, 8, body, 0)


@case([s(8, 128)], s(8, 128))
def fori_no_index(x, o):
    o[...] = lax.fori_loop(0, 8, lambda i, a: a * 2.0, x[...])


@case([s(8, 128)], s(8, 128))
def fori_two(x, o):
    a, b = lax.fori_loop(0, 8, lambda i, c: (c[0] + c[1], c[1] * 2.0), (x[...], x[...] * 2.0))
    o[...] = a + b


@case([s(8, 128)], s(8, 128))
def scan_plain(x, o):
    o[...] = lax.scan(lambda c, _: (c * 2.0, None), x[...], None, length=4)[0]


@case([s(8, 128), s(1, t=I32)], s(8, 128), in_specs=[B(), B(memory_space=SMEM)])
def while_loop(x, n, o):
    def body(c):
        i, a = c
        return i * 2, a + 1.0

    _, a = lax.while_loop(lambda c: c[0] < 100, body, (n[0], x[...]))
    o[...] = a


@case([s(8, 128), s(1, t=I32)], s(8, 128), in_specs=[B(), B(memory_space=SMEM)])
def while_consts(x, n, o):
    limit = n[0] + 1
    o[...] = lax.while_loop(lambda c: c[0] < limit, lambda c: (c[0] + 2, c[1] + x[...]), (0, x[...]))[1]


@case(
    [s(8, 128)], s(8, 128), grid=(2,), in_specs=[B((8, 128), lambda i: (0, 0))], out_specs=B((8, 128), lambda i: (0, 0))
)
def nested_when(x, o):
    @pl.when(pl.program_id(0) == 0)
    def _():
        o[...] = x[...]

        @pl.when(pl.num_programs(0) > 1)
        def _():
            o[...] = x[...] * 2.0


@case([s(8, 128)], s(8, 128))
def run_scoped(x, o):
    def body(acc, n):
        acc[...] = x[...]
        n[0] = 2
        o[...] = acc[...] * n[0].astype(F32)

    pl.run_scoped(body, VMEM((8, 128), F32), SMEM((1,), I32))


@case([s(8, 128)], s(8, 128))
def run_scoped_value(x, o):
    def body(acc):
        acc[...] = x[...]
        return acc[...] * 2.0

    o[...] = pl.run_scoped(body, VMEM((8, 128), F32))


# --- async copies ------------------------------------------------------------------------------------------------
@case(
    [s(64, 128)],
    s(64, 128),
    in_specs=[B(memory_space=ANY)],
    out_specs=B(memory_space=ANY),
    scratch=[VMEM((2, 8, 128), F32), DMA((2,)), DMA((2,))],
)
def copy_buffered(x, o, buf, ins, outs):
    n = x.shape[0] // 8

    def get(i, slot):
        return pltpu.make_async_copy(x.at[pl.ds(i * 8, 8)], buf.at[slot], ins.at[slot])

    def put(i, slot):
        return pltpu.make_async_copy(buf.at[slot], o.at[pl.ds(i * 8, 8)], outs.at[slot])

    get(0, 0).start()

    def body(i, _):
        slot = i % 2

        @pl.when(i + 1 < n)
        def _():
            @pl.when(i >= 1)
            def _():
                put(i - 1, 1 - slot).wait()

            get(i + 1, 1 - slot).start()

        get(i, slot).wait()
        put(i, slot).start()
        return 0

    lax.fori_loop(0, n, body, 0)
    put(n - 1, (n - 1) % 2).wait()
    put(n - 2, n % 2).wait()


@case([s(64, 128)], s(64, 128), in_specs=[B(memory_space=ANY)], out_specs=B(memory_space=ANY), scratch=[DMA])
def copy_direct(x, o, sem):
    pltpu.async_copy(x, o, sem).wait()


@case([s(64, 128)], s(64, 128), in_specs=[B(memory_space=pltpu.HBM)], out_specs=B(memory_space=pltpu.HBM))
def copy_sync(x, o):
    pltpu.sync_copy(x, o)


@case([s(64, 128)], s(8, 128), in_specs=[B(memory_space=ANY)])
def copy_scoped(x, o):
    def body(buf, sem):
        cp = pltpu.make_async_copy(x.at[8:16], buf, sem)
        cp.start(priority=1)
        cp.wait()
        o[...] = buf[...]

    pl.run_scoped(body, VMEM((8, 128), F32), DMA)


@case(
    [s(64, 128), s(2, t=I32)],
    s(8, 128),
    in_specs=[B(memory_space=ANY), B(memory_space=SMEM)],
    scratch=[VMEM((64, 128), F32), DMA],
)
def copy_dynamic_size(x, n, o, buf, sem):
    cp = pltpu.make_async_copy(x.at[pl.ds(n[0], n[1])], buf.at[pl.ds(0, n[1])], sem)
    cp.start()
    cp.wait()
    o[...] = buf[0:8]


@case([s(8, 128)], s(8, 128), scratch=[REGULAR, REGULAR((2,))])
def semaphores(x, o, sem, sems):
    pl.semaphore_signal(sem, 1)
    pl.semaphore_signal(sems.at[1], inc=2)
    pl.semaphore_wait(sem, 1)
    pl.semaphore_wait(sems.at[1], 2)
    o[...] = x[...] + pl.semaphore_read(sem).astype(F32)


# --- further values and contractions ---------------------------------------------------------------------------
def dot_f32(
    name: str,
    a: tuple[int, ...],
    b: tuple[int, ...],
    o: tuple[int, ...],
    dims: Any,
    at: Any = F32,
    bt: Any = F32,
    **kw: Any,
) -> None:
    dot(name, dims, a, b, o, at, bt, F32, **kw)


dot_f32("dot_1d2d", (128,), (128, 128), (128,), (((0,), (0,)), ((), ())))
dot_f32("dot_2d1d", (8, 128), (128,), (8,), (((1,), (0,)), ((), ())))
dot_f32("dot_outer", (8, 128), (8, 128), (8, 128, 8, 128), (((), ()), ((), ())))
dot_f32("dot_b_tn", (4, 128, 8), (4, 128, 128), (4, 8, 128), (((1,), (1,)), ((0,), (0,))))
dot_f32("dot_two", (8, 16, 128), (16, 128, 128), (8, 128), (((1, 2), (0, 1)), ((), ())))
dot_f32("dot_3d", (2, 8, 128), (128, 128), (2, 8, 128), (((2,), (0,)), ((), ())))
dot_f32("dot_b2", (2, 2, 8, 128), (2, 2, 128, 128), (2, 2, 8, 128), (((3,), (2,)), ((0, 1), (0, 1))))
dot_f32("dot_b1", (8, 2, 128), (128, 2, 128), (2, 8, 128), (((2,), (0,)), ((1,), (1,))))
dot_f32("dot_f16", (8, 128), (128, 128), (8, 128), _NN, F16, F16, preferred_element_type=F32)
dot_f32("dot_i8_bf16", (8, 128), (128, 128), (8, 128), _NN, I8, BF16, preferred_element_type=F32)
dot("dot_i16", _NN, (8, 128), (128, 128), (8, 128), I16, I16, I32, preferred_element_type=I32)
dot("dot_i32", _NN, (8, 128), (128, 128), (8, 128), I32, I32, I32)
dot("dot_i4", _NN, (64, 128), (128, 128), (64, 128), jnp.int4, jnp.int4, I32, preferred_element_type=I32)
dot("dot_f16out", _NN, (8, 128), (128, 128), (8, 128), F16, F16, F16)
dot("dot_row_same", _NT, (1, 128), (1, 128), (1, 1), BF16, BF16, F32, preferred_element_type=F32)
reduction("reduce_scalar", lambda x: jnp.full((8, 128), jnp.sum(jnp.sum(x))), (8, 128), (8, 128))
reduction("reduce_none", lambda x: lax.reduce_sum_p.bind(x, axes=(), out_sharding=None), (8, 128), (8, 128))
reduction("reduce_unit", lambda x: jnp.sum(x, axis=0), (1, 8, 128), (8, 128))
reduction("reduce_1d_all", lambda x: jnp.full((8, 128), jnp.sum(x[:, 0])), (8, 128), (8, 128))
reduction("reduce_argmax1d", lambda x: jnp.full((8, 128), jnp.argmax(x[0])), (8, 128), (8, 128), F32, I32)
reduction("reduce_i32_all", lambda x: jnp.full((8, 128), jnp.max(x)), (8, 128), (8, 128), I32, I32)
reduction("reduce_any1d", lambda x: jnp.full((8, 128), jnp.any(x[0] > 0).astype(F32)), (8, 128), (8, 128))
reduction("value_0d", lambda x: jnp.full((8, 128), jnp.stack([x[0, 0], x[0, 1]])[0]), (8, 128), (8, 128))
reduction("value_concat1", lambda x: jnp.concatenate([x], axis=0), (8, 128), (8, 128))
reduction("value_sq", lambda x: jnp.squeeze(x[:, None, :], 1), (8, 128), (8, 128))
reduction("value_exp", lambda x: jnp.expand_dims(x, (0, 2)), (8, 128), (1, 8, 1, 128))
reduction("value_flat", lambda x: x.reshape(-1), (8, 128), (1024,))
reduction("value_bc0", lambda x: jnp.broadcast_to(x[0, 0][None, None], (8, 128)), (8, 128), (8, 128))
reduction("value_swap", lambda x: jnp.swapaxes(x, 0, 1), (2, 8, 128), (8, 2, 128))
reduction("value_negslice", lambda x: x[:, -128:], (8, 256), (8, 128))
reduction("value_scalar_slice", lambda x: jnp.full((8, 128), x[3, 5] * 2), (8, 128), (8, 128))
reduction("value_roll_neg", lambda x: jnp.roll(x, 1, axis=1), (8, 128), (8, 128))
reduction("value_roll_dyn", lambda x: pltpu.roll(x, x[0, 0].astype(I32), 1), (8, 128), (8, 128))
reduction("value_flip", lambda x: jnp.flip(x, 0), (8, 128), (8, 128))
reduction(
    "value_take0",
    lambda x: jnp.take_along_axis(x, jnp.zeros((8, 128), I32), axis=0, mode="promise_in_bounds"),
    (8, 128),
    (8, 128),
)
reduction("value_take_fill", lambda x: jnp.take_along_axis(x, jnp.zeros((8, 128), I32), axis=0), (8, 128), (8, 128))
reduction("value_bf16_cond", lambda x: lax.cond(x[0, 0] > 0, lambda: x * 2, lambda: x), (8, 128), (8, 128))
reduction("value_where_row", lambda x: jnp.where(lax.broadcasted_iota(I32, (8, 1), 0) > 3, x, 0), (8, 128), (8, 128))
reduction("value_i16iota", lambda x: x + lax.broadcasted_iota(jnp.int16, (16, 128), 0), (16, 128), (16, 128), I16, I16)
reduction("value_f32iota", lambda x: x + lax.broadcasted_iota(F32, (8, 128), 0), (8, 128), (8, 128))
reduction("value_u32iota", lambda x: x + lax.broadcasted_iota(U32, (8, 128), 1), (8, 128), (8, 128), U32, U32)
reduction("value_pow_arr", lambda x: jnp.power(x, 3) + jnp.power(2.0, x) + jnp.float_power(x, 2), (8, 128), (8, 128))
reduction("value_logaddexp", lambda x: jnp.logaddexp(x, 1.0), (8, 128), (8, 128))
reduction("value_lerp", lambda x: jnp.isclose(x, 1.0).astype(F32), (8, 128), (8, 128))
reduction("value_divmod", lambda x: jnp.divmod(x, 3)[0] + jnp.divmod(x, 3)[1], (8, 128), (8, 128), I32, I32)
reduction("value_mod_u", lambda x: x % jnp.uint32(5) // jnp.uint32(2), (8, 128), (8, 128), U32, U32)
reduction("value_i8", lambda x: x + x * x - 1, (32, 128), (32, 128), I8, I8)
reduction("value_i4", lambda x: x.astype(I32), (64, 128), (64, 128), jnp.int4, I32)
reduction("value_u4", lambda x: x.astype(I32), (64, 128), (64, 128), jnp.uint4, I32)
reduction("value_e4", lambda x: x.astype(BF16), (32, 128), (32, 128), E4, BF16)
reduction("value_red_prec", lambda x: lax.reduce_precision(x, 8, 7), (8, 128), (8, 128))
reduction(
    "value_batched_matmul",
    lambda x: jnp.einsum("bij,bjk->bik", x, x, preferred_element_type=F32),
    (2, 128, 128),
    (2, 128, 128),
)
reduction("value_weak", lambda x: jnp.maximum(x, 1) + jnp.minimum(2, x), (8, 128), (8, 128))
reduction("value_xor_bool", lambda x: ((x > 0) ^ (x < 1)).astype(I32), (8, 128), (8, 128), F32, I32)
reduction("value_bool_red", lambda x: jnp.sum(x > 0, axis=1, keepdims=True), (8, 128), (8, 1), F32, I32)
reduction("value_cumsum_tri", lambda x: jnp.dot(x, jnp.triu(jnp.ones((128, 128), F32))), (8, 128), (8, 128))
reduction("value_ones", lambda x: x + jnp.eye(8, 128), (8, 128), (8, 128))
reduction("value_lin", lambda x: x + jnp.arange(8.0)[:, None], (8, 128), (8, 128))


@case([s(64, 128)], s(8, 128), in_specs=[B(memory_space=ANY)], scratch=[VMEM((8, 128), F32), DMA((2,))])
def refused_priority(x, o, buf, sem):
    pltpu.make_async_copy(x.at[0:8], buf, sem.at[0]).start(priority=2)


@case([s(8, 128)], s(8, 128))
def named_scopes(x, o):
    with jax.named_scope("outer"):
        a = x[...] * 2.0
        with jax.named_scope("inner"):
            a = a + 1.0
        b = lax.fori_loop(0, 2, lambda i, c: c * 3.0, a)
    o[...] = b


# --- what JAX refuses -------------------------------------------------------------------------------------------
def refused(
    name: str, fn: Any, shape: tuple[int, ...] = (8, 128), t: Any = F32, out: Any = None, ot: Any = None
) -> None:
    reduction(f"refused_{name}", fn, shape, shape if out is None else out, t, ot)


refused("dot_to_scalar", lambda x: jnp.full((8, 128), jnp.dot(x[0], x[1])))
refused("pow_int_literal", lambda x: lax.pow(x, jnp.int32(3)))
refused("bf16_is_finite", lambda x: jnp.isfinite(x), (16, 128), BF16, ot=BOOL)
refused("empty", lambda x: jnp.concatenate([x, x[:0] * 2.0], axis=0))
refused("cumsum", lambda x: jnp.cumsum(x, axis=0))
refused("sort", lambda x: jnp.sort(x, axis=1))
refused("rev", lambda x: lax.rev(x, (0,)))
refused("dynamic_slice", lambda x: lax.dynamic_slice(x, (jnp.argmax(x[0]), 0), (8, 128)))
refused("reduce_prod", lambda x: jnp.prod(x, axis=1, keepdims=True), out=(8, 1))
refused("expm1", jnp.expm1)
refused("cbrt", jnp.cbrt)
refused("uint_sum", lambda x: jnp.sum(x, axis=1, keepdims=True), t=U32, out=(8, 1))
refused("int8_max", lambda x: jnp.max(x, axis=1, keepdims=True), (32, 128), I8, (32, 1))
refused("bf16_max_all", lambda x: jnp.full((16, 128), jnp.max(x)), (16, 128), BF16)
refused("bf16_argmax", lambda x: jnp.argmax(x, axis=1, keepdims=True), (16, 128), BF16, (16, 1), I32)
refused("bool_to_narrow", lambda x: lax.bitcast_convert_type(x, BF16)[:, :, 0], t=F32, ot=BF16)
refused("select_three", lambda x: lax.select_n(x.astype(I32), x, x * 2, x * 3))
refused("strided_value", lambda x: x[::2, :], (16, 128), out=(8, 128))
refused("scan_over_arrays", lambda x: lax.scan(lambda c, r: (c + r, None), x[0], x)[0][None, :], out=(1, 128))
refused("reverse_scan", lambda x: lax.scan(lambda c, _: (c * 2.0, None), x, None, length=4, reverse=True)[0])
refused("gather", lambda x: jnp.take(x, jnp.arange(8, dtype=I32), axis=0))
refused("uint_dot", lambda x: jnp.dot(x, x, preferred_element_type=I32), (128, 128), U8, ot=I32)
refused("high_dot", lambda x: jnp.dot(x, x, precision=lax.Precision.HIGH), (128, 128))
refused("interior_pad", lambda x: lax.pad(x, jnp.float32(0), ((0, 0, 1), (0, 0, 0))), out=(15, 128))


@case([s(8, 128)], s(8, 128), in_specs=[B(memory_space=ANY)])
def refused_load_any(x, o):
    o[...] = x[...]


@case([s(8, 128)], s(8, 128), in_specs=[B(memory_space=SMEM)])
def refused_load_smem(x, o):
    o[...] = x[...]


@case([s(8, 128)], s(8, 128))
def refused_store_scalar(x, o):
    o[0, 0] = 1.0


@case([s(8, 128, t=BF16), s(8, 128, t=BF16)], s(8, 128, t=BF16))
def refused_masked_bf16(x, m, o):
    pltpu.store(o, x[...], mask=m[...] > 0)


@case([s(8, 128)], s(8, 128))
def refused_masked_load(x, o):
    o[...] = pltpu.load(x, mask=lax.broadcasted_iota(I32, (8, 128), 0) > 3)


@case([s(8, 128, t=BOOL)], s(8, 128, t=BOOL), scratch=[VMEM((8, 128), BOOL), DMA])
def refused_copy_bool(x, o, buf, sem):
    pltpu.async_copy(x, buf, sem).wait()


@case(
    [s(32, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[B((8, 128), lambda i: (i, 0), pipeline_mode=pl.Buffered(3))],
    out_specs=_ROW,
)
def refused_three_buffers(x, o):
    o[...] = x[...]


@case([s(32, 128)], s(32, 128), grid=(4,), in_specs=[B((pl.Element(8), 128), lambda i: (i * 8, 0))], out_specs=_ROW)
def refused_mixed_window(x, o):
    o[...] = x[...]


@case([s(32, 128)], s(8, 128), in_specs=[B((8, 128), lambda: (0, 0))])
def refused_window_without_grid(x, o):
    o[...] = x[...]


# --- whole kernels -----------------------------------------------------------------------------------------------
def softmax_kernel(x_ref, o_ref):
    x = x_ref[...].astype(jnp.float32)
    m = jnp.max(x, axis=1, keepdims=True)
    e = jnp.exp(x - m)
    o_ref[...] = (e / jnp.sum(e, axis=1, keepdims=True)).astype(o_ref.dtype)


CASES["softmax_kernel"] = lambda: call(softmax_kernel, [s(256, 512, t=BF16)], s(256, 512, t=BF16))
_HEAD_Q, _HEAD_K = B((None, 128, 64), lambda h, i, j: (h, i, 0)), B((None, 128, 64), lambda h, i, j: (h, j, 0))


@case(
    [s(4, 256, 64, t=BF16)] * 3,
    s(4, 256, 64, t=BF16),
    grid=(4, 2, 2),
    in_specs=[_HEAD_Q, _HEAD_K, _HEAD_K],
    out_specs=_HEAD_Q,
    scratch=[VMEM((128, 128), F32), VMEM((128, 128), F32), VMEM((128, 64), F32)],
    semantics=("parallel", "parallel", "arbitrary"),
)
def flash_attention(q_ref, k_ref, v_ref, o_ref, m_ref, l_ref, acc_ref):
    i = pl.program_id(1)
    j = pl.program_id(2)

    @pl.when(j == 0)
    def init():
        m_ref[...] = jnp.full_like(m_ref, -jnp.inf)
        l_ref[...] = jnp.zeros_like(l_ref)
        acc_ref[...] = jnp.zeros_like(acc_ref)

    @pl.when(j * 128 <= i * 128 + 127)
    def step():
        scores = lax.dot_general(q_ref[...], k_ref[...], (((1,), (1,)), ((), ())), preferred_element_type=jnp.float32)
        scores = scores * (1 / math.sqrt(64))
        rows = i * 128 + lax.broadcasted_iota(jnp.int32, scores.shape, 0)
        cols = j * 128 + lax.broadcasted_iota(jnp.int32, scores.shape, 1)
        scores = jnp.where(rows >= cols, scores, -1e30)
        m_prev = m_ref[...]
        m_new = jnp.maximum(m_prev, jnp.max(scores, axis=1, keepdims=True))
        p = jnp.exp(scores - m_new[:, :1])
        a = jnp.exp(m_prev - m_new)
        l_ref[...] = a * l_ref[...] + jnp.sum(p, axis=1, keepdims=True)
        acc_ref[...] = acc_ref[...] * a[:, :1] + jnp.dot(
            p.astype(v_ref.dtype), v_ref[...], preferred_element_type=jnp.float32
        )
        m_ref[...] = m_new

    @pl.when(j == pl.num_programs(2) - 1)
    def fin():
        o_ref[...] = (acc_ref[...] / l_ref[...][:, :1]).astype(o_ref.dtype)
