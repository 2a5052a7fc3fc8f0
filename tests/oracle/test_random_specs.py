"""Random kernels through every stage, for every chip: each ends in a capture or a diagnostic, never in a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.chips.load import list_chips
from pipeline.oracles.random_kernel import random_kernel
from pipeline.spec.load import parse_specs
from pipeline.stages import run_spec

TARGETS = ", ".join(f'"{name}"' for name in list_chips())


@pytest.mark.parametrize("seed", range(1000, 1040))
def test_no_stage_breaks(seed: int) -> None:
    text = random_kernel(seed)
    assert 'targets = ["v5e"]' in text
    [spec] = parse_specs(text.replace('targets = ["v5e"]', f"targets = [{TARGETS}]"), Path("random.toml"))
    results = list(run_spec(spec, spec.targets))
    assert [result.bug for result in results if result.bug is not None] == []
    assert any(result.status == "ok" and result.text is not None for result in results)
