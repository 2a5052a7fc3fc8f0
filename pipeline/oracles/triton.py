"""What JAX's Triton path says of shipped specs and of each primitive: `python -m pipeline.oracles.triton` records it.

It lowers for CUDA without a GPU. A kernel counts as taken where that makes a module which the dialect's verifier takes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeline.ir.jaxpr import Prim
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.oracles.spec_to_jax import spec_to_jax
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec

RECORDED = Path(__file__).resolve().parents[2] / "tests" / "triton" / "recorded.json"
KERNELS = RECORDED.with_name("kernels")  # small ones, for forms that no shipped spec has
_FLOATS = ("float32", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2")
DTYPES = (*_FLOATS, "int32", "uint32", "int16", "uint16", "int8", "uint8", "int4", "uint4", "bool")
_UNARY = (
    *("neg", "sign", "floor", "ceil", "exp", "exp2", "expm1", "log", "log1p", "sin", "cos", "tan", "tanh", "logistic"),
    *("erf_inv", "rsqrt", "sqrt", "cbrt", "square", "abs", "population_count", "clz", "is_finite"),
)
_BINARY = (
    *("add", "sub", "mul", "div", "rem", "pow", "atan2", "nextafter", "max", "min", "eq", "ne", "lt", "le", "gt", "ge"),
    *("shift_left", "shift_right_arithmetic", "shift_right_logical"),
)


def askable() -> list[Spec]:
    """Specs that JAX traces for this path. An inner pipeline asks for the TPU that it is for."""
    return [spec for spec in shipped_specs() if "emit_pipeline" not in spec.kernel.code.text]


def kernels() -> list[Spec]:
    return [spec for path in sorted(KERNELS.glob("*.toml")) for spec in load_specs(path)]


def takes(spec: Spec) -> bool:
    """Whether JAX's Triton path takes the spec's kernel."""
    import jax.experimental.pallas.triton as plt

    return accepts(*spec_to_jax(spec, params=plt.CompilerParams()))


def accepts(fn: Callable[..., Any], args: list[Any]) -> bool:
    """Whether the kernel that `fn` calls lowers to a module that is well formed."""
    import jax
    from jaxlib.mlir import ir

    traced = jax.jit(fn).trace(*args)
    try:
        lowered = traced.lower(lowering_platforms=("cuda",))
        _verify(lowered.compiler_ir())
    except (AssertionError, NotImplementedError, RuntimeError, TypeError, ValueError, ir.MLIRError):
        return False
    return True


def _verify(module: Any) -> None:
    """Parse and verify the Triton modules inside. Errors: MLIRError."""
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.triton import dialect

    found: list[bytes] = []

    def visit(op: Any) -> None:
        if op.name == "stablehlo.custom_call" and "triton" in str(op.attributes["call_target_name"]):
            config = {one.name: one.attr for one in op.attributes["mhlo.backend_config"]}
            found.append(config["ir"].value_bytes)
        for region in op.regions:
            for block in region:
                for inner in block:
                    visit(inner.operation)

    visit(module.operation)
    assert found, "no Triton kernel in the module"
    make: Any = mlir.JaxIrContext  # untyped in JAX
    context = make()
    context.append_dialect_registry(mlir.upstream_dialects)
    dialect.register_dialect(context)
    context.load_all_available_dialects()
    with context, ir.Location.unknown():
        for text in found:
            assert ir.Module.parse(text).operation.verify()


def has_rule() -> dict[str, bool]:
    """Of each of our primitives, whether JAX's Triton path has a rule for it."""
    from jax._src.pallas.triton.lowering import triton_lowering_rules

    names = {primitive.name for primitive in triton_lowering_rules}
    return {prim.value: prim.value in names for prim in Prim}


def refused_dtypes(names: tuple[str, ...] | None = None) -> dict[str, list[str]]:
    """Of each primitive (default: all that are asked for), the dtypes that it is traced with and not lowered."""
    found: dict[str, list[str]] = {}
    for name, (count, make) in _computations().items():
        if names is None or name in names:
            found[name] = [dtype for dtype in DTYPES if _refused(make, [dtype] * count)]
    return found


def refused_casts() -> list[str]:
    """Pairs of dtypes between which there is no cast, as "from to"."""
    from jax import lax

    return [
        f"{old} {new}"
        for old in DTYPES
        for new in DTYPES
        if old != new and _refused(lambda x, new=new: lax.convert_element_type(x, new), [old])
    ]


def _computations() -> dict[str, tuple[int, Callable[..., Any]]]:
    import jax.numpy as jnp
    from jax import lax

    found: dict[str, tuple[int, Callable[..., Any]]] = {name: (1, getattr(lax, name)) for name in _UNARY}
    found |= {name: (2, getattr(lax, name)) for name in _BINARY}
    return found | {
        "not": (1, lax.bitwise_not),
        "and": (2, lax.bitwise_and),
        "or": (2, lax.bitwise_or),
        "xor": (2, lax.bitwise_xor),
        "clamp": (2, lambda x, y: lax.clamp(x, y, x)),
        "select_n": (2, lambda x, y: lax.select(x == y, x, y)),
        "integer_pow": (1, lambda x: lax.integer_pow(x, 3)),
        "reduce_sum": (1, lambda x: lax.reduce_sum_p.bind(x, axes=(1,), out_sharding=None)),
        "reduce_max": (1, lambda x: lax.reduce_max(x, (1,))),
        "reduce_min": (1, lambda x: lax.reduce_min(x, (1,))),
        "argmax": (1, lambda x: lax.argmax(x, 1, jnp.int32)),
        "argmin": (1, lambda x: lax.argmin(x, 1, jnp.int32)),
        "cumsum": (1, lambda x: lax.cumsum(x, axis=1)),
    }


def _refused(make: Callable[..., Any], dtypes: list[str]) -> bool:
    """Whether the computation on 16 x 128 elements is traced, and not lowered."""
    import jax
    import jax.experimental.pallas.triton as plt
    from jax.experimental import pallas as pl

    struct: Any = jax.ShapeDtypeStruct
    args = [struct((16, 128), dtype) for dtype in dtypes]
    try:
        out = jax.eval_shape(make, *args)
    except (TypeError, ValueError):
        return False

    def kernel(*refs: Any) -> None:
        refs[-1][...] = make(*(ref[...] for ref in refs[:-1]))

    return not accepts(pl.pallas_call(kernel, out_shape=out, compiler_params=plt.CompilerParams()), args)


def main() -> None:
    import importlib.metadata

    record = {
        "versions": {"jax": importlib.metadata.version("jax")},
        "has_rule": has_rule(),
        "refused_dtypes": refused_dtypes(),
        "refused_casts": refused_casts(),
        "takes": {spec_id(spec): takes(spec) for spec in (*askable(), *kernels())},
    }
    RECORDED.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
