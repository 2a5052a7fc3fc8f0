"""What the names of `jax`, `jnp`, `lax`, `pl` and `pltpu` expand to, as primitives."""
