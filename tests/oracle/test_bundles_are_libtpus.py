"""The bundle schedule of the shipped kernels against schedules that libtpu makes of our text now."""

from __future__ import annotations

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.libtpu import Job
from pipeline.oracles.libtpu_bundles import step_bundles
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.schedule.schedule import schedule
from pipeline.trace.trace import trace


def test_bundles_of_the_shipped_kernels() -> None:
    """On v5e: half within 10 %, nine in ten within 35 %. The kernels are ones that nothing was fitted to.

    Left out: kernels with copies or loops of their own, and those of 200 bundles or fewer, where the scalar code around
    the body decides.
    """
    jobs, ours = [], []
    for spec in shipped_specs():
        if spec.expect is not None:
            continue
        call = trace(spec)
        for target in spec.targets:
            if target.name != "v5e":
                continue
            chip = load_chip(target)
            module = lower(call, chip)
            found = schedule(call, module, chip).estimate
            assert found is not None
            text = print_mosaic(module)
            if any(own in text for own in ("tpu.enqueue_dma", "scf.for", "scf.while")) or len(call.operands) < 2:
                continue
            jobs.append(Job.of(call, chip.name, text))
            ours.append((f"{spec_id(spec)} on {chip.name}", found.bundles))
    errors = {
        name: abs(bundles / theirs.bundles - 1)
        for (name, bundles), theirs in zip(ours, step_bundles(jobs), strict=True)
        if theirs is not None and theirs.bundles > 200
    }
    assert len(errors) >= 8
    ordered = sorted(errors.values())
    assert ordered[len(ordered) // 2] <= 0.10, errors
    assert ordered[len(ordered) * 9 // 10] <= 0.35, errors
