"""Our StableHLO, by jaxlib and XLA: parsed, verified, printed back the same way, and run to our executor's numbers."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.errors import Severity
from pipeline.ir.call import KernelCall, Role
from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.lower.stablehlo.lower import lower, lower_function
from pipeline.lower.stablehlo.text import print_stablehlo
from pipeline.oracles.random_kernel import random_kernel
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.oracles.verify import UNKNOWN, verify_against_xla
from pipeline.oracles.xla import outside, reprint, run, verify_call, verify_spec
from pipeline.simulate.executor import execute
from pipeline.simulate.numerics.dtypes import numpy_dtype
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "simulate"), str(TESTS / "lower"), str(TESTS / "stablehlo")]

from simulate_records import entries, kernel, read_array  # noqa: E402
from stablehlo_cases import CHAINS, chain_spec  # noqa: E402

from pipeline.oracles.call_data import read_call  # noqa: E402

PRIMITIVES = {**entries("primitives"), **entries("edges")}
# no numbers: too much memory or work, a loop without end, a copy of no one shape
NO_NUMBERS = {"R101", "R103", "R104", "R304"}
SPECS = [
    pytest.param(spec, id=spec_id(spec))
    for spec in shipped_specs()
    if NO_NUMBERS.isdisjoint((spec.expect, *spec.expects_also))
]
CALLS: dict[str, Any] = json.loads((TESTS / "lower" / "recorded.json").read_text(encoding="utf-8"))["kernels"]
# the kernel's memory is read before it is there, or its loop never ends: there is no one answer
NO_ONE_ANSWER = {
    "revisit": "R3",
    "read_too_early": "R3",
    "overwrite_too_early": "R3",
    "signals_dead": "R310",
    "endless": "R104",
}
BITS = {"float32": 18, "bfloat16": 7, "float16": 9}  # of agreement wanted between two libraries' transcendentals


@pytest.mark.parametrize("spec", SPECS)
def test_a_shipped_spec_gives_our_numbers(spec: Spec) -> None:
    agreement = verify_spec(spec)
    assert agreement.problems == ()
    assert agreement.finished
    assert agreement.elements > 0


NOT_RUN = [spec for spec in shipped_specs() if not NO_NUMBERS.isdisjoint((spec.expect, *spec.expects_also))]


@pytest.mark.parametrize("spec", NOT_RUN, ids=spec_id)
def test_what_is_not_run_says_why(spec: Spec) -> None:
    (layer,) = verify_against_xla(spec)
    assert layer.status == UNKNOWN
    assert re.match("not run, as the spec expects: R(101|103|104|304): ", layer.said)


@pytest.mark.parametrize("name", PRIMITIVES)
def test_a_primitive_gives_what_jax_gives(name: str) -> None:
    entry = PRIMITIVES[name]
    text = print_stablehlo(lower_function("f", parse_jaxpr(entry["program"])))
    assert reprint(text) == text
    found = run(text, [read_array(arg) for arg in entry["args"]])
    for got, want in zip(found, map(read_array, entry["out"]), strict=True):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        # JAX's exp2 multiplies by ln 2, which costs bits where x is large
        relative = 2.0 ** -BITS.get(got.dtype.name, 3) if got.dtype.kind not in "iub" else 0.0
        assert outside(got, want, relative, 1e-37) == 0


@pytest.mark.parametrize("name", entries("kernels"))
def test_a_kernel_gives_what_interpret_mode_gives(name: str) -> None:
    """Right kernels and wrong ones: what `interpret=True` computes of them, clamped indices and all."""
    call, inputs, want = kernel(name)
    text = print_stablehlo(lower(call))
    assert reprint(text) == text
    ours = execute(call, inputs)
    if not ours.finished and want is None:
        return  # a loop or a wait without end
    found = run(text, list(inputs.values()))
    if want is not None:
        assert not any(outside(a, b, 1e-5, 1e-6) for a, b in zip(found, want, strict=True))
    if name not in NO_ONE_ANSWER:
        assert [outside(a, b, 1e-5, 1e-6) for a, b in zip(found, ours.outputs.values(), strict=True)] == [0] * len(
            found
        )


def random_inputs(call: KernelCall) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    inputs: dict[str, Any] = {}
    for operand in call.operands:
        if operand.role is not Role.OUTPUT:
            dtype, shape = operand.array.dtype, operand.array.shape
            values = rng.normal(size=shape) if dtype.is_float else rng.integers(0, 2, shape)
            inputs[operand.name] = values.astype(numpy_dtype(dtype))
    return inputs


@pytest.mark.parametrize("name", CALLS)
def test_a_recorded_kernel_gives_our_numbers(name: str) -> None:
    """The corpus of the TPU lowering, with data it was not written for."""
    call = read_call(CALLS[name]["call"])
    agreement = verify_call(call, random_inputs(call))
    assert agreement.problems == ()


@pytest.mark.parametrize("ends", CHAINS, ids=["row", "window", "both"])
def test_a_copy_of_traced_size_in_a_chain_of_views_gives_our_numbers(ends: tuple[str, str]) -> None:
    """JAX's interpret mode has no such copy; its lowering to Mosaic has."""
    call = trace(chain_spec(*ends))
    agreement = verify_call(call, random_inputs(call))
    assert agreement.problems == () and agreement.elements > 0 and not agreement.lenient


def test_xla_loses_a_nan() -> None:
    """XLA's own fault, in JAX too: the larger of a NaN and a column's largest element. It is why a seed is left out."""
    import jax
    import jax.numpy as jnp

    def larger(x: Any) -> Any:
        return jnp.maximum(jnp.log(x), jnp.max(x, axis=0, keepdims=True))

    x = np.random.default_rng(0).normal(size=(32, 128)).astype(np.float32)
    assert np.isnan(larger(x)).sum() == (x < 0).sum()
    assert np.isnan(jax.jit(larger)(x)).sum() == 0


SEEDS = [seed for seed in range(60) if seed != 26]  # see above


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_kernel_gives_our_numbers(seed: int, tmp_path: Path) -> None:
    """Programs that nobody wrote for this. What the executor calls an error has no one answer and is left out."""
    path = tmp_path / f"random_{seed}.toml"
    path.write_text(random_kernel(seed), encoding="utf-8")
    [spec] = load_specs(path)
    call = trace(spec)
    inputs = random_inputs(call)
    ours = execute(call, inputs)
    faulty = any(finding.severity is Severity.ERROR for finding in ours.findings)
    text = print_stablehlo(lower(call))
    assert reprint(text) == text
    if ours.finished and not faulty:
        assert verify_call(call, inputs).problems == ()
