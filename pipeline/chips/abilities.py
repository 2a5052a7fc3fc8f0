"""A chip's table of abilities: which elements each op takes. The profile names the file; features add to it.

The words of the table are those of a Mosaic module: op names and element types (`f32`, `i8`), without signs.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.chips.tables import read_table
from pipeline.errors import Diagnostic, Source, SpecError

_ARROW = " -> "


class Abilities(NamedTuple):
    """`accepts`: op to elements, for one chip; an op that is not in it takes everything.

    `refuses`: op to (from, to) pairs of a cast. `scalars`: elements that the scalar unit computes with; none: any.
    """

    source: str
    accepts: dict[str, tuple[str, ...]]
    refuses: dict[str, frozenset[tuple[str, str]]]
    scalars: tuple[str, ...] = ()

    def scalar(self, element: str) -> bool:
        """Whether the scalar unit computes with single values of `element`."""
        return not self.scalars or element in self.scalars

    def takes(self, op: str, element: str) -> bool:
        """Whether `op` works on `element`."""
        accepted = self.accepts.get(op)
        return accepted is None or element in accepted

    def casts(self, op: str, source: str, result: str) -> bool:
        """Whether the cast `op` goes from one element to another."""
        return (source, result) not in self.refuses.get(op, frozenset())


_CACHE: dict[tuple[str, tuple[str, ...]], Abilities] = {}  # by path and features; tables do not change while we run


def load_abilities(chip: Chip) -> Abilities | None:
    """The table that the chip's profile names, for this chip's features; None if it names none.

    Errors: SpecError P002 to P004 for a table that cannot be read or used.
    """
    if chip.ops is None:
        return None
    key = (chip.ops, chip.features)
    if key not in _CACHE:
        _CACHE[key] = _read(Path(chip.ops), chip.features)
    return _CACHE[key]


def _read(path: Path, features: tuple[str, ...]) -> Abilities:
    source, data = read_table(path, "table of ops", "ops")
    findings: list[Diagnostic] = []
    accepts: dict[str, tuple[str, ...]] = {}
    pairs: dict[str, frozenset[tuple[str, str]]] = {}
    for op, elements in _rows(data.pop("accepts", {}), ("accepts",), source, findings):
        accepts[op] = elements
    needs = data.pop("needs", {})
    without = data.pop("refuses_without", {})
    refused: list[tuple[tuple[str, ...], object]] = [(("refuses",), data.pop("refuses", {}))]
    for name, groups in (("needs", needs), ("refuses_without", without)):
        if not isinstance(groups, dict):
            findings.append(_wrong(source, (name,), f"[{name}] is no table of features"))
            continue
        for feature, table in groups.items():
            if name == "needs" and feature in features:
                for op, elements in _rows(table, (name, feature), source, findings):
                    accepts[op] = (*accepts.get(op, ()), *elements)
            elif name == "refuses_without" and feature not in features:
                refused.append(((name, feature), table))
    for loc, table in refused:
        for op, texts in _rows(table, loc, source, findings):
            found = {(a, b) for a, _, b in (text.partition(_ARROW) for text in texts)}
            pairs[op] = pairs.get(op, frozenset()) | found
    scalars = [elements for _, elements in _rows({"scalars": data.pop("scalars", [])}, (), source, findings)]
    text = data.pop("source", "")
    if not isinstance(text, str) or not text:
        findings.append(_wrong(source, (), "the table does not say where it comes from: source = '..'"))
    findings.extend(_wrong(source, (key,), f"a table of ops has no {key!r}") for key in data)
    if findings:
        raise SpecError.of(findings)
    return Abilities(text, accepts, pairs, *scalars)


def _rows(
    table: object, loc: tuple[str, ...], source: Source, findings: list[Diagnostic]
) -> list[tuple[str, tuple[str, ...]]]:
    """The rows of a table of lists; what is no such row is reported."""
    name = ".".join(loc)
    if not isinstance(table, dict):
        findings.append(_wrong(source, loc, f"[{name}] is no table"))
        return []
    rows = []
    for op, elements in table.items():
        if isinstance(elements, list) and all(isinstance(e, str) for e in elements):
            rows.append((op, tuple(elements)))
        else:
            findings.append(_wrong(source, (*loc, op), f"{name}.{op!r} is no list of elements"))
    return rows


def _wrong(source: Source, loc: tuple[str, ...], message: str) -> Diagnostic:
    from pipeline.spec.locate import locate_toml

    hint = 'a row is written "arith.addf" = ["f32", "bf16"]'
    return Diagnostic("P004", message, locate_toml(source)(*loc), hint)
