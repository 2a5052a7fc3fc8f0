"""Fixes: what a finding proposes as data is made in the spec's text, and the finding is gone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.cli import main
from pipeline.errors import Diagnostic
from pipeline.fix.expressions import converted, rounded_down
from pipeline.fix.mend import apply_fixes, mend, wrong
from pipeline.spec.load import parse_specs

ROOT = Path(__file__).parent.parent
EXHIBITS = ROOT / "specs" / "exhibits"
# Findings whose smallest change takes no thought. Of the others the hint says what to think about.
MENDED = [
    *(
        "L106/three_buffer_slots",
        "P101",
        "P102",
        "P103",
        "P109",
        "P110",
        "P201",
        "P202",
        "P204",
        "P301",
        "P302",
        "P304",
        "P305",
        "P401",
    ),
    *("P504", "P505", "P601", "P602", "P603", "P604", "P606", "P607", "P608", "R330", "R331"),
]
# Blocks, limits and order: nothing is computed otherwise, so that the reference still holds.
SAME = {"P101", "P102", "P103", "P201", "P301", "P302", "P304", "P305", "P504", "P505", "R330", "R331"}


def exhibits_of(codes: list[str]) -> list[Path]:
    found = []
    for path in sorted(EXHIBITS.glob("*.toml")):
        [spec] = parse_specs(path.read_text(encoding="utf-8"), path)
        if spec.expect in codes or f"{spec.expect}/{path.stem}" in codes:
            found.append(path)
    return found


PATHS = exhibits_of(MENDED)


def judged(text: str, path: Path) -> tuple[Diagnostic, ...]:
    return wrong(parse_specs(text, path), warnings=True)


def test_every_such_code_has_an_exhibit() -> None:
    assert len(PATHS) >= len(MENDED)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_fix_of_an_exhibit(path: Path) -> None:
    """One round of its own code's fixes leaves neither that finding nor another, but for what the speed could be."""
    text = path.read_text(encoding="utf-8")
    specs = parse_specs(text, path)
    found = wrong(specs, warnings=True)
    fixed, made = apply_fixes(text, specs, found, lambda one: one.code == specs[0].expect)
    assert made
    left = judged(fixed, path)
    assert [one.message for one in left if one.code == specs[0].expect or not one.code.startswith("P5")] == []


def test_what_is_left_as_it_was_is_the_authors() -> None:
    """A finding without a fix leaves the text alone."""
    path = EXHIBITS / "wrong_reduction.toml"
    text = path.read_text(encoding="utf-8")
    mended = mend(text, path)
    assert mended.text == text and mended.made == ()
    assert [one.code for one in mended.left] == ["R401"]


def test_a_fix_that_uncovers_another() -> None:
    """The block on the lattice cuts a tile of int8; the next round finds that."""
    path = EXHIBITS / "block_cuts_a_packed_tile.toml"
    text = path.read_text(encoding="utf-8").replace("[8, 128]", "[4, 128]").replace("shape = [8]", "shape = [16]")
    mended = mend(text, path)
    assert {one.code for one in mended.made} == {"P101", "P102"}
    assert mended.left == ()
    assert "block = [32, 128]" in mended.text and "shape = [2]" in mended.text


def test_a_change_that_the_kernel_does_not_go_with_is_left() -> None:
    """int8 needs 32 rows, float32 has enough with 8: the body stores the one into the other."""
    text = (EXHIBITS / "lattice_violation.toml").read_text(encoding="utf-8")
    text = text.replace("x_ref[...] * 2", "x_ref[...].astype(jnp.float32)").replace('"float32"', '"int8"', 1)
    text = text.replace("lambda x: x * 2", "lambda x: x")
    mended = mend(text, Path("a.toml"))
    assert {one.code for one in mended.made} == {"P101"}
    assert {one.code for one in mended.left} == {"P102"}
    assert mended.text.count("block = [8, 256]") == 2


def test_yaml_and_keys_that_are_not_there() -> None:
    text = (EXHIBITS / "scalar_out_of_vector_memory.toml").read_text(encoding="utf-8")
    mended = mend(text, Path("a.toml"))
    assert '[[inputs]]\nname = "x"\nmemory_space = "smem"\n' in mended.text
    import tomli
    import yaml

    data = tomli.loads(text)
    del data["expect"]
    again = mend(yaml.safe_dump(data, sort_keys=False), Path("a.yaml"))
    assert '- name: x\n  memory_space: "smem"\n' in again.text
    assert again.left == ()


def test_the_numbers_stay_right() -> None:
    """What changes nothing that is computed is held against the reference by the judgement; there is one."""
    with_reference = [path for path in exhibits_of(sorted(SAME)) if "reference =" in path.read_text(encoding="utf-8")]
    assert len(with_reference) >= 7


def test_expressions() -> None:
    assert rounded_down("i * 4", 8) == "(i * 4) // 8 * 8"
    assert rounded_down("s_ref[0]", 8) == "s_ref[0] // 8 * 8"
    assert rounded_down("x = 1", 8) is None
    assert converted("a + 1", "int32", "int8") == "(a.astype(jnp.int32) + 1).astype(jnp.int8)"
    assert converted("jnp.sum(x + y, axis=1)", "float32", "bfloat16") == (
        "(jnp.sum((x + y).astype(jnp.float32), axis=1)).astype(jnp.bfloat16)"
    )
    assert converted("x.reshape(8, 1)", "int32", "bool") == "(x.astype(jnp.int32).reshape(8, 1) != 0)"
    assert converted("a < b", "int32", "int8") == "a.astype(jnp.int32) < b.astype(jnp.int32)"
    assert converted("lambda: 0", "int32", "") is None
    assert converted("o_ref[...] += x", "int32", "") is None
    assert converted("(" * 500, "int32", "") is None


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "a.toml"
    text = (EXHIBITS / "lattice_violation.toml").read_text(encoding="utf-8")
    spec.write_text(text, encoding="utf-8")
    assert main(["fix", str(spec)]) == 0
    out, err = capsys.readouterr()
    assert "-block = [4, 256]\n+block = [8, 256]\n" in out
    assert err.endswith("a.toml: 2 mended, 0 left\n")
    assert spec.read_text(encoding="utf-8") == text
    assert main(["fix", str(spec), "--write"]) == 0
    assert "shape = [32]" in spec.read_text(encoding="utf-8")
    spec.write_text("name = 1\n", encoding="utf-8")
    assert main(["fix", str(spec)]) == 2
    assert "error[S103]" in capsys.readouterr().err
    spec.write_text((EXHIBITS / "wrong_reduction.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["fix", str(spec)]) == 1
    assert "error[R401]" in capsys.readouterr().err


def test_json_holds_the_fixes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "a.toml"
    text = (EXHIBITS / "lattice_violation.toml").read_text(encoding="utf-8").replace('[expect]\nerror = "P101"\n', "")
    spec.write_text(text, encoding="utf-8")
    assert main(["build", str(spec), "--target", "v5e", "--snapshots", str(tmp_path / "s"), "--format", "json"]) == 2
    [found] = [r["diagnostics"] for r in json.loads(capsys.readouterr().out) if r["status"] == "error"]
    assert found[0]["fixes"] == [
        {"kind": "set", "at": "x", "key": "block", "value": [8, 256]},
        {"kind": "set", "at": "grid", "key": "shape", "value": [32]},
    ]
