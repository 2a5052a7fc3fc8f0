"""The front end for kernels in the user's own Python: JAX traces them. Needs the extra [jax]."""
