"""Where a call stands under a chip's roofs: bytes against bandwidth, contractions against the matrix unit, the body's
bundles, the pipeline's overhead. All in cycles of one core, so that the largest says what binds. Where the cores of a
device share the grid, operations and bytes are those of all."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from pipeline.chips.chip import Chip
from pipeline.ir.call import KernelCall
from pipeline.schedule.result import Schedule
from pipeline.simulate.counts import HIGHEST_PASSES, Counts, count_jaxpr
from pipeline.simulate.timing import Timeline, copy_cycles


@dataclass(frozen=True, slots=True)
class Roofline:
    """counted: "as executed" or "from the text" (a left-out run: branches taken, one trip of a `while`).

    bytes:     HBM bytes moved, pipeline's and body's own copies, padding included.
    ridge:     flops a byte at which the matrix unit's peak meets the bandwidth; None where a peak is unknown.
    roofs:     (what, cycles), for the roofs that the profile has numbers for.
    """

    counted: str
    contractions: tuple[tuple[str, int], ...]
    vector: int
    bytes: int
    ridge: float | None
    ridge_dtype: str | None
    matrix_cycles: int | None
    roofs: tuple[tuple[str, int], ...]

    @property
    def flops(self) -> int:
        return sum(n for _, n in self.contractions) + self.vector

    @property
    def intensity(self) -> float | None:
        """Operations a byte; None if nothing is moved."""
        return self.flops / self.bytes if self.bytes else None

    @property
    def bound(self) -> str | None:
        """The highest roof; None where none is known."""
        return max(self.roofs, key=lambda roof: roof[1])[0] if self.roofs else None


def make_roofline(
    call: KernelCall, schedule: Schedule, chip: Chip, timeline: Timeline | None, counts: Counts | None, own_bytes: int
) -> Roofline:
    """`counts` as executed, or None to count the body's text for every step."""
    how = "as executed"
    if counts is None:
        how = "from the text"
        counts = Counts()
        counts.add(count_jaxpr(call.body), prod(call.grid))
    cores = timeline.cores if timeline is not None else 1
    moved = (
        timeline.hbm_bytes
        if timeline is not None
        else own_bytes + schedule.pipeline.bytes_in + schedule.pipeline.bytes_out
    )
    contractions = tuple(sorted((name, n) for name, n in counts.contractions.items() if n))
    matrix = _matrix_cycles(chip, contractions, cores)
    ridge_dtype = max(contractions, key=lambda c: c[1])[0] if contractions else None
    ridge = _ridge(chip, ridge_dtype)
    roofs: list[tuple[str, int]] = []
    memory = copy_cycles(chip, -(-moved // cores))
    if memory is not None:
        roofs.append(("memory", memory))
    if matrix:
        roofs.append(("matrix unit", matrix))
    if schedule.estimate is not None:
        steps = timeline.steps if timeline is not None else schedule.pipeline.steps
        overhead = schedule.estimate.overhead_bundles
        roofs.append((f"body ({schedule.estimate.bound})", (schedule.estimate.bundles - overhead) * steps))
        roofs.append(("step overhead", overhead * steps))
    return Roofline(how, contractions, counts.vector, moved, ridge, ridge_dtype, matrix, tuple(roofs))


def _peak(chip: Chip, dtype: str) -> float | None:
    """Peak of the matrix unit for operands of `dtype`; full f32 takes six passes of bf16, fp8 falls back to bf16."""
    known = chip.peak(dtype)
    if known is not None:
        return known
    bf16 = chip.peak("bfloat16")
    if bf16 is None:
        return None
    if dtype == "float32":
        return bf16 / HIGHEST_PASSES
    return bf16 if dtype.startswith("float8") or dtype == "bfloat16" else None


def _matrix_cycles(chip: Chip, contractions: tuple[tuple[str, int], ...], cores: int) -> int | None:
    """Cycles of each of `cores` cores at its share of the peak; None where clock or a peak is unknown."""
    total = 0
    for name, flops in contractions:
        peak = _peak(chip, name)
        if peak is None or chip.clock_hz is None:
            return None
        total += -(-flops * chip.cores * round(chip.clock_hz) // (cores * round(peak)))
    return total


def _ridge(chip: Chip, dtype: str | None) -> float | None:
    peak = _peak(chip, dtype or "bfloat16")
    if peak is None or chip.hbm_bytes_per_second is None:
        return None
    return peak / chip.hbm_bytes_per_second
