"""Every shipped spec that has parallel axes gives the same numbers in every order, on any number of cores."""

from __future__ import annotations

from functools import cache
from math import prod
from pathlib import Path

import numpy as np
import pytest

from pipeline.ir.call import KernelCall
from pipeline.simulate.cores import shares
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import Run, execute
from pipeline.simulate.functional import run_functional
from pipeline.simulate.machine import Filling
from pipeline.simulate.mode import Mode, parallel_axes
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

ROOT = Path(__file__).parents[2] / "specs"
FILES = [p for p in sorted(ROOT.rglob("*.toml")) if not {"chips", "exhibits"}.intersection(p.relative_to(ROOT).parts)]
MODES = [
    Mode("reversed"),
    Mode("shuffled", 5),
    Mode(cores=2),
    Mode("shuffled", 3, eager=True, cores=2),
    Mode("reversed", 1, cores=3),
]


def parallel_specs() -> list[Spec]:
    """The first variant of each file that has parallel axes, by its text."""
    found = []
    for path in FILES:
        if "parallel" in path.read_text(encoding="utf-8"):
            found += [spec for spec in load_specs(path)[:1] if parallel_axes(spec.grid, spec.semantics)]
    return found


SPECS = parallel_specs()


@cache
def ordinary(name: str) -> tuple[KernelCall, dict[str, np.ndarray], Run]:
    (spec,) = (spec for spec in SPECS if spec.name == name)
    call, inputs = trace(spec), make_inputs(spec)
    return call, inputs, execute(call, inputs)


def test_there_are_some() -> None:
    assert len(SPECS) >= 50


@pytest.mark.parametrize("mode", MODES, ids=lambda m: f"{m.order}-{m.seed}-{'eager' if m.eager else 'late'}-{m.cores}")
@pytest.mark.parametrize("name", [spec.name for spec in SPECS])
def test_the_same_numbers(name: str, mode: Mode) -> None:
    call, inputs, first = ordinary(name)
    run = execute(call, inputs, mode=mode)
    assert run.finished and run.findings == first.findings
    for output, got in run.outputs.items():
        assert np.array_equal(got.view(np.uint8), first.outputs[output].view(np.uint8)), output
    assert {o: None if m is None else m.sum() for o, m in run.written.items()} == {
        o: None if m is None else m.sum() for o, m in first.written.items()
    }
    if sum(1 for core in shares(call, mode) for _ in core) == prod(call.grid):  # else a core runs step 0 again
        assert run.counts == first.counts
        assert (run.copied_in, run.copied_out) == (first.copied_in, first.copied_out)


@pytest.mark.parametrize("filling", [Filling(padding=False, memory=False), Filling(seed=1)], ids=["zero", "random"])
@pytest.mark.parametrize("name", ["decode_attention", "matmul", "partial_blocks", "cross_entropy"])
def test_what_memory_holds_does_not_matter_on_cores(name: str, filling: Filling) -> None:
    call, inputs, first = ordinary(name)
    run = execute(call, inputs, filling, mode=Mode("shuffled", 2, cores=2))
    for output, got in run.outputs.items():
        mask = first.written[output]
        same = got.view(np.uint8) == first.outputs[output].view(np.uint8)
        assert same.all() if mask is None else same.reshape(*got.shape, -1)[mask].all()


def exhibit(name: str, fixed: bool = False) -> Spec:
    (spec,) = load_specs(ROOT / "exhibits" / ("fixed" if fixed else "") / f"{name}.toml")
    return spec


@pytest.mark.parametrize(
    ("name", "mode", "code"),
    [
        ("scratch_over_a_parallel_axis", Mode(cores=2), "R323"),  # the second core's scratch is uninitialised
        ("prefetch_over_a_parallel_axis", Mode(cores=2), "R310"),  # and waits for a copy that nobody started there
        ("scratch_over_a_parallel_axis", Mode("reversed"), "R401"),
        ("steps_share_a_block", Mode("reversed"), "R401"),
    ],
)
def test_a_race_shows_in_the_numbers_of_some_mode(name: str, mode: Mode, code: str) -> None:
    spec = exhibit(name)
    ordinary_run = run_functional(spec, trace(spec))
    assert {f.code for f in ordinary_run.findings} == {spec.expect} and ordinary_run.numerics_pass
    assert code in {f.code for f in run_functional(spec, trace(spec), mode).findings}
    twin = exhibit(name, fixed=True)
    assert run_functional(twin, trace(twin), mode).findings == ()


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("order", ["sequential", "reversed", "shuffled"])
@pytest.mark.parametrize(
    "name", ["attention/paged_attention_dma", "move/ragged_copy", "hbm_copy", "move/table_to_smem"]
)
def test_copies_that_land_early_and_memory_of_any_kind(name: str, order: str, cores: int) -> None:
    """Kernels with copies of their own: when a copy lands and what memory holds makes no difference, in any order."""
    (spec,) = load_specs(ROOT / f"{name}.toml")[:1]
    call, inputs = trace(spec), make_inputs(spec)
    first = execute(call, inputs)
    for eager in (False, True):
        for filling in (Filling(), Filling(padding=False, memory=False), Filling(seed=3)):
            run = execute(call, inputs, filling, mode=Mode(order, 4, eager, cores=cores))
            assert run.finished and not run.findings
            for output, got in run.outputs.items():
                mask = first.written[output]
                same = got.view(np.uint8) == first.outputs[output].view(np.uint8)
                assert same.all() if mask is None else same.reshape(*got.shape, -1)[mask].all()
