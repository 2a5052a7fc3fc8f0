"""Kernels of any grid with index maps of every kind, and their timeline told step by step from the maps' text."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.chips.load import load_chip
from pipeline.ir.call import KernelCall
from pipeline.schedule.result import Estimate, Schedule, Window
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import parse_candidate
from pipeline.trace.trace import trace

CHIP = replace(
    load_chip("v5e"), clock_hz=1e9, hbm_bytes_per_second=1e12, cores=1, cores_per_device=1, dma_latency_cycles=None
)  # 1000 bytes a cycle
PAIR = replace(CHIP, cores=2, cores_per_device=2, hbm_bytes_per_second=2e12)
RATE = 1000


@dataclass(frozen=True)
class Moves:
    """An operand: its role, the rows of its blocks, its index map as text, and whether it has one buffer slot."""

    name: str
    rows: int
    index_map: str
    single: bool

    @property
    def output(self) -> bool:
        return self.name.startswith("o")

    @property
    def bytes(self) -> int:
        return self.rows * 128 * 4


def forms(rank: int, rng: random.Random) -> str:
    """One block index: a constant, an axis, or what tables are for."""
    i, j = (f"i{rng.randrange(rank)}" for _ in range(2))
    k = rng.randint(1, 4)
    return rng.choice(
        ["0", i, i, i, f"{i} // {k + 1}", f"{i} % {k + 1}", f"{i} + {j}", f"{k} * {i}", f"jnp.minimum({i}, {k})",
         f"jnp.where({i} < {k}, {j}, 0)", f"jnp.maximum({i} - {k}, 0)", f"({i} + {j}) // 2",
         f"jnp.where({i} == 0, {j}, {i})"]
    )  # fmt: skip


def operands(rank: int, rng: random.Random) -> tuple[Moves, ...]:
    names = ["x", "y", "o", "o2"][: rng.randint(1, 4)]
    names = names if "o" in names else [*names, "o"]
    args = ", ".join(f"i{a}" for a in range(rank))
    return tuple(
        Moves(n, 8 * rng.randint(1, 9), f"lambda {args}: ({forms(rank, rng)}, {forms(rank, rng)})", rng.random() < 0.2)
        for n in names
    )


def call_of(grid: tuple[int, ...], moves: Sequence[Moves], words: Sequence[str]) -> KernelCall:
    """The call, traced from a spec of its own."""
    text = [
        'name = "k"', 'targets = ["v5e"]', "[kernel]", "source = '''", f"def k({', '.join(m.name for m in moves)}):",
        *(f"    {m.name}[...] = jnp.zeros({m.name}.shape, jnp.float32)" for m in moves if m.output),
        "'''", "[grid]", f"shape = {list(grid)}",
    ]  # fmt: skip
    for m in moves:
        text += [
            "[[outputs]]" if m.output else "[[inputs]]", f'name = "{m.name}"', "shape = [8192, 8192]",
            'dtype = "float32"', f"block = [{m.rows}, 128]", f'index_map = "{m.index_map}"',
        ]  # fmt: skip
        if m.single:
            text.append("buffer_count = 1")
    return replace(trace(parse_candidate("\n".join(text), Path("k.toml"), None, {})), semantics=tuple(words))


def made(
    grid: tuple[int, ...], moves: Sequence[Moves], words: Sequence[str], chip=CHIP, body=10, overhead=3
) -> Schedule:
    """The schedule, with an estimate of `body` bundles."""
    estimate = Estimate((), (), "valu", body, body, overhead, body, 0, (), ())
    return replace(schedule(call_of(grid, moves, words), None, chip), estimate=estimate)


def hide(schedule: Schedule, names: set[str]) -> Schedule:
    """The schedule as if the index maps of these operands read data."""

    def one(window: Window) -> Window:
        if window.operand not in names:
            return window
        steps = window.visits.steps
        changes = tuple(window.visits.advances)
        unknown = replace(window.visits, copies=steps, changes=changes, exact=False, data_dependent=True, parts=())
        return replace(window, visits=unknown)

    split = schedule.split
    if split is not None:
        shares = tuple(share._replace(windows=tuple(map(one, share.windows))) for share in split.shares)
        split = split._replace(shares=shares)
    return replace(schedule, windows=tuple(map(one, schedule.windows)), split=split)


def changes_of(grid: tuple[int, ...], moves: Sequence[Moves]) -> dict[str, Any]:
    """Per operand, in which steps its block is not the one before, as a functional run records it."""
    found = {}
    for m in moves:
        at = place(m)
        seen = [at(*point) for point in product(*map(range, grid))]
        found[m.name] = np.array([True, *(a != b for a, b in pairwise(seen))])
    return found


def place(moves: Moves) -> Callable[..., tuple[int, ...]]:
    """The index map as Python reads it."""
    found: Callable[..., tuple[int, ...]] = eval(moves.index_map, {"jnp": _Numbers})
    return found


class _Numbers:
    """What index maps call `jnp`, on plain integers."""

    minimum, maximum = min, max

    @staticmethod
    def where(condition: bool, a: int, b: int) -> int:
        return a if condition else b


def walks(grid: tuple[int, ...], words: Sequence[str], cores: int) -> list[list[tuple[int, ...]]]:
    """The grid points of each core, in order."""
    wide = [a for a, n in enumerate(grid) if n > 1 and words[a] == "parallel"]
    if cores == 1 or not wide:
        return [list(product(*map(range, grid)))]
    even = [a for a in wide if grid[a] % cores == 0]
    if even:
        size = grid[even[0]] // cores
        return [
            list(product(*(range(c * size, c * size + size) if a == even[0] else range(n) for a, n in enumerate(grid))))
            for c in range(cores)
        ]
    flat = [a for a, word in enumerate(words) if word == "parallel"]
    rest = [a for a in range(len(grid)) if a not in flat]
    points = list(product(*(range(grid[a]) for a in flat)))
    size = -(-len(points) // cores)
    found = []
    for core in range(cores):
        walk = []
        for p in range(core * size, core * size + size):
            outer = dict(zip(flat, points[p] if p < len(points) else points[0], strict=True))
            for inner in product(*(range(grid[a]) for a in rest)):
                point = {**outer, **dict(zip(rest, inner, strict=True))}
                walk.append(tuple(point[a] for a in range(len(grid))))
        found.append(walk)
    return found


def step_by_step(walk: Sequence[tuple[int, ...]], moves: Sequence[Moves], body: int, overhead: int) -> tuple[int, int]:
    """(cycles, bytes moved) of one core that goes over `walk`, iteration by iteration."""
    places = [place(m) for m in moves]
    blocks = [[at(*point) for point in walk] for at in places]
    steps = len(walk)
    if steps == 1:
        into, out = (sum(m.bytes for m in moves if m.output is way) for way in (False, True))
        return -(-into // RATE) + body + -(-out // RATE), into + out
    cycles = total = 0
    alone = [m.single and any(a != b for a, b in pairwise(seen)) for m, seen in zip(moves, blocks, strict=True)]
    for i in range(steps + 2):
        beside = exposed = 0
        for m, seen, single in zip(moves, blocks, alone, strict=True):
            if m.output:
                moved = i >= 2 and (i - 1 == steps or seen[i - 2] != seen[i - 1])
            else:
                moved = i < steps and (i == 0 or seen[i] != seen[i - 1])
            if moved and single:
                exposed += m.bytes
            elif moved:
                beside += m.bytes
        runs = body if 1 <= i <= steps else overhead
        cycles += max(runs, -(-beside // RATE)) + -(-exposed // RATE)
        total += beside + exposed
    return cycles, total


def expected(
    grid: tuple[int, ...], moves: Sequence[Moves], words: Sequence[str], cores: int, body=10, overhead=3
) -> tuple[int, int]:
    """(cycles of the slowest core, bytes moved by all)."""
    each = [step_by_step(walk, moves, body, overhead) for walk in walks(grid, words, cores)]
    return max(cycles for cycles, _ in each), sum(moved for _, moved in each)


def random_grid(rng: random.Random, most: int) -> tuple[int, ...]:
    """A grid of up to four axes and `most` steps."""
    rank = rng.randint(1, 4)
    while True:
        grid = tuple(rng.choice([1, 2, 3, 4, 5, 7, 8, 16, 31, 64]) for _ in range(rank))
        if prod(grid) <= most:
            return grid
