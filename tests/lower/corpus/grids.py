"""Grids, windows, scratch and prefetch."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

from corpus.making import (
    ANY,
    BOOL,
    DMA,
    F32,
    I32,
    SMEM,
    VMEM,
    B,
    case,
    s,
)

# --- grids and windows -------------------------------------------------------------------------------------------
ROW = B((8, 128), lambda i: (i, 0))


@case([s(32, 128)], s(32, 128), grid=(4,), in_specs=[ROW], out_specs=ROW, semantics=("parallel",))
def grid1(x, o):
    o[...] = x[...] * pl.program_id(0).astype(F32)


@case([], s(16, 384, t=I32), grid=(2, 3), in_specs=[], out_specs=B((8, 128), lambda i, j: (i, j)))
def program_ids(o):
    o[...] = jnp.full(o.shape, pl.program_id(0) * pl.num_programs(1) + pl.program_id(1), I32)


@case([s(32, 128), s(1, 128)], s(32, 128), grid=(4,), in_specs=[ROW, B((1, 128), lambda i: (0, 0))], out_specs=ROW)
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


@case([s(32, 128)], s(32, 128), grid=(4,), in_specs=[ROW], out_specs=ROW)
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
    in_specs=[B((8, 128), lambda i: (i, 0), memory_space=SMEM), ROW],
    out_specs=ROW,
)
def smem_window(n, x, o):
    o[...] = x[...] * n[0, 1].astype(F32)


@case(
    [s(64, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[B((8, 128), lambda i: (jnp.minimum(i * 2 + 1, 7), 0))],
    out_specs=ROW,
)
def index_arithmetic(x, o):
    o[...] = x[...]


@case(
    [s(64, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[B((8, 128), lambda i: (jnp.where(i < 2, i // 2, i % 3), 0))],
    out_specs=ROW,
)
def index_select(x, o):
    o[...] = x[...]


@case(
    [s(64, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[B((pl.Element(8), pl.Element(128)), lambda i: (i * 4, 0))],
    out_specs=ROW,
)
def element_window(x, o):
    o[...] = x[...]


@case(
    [s(64, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[B((pl.Element(8, (0, 4)), pl.Element(128)), lambda i: (i * 4, 0))],
    out_specs=ROW,
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


@case([s(32, 128), s(32, 128)], [s(32, 128), s(32, 128)], grid=(4,), in_specs=[ROW, ROW], out_specs=[ROW, ROW])
def two_outputs(x, y, a, b):
    a[...] = x[...] + y[...]
    b[...] = x[...] - y[...]


@case(
    [s(32, 128), s(32, 128)],
    s(32, 128),
    grid=(4,),
    in_specs=[ROW, B(memory_space=ANY)],
    out_specs=ROW,
    scratch=[VMEM((8, 128), F32), DMA],
)
def any_operand(x, h, o, buf, sem):
    copy = pltpu.make_async_copy(h.at[pl.ds(pl.program_id(0) * 8, 8), :], buf, sem)
    copy.start()
    copy.wait()
    o[...] = x[...] + buf[...]
