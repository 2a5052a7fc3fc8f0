"""A chip for JAX to find where there is none: tracing asks for one too, `pltpu.emit_pipeline` for its tiles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

DEVICE_KINDS: dict[str, str] = {
    "v2": "TPU v2",
    "v3": "TPU v3",
    "v4": "TPU v4",
    "v5e": "TPU v5 lite",
    "v5p": "TPU v5p",
    "v6e": "TPU v6 lite",
    "7x": "TPU7x",
}


@contextmanager
def pretend_chip(chip: str = "v5e") -> Iterator[None]:
    """JAX's lowering rules and kernels that ask which TPU they are for find `chip`, though there is none."""
    import jax
    from jax._src.mesh import AbstractDevice, AbstractMesh  # no public names for them

    device = AbstractDevice(device_kind=DEVICE_KINDS.get(chip, DEVICE_KINDS["v5e"]), num_cores=1, platform="tpu")
    with jax.sharding.use_abstract_mesh(AbstractMesh((), (), abstract_device=device)):
        yield
