"""Steps at once and steps one by one: the same bits, marks and counts; and which steps may run at once."""

from __future__ import annotations

import random
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.simulate.batch.compiler import LanesMachine, Unproven
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import Core, Run, execute
from pipeline.simulate.functional import run_functional
from pipeline.simulate.machine import WORK_LIMIT, Filling
from pipeline.simulate.mode import LENIENT, SEQUENTIAL
from pipeline.simulate.prepared import Prepared, too_much_work
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace
from tests.simulate.random_lanes import random_spec

# arrays of many megabytes, made to overflow some memory, take seconds and show nothing more
SPECS = [
    spec
    for spec in shipped_specs()
    if prod(spec.grid) > 1 and sum(prod(o.shape) * o.dtype.bits for o in spec.operands) < 1 << 28
]
SHIPPED = [spec for spec in SPECS if spec.folder.name != "exhibits"]


def at_once(call, inputs, lanes, filling=None) -> Run:
    with np.errstate(all="ignore"):
        core = Core(call, SEQUENTIAL, LanesMachine)
        core.start(inputs, filling or Filling(), WORK_LIMIT, SEQUENTIAL)
        return core.run_lanes(lanes)


def assert_same(many: Run, one: Run) -> None:
    """Everything a run gives."""
    for field in ("outputs", "written", "stale", "changes"):
        theirs, ours = getattr(one, field), getattr(many, field)
        assert ours.keys() == theirs.keys(), field
        for name, value in theirs.items():
            assert (ours[name] is None) == (value is None), (field, name)
            if value is not None:
                assert ours[name].dtype == value.dtype and ours[name].shape == value.shape
                assert ours[name].tobytes() == value.tobytes(), (field, name)
    for field in (
        "findings",
        "finished",
        "partial",
        "poisoned_integers",
        "revisited",
        "counts",
        "copied_in",
        "copied_out",
    ):
        assert getattr(many, field) == getattr(one, field), field


@pytest.mark.parametrize("spec", SPECS, ids=spec_id)
def test_a_shipped_spec_gives_the_same_bits(spec):
    call = trace(spec)
    if too_much_work(call) is not None:
        return  # neither way
    inputs = make_inputs(spec)
    one = execute(call, inputs, lanes=1)
    for lanes in (1 << 30, 3):
        assert_same(execute(call, inputs, lanes=lanes), one)


def test_most_shipped_specs_have_steps_that_run_at_once():
    """So that the test above says something. The others share an output block, or copy by themselves."""
    proven = 0
    for spec in SHIPPED:
        call = trace(spec)
        try:
            at_once(call, make_inputs(spec), 4)
            proven += 1
        except Unproven:
            pass
    assert proven >= 0.8 * len(SHIPPED)


KERNEL = """
name = "k"
summary = "a test"
targets = ["v5e"]

[kernel]
source = '''
def kernel(x_ref, o_ref, s_ref):
{body}
'''

[grid]
shape = [{grid}]

[[inputs]]
name = "x"
shape = [64, 256]
dtype = "float32"
block = [8, 128]
index_map = "lambda i, j: (i, j)"

[[outputs]]
name = "o"
shape = [64, 256]
dtype = "float32"
block = [8, 128]
index_map = "{out}"

[[scratch]]
name = "s"
kind = "vmem"
shape = [8, 128]
dtype = "float32"
"""


def kernel(tmp_path: Path, body: str, out: str = "lambda i, j: (i, j)", grid: str = "8, 2"):
    lines = "\n".join("    " + line for line in body.splitlines())
    path = tmp_path / "k.toml"
    path.write_text(KERNEL.format(body=lines, out=out, grid=grid))
    (spec,) = load_specs(path)
    return trace(spec), make_inputs(spec)


CLEARED = "@pl.when(pl.program_id(1) == 0)\ndef _():\n    s_ref[...] = jnp.zeros_like(s_ref)\n"
PROVEN = {
    "scratch cleared where a row starts": CLEARED + "s_ref[...] += x_ref[...]\no_ref[...] = s_ref[...]",
    "scratch written before it is read": "s_ref[...] = x_ref[...]\no_ref[...] = s_ref[...] * 2.0",
    "branches that both write": "@pl.when(pl.program_id(0) < 3)\ndef _():\n    o_ref[...] = x_ref[...]\n"
    "@pl.when(pl.program_id(0) >= 3)\ndef _():\n    o_ref[...] = -x_ref[...]",
    "a branch that some lanes take": "o_ref[...] = x_ref[...]\n"
    "@pl.when(pl.program_id(0) % 3 == 1)\ndef _():\n    o_ref[2:4, :] = x_ref[0:2, :] * 2.0",
    "a part is never written": "o_ref[0:4, :] = x_ref[0:4, :]",
    "a part is written by some": "@pl.when(pl.program_id(0) % 2 == 1)\ndef _():\n    o_ref[2:4, :] = x_ref[0:2, :]",
    "a start of each lane's own": "o_ref[...] = x_ref[...]\n"
    "o_ref[pl.ds(pl.program_id(0) % 4, 2), :] = x_ref[pl.ds(pl.program_id(0) // 2, 2), :]",
    "a loop over rows": "def body(i, acc):\n    o_ref[i, :] = acc\n    return acc + x_ref[i, :]\n"
    "jax.lax.fori_loop(0, 8, body, jnp.zeros((128,), jnp.float32))",
    "a carry that gets lanes in the second round": "def body(i, c):\n    a, b = c\n    return b, b + pl.program_id(0)\n"
    "a, b = jax.lax.fori_loop(0, 3, body, (0, 1))\no_ref[...] = x_ref[...] * a.astype(jnp.float32)",
    "a loop of each lane's own length": "o_ref[...] = x_ref[...]\n"
    "def body(i, acc):\n    o_ref[i, :] = acc\n    return acc + x_ref[i, :]\n"
    "o_ref[7, :] = jax.lax.fori_loop(0, pl.program_id(0) % 3, body, jnp.zeros((128,), jnp.float32))",
    "scoped memory": "def scoped(t_ref):\n    t_ref[...] = x_ref[...]\n    o_ref[...] = t_ref[...] + 1.0\n"
    "pl.run_scoped(scoped, pltpu.VMEM((8, 128), jnp.float32))",
}
UNPROVEN = {
    "scratch read first": ("s_ref[...] = s_ref[...] + x_ref[...]\no_ref[...] = s_ref[...]", "the one before"),
    "scratch cleared once": (
        CLEARED.replace("pl.program_id(1)", "pl.program_id(0)") + "s_ref[...] += x_ref[...]\no_ref[...] = s_ref[...]",
        "the one before",
    ),
    "scratch written in part": ("s_ref[0:4, :] = x_ref[0:4, :]\no_ref[...] = s_ref[...]", "the one before"),
    "scratch untouched where a row starts": (
        "@pl.when(pl.program_id(1) > 0)\ndef _():\n    o_ref[...] = s_ref[...]\n"
        "@pl.when(pl.program_id(1) > 0)\ndef _():\n    s_ref[...] = x_ref[...]\n",
        "the one before",
    ),
    "scratch in one branch": (
        "@pl.when(x_ref[0, 0] > 0.0)\ndef _():\n    s_ref[...] = x_ref[...]\no_ref[...] = s_ref[...]",
        "the one before",
    ),
    "a message": ("pl.debug_print('here')\no_ref[...] = x_ref[...]", "debug_print"),
    "an input that is stored to": ("x_ref[...] = x_ref[...] + 1.0\no_ref[...] = x_ref[...]", "stores to"),
    "an index out of range": ("o_ref[...] = x_ref[...]\no_ref[pl.program_id(0) + 2, :] = x_ref[0, :]", "out of range"),
}


IN_ORDER = UNPROVEN["scratch read first"][0]


@pytest.mark.parametrize("name", PROVEN)
@pytest.mark.parametrize("lanes", [1 << 30, 5])
def test_steps_that_run_at_once(name, lanes, tmp_path):
    call, inputs = kernel(tmp_path, PROVEN[name])
    assert_same(at_once(call, inputs, lanes), execute(call, inputs, lanes=1))


@pytest.mark.parametrize("name", UNPROVEN)
def test_steps_that_do_not(name, tmp_path):
    body, why = UNPROVEN[name]
    call, inputs = kernel(tmp_path, body)
    with pytest.raises(Unproven, match=why):
        at_once(call, inputs, 1 << 30)
    assert_same(execute(call, inputs, lanes=1 << 30), execute(call, inputs, lanes=1))


def test_a_block_that_stays_is_a_loop_in_each_lane(tmp_path):
    body = "@pl.when(pl.program_id(1) == 0)\ndef _():\n    o_ref[...] = x_ref[...]\no_ref[...] += x_ref[...]"
    call, inputs = kernel(tmp_path, body, out="lambda i, j: (i, 0)")
    assert_same(at_once(call, inputs, 1 << 30), execute(call, inputs, lanes=1))


def test_lanes_may_start_inside_a_grid_axis(tmp_path):
    """Four steps of an axis of eight share a block."""
    body = "@pl.when(pl.program_id(0) % 4 == 0)\ndef _():\n    o_ref[...] = x_ref[...]\no_ref[...] += x_ref[...]"
    call, inputs = kernel(tmp_path, body, out="lambda i, j: (i // 4, 0)", grid="8, 1")
    assert_same(at_once(call, inputs, 1 << 30), execute(call, inputs, lanes=1))


def test_a_block_that_all_steps_share_is_a_loop(tmp_path):
    call, inputs = kernel(tmp_path, "o_ref[...] = x_ref[...]", out="lambda i, j: (0, 0)")
    with pytest.raises(Unproven):
        at_once(call, inputs, 1 << 30)


@settings(max_examples=150)
@given(data=st.data())
def test_a_random_kernel_gives_the_same_bits(data, tmp_path_factory):
    text = random_spec(lambda options: data.draw(st.sampled_from(list(options))))
    call, inputs = loaded(text, tmp_path_factory.mktemp("random"))
    for mode in (SEQUENTIAL, LENIENT):
        one = execute(call, inputs, mode=mode, lanes=1)
        for lanes in (1 << 30, 3):
            assert_same(execute(call, inputs, mode=mode, lanes=lanes), one)


def test_many_random_kernels_have_steps_that_run_at_once(tmp_path):
    """So that the test above says something."""
    proven = 0
    for seed in range(60):
        call, inputs = loaded(random_spec(random.Random(seed).choice), tmp_path)
        try:
            many = at_once(call, inputs, 2)
        except Unproven:
            continue
        proven += 1
        assert_same(many, execute(call, inputs, lanes=1))
    assert proven >= 20


def loaded(text: str, folder: Path):
    path = folder / "random.toml"
    path.write_text(text)
    (spec,) = load_specs(path)
    return trace(spec), make_inputs(spec)


def test_long_grids_are_run_if_their_steps_run_at_once(tmp_path, monkeypatch):
    """The limit is on what a run takes, and steps at once take less; a grid that needs its order is left out."""

    class Limited(Prepared):
        def too_much_work(self, work_limit=10_000_000, mode=None):
            return super().too_much_work(work_limit, mode)

        def run(self, inputs, filling=None, work_limit=10_000_000, mode=SEQUENTIAL, lanes=None):
            return super().run(inputs, filling, work_limit, mode, lanes)

    monkeypatch.setattr("pipeline.simulate.functional.Prepared", Limited)
    found = {}
    for name, body in (("at once", "o_ref[...] = x_ref[...]"), ("in order", IN_ORDER)):
        text = KERNEL.format(body="    " + body.replace("\n", "\n    "), grid="8, 2000", out="lambda i, j: (i, j)")
        path = tmp_path / "k.toml"
        path.write_text(text.replace("[64, 256]", "[64, 4000]").replace("[8, 128]", "[8, 2]"))
        (spec,) = load_specs(path)
        found[name] = run_functional(spec, trace(spec))
    assert found["at once"].status == "ran"
    assert found["in order"].status == "left out"
    assert [finding.code for finding in found["in order"].findings] == ["R101"]
