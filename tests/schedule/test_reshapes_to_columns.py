"""A last axis that becomes a column, with the axes before it cut and joined: compiled by libtpu 0.0.42.1 for each chip.

The first half was looked at when the rule was written, the second only counted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.oracles.agreement import judge
from pipeline.spec.load import parse_specs
from pipeline.trace.trace import trace

# before, after, the chips that take it as 32-bit numbers, and as 16-bit ones
ALL, LATE = ("v4", "v5e", "v6e", "7x"), ("v6e", "7x")
SAID = [
    ((4, 2, 128), (8, 128, 1), ALL, LATE),
    ((2, 8, 128), (16, 128, 1), ALL, LATE),
    ((8, 128), (2, 4, 128, 1), ALL, LATE),
    ((4, 2, 64), (8, 64, 1), ALL, LATE),
    ((4, 2, 2, 128), (16, 128, 1), ALL, LATE),
    ((4, 2, 128), (2, 4, 128, 1), ALL, LATE),
    ((4, 2, 128), (4, 256, 1), (), ()),
    ((2, 256), (4, 128, 1), (), ()),
    ((4, 2, 5), (8, 5, 1), ALL, LATE),
    ((6, 128), (2, 3, 128, 1), ALL, LATE),
    ((4, 2, 128), (8, 128, 1, 1), ALL, LATE),
    ((1, 8, 128), (2, 4, 128, 1), ALL, LATE),
    ((2, 3, 200), (6, 200, 1), ALL, LATE),
    ((2, 128), (128, 2, 1), (), ()),
    ((2, 2, 128), (512, 1), (), ()),
    ((12, 8), (3, 4, 8, 1), ALL, LATE),
]
SPEC = """name = "k"
targets = ["v5e"]
[kernel]
source = "def kernel(x_ref, o_ref):\\n    o_ref[...] = x_ref[...].reshape({after})"
[[inputs]]
name = "x"
shape = {before}
dtype = "{dtype}"
[[outputs]]
name = "o"
shape = {shape}
dtype = "{dtype}"
"""


@pytest.mark.parametrize(("before", "after", "wide", "packed"), SAID)
def test_a_column_out_of_rows(
    before: tuple[int, ...], after: tuple[int, ...], wide: tuple[str, ...], packed: tuple[str, ...]
) -> None:
    for dtype, takes in (("float32", wide), ("int16", packed)):
        text = SPEC.format(before=list(before), after=after, shape=list(after), dtype=dtype)
        [spec] = parse_specs(text, Path("k.toml"))
        call = trace(spec)
        assert tuple(chip for chip in ALL if not judge(call, chip).codes) == takes, dtype
