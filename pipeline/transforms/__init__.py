"""Transformations of a kernel call: which JAX makes of it, and vmap's own, another call."""
