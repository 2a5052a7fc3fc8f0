"""What one chip profile's file states, after its form has been checked; merging and meaning are `load.py`'s."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pipeline.chips.fields import FIELDS


class Stated(NamedTuple):
    """One fact as the file has it; `unknown` drops an inherited one."""

    value: int | float | str | list[str] | None = None
    unit: str | None = None
    source: str | None = None
    note: str | None = None
    unknown: bool = False


class MatmulRow(NamedTuple):
    """Dtypes by name: every pair of `lhs` and `rhs` may be multiplied."""

    lhs: list[str]
    rhs: list[str]
    accumulator: str
    native: bool
    source: str


class Profile(NamedTuple):
    """The file's tables. None and empty where it states nothing. `facts` is by section, then by name."""

    name: str
    kind: str | None
    summary: str | None
    extends: str | None
    costs: str | None
    ops: str | None
    sources: dict[str, str]
    facts: dict[str, dict[str, Stated]]
    features: Stated | None
    matmul: list[MatmulRow]


def make_profile(data: Mapping[str, Any]) -> Profile:
    """The profile of a file's data that `ProfileModel` takes. Errors: none for such data."""
    return Profile(
        name=data["name"],
        kind=data.get("kind"),
        summary=data.get("summary"),
        extends=data.get("extends"),
        costs=data.get("costs"),
        ops=data.get("ops"),
        sources=data.get("sources", {}),
        facts={section: {name: Stated(**table) for name, table in data.get(section, {}).items()} for section in FIELDS},
        features=Stated(**data["features"]) if "features" in data else None,
        matmul=[MatmulRow(**row) for row in data.get("matmul", ())],
    )
