"""How far our verdicts agree with the TPU compiler's: `python -m pipeline.oracles.agreement [FILE ..]` prints a table.

A file holds one recorded kernel a line: the call, and for each group of chips what JAX and libtpu said. Neither is
needed to read it. `agreement_record.py` makes such files.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.chips.load import load_chip
from pipeline.errors import Diagnostic, Severity, SpecError
from pipeline.ir.call import KernelCall
from pipeline.ir.jaxpr import MemorySpace
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.call_data import read_call
from pipeline.schedule.result import MemoryUse, Schedule
from pipeline.schedule.schedule import schedule

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "agreement"

# Refused here because the kernel is wrong, though the compiler lets it pass: it halts the chip or loses data.
BEYOND = frozenset({"P301", "P302"})
# What JAX's own lowering refuses; every other P code is the compiler's.
LOWERING = frozenset({"P101", "P103", "P104", "P105", "P106", "P107", "P308", "P403"})
_UNITS = (("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10))


@dataclass(frozen=True, slots=True)
class Ours:
    """Our verdict: errors of lowering and of the schedule together, and the schedule."""

    errors: tuple[Diagnostic, ...]
    schedule: Schedule

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(error.code for error in self.errors))

    @property
    def stage(self) -> str:
        """The real stage that refuses: "lower" or "compile"."""
        lowering = any(code[0] in "TL" or code in LOWERING for code in self.codes)
        return "lower" if lowering else "compile"


def judge(call: KernelCall, chip_name: str) -> Ours:
    """Everything that lowering and scheduling `call` for a chip finds."""
    chip = load_chip(chip_name)
    errors: list[Diagnostic] = []
    module = None
    try:
        module = lower(call, chip)
    except SpecError as error:
        errors.extend(error.diagnostics)
    found = schedule(call, module, chip, estimated=False)
    errors.extend(finding for finding in found.findings if finding.severity is Severity.ERROR)
    return Ours(tuple(errors), found)


@dataclass(slots=True)
class Tally:
    """Counts of one group of kernels; each pair is (agree, compared). `lines` lists the disagreements."""

    verdict: list[int] = field(default_factory=lambda: [0, 0])
    stage: list[int] = field(default_factory=lambda: [0, 0])
    operand: list[int] = field(default_factory=lambda: [0, 0])
    size: list[int] = field(default_factory=lambda: [0, 0])
    lines: list[str] = field(default_factory=list)

    def add(self, pair: list[int], agrees: bool, line: str) -> None:
        pair[0] += agrees
        pair[1] += 1
        if not agrees:
            self.lines.append(line)


def compare(record: dict[str, Any], tally: Tally) -> None:
    """Hold our verdict on one record's kernel against what was said, chip by chip."""
    call = read_call(record["call"])
    for said in record["said"]:
        for chip in said["chips"]:
            ours = judge(call, chip)
            where = f"{record['id']} on {chip}"
            counted = [code for code in ours.codes if code not in BEYOND]
            agrees = not counted if said["ok"] else bool(ours.codes)
            theirs = "accepts" if said["ok"] else f"refuses at {said['stage']} ({said['kind']})"
            us = f"refuse: {' '.join(ours.codes)}" if ours.codes else "accept"
            tally.add(tally.verdict, agrees, f"{where}: verdict: the compiler {theirs}, we {us}")
            if not said["ok"] and agrees:
                at = f"{where}: stage: the compiler's is {said['stage']}, ours {ours.stage} ({' '.join(ours.codes)})"
                tally.add(tally.stage, ours.stage == said["stage"], at)
                wanted = said.get("operand") or said.get("op")
                if wanted is not None:
                    named = any(_names(error, wanted) for error in ours.errors)
                    text = f"{where}: operand: the compiler names {wanted}, we {ours.errors[0].message}"
                    tally.add(tally.operand, named, text)
            for what, mine, other in _sizes(said, ours.schedule):
                tally.add(tally.size, mine == other, f"{where}: {what}: the compiler has {other}, we {mine}")


# The compiler names the op it broke a kernel's op into; ours speaks of the operand instead.
_ALIASES = {
    "tpu.load": ("P109",),
    "tpu.store": ("P109",),
    "tpu.pack_subelements": ("P109",),
    "vector.multi_reduction": ("P109",),
    "arith.cmpi": ("P602",),
    "tpu.memref_slice": ("P401", "P402"),
    "tpu.vector_load": ("P604", "P606"),
    "tpu.vector_store": ("P604",),
    "tpu.create_subelement_mask": ("P108", "P604", "P607"),
    "tpu.bitcast_vreg": ("P109", "P607"),
    "tpu.reshape": ("P607",),
    "tpu.dynamic_gather": ("P608",),
    "func.return": ("P112",),
}


def _names(error: Diagnostic, wanted: str) -> bool:
    """Whether a finding speaks of an operand or op: in its words, or in the plan under it."""
    return (
        error.code in _ALIASES.get(wanted, ())
        or any(f"'{wanted}'" in text or f"({wanted})" in text for text in (error.message, *error.details))
        or any(detail.split(" ", 1)[0] == wanted for detail in error.details)
    )


def _sizes(said: dict[str, Any], ours: Schedule) -> Iterator[tuple[str, object, object]]:
    """(what, ours, theirs) for each size the compiler printed."""
    if "windows" in said:
        windows = sorted(w.bytes for w in ours.windows if w.space is MemorySpace.VMEM and w.bytes)
        yield "windows", windows, said["windows"]
    scratch = [a for a in ours.allocations if a.space is MemorySpace.VMEM and a.kind == "scratch"]
    if "scratch" in said and all(a.bytes for a in scratch):  # the compiler lists what it drops later, too
        yield "scratch", sorted(a.bytes for a in scratch), said["scratch"]
    if "used" in said:
        space = MemorySpace[said["space"]]
        use = ours.use(space)
        assert use is not None
        yield f"{space.value} used", _printed(_first_over(ours, use)), said["used"]
    if "allocation" in said:
        sizes = [a.bytes for a in ours.allocations]
        yield "allocation", said["allocation"] if said["allocation"] in sizes else sorted(sizes), said["allocation"]


def _first_over(ours: Schedule, use: MemoryUse) -> int:
    """The sum that the compiler prints: of scratch alone if that is over the limit, else of everything."""
    if use.space is not MemorySpace.VMEM:
        return use.used + use.physical - use.limit  # with what the system keeps
    scratch = sum(a.bytes for a in ours.allocations if a.space is use.space and a.kind in ("scratch", "internal"))
    return scratch if use.used <= use.physical and scratch > use.limit else use.used


def _printed(size: int) -> str:
    """Bytes as the compiler prints them: two decimals in MiB and GiB, one in KiB."""
    for unit, factor in _UNITS:
        if size >= factor:
            return f"{size / factor:.{1 if unit == 'K' else 2}f}{unit}"
    return f"{size}B"


def read_records(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """The records of files, in order; a file's first line says what it is and is left out."""
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines()[1:]:
            yield json.loads(line)


def table(tallies: dict[str, Tally]) -> str:
    """One row for each group, one for all."""
    total = Tally()
    for tally in tallies.values():
        for name in ("verdict", "stage", "operand", "size"):
            for i in (0, 1):
                getattr(total, name)[i] += getattr(tally, name)[i]
    lines = [f"{'group':<16}{'verdict':>20}{'stage':>20}{'operand or op':>20}{'bytes':>20}"]
    for group, tally in [*sorted(tallies.items()), ("all", total)]:
        cells = (tally.verdict, tally.stage, tally.operand, tally.size)
        lines.append(f"{group:<16}" + "".join(f"{_cell(pair):>20}" for pair in cells))
    return "\n".join(lines) + "\n"


def _cell(pair: list[int]) -> str:
    agree, compared = pair
    return f"{agree}/{compared} {100 * agree / compared:.1f}%" if compared else "-"


def main(arguments: list[str]) -> int:
    """Print the table and every disagreement. Exit status 1 if verdicts agree in less than 99 %."""
    paths = [Path(name) for name in arguments] or sorted(FOLDER.glob("*.jsonl"))
    tallies: dict[str, Tally] = {}
    for record in read_records(paths):
        compare(record, tallies.setdefault(record["group"], Tally()))
    for _, tally in sorted(tallies.items()):
        for line in tally.lines:
            print(line)
    print(table(tallies), end="")
    agree = sum(tally.verdict[0] for tally in tallies.values())
    compared = sum(tally.verdict[1] for tally in tallies.values())
    return 0 if agree >= 0.99 * compared else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
