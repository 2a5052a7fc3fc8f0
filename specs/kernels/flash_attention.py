"""Causal flash attention, forward: one head and one block of queries a step, keys along the last grid axis."""

import math

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

MASK_VALUE = -1e30  # finite, so that a row masked as a whole stays free of NaN


def causal_mask(scores, row_start, col_start):
    """Scores with every key after its query set to MASK_VALUE."""
    rows = row_start + jax.lax.broadcasted_iota(jnp.int32, scores.shape, 0)
    cols = col_start + jax.lax.broadcasted_iota(jnp.int32, scores.shape, 1)
    return jnp.where(rows >= cols, scores, MASK_VALUE)


def flash_attention_kernel(q_ref, k_ref, v_ref, o_ref, m_ref, l_ref, acc_ref, *, block_q, block_k):
    i, j = pl.program_id(1), pl.program_id(2)
    row_start, col_start = i * block_q, j * block_k

    @pl.when(j == 0)
    def _init():
        m_ref[...] = jnp.full_like(m_ref, MASK_VALUE)
        l_ref[...] = jnp.zeros_like(l_ref)
        acc_ref[...] = jnp.zeros_like(acc_ref)

    @pl.when(col_start < row_start + block_q)  # blocks wholly above the diagonal add nothing
    def _step():
        scores = jax.lax.dot_general(
            q_ref[...], k_ref[...], (((1,), (1,)), ((), ())), preferred_element_type=jnp.float32
        )
        scores = causal_mask(scores * (1.0 / math.sqrt(q_ref.shape[-1])), row_start, col_start)
        m_prev, l_prev = m_ref[...], l_ref[...]
        m_next = jnp.maximum(m_prev, jnp.max(scores, axis=1, keepdims=True))
        p = jnp.exp(scores - m_next[:, :1])
        alpha = jnp.exp(m_prev - m_next)
        l_ref[...] = alpha * l_prev + jnp.sum(p, axis=1, keepdims=True)
        pv = jnp.dot(p.astype(v_ref.dtype), v_ref[...], preferred_element_type=jnp.float32)
        acc_ref[...] = acc_ref[...] * alpha[:, :1] + pv
        m_ref[...] = m_next

    @pl.when(j == pl.num_programs(2) - 1)
    def _finish():
        o_ref[...] = (acc_ref[...] / l_ref[...][:, :1]).astype(o_ref.dtype)
