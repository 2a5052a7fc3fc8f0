"""Loads and stores, refs and their views."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

from corpus.making import (
    BF16,
    BOOL,
    F32,
    I32,
    SMEM,
    U32,
    VMEM,
    B,
    case,
    s,
)


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
