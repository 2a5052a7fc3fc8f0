"""Computed starts in refs of one dimension, held to what libtpu 0.0.42.1 said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace

SPEC = """
name = "k"
targets = ["v5e"]

[kernel]
source = '''
def k(s_ref, o_ref, buf):
    buf[pl.ds(s_ref[0] * {multiple}, {size})] = jnp.zeros(({size},), jnp.{dtype})
    o_ref[...] = buf[0:128].reshape(1, 128)
'''

[[scalar_prefetch]]
name = "s"
shape = [1]
dtype = "int32"

[[outputs]]
name = "o"
shape = [1, 128]
dtype = "{dtype}"

[[scratch]]
name = "buf"
kind = "vmem"
shape = [{total}]
dtype = "{dtype}"
"""
# (chip, dtype, elements, multiple that starts are of, elements stored) -> whether the compiler takes it
SAID = {
    ("v5e", "float32", 2048, 128, 1024): True,
    ("v5e", "float32", 2048, 128, 64): True,
    ("v5e", "float32", 1000, 128, 256): True,
    ("v5e", "float32", 2048, 64, 64): False,
    ("v5e", "float32", 2048, 1, 128): False,
    ("v5e", "bfloat16", 2048, 128, 128): False,
    ("v5e", "bfloat16", 2048, 256, 1024): True,
    ("v5e", "bfloat16", 1000, 256, 256): True,
    ("v5e", "int8", 2048, 256, 1024): False,
    ("v5e", "int8", 2048, 512, 512): True,
    ("v5e", "int8", 2048, 512, 64): True,
    ("v4", "float32", 2048, 128, 64): True,
    ("v4", "int8", 2048, 512, 1024): True,
    ("v4", "int8", 2048, 512, 64): False,
    ("v4", "int8", 1000, 512, 488): False,
}


@pytest.mark.parametrize("case", SAID, ids=str)
def test_taken_as_the_compiler_does(case: tuple[str, str, int, int, int], tmp_path: Path) -> None:
    chip_name, dtype, total, multiple, size = case
    path = tmp_path / "k.toml"
    path.write_text(SPEC.format(dtype=dtype, total=total, multiple=multiple, size=size))
    [spec] = load_specs(path)
    call, chip = trace(spec), load_chip(chip_name)
    found = [finding.code for finding in schedule(call, lower(call, chip), chip).findings]
    assert found == ([] if SAID[case] else ["P604"])
