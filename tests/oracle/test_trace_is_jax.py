"""The trace stage says what JAX's own trace of the same source says."""

from __future__ import annotations

import pytest

from pipeline.oracles.compare import call_difference
from pipeline.oracles.jax_bridge import kernel_calls
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.oracles.spec_to_jax import dynamic_bounds, spec_to_jax
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace


@pytest.mark.parametrize("spec", shipped_specs(), ids=spec_id)
def test_same_trace(spec: Spec) -> None:
    [theirs] = kernel_calls(*spec_to_jax(spec), dynamic_bounds(spec))
    difference = call_difference(trace(spec), theirs)
    assert difference is None
