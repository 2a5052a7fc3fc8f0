"""The bundles of the shipped kernels' steps, ours and what libtpu schedules of the same text now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from pipeline.chips.load import load_chip
from pipeline.errors import Severity, SpecError
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.libtpu import Job
from pipeline.oracles.libtpu_bundles import step_bundles
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.schedule.schedule import schedule
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

CHIPS = ("v4", "v5e", "v5p", "v6e", "7x")
_BATCH = 20  # kernels for one process of the compiler


class Compared(NamedTuple):
    name: str
    chip: str
    ours: int
    said: int


def kernels() -> list[Spec]:
    """The shipped specs that are no exhibits, variants included."""
    return [spec for spec in shipped_specs() if spec.expect is None and "exhibits" not in spec.folder.parts]


def compare(pairs: Iterable[tuple[Spec, str]]) -> Iterator[Compared]:
    """Ours beside the compiler's, for specs with chips, whether declared or not; none where the kernel is not legal.

    Raises RuntimeError if the compiler's process fails.
    """
    jobs = _jobs(pairs)
    while batch := list(islice(jobs, _BATCH)):
        counts = step_bundles([job for *_, job in batch])
        for (name, chip, ours, _), count in zip(batch, counts, strict=True):
            if count is not None:
                yield Compared(name, chip, ours, count.bundles)


def _jobs(pairs: Iterable[tuple[Spec, str]]) -> Iterator[tuple[str, str, int, Job]]:
    for spec, name in pairs:
        call, chip = trace(spec), load_chip(name)
        try:
            module = lower(call, chip)
        except SpecError:
            continue  # not for this chip
        found = schedule(call, module, chip)
        if found.estimate is None or any(finding.severity is Severity.ERROR for finding in found.findings):
            continue
        yield spec_id(spec), name, found.estimate.bundles, Job.of(call, name, print_mosaic(module))
