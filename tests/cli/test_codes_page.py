"""docs/codes.md is what the tables of codes make of it."""

from __future__ import annotations

from pathlib import Path

from pipeline.cli.codes_page import codes_page
from pipeline.codes import load_codes

ROOT = Path(__file__).parents[2]


def test_the_page_is_up_to_date() -> None:
    """Else: python -m pipeline.cli.codes_page > docs/codes.md."""
    assert (ROOT / "docs" / "codes.md").read_text(encoding="utf-8") == codes_page(ROOT / "specs" / "exhibits")


def test_every_code_is_on_it() -> None:
    text = (ROOT / "docs" / "codes.md").read_text(encoding="utf-8")
    assert [code for code in load_codes() if f"### {code}: " not in text] == []
    assert "Exhibit: [lattice_violation.toml]" in text
