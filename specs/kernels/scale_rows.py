"""Scale the first rows of an array in place, as many as the given lengths add up to.

This is ordinary Python for JAX: `pipeline import` traces it and writes ../scale_rows.toml, which needs neither.
"""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

ROWS = 8  # of a block


def scale_rows_kernel(total_ref, x_ref, o_ref):
    first = pl.program_id(0) * ROWS
    row = first + jax.lax.broadcasted_iota(jnp.int32, x_ref.shape, 0)
    o_ref[...] = jnp.where(row < total_ref[0], 2.0 * x_ref[...], x_ref[...])


def scale_rows(lengths, x):
    """Only blocks that hold some of the rows are visited: the grid's size is known when the lengths are."""
    total = jnp.sum(lengths, keepdims=True)
    block = pl.BlockSpec((ROWS, x.shape[1]), lambda i, total_ref: (i, 0))
    call = pl.pallas_call(
        scale_rows_kernel,
        grid_spec=pltpu.PrefetchScalarGridSpec(
            num_scalar_prefetch=1,
            grid=(pl.cdiv(total[0], ROWS),),
            in_specs=[block],
            out_specs=block,
        ),
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        input_output_aliases={1: 0},
    )
    return call(total, x)
