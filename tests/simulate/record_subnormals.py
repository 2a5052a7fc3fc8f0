"""Records what JAX computes of numbers below the smallest normal one, which XLA on a CPU takes for zeros in arithmetic.

    python tests/simulate/record_subnormals.py          (needs the `oracle` extra)

writes data/subnormals.json in the form of data/primitives.json. `rem` and `nextafter` are left out: XLA's steps inside
them take some of their operands for zeros, and others not.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax
from record_jax import HERE, VERSIONS, record

TINY = float(np.finfo(np.float32).tiny)
X = np.array([1e-40, -1e-40, 1.5 * TINY, -1.25 * TINY, TINY, 1e-44, -TINY / 2, 1.0, -0.0, 3e38], np.float32)
Y = np.array([0.75, 1e-40, -TINY, 1e-41, -1e-45, 2.0, TINY / 4, -1e-39, 1e-42, 0.5], np.float32)
F16 = np.array([6e-8, -3e-5, 6.2e-5, 1.0, -6e-5, 0.0, 1e-6, -1e-7], np.float16)
OF_ONE = {
    "neg": lax.neg, "abs": lax.abs, "sign": lax.sign, "floor": lax.floor, "ceil": lax.ceil, "sqrt": lax.sqrt,
    "log": lambda x: lax.log(lax.abs(x)), "square": lax.square, "is_finite": lax.is_finite,
    "half": lambda x: x * np.float32(0.5), "to_bf16": lambda x: x.astype(jnp.bfloat16),
    "to_f16": lambda x: x.astype(jnp.float16), "to_i32": lambda x: x.astype(jnp.int32),
    "to_bool": lambda x: x.astype(jnp.bool_), "sum": lambda x: lax.reduce_sum(x[1:3], (0,)),
    "largest": lambda x: lax.reduce_max(-lax.abs(x[:2]), (0,)),
}  # fmt: skip
OF_TWO = {
    "add": lax.add, "sub": lax.sub, "mul": lax.mul, "div": lax.div, "max": lax.max, "min": lax.min, "eq": lax.eq,
    "lt": lax.lt, "select": lambda x, y: lax.select(y > 0.25, x, y),
    "product": lambda x, y: lax.dot_general(x[:2], y[:2], (((0,), (0,)), ((), ()))),
}  # fmt: skip


def cases() -> dict[str, tuple[Callable[..., Any], ...]]:
    """(function, arguments) by name."""
    found: dict[str, Any] = {name: (function, X) for name, function in OF_ONE.items()}
    found |= {name: (function, X, Y) for name, function in OF_TWO.items()}
    found |= {f"{name}-{d.__name__}": (OF_ONE[name], X.astype(d)) for name in ("neg", "abs") for d in (jnp.bfloat16,)}
    found["half-bfloat16"] = (lambda x: x * jnp.bfloat16(0.5), X.astype(jnp.bfloat16))
    found["half-float16"] = (lambda x: x * np.float16(0.5), F16)
    found["to_f32-float16"] = (lambda x: x.astype(jnp.float32), F16)
    return found


def main() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        entries = [record(name, *case) for name, case in cases().items()]
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    path = HERE / "subnormals.json"
    path.write_text(f'{{"versions": {json.dumps(VERSIONS)}, "entries": [\n{lines}\n]}}\n')
    print(len(entries), path.stat().st_size)


if __name__ == "__main__":
    main()
