"""A finding's fix is tried: with the blocks or the limit it proposes, the finding is gone."""

from __future__ import annotations

import math
import random
import re
from dataclasses import replace

import pytest
from schedule_calls import affine_map, call, operand, scratch

from pipeline.chips.load import load_chip
from pipeline.dtypes import BF16, F32, I8, I32, U8
from pipeline.errors import Diagnostic, Severity
from pipeline.ir.call import Blocked, KernelCall, Role, Squeezed
from pipeline.schedule.schedule import schedule

CHIPS = ("v4", "v5e", "v5p", "v6e", "7x")
BLOCK = re.compile(r"smallest change: block = \[([^\]]*)\]")
LIMIT = re.compile(r"set vmem_limit_bytes to at least (\d+)")
SMALLER = re.compile(r"use block \[([^\]]*)\] for '(\w+)'")
DIVIDED = re.compile(r"(\w+) \[([^\]]*)\]")


def findings(made: KernelCall, chip: str, codes: str) -> list[Diagnostic]:
    found = schedule(made, None, load_chip(chip)).findings
    return [f for f in found if f.severity is Severity.ERROR and f.code in codes.split()]


def with_block(made: KernelCall, name: str, sizes: str) -> KernelCall:
    """The call with another block for one operand."""
    entries = [entry.strip() for entry in sizes.split(",")]
    dims = tuple(Squeezed() if entry == "None" else Blocked(int(entry)) for entry in entries)
    return replace(made, operands=tuple(replace(o, block=dims) if o.name == name else o for o in made.operands))


def with_scratch(made: KernelCall, name: str, sizes: str) -> KernelCall:
    shape = tuple(int(entry) for entry in sizes.split(","))
    smaller = tuple(
        replace(s, ref=replace(s.ref, inner=replace(s.ref.inner, shape=shape))) if s.name == name else s
        for s in made.scratch
    )
    return replace(made, scratch=smaller)


def random_blocks(seed: int) -> tuple[KernelCall, str]:
    """One operand whose block is off some lattice."""
    rng = random.Random(seed)
    rank = rng.choice((1, 2, 2, 3))
    shape = tuple([rng.choice((2, 5)) for _ in range(rank - 2)] + [rng.choice((100, 256, 1000, 4096)) for _ in "ab"])
    shape = shape[-rank:]
    block = [rng.randint(1, n) for n in shape]
    rows = [(0, [0])] * rank
    dtype = rng.choice((F32, BF16, I8, U8, I32))
    return call([operand("x", shape, block, affine_map(1, rows), dtype=dtype)], (2,)), rng.choice(CHIPS)


@pytest.mark.parametrize("seed", range(200))
def test_the_proposed_block_is_legal(seed: int) -> None:
    made, chip = random_blocks(seed)
    codes = "P101 P102 P103"
    for _ in range(2):  # a block on the lattice may still cut a tile of a packed dtype
        found = findings(made, chip, codes)
        if not found:
            break
        fixed = BLOCK.search(found[0].hint or "")
        assert fixed is not None, found[0].hint
        made = with_block(made, "x", fixed[1])
    assert findings(made, chip, codes) == []


def random_overflow(seed: int) -> tuple[KernelCall, str]:
    """Windows and scratch that are too much for some chips."""
    rng = random.Random(seed)
    side = rng.choice((1024, 2048, 4096))
    grid = (4, 4)
    maps = [affine_map(2, [(0, [1, 0]), (0, [0, 1])]), affine_map(2, [(0, [0, 1]), (0, [0, 0])])]
    operands = [
        operand(
            name,
            (4 * side, 4 * side),
            (rng.choice((side, side // 2)), rng.choice((side, 256))),
            rng.choice(maps),
            dtype=rng.choice((F32, BF16)),
            role=Role.OUTPUT if name == "o" else Role.INPUT,
        )
        for name in ("a", "b", "o")
    ]
    scratches = [scratch("acc", (side, side))] if rng.random() < 0.5 else []
    return call(operands, grid, scratches), rng.choice(CHIPS)


@pytest.mark.parametrize("seed", range(100))
def test_the_proposed_limit_or_smaller_plan_fits(seed: int) -> None:
    made, chip = random_overflow(seed)
    found = findings(made, chip, "P201 P202")
    if not found:
        return
    hint = found[0].hint or ""
    limit, smaller = LIMIT.search(hint), SMALLER.search(hint)
    if limit is not None:
        assert findings(replace(made, vmem_limit_bytes=int(limit[1])), chip, "P201 P202") == []
    if smaller is not None:
        assert findings(with_block(made, smaller[2], smaller[1]), chip, "P201 P202 P101 P102") == []
    elif "divided by" in hint:
        for name, sizes in DIVIDED.findall(hint.split("divided by")[1]):
            change = with_scratch if name == "acc" else with_block
            made = change(made, name, sizes)
        assert findings(made, chip, "P201 P202 P101 P102") == []


def test_the_generators_make_what_is_fixed() -> None:
    blocks = [bool(findings(*random_blocks(seed), "P101 P102 P103")) for seed in range(200)]
    plans = [bool(findings(*random_overflow(seed), "P201 P202")) for seed in range(100)]
    assert all(blocks) and 20 < sum(plans) < 100


@pytest.mark.parametrize("chip", CHIPS)
def test_the_shape_proposed_for_scratch_fits(chip: str) -> None:
    """Of a scratch beyond the chip, the rows that fit; 32768 more would not."""
    rng = random.Random(f"scratch {chip}")
    space = load_chip(chip).vmem_bytes
    for _ in range(12):
        dtype = rng.choice((F32, BF16, I8))
        tail = rng.choice(((), (128,), (200,), (4, 128)))
        size = math.prod(tail) * dtype.bits // 8
        shape = (space // size * rng.randint(2, 5) + rng.randint(0, 100), *tail)
        made = call([], scratches=(scratch("buf", shape, dtype), scratch("other", (64, 128), F32)))
        [found] = findings(made, chip, "P202")
        [fix] = found.fixes
        assert (fix.kind, fix.at, fix.key) == ("set", "buf", "shape")
        assert isinstance(fix.value, tuple) and fix.value[1:] == tail
        rows = int(str(fix.value[0]))
        fitting, larger = (with_scratch(made, "buf", ",".join(map(str, (n, *tail)))) for n in (rows, rows + 4096 * 8))
        assert findings(fitting, chip, "P201 P202") == []
        assert findings(larger, chip, "P201 P202") != []
