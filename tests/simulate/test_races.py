"""Races between steps: what is proved from the program, what is seen in the run, and that nothing else is accused."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from race_cases import ANY, random_carrying, random_case, spec_of, spec_text

from pipeline.errors import Severity
from pipeline.simulate.data import make_inputs
from pipeline.simulate.executor import execute
from pipeline.simulate.extent import common, region_text
from pipeline.simulate.functional import Functional, run_functional
from pipeline.simulate.mode import Mode
from pipeline.simulate.regions import Shadow, part_of_region
from pipeline.simulate.sharing import watch_for
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace


def block(index_map: str, size: str = "[8, 128]") -> str:
    return f'block = {size}\nindex_map = "{index_map}"'


def made(folder: Path, source: str, grid: str, semantics: str, x: str, o: str) -> Spec:
    path = folder / "k.toml"
    path.write_text(spec_text(source, grid, semantics, x, o, 32, "v5e"), encoding="utf-8")
    return load_specs(path)[0]


def ran(spec: Spec, mode: Mode = Mode()) -> Functional:  # noqa: B008
    return run_functional(spec, trace(spec), mode)


def found(functional: Functional) -> list[tuple[str, str]]:
    return [(f.code, f.message.partition(";")[0]) for f in functional.findings if f.code.startswith("R33")]


COPY = "def k(x, o, s, sem):\n    o[...] = x[...]\n"
ROWS = block("lambda i: (i, 0)")
COLUMN = block("lambda i, j: (i, 0)")
INIT = """def k(x, o, s, sem):
    @pl.when({when})
    def _():
        s[...] = jnp.zeros_like(s)

    s[...] += x[...]
    o[...] = s[...]
"""


@pytest.mark.parametrize(
    ("source", "grid", "semantics", "x", "o"),
    [
        (COPY, "[4]", '["parallel"]', ROWS, ROWS),
        (COPY, "[2, 2]", '["parallel", "parallel"]', block("lambda i, j: (2 * i + j, 0)"),
         block("lambda i, j: (2 * i + j, 0)")),
        (COPY, "[4]", '["arbitrary"]', ROWS, block("lambda i: (i // 2, 0)")),
        (COPY, "[4]", '["parallel"]', ROWS, block("lambda i: (8 * i, 0)", '[{ element = 8 }, { element = 128 }]')),
        (INIT.format(when="pl.program_id(1) == 0"), "[4, 2]", '["parallel", "arbitrary"]', COLUMN, COLUMN),
        (INIT.format(when="(pl.program_id(0) >= 0) & (pl.program_id(1) == 0)"), "[4, 1]", '["parallel", "arbitrary"]',
         COLUMN, COLUMN),
    ],
)  # fmt: skip
def test_proved_without_a_run(tmp_path: Path, source: str, grid: str, semantics: str, x: str, o: str) -> None:
    spec = made(tmp_path, source, grid, semantics, x, o)
    watch = watch_for(trace(spec))
    assert not watch.windows and not watch.arrays
    assert found(ran(spec)) == []


def test_scratch_is_proved_by_the_first_step_of_a_task_alone(tmp_path: Path) -> None:
    right = made(tmp_path, INIT.format(when="pl.program_id(1) == 0"), "[4, 2]", '["parallel", "arbitrary"]',
                 COLUMN, COLUMN)  # fmt: skip
    assert not watch_for(trace(right))
    # with the parallel axis inside, another task's step comes between
    inside = made(tmp_path, INIT.format(when="pl.program_id(0) == 0"), "[2, 4]", '["arbitrary", "parallel"]',
                  block("lambda i, j: (j, 0)"), block("lambda i, j: (j, 0)"))  # fmt: skip
    assert found(ran(inside)) == [("R331", "step (1, 0) finds in 's'[0:8, 0:128] what step (0, 3) left there")]
    # a condition that the program ids alone do not decide is watched, and cleared by the run
    source = INIT.format(when="pl.program_id(1) * pl.program_id(0) == 0").replace("s[...] += x", "s[...] = x")
    watched = made(tmp_path, source, "[4, 2]", '["parallel", "arbitrary"]', COLUMN, COLUMN)
    assert found(ran(watched)) == []


def test_blocks_that_overlap_by_elements(tmp_path: Path) -> None:
    rows = block("lambda i: (4 * i, 0)", "[{ element = 8 }, { element = 128 }]")
    spec = made(tmp_path, COPY, "[4]", '["parallel"]', ROWS, rows)
    assert found(ran(spec)) == [("R330", "steps (0) and (1) both write 'o'[4:8, 0:128]")]


def test_the_axis_is_the_one_along_which_they_differ(tmp_path: Path) -> None:
    one = block("lambda i, j: (j, 0)")
    spec = made(tmp_path, COPY, "[2, 4]", '["parallel", "parallel"]', one, one)
    (finding,) = [f for f in ran(spec).findings if f.code == "R330"]
    assert finding.message == (
        "steps (0, 0) and (1, 0) both write 'o'[0:8, 0:128]; grid axis 0 is parallel, so nothing orders the two"
    )
    assert finding.hint is not None and finding.hint.startswith('declare grid axis 0 "arbitrary"')


READS = """def k(x, o, s, sem):
    i = pl.program_id(0)
    pltpu.sync_copy(o.at[pl.ds({read}, 8)], s)
    s[...] = s[...] + x[...]
    pltpu.sync_copy(s, o.at[pl.ds({write}, 8)])
"""


def test_a_step_reads_what_another_writes(tmp_path: Path) -> None:
    source = READS.format(read="(i + 1) % 4 * 8", write="i * 8")
    spec = made(tmp_path, source, "[4]", '["parallel"]', ROWS, ANY)
    assert ("R330", "step (0) reads 'o'[8:16, 0:128] and step (1) writes them") in found(ran(spec))
    assert found(ran(made(tmp_path, READS.format(read="i * 8", write="i * 8"), "[4]", '["parallel"]', ROWS, ANY))) == []
    assert found(ran(made(tmp_path, source, "[4]", '["arbitrary"]', ROWS, ANY))) == []


def test_elements_between_are_left_alone(tmp_path: Path) -> None:
    source = """def k(x, o, s, sem):
    pltpu.sync_copy(x.at[pl.ds(pl.program_id(0), 8, {stride})], o.at[pl.ds(pl.program_id(0), 8, {stride})])
"""
    apart = made(tmp_path, source.format(stride=4), "[4]", '["parallel"]', ANY, ANY)
    assert found(ran(apart)) == []
    shared = made(tmp_path, source.format(stride=3), "[4]", '["parallel"]', ANY, ANY)
    assert found(ran(shared)) == [("R330", "steps (0) and (3) both write 896 elements of 'o'[3:22, 0:128]")]


@pytest.mark.parametrize("mode", [Mode("reversed"), Mode("shuffled", 3), Mode(eager=True)])
def test_findings_do_not_hang_on_the_order(tmp_path: Path, mode: Mode) -> None:
    """Those of the ordinary one are told: what races in one order does in all."""
    spec = made(tmp_path, COPY, "[4]", '["parallel"]', ROWS, block("lambda i: (i // 2, 0)"))
    assert found(ran(spec, mode)) == found(ran(spec)) != []


ALIAS = 'alias = "x"\n'


def test_an_aliased_block_that_is_read_again(tmp_path: Path) -> None:
    again = block("lambda i, j: (j, 0)")
    spec = made(tmp_path, "def k(x, o, s, sem):\n    o[...] = x[...] + 1\n", "[2, 2]", '["arbitrary", "arbitrary"]',
                again, ALIAS + again)  # fmt: skip
    assert found(ran(spec)) == [
        ("R332", "step (1, 0) reads 'x'[0:8, 0:128], where step (0, 0) has written to 'o', which is the same memory")
    ]
    once = block("lambda i, j: (2 * i + j, 0)")
    spec = made(tmp_path, "def k(x, o, s, sem):\n    o[...] = x[...] + 1\n", "[2, 2]", '["arbitrary", "arbitrary"]',
                once, ALIAS + once)  # fmt: skip
    assert not watch_for(trace(spec)) and found(ran(spec)) == []


def test_an_aliased_block_that_is_fetched_again_while_it_is_in_place(tmp_path: Path) -> None:
    """The output's block is written back once it is left: until then the input's is the old one for certain."""
    spec = made(tmp_path, "def k(x, o, s, sem):\n    o[...] = x[...] + 1\n", "[2, 4]", '["arbitrary", "arbitrary"]',
                block("lambda i, j: (jnp.where(j == 1, 3, i), 0)"), ALIAS + block("lambda i, j: (i, 0)"))  # fmt: skip
    assert found(ran(spec)) == []


def test_aliased_copies_in_one_step(tmp_path: Path) -> None:
    source = """def k(x, o, s, sem):
    pltpu.sync_copy(x.at[pl.ds(0, 8)], s)
    pltpu.sync_copy(s, o.at[pl.ds({to}, 8)])
    pltpu.sync_copy(x.at[pl.ds(8, 8)], s)
    pltpu.sync_copy(s, o.at[pl.ds(24, 8)])
"""
    spec = made(tmp_path, source.format(to=8), "[1]", '["arbitrary"]', ANY, ALIAS + ANY)
    assert found(ran(spec)) == [
        ("R332", "step (0) reads 'x'[8:16, 0:128], where it has written to 'o', which is the same memory")
    ]
    assert found(ran(made(tmp_path, source.format(to=16), "[1]", '["arbitrary"]', ANY, ALIAS + ANY))) == []


def test_an_array_too_large_to_watch_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.simulate.races.MAX_ELEMENTS", 1000)
    spec = made(tmp_path, COPY, "[4]", '["parallel"]', ROWS, block("lambda i: (i // 2, 0)"))
    assert [code for code, _ in found(ran(spec))] == ["R333"]


def test_a_run_too_long_to_watch_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.simulate.races.WORK_LIMIT", 70_000)
    last = block("lambda i: (jnp.where(i == 3, 2, i), 0)")
    functional = ran(made(tmp_path, COPY, "[4]", '["parallel"]', ROWS, last))
    assert found(functional) == [
        ("R333", "races were looked for up to step (2) alone: it takes more work than the limit")
    ]
    monkeypatch.undo()
    assert [code for code, _ in found(ran(made(tmp_path, COPY, "[4]", '["parallel"]', ROWS, last)))] == ["R330"]


def test_a_copy_into_a_block_that_is_written_back(tmp_path: Path) -> None:
    source = """def k(x, o, s, sem):
    i = pl.program_id(0)
    copy = pltpu.make_async_copy(x.at[pl.ds(i * 8, 8)], o, sem)

    @pl.when(i > 0)
    def _():
        copy.wait()

    copy.start()

    @pl.when(i == 3)
    def _():
        copy.wait()
"""
    spec = made(tmp_path, source, "[4]", '["arbitrary"]', ANY, ROWS)
    messages = [f.message for f in ran(spec).findings if f.code == "R302"]
    assert (
        messages[0]
        == "the block of 'o' is replaced before step (1) while a copy into it, started at step (0), is in flight"
    )


@pytest.mark.parametrize(
    ("one", "other", "region"),
    [
        (np.s_[0:4, 2:6], np.s_[3:8, 4:8], ((3, 4), (4, 6))),
        (np.s_[0:4], np.s_[4:8], None),
        (np.s_[3], np.s_[:, 5], ((3, 4), (5, 6))),
        (np.s_[::2, ::3], np.s_[1::2], None),
        (np.s_[::2, ::3], np.s_[2:, 2:4], ((2, 7), (3, 4))),
        (np.s_[2, 3, ...], np.s_[...], ((2, 3), (3, 4))),
    ],
)
def test_what_two_views_share(one: object, other: object, region: object) -> None:
    whole = np.zeros((16, 8), np.float32)
    for base in (whole[:8], np.zeros((16, 24), np.int16)[8:, 4:20:2], np.zeros((8, 8), np.int8).T):
        assert common(base[one], base, base[other], base) == region
    twin = np.zeros((8, 8), np.float32)
    assert common(twin[one], twin, whole[:8][other], whole[:8]) == region
    assert common(whole[4:12], whole[:8], whole[0:2], whole[:8]) is None  # one view is of more than the base


def test_a_copy_out_of_an_input_whose_output_is_written(tmp_path: Path) -> None:
    source = """def k(x, o, s, sem):
    def run(t, other):
        into = pltpu.make_async_copy(x.at[pl.ds(0, 8)], t, sem)
        into.start()
        back = pltpu.make_async_copy(s, o.at[pl.ds({at}, 8)], other)
        back.start()
        back.wait()
        into.wait()

    s[...] = jnp.zeros_like(s)
    pl.run_scoped(run, pltpu.VMEM((8, 128), jnp.float32), pltpu.SemaphoreType.DMA)
"""
    found_in = {}
    for at in (4, 8):
        spec = made(tmp_path, source.format(at=at), "[1]", '["arbitrary"]', ANY, ALIAS + ANY)
        found_in[at] = [f.message for f in ran(spec).findings if f.code == "R302"]
    assert found_in == {4: ["'o'[4:8, 0:128] is written at step (0) while a copy out of it is in flight"], 8: []}


def test_shadows_know_the_two_steps_and_the_elements() -> None:
    task_of = np.arange(4)
    shadow = Shadow((8, 4), task_of)
    upper, lower = part_of_region((slice(0, 6), slice(0, 4))), part_of_region((slice(4, 8), slice(1, 3)))
    assert shadow.written_elsewhere(upper, 0) is None
    shadow.write(upper, 0)
    assert shadow.written_elsewhere(upper, 0) is None
    conflict = shadow.written_elsewhere(lower, 2)
    assert conflict is not None and (conflict.region, conflict.elements, conflict.step) == (((4, 6), (1, 3)), 4, 0)
    assert region_text(conflict.region) == "[4:6, 1:3]"
    shadow.read(lower, 1)
    assert shadow.read_elsewhere(lower, 1) is None
    shadow.read(lower, 3)  # a second task reads: now the first reader's writes conflict, too
    assert [getattr(shadow.read_elsewhere(lower, step), "step", None) for step in (1, 3, 2)] == [3, 1, 1]


@pytest.mark.parametrize("seeds", [range(start, start + 25) for start in range(0, 300, 25)], ids=lambda r: r.start)
def test_random_kernels_race_where_their_steps_share_rows(tmp_path: Path, seeds: range) -> None:
    for seed in seeds:
        case = random_case(seed)
        spec = spec_of(case, tmp_path)
        messages = [f.message for f in ran(spec).findings if f.code == "R330"]
        assert bool(messages) == case.races(), seed
        for message in messages:
            steps = [(int(i), int(j)) for i, j in re.findall(r"\((\d+), (\d+)\)", message)]
            match = re.search(r"'o'\[(\d+)(?::(\d+))?", message)
            assert match is not None and len(steps) == 2
            first, end = int(match[1]), int(match[2] or int(match[1]) + 1)
            assert case.shared(*steps).issuperset(range(first, end)), (seed, message)


@pytest.mark.parametrize("seeds", [range(start, start + 25) for start in range(0, 200, 25)], ids=lambda r: r.start)
def test_random_kernels_carry_over_what_their_text_shows(tmp_path: Path, seeds: range) -> None:
    for seed in seeds:
        case = random_carrying(seed)
        messages = [f.message for f in ran(spec_of(case, tmp_path)).findings if f.code == "R331"]
        assert len(messages) == (case.found is not None), seed
        if case.found is not None:
            assert messages[0].startswith(
                f"step {case.found[0]} finds in 's'[0:8, 0:128] what step {case.found[1]} left"
            )


@pytest.mark.parametrize("seeds", [range(start, start + 20) for start in range(0, 80, 20)], ids=lambda r: r.start)
def test_what_has_no_finding_hangs_on_no_order(tmp_path: Path, seeds: range) -> None:
    """The other way round: kernels without a race give the same bytes in every order and on two cores."""
    clean = 0
    for seed in seeds:
        for case in (random_case(seed), random_carrying(seed)):
            spec = spec_of(case, tmp_path)
            call, inputs = trace(spec), make_inputs(spec)
            first = run_functional(spec, call)
            if {f.code for f in first.findings if f.severity is Severity.ERROR} - {"R321"}:
                continue
            clean += 1
            for mode in (Mode("reversed"), Mode("shuffled", seed), Mode(cores=2, seed=seed)):
                run = execute(call, inputs, mode=mode)
                assert np.array_equal(run.outputs["o"].view(np.int32), first.values["o"].view(np.int32)), (seed, mode)
    assert clean >= 10
