"""`Chip`: what later stages know of a target, read from a profile. Plain values, no behaviour of a particular chip.

`load.py` makes one from a validated profile; a number that no source gives is None, never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pipeline.dtypes import DType


class Fact(NamedTuple):
    """One number of a profile and where it comes from: `source` is a tag of `Chip.sources`."""

    section: str
    name: str
    text: str  # value and unit as the profile writes them
    source: str
    note: str | None


class Matmul(NamedTuple):
    """Operand types the matrix unit path takes. `native`: without a conversion that costs vector slots."""

    lhs: DType
    rhs: DType
    accumulator: DType
    native: bool


class PortableTarget(NamedTuple):
    """A target that any machine can run, so that its profile states no fact of a chip."""

    name: str
    kind: str
    summary: str


@dataclass(frozen=True, slots=True)
class Chip:
    """A target chip. Sizes are per core unless the name says chip or device; a "core" is a TensorCore.

    Errors: none; `load_chip` has checked every value's unit and range.

    name:       the profile's name, what captures are named by.
    cores:      TensorCores per chip; `cores_per_device` of them work as one logical device (2: megacore).
    vmem_bytes: physical VMEM of a core as the compiler counts it; `vmem_default_limit_bytes` is the scoped limit that
                holds where the call gives no `vmem_limit_bytes`.
    word_bytes: what memory is read, written and copied in: no tile is smaller; a row of registers where none is stated.
    internal_scratch_bytes: what the compiler reserves in VMEM for relayouts, charged only if a kernel needs it.
    hbm_bytes_per_second, peaks: of the whole chip; `peaks` is operations a second by operand dtype's name.
    clock_hz:   derived where no source states it (the fact's note says how), else None.
    slots:      issue capacity per bundle by unit: mxu xlu valu vpop eup vload vstore salu, vload_vstore together,
                valu_add and valu_mul of the valu.
    cycles:     latencies and occupancies by name, in cycles; `latency()` reads one.
    loads_per_window: vector loads that the pipeline's code makes for a window in a step.
    copy_tiles: tiles that one trip of a copy's loop within VMEM takes, where there are as many.
    inputs_kept_bytes: the compiler places whole inputs in VMEM before the call while they take no more than this, with
                the default limit.
    vector_dtypes, transcendental_dtypes: what the vector ALU and the transcendental unit compute in natively.
    *_dtypes (the others): what the compiler accepts for add, sub and mul (arithmetic), ordering comparisons, equality,
                reductions, loads and stores (memory), whether or not it converts first.
    matmuls:    what the matrix unit path takes; the first row that fits an operand pair holds.
    features:   abilities that not every generation has, e.g. "sublane_gather".
    costs:      path of the profile's table of instruction counts per tile, None where it has none.
    ops:        path of the profile's table of the elements each op takes, None where it has none.
    """

    name: str
    kind: str
    summary: str
    device_kind: str
    generation: int
    cores: int
    cores_per_device: int
    lanes: int
    sublanes: int
    vector_registers: int | None
    vector_masks: int | None
    mxu_count: int
    mxu_size: int
    mxu_accumulators: int | None
    mxu_staged_weights: int
    mxu_rows_per_cycle: tuple[tuple[str, int], ...]
    vmem_bytes: int
    vmem_default_limit_bytes: int
    word_bytes: int
    internal_scratch_bytes: int
    smem_bytes: int
    smem_reserved_bytes: int
    semaphore_bytes: int
    semaphore_reserved_bytes: int
    hbm_bytes: int
    hbm_available_bytes: int | None
    hbm_bytes_per_second: float | None
    clock_hz: float | None
    peaks: tuple[tuple[str, float], ...]
    slots: tuple[tuple[str, int], ...]
    cycles: tuple[tuple[str, int], ...]
    inputs_kept_bytes: int
    loads_per_window: int
    copy_tiles: int
    dma_latency_cycles: int | None
    vector_dtypes: tuple[DType, ...]
    transcendental_dtypes: tuple[DType, ...]
    arithmetic_dtypes: tuple[DType, ...]
    comparison_dtypes: tuple[DType, ...]
    equality_dtypes: tuple[DType, ...]
    reduction_dtypes: tuple[DType, ...]
    memory_dtypes: tuple[DType, ...]
    features: tuple[str, ...]
    matmuls: tuple[Matmul, ...]
    costs: str | None
    ops: str | None
    sources: tuple[tuple[str, str], ...]
    facts: tuple[Fact, ...]

    @property
    def hbm_bytes_per_cycle(self) -> float | None:
        """HBM bytes per clock cycle and core, at the published peak; None where clock or bandwidth is unknown."""
        if self.clock_hz is None or self.hbm_bytes_per_second is None:
            return None
        return self.hbm_bytes_per_second / self.cores / self.clock_hz

    def peak(self, dtype: str) -> float | None:
        """Peak operations a second of the whole chip for operands of `dtype` (a dtype's name), None if unknown."""
        return dict(self.peaks).get(dtype)

    def slot(self, unit: str) -> int | None:
        """Issue capacity of `unit` per bundle, None where the profile does not say."""
        return dict(self.slots).get(unit)

    def latency(self, name: str) -> int | None:
        """A latency or occupancy in cycles, None where the profile does not say."""
        return dict(self.cycles).get(name)
