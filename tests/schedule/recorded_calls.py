"""Recorded kernels as `KernelCall`s: the form that the .jsonl files beside this one share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipeline.oracles.call_data import read_call as recorded_call

__all__ = ["recorded_call", "records"]


def records(name: str) -> list[dict[str, Any]]:
    """The records of a file; its first line says what they are and is left out."""
    _header, *lines = (Path(__file__).parent / name).read_text().splitlines()
    return [json.loads(line) for line in lines]
