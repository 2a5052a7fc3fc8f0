"""Random kernels that may race, and who touches what in them, told from the text: independent of the recorder."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path
from typing import NamedTuple

from small_specs import small_spec, table

from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec


def spec_text(source: str, grid: str, semantics: str, x: str, o: str, rows: int = 64, chip: str = "v5p") -> str:
    """A kernel of x, in an input's `x` lines, and o, in an output's, with scratch s of a tile and a semaphore."""
    normal = 'data = { kind = "normal", seed = 0 }'
    return small_spec(
        source,
        grid,
        table("inputs", "x", f"{x}\n{normal}", shape=[rows, 128], dtype="float32"),
        table("outputs", "o", o, shape=[rows, 128], dtype="float32"),
        table("scratch", "s", kind="vmem", shape=[8, 128], dtype="float32"),
        table("scratch", "sem", kind="dma_semaphore"),
        semantics=semantics,
        chip=chip,
    )


ANY = 'memory_space = "any"'
WINDOW = "def kernel(x, o, s, sem):\n    o[...] = jnp.zeros_like(o)\n"
COPIES = """def kernel(x, o, s, sem):
    i, j = pl.program_id(0), pl.program_id(1)
    def copy(src, dst):
        c = pltpu.make_async_copy(src, dst, sem)
        c.start()
        c.wait()
    copy({read}, s.at[pl.ds(0, {size})])
    copy(s.at[pl.ds(0, {size})], o.at[pl.ds({write}, {size})])
"""
CARRY = """def kernel(x, o, s, sem):
    i, j = pl.program_id(0), pl.program_id(1)

    @pl.when({when})
    def _():
        s[...] = jnp.zeros_like(s)

    pltpu.sync_copy(x.at[pl.ds(({read}) * 8, 8)], o)
    s[...] += o[...]
    o[...] = s[...]
"""
FIRSTS = ("i == 0", "j == 0", "(i == 0) & (j == 0)", "i + j == 0", "j >= 0", "j % 2 == 0", "i * j == 0", "i < 1",
          "(i == 0) | (j > 0)", "j * 4 < i + 1")  # fmt: skip


class Case(NamedTuple):
    """A spec's text, and the rows that each step writes and reads."""

    text: str
    grid: tuple[int, int]
    axes: tuple[int, ...]
    writes: dict[tuple[int, int], frozenset[int]]
    reads: dict[tuple[int, int], frozenset[int]]

    def shared(self, a: tuple[int, int], b: tuple[int, int]) -> frozenset[int]:
        """Rows that both steps touch and one of them writes, if nothing orders the two."""
        if all(a[axis] == b[axis] for axis in self.axes):
            return frozenset()
        return (self.writes[a] & (self.writes[b] | self.reads[b])) | (self.writes[b] & self.reads[a])

    def races(self) -> bool:
        """Whether any two steps share rows."""
        return any(self.shared(a, b) for a, b in product(self.writes, self.writes))


class Carrying(NamedTuple):
    """A spec's text, and the first step that finds scratch as a step of another task left it, with that step."""

    text: str
    found: tuple[tuple[int, int], tuple[int, int]] | None


def random_carrying(seed: int) -> Carrying:
    """A sum in scratch that starts anew where the program ids say so; each step has an output block of its own."""
    rng = random.Random(seed)
    grid = (rng.randint(1, 3), rng.randint(1, 3))
    words = tuple(rng.choice(["parallel", "arbitrary"]) for _ in grid)
    when, read = rng.choice(FIRSTS), expression(rng, 7)
    output = f'block = [8, 128]\nindex_map = "lambda i, j: (i * {grid[1]} + j, 0)"'
    text = spec_text(CARRY.format(when=when, read=read), str(list(grid)), json.dumps(words), ANY, output)
    text = text.replace('name = "o"\nshape = [64', 'name = "o"\nshape = [72')
    left: tuple[int, int] | None = None
    for step in product(range(grid[0]), range(grid[1])):
        apart = left is not None and any(words[a] == "parallel" and left[a] != step[a] for a in (0, 1))
        if apart and left is not None and not value(when, *step):
            return Carrying(text, (step, left))
        left = step
    return Carrying(text, None)


def expression(rng: random.Random, most: int) -> str:
    """An integer of i and j from 0 to `most`."""
    a, b, c = rng.randint(0, 3), rng.randint(0, 3), rng.randint(0, 3)
    form = rng.choice(["{a} * i + {b} * j", "{a} * i + {b} * j + {c}", "i // {d} + {a} * j", "i % {d} + j", "{a} * i",
                       "(i + j) // {d}", "{b} * j", "i * j", "{c}", "2 * i + j", "i + 3 * j"])  # fmt: skip
    text = form.format(a=a, b=b, c=c, d=rng.randint(1, 3))
    return f"jnp.minimum({text}, {most})" if rng.random() < 0.3 else f"({text}) % {most + 1}"


def value(text: str, i: int, j: int) -> int:
    class Numbers:
        minimum = staticmethod(min)

    return int(eval(text, {"jnp": Numbers, "i": i, "j": j}))


def random_case(seed: int) -> Case:
    """Output blocks by an index map, or rows copied to and from an output in HBM."""
    rng = random.Random(seed)
    grid = (rng.randint(1, 4), rng.randint(1, 4))
    words = tuple(rng.choice(["parallel", "parallel", "arbitrary"]) for _ in grid)
    axes = tuple(a for a in (0, 1) if words[a] == "parallel" and grid[a] > 1)
    shape, semantics = list(grid), str(list(words)).replace("'", '"')
    steps = list(product(range(grid[0]), range(grid[1])))
    if rng.random() < 0.5:
        where = expression(rng, 7)
        output = f'block = [8, 128]\nindex_map = "lambda i, j: ({where}, 0)"'
        text = spec_text(WINDOW, str(shape), semantics, ANY, output)
        writes = {step: frozenset(range(8 * value(where, *step), 8 * value(where, *step) + 8)) for step in steps}
        return Case(text, grid, axes, writes, dict.fromkeys(steps, frozenset()))
    size = rng.choice([1, 4, 8])
    unit = rng.choice([1, 2, 4, 8])
    write, read = (f"{expression(rng, (64 - size) // unit)} * {unit}" for _ in range(2))
    own = rng.random() < 0.5
    source = COPIES.format(read=f"{'o' if own else 'x'}.at[pl.ds({read}, {size})]", write=write, size=size)
    text = spec_text(source, str(shape), semantics, ANY, ANY)
    rows = {name: {s: frozenset(range(value(e, *s), value(e, *s) + size)) for s in steps}
            for name, e in (("write", write), ("read", read))}  # fmt: skip
    return Case(text, grid, axes, rows["write"], rows["read"] if own else dict.fromkeys(steps, frozenset()))


def spec_of(case: Case | Carrying, folder: Path) -> Spec:
    path = folder / "k.toml"
    path.write_text(case.text, encoding="utf-8")
    return load_specs(path)[0]
