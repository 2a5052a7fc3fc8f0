"""Inputs that broke for real users, with controls that have to stay accepted: the verdict for each chip.

Each was held against JAX 0.10.2 and libtpu 0.0.42.1. A case counts when stage, code, operand and fix are named.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from pipeline.errors import Severity
from pipeline.spec.load import load_specs
from pipeline.stages import run_spec

HERE = Path(__file__).parent


class Case(NamedTuple):
    """`codes` by chip at `stage`; `said`: what the findings' text, hints and details hold. No codes: accepted."""

    stage: str
    codes: dict[str, list[str]]
    said: tuple[str, ...] = ()


def on(chips: str, *codes: str) -> dict[str, list[str]]:
    return {chip: list(codes) for chip in chips.split()}


OK = Case("simulate", {})
_PATH = ("JAX deprecates its Triton path from 0.11",)
CASES: dict[str, Case] = {
    "s01_four_rows": Case(
        "schedule",
        on("v5e v6e 7x", "P101", "P101"),
        ("'x' axis 0", "'o' axis 0", "block 4 is neither a multiple of 8", "block = [8, 256]"),
    ),
    "s01_ok_whole": OK,
    "s01_ok_eight_rows": OK,
    "s02_boolean_column": Case(
        "schedule", on("v5e 7x", "P607"), ("booleans are reshaped from (32,) to (32, 1)", "iota of the final shape")
    ),
    "s02_ok_iota": OK,
    "s03_int8_product": Case("schedule", on("v2 v3 v4", "P603"), ("v4 does not multiply int8 by int8 into int32",)),
    "s04_over_the_limit": Case(
        "schedule",
        on("v5e v6e 7x", "P201"),
        ("48 MiB of VMEM", "default limit of 16 MiB", "default limit of 32 MiB", "64 MiB physical", "2 x", "acc",
         "set vmem_limit_bytes to at least 50331648"),
    ),
    "s04_ok_limit_raised": OK,
    "s04_ok_limit_raised_7x": OK,
    "s04_ok_small_blocks": OK,
    "s05_constant_index": Case(
        "schedule",
        on("v5e v6e 7x", "P301"),
        ("'b' axis 0: block index 1 is out of range at step (0, 0), legal 0", "make index 0 of the map 0"),
    ),
    "s06_partial_contraction": Case(
        "simulate",
        on("v5e", "R322", "R322", "R401"),
        ("past the end of 'a'", "past the end of 'b'", "128 to 255 of 200"),
    ),
    "s06_ok_elementwise": OK,
    "s07_revisited": Case(
        "schedule",
        on("v5e", "P302"),
        ("block (0, 0) is visited at step (0, 0), left at (0, 1) and visited again at (1, 0)", "grid (2, 4)"),
    ),
    "s07_ok_innermost": OK,
    "s08_past_the_end": Case(
        "simulate",
        on("v5e", "R303", "R311", "R312"),
        ("elements 32 to 39", "never waited for", "'sem[0]'"),
    ),
    "s08_ok_guarded": OK,
    "s09_k1": OK,  # what JAX's transformations make of it is told below
    "s09_k2": OK,
    "s09_k3": OK,
    "s10_k1": Case(
        "schedule",
        on("triton", "P701", "P701"),
        ("operand 'x'", "operand 'o'", "3072 elements", "nearest legal block: (64, 64)", "partial last block", *_PATH),
    ),
    "s10_k2": Case("schedule", on("triton", "P702"), ("slice has no Triton lowering", "index the ref instead", *_PATH)),
    "s10_both": Case("schedule", on("triton", "P701", "P702"), ("operand 'x'", "slice has no Triton lowering")),
    "s10_ok_partial": Case("schedule", {}),
    "s11_sixteen_columns": Case(
        "schedule", on("v5e", "P501", "P502"), ("12.5 % of 128 lanes", "8 x the bytes", "16 of the 128 columns")
    ),
    "s12_two_steps": OK,  # moved about in test_moves.py
    "s11_off_the_lattice": Case("schedule", on("v5e", "P101", "P502"), ("'o' axis 1 (last): block 16",)),
}  # fmt: skip
WARNINGS = frozenset({"P501", "P502"})


def test_every_case_has_a_verdict() -> None:
    assert {path.stem for path in HERE.glob("*.toml")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_verdict(name: str) -> None:
    case = CASES[name]
    [spec] = load_specs(HERE / f"{name}.toml")
    results = run_spec(spec)
    assert [result.bug for result in results if result.bug] == []
    found: dict[str, list[str]] = {}
    text = ""
    for result in results:
        for diagnostic in result.diagnostics:
            assert result.target is not None and result.stage == case.stage, diagnostic
            expected = Severity.WARNING if diagnostic.code in WARNINGS else Severity.ERROR
            assert diagnostic.severity is expected, diagnostic
            found.setdefault(result.target, []).append(diagnostic.code)
            text += "\n".join((diagnostic.message, diagnostic.hint or "", *diagnostic.details, ""))
    assert found == case.codes
    for words in case.said:
        assert words in text
    last = results[-1].stage
    passed = [result.passed and result.status == "ok" for result in results if result.stage == last]
    refused = [code for codes in case.codes.values() for code in codes if code not in WARNINGS]
    assert all(passed) == (not refused)


def test_s10_says_that_a_block_is_partial() -> None:
    [spec] = load_specs(HERE / "s10_ok_partial.toml")
    [text] = [result.text or "" for result in run_spec(spec) if result.stage == "schedule"]
    assert "accepted" in text and _PATH[0] in text
    assert "note: operand 'x' axis 0: the last block is partial, 32 of 64" in text


def test_s03_says_where_the_matrix_unit_has_no_int8() -> None:
    """Accepted on all four; on 7x the operands are converted first."""
    [spec] = load_specs(HERE / "s03_int8_product.toml")
    note = "note: int8 by int8 into int32 is accepted by the compiler, not native: operands are converted first"
    texts = {result.target: result.text or "" for result in run_spec(spec) if result.stage == "schedule"}
    assert [chip for chip, text in texts.items() if note in text] == ["7x"]


S09: dict[str, dict[str, tuple[str, ...]]] = {
    "s09_k1": {"jvp": ("yes",), "grad": ("no", "not turned around"), "vmap": ("yes",)},
    "s09_k2": {"jvp": ("no", "program id"), "grad": ("no", "program id"), "vmap": ("yes",)},
    "s09_k3": {"jvp": ("no", "scratch (acc)"), "grad": ("no", "scratch (acc)"), "vmap": ("yes",)},
}


@pytest.mark.parametrize("name", S09)
def test_s09_a_verdict_for_each_transformation(name: str) -> None:
    """Each "no" has its reason and what to do; of vmap the call that it makes is shown."""
    [spec] = load_specs(HERE / f"{name}.toml")
    [text] = [result.text or "" for result in run_spec(spec, wanted=("transform",)) if result.stage == "transform"]
    told, _, made = text.partition("\nvmap of ")
    parts = told.rstrip().split("\n  ")[1:]
    lines = {line.partition(":")[0]: at for at, line in enumerate(parts) if not line.startswith(" ")}
    ends = [*sorted(lines.values()), len(parts)]
    for transform, words in S09[name].items():
        start = lines[transform]
        about = parts[start : ends[ends.index(start) + 1]]
        assert about[0] == f"{transform}: {words[0]}"
        for word in words[1:]:
            assert any(word in line for line in about[1:])
        assert (words[0] == "no") == any("supply a custom rule" in line for line in about)
    assert "grid (2, 4)\n" in made and "block (squeezed, 8, 128)" in made
