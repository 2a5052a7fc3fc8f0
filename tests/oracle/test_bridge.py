"""What the bridge rewrites of JAX's form: trees of indices, constvars, enums. Each kernel is one feature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

from pipeline.dtypes import I32
from pipeline.frontend.jax_bridge import BridgeError, kernel_calls
from pipeline.ir.call import KernelCall
from pipeline.ir.jaxpr import Arg, Eqn, Jaxpr, NDIndexer, Param, Prim, RefBitcast, RefReshape, Slice, Transforms, Var
from pipeline.oracles.compare import call_difference, jaxpr_difference

struct: Any = jax.ShapeDtypeStruct  # untyped in JAX
X = struct((16, 128), jnp.float32)


def convert(kernel: Callable[..., None]) -> KernelCall:
    """`kernel(x_ref, o_ref, buf, sem, dma)` on (16, 128) f32 in VMEM, traced by JAX."""
    scratch: list[Any] = [pltpu.VMEM((2, 16, 128), jnp.float32), pltpu.SemaphoreType.REGULAR, pltpu.SemaphoreType.DMA]
    call = pl.pallas_call(kernel, grid=(2,), out_shape=X, scratch_shapes=scratch)
    [converted] = kernel_calls(call, [X])
    return converted


def only(kernel: Callable[..., None], prim: Prim) -> Eqn:
    """The one equation of `prim` in the body."""
    [eqn] = [eqn for eqn in convert(kernel).body.eqns if eqn.prim is prim]
    return eqn


ROWS, LANES = Slice(0, 16), Slice(0, 128)
INDICES: dict[str, tuple[Callable[[Any, Any], Any], Transforms]] = {
    "whole": (lambda x, i: x[...], ()),
    "a row": (lambda x, i: x[3], (NDIndexer((3, LANES)),)),
    "a dynamic row": (lambda x, i: x[i, :], (NDIndexer((Arg(1), LANES)),)),
    "a slice": (lambda x, i: x[2:6], (NDIndexer((Slice(2, 4), LANES)),)),
    "a dynamic slice": (lambda x, i: x[pl.ds(i, 8)], (NDIndexer((Slice(Arg(1), 8), LANES)),)),
    "a strided slice": (lambda x, i: x[pl.ds(0, 4, 2)], (NDIndexer((Slice(0, 4, 2), LANES)),)),
    "a view of a view": (
        lambda x, i: x.at[pl.ds(i, 8)][1],
        (NDIndexer((Slice(Arg(1), 8), LANES)), NDIndexer((1, LANES))),
    ),
    "a reshaped view": (lambda x, i: x.reshape(2, 8, 128)[...], (RefReshape((2, 8, 128)),)),
    "a bitcast view": (lambda x, i: x.bitcast(jnp.int32)[...], (RefBitcast(I32, (16, 128)),)),
}


@pytest.mark.parametrize("index", INDICES)
def test_index(index: str) -> None:
    read, transforms = INDICES[index]

    def kernel(x: Any, o: Any, *_: Any) -> None:
        o[0:1, 0:1] = read(x, pl.program_id(0)).reshape(-1, 1)[:1].astype(jnp.float32)

    eqn = only(kernel, Prim.GET)
    assert eqn.param("transforms") == transforms
    assert len(eqn.inputs) == (2 if "dynamic" in index or "view of" in index else 1)
    assert [type(atom) for atom in eqn.inputs] == [Var] * len(eqn.inputs)


def test_masked_store() -> None:
    def kernel(x: Any, o: Any, *_: Any) -> None:
        pltpu.store(o.at[pl.ds(pl.program_id(0), 8)], x[0:8], mask=x[0:8] > 0)

    eqn = only(kernel, Prim.MASKED_SWAP)
    assert eqn.params == (("has_mask", True), ("transforms", (NDIndexer((Slice(Arg(3), 8), LANES)),)))
    assert [atom.aval.dtype.short for atom in eqn.inputs] == ["f32", "f32", "bool", "i32"]


def test_copy() -> None:
    def kernel(x: Any, o: Any, buf: Any, sem: Any, dma: Any) -> None:
        i = pl.program_id(0)
        copy: Any = pltpu.make_async_copy(x.at[pl.ds(i * 8, 8)], buf.at[i, pl.ds(0, 8)], dma)
        copy.start()
        copy.wait()

    start, wait = only(kernel, Prim.DMA_START), only(kernel, Prim.DMA_WAIT)
    assert start.param("src_transforms") == (NDIndexer((Slice(Arg(3), 8), LANES)),)
    assert start.param("dst_transforms") == (NDIndexer((Arg(4), Slice(0, 8), LANES)),)
    assert start.param("semaphore_transforms") == ()
    assert [key for key, _ in start.params] == ["dst_transforms", "priority", "semaphore_transforms", "src_transforms"]
    assert [key for key, _ in wait.params] == ["dst_transforms", "semaphore_transforms", "src_transforms"]


def test_semaphores() -> None:
    def kernel(x: Any, o: Any, buf: Any, sem: Any, dma: Any) -> None:
        pl.semaphore_signal(sem, 2)
        pl.semaphore_wait(sem, 1)
        o[0:1, 0:1] = pl.semaphore_read(sem).astype(jnp.float32).reshape(1, 1)

    body = convert(kernel).body
    assert [(eqn.prim, len(eqn.inputs)) for eqn in body.eqns[:3]] == [
        (Prim.SEMAPHORE_SIGNAL, 2),
        (Prim.SEMAPHORE_WAIT, 2),
        (Prim.SEMAPHORE_READ, 1),
    ]


def test_scoped_refs_come_before_the_consts() -> None:
    def kernel(x: Any, o: Any, *_: Any) -> None:
        def body(tmp: Any) -> None:
            tmp[...] = x[0:8]
            o[0:8] = tmp[...]

        pl.run_scoped(body, pltpu.VMEM((8, 128), jnp.float32))

    eqn = only(kernel, Prim.RUN_SCOPED)
    inner = eqn.param("jaxpr")
    assert isinstance(inner, Jaxpr)
    assert [var.aval.shape for var in inner.invars] == [(8, 128), (16, 128), (16, 128)]
    assert len(eqn.inputs) == 2


CONTROL: dict[str, tuple[Callable[[Any], Any], Prim, dict[str, Param]]] = {
    "fori_loop": (
        lambda x: lax.fori_loop(0, 3, lambda i, c: c + i, x),
        Prim.SCAN,
        {"length": 3, "num_carry": 2, "num_consts": 0, "reverse": False, "unroll": 1},
    ),
    "while": (
        lambda x: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2), (0, x))[1],
        Prim.WHILE,
        {"cond_nconsts": 0, "body_nconsts": 0},
    ),
    "relu": (jax.nn.relu, Prim.CUSTOM_JVP_CALL, {}),
    "precision": (
        lambda x: jnp.dot(x, x.T, precision=lax.Precision.HIGHEST)[:, :1] + x,
        Prim.DOT_GENERAL,
        {"precision": ("HIGHEST", "HIGHEST"), "dimension_numbers": (((1,), (0,)), ((), ()))},
    ),
    "gather": (
        lambda x: jnp.take_along_axis(x, lax.broadcasted_iota(jnp.int32, (16, 128), 0), axis=0, mode="clip"),
        Prim.GATHER,
        {"mode": "CLIP", "slice_sizes": (1, 1)},
    ),
}


@pytest.mark.parametrize("name", CONTROL)
def test_params(name: str) -> None:
    fn, prim, wanted = CONTROL[name]

    def kernel(x: Any, o: Any, *_: Any) -> None:
        o[...] = fn(x[...])

    found: list[Eqn] = []

    def walk(jaxpr: Jaxpr) -> None:
        for eqn in jaxpr.eqns:
            found.extend([eqn] if eqn.prim is prim else [])
            for _, value in eqn.params:
                for item in value if isinstance(value, tuple) else (value,):
                    if isinstance(item, Jaxpr):
                        walk(item)

    walk(convert(kernel).body)
    [eqn] = found
    assert {key: eqn.param(key) for key in wanted} == wanted


def test_what_has_no_form_here_is_refused() -> None:
    def kernel(x: Any, o: Any, *_: Any) -> None:
        o[...] = lax.erfc(x[...])

    with pytest.raises(BridgeError, match="erfc"):
        convert(kernel)


def variants() -> list[Callable[..., None]]:
    """Kernels that differ in one small thing each."""

    def make(**change: Any) -> Callable[..., None]:
        get = {"row": 0, "scale": 2.0, "axis": 1, "swap": False, "dtype": jnp.float32, **change}

        def kernel(x: Any, o: Any, *_: Any) -> None:
            a = x[get["row"] : get["row"] + 8]
            b = a * get["scale"]
            m = jnp.max(b, axis=get["axis"], keepdims=True)
            c = m - b if get["swap"] else b - m
            o[0:8] = c.astype(get["dtype"]).astype(jnp.float32)

        return kernel

    return [
        make(), make(row=8), make(scale=3.0), make(scale=-2.0), make(axis=0), make(swap=True), make(dtype=jnp.bfloat16),
    ]  # fmt: skip


def test_comparison_tells_kernels_apart() -> None:
    calls, again = [convert(kernel) for kernel in variants()], [convert(kernel) for kernel in variants()]
    for i, mine in enumerate(calls):
        for j, other in enumerate(again):
            assert (call_difference(mine, other) is None) == (i == j), (i, j)
            assert (jaxpr_difference(mine.body, other.body) is None) == (i == j), (i, j)
