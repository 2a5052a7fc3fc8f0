"""Branches, loops and asynchronous copies."""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

from corpus.making import (
    ANY,
    BF16,
    DMA,
    F32,
    I32,
    REGULAR,
    SMEM,
    VMEM,
    B,
    case,
    s,
)


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
