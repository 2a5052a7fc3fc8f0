"""A ref of 64 rows seen as groups of rows, against recorded verdicts of libtpu: narrow rows are cut between tiles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.chips.load import load_chip
from pipeline.errors import Severity
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.kernel_text import call_of, head_text, operand_text
from pipeline.schedule.schedule import schedule

RECORDS = [json.loads(line) for line in Path(__file__).with_name("ref_reshapes.jsonl").read_text().splitlines()[1:]]
LENIENT = ["bfloat16", 8, True, "7x"]  # libtpu asks for 16 rows of 16-bit scratch there, and we do not


def text(dtype: str, rows: int, scratch: bool) -> str:
    view = f"reshape({64 // rows}, {rows}, 128)"
    of_scratch = ["s_ref[...] = x_ref[...]", f"o_ref[...] = s_ref.{view}[...]"]
    body = of_scratch if scratch else [f"o_ref[...] = x_ref.{view}[...]"]
    spec = head_text("Groups of rows", ["x", "o", "s"] if scratch else ["x", "o"], body, [2])
    spec += operand_text("inputs", "x", [128, 128], [64, 128], "i, 0", dtype)
    spec += operand_text("outputs", "o", [128 // rows, rows, 128], [64 // rows, rows, 128], "i, 0, 0", dtype)
    if scratch:
        spec += f'\n[[scratch]]\nname = "s"\nkind = "vmem"\nshape = [64, 128]\ndtype = "{dtype}"\n'
    return spec


@pytest.mark.parametrize("dtype", ("float32", "bfloat16", "int8"))
def test_rows_are_cut_between_tiles(dtype: str) -> None:
    records = [record for record in RECORDS if record[0] == dtype]
    assert len(records) == 32
    for _, rows, scratch, name, refused in records:
        call, chip = call_of(text(dtype, rows, scratch)), load_chip(name)
        found = schedule(call, lower(call, chip), chip).findings
        codes = [finding.code for finding in found if finding.severity is Severity.ERROR]
        ours = [dtype, rows, scratch, name]
        assert bool(codes) == (refused and ours != LENIENT), (ours, codes)
        assert set(codes) <= {"P607"}
