"""Copies of rows of arrays at most one tile wide, held to what libtpu 0.0.42.1 said of them (v4 to 7x alike)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.chips.load import load_chip
from pipeline.errors import Severity
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace

SPEC = """
name = "k"
targets = ["v5e"]

[kernel]
source = '''
def k(s_ref, x_ref, o_ref, sem):
    rows = pl.ds({start}, {rows})
    copy = pltpu.make_async_copy(x_ref.at[rows, :], o_ref.at[rows, :], sem)
    copy.start()
    copy.wait()
'''

[[scalar_prefetch]]
name = "s"
shape = [2]
dtype = "int32"

[[inputs]]
name = "x"
shape = [64, {lanes}]
dtype = "{dtype}"
memory_space = "any"

[[outputs]]
name = "o"
shape = [64, {lanes}]
dtype = "{dtype}"
memory_space = "any"

[[scratch]]
name = "sem"
kind = "dma_semaphore"
"""
# (dtype, lanes, start, rows) -> whether the compiler takes it
SAID = {
    ("float32", 64, "s_ref[0]", "3"): True,
    ("float32", 100, "s_ref[0]", "12"): True,
    ("float32", 128, "s_ref[0]", "8"): True,
    ("float32", 128, "3", "16"): True,
    ("float32", 128, "s_ref[0]", "s_ref[1]"): True,
    ("int32", 64, "s_ref[0] * 4", "8"): True,
    ("float32", 256, "s_ref[0]", "8"): False,
    ("float32", 256, "3", "16"): False,
    ("int32", 256, "s_ref[0]", "s_ref[1]"): False,
    ("bfloat16", 128, "s_ref[0]", "8"): False,
    ("bfloat16", 64, "3", "3"): False,
    ("int8", 128, "s_ref[0] * 4", "16"): False,
}


@pytest.mark.parametrize("case", SAID, ids=str)
def test_the_compilers_verdict(case: tuple[str, int, str, str], tmp_path: Path) -> None:
    dtype, lanes, start, rows = case
    path = tmp_path / "k.toml"
    path.write_text(SPEC.format(dtype=dtype, lanes=lanes, start=start, rows=rows))
    (spec,) = load_specs(path)
    call, chip = trace(spec), load_chip("v5e")
    found = {f.code for f in schedule(call, lower(call, chip), chip).findings if f.severity is Severity.ERROR}
    assert found == (set() if SAID[case] else {"P401"})
