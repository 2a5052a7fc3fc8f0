"""`Schedule` and its parts: what the schedule stage finds out about a call on a chip. Data without behaviour.

All bytes are bytes of the chip's memories, padding included, unless a field says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pipeline.dtypes import DType
from pipeline.errors import Diagnostic
from pipeline.ir.call import Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.schedule.places import Places


class Tiling(NamedTuple):
    """How an array is laid out: its last two axes (or last axis, if `rows` is None) are padded to rows x lanes."""

    rows: int | None
    lanes: int

    def __str__(self) -> str:
        return f"({self.lanes})" if self.rows is None else f"({self.rows},{self.lanes})"


class Part(NamedTuple):
    """Block indices of an operand that share grid axes, and when they change.

    moves: per grid axis, whether they change whenever that axis is the outermost one to advance; None for a part that
           is told by its table: for the indices along `axes`, in row-major order, a number for each different block.
    """

    axes: tuple[int, ...]
    moves: tuple[bool, ...] | None
    table: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Visits:
    """How the grid, walked in order, goes over an operand's blocks.

    steps:     grid steps in all.
    copies:    runs of consecutive steps on one block: the copies the pipeline makes (an upper bound unless `exact`).
    changes:   per grid axis, in how many steps the block differs from the step before, among the steps in which that
               axis is the outermost one to advance (1 + sum(changes) == copies).
    advances:  per grid axis, the number of such steps; changes[a] is 0 or advances[a] for a map that is regular there.
    visited:   number of distinct blocks; None if undecided.
    blocks:    number of blocks the array has.
    exact:     False where the map reads data (`data_dependent`) or is too large to be decided.
    parts:     of an exact map that is not regular: the block changes when one of them does.
    """

    steps: int
    copies: int
    changes: tuple[int, ...]
    advances: tuple[int, ...]
    visited: int | None
    blocks: int
    exact: bool
    data_dependent: bool
    parts: tuple[Part, ...] = ()

    @property
    def constant(self) -> bool:
        """The block stays the same over the whole grid."""
        return self.exact and self.copies <= 1

    @property
    def regular(self) -> bool:
        """Whether an axis's advance changes the block depends on the axis alone, not on where in the grid it is."""
        return self.exact and all(c in (0, a) for c, a in zip(self.changes, self.advances, strict=True))


@dataclass(frozen=True, slots=True)
class Window:
    """An operand's place in fast memory.

    position:    index into `KernelCall.operands`.
    block:       elements along each axis of the array (1 for a squeezed axis).
    tile_bytes:  one buffer slot, padded to tiles; `bytes` is all slots, rounded up as the allocator does.
    useful_bytes: one block without padding; what a reader would call its size.
    copy_bytes:  what one copy moves between HBM and the window (tiles of the HBM layout, so with its padding).
    buffers:     1 or 2 buffer slots; `buffers_why` says which rule gave the number.
    """

    operand: str
    position: int
    role: Role
    space: MemorySpace
    dtype: DType
    array: tuple[int, ...]
    block: tuple[int, ...]
    tiling: Tiling
    tile_bytes: int
    useful_bytes: int
    copy_bytes: int
    buffers: int
    buffers_why: str
    bytes: int
    visits: Visits


@dataclass(frozen=True, slots=True)
class Allocation:
    """A stretch of on-chip memory. `kind`: window, whole, scratch, internal, scoped, scalar prefetch, semaphores."""

    space: MemorySpace
    name: str
    kind: str
    offset: int
    bytes: int
    why: str


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """Use of one memory against its limits. `limit` is the one that holds: the default or the call's own.

    limit_why: "default" or "vmem_limit_bytes". `headroom` = min(limit, physical) - used; negative when it overflows.
    """

    space: MemorySpace
    used: int
    limit: int
    limit_why: str
    default_limit: int
    physical: int

    @property
    def headroom(self) -> int:
        return min(self.limit, self.physical) - self.used


class Action(NamedTuple):
    """One thing the pipeline does: `kind` is "start copy in", "wait copy in", "run body", "start copy out",
    "wait copy out"; `operand` is None for the body; `when` says in which iterations; `times` how often in all
    (an upper bound where the visits are)."""

    kind: str
    operand: str | None
    bytes: int
    when: str
    times: int


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The DMA pipeline around the body.

    overlapped: copies of neighbouring steps run beside the body (a grid of two steps or more).
    iterations: trips of the pipeline's loop: steps + 2 if overlapped (fill and drain are trips of the same loop).
    """

    steps: int
    overlapped: bool
    iterations: int
    prologue: tuple[Action, ...]
    steady: tuple[Action, ...]
    epilogue: tuple[Action, ...]

    @property
    def bytes_in(self) -> int:
        """HBM bytes read over the whole call."""
        return sum(a.bytes * a.times for a in self.prologue + self.steady if a.kind == "start copy in")

    @property
    def bytes_out(self) -> int:
        """HBM bytes written over the whole call."""
        return sum(a.bytes * a.times for a in self.steady + self.epilogue if a.kind == "start copy out")


class OpCost(NamedTuple):
    """Slot use of all ops of one family in one grid step. `tiles`: 8x128 32-bit tiles, inner loops multiplied."""

    family: str
    ops: int
    tiles: int
    slots: tuple[tuple[str, float], ...]  # unit -> unit-cycles


class SlotUse(NamedTuple):
    """Unit-cycles a step asks of a unit, the unit's capacity per bundle, and the bundles this takes at least."""

    unit: str
    cycles: float
    capacity: int
    bundles: int


class PathStep(NamedTuple):
    """A stretch of the critical path: one operation of the module, `text` of the kernel it comes from, its cycles, and
    how many of them it waited for a slot that others had."""

    op: str
    text: str
    cycles: int
    waited: int


class LineCost(NamedTuple):
    """A line of the kernel, its author's names masked, and the bundles of a step that go to it."""

    text: str
    bundles: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """The bundle schedule of one grid step, in figures.

    bundles = overhead + what the body takes beyond the scalar code beside it.
    bound:  the unit that is busy at least half of the body's bundles, or "latency".
    latency_bundles: the critical path of the block that takes most; `path` is its steps.
    body_bundles: the body's blocks, each times its trips, loop and branch code included.
    pressure: vector registers alive at once if there were no limit; spills: those stored for want of room, in a step;
              spill_bytes: what they take of VMEM, the most at once.
    listing: the block that takes most, line by line.
    costs: the lines of the kernel that most bundles of the body go to, the most first; other_lines: bundles of all
           others; loop_bundles: of loop and branch code, which is no line's.
    unknown: op names that the cost table has no row for (counted as nothing).
    """

    families: tuple[OpCost, ...]
    slots: tuple[SlotUse, ...]
    bound: str
    slot_bundles: int
    latency_bundles: int
    overhead_bundles: int
    bundles: int
    flops: int
    unknown: tuple[str, ...]
    notes: tuple[str, ...]
    path: tuple[PathStep, ...] = ()
    body_bundles: int = 0
    registers: int = 0
    pressure: int = 0
    spills: int = 0
    spill_bytes: int = 0
    listing: tuple[str, ...] = ()
    costs: tuple[LineCost, ...] = ()
    other_lines: int = 0
    loop_bundles: int = 0


class CoreShare(NamedTuple):
    """What one core of a device does of the grid: where its own grid lies, the windows with their visits there, and the
    first of its steps in the whole grid's order, None where they do not follow each other there."""

    places: Places
    windows: tuple[Window, ...]
    first: int | None


class Split(NamedTuple):
    """A grid that the cores of a device share: the axes that they share, whether these became one, each core's part."""

    axes: tuple[int, ...]
    joined: bool
    shares: tuple[CoreShare, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """The schedule of a call on a chip. Made even when `findings` holds errors, as far as it can be.

    `split`: how the cores of a device share the grid; None where one core does everything. `costed`: the chip has a
    table of what instructions cost, so a missing estimate has another reason.
    """

    call: str
    chip: str
    grid: tuple[int, ...]
    windows: tuple[Window, ...]
    allocations: tuple[Allocation, ...]
    memory: tuple[MemoryUse, ...]
    pipeline: Pipeline
    estimate: Estimate | None
    findings: tuple[Diagnostic, ...]
    split: Split | None = None
    costed: bool = True

    def use(self, space: MemorySpace) -> MemoryUse | None:
        """Use of `space`, None where the chip has no such memory."""
        return next((use for use in self.memory if use.space is space), None)
