"""StableHLO by jaxlib and XLA: parser, verifiers and printer for our text, and XLA's CPU client to run it.

JAX is imported inside functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from pipeline.oracles.jax_mosaic import parse

# our text rounds where it says so; XLA would leave out a rounding between two ops if it may
_OPTIONS = {"xla_allow_excess_precision": "False"}


def reprint(text: str) -> str:
    """How jaxlib prints our module: equal to `text` when that is in canonical form. Raises MLIRError."""
    return "".join(line.rstrip() + "\n" for line in str(parse(text)).splitlines())


@cache
def _client() -> Any:
    import jax

    return jax.devices("cpu")[0].client


def run(text: str, inputs: Sequence[Any]) -> list[Any]:
    """The results of `main` of our module for NumPy arrays, compiled and run by XLA's CPU client.

    Raises MLIRError for a module that does not verify, XlaRuntimeError for one that XLA refuses.
    """
    from importlib import import_module

    import jax
    import numpy as np

    client = _client()
    device = client.local_devices()[0]
    xla_client = import_module("jax._src.lib").xla_client  # no public name for it
    options = xla_client.CompileOptions()
    options.num_replicas = options.num_partitions = 1
    options.env_option_overrides = list(_OPTIONS.items())
    module = parse(text)
    with module.context:
        loaded = client.compile_and_load(module, xla_client.DeviceList((device,)), options)
    with jax.enable_x64(True):
        buffers = [jax.device_put(np.ascontiguousarray(x), device) for x in inputs]
    results = loaded.execute_sharded(buffers).disassemble_into_single_device_arrays()
    return [np.asarray(result[0]) for result in results]
