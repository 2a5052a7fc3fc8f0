"""Elementwise kernels and casts."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

from corpus.making import (
    BF16,
    BOOL,
    E4,
    E5,
    F16,
    F32,
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    binary,
    case,
    s,
    unary,
)

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
