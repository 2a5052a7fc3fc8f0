"""What chips take, as a table: op by dtype, then products by operand dtypes. What `pipeline chips matrix` prints."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.chips.abilities import Abilities, load_abilities
from pipeline.chips.chip import Chip
from pipeline.dtypes import (
    BF16,
    BOOL,
    F8_E4M3FN,
    F8_E5M2,
    F16,
    F32,
    I4,
    I8,
    I16,
    I32,
    U4,
    U8,
    U16,
    U32,
    DType,
    Kind,
)

_DTYPES = (F32, BF16, F16, I32, U32, I16, U16, I8, U8, I4, U4, F8_E4M3FN, F8_E5M2, BOOL)

# op as a kernel says it -> rows of the table of abilities for floats, signed and unsigned integers; "" where there is
# none, so that the op does not exist for them
_OPS: dict[str, tuple[str, str, str]] = {
    "load, store": ("memory", "memory", "memory"),
    "add": ("arith.addf", "arith.addi", "arith.addi"),
    "sub, neg": ("arith.subf", "arith.subi", "arith.subi"),
    "mul": ("arith.mulf", "arith.muli", "arith.muli"),
    "div": ("arith.divf", "arith.divsi", "arith.divui"),
    "rem": ("arith.remf", "arith.remsi", "arith.remui"),
    "max": ("arith.maximumf", "arith.maxsi", "arith.maxui"),
    "min": ("arith.minimumf", "arith.minsi", "arith.minui"),
    "abs": ("math.absf", "math.absi", ""),
    "and, or, xor": ("", "memory", "memory"),
    "shift_left": ("", "arith.shli", "arith.shli"),
    "shift_right": ("", "arith.shrsi", "arith.shrui"),
    "population_count": ("", "math.ctpop", "math.ctpop"),
    "clz": ("", "math.ctlz", "math.ctlz"),
    "eq, ne": ("arith.cmpf", "arith.cmpi eq", "arith.cmpi eq"),
    "lt, le, gt, ge": ("arith.cmpf", "arith.cmpi signed", "arith.cmpi unsigned"),
    "select": ("arith.select", "arith.select", "arith.select"),
    "exp, log, sqrt, tanh ..": ("math.exp", "", ""),
    "atan2": ("math.atan2", "", ""),
    "iota": ("", "tpu.iota", "tpu.iota"),
    "sum, max, min over an axis": ("vector.multi_reduction", "reduction", ""),
    "argmax, argmin": ("tpu.reduce_index", "", ""),
    "read as a scalar": ("vector.extract", "vector.extract", "vector.extract"),
}


def print_matrix(chips: Sequence[Chip]) -> str:
    """A block for each group of chips that take the same: the ops, then the products."""
    blocks: dict[str, list[str]] = {}
    for chip in chips:
        blocks.setdefault(_ops(chip) + "\n" + _products(chip), []).append(chip.name)
    return "\n".join(f"{', '.join(names)}\n{text}" for text, names in blocks.items())


def _ops(chip: Chip) -> str:
    abilities = load_abilities(chip)
    if abilities is None:
        return "  the profile names no table of ops\n"
    width = max(map(len, _OPS))
    lines = [f"  {'op':<{width}} " + "".join(f"{_column(dtype):>6}" for dtype in _DTYPES)]
    for op, rows in _OPS.items():
        marks = ("yes" if _takes(chip, abilities, rows, dtype) else "-" for dtype in _DTYPES)
        lines.append(f"  {op:<{width}} " + "".join(f"{mark:>6}" for mark in marks))
    return "\n".join(lines) + "\n"


def _column(dtype: DType) -> str:
    return dtype.short.removeprefix("f8_").removesuffix("fn")


def _takes(chip: Chip, abilities: Abilities, rows: tuple[str, str, str], dtype: DType) -> bool:
    if dtype not in chip.memory_dtypes:
        return False
    row = rows[0] if dtype.is_float else rows[2] if dtype.kind is Kind.UINT else rows[1]
    match row:
        case "":
            return False
        case "memory":
            return True
        case "reduction":
            return dtype in chip.reduction_dtypes
    if dtype.kind is Kind.BOOL:
        return row == "arith.cmpi eq"  # comparisons of booleans are bitwise; there is nothing else for them
    return abilities.takes(row, dtype.mlir)


def _products(chip: Chip) -> str:
    """One line for each left operand and accumulator: the right operands, those with a conversion in brackets."""
    rows: dict[tuple[str, str], list[str]] = {}
    for row in chip.matmuls:
        said = row.rhs.short if row.native else f"({row.rhs.short})"
        rows.setdefault((row.lhs.short, row.accumulator.short), []).append(said)
    width = max((len(lhs) for lhs, _ in rows), default=0)
    lines = ["  products into an accumulator; in brackets: accepted, but converted first"]
    lines.extend(f"  {lhs:<{width}} -> {out}  by {', '.join(rhs)}" for (lhs, out), rhs in rows.items())
    return "\n".join(lines) + "\n"
