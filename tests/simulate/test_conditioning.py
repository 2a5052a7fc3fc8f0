"""Kernels that carry their own roundings far: right ones pass, wrong ones of the same kind do not, and by how much the
tolerance is more than the error."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.simulate.data import make_inputs
from pipeline.simulate.functional import Functional, run_functional
from pipeline.simulate.reference import evaluate
from pipeline.simulate.tolerance import compare
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace

SPEC = """
name = "k"
summary = "a test"
targets = ["v5e"]
[kernel]
source = '''
def kernel(x_ref, y_ref, o_ref):
    x, y = x_ref[...], y_ref[...]
    o_ref[...] = ({body}).astype(o_ref.dtype)
'''
[grid]
shape = [2]
[[inputs]]
name = "x"
shape = [64, 128]
dtype = "{dtype}"
block = [32, 128]
index_map = "lambda i: (i, 0)"
data = {{ kind = "normal", std = 4.0, seed = 0 }}
[[inputs]]
name = "y"
shape = [64, 128]
dtype = "{dtype}"
block = [32, 128]
index_map = "lambda i: (i, 0)"
data = {{ kind = "normal", seed = 1 }}
[[outputs]]
name = "o"
shape = [64, 128]
dtype = "float32"
block = [32, 128]
index_map = "lambda i: (i, 0)"
[simulate]
reference = "lambda x, y: {reference}"
"""

# (body, reference, the same with a mistake of the kind that such kernels have)
GROWS = [
    ("jnp.exp(5.3 * x)", "exp(5.3 * x)", "exp(5.31 * x)"),
    ("jnp.sin(97.0 * x) + jnp.cos(97.0 * y)", "sin(97 * x) + cos(97 * y)", "sin(97.1 * x) + cos(97 * y)"),
    ("(3.3 * x) ** 30", "(3.3 * x) ** 30", "(3.3 * x) ** 29"),
    ("(0.1 * x + 100.0) - 100.0", "0.1 * x", "0.101 * x"),
    (
        "jax.nn.softmax(jnp.dot(x, x.T), axis=-1)[:, 0:1] + 0 * y",
        "concatenate([softmax(x[0:32] @ x[0:32].T, axis=-1)[:, 0:1], softmax(x[32:] @ x[32:].T, axis=-1)[:, 0:1]])"
        " + 0 * y",
        "concatenate([softmax(x[0:32] @ x[0:32].T / 30, axis=-1)[:, 0:1], softmax(x[32:] @ x[32:].T / 30, axis=-1)"
        "[:, 0:1]]) + 0 * y",
    ),
    ("jnp.exp(jnp.sum(x * y, axis=1, keepdims=True)) + 0 * y", "exp(sum(x * y, axis=1, keepdims=True)) + 0 * y",
     "exp(sum(x * y, axis=1, keepdims=True)) + 1e-2 * y"),
]  # fmt: skip


def functional(tmp_path, body, reference, dtype="float32") -> Functional:
    path = tmp_path / "k.toml"
    path.write_text(SPEC.format(body=body, reference=reference, dtype=dtype), encoding="utf-8")
    (spec,) = load_specs(path)
    return run_functional(spec, trace(spec))


@pytest.mark.parametrize(("body", "right", "wrong"), GROWS, ids=[body for body, *_ in GROWS])
def test_roundings_that_grow_are_no_mistake_and_a_mistake_stays_one(tmp_path, body, right, wrong):
    (check,) = functional(tmp_path, body, right).outputs
    assert check.comparison.outside == 0
    failing = functional(tmp_path, body, wrong)
    assert failing.outputs[0].comparison.outside > 0
    assert [f.code for f in failing.findings] == ["R401"]
    # what fails is told with the tolerance that dtypes alone give
    assert "grown" not in failing.outputs[0].tolerance.why


@pytest.mark.parametrize(("body", "reference"), [row[:2] for row in GROWS[:2]], ids=[body for body, *_ in GROWS[:2]])
def test_a_grown_tolerance_is_near_the_error(tmp_path, body, reference):
    found = functional(tmp_path, body, reference)
    (check,) = found.outputs
    assert "roundings grown" in check.tolerance.why
    got = found.values["o"].astype(np.float64)
    (spec,) = load_specs(tmp_path / "k.toml")
    (want,) = evaluate(spec.reference, make_inputs(spec), {})
    # 64 times less would not do
    assert compare(got, want, replace(check.tolerance, bound=check.tolerance.bound / 64)).outside > 0


def test_roundings_to_a_narrow_dtype_grow_too(tmp_path):
    body = "jnp.exp((x * 2).astype(jnp.bfloat16).astype(jnp.float32) * 1.5)"
    (check,) = functional(tmp_path, body, "exp(3 * x)").outputs
    assert check.comparison.outside == 0
    assert "grown" in check.tolerance.why
    assert functional(tmp_path, body, "exp(6 * x)").outputs[0].comparison.outside > 0


def test_what_rounds_nowhere_does_not_grow(tmp_path):
    """Whole numbers in floats: sums and products are exact, so no tolerance makes up for a wrong one."""
    body = "jnp.floor(x) * 4.0 + 3.0 - jnp.floor(y)"
    assert functional(tmp_path, body, "floor(x) * 4 + 3 - floor(y)").numerics_pass
    (check,) = functional(tmp_path, body, "floor(x) * 4 + 3.001 - floor(y)").outputs
    assert check.comparison.outside > 0


def test_the_tolerance_is_the_same_every_time(tmp_path):
    body, reference, _ = GROWS[0]
    first, second = (functional(tmp_path, body, reference).outputs[0].tolerance for _ in range(2))
    assert first == second


NARROW_SUM = """
name = "k"
targets = ["v6e"]
[kernel]
source = '''
def kernel(x_ref, o_ref, acc_ref):
    @pl.when(pl.program_id(0) == 0)
    def _start():
        acc_ref[...] = jnp.zeros_like(acc_ref)

    acc_ref[...] += x_ref[...]
    o_ref[...] = acc_ref[...].astype(jnp.float32)
'''
[grid]
shape = [16]
semantics = ["arbitrary"]
[[inputs]]
name = "x"
shape = [256, 128]
dtype = "bfloat16"
block = [16, 128]
index_map = "lambda i: (i, 0)"
data = { kind = "uniform", seed = 0 }
[[outputs]]
name = "o"
shape = [16, 128]
dtype = "float32"
block = [16, 128]
index_map = "lambda i: (0, 0)"
[[scratch]]
name = "acc"
kind = "vmem"
shape = [16, 128]
dtype = "bfloat16"
[simulate]
reference = "lambda x: sum(reshape(x, (16, 16, 128)), axis=0)"
"""


def test_a_narrow_accumulator_is_still_a_mistake(tmp_path):
    """What is lost between steps, in scratch of a narrow dtype, is no rounding on the way."""
    path = tmp_path / "k.toml"
    path.write_text(NARROW_SUM, encoding="utf-8")
    (spec,) = load_specs(path)
    assert [finding.code for finding in run_functional(spec, trace(spec)).findings] == ["R401"]
    path.write_text(NARROW_SUM.replace('dtype = "bfloat16"\n[simulate]', 'dtype = "float32"\n[simulate]'))
    (spec,) = load_specs(path)
    assert run_functional(spec, trace(spec)).findings == ()
