"""Reductions, shapes and contractions."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental.pallas import tpu as pltpu

from corpus.making import (
    BF16,
    E4,
    F32,
    I8,
    I32,
    S,
    case,
    s,
)


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


NN, NT, _TN = (((1,), (0,)), ((), ())), (((1,), (1,)), ((), ())), (((0,), (0,)), ((), ()))
_SQ = ((128, 128), (128, 128), (128, 128))
dot("dot_nn", NN, *_SQ, BF16, BF16, F32, preferred_element_type=F32)
dot("dot_nt", NT, *_SQ, BF16, BF16, F32, preferred_element_type=F32)
dot("dot_tn", _TN, *_SQ, BF16, BF16, F32, preferred_element_type=F32)
dot("dot_f32", NN, *_SQ, F32, F32, F32)
dot("dot_highest", NN, *_SQ, F32, F32, F32, precision=lax.Precision.HIGHEST)
dot("dot_default", NN, *_SQ, F32, F32, F32, precision=lax.Precision.DEFAULT)
dot("dot_bf16_out", NN, *_SQ, BF16, BF16, BF16)
dot("dot_mixed", NN, *_SQ, F32, BF16, F32, preferred_element_type=F32)
dot("dot_i8", NN, *_SQ, I8, I8, I32, preferred_element_type=I32)
dot("dot_f8", NN, *_SQ, E4, E4, F32, preferred_element_type=F32)
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
dot("dot_vector", NT, (16, 128), (1, 128), (16, 1), BF16, BF16, F32, preferred_element_type=F32)
dot("dot_vector_f32", NT, (16, 128), (1, 128), (16, 1), F32, F32, F32)
dot("dot_rect", NN, (16, 256), (256, 128), (16, 128), BF16, BF16, F32, preferred_element_type=F32)


@case([s(128, 128, t=BF16), s(128, 128, t=BF16)], s(128, 128, t=BF16))
def dot_at(x, y, o):
    o[...] = (x[...] @ y[...]).astype(o.dtype)
