"""The bundles of a block as lines: one column a unit; bundles that do alike are folded into one line."""

from __future__ import annotations

from pipeline.ir.module import Op
from pipeline.schedule.bundles.graph import Graph
from pipeline.schedule.bundles.pack import Packed

_COLUMNS = ("vload", "valu", "eup", "vpop", "xlu", "push", "mxu", "vstore")
_HEADS = {"push": "weights", "mxu": "matmul"}
_Row = dict[str, dict[str, int]]  # unit -> operation -> how often it starts
_OPEN = 8  # bundles of a stretch that may add operations to it; later ones start a new stretch
_IDLE = 16  # so many bundles in which nothing starts are a line of their own; fewer belong to the stretch around them


def list_block(graph: Graph, packed: Packed, ops: list[Op]) -> tuple[str, ...]:
    """Lines of a table. Bundles that start the same operations, or some of them, are one line: how many bundles, how
    many of them start nothing, and the number of instructions of each operation, unit by unit."""
    rows: list[_Row] = [{} for _ in range(packed.length)]
    names: dict[tuple[int, int], str] = {}  # by kind and operation: there are few, and many nodes of each
    first, last = packed.first, packed.first + len(packed.bundles)
    for at, kind, origin in zip(packed.bundles, graph.kinds[first:last], graph.origin[first:last], strict=True):
        unit = kind.unit
        if unit in _COLUMNS:
            made = (id(kind), origin)
            name = names.get(made)
            if name is None:
                name = names[made] = _name(kind.name, ops[origin])
            row = rows[at]
            if unit not in row:
                row[unit] = {name: 1}
            elif name in row[unit]:
                row[unit][name] += 1
            else:
                row[unit][name] = 1
    stretches = _stretches(rows)
    used = [unit for unit in _COLUMNS if any(unit in row for row in rows)]
    lines = [["bundles", "idle", *(_HEADS.get(u, u) for u in used)]]
    for count, idle, total in stretches:
        lines.append([str(count), str(idle) if idle else "", *(_cell(total.get(unit, {})) for unit in used)])
    widths = [max(len(line[c]) for line in lines) for c in range(len(lines[0]))]
    return tuple("  ".join(t.ljust(w) for t, w in zip(line, widths, strict=True)).rstrip() for line in lines)


def _stretches(rows: list[_Row]) -> list[tuple[int, int, _Row]]:
    """(bundles, those in which nothing starts, what starts in all of them) of each stretch."""
    found: list[tuple[int, int, _Row]] = []
    waiting = 0
    for row in rows:
        if not row:
            waiting += 1
            continue
        if waiting >= _IDLE:
            found.append((waiting, waiting, {}))
            waiting = 0
        if found and found[-1][2] and _joins(row, found[-1][0] + waiting, found[-1][2]):
            count, idle, total = found[-1]
            for unit, names in row.items():
                if unit not in total:
                    total[unit] = dict(names)
                    continue
                cell = total[unit]
                for name, n in names.items():
                    cell[name] = cell.get(name, 0) + n
            found[-1] = (count + waiting + 1, idle + waiting, total)
        else:
            if waiting and found:
                count, idle, total = found[-1]
                found[-1] = (count + waiting, idle + waiting, total)
            found.append((1, 0, {unit: dict(names) for unit, names in row.items()}))
        waiting = 0
    return found


def _joins(row: _Row, count: int, total: _Row) -> bool:
    """Whether a bundle belongs to the stretch before it."""
    if count < _OPEN:
        return True
    for unit, names in row.items():
        cell = total.get(unit)
        if cell is None or not names.keys() <= cell.keys():
            return False
    return True


def _name(kind: str, op: Op) -> str:
    """The operation's own name where the instruction is a part of it, the instruction's where it says more."""
    short = op.name.partition(".")[2]
    if kind.startswith(("arith.", "math.", "cmp")) or "->" in kind:
        return short
    return kind


def _cell(names: dict[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in sorted(names.items()))
