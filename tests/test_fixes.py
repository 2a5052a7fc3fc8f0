"""Fixes: what a finding proposes as data is made in the spec's text, and the finding is gone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.cli import main
from pipeline.codes import load_codes
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
        "P203",
        "P204",
        "P206",
        "P301",
        "P302",
        "P304",
        "P305",
        "P401",
    ),
    *(
        "P503",
        "P504",
        "P505",
        "P601",
        "P602",
        "P603",
        "P604",
        "P606",
        "P607",
        "P608",
        "P310",
        "R323",
        "R330",
        "R331",
        "R353",
    ),
]
# Blocks, limits and order: nothing is computed otherwise, so that the reference still holds.
SAME = {"P101", "P102", "P103", "P201", "P301", "P302", "P304", "P305", "P504", "P505", "R323", "R330", "R331", "R353"}
_OTHER_ARRAYS = "the arrays would have to be others, and with them the code around the kernel"
_OTHER_STEPS = "the kernel has to do something else, and only its author knows what"
_OTHER_MACHINE = "another run, simulator or chip has to be asked for"
_REFERENCE = "it is the spec's own reference or data that is wrong; what was meant is not in it"
_IMPORTED = "no spec file has it, so there is no text to change"
# Codes of schedule and simulation whose findings have no fix, and why.
BY_HAND = {
    "P104": _IMPORTED, "P105": _IMPORTED, "P106": _IMPORTED, "P111": _IMPORTED, "P112": _IMPORTED,
    "P306": _IMPORTED, "P307": _IMPORTED, "P308": _IMPORTED,
    "P108": _OTHER_ARRAYS,  # padded to whole rows, or of a wider dtype
    "P205": _OTHER_ARRAYS,
    "P501": _OTHER_ARRAYS,  # their last axis is narrow
    "P502": _OTHER_ARRAYS,  # the right operand of the product is narrow
    "P303": _OTHER_STEPS,  # what the map computes cannot be followed
    "P402": _OTHER_STEPS,  # more is copied, so its buffer grows, and what is read of that does not
    "P403": _OTHER_STEPS, "P404": _OTHER_STEPS,  # a copy through another buffer, waited for in between
    "P605": _OTHER_STEPS,  # a loop over rows, or a load of all
    "R101": _OTHER_MACHINE, "R102": _OTHER_MACHINE, "R103": _OTHER_MACHINE, "R104": _OTHER_MACHINE,
    "R333": _OTHER_MACHINE,
    "R201": _REFERENCE, "R202": _REFERENCE, "R203": _REFERENCE, "R210": _REFERENCE, "R211": _REFERENCE,
    "R212": _REFERENCE, "R213": _REFERENCE, "R214": _REFERENCE, "R215": _REFERENCE,
    "R301": _OTHER_STEPS,  # where the wait belongs: before this read, or the copy is to be of something else
    "R302": _OTHER_STEPS, "R303": _OTHER_STEPS, "R304": _OTHER_STEPS, "R305": _OTHER_STEPS, "R310": _OTHER_STEPS,
    "R311": _OTHER_STEPS, "R312": _OTHER_STEPS, "R320": _OTHER_STEPS, "R321": _OTHER_STEPS,
    "R322": _OTHER_STEPS,  # a mask whose filling (0, 1, -inf) follows from what is done with the values
    "R325": _OTHER_STEPS,  # without the alias the rest would be written by nobody
    "R332": _OTHER_STEPS,  # likewise
    "R341": _OTHER_STEPS, "R342": _OTHER_STEPS, "R343": _OTHER_STEPS, "R350": _OTHER_STEPS, "R351": _OTHER_STEPS,
    "R352": _OTHER_STEPS, "R354": _OTHER_STEPS, "R401": _OTHER_STEPS,
}  # fmt: skip
# What a fix is there for in some cases: tested with the stage, and no exhibit has one.
SOMETIMES = {"P107", "P309"}


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


def test_every_code_has_a_fix_or_a_reason() -> None:
    codes = {code for code in load_codes() if code[0] in "PR" and code[1] != "0" and not code.startswith("P7")}
    mended = {code.partition("/")[0] for code in MENDED} - {"L106"}
    assert mended | set(BY_HAND) | SOMETIMES == codes
    assert not mended & set(BY_HAND) and not SOMETIMES & (mended | set(BY_HAND))


def test_no_exhibit_of_the_others_has_a_fix() -> None:
    """A finding that gets a fix has to be tested with the others."""
    for path in exhibits_of(sorted({*BY_HAND, *SOMETIMES})):
        text = path.read_text(encoding="utf-8")
        specs = parse_specs(text, path)
        found = wrong(specs, warnings=True)
        assert apply_fixes(text, specs, found, lambda one, code=specs[0].expect: one.code == code)[1] == (), path.stem


def test_a_fix_that_makes_the_numbers_wrong_is_not_made() -> None:
    """Zeros where the kernel wants what its author forgot to write: ones."""
    text = (EXHIBITS / "uninitialised_accumulator.toml").read_text(encoding="utf-8")
    text = text.replace('[expect]\nerror = "R323"\n', "")
    reference = '[simulate]\nreference = "lambda a, b: a @ b{}"\n'
    assert mend(text + reference.format(""), Path("a.toml")).left == ()
    wanted = text + reference.format(" + 1")
    mended = mend(wanted, Path("a.toml"))
    assert mended.text == wanted and mended.made == ()
    assert "R323" in {one.code for one in mended.left}


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
