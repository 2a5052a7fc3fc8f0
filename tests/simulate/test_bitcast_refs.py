"""What is read and written through a bitcast of a ref is watched, element by element."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import Diagnostic
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import execute
from pipeline.simulate.mode import Mode
from pipeline.simulate.numerics.bitcasts import NoteBitcast
from pipeline.spec.load import parse_specs
from pipeline.trace.trace import trace

SPEC = """
name = "k"
targets = ["v5p"]

[kernel]
source = '''
def kernel(x, o, s):
    {body}
'''

[grid]
shape = [2]
semantics = ["parallel"]

[[inputs]]
name = "x"
shape = [16, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda i: (i, 0)"
data = {{ kind = "normal", seed = 0 }}

[[outputs]]
name = "o"
shape = [16, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda i: (i, 0)"

[[scratch]]
name = "s"
kind = "vmem"
shape = [8, 128]
dtype = "float32"
"""
AS_INT = "s.bitcast(jnp.int32)"
AS_HALF = "s.bitcast(jnp.bfloat16)"
PUT = "jnp.zeros((8, 128), jnp.int32)"
HALF = "jnp.zeros((8, 128), jnp.bfloat16)"


def findings(body: str, mode: Mode) -> dict[str, Diagnostic]:
    [spec] = parse_specs(SPEC.format(body=body), Path("k.toml"))
    return {found.code: found for found in execute(trace(spec), make_inputs(spec), mode=mode).findings}


@pytest.mark.parametrize(
    ("body", "races"),
    [
        (f"o[...] = x[...] + {AS_INT}[...].astype(jnp.float32); s[...] = x[...]", True),
        (f"o[...] = x[...] + s[...]; {AS_INT}[...] = {PUT}", True),
        (f"{AS_INT}[...] = {PUT}; o[...] = x[...] + s[...]", False),
        (f"{AS_HALF}[0:8, :] = {HALF}; {AS_HALF}[8:16, :] = {HALF}; o[...] = x[...] + s[...]", False),
        (f"{AS_HALF}[0:8, :] = {HALF}; o[...] = x[...] + s[...]; s[...] = x[...]", True),
    ],
)
def test_memory_carried_between_parallel_steps_is_seen(body: str, races: bool) -> None:
    assert ("R331" in findings(body, Mode(record=True))) == races


@pytest.mark.parametrize(
    ("body", "missing"),
    [
        (f"{AS_INT}[...] = {PUT}; o[...] = s[...]", None),
        (f"{AS_HALF}[0:8, :] = {HALF}; o[...] = s[...]", "512 of the 1024 elements, first at [4, 0]"),
        (f"{AS_INT}[0:2, :] = {PUT}[0:2]; o[0:8, :] = x[...] + {AS_HALF}[0:8, :]", "512 of the 1024"),
    ],
)
def test_elements_read_before_they_are_written_are_told_apart(body: str, missing: str | None) -> None:
    found = findings(body, Mode(checks=("uninitialized",)))
    assert ("R353" in found) == (missing is not None)
    assert missing is None or missing in found["R353"].message


def test_an_output_written_through_a_bitcast_is_marked_in_part() -> None:
    [spec] = parse_specs(SPEC.format(body=f"o.bitcast(jnp.int32)[0:2, :] = {PUT}[0:2]"), Path("k.toml"))
    marks = execute(trace(spec), make_inputs(spec)).written["o"]
    assert marks is not None and np.flatnonzero(marks.all(1)).tolist() == [0, 1, 8, 9] and marks.sum() == 4 * 128


def test_notes_through_a_wider_dtype() -> None:
    steps = np.arange(4, dtype=np.int32).reshape(4, 1).repeat(2, 1)
    wide = NoteBitcast(16, 32)
    inner = wide.load(steps, (), True)
    assert inner[:, 0].tolist() == [1, 3]
    inner[1] = 9
    wide.store_back(steps, inner)
    assert steps[:, 0].tolist() == [0, 1, 9, 9]
