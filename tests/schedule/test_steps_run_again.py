"""P310 is found for those grids of which libtpu's cores run more steps than there are (`data/core_grids.json`)."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path
from typing import Any

import pytest

from pipeline.chips.load import load_chip
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import parse_candidate
from pipeline.trace.trace import trace

RECORD = Path(__file__).parents[1] / "simulate" / "data" / "core_grids.json"
RECORDED: dict[str, Any] = json.loads(RECORD.read_text())
GRIDS = [(tuple(row["grid"]), tuple(row["semantics"]), tuple(row["core"])) for row in RECORDED["grids"]]


SPEC = """
name = "k"
targets = ["v5e"]

[kernel]
source = '''
def kernel(x, o):
    o[...] = x[...] + 1
'''

[grid]
shape = {grid}
semantics = {words}

[[inputs]]
name = "x"
shape = [1024, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda {args}: ({block}, 0)"

[[outputs]]
name = "o"
shape = [1024, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda {args}: (i0, 0)"
alias = "x"
"""


def found(grid: tuple[int, ...], words: tuple[str, ...], chip: str, block: str = "i0") -> list[str]:
    """The fix's semantics of each P310 for a kernel that works in place."""
    args = ", ".join(f"i{axis}" for axis in range(len(grid)))
    text = SPEC.format(grid=list(grid), words=json.dumps(words), args=args, block=block)
    call = trace(parse_candidate(text, Path("k.toml"), None, {}))
    plan = schedule(call, None, load_chip(chip))
    return [str(d.fixes[0].value) for d in plan.findings if d.code == "P310"]


@pytest.mark.parametrize(("grid", "words", "core"), GRIDS)
def test_found_where_libtpu_runs_more_steps_than_there_are(
    grid: tuple[int, ...], words: tuple[str, ...], core: tuple[int, ...]
) -> None:
    shared = core != grid
    again = shared and 2 * prod(core) > prod(grid)
    assert len(found(grid, words, RECORDED["chip"])) == again


def test_the_records_have_both() -> None:
    again = [core != grid and 2 * prod(core) > prod(grid) for grid, _, core in GRIDS]
    assert sum(again) > 3 and len(again) - sum(again) > 10


def test_only_what_reads_its_own_block_on_several_cores() -> None:
    assert found((3,), ("parallel",), "v5p") == ["('arbitrary',)"]
    assert found((3, 5), ("parallel", "arbitrary"), "v5p") == ["('arbitrary', 'arbitrary')"]
    assert found((3,), ("parallel",), "v5e") == []  # one core
    assert found((3,), ("arbitrary",), "v5p") == []
    assert found((3,), ("parallel",), "v5p", "i0 + 1") == []  # another step's block: R332
