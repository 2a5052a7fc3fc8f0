"""The kernel of specs/softmax.toml as a JAX user writes it: trace it and lower it to Mosaic for a TPU, without one."""

import jax
import jax.numpy as jnp
from jax._src.mesh import AbstractDevice, AbstractMesh
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def softmax_kernel(x_ref, o_ref):
    x = x_ref[...].astype(jnp.float32)
    m = jnp.max(x, axis=1, keepdims=True)
    e = jnp.exp(x - m)
    o_ref[...] = (e / jnp.sum(e, axis=1, keepdims=True)).astype(o_ref.dtype)


x = jax.ShapeDtypeStruct((2048, 512), jnp.bfloat16)
block = pl.BlockSpec((256, 512), lambda i: (i, 0))
softmax = pl.pallas_call(
    softmax_kernel,
    grid=(8,),
    in_specs=[block],
    out_specs=block,
    out_shape=x,
    compiler_params=pltpu.CompilerParams(dimension_semantics=("parallel",)),
)
device = AbstractDevice(device_kind="TPU v5 lite", num_cores=1, platform="tpu")
with jax.sharding.use_abstract_mesh(AbstractMesh((), (), abstract_device=device)):
    lowered = jax.jit(softmax).trace(x).lower(lowering_platforms=("tpu",))
assert "tpu_custom_call" in lowered.as_text()
