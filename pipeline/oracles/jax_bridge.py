"""The bridge from JAX's traces, which the front end shares: see `pipeline.frontend.jax_bridge`."""

from __future__ import annotations

from pipeline.frontend.jax_bridge import BridgeError, convert_call, convert_jaxpr, kernel_calls, pallas_eqns

__all__ = ["BridgeError", "convert_call", "convert_jaxpr", "kernel_calls", "pallas_eqns"]
