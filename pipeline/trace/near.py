"""Hints that name what does exist."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.near import near_words

_SHAPES = "a trace names no chip: take the number from [params], and vary it with [[variants]]"
_DEVICES = "a spec is a kernel of one device: neither its mesh nor its neighbours are there"
# what kernels use of JAX that is not here, or no longer there, and what to do
INSTEAD: dict[str, str] = {
    "pltpu.get_tpu_info": _SHAPES,
    "pltpu.ChipVersion": _SHAPES,
    "pltpu.reciprocal": "pl.reciprocal",
    "pltpu.repeat": "JAX has it no more: jnp.tile, or jnp.concatenate([x] * n, axis)",
    "pl.load": "JAX has it no more: index the ref, or pltpu.load(.., mask=..)",
    "pl.store": "JAX has it no more: assign to the ref, or pltpu.store(.., mask=..)",
    **dict.fromkeys(
        (
            *("pltpu.make_async_remote_copy", "pltpu.async_remote_copy", "pltpu.get_barrier_semaphore"),
            *("pltpu.DeviceIdType", "pl.DeviceIdType", "lax.axis_index", "lax.axis_size", "lax.psum"),
        ),
        _DEVICES,
    ),
    **dict.fromkeys(
        ("pltpu.prng_seed", "pltpu.prng_random_bits", "pltpu.stateful_uniform", "pltpu.stateful_bernoulli"),
        "what the chip's generator gives is not known here: pass random bits as an input, or hash the index",
    ),
    "pl.pallas_call": "a spec is one call: what calls the kernel is its grid, inputs and outputs",
    "pltpu.CompilerParams": "dimension semantics are [grid] semantics, the limit is vmem_limit_bytes of the spec",
    "jax.random": "pass random bits as an input, or hash the index",
    "jax.grad": "write the derivative out, or trace the kernel with JAX: pipeline import",
    "jax.vjp": "write the derivative out, or trace the kernel with JAX: pipeline import",
    "jax.jvp": "write the derivative out, or trace the kernel with JAX: pipeline import",
    "jax.vmap": "give the function a leading axis: jnp functions and lax.dot_general take one",
}


def near(name: str, known: Iterable[str]) -> str | None:
    """A hint with the known names that resemble `name`; with all of them where they are few; else None."""
    names = sorted(n for n in known if not n.startswith("_"))
    found = sorted(near_words(name, names, 4))
    if found:
        return f"did you mean {' or '.join(found)}?"
    if names and len(names) <= 16:
        return f"there is {', '.join(names)}"
    return None
