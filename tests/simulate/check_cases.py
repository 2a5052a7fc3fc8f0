"""Small kernels that fail a check, or nearly do: what checkify says of each is in data/checkify.json.

    python -m tests.simulate.check_cases          (needs the `oracle` extra)

writes it anew.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec

RECORD = Path(__file__).parent / "data" / "checkify.json"
EXHIBITS = Path(__file__).parents[2] / "specs" / "exhibits"
SHOWN = ("row_that_is_all_masked", "mean_of_an_empty_group", "failing_check", "lookup_past_the_end")
SPEC = """
name = "k"
targets = ["interpret"]

[kernel]
source = '''
def kernel(x_ref, i_ref, o_ref):
    x, i, n = x_ref[...], i_ref[...], pl.program_id(0)
    {body}
'''

[grid]
shape = [2]

[[inputs]]
name = "x"
shape = [16, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda n: (n, 0)"
data = {{ kind = "uniform", low = {low}, high = 3.0, seed = 0 }}

[[inputs]]
name = "i"
shape = [16, 128]
dtype = "int32"
block = [8, 128]
index_map = "lambda n: (n, 0)"
data = {{ kind = "integers", low = {least}, high = {most}, seed = 1 }}

[[outputs]]
name = "o"
shape = [16, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda n: (n, 0)"
"""
# name -> body, least x, range of i
CASES: dict[str, tuple[str, float, tuple[int, int]]] = {
    "log_of_positive": ("o_ref[...] = jnp.log(x)", 0.5, (0, 8)),
    "log_of_negative": ("o_ref[...] = jnp.log(x)", -1.0, (0, 8)),
    "sqrt_of_negative": ("o_ref[...] = jnp.sqrt(x)", -1.0, (0, 8)),
    "rsqrt_of_negative": ("o_ref[...] = jax.lax.rsqrt(x)", -1.0, (0, 8)),
    "nan_made_and_dropped": ("o_ref[...] = jnp.where(x > 0, jnp.log(x), 0.0)", -1.0, (0, 8)),
    "infinity_less_infinity": ("y = jnp.where(i == 3, jnp.inf, x); o_ref[...] = y - y", 0.5, (0, 8)),
    "zero_times_infinity": ("y = jnp.where(i == 3, jnp.inf, 1.0); o_ref[...] = y * 0.0", 0.5, (0, 8)),
    "sine_of_infinity": ("y = jnp.where(i == 3, jnp.inf, 1.0); o_ref[...] = jnp.sin(y)", 0.5, (0, 8)),
    "sum_of_both_infinities": ("y = jnp.where(i == 3, jnp.inf, jnp.where(i == 4, -jnp.inf, x)); "
                               "o_ref[...] = x + jnp.sum(y)", 0.5, (0, 8)),
    "product_of_infinities": ("y = jnp.where(i == 3, jnp.inf, 0.0); "
                              "o_ref[...] = jnp.dot(y, y.T @ x)", 0.5, (0, 8)),
    "overflow": ("o_ref[...] = jnp.exp(x * 100)", 0.5, (0, 8)),
    "cast_overflow": ("o_ref[...] = (x * 3e38).astype(jnp.bfloat16).astype(jnp.float32)", 1.2, (0, 8)),
    "power_of_negative": ("o_ref[...] = x ** 0.5", -1.0, (0, 8)),
    "in_the_second_step": ("y = jnp.where(n == 1, -x, x); o_ref[...] = jnp.log(y)", 0.5, (0, 8)),
    "in_a_branch_not_taken": ("o_ref[...] = jax.lax.cond(n > 5, lambda: jnp.log(-x), lambda: x)", 0.5, (0, 8)),
    "in_a_loop": ("o_ref[...] = jax.lax.fori_loop(0, 3, lambda k, y: jnp.log(y), x)", 0.5, (0, 8)),
    "floats_over_zero": ("o_ref[...] = x / i.astype(jnp.float32)", 0.5, (0, 8)),
    "zero_over_zero": ("y = i.astype(jnp.float32); o_ref[...] = y / y", 0.5, (0, 8)),
    "integers_over_zero": ("o_ref[...] = (17 // i).astype(jnp.float32)", 0.5, (0, 8)),
    "integers_over_others": ("o_ref[...] = (17 // i).astype(jnp.float32)", 0.5, (1, 8)),
    "division_made_safe": ("o_ref[...] = 1.0 / jnp.where(i == 0, 1, i).astype(jnp.float32)", 0.5, (0, 8)),
    "slice_past_the_end": ("o_ref[...] = x + jax.lax.dynamic_slice(x, (n * 5, 0), (4, 128)).sum()", 0.5, (0, 8)),
    "slice_that_fits": ("o_ref[...] = x + jax.lax.dynamic_slice(x, (n * 4, 0), (4, 128)).sum()", 0.5, (0, 8)),
    "update_past_the_end": ("o_ref[...] = jax.lax.dynamic_update_slice(x, x[:4], (n * 5, 0))", 0.5, (0, 8)),
    "gather_past_the_end": ("o_ref[...] = jnp.take_along_axis(x, i, axis=1)", 0.5, (100, 140)),
    "gather_before_the_start": ("o_ref[...] = jnp.take_along_axis(x, i, axis=1, mode='fill')", 0.5, (-200, 10)),
    "gather_from_the_end": ("o_ref[...] = jnp.take_along_axis(x, i, axis=1)", 0.5, (-20, 10)),
    "gather_that_clips": ("o_ref[...] = jnp.take_along_axis(x, i, axis=1, mode='clip')", 0.5, (100, 140)),
    "check_that_holds": ("pl.debug_check(jnp.all(x > 0), 'positive'); o_ref[...] = x", 0.5, (0, 8)),
    "check_that_fails": ("pl.debug_check(jnp.all(x > 1), 'above 1'); o_ref[...] = x", 0.5, (0, 8)),
    "check_in_a_branch": ("pl.when(n == 1)(lambda: pl.debug_check(jnp.all(x > 1), 'above 1')); o_ref[...] = x",
                          0.5, (0, 8)),
    "second_check_fails": ("pl.debug_check(jnp.all(x > 0), 'first'); pl.debug_check(n < 1, 'second'); o_ref[...] = x",
                           0.5, (0, 8)),
}  # fmt: skip


def case(name: str, folder: Path) -> Spec:
    """A case as a spec, or the exhibit of that name."""
    if name not in CASES:
        return load_specs(EXHIBITS / f"{name}.toml")[0]
    body, low, (least, most) = CASES[name]
    path = folder / f"{name}.toml"
    path.write_text(SPEC.format(body=body.replace("; ", "\n    "), low=low, least=least, most=most), encoding="utf-8")
    return load_specs(path)[0]


def asked() -> dict[str, Any]:
    """What checkify says of each, with its version."""
    import jax

    from pipeline.oracles.checkify import checkified

    with tempfile.TemporaryDirectory() as folder:
        said = {name: checkified(case(name, Path(folder))) for name in (*CASES, *SHOWN)}
    return {"versions": {"jax": jax.__version__}, "said": said}


if __name__ == "__main__":
    RECORD.write_text(json.dumps(asked(), indent=1) + "\n", encoding="utf-8")
