"""Which reshapes take the compiler's own scratch in VMEM: `python -m pipeline.oracles.internal_scratch FILE` asks.

A kernel is given one byte of VMEM. The compiler refuses it with the sum of the first stage that is over: of scratch
alone, so its own scratch and nothing else where the kernel takes it, else of the windows too.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pipeline.chips.load import load_chip
from pipeline.ir.call import KernelCall
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.libtpu import Job, compile_all
from pipeline.spec.load import parse_specs
from pipeline.trace.trace import trace

_SIZE = re.compile(r"Scoped allocation with size ([\d.]+)([KM]?)")
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20}
_BODIES = ("x_ref[0].reshape({after})", "jnp.exp(jnp.exp(x_ref[0]).reshape({after}))")


class Question(NamedTuple):
    """A reshape of two axes to two on a chip; `body` 0: loaded and stored, 1: between two `exp`."""

    before: tuple[int, int]
    after: tuple[int, int]
    dtype: str
    body: int
    chip: str


def call_of(question: Question, limit: int = 1) -> KernelCall:
    """The kernel of a question, with `limit` bytes of VMEM, over a grid: whole arrays might be placed in VMEM."""
    before, after, dtype, body, chip = question
    value = _BODIES[body].format(after=after)
    text = f"""name = "reshape"
summary = "A reshape"
targets = ["{chip}"]
vmem_limit_bytes = {limit}
[kernel]
source = '''
def kernel(x_ref, o_ref):
    o_ref[0] = {value}
'''
[grid]
shape = [64]
[[inputs]]
name = "x"
shape = [64, {before[0]}, {before[1]}]
dtype = "{dtype}"
block = [1, {before[0]}, {before[1]}]
index_map = "lambda i: (i, 0, 0)"
[[outputs]]
name = "o"
shape = [64, {after[0]}, {after[1]}]
dtype = "{dtype}"
block = [1, {after[0]}, {after[1]}]
index_map = "lambda i: (i, 0, 0)"
"""
    [spec] = parse_specs(text, Path("reshape.toml"))
    return trace(spec)


def ask(questions: Sequence[Question]) -> list[bool | None]:
    """Whether libtpu takes its scratch for each; None where it refuses the kernel for another reason."""
    jobs = []
    for question in questions:
        call = call_of(question)
        jobs.append(Job.of(call, question.chip, print_mosaic(lower(call, load_chip(question.chip)))))
    taken: list[bool | None] = []
    for question, verdict in zip(questions, compile_all(jobs), strict=True):
        found = _SIZE.search(verdict.message)
        size = None if found is None else float(found[1]) * _UNITS[found[2]]
        taken.append(None if size is None else size == load_chip(question.chip).internal_scratch_bytes)
    return taken


def every(chunks: Sequence[int], chips: Sequence[str]) -> Iterator[Question]:
    """All reshapes of so many rows of 128 lanes to another number of lanes, by powers of two."""
    for chip in chips:
        for count in chunks:
            lanes = [1 << i for i in range(6) if 1 << i <= count]
            for old in lanes:
                for new in lanes:
                    if new != old:
                        before, after = (count // old, old * 128), (count // new, new * 128)
                        yield Question(before, after, "float32", 0, chip)
                        yield Question(before, after, "float32", 1, chip)


def sample(seed: int, count: int) -> list[Question]:
    """Random ones, also of sizes that are no power of two."""
    rng = random.Random(seed)
    found: list[Question] = []
    while len(found) < count:
        rows = rng.choice((2, 4, 8, 16, 32, 24, 40, 48))
        old, times = rng.choice((1, 2, 4, 8)), rng.choice((2, 4, 8))
        after = (rows * times, old) if rng.random() < 0.5 else (rows, old * times)
        before = (rows, old * times) if after[1] == old else (rows * times, old)
        body = rng.randrange(2)
        dtype = rng.choice(("float32", "int32")) if not body else "float32"
        chip = rng.choice(("v4", "v5e", "v5p", "v6e"))
        found.append(Question((before[0], before[1] * 128), (after[0], after[1] * 128), dtype, body, chip))
    return found


def main(arguments: list[str]) -> int:
    """Record what libtpu says of a sweep."""
    import importlib.metadata

    questions = [*every((8, 16, 32, 64), ("v4", "v5e", "v5p")), *every((16,), ("v6e", "7x")), *sample(0, 60)]
    questions = list(dict.fromkeys(questions))
    head = {name: importlib.metadata.version(name) for name in ("jax", "libtpu")}
    rows = [json.dumps(head)]
    for question, taken in zip(questions, ask(questions), strict=True):
        if taken is not None:
            rows.append(json.dumps([*question, taken], separators=(",", ":")))
    Path(arguments[0]).write_text("\n".join(rows) + "\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
