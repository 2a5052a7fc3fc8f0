"""The trace stage says what JAX's own trace of the same source says."""

from __future__ import annotations

import pytest

from pipeline.errors import SpecError
from pipeline.frontend.jax_bridge import kernel_calls
from pipeline.oracles.compare import call_difference
from pipeline.oracles.shipped import shipped_specs, spec_id, untraceable_specs
from pipeline.oracles.spec_to_jax import dynamic_bounds, spec_to_jax
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

# JAX's trace lets these pass: limits of ours (T102, T105, T111, T112, T217), or what it says later if at all (T206,
# T210, T218), and kernels as jaxpr text are no Python (T901 to T903).
OURS_ALONE = frozenset({"T102", "T105", "T111", "T112", "T206", "T210", "T217", "T218", "T901", "T902", "T903"})
NEVER_ENDS = "T110"  # and JAX would not stop it


@pytest.mark.parametrize("spec", shipped_specs(), ids=spec_id)
def test_same_trace(spec: Spec) -> None:
    [theirs] = kernel_calls(*spec_to_jax(spec), dynamic_bounds(spec))
    difference = call_difference(trace(spec), theirs)
    assert difference is None


@pytest.mark.parametrize("spec", [one for one in untraceable_specs() if one.expect != NEVER_ENDS], ids=spec_id)
def test_both_refuse_to_trace(spec: Spec) -> None:
    with pytest.raises(SpecError) as ours:
        trace(spec)
    assert {one.code for one in ours.value.diagnostics} == {spec.expect}
    if spec.expect not in OURS_ALONE:
        with pytest.raises(Exception):  # noqa: B017  (a Python error of any class, the kernel's own among them)
            kernel_calls(*spec_to_jax(spec), dynamic_bounds(spec))
