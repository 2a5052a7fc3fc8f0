"""What the StableHLO lowering is held to without XLA: every recorded primitive and kernel, and its module's text."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.ir.module import Module
from pipeline.lower.stablehlo.lower import lower, lower_function

TESTS = Path(__file__).resolve().parent.parent
for folder in ("simulate", "lower"):
    if str(TESTS / folder) not in sys.path:
        sys.path.append(str(TESTS / folder))

from simulate_records import entries, kernel  # noqa: E402

from pipeline.oracles.call_data import read_call  # noqa: E402

VERIFIED = Path(__file__).parent / "verified.json"


def modules() -> Iterator[tuple[str, Module]]:
    """(name, module) of all that `tests/oracle/test_stablehlo_runs.py` has XLA run, specs apart."""
    for name, entry in entries("primitives").items():
        yield f"primitive {name}", lower_function("f", parse_jaxpr(entry["program"]))
    for name in entries("kernels"):
        yield f"kernel {name}", lower(kernel(name)[0])
    calls = json.loads((TESTS / "lower" / "recorded.json").read_text(encoding="utf-8"))["kernels"]
    for name, record in calls.items():
        yield f"recorded {name}", lower(read_call(record["call"]))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
