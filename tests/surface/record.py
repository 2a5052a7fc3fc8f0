"""Writes recorded.json: what JAX traces for each of cases.py. Needs JAX; run as `python -m tests.surface.record`."""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any

from tests.surface.cases import ARGS, GRID, arguments, cases, refused, source

RECORDED = Path(__file__).with_name("recorded.json")


def record(case: str) -> dict[str, Any]:
    """Types of the case's results and the text of the kernel's jaxpr."""
    found: list[Any] = []
    _trace(case, [], found)
    outputs = [(tuple(one.shape), one.dtype.name) for one in found]
    return {"outputs": outputs, "jaxpr": _trace(case, outputs, None)}


def _trace(case: str, outputs: list[Any], found: list[Any] | None) -> str:
    import jax
    import jax.numpy as jnp
    from jax import lax
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    from pipeline.frontend.jax_bridge import convert_jaxpr, pallas_eqns
    from pipeline.ir.jaxpr_text import print_jaxpr

    scope = {"jax": jax, "jnp": jnp, "lax": lax, "pl": pl, "pltpu": pltpu, "math": math, "functools": functools}
    text = source(case, len(outputs))
    if found is not None:
        text += "    leak(result)\n" if "result =" in text else ""
        scope["leak"] = lambda result: found.extend(
            one for one in (result if isinstance(result, (tuple, list)) else [result]) if hasattr(one, "shape")
        )
    exec(compile(text, "<kernel>", "exec"), scope)
    names = arguments(case)
    smem = {name: pltpu.SMEM for name in ARGS if ARGS[name][2] == "smem"}
    specs = [pl.BlockSpec(memory_space=smem.get(name)) for name in names]
    shapes = [jax.ShapeDtypeStruct(*ARGS[name][:2]) for name in names]
    outs = [jax.ShapeDtypeStruct(*one) for one in outputs] or [jax.ShapeDtypeStruct((8, 128), "float32")]
    kernel = scope["kernel"] if outputs else _with_output(scope["kernel"])
    grid = tuple(GRID)
    call = pl.pallas_call(
        kernel, grid=grid, in_specs=specs, out_shape=outs, out_specs=[pl.BlockSpec() for _ in outs], name="kernel"
    )
    (eqn,) = pallas_eqns(jax.make_jaxpr(call)(*shapes).jaxpr)
    return print_jaxpr(convert_jaxpr(eqn.params["jaxpr"]))


def _with_output(kernel: Any) -> Any:
    def with_output(*refs: Any) -> None:
        kernel(*refs[:-1])  # a call without an output is none: this one stays unused

    return with_output


def main() -> None:
    import jax

    found: dict[str, Any] = {}
    for case in cases():
        try:
            found[case] = record(case)
        except Exception as error:
            print(f"{case}: {type(error).__name__}: {str(error)[:200]}")
    for code, case in refused():
        try:
            _trace(case, [], None)
        except Exception:
            continue
        print(f"JAX does not refuse: {code} {case}")
    RECORDED.write_text(json.dumps({"jax": jax.__version__, "cases": found}, indent=1) + "\n")
    print(f"{len(found)} cases")


if __name__ == "__main__":
    main()
