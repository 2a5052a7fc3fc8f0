"""Mosaic modules by JAX: what its TPU lowering emits for a function, and its parser and verifiers for our text.

No TPU is needed; JAX is imported inside functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, cast

# a chip's name in profiles -> the kind that JAX knows it by, and a topology that libtpu compiles for
CHIPS: dict[str, tuple[str, str]] = {
    "v2": ("TPU v2", "v2:2x2"),
    "v3": ("TPU v3", "v3:2x2"),
    "v4": ("TPU v4", "v4:2x2x1"),
    "v5e": ("TPU v5 lite", "v5e:2x2"),
    "v5p": ("TPU v5", "v5p:2x2x1"),
    "v6e": ("TPU v6 lite", "v6e:2x2"),
    "7x": ("TPU7x", "tpu7x:2x2x1"),
}


def context() -> Any:
    """An MLIR context with the dialects of Mosaic loaded."""
    import importlib

    from jax._src.interpreters import mlir

    made: Any = mlir.make_ir_context()
    importlib.import_module("jax._src.lib").tpu.register_dialect(made)  # no public name for it
    return made


def parse(text: str) -> Any:
    """`text` as a verified jaxlib module. Raises what jaxlib raises: MLIRError with the place and the reason."""
    from jaxlib.mlir import ir

    with context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        module.operation.verify()
        return module


def reprint(text: str) -> str:
    """How jaxlib prints our module: equal to `text` when that is in canonical form.

    Blanks at line ends are cut: jaxlib leaves one after the comma that ends a store without a mask.
    """
    return "".join(line.rstrip() + "\n" for line in str(parse(text)).splitlines())


def abstract_chip(chip: str) -> AbstractContextManager[Any]:
    """Lowering rules that ask for the chip's shape find it in the mesh; there is no chip to ask."""
    import jax
    from jax._src.mesh import AbstractDevice, AbstractMesh

    device = AbstractDevice(device_kind=CHIPS[chip][0], num_cores=1, platform="tpu")
    made: Any = jax.sharding.use_abstract_mesh(AbstractMesh((), (), abstract_device=device))
    return cast("AbstractContextManager[Any]", made)


def emit(fn: Callable[..., Any], args: Sequence[Any], chip: str) -> list[str]:
    """Text of the Mosaic module of each kernel that `fn(*args)` calls, lowered by JAX for `chip`.

    Raises what JAX's lowering raises where it refuses the kernel.
    """
    import jax

    with abstract_chip(chip):
        lowered = jax.jit(fn).trace(*args).lower(lowering_platforms=("tpu",))
    module = lowered.compiler_ir()
    return [_decode(body) for body in _bodies(module.operation)]


def emit_call(eqn: Any, chip: str) -> str:
    """Text of the Mosaic module that JAX lowers one `pallas_call` equation to, for `chip`, whatever is around it.

    Also where the user's code asked for interpret mode, as it often does on a machine without a TPU.
    Raises what JAX's lowering raises where it refuses the kernel.
    """
    import jax

    struct: Any = jax.ShapeDtypeStruct
    args = [struct(var.aval.shape, var.aval.dtype) for var in eqn.invars]
    params = dict(eqn.params, interpret=False)
    [text] = emit(lambda *operands: eqn.primitive.bind(*operands, **params), args, chip)
    return text


def _bodies(op: Any) -> Iterator[bytes]:
    """Serialised kernels in a StableHLO module, in order."""
    import base64
    import json

    from jaxlib.mlir import ir

    if op.name == "stablehlo.custom_call" and ir.StringAttr(op.attributes["call_target_name"]).value == (
        "tpu_custom_call"
    ):
        config = json.loads(ir.StringAttr(op.attributes["backend_config"]).value)
        yield base64.b64decode(config["custom_call_config"]["body"])
    for region in op.regions:
        for block in region:
            for inner in block:
                yield from _bodies(inner.operation)


def _decode(body: bytes) -> str:
    from jaxlib.mlir import ir
    from jaxlib.mlir.passmanager import PassManager

    with context() as made, ir.Location.unknown():
        made.allow_unregistered_dialects = True  # serialised in the versioned form of the dialects
        module = ir.Module.parse(body)
        PassManager.parse("builtin.module(mosaic-serde{serialize=false})").run(module.operation)
        return str(module)
