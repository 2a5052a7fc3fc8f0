"""The functional run of whole specs: tolerance, comparison, findings, and the capture's text."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.chips.load import load_chip
from pipeline.errors import Severity, SpecError
from pipeline.ir.call import Role
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.schedule import schedule
from pipeline.simulate import tolerance as tolerance_module
from pipeline.simulate.codes import CODES
from pipeline.simulate.functional import run_functional, steps_in_place
from pipeline.simulate.simulate import simulate
from pipeline.simulate.text import print_simulation
from pipeline.simulate.tolerance import Tolerance, compare, rounding_of, tolerance_for
from pipeline.spec.load import load_specs
from pipeline.spec.spec import Code
from pipeline.trace.trace import trace

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "specs").glob("*.toml"))

SPEC = """
name = "k"
summary = "a test"
targets = ["v5e"]

[kernel]
source = '''
def kernel(x_ref, o_ref):
    {body}
'''

[grid]
shape = [{grid}]

[[inputs]]
name = "x"
shape = [{rows}, 128]
dtype = "{dtype}"
block = [8, 128]
index_map = "lambda i: (i, 0)"
data = {data}

[[outputs]]
name = "o"
shape = [{rows}, 128]
dtype = "{out}"
block = [8, 128]
index_map = "lambda i: (i, 0)"

[simulate]
reference = "{reference}"
"""


def make(tmp_path, body="o_ref[...] = x_ref[...] * 2", reference="lambda x: x * 2", grid=2, rows=16, dtype="float32",
         out=None, data='{ kind = "normal", seed = 0 }'):  # fmt: skip
    text = SPEC.format(body=body, reference=reference, grid=grid, rows=rows, dtype=dtype, out=out or dtype, data=data)
    path = tmp_path / "k.toml"
    path.write_text(text)
    (spec,) = load_specs(path)
    return spec, trace(spec)


def result(spec, call, chip="v5e"):
    profile = load_chip(chip)
    plan = schedule(call, lower(call, profile), profile)
    return simulate(call, plan, profile, run_functional(spec, call))


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_shipped_specs_pass(path):
    for spec in load_specs(path):
        functional = run_functional(spec, trace(spec))
        assert functional.status == "ran"
        assert functional.findings == ()
        assert functional.numerics_pass


@pytest.mark.parametrize("name", ["softmax", "matmul", "flash_attention", "rms_norm"])
def test_tolerances_are_tight_enough_to_see_a_mistake(name):
    """Twice the last rounding of bf16, or a missing row, is seen; the kernel's own error is well inside."""
    spec = load_specs(ROOT / "specs" / f"{name}.toml")[0]
    call = trace(spec)
    functional = run_functional(spec, call)
    for check in functional.outputs:
        got = functional.values[check.name].astype(np.float64)
        off = (got * (1 + 4 * check.tolerance.bound)).astype(functional.values[check.name].dtype)
        assert compare(off, got, check.tolerance).outside > got.size // 4
        assert check.tolerance.bound <= 2**-6


# --- tolerance


def bound(tmp_path, **spec):
    _, call = make(tmp_path, **spec)
    (output,) = call.with_role(Role.OUTPUT)
    return tolerance_for(call, rounding_of(call.body), output, steps_in_place(call, output))


def test_tolerance_follows_from_dtypes(tmp_path):
    assert str(bound(tmp_path, body="o_ref[...] = x_ref[...]")) == "equal"
    assert str(bound(tmp_path, dtype="int32")) == "equal"
    f32 = bound(tmp_path)
    bf16 = bound(tmp_path, dtype="bfloat16")
    assert f32.bound <= 2**-20 < bf16.bound <= 2**-7
    cast = bound(tmp_path, body="o_ref[...] = (x_ref[...] * 2).astype(jnp.int32)", out="int32")
    assert (str(cast), cast.absolute) == ("off by 1", True)


def test_tolerance_grows_with_the_terms_added_up(tmp_path):
    rows = bound(tmp_path, body="o_ref[...] = x_ref[...] - jnp.sum(x_ref[...], axis=1, keepdims=True)")
    assert rows.why == "float32 output, float32 accumulation over 128"
    assert rows.bound > bound(tmp_path).bound


def test_a_narrow_value_used_again_counts(tmp_path):
    body = "o_ref[...] = jnp.exp((x_ref[...] * 2).astype(jnp.bfloat16).astype(jnp.float32))"
    twice = bound(tmp_path, body=body)
    assert twice.why == "float32 output, rounded to bfloat16 once inside, float32 arithmetic"
    assert twice.bound >= 2**-7


@pytest.mark.parametrize("dtype", [np.float32, "bfloat16"])
def test_compare(dtype):
    import ml_dtypes

    own = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    want = np.ones((3, 16))
    want[0, :4] = [1.0, -2.0, 0.0, np.inf]
    want[1, :4] = [np.nan, -np.inf, 1e39, 4.0]
    with np.errstate(over="ignore"):
        got = want.astype(own)
    loose = Tolerance(2.0**-6, False, "")
    assert compare(got, want, loose).outside == 0
    for at, bad in (((2, 0), 1.2), ((2, 9), 0.5), ((0, 3), 1.0), ((1, 0), 0.0), ((1, 1), np.inf), ((1, 3), np.nan)):
        broken = got.copy()
        broken[at] = bad
        found = compare(broken, want, loose)
        assert (found.outside, found.first) == (1, at)
        assert found.unexpected_nan == (1 if np.isnan(bad) else 0)


def test_compare_does_not_depend_on_chunks(monkeypatch):
    rng = np.arange(1000) % 17 / 7
    got = rng.astype(np.float32)
    got[[3, 500, 999]] += 1
    whole = compare(got, rng, Tolerance(2.0**-10, False, ""))
    monkeypatch.setattr(tolerance_module, "_CHUNK", 7)
    assert compare(got, rng, Tolerance(2.0**-10, False, "")) == whole
    assert (whole.outside, whole.first) == (3, (3,))


def test_compare_integers():
    got = np.array([1, 2, 3, -128], np.int8)
    assert compare(got, np.array([1, 2, 3, 128]), Tolerance(0.0, True, "")).outside == 0  # the reference wraps
    assert compare(got, np.array([1, 2, 5, 128]), Tolerance(0.0, True, "")).first == (2,)
    assert compare(got, np.array([1, 3, 3, 128]), Tolerance(1.0, True, "")).outside == 0


# --- findings


def test_a_wrong_kernel_is_found(tmp_path):
    spec, call = make(tmp_path, body="o_ref[...] = x_ref[...] * 2.01")
    functional = run_functional(spec, call)
    assert [f.code for f in functional.findings] == ["R401"]
    assert not functional.numerics_pass
    assert re.match(
        r"output 'o' differs from the reference in 2048 of 2048 elements, first at \[0, 0\]: ",
        functional.findings[0].message,
    )


def test_a_small_mistake_in_one_element_is_found(tmp_path):
    body = "o_ref[...] = x_ref[...] * 2\n    o_ref[3, 5] = x_ref[3, 5] * 2 + 0.001"
    spec, call = make(tmp_path, body="o_ref[...] = x_ref[...] * 2\n    o_ref[3:4, :] = x_ref[3:4, :] * 2 + 0.001")
    assert "o_ref[3, 5]" in body
    (check,) = run_functional(spec, call).outputs
    assert check.comparison.outside == 2 * 128


def test_results_of_the_reference_must_fit(tmp_path):
    for reference, code in (
        ("lambda x: (x, x)", "R214"),
        ("lambda x: x[:1]", "R215"),
        ("lambda x: x.sum()", "R215"),
    ):
        spec, call = make(tmp_path, reference=reference)
        with pytest.raises(SpecError, match=code):
            run_functional(spec, call)


def test_without_a_reference_numerics_are_not_run(tmp_path):
    spec, call = make(tmp_path)
    found = result(replace(spec, reference=None), call)
    assert [(v.subject, v.passed) for v in found.verdicts] == [
        ("legality", True),
        ("numerics", None),
        ("hazards", True),
        ("modes", True),
    ]
    assert found.passed


def test_a_huge_grid_is_left_out_and_still_timed(tmp_path):
    spec, call = make(tmp_path, grid=4, rows=32)
    big = replace(call, grid=(10**9,))
    functional = run_functional(spec, big)
    assert functional.status == "left out"
    assert [(f.code, f.severity) for f in functional.findings] == [("R101", Severity.WARNING)]
    text = print_simulation(result(spec, call))
    assert "overall: PASS" in text


def test_hazards_fail_the_verdict(tmp_path):
    spec, call = make(tmp_path, body="o_ref[0:4, :] = x_ref[0:4, :] * 2")
    found = result(spec, call)
    assert not found.passed
    assert [(v.subject, v.passed) for v in found.verdicts] == [
        ("legality", True), ("numerics", False), ("hazards", False), ("modes", False),
    ]  # fmt: skip
    assert [f.code for f in found.findings] == ["R321", "R401"]


# --- text


def test_the_capture_says_the_same_twice_and_ends_in_a_newline(tmp_path):
    spec, call = make(tmp_path, dtype="bfloat16")
    first, second = (print_simulation(result(spec, call)) for _ in range(2))
    assert first == second
    assert first.endswith("overall: PASS\n")
    assert not any(line.endswith(" ") for line in first.splitlines())


def test_no_digits_of_computed_floats_in_the_capture(tmp_path):
    """Another seed changes the data, so whatever depends on values would change; only the seed's own line does."""
    texts = []
    for seed in (0, 1):
        spec, call = make(tmp_path, dtype="bfloat16", data=f'{{ kind = "normal", seed = {seed} }}')
        texts.append(print_simulation(result(spec, call)).replace(f"seed {seed}", "seed"))
    assert texts[0] == texts[1]


def test_every_code_that_is_raised_is_explained():
    raised: set[str] = set()
    for path in (ROOT / "pipeline" / "simulate").rglob("*.py"):
        if path.name != "codes.py":
            raised.update(re.findall(r'"(R\d{3})"', path.read_text()))
    assert raised - {"R402"} == set(CODES)
    for title, explanation in CODES.values():
        assert title and explanation
        assert title[0].islower()


def test_reference_spans_point_into_the_spec(tmp_path):
    spec, call = make(tmp_path, reference="lambda x: x * y")
    with pytest.raises(SpecError) as caught:
        run_functional(spec, call)
    (diagnostic,) = caught.value.diagnostics
    line = (tmp_path / "k.toml").read_text().splitlines()[diagnostic.span.line - 1]
    assert line[diagnostic.span.column - 1] == "y"
    assert isinstance(spec.reference, Code)


@pytest.mark.parametrize(("first_rows", "codes"), [(8, []), (4, ["R325"])])
def test_an_aliased_output_keeps_the_blocks_that_no_step_visits(tmp_path, first_rows, codes):
    body = f"o_ref[0:{first_rows}, :] = x_ref[0:{first_rows}, :] * 2"
    spec, call = make(tmp_path, body, "lambda x: where(arange(32)[:, None] < 16, x * 2, x)", rows=32)
    found = run_functional(spec, replace(call, aliases=((0, 0),)))
    assert [finding.code for finding in found.findings if finding.code != "R401"] == codes
    assert all(
        finding.message.startswith("1024 of 4096 elements") for finding in found.findings if finding.code == "R325"
    )
    assert found.numerics_pass is (first_rows == 8)


def test_a_primitive_without_a_rule_is_the_simulators_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    from pipeline.ir.jaxpr import Prim
    from pipeline.simulate.numerics.table import RULES

    monkeypatch.delitem(RULES, Prim.EXP)
    [spec] = load_specs(ROOT / "specs" / "softmax.toml")
    found = run_functional(spec, trace(spec))
    assert [(one.code, one.severity) for one in found.findings] == [("R102", Severity.WARNING)]
    assert found.status == "left out"
