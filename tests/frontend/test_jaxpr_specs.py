"""A jaxpr in a spec is text from anywhere: what is wrong with it is said, at its line, and nothing of it crashes."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from pipeline.errors import Diagnostic, SpecError, render
from pipeline.frontend.write_spec import with_plain_names, write_spec
from pipeline.oracles.shipped import shipped_specs
from pipeline.spec.load import parse_specs
from pipeline.stages import run_spec
from pipeline.trace.trace import trace
from tests.frontend.test_written_specs import SMALL

EMBEDDING = """
name = "maps"
targets = ["v5e"]

[kernel]
jaxpr = '{ lambda ; a:Ref<default>{f32[8,128]} b:Ref<default>{f32[8,128]}. let c:f32[8,128] <- a[...]
 b[...] <- c in () }'

[grid]
shape = [4]

[[inputs]]
name = "x"
shape = [32, 128]
dtype = "float32"
block = [8, 128]
index_map = "{ lambda ; a:i32[]. let in (a, 0:~i32[]) }"

[[outputs]]
name = "o"
shape = [32, 128]
dtype = "float32"
block = [8, 128]
index_map = "lambda i: (i, 0)"
""".replace("jaxpr = '", "jaxpr = '''").replace("in () }'", "in () }'''")


def found(text: str) -> tuple[Diagnostic, ...]:
    try:
        for spec in parse_specs(text, Path("small.toml")):
            trace(spec)
    except SpecError as error:
        return error.diagnostics
    return ()


def test_index_maps_may_be_jaxprs() -> None:
    assert found(EMBEDDING) == ()
    one = EMBEDDING.replace("(a, 0:~i32[])", "(a,)")
    assert [d.code for d in found(one)] == ["T902"]
    assert [d.code for d in found(EMBEDDING.replace("; a:i32[].", "; a:f32[]."))] == ["T902", "T902"]
    assert [d.code for d in found(EMBEDDING.replace("; a:i32[].", "; ."))] == ["T901"]


CASES = {
    "no such primitive": ("= add c", "= addd c", "T901", 9),
    "wrong result": ("d:i32[8,128]", "d:i32[8,64]", "T903", 9),
    "binder of another shape": ("b:Ref<default>{i32[8,128]}.", "b:Ref<default>{i32[8,64]}.", "T902", 7),
    "binder of another space": ("b:Ref<default>{i32[8,128]}.", "b:Ref<smem>{i32[8,128]}.", "T902", 7),
    "too few binders": (" b:Ref<default>{i32[8,128]}.", ".", "T901", 10),
    "a result": ("in () }", "in (d,) }", "T902", 7),
    "a number too large": ("1:i32[]", "99999999999:i32[]", "T903", 9),
    "no grid": ("add c 1:i32[]", "program_id[axis=0]", "T903", 9),
    "params missing": ("add c 1:i32[]", "iota[dtype=int32]", "T903", 9),
    "branches": ("add c 1:i32[]", "cond[branches=()] 1:i32[]", "T903", 9),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_wrong_is_said_at_its_line(case: str) -> None:
    old, new, code, line = CASES[case]
    assert old in SMALL
    diagnostics = found(SMALL.replace(old, new))
    assert (diagnostics[0].code, diagnostics[0].span.line) == (code, line)


def test_a_diagnostic_names_the_python_line() -> None:
    diagnostic, *_ = found(SMALL.replace("d:i32[8,128]", "d:i32[8,64]"))
    text = render(diagnostic)
    assert text.startswith("small.toml:9:5: error[T903]: add of these operands gives i32[8,128], but the jaxpr says")
    assert " = from: kernel.py:7" in text
    assert "kernel.py" not in render(diagnostic, line_numbers=False)


def test_all_wrong_equations_are_reported() -> None:
    text = SMALL.replace("d:i32[8,128] = add", "e:f32[8,128] = exp c\n    d:i32[8,64] = add")
    assert [d.code for d in found(text)] == ["T203", "T903", "T210"]


def test_spec_checks() -> None:
    def codes(text: str) -> list[str]:
        return [d.code for d in found(text)]

    assert codes(SMALL.replace("[kernel]", '[kernel]\nsource = "def f(x): pass"')) == ["S122"]
    assert codes(SMALL.replace("[kernel]", "[kernel]\nstatic = { n = 1 }")) == ["S125"]
    assert codes(SMALL.replace("[kernel]", '[kernel]\nfunction = "a b"')) == ["S124"]
    assert codes(SMALL.replace("[kernel]", "[grid]\nshape = [2]\ndynamic = [1]\n[kernel]")) == ["S113"]
    assert codes(SMALL.replace('kind = "iota"', 'kind = "values", values = [1, 2]')) == ["S120"]


def test_a_dynamic_axis_is_dynamic_in_the_module() -> None:
    text = EMBEDDING.replace("shape = [4]", "shape = [4]\ndynamic = [0]")
    [spec] = parse_specs(text, Path("small.toml"))
    results = {result.stage: result for result in run_spec(spec)}
    assert all(result.status == "ok" for result in results.values())
    assert "dynamic grid axes (0)" in (results["trace"].text or "")
    assert "iteration_bounds = array<i64: -9223372036854775808>" in (results["lower"].text or "")


WORDS = re.compile(r"[A-Za-z_]+|-?\d+|[^\sA-Za-z0-9_]")


@pytest.mark.parametrize("seed", range(8))
def test_damaged_text_never_crashes(seed: int) -> None:
    """Words swapped for others of the same text: refused with a diagnostic, or a kernel that the stages can take."""
    rng = random.Random(seed)
    names = ("softmax", "flash_attention", "hbm_copy", "embedding_gather")
    specs = [spec for spec in shipped_specs() if spec.name in names]
    refused = 0
    for spec in specs:
        text = write_spec(with_plain_names(trace(spec)), spec.name, targets=["v5e"]).text
        start, end = text.index("jaxpr = '''") + 11, text.index("'''", text.index("jaxpr = '''") + 11)
        words = list(WORDS.finditer(text, start, end))
        for _ in range(12):
            old, new = rng.choice(words), rng.choice(words)
            damaged = text[: old.start()] + new[0] + text[old.end() :]
            if found(damaged):
                refused += 1
                continue
            for again in parse_specs(damaged, Path("damaged.toml")):
                for result in run_spec(again, wanted=("lower", "schedule")):
                    assert result.bug is None, (damaged[old.start() - 40 : old.end() + 40], result.bug)
    assert refused > 10
