"""JAX's own interpreters: the numbers of correct kernels are ours, and what they tell of faulty ones is as recorded.

A part of the specs: `pipeline verify specs --against jax-interpret` and `--against tpu-interpret` ask for all of them.
"""

from __future__ import annotations

import json

import pytest

from pipeline.cli import main
from pipeline.errors import SpecError
from pipeline.oracles.faults import FAULTS, Asker, answer, names, recorded
from pipeline.oracles.interpret_record import RECORD, lenient_run
from pipeline.oracles.shipped import SPECS, shipped_specs, spec_id
from pipeline.oracles.verify import EQUAL
from pipeline.oracles.verify_interpreters import verify_against_interpret, verify_against_tpu_interpret
from pipeline.simulate.prepared import too_much_work
from pipeline.spec.spec import Spec
from pipeline.trace.trace import trace

SOME = 10  # one spec of so many
RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
REFUSED = RECORDED["refused"]  # what JAX's interpret mode has no form for
CORRECT = [spec for spec in shipped_specs() if spec.expect is None and spec_id(spec) not in REFUSED]
# a wait that never ends stops the interpreter too, and so does a copy that another core has started
HANGS = {"wait_without_start", "prefetch_over_a_parallel_axis"}


def small(spec: Spec) -> bool:
    try:
        return too_much_work(trace(spec), 300_000_000) is None
    except SpecError:
        return False


@pytest.mark.parametrize("spec", [s for s in CORRECT[::SOME] if small(s)], ids=spec_id)
def test_numbers_of_interpret_mode(spec: Spec) -> None:
    (layer,) = verify_against_interpret(spec)
    assert (layer.status, layer.said) == (EQUAL, layer.said)


@pytest.mark.parametrize("spec", [s for s in CORRECT if s.name in ("softmax_kernel", "hbm_copy", "matvec", "top_k")],
                         ids=spec_id)  # fmt: skip
def test_numbers_of_the_tpu_interpreter(spec: Spec) -> None:
    layers = list(verify_against_tpu_interpret(spec))
    assert [(layer.status, layer.said) for layer in layers] == [(EQUAL, layer.said) for layer in layers]


def test_numbers_of_all_specs_are_recorded() -> None:
    """Else: python -m pipeline.oracles.interpret_record NAME.."""
    missing = [spec for spec in shipped_specs() if spec_id(spec) not in {*RECORDED["specs"], *REFUSED}]
    assert [spec_id(spec) for spec in missing if lenient_run(spec) is not None] == []


@pytest.mark.parametrize("name", names())
def test_interpret_mode_reports_no_fault(name: str) -> None:
    """Its numbers are at most wrong; `tests/modes` holds the lenient mode to the same words."""
    assert answer(name, "interpret") == recorded()[name]["interpret"]


@pytest.mark.parametrize("name", [name for name in names()[::2] if name not in HANGS])
def test_the_tpu_interpreter_on_faults(name: str) -> None:
    assert answer(name, "tpu") == recorded()[name]["tpu"]


@pytest.mark.parametrize("name", [*FAULTS["races"][:2], "read_before_the_wait", "overwrite_in_flight"])
def test_races_that_it_looks_for(name: str) -> None:
    assert answer(name, "races") == recorded()[name]["races"]


def test_the_command_line_asks_them(capsys: pytest.CaptureFixture[str]) -> None:
    exhibit = str(SPECS / "exhibits" / "slice_past_the_end.toml")
    assert main(["verify", exhibit, "--against", "jax-interpret"]) == 0
    assert capsys.readouterr().out == "slice_past_the_end: interpret: 4096 elements agree\n"
    assert main(["verify", exhibit, "--against", "tpu-interpret"]) == 0
    said = "R303 here; the interpreter reports JaxRuntimeError: IndexError: Out-of-bounds read"
    assert capsys.readouterr().out.count(said) == 2


def test_a_wait_without_end_hangs_the_interpreter() -> None:
    asker = Asker(patience=6)
    assert asker.ask("wait_without_start", "tpu") == "hangs"
    assert asker.process is None
    assert recorded()["wait_without_start"]["tpu"] == "hangs"
