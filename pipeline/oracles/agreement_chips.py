"""More chips for kernels that are recorded: `python -m pipeline.oracles.agreement_chips LIKE CHIP,CHIP FILE ..`.

Of each record in FILE (tests/agreement) that JAX lowers for the chip LIKE, libtpu is asked about our own module for
the other chips, and what it says is added to the record. Chips that get one answer share an entry.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pipeline.chips.load import load_chip
from pipeline.errors import SpecError
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.agreement_record import overflow
from pipeline.oracles.call_data import read_call
from pipeline.oracles.libtpu import Job, Verdict, compile_all

_BATCH = 40  # kernels a process


def asked(records: Sequence[dict[str, Any]], like: str, chips: Sequence[str]) -> list[tuple[int, list[Job]]]:
    """(position, a job for each chip) of the records to ask about."""
    found = []
    for at, record in enumerate(records):
        said = next((one for one in record["said"] if like in one["chips"]), None)
        known = {name for one in record["said"] for name in one["chips"]}
        if said is None or said.get("stage") == "lower" or known.intersection(chips):
            continue
        call = read_call(record["call"])
        try:
            jobs = [Job.of(call, name, print_mosaic(lower(call, load_chip(name)))) for name in chips]
        except SpecError:
            continue  # no module of ours to ask about
        found.append((at, jobs))
    return found


def entries(chips: Sequence[str], verdicts: Sequence[Verdict], sized: bool) -> Iterator[dict[str, Any]]:
    """What a record holds of verdicts: one entry for each answer. `sized`: a memory is too small for what is asked for,
    so the message's sizes count; else they hold what the compiler spills."""
    groups: dict[str, list[str]] = {}
    for name, verdict in zip(chips, verdicts, strict=True):
        said: dict[str, Any] = {"ok": verdict.accepted}
        if not verdict.accepted:
            crash = verdict.message.startswith("crash")
            said.update(stage="compile", kind="crash" if crash else "our module")
            if sized:
                overflow(verdict.message, said)
        groups.setdefault(json.dumps(said), []).append(name)
    for text, names in groups.items():
        yield {"chips": names, **json.loads(text)}


def main(arguments: list[str]) -> int:
    like, chips, paths = arguments[0], arguments[1].split(","), [Path(name) for name in arguments[2:]]
    for path in paths:
        head, *lines = path.read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in lines]
        jobs = asked(records, like, chips)
        for start in range(0, len(jobs), _BATCH):
            batch = jobs[start : start + _BATCH]
            verdicts = iter(compile_all([job for _, made in batch for job in made]))
            for at, made in batch:
                said = next(one for one in records[at]["said"] if like in one["chips"])
                sized = "used" in said or "allocation" in said
                records[at]["said"].extend(entries(chips, [next(verdicts) for _ in made], sized))
        rows = [json.dumps(record, separators=(",", ":")) for record in records]
        path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
