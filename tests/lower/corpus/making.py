"""How a kernel of the corpus is made and named.

`CASES` maps a name to a function of no arguments that returns a JAX function around one `pallas_call`, and its avals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
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
