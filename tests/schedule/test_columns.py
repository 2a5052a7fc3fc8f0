"""Values that were reduced over lanes run along rows; a chip that gathers no rows cannot turn them.

libtpu 0.0.42.1 refuses on v4 all that are refused here and takes the others; v5e takes all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.chips.load import load_chip
from pipeline.errors import Severity
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.schedule import schedule
from pipeline.spec.load import parse_specs
from pipeline.trace.trace import trace

CASES = {
    "jnp.full((8, 128), jnp.max(jnp.argmax(x_ref[...], 1).astype(jnp.float32)), jnp.float32)": False,
    "jnp.full((8, 128), jnp.sum(jnp.argmin(x_ref[...], 1).astype(jnp.float32)), jnp.float32)": False,
    "jnp.full((8, 128), jnp.max(-jnp.max(x_ref[...], 1)), jnp.float32)": False,
    "jnp.full((8, 128), jnp.max(jnp.exp(jnp.sum(x_ref[...], 1))), jnp.float32)": False,
    "jnp.broadcast_to(jnp.argmax(x_ref[...], 1).astype(jnp.float32)[:, None], (8, 128))": True,
    "jnp.full((8, 128), jnp.max(jnp.max(x_ref[...], 0)), jnp.float32)": True,
    "jnp.full((8, 128), jnp.max(jnp.argmax(x_ref[...], 0).astype(jnp.float32)), jnp.float32)": True,
}


def _errors(value: str, chip: str) -> list[str]:
    text = f"""name = "column"
summary = "A column turned"
targets = ["{chip}"]
[kernel]
source = '''
def kernel(x_ref, o_ref):
    o_ref[...] = {value}
'''
[[inputs]]
name = "x"
shape = [8, 128]
dtype = "float32"
[[outputs]]
name = "o"
shape = [8, 128]
dtype = "float32"
"""
    [spec] = parse_specs(text, Path("column.toml"))
    call, made_for = trace(spec), load_chip(chip)
    found = schedule(call, lower(call, made_for), made_for, estimated=False).findings
    return [finding.code for finding in found if finding.severity is Severity.ERROR]


@pytest.mark.parametrize("value", CASES)
def test_a_column_is_turned_where_rows_are_gathered(value: str) -> None:
    assert (_errors(value, "v4") == []) == CASES[value]
    assert _errors(value, "v5e") == []
