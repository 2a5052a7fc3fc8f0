"""Which modes pass a kernel: a line for each, and a finding where they differ and the strict run sees nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.chips.load import load_target
from pipeline.simulate.functional import Functional, run_functional
from pipeline.simulate.mode import LENIENT, Mode
from pipeline.simulate.sharing import Watch
from pipeline.simulate.simulate import judge, legal_on
from pipeline.simulate.text import print_simulation
from pipeline.spec.load import load_specs
from pipeline.stages import run_spec
from pipeline.trace.trace import trace

EXHIBITS = Path(__file__).parents[2] / "specs" / "exhibits"
HEAD = """\
name = "k"
summary = "a test"
targets = ["v5e", "interpret"]

[kernel]
source = '''
def kernel(x_ref, o_ref, s_ref, sem):
{body}
'''

[grid]
shape = [4]
semantics = ["{semantics}"]

[[inputs]]
name = "x"
shape = [32, 128]
dtype = "float32"
{place}
data = {{ kind = "normal", seed = 0 }}

[[outputs]]
name = "o"
shape = [32, 128]
dtype = "float32"
block = [{rows}, 128]
index_map = "lambda i: ({index}, 0)"

[[scratch]]
name = "s"
kind = "vmem"
shape = [8, 128]
dtype = "float32"

[[scratch]]
name = "sem"
kind = "dma_semaphore"
"""
BLOCK = 'block = [8, 128]\nindex_map = "lambda i: (i, 0)"'


def run(tmp_path: Path, body: str, semantics: str = "parallel", rows: int = 8, index: str = "i",
        place: str = BLOCK) -> Functional:  # fmt: skip
    body = "".join(f"    {line}\n" for line in body.strip().splitlines())
    path = tmp_path / "k.toml"
    path.write_text(HEAD.format(body=body, semantics=semantics, rows=rows, index=index, place=place), encoding="utf-8")
    (spec,) = load_specs(path)
    return run_functional(spec, trace(spec))


def lines(functional: Functional) -> dict[str, tuple[bool | None, str]]:
    return {mode.name: (mode.passed, mode.detail) for mode in functional.modes}


def codes(functional: Functional) -> list[str]:
    return [finding.code for finding in functional.findings]


def test_modes_that_cannot_differ_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pipeline.simulate.compare_modes as module

    monkeypatch.setattr(module._Comparison, "_execute", lambda *_: pytest.fail("a further run"))
    assert list(lines(run(tmp_path, "s_ref[...] = x_ref[...]\no_ref[...] = s_ref[...] * 2")).items()) == [
        ("interpret", (True, "as strict: nothing to clamp")),
        ("strict", (True, "")),
        ("reversed order", (True, "as strict: no two parallel steps share memory")),
        ("shuffled order", (True, "as strict: no two parallel steps share memory")),
        ("eager copies", (True, "as strict: no copies of its own")),
        ("random memory", (True, "as strict: it reads nothing it did not write")),
    ]


RUNNING_SUM = """
@pl.when(pl.program_id(0) == 0)
def _():
    s_ref[...] = jnp.zeros_like(s_ref)
s_ref[...] += x_ref[...]
o_ref[...] = s_ref[...]
"""


def test_a_sum_along_a_parallel_axis_depends_on_the_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which the search for races finds first."""
    assert codes(run(tmp_path, RUNNING_SUM)) == ["R331"]
    monkeypatch.setattr("pipeline.simulate.executor.watch_for", lambda call: Watch(()))
    found = run(tmp_path, RUNNING_SUM)
    assert [name for name, (passed, _) in lines(found).items() if passed is False] == [
        "reversed order",
        "shuffled order",
    ]
    assert codes(found) == ["R341"]
    assert "elements of output 'o' depend on in which order" in found.findings[0].message
    simulation = judge(trace(load_specs(tmp_path / "k.toml")[0]), "here", found)
    assert not simulation.passed
    text = print_simulation(simulation)
    assert "  reversed order: fails, 3072 of 4096 elements of output 'o' differ\n" in text
    assert "  modes: FAIL, passed by interpret, strict, eager copies, random memory only\n" in text


def test_the_same_along_an_arbitrary_axis_passes(tmp_path: Path) -> None:
    found = run(tmp_path, RUNNING_SUM, semantics="arbitrary")
    assert codes(found) == []
    assert all(passed for passed, _ in lines(found).values())
    assert lines(found)["random memory"] == (True, "as strict: it reads nothing it did not write")


def test_memory_that_is_set_in_parts_is_tried(tmp_path: Path) -> None:
    halves = RUNNING_SUM.replace(
        "    s_ref[...] =", "    s_ref[0:4] = jnp.zeros((4, 128), jnp.float32)\n    s_ref[4:8] ="
    )
    found = run(tmp_path, halves.replace("zeros_like(s_ref)", "zeros((4, 128), jnp.float32)"), semantics="arbitrary")
    assert lines(found)["random memory"] == (True, "") and codes(found) == []
    late = RUNNING_SUM.replace("== 0", "== 1")  # not the first step
    found = run(tmp_path, late, semantics="arbitrary")
    assert lines(found)["random memory"] != (True, "as strict: it reads nothing it did not write")


def test_a_comparison_hides_uninitialised_memory_from_nan(tmp_path: Path) -> None:
    found = run(tmp_path, "o_ref[...] = jnp.where(s_ref[...] > 0, s_ref[...], x_ref[...])", semantics="arbitrary")
    assert codes(found) == ["R343"]
    assert "depend on what 's' holds where nobody wrote" in found.findings[0].message
    assert lines(found)["strict"] == (True, "") and lines(found)["random memory"][0] is False


def test_a_semaphore_tells_when_a_copy_landed(tmp_path: Path) -> None:
    body = """
copy = pltpu.make_async_copy(x_ref.at[pl.ds(pl.program_id(0) * 8, 8)], s_ref, sem)
copy.start()
early = pl.semaphore_read(sem)
copy.wait()
o_ref[...] = s_ref[...] + early.astype(jnp.float32)
"""
    found = run(tmp_path, body, place='memory_space = "any"')
    assert codes(found) == ["R342"]
    assert [name for name, (passed, _) in lines(found).items() if passed is False] == ["eager copies"]


def test_interpret_wraps_and_clamps_where_the_strict_run_finds_a_fault(tmp_path: Path) -> None:
    body = "o_ref[...] = x_ref[pl.ds(pl.program_id(0) * 8 - 8, 8), :]"
    found = run(tmp_path, body, place="")
    assert codes(found) == ["R303"]
    assert lines(found)["interpret"] == (True, "") and lines(found)["strict"] == (
        False, "R303: an index outside its ref")  # fmt: skip


def test_what_only_interpret_passes_fails(tmp_path: Path) -> None:
    (spec,) = load_specs(EXHIBITS / "index_map_out_of_range.toml")
    call = trace(spec)
    functional = run_functional(spec, call)
    chip = next(target for target in spec.targets if target.name == "v5e")
    refused = [d for r in run_spec(spec, [chip], ("schedule",)) for d in r.diagnostics]
    simulation = judge(call, "interpret", functional, (legal_on("v5e", refused),))
    assert not simulation.passed
    text = print_simulation(simulation)
    assert "  modes: FAIL, passed by interpret only\n" in text
    assert "  legal on v5e: fails, P301: " in text


def test_the_portable_target_tells_what_the_chips_say(tmp_path: Path) -> None:
    """Whatever targets are selected: the capture hangs on the spec alone."""
    text = HEAD.format(body="    o_ref[...] = x_ref[...]\n", semantics="parallel", rows=4, index="i",
                       place='block = [4, 128]\nindex_map = "lambda i: (i, 0)"').replace("[4]", "[8]")  # fmt: skip
    path = tmp_path / "k.toml"
    path.write_text(text, encoding="utf-8")
    (spec,) = load_specs(path)
    portable = [target for target in spec.targets if load_target(target).kind == "interpret"]
    for selected in (portable, spec.targets):
        results = {(r.stage, r.target): r for r in run_spec(spec, selected)}
        simulated = results["simulate", "interpret"]
        assert simulated.text is not None and "  legal on v5e: fails, P101: " in simulated.text
        assert not simulated.passed
    assert {r.target for r in run_spec(spec, portable)} == {None, "interpret"}


def test_a_lenient_run_keeps_revisited_blocks_and_ends_every_wait() -> None:
    from pipeline.simulate.data import make_inputs
    from pipeline.simulate.executor import execute

    (spec,) = load_specs(EXHIBITS / "revisited_output.toml")
    inputs = make_inputs(spec)
    kept = execute(trace(spec), inputs, mode=LENIENT)
    np.testing.assert_allclose(kept.outputs["o"], inputs["x"].sum(axis=0), rtol=1e-6)
    assert kept.revisited
    (spec,) = load_specs(EXHIBITS / "wait_without_start.toml")
    assert execute(trace(spec), make_inputs(spec), mode=LENIENT).finished
    assert not execute(trace(spec), make_inputs(spec), mode=Mode(eager=True)).finished
