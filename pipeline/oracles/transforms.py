"""What JAX makes of jvp and vmap of the shipped specs: `python -m pipeline.oracles.transforms` records it.

Asked of the interpret form and of shapes alone: nothing is run. grad is not asked, since JAX has it of no kernel.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeline.ir.call import KernelCall, Role
from pipeline.ir.jaxpr_text import print_jaxpr
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.oracles.spec_to_jax import spec_to_jax
from pipeline.spec.spec import Spec

RECORDED = Path(__file__).resolve().parents[2] / "tests" / "transforms" / "recorded.json"
SIZE = 2  # of the batch
EACH = 8  # of how many specs the batched call of one is kept


def askable() -> list[Spec]:
    """Specs that JAX can be asked about: made from source, with a float input, and of a grid that is known.

    Not those with an inner pipeline: to trace it JAX asks for the chip that it is for.
    """
    found = []
    for spec in shipped_specs():
        inputs = [operand for operand in spec.operands if operand.role is Role.INPUT]
        if spec.dynamic_grid or spec.kernel.is_jaxpr or "emit_pipeline" in spec.kernel.code.text:
            continue
        if any(o.dtype.is_float for o in inputs):
            found.append(spec)
    return found


def takes(spec: Spec) -> dict[str, bool]:
    """Whether JAX traces jvp (in all float inputs) and vmap (of all but scalar prefetch)."""
    import jax
    import jax.numpy as jnp

    fn, args = spec_to_jax(spec, True)
    floats = [at for at, one in enumerate(args) if jnp.issubdtype(one.dtype, jnp.floating)]

    def of_floats(*values: Any) -> Any:
        every = [jnp.zeros(one.shape, one.dtype) for one in args]
        for at, value in zip(floats, values, strict=True):
            every[at] = value
        return fn(*every)

    given = [args[at] for at in floats]
    return {
        "jvp": _passes(lambda: jax.eval_shape(lambda p, t: jax.jvp(of_floats, p, t), given, given)),
        "vmap": _passes(lambda: jax.eval_shape(*_batched(spec, fn, args))),
    }


def batched_call(call: KernelCall) -> dict[str, Any]:
    """What vmap changes of a call, as plain data."""
    return {
        "grid": list(call.grid),
        "shapes": [list(operand.array.shape) for operand in call.operands],
        "blocks": [None if operand.block is None else [str(dim) for dim in operand.block] for operand in call.operands],
        "index_maps": [
            None if operand.index_map is None else print_jaxpr(operand.index_map).splitlines()
            for operand in call.operands
        ],
    }


def jax_batched_call(spec: Spec) -> dict[str, Any]:
    """The same of the call in JAX's own vmap."""
    from pipeline.frontend.jax_bridge import kernel_calls

    fn, args = spec_to_jax(spec, True)
    batched = _batched(spec, fn, args)
    [call] = kernel_calls(batched[0], list(batched[1:]))
    return batched_call(call)


def _batched(spec: Spec, fn: Callable[..., Any], args: list[Any]) -> tuple[Any, ...]:
    import jax

    shared = sum(operand.role is Role.SCALAR_PREFETCH for operand in spec.operands)
    axes = [None] * shared + [0] * (len(args) - shared)
    struct: Any = jax.ShapeDtypeStruct
    shapes = [one if at < shared else struct((SIZE, *one.shape), one.dtype) for at, one in enumerate(args)]
    return (jax.vmap(fn, in_axes=axes), *shapes)


def _passes(ask: Callable[[], Any]) -> bool:
    try:
        ask()
    except (AssertionError, NotImplementedError, ValueError):
        return False
    return True


def main() -> None:
    import importlib.metadata

    specs = askable()
    record = {
        "versions": {"jax": importlib.metadata.version("jax")},
        "takes": {spec_id(spec): takes(spec) for spec in specs},
        "batched": {spec_id(spec): jax_batched_call(spec) for spec in specs[::EACH]},
    }
    RECORDED.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
