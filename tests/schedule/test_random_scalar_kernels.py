"""Random kernels of scalar code against the compiler's recorded schedules, by seeds that no rule was made with."""

from __future__ import annotations

import pytest
from recorded_calls import records

from pipeline.oracles.bundle_accuracy import rank_correlation, relative_errors, scalar_points
from pipeline.oracles.random_scalar_kernel import scalar_kernel

QUOTED = [record for record in records("scalar_kernels.jsonl") if record["seed"] % 2]


@pytest.mark.parametrize("chip", ["v4", "v5e", "v5p", "v6e", "7x"])
def test_odd_seeds(chip: str) -> None:
    points = scalar_points({"seed": r["seed"], "said": {chip: r["said"][chip]}} for r in QUOTED)
    ours, said = [p[1] for p in points], [p[2] for p in points]
    errors = relative_errors(ours, said)
    assert len(errors) == 40
    assert errors[len(errors) // 2] <= 0.05
    assert errors[len(errors) * 9 // 10] <= 0.18
    assert rank_correlation(ours, said) >= 0.97


def test_a_seed_is_a_kernel() -> None:
    assert scalar_kernel(3) == scalar_kernel(3) != scalar_kernel(5)
