"""Recorded kernels as `KernelCall`s: the form that the .jsonl files beside this one share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipeline.chips.load import load_chip
from pipeline.ir.call import KernelCall
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.oracles.call_data import read_call as recorded_call
from pipeline.schedule.schedule import schedule

__all__ = ["bundles_of", "recorded_call", "records"]


def records(name: str) -> list[dict[str, Any]]:
    """The records of a file; its first line says what they are and is left out."""
    _header, *lines = (Path(__file__).parent / name).read_text().splitlines()
    return [json.loads(line) for line in lines]


def bundles_of(call: KernelCall, chip_name: str) -> int:
    """Bundles of a grid step as we schedule it."""
    chip = load_chip(chip_name)
    found = schedule(call, lower(call, chip), chip).estimate
    assert found is not None
    return found.bundles
