"""Checks that are asked for: what checkify says of the same kernels, and what it cannot say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pipeline.errors import Diagnostic, SpecError
from pipeline.simulate.functional import run_functional
from pipeline.simulate.mode import Mode
from pipeline.spec.limits import CHECKS
from pipeline.spec.load import load_specs
from pipeline.trace.trace import trace
from tests.simulate.check_cases import CASES, RECORD, SHOWN, SPEC, case

SAID: dict[str, dict[str, str]] = json.loads(RECORD.read_text(encoding="utf-8"))["said"]
CODES = {"R350": "bounds", "R351": "nan", "R352": "div", "R353": "uninitialized", "R354": "debug"}


def found(folder: Path, name: str, mode: Mode = Mode(checks=CHECKS)) -> list[Diagnostic]:  # noqa: B008
    spec = case(name, folder)
    return [f for f in run_functional(spec, trace(spec), mode).findings if f.code in CODES]


def test_all_cases_are_recorded() -> None:
    assert list(SAID) == [*CASES, *SHOWN]
    assert sum(not said for said in SAID.values()) >= 9


@pytest.mark.parametrize("name", [*CASES, *SHOWN])
def test_the_verdict_of_checkify(tmp_path: Path, name: str) -> None:
    """The same checks fail, for the same reason. An infinity made of finite numbers is ours alone."""
    ours: dict[str, str] = {}
    for finding in found(tmp_path, name):
        if "makes infinity" not in finding.message:
            ours.setdefault(CODES[finding.code], finding.message)
    theirs = SAID[name]
    assert sorted(ours) == sorted(theirs)
    if "nan" in theirs:
        primitive = theirs["nan"].rpartition(" ")[2].rstrip(".")
        assert ours["nan"].startswith(f"{primitive} makes NaN")
    if "bounds" in theirs:
        match = re.search(r"index (-?\d+) is out of bounds for axis (\d)", theirs["bounds"])
        assert match is not None and f"axis {match[2]} " in ours["bounds"] and match[1] in ours["bounds"].split()
    if "debug" in theirs:
        assert ours["debug"].endswith(theirs["debug"].removesuffix(" (`check` failed)"))


@pytest.mark.parametrize("name", ["overflow", "cast_overflow", "floats_over_zero"])
def test_infinity_of_finite_numbers(tmp_path: Path, name: str) -> None:
    assert any("makes infinity" in f.message for f in found(tmp_path, name))


def test_the_first_step_and_the_source_line(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, "in_the_second_step")
    assert finding.message.startswith("log makes NaN from -") and " at [0, 0] at step (1); 1024 such" in finding.message
    assert finding.span.source is not None
    line = finding.span.source.line(finding.span.line)
    assert line is not None and line.strip() == "o_ref[...] = jnp.log(y)"


def test_only_what_is_asked_for(tmp_path: Path) -> None:
    assert found(tmp_path, "zero_over_zero", Mode()) == []
    assert {f.code for f in found(tmp_path, "zero_over_zero", Mode(checks=("div",)))} == {"R352"}
    assert {f.code for f in found(tmp_path, "zero_over_zero", Mode(checks=("nan", "div")))} == {"R351", "R352"}


SCRATCH = '\n[[scratch]]\nname = "s"\nkind = "vmem"\nshape = [8, 128]\ndtype = "float32"\n'


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("s_ref[0:4] = x[0:4]; o_ref[...] = jnp.where(n > 5, s_ref[...], x)",
         "'s' is read at step (0) before it is written: 512 of the 1024 elements, first at [4, 0]"),
        ("s_ref[...] = x; o_ref[...] = s_ref[...]", None),
        ("pl.when(n == 0)(lambda: s_ref.set(x)); o_ref[...] = s_ref[...]", None),
        ("o_ref[...] = jnp.where(n > 5, o_ref[...], x)",
         "'o' is read at step (0) before it is written: 1024 of the 1024 elements, first at [0, 0]"),
        ("s_ref[n, 0:64] = x[0, 0:64]; o_ref[...] = x + jnp.where(n > 5, s_ref[n, 0:65].sum(), 0.0)",
         "'s' is read at step (0) before it is written: 1 of the 65 elements, first at [0, 64]"),
        ("pltpu.sync_copy(x_ref, s_ref); o_ref[...] = s_ref[...]", None),
    ],
)  # fmt: skip
def test_reads_before_the_first_write(tmp_path: Path, body: str, message: str | None) -> None:
    text = SPEC.format(body=body.replace("; ", "\n    "), low=0.5, least=0, most=8).replace("o_ref):", "o_ref, s_ref):")
    path = tmp_path / "k.toml"
    path.write_text(text + SCRATCH, encoding="utf-8")
    (spec,) = load_specs(path)
    functional = run_functional(spec, trace(spec), Mode(checks=("uninitialized",)))
    assert [f.message for f in functional.findings if f.code == "R353"] == ([] if message is None else [message])


def test_declared_in_the_spec(tmp_path: Path) -> None:
    body = "o_ref[...] = jnp.log(-x) / (i - i).astype(jnp.float32)"
    for words, codes in (('"div"', {"R352"}), ('"all"', {"R351", "R352"}), ("", set())):
        text = SPEC.format(body=body, low=0.5, least=0, most=8) + f"\n[simulate]\nchecks = [{words}]\n"
        (tmp_path / "k.toml").write_text(text, encoding="utf-8")
        (spec,) = load_specs(tmp_path / "k.toml")
        assert {f.code for f in run_functional(spec, trace(spec)).findings if f.code in CODES} == codes
    (tmp_path / "k.toml").write_text(text.replace("checks = []", 'checks = ["nans"]'), encoding="utf-8")
    with pytest.raises(SpecError, match="nans"):
        load_specs(tmp_path / "k.toml")


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("pl.debug_check(x > 0, 'positive')", "T203"),
        ("pl.debug_check(True, 'positive')", "T203"),
        ("pl.debug_check(n, 'positive')", "T203"),
        ("pl.debug_check(n > 0, n)", "T202"),
        ("pl.debug_check(n > 0)", "T201"),
    ],
)
def test_misuse_of_debug_check(tmp_path: Path, call: str, code: str) -> None:
    (tmp_path / "k.toml").write_text(SPEC.format(body=call, low=0.5, least=0, most=8), encoding="utf-8")
    (spec,) = load_specs(tmp_path / "k.toml")
    with pytest.raises(SpecError) as error:
        trace(spec)
    assert [d.code for d in error.value.diagnostics] == [code]


def test_checks_on_cores_and_in_other_orders(tmp_path: Path) -> None:
    text = SPEC.format(body="o_ref[...] = x / i.astype(jnp.float32)", low=0.5, least=0, most=8)
    (tmp_path / "k.toml").write_text(
        text.replace("shape = [2]\n", 'shape = [2]\nsemantics = ["parallel"]\n'), encoding="utf-8"
    )
    (spec,) = load_specs(tmp_path / "k.toml")
    for mode in (Mode("reversed", checks=CHECKS), Mode(cores=2, checks=CHECKS)):
        codes = [f.code for f in run_functional(spec, trace(spec), mode).findings if f.code in CODES]
        assert sorted(codes) == ["R351", "R352"]


def test_a_read_under_a_copy_is_one_finding() -> None:
    """That its memory is not written yet is no news beside R301."""
    exhibits = Path(__file__).resolve().parents[2] / "specs" / "exhibits"
    [spec] = load_specs(exhibits / "read_before_the_wait.toml")
    run = run_functional(spec, trace(spec), Mode(checks=("uninitialized",)))
    assert [finding.code for finding in run.findings] == ["R301"]
