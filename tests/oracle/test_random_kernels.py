"""Kernels made at random: the same trace and the same module as JAX, or a refusal where JAX refuses too."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.chips.load import load_chip
from pipeline.errors import SpecError
from pipeline.frontend.jax_bridge import kernel_calls
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.compare import call_difference
from pipeline.oracles.compare_mosaic import module_difference
from pipeline.oracles.jax_mosaic import emit
from pipeline.oracles.random_kernel import random_kernel
from pipeline.oracles.spec_to_jax import spec_to_jax
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

SEEDS = range(100)


def spec_of(seed: int, folder: Path) -> Spec:
    path = folder / f"random_{seed}.toml"
    path.write_text(random_kernel(seed), encoding="utf-8")
    [spec] = load_specs(path)
    return spec


@pytest.mark.parametrize("seed", SEEDS)
def test_same_trace(seed: int, tmp_path: Path) -> None:
    spec = spec_of(seed, tmp_path)
    [theirs] = kernel_calls(*spec_to_jax(spec))
    difference = call_difference(trace(spec), theirs)
    assert difference is None


@pytest.mark.parametrize("seed", SEEDS)
def test_same_module_or_both_refuse(seed: int, tmp_path: Path) -> None:
    spec = spec_of(seed, tmp_path)
    chip = load_chip("v5e")
    try:
        [theirs] = emit(*spec_to_jax(spec), "v5e")
    except Exception:  # what JAX can't lower, we must not bless
        with pytest.raises(SpecError):
            lower(trace(spec), chip)
    else:
        difference = module_difference(print_mosaic(lower(trace(spec), chip)), theirs)
        assert difference is None


def test_the_same_seed_gives_the_same_text() -> None:
    assert random_kernel(1) == random_kernel(1) != random_kernel(2)
