"""Further values and contractions, what JAX refuses, whole kernels."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

from corpus.grids import ROW
from corpus.making import (
    ANY,
    BF16,
    BOOL,
    CASES,
    DMA,
    E4,
    F16,
    F32,
    I8,
    I16,
    I32,
    SMEM,
    U8,
    U32,
    VMEM,
    B,
    call,
    case,
    s,
)
from corpus.shape import NN, NT, dot, reduction


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
dot_f32("dot_f16", (8, 128), (128, 128), (8, 128), NN, F16, F16, preferred_element_type=F32)
dot_f32("dot_i8_bf16", (8, 128), (128, 128), (8, 128), NN, I8, BF16, preferred_element_type=F32)
dot("dot_i16", NN, (8, 128), (128, 128), (8, 128), I16, I16, I32, preferred_element_type=I32)
dot("dot_i32", NN, (8, 128), (128, 128), (8, 128), I32, I32, I32)
dot("dot_i4", NN, (64, 128), (128, 128), (64, 128), jnp.int4, jnp.int4, I32, preferred_element_type=I32)
dot("dot_f16out", NN, (8, 128), (128, 128), (8, 128), F16, F16, F16)
dot("dot_row_same", NT, (1, 128), (1, 128), (1, 1), BF16, BF16, F32, preferred_element_type=F32)
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
    out_specs=ROW,
)
def refused_three_buffers(x, o):
    o[...] = x[...]


@case([s(32, 128)], s(32, 128), grid=(4,), in_specs=[B((pl.Element(8), 128), lambda i: (i * 8, 0))], out_specs=ROW)
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
