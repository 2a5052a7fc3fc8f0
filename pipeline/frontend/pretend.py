"""A chip for JAX to find where there is none: tracing asks for one too, `pltpu.emit_pipeline` for its tiles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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


class _Device:
    """A device of the CPU that says it is a TPU; anything else is the real one's."""

    platform = "tpu"

    def __init__(self, real: Any, kind: str) -> None:
        self._real, self.device_kind = real, kind

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


@contextmanager
def pretend_devices(chip: str = "v5e") -> Iterator[None]:
    """What a user's own code asks before it calls a kernel, `jax.default_backend()` and `jax.devices()`, says `chip`.

    JAX itself does not ask these names: it goes on with the CPU.
    """
    import jax

    asked: dict[str, Any] = {name: getattr(jax, name) for name in ("devices", "local_devices", "default_backend")}
    kind = DEVICE_KINDS.get(chip, DEVICE_KINDS["v5e"])
    known: dict[int, _Device] = {}

    def pretended(name: str) -> Any:
        def devices(*args: Any, **kwargs: Any) -> list[Any]:
            backend = kwargs.get("backend", args[-1] if args else None)
            if backend not in (None, "tpu"):
                return list(asked[name](*args, **kwargs))
            return [known.setdefault(real.id, _Device(real, kind)) for real in asked[name]()]

        return devices

    jax.devices, jax.local_devices = pretended("devices"), pretended("local_devices")
    jax.default_backend = lambda: "tpu"
    try:
        yield
    finally:
        for name, real in asked.items():
            setattr(jax, name, real)
