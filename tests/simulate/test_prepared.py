"""A call that was made ready gives in every run what a run of its own gives, whatever was run before."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest

from pipeline.errors import SpecError
from pipeline.ir.call import Role
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import execute
from pipeline.simulate.machine import Filling
from pipeline.simulate.mode import LENIENT, SEQUENTIAL, Mode
from pipeline.simulate.prepared import Prepared
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace
from tests.simulate.test_simulate_lanes import assert_same

WORK = 300_000_000  # more is left to the runs on steps at once
SPECS = [spec for spec in shipped_specs() if sum(prod(o.shape) * o.dtype.bits for o in spec.operands) < 1 << 25]
WAYS = [
    (SEQUENTIAL, None), (SEQUENTIAL, Filling(seed=0)), (Mode("shuffled", 3), Filling(seed=1)),
    (LENIENT, Filling(variant=2)), (SEQUENTIAL, None), (Mode("reversed", eager=True), None),
    (LENIENT, Filling(variant=2)), (SEQUENTIAL, None),
]  # fmt: skip


@pytest.fixture(autouse=True)
def memory_of_no_use(monkeypatch):
    """What is allocated without contents does not happen to hold what an earlier run left there."""
    allocate = np.empty

    def empty(*args, **kwargs):
        found = allocate(*args, **kwargs)
        if found.flags.c_contiguous and found.size:
            found.reshape(-1).view(np.uint8)[...] = 0xA5
        return found

    monkeypatch.setattr(np, "empty", empty)


def other(inputs):
    """Data of the same kind: each array the other way round, but for what may be an index."""
    return {name: x if x.dtype.kind in "iu" and x.ndim == 1 else np.flip(x).copy() for name, x in inputs.items()}


def outcome(run):
    """A run, or the codes of its error."""
    try:
        return run()
    except SpecError as error:
        return [d.code for d in error.diagnostics]


@pytest.mark.parametrize("spec", SPECS, ids=spec_id)
def test_runs_do_not_know_of_each_other(spec, monkeypatch):
    for module in ("program", "numerics.control"):  # a program or loop has a function of its own from then on
        monkeypatch.setattr(f"pipeline.simulate.{module}.OFTEN", 3)
    check_runs(spec, Prepared(trace(spec)))


@pytest.mark.parametrize("spec", SPECS[::7], ids=spec_id)
def test_what_is_run_often_gives_the_same(spec):
    check_runs(spec, Prepared(trace(spec), often=True))


def check_runs(spec, prepared):
    call = prepared.call
    if prepared.too_much_work(WORK) is not None:
        return
    first = outcome(lambda: make_inputs(spec))
    if isinstance(first, list):  # an exhibit of data that cannot be used
        return
    kept = []
    for turn, (mode, filling) in enumerate(WAYS):
        inputs = other(first) if turn % 3 == 2 else first
        given = {name: x.copy() for name, x in inputs.items()}
        again = outcome(lambda: prepared.run(inputs, filling, WORK, mode))  # noqa: B023
        alone = outcome(lambda: execute(call, inputs, filling, WORK, mode, lanes=1))  # noqa: B023
        if isinstance(alone, list):
            assert again == alone
            continue
        if any(finding.code == "R104" for finding in alone.findings):  # given up: nobody asks what is there by then
            assert again.findings == alone.findings and not again.finished
            continue
        assert_same(again, alone)
        assert all(given[name].tobytes() == x.tobytes() for name, x in inputs.items())
        kept.append((again, alone))
    for again, alone in kept:  # later runs have not written to what earlier ones gave
        assert_same(again, alone)


PREFETCHED = """
name = "k"
summary = "a test"
targets = ["v5e"]

[kernel]
source = '''
def kernel(n_ref, x_ref, o_ref):
    o_ref[...] = x_ref[...] + 1
'''

[grid]
shape = [64]

[[scalar_prefetch]]
name = "n"
shape = [64]
dtype = "int32"

[[inputs]]
name = "x"
shape = [512, 128]
dtype = "int32"
block = [8, 128]
index_map = "lambda i, n: (n[i], 0)"

[[outputs]]
name = "o"
shape = [512, 128]
dtype = "int32"
block = [8, 128]
index_map = "lambda i, n: (n[63 - i], 0)"
"""


@pytest.mark.parametrize("lanes", [1, 1 << 30])
def test_block_indices_follow_the_prefetched_values(lanes, tmp_path):
    path = tmp_path / "k.toml"
    path.write_text(PREFETCHED)
    (spec,) = load_specs(path)
    call = trace(spec)
    prepared = Prepared(call)
    inputs = dict(make_inputs(spec))
    x = inputs["x"] = np.arange(512 * 128, dtype=np.int32).reshape(512, 128)
    for order in (np.arange(64), np.arange(64)[::-1], np.roll(np.arange(64), 5), np.arange(64)):
        inputs["n"] = order.astype(np.int32)
        got = prepared.run(inputs, lanes=lanes).outputs["o"]
        want = np.zeros_like(x)
        for i in range(64):
            want[8 * order[63 - i] :][:8] = x[8 * order[i] :][:8] + 1
        assert (got == want).all()


def test_a_few_steps_are_run_at_once_when_they_are_run_often(tmp_path):
    path = tmp_path / "k.toml"
    path.write_text(PREFETCHED.replace("64", "8").replace("63", "7"))
    (spec,) = load_specs(path)
    prepared = Prepared(trace(spec))
    inputs = {**make_inputs(spec), "n": np.arange(8, dtype=np.int32)}
    ways = []
    for _ in range(9):
        prepared.run(inputs)
        ways.append(sorted(machine.__name__ for machine, _ in prepared.cores))
    assert ways[0] == ["Machine"] and ways[-1] == ["LanesMachine", "Machine"]


def test_outputs_are_the_callers(tmp_path):
    path = tmp_path / "k.toml"
    path.write_text(PREFETCHED)
    (spec,) = load_specs(path)
    call = trace(spec)
    inputs = {**make_inputs(spec), "n": np.arange(64, dtype=np.int32)}
    prepared = Prepared(call)
    runs = [prepared.run(inputs) for _ in range(3)]
    outputs = [run.outputs[o.name] for run in runs for o in call.with_role(Role.OUTPUT)]
    assert len({x.__array_interface__["data"] for x in outputs}) == 3
    assert all(x.flags.writeable for x in outputs)
