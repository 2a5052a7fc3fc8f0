"""A chip's table of instruction counts: what an operation takes of each unit for a tile of 8 x 128 32-bit elements."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pipeline.chips.chip import Chip
from pipeline.chips.tables import read_table
from pipeline.errors import Diagnostic, Source, SpecError

UNITS = ("mxu", "xlu", "valu", "vpop", "eup", "vload", "vstore", "salu")
Slots = dict[str, float]  # unit -> unit-cycles
CHAIN = ("before", "after")  # vector ALU instructions one after the other, before and after the transcendental unit


class Costs(NamedTuple):
    """`ops` by operation name for 32-bit elements, `packed` where bfloat16 differs, `casts` by "from -> to"."""

    source: str
    ops: dict[str, Slots]
    packed: dict[str, Slots]
    casts: dict[str, Slots]


_CACHE: dict[str, Costs] = {}  # by path; tables do not change while we run


def load_costs(chip: Chip) -> Costs | None:
    """The table that the chip's profile names; None if it names none.

    Errors: SpecError P002 to P004 for a table that cannot be read or used.
    """
    if chip.costs is None:
        return None
    if chip.costs not in _CACHE:
        _CACHE[chip.costs] = _read(Path(chip.costs))
    return _CACHE[chip.costs]


def _read(path: Path) -> Costs:
    source, data = read_table(path, "cost table", "costs")
    findings: list[Diagnostic] = []
    tables: list[dict[str, Slots]] = []
    for section in ("ops", "packed", "casts"):
        rows = data.pop(section, {})
        tables.append({})
        if not isinstance(rows, dict):
            findings.append(_wrong(source, (section,), f"[{section}] is no table"))
            continue
        for name, row in rows.items():
            if isinstance(row, dict) and all(u in (*UNITS, *CHAIN) and _cycles(n) for u, n in row.items()):
                tables[-1][name] = {unit: float(n) for unit, n in row.items()}
            else:
                findings.append(_wrong(source, (section, name), f"{section}.{name!r} is no row of unit-cycles"))
    text = data.pop("source", "")
    if not isinstance(text, str) or not text:
        findings.append(_wrong(source, (), "the table does not say where it comes from: source = '..'"))
    findings.extend(_wrong(source, (key,), f"a cost table has no {key!r}") for key in data)
    if findings:
        raise SpecError.of(findings)
    return Costs(text, *tables)


def _cycles(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1e6


def _wrong(source: Source, loc: tuple[str, ...], message: str) -> Diagnostic:
    from pipeline.spec.locate import locate_toml

    hint = f'a row is written "arith.addf" = {{ valu = 1 }}; units: {", ".join(UNITS)}'
    return Diagnostic("P004", message, locate_toml(source)(*loc), hint)
