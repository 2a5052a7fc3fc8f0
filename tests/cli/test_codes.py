"""Codes: every one has an explanation, no two tables claim one, and the letters say the stage."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pipeline
from pipeline.codes import LETTERS, TABLES, CodeDoc, load_codes, near_codes

PACKAGE = Path(pipeline.__file__).parent


def test_tables_merge_and_are_well_formed() -> None:
    merged = load_codes()
    assert list(merged) == sorted(merged)
    for code, doc in merged.items():
        assert re.fullmatch(r"[A-Z][0-9]{3}", code)
        assert code[0] in LETTERS
        assert doc.title == doc.title.strip() != ""
        assert not doc.title.endswith(".")
        assert len(doc.explanation.split()) >= 8, f"{code}: say why and what to do"


def test_every_table_has_its_own_letter() -> None:
    for table in TABLES:
        letters = {code[0] for code in import_module(table).CODES}
        assert len(letters) == 1, table


def test_every_code_in_the_source_is_explained() -> None:
    merged = load_codes()
    for path in sorted(PACKAGE.rglob("*.py")):
        for code in re.findall(r'"([STLPRCX][0-9]{3})"', path.read_text()):
            assert code in merged, f"{path.relative_to(PACKAGE)} uses {code}, which no table explains"


def test_near_codes() -> None:
    known = {code: CodeDoc("", "") for code in ("C101", "P101", "P102", "P201", "P301", "P302")}
    assert near_codes("p103", known, 2) == ["P102", "P101"]
    assert near_codes("P20", known, 2) == ["P201", "P101"]
    assert near_codes("P", known, 2) == ["P101", "P102"]
    assert near_codes("Z300", known, 1) == ["P301"]
    assert near_codes("P" + "9" * 5000, known, 1) == ["P302"]


def test_a_clash_is_found() -> None:
    try:
        load_codes((*TABLES[-1:], TABLES[-1]))
    except AssertionError as error:
        assert "claims C101" in str(error)
    else:
        raise AssertionError("two tables may not claim one code")
