"""What a copy takes beside its own bundle: its ends' addresses, the checks of their bounds, a loop within VMEM.

Source: libtpu 0.0.42.1's schedules of kernels of one copy each: between memories, of one to 1,024 tiles, contiguous and
in segments, at starts that are known and that are not.
"""

from __future__ import annotations

from math import gcd, prod
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.ir.module import MemRefType, Op, Value, VectorType
from pipeline.schedule.bundles.emitter import TRUSTS_CONSTANTS, WINDOWS_CHECKED
from pipeline.schedule.bundles.graph import FREE, Kind, Node
from pipeline.schedule.bundles.scalars import Scalars
from pipeline.schedule.bundles.tiles import packing

_HBM = ("any", "hbm")
_PLACES = 3  # instructions from a counter to two addresses, one after the other
_DESCRIBED = 2  # constants that a copy within HBM takes beside its ends and its semaphore, which may be a third
_STRIDES = 3  # what a copy in segments takes: a stride at each end and the size of a segment


class Turn(NamedTuple):
    """A loop of a copy within VMEM: `tiles` in each of its trips; `in_order`: one after the other."""

    tiles: int
    trips: int
    in_order: bool


class Copies:
    """Copies of a kernel; `in_vmem` are those of its arguments that are there before the call."""

    def __init__(self, scalars: Scalars, chip: Chip) -> None:
        self.scalars = scalars
        self.timing = scalars.timing
        self.chip = chip
        self.trusts_constants = TRUSTS_CONSTANTS in chip.features
        self.vmem_checked = WINDOWS_CHECKED in chip.features
        self.unrolled = chip.copy_tiles
        self.in_vmem: set[Value] = set()
        self.arguments: set[Value] = set()
        self.windows: set[Value] = set()
        self.whole: set[Value] = set()  # those of them that have been copied to where they are, all at once
        self.entry: Node = FREE  # before the arguments are there
        self.pointers: dict[Value, Node] = {}
        self.checked: dict[object, Node] = {}
        self.load = Kind("load", "vload", 1)
        self.store = Kind("store", "vstore", 1)

    # --- where
    def views(self, ref: Value) -> list[Value]:
        """The ref, what it is a view of, and so on to the argument or the allocation."""
        found = [ref]
        made = self.scalars.made.get(ref)
        while made is not None and made.name.startswith("tpu.memref"):
            found.append(made.operands[0])
            made = self.scalars.made.get(made.operands[0])
        return found

    def space(self, ref: Value) -> str:
        kind = ref.type
        space = (kind.space if isinstance(kind, MemRefType) else None) or "any"
        if self.views(ref)[-1] in self.in_vmem and space != "smem":
            return "vmem"
        return "hbm" if space in _HBM else space

    def place(self, ref: Value) -> object:
        """Equal for refs to the same element: what they are views of, and where."""
        made, scalars = self.scalars.made, self.scalars
        steps = [made[view] for view in self.views(ref)[:-1]]
        return self.views(ref)[-1], tuple((op.name, tuple(map(scalars.key, op.operands[1:]))) for op in steps)

    def is_within(self, op: Op) -> bool:
        """Whether a copy is from VMEM to VMEM: then it is a loop of loads and stores."""
        return op.name == "tpu.enqueue_dma" and all(self.space(ref) == "vmem" for ref in op.operands[:2])

    def is_scalar_only(self, op: Op) -> bool:
        """Whether an `scf.if` has nothing but scalar operations and copies: then it is predicated and no branch."""
        return op.name == "scf.if" and all(self.are_scalar_only(region.ops) for region in op.regions)

    def are_scalar_only(self, ops: tuple[Op, ...]) -> bool:
        return all(
            self.is_scalar_only(op)
            if op.regions
            else not self.is_within(op) and not any(map(_is_vector, (*op.operands, *op.results)))
            for op in ops
        )

    def ahead(self, ops: tuple[Op, ...]) -> tuple[Op, ...]:
        """Operations with what reads scalar memory for a copy before the copy that precedes it."""
        found, i = [], 0
        while i < len(ops):
            end = i + 1
            if ops[i].name == "tpu.enqueue_dma":
                while end < len(ops) and _is_pure(ops[end]):
                    end += 1
                if not any(op.name == "memref.load" for op in ops[i + 1 : end]):
                    end = i + 1
            found += [*ops[i + 1 : end], ops[i]]
            i = end
        return tuple(found)

    # --- between memories
    def ends(self, op: Op) -> list[tuple[Value, bool]]:
        """The ends of a copy whose bounds are checked, and whether they are in HBM; none of a copy within HBM."""
        found = []
        spaces = [self.space(ref) for ref in op.operands[:2]]
        if spaces == ["hbm", "hbm"]:
            return []
        for ref, space in zip(op.operands[:2], spaces, strict=True):
            if space == "smem":
                continue
            hbm = space == "hbm"
            if self.scalars.varies(ref) or (not self.trusts_constants if hbm else self.vmem_checked):
                found.append((ref, hbm))
        return found

    def pointer(self, ref: Value) -> Node:
        """What a copy takes as one of its ends."""
        if ref not in self.pointers:
            scalars, timing, space = self.scalars, self.timing, self.space(ref)
            node = scalars.node(ref)
            if self.views(ref)[-1] in self.arguments:
                node = self.entry if node == FREE else node
                if self.is_moved(ref):
                    node = scalars.add(scalars.alu, node)
            elif node == FREE:  # a constant, to be put in a register
                node = scalars.add(scalars.alu)
            steps = {"hbm": timing.hbm_pointer, "vmem": timing.vmem_pointer}.get(space, 0)
            self.pointers[ref] = scalars.chain(steps, node)
        return self.pointers[ref]

    def is_moved(self, ref: Value) -> bool:
        """Whether a view begins at a known place other than its argument's own."""
        made = [self.scalars.made[view] for view in self.views(ref)[:-1]]
        starts = [v for op in made if op.name == "tpu.memref_slice" for v in op.operands[1 : 1 + _rank(op.operands[0])]]
        return all(v in self.scalars.known for v in starts) and any(map(self.scalars.integer, starts))

    def size(self, ref: Value) -> Node:
        """A view's size, where it is not known."""
        return next((self.scalars.sizes[view] for view in self.views(ref) if view in self.scalars.sizes), FREE)

    def computed_early(self, op: Op) -> None:
        """The addresses of both ends are computed before the first check, where that takes more than a constant."""
        if self.timing.vmem_pointer:
            for ref in op.operands[:2]:
                if self.space(ref) != "smem":
                    self.pointer(ref)

    def is_fenced(self, op: Op) -> bool:
        """Whether it is scalar memory that a wait is for: then a fence follows."""
        return any(self.space(ref) == "smem" for ref in op.operands[1:])

    def described(self, op: Op, before: bool) -> list[Node]:
        """The constants of a copy in segments, whose description is in scalar memory for one within HBM; of the latter
        all but the ends, too, where no copy `before` has left them in registers."""
        scalars, nodes = self.scalars, []
        within = [self.space(ref) for ref in op.operands[:2]] == ["hbm", "hbm"]
        if any(tiles.run < tiles.tiles for tiles in map(self._tiles, op.operands[:2])):
            strides = [scalars.add(scalars.alu) for _ in range(_STRIDES)]
            nodes += [scalars.add(scalars.write, stride) for stride in strides] if within else strides
        if within and not before:
            more = scalars.node(op.operands[-1]) == FREE
            nodes += [scalars.add(scalars.alu) for _ in range(_DESCRIBED + more)]
        return nodes

    def check(self, ref: Value, hbm: bool, guard: Node | None) -> Node:
        """The bounds check of one end; its result is what the copy may stop the kernel by."""
        timing, scalars = self.timing, self.scalars
        place = self.pointer(ref)
        key = self.place(ref), ref.type, self.size(ref), guard
        if key in self.checked:  # found out before
            return self.checked[key]
        if ref in self.whole and guard is None:
            return FREE
        start = scalars.chain((timing.hbm_unpack if hbm else timing.vmem_unpack), place)
        end = scalars.add(scalars.alu, start, self.size(ref))
        base = limit = FREE
        if not hbm and scalars.varies(ref):  # otherwise it is where the memory begins
            base = scalars.chain(max(0, timing.vmem_pointer - timing.vmem_unpack), scalars.add(scalars.alu))
            limit = scalars.add(scalars.alu, base)
        empty = scalars.add(scalars.test, end)
        outside = FREE
        if not (hbm and not timing.hbm_unpack and self.is_whole(ref)):  # seen to be inside
            below, above = scalars.add(scalars.test, start, base), scalars.add(scalars.test, end, limit)
            outside = scalars.add(scalars.test, below, above)
        if timing.wraps and hbm:
            wraps = scalars.add(scalars.test, end)
            outside = wraps if outside == FREE else scalars.add(scalars.test, outside, wraps)
        if guard is not None:
            empty = scalars.add(scalars.test, scalars.add(scalars.test, empty, guard))
        self.checked[key] = scalars.add(scalars.test, empty, outside)
        return self.checked[key]

    def is_whole(self, ref: Value) -> bool:
        """Whether a ref is all of an argument."""
        first = ref.type
        return all(
            isinstance(view.type, MemRefType) and isinstance(first, MemRefType) and view.type.shape == first.shape
            for view in self.views(ref)
        )

    # --- within VMEM
    def turns(self, op: Op) -> tuple[list[Turn], int]:
        """The loops of a copy within VMEM, and its loads and stores outside them, of tiles that are not full.

        The tiles of a segment are what the loop goes over, with those of every segment in each trip. As many trips as
        come to `unrolled` tiles are one; the rest have a loop of their own. A 16-bit input that is there before the
        call has tiles of half a register, so that only one column of them is as it is elsewhere.
        """
        first, second = op.operands[:2]
        if self._is_halved(first) != self._is_halved(second):
            kind = second.type
            assert isinstance(kind, MemRefType)
            *_, rows, columns = (n or 1 for n in (1, *kind.shape))
            halves = -(-rows // self.chip.sublanes) * -(-columns // self.chip.lanes)
            if columns > self.chip.lanes:
                return [], halves * prod(n or 1 for n in kind.shape[:-2])
        source, target = (self._tiles(ref) for ref in op.operands[:2])
        tiles, run = source.tiles, gcd(source.run, target.run)
        segments = tiles // run if run else 0
        at_once = self.unrolled // segments if segments else 1
        found = []
        if at_once > 1:
            found, run = [Turn(at_once * segments, run // at_once, False)], run % at_once
        found.append(Turn(segments, run, run > 1))
        return [turn for turn in found if turn.tiles and turn.trips], source.left

    def _is_halved(self, ref: Value) -> bool:
        kind = ref.type
        if not isinstance(kind, MemRefType) or packing(kind.element) != 2 or self.views(ref)[-1] not in self.in_vmem:
            return False
        return len(kind.shape) < 2 or (kind.shape[-2] or 0) > self.chip.sublanes  # others have lower tiles anyway

    def next_trip(self, turn: Turn) -> tuple[Node, ...]:
        """The next trip's addresses: a counter that begins again, twice its place. The loop's branch waits for them,
        unless they fit into the bundles that belong to it."""
        if turn.trips == 1:
            return ()
        scalars, timing = self.scalars, self.timing
        counter = scalars.add(scalars.alu, scalars.add(scalars.test, scalars.add(scalars.alu)))
        places = [scalars.add(scalars.alu, scalars.add(scalars.alu, counter)) for _ in range(2)]
        scalars.graph.roots.extend(places)
        return () if timing.delay > _PLACES else tuple(places)

    def _tiles(self, ref: Value) -> _Tiles:
        views = self.views(ref)
        part = next((view.type for view in views if self._is_slice(view)), ref.type)
        base = views[-1].type
        assert isinstance(part, MemRefType) and isinstance(base, MemRefType)
        per_word, lanes = packing(part.element), self.chip.lanes
        rows = self.chip.sublanes * per_word
        shape = [n or 1 for n in part.shape]
        full = [n or 1 for n in base.shape] if len(base.shape) == len(shape) else shape
        if len(shape) < 2:
            n, of = -(-prod(shape) // (rows * lanes)), -(-prod(full) // (rows * lanes))
            return _Tiles(n, n, 0) if 2 * prod(shape) > rows * lanes or n < of else _Tiles(0, 0, 1)
        tall = min(rows, max(per_word, 1 << (full[-2] - 1).bit_length()))  # of a tile in memory
        columns = -(-shape[-1] // lanes)
        padded = per_word > 1 and shape[-2] == full[-2]  # rows of parts of a word are copied with what fills the tile
        counts = [*shape[:-2], -(-shape[-2] // tall) if padded else shape[-2] // tall, columns]
        totals = [*full[:-2], -(-full[-2] // tall), -(-full[-1] // lanes)]
        run = 1
        for n, of in zip(reversed(counts), reversed(totals), strict=True):
            run *= n
            if n != of:
                break
        share = rows // tall  # tiles in a register
        segments = prod(counts) // run if run else 0
        left = prod(shape[:-2]) * columns if shape[-2] % tall and not padded else 0
        return _Tiles(segments * (run // share), run // share, left + segments * (run % share > 0))

    def _is_slice(self, ref: Value) -> bool:
        made = self.scalars.made.get(ref)
        return made is not None and made.name == "tpu.memref_slice"


class _Tiles(NamedTuple):
    """Full tiles of a view, those in a row, and those that are not full."""

    tiles: int
    run: int
    left: int


def _rank(ref: Value) -> int:
    return len(ref.type.shape) if isinstance(ref.type, MemRefType) else 0


def _is_pure(op: Op) -> bool:
    """Whether an operation is of scalars or addresses and has no effect."""
    scalar = op.name == "memref.load" or op.name.startswith(("arith.", "tpu.memref", "tpu.assume"))
    return scalar and not any(map(_is_vector, (*op.operands, *op.results)))


def _is_vector(value: Value) -> bool:
    return isinstance(value.type, VectorType)
