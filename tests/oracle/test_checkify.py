"""checkify says of each small kernel what it said when it was recorded."""

from __future__ import annotations

import json

from tests.simulate.check_cases import RECORD, asked


def test_checkify_says_what_is_recorded() -> None:
    """`tests/simulate/test_checks.py` holds our checks to the record."""
    assert asked() == json.loads(RECORD.read_text(encoding="utf-8"))
