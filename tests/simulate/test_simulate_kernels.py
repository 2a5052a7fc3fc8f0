"""Kernels over their grids: equal to JAX's interpret mode where that is right, and the hazards it does not see."""

from __future__ import annotations

import numpy as np
import pytest
from simulate_records import entries, kernel

from pipeline.errors import Severity
from pipeline.simulate.executor import execute
from pipeline.simulate.hazards import find_hazards
from pipeline.simulate.machine import Filling
from pipeline.simulate.prepared import Prepared
from pipeline.simulate.uses import vectorizes, written_refs

# codes that a kernel must give, in order; all others must be clean and equal to interpret mode
EXPECTED = {
    "partial_contraction": ["R322", "R322"],
    "prefetch_past_the_end": ["R303", "R311", "R312"],
    "revisit": ["R323"],
    "block_out_of_range": ["R320"],
    "half_written": ["R321"],
    "uninitialised": ["R323"],
    "uninitialised_int": ["R323"],
    "partial_sum": ["R322"],
    "partial_sum_int": ["R322"],
    "read_too_early": ["R301", "R323"],
    "overwrite_too_early": ["R302"],
    "dead_wait": ["R310"],
    "never_waited": ["R311", "R312"],
    "signals_left_over": ["R312"],
    "signals_dead": ["R310"],
    "scalar_index_past": ["R303"],
    "slice_past": ["R303"],
    "gather_rows_past": ["R320"],
    "broken_promise": ["R305"],
    "endless": ["R104"],
    "aliased_in_part": ["R325"],
}
# where interpret mode clamps or copies at once, our run gives the same numbers and a finding
SAME_NUMBERS = {
    "prefetch_past_the_end", "block_out_of_range", "scalar_index_past", "slice_past", "gather_rows_past",
    "broken_promise", "aliased_in_part", "never_waited",
}  # fmt: skip


def run(name):
    call, inputs, want = kernel(name)
    result = execute(call, inputs, work_limit=30_000_000)
    findings = list(result.findings)
    if result.finished:
        findings += find_hazards(Prepared(call), inputs, result, None)
    return result, findings, want


@pytest.mark.parametrize("name", entries("kernels"))
def test_kernel(name):
    result, findings, want = run(name)
    assert [f.code for f in findings] == EXPECTED.get(name, [])
    if name not in EXPECTED or name in SAME_NUMBERS:
        assert result.finished
        for have, need in zip(result.outputs.values(), want, strict=True):
            np.testing.assert_array_equal(have, need)


def test_expectations_are_of_recorded_kernels():
    assert set(EXPECTED) | SAME_NUMBERS <= set(entries("kernels"))


@pytest.mark.parametrize("name", [n for n in EXPECTED if n not in ("endless", "signals_dead", "dead_wait")])
def test_interpret_mode_sees_none_of_these(name):
    """Why the hazards exist: JAX ran all of them; at most a NaN shows, and for integers not even that."""
    _, _, want = kernel(name)
    if want is not None and want[0].dtype.kind == "i":
        assert np.isfinite(want[0]).all()


def test_messages_name_operand_numbers_and_step():
    messages = {name: [f.message for f in run(name)[1]] for name in EXPECTED}
    assert messages["partial_contraction"][0] == (
        "2048 elements of output 'o' depend on what lies past the end of 'a', first at [0, 0]: at step (1) its block "
        "covers 128 to 255 of 200 along axis 1"
    )
    assert messages["prefetch_past_the_end"] == [
        "'x' has 32 elements along axis 0, but elements 32 to 39 are used at the only step",
        "the copy from 'x' to 'buf' is started and never waited for",
        "semaphore 'sem[0]' is left at 4096 bytes, not 0",
    ]
    assert messages["block_out_of_range"] == [
        "the index map of 'b' gives block index 1 on axis 0 at step (0, 0); the array of 1 has 0 to 0"
    ]
    assert messages["gather_rows_past"] == [
        "the index map of 'x' gives block index 7 on axis 0 at step (2); the array of 6 has 0 to 5"
    ]
    assert messages["half_written"] == ["1024 of 2048 elements of output 'o' are never written, first at [4, 0]"]
    assert messages["revisit"] == ["2048 elements of output 'o' depend on its own uninitialised block, first at [0, 0]"]


def test_unwritten_and_padded_memory_is_poison():
    result, _, _ = run("half_written")
    assert np.isnan(result.outputs["o"][4:8]).all()
    call, inputs, _ = kernel("uninitialised_int")
    zero = execute(call, inputs, Filling(memory=False)).outputs["o"]
    poisoned = execute(call, inputs).outputs["o"]
    np.testing.assert_array_equal(zero + np.int32(-(2**31)), poisoned)


def test_inputs_are_never_written_to():
    for name in entries("kernels"):
        call, inputs, _ = kernel(name)
        before = {k: v.copy() for k, v in inputs.items()}
        execute(call, inputs, work_limit=3_000_000)
        for k, v in inputs.items():
            np.testing.assert_array_equal(v, before[k])


def test_a_grid_too_large_is_left_out_with_a_warning():
    call, inputs, _ = kernel("matmul")
    result = execute(call, inputs, work_limit=1000)
    assert not result.finished
    assert [(f.code, f.severity) for f in result.findings] == [("R101", Severity.WARNING)]


def test_index_maps_are_evaluated_at_once_where_they_can_be():
    call, _, _ = kernel("gather_rows")
    maps = [o.index_map for o in call.operands if o.index_map is not None]
    assert all(vectorizes(m) for m in maps)


def test_counts_of_what_ran():
    call, inputs, _ = kernel("matmul")
    result = execute(call, inputs)
    assert result.counts.contractions == {"bfloat16": 2 * 32 * 256 * 256}
    assert result.counts.vector == 2 * 32 * 256  # one add per K step; the converts and stores are free of arithmetic
    assert result.changes["a"].tolist() == [True] * 8
    assert result.changes["o"].tolist() == [True, False] * 4
    call, inputs, _ = kernel("prefetch_guarded")
    result = execute(call, inputs)
    assert (result.copied_in, result.copied_out) == (32 * 128 * 4, 0)


def test_written_refs_through_nested_jaxprs():
    call, _, _ = kernel("prefetch_guarded")
    assert written_refs(call.body) == {1, 2}  # o by a store, buf by a copy inside a cond inside a scan
