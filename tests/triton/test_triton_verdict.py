"""The Triton path's verdict: JAX's own as recorded, of all shipped specs and of kernels for one form each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.capture.evaluate import evaluate, possible_captures
from pipeline.cli import main
from pipeline.errors import Severity
from pipeline.fix.mend import mend
from pipeline.oracles.shipped import spec_id
from pipeline.oracles.triton import DTYPES, RECORDED, askable, kernels
from pipeline.spec.load import load_specs, parse_specs
from pipeline.spec.spec import Spec
from pipeline.stages import run_spec
from pipeline.trace.trace import trace
from pipeline.triton.table import DEPRECATED, LACKING, REFUSED
from pipeline.triton.verdict import judge

CASES = Path(__file__).parents[1] / "cases"
RECORD: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
SPECS = [spec for spec in (*askable(), *kernels()) if spec_id(spec) in RECORD["takes"]]
CAST = """\
name = "k"
targets = ["triton"]

[kernel]
source = '''
def k(x_ref, o_ref):
    o_ref[...] = x_ref[...].astype({new})
'''

[[inputs]]
name = "x"
shape = [16, 128]
dtype = "{old}"

[[outputs]]
name = "o"
shape = [16, 128]
dtype = "{new}"
"""


def test_many_are_recorded_of_each_kind() -> None:
    said = [RECORD["takes"][spec_id(spec)] for spec in SPECS]
    assert len(said) >= 300 and 100 < sum(said) < len(said) - 100
    assert all(spec_id(spec) in RECORD["takes"] for spec in kernels())


@pytest.mark.parametrize("spec", SPECS, ids=spec_id)
def test_the_verdict_is_jaxs(spec: Spec) -> None:
    verdict = judge(trace(spec))
    assert (not verdict.findings) == RECORD["takes"][spec_id(spec)]
    for finding in verdict.findings:
        assert finding.severity is Severity.ERROR and finding.hint and DEPRECATED in finding.details


def test_the_table_is_jaxs() -> None:
    assert {prim.value for prim in LACKING} == {name for name, there in RECORD["has_rule"].items() if not there}
    refused = {name: tuple(sorted(dtypes)) for name, dtypes in RECORD["refused_dtypes"].items() if dtypes}
    assert refused == {prim.value: tuple(sorted(dtypes)) for prim, dtypes in REFUSED.items()}


@pytest.mark.parametrize("old", DTYPES)
def test_casts_are_jaxs(old: str) -> None:
    """Between float and integers of any width, all but those between integers and 8-bit floats."""
    refused = []
    for new in DTYPES:
        if new == old:
            continue
        [spec] = parse_specs(_cast(old, new), Path("k.toml"))
        if judge(trace(spec)).findings:
            refused.append(f"{old} {new}")
    assert refused == [pair for pair in RECORD["refused_casts"] if pair.split()[0] == old]


def _cast(old: str, new: str) -> str:
    name = "bool_" if new == "bool" else new
    return CAST.format(old=old, new=new).replace(f".astype({new})", f".astype(jnp.{name})")


def test_a_fix_makes_the_block_legal() -> None:
    """Both operands at once, and the grid stays: 96 rows are two blocks of 48, and of 64 rows too."""
    path = CASES / "s10_k1.toml"
    mended = mend(path.read_text(encoding="utf-8"), path, False)
    assert not mended.left
    assert mended.text.count("block = [64, 64]") == 2 and "block = [48" not in mended.text
    [spec] = parse_specs(mended.text, path)
    assert judge(trace(spec)).findings == ()


def test_programs_that_share_an_output_block_are_told() -> None:
    [spec] = load_specs(CASES.parent.parent / "specs" / "exhibits" / "revisited_output.toml")
    assert any("run at once" in note for note in judge(trace(spec)).notes)


def test_the_target_has_a_trace_and_a_verdict_alone() -> None:
    [spec] = load_specs(CASES / "s10_ok_partial.toml")
    results = run_spec(spec)
    assert [(result.stage, result.target) for result in results if result.text] == [
        ("trace", None),
        ("schedule", "triton"),
    ]
    outcome = evaluate(str(CASES / "s10_ok_partial.toml"))
    assert outcome.exit_status() == 0
    assert "s10_ok_partial/3-schedule.triton.txt" in possible_captures(spec)
    assert not any("lower" in path or "simulate" in path for path in possible_captures(spec))


@pytest.mark.parametrize(
    ("args", "status", "said"),
    [
        (["show", "{spec}"], 0, "Triton verdict of double_kernel: accepted"),
        (["show", "{spec}", "--stage", "lower"], 2, "C111"),
        (["show", "{spec}", "--stage", "simulate"], 2, "C111"),
        (["chips", "show", "triton"], 0, "kind triton: no chip"),
        (["chips", "check", "triton"], 0, "triton: ok"),
        (["chips", "list"], 0, "the path is deprecated from JAX 0.11"),
        (["chips", "matrix"], 0, "v5e"),
        (["chips", "matrix", "triton"], 2, "P007"),
        (["timeline", "{spec}", "-o", "{out}"], 2, "C116"),
        (["transform", "{spec}"], 0, "jvp: yes"),
        (["fix", "{spec}"], 0, "0 mended, 0 left"),
        (["sweep", "{spec}", "--vary", "block.x.0=32,64"], 2, "P007"),
        (["run", "{spec}"], 0, "numerics"),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)
def test_commands(args: list[str], status: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each does what it can for such a target, or says what it is."""
    places = {"spec": str(CASES / "s10_ok_partial.toml"), "out": str(tmp_path / "t.json")}
    assert main([arg.format(**places) for arg in args]) == status
    shown = capsys.readouterr()
    assert said in shown.out + shown.err and "Traceback" not in shown.err
