"""The recorded kernels, and small calls made from jaxpr text."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.errors import Source, Span
from pipeline.ir.call import KernelCall, Operand, Role
from pipeline.ir.jaxpr import RefAval
from pipeline.ir.jaxpr_text import parse_jaxpr
from pipeline.oracles.call_data import read_call

HERE = Path(__file__).parent


class Chip:
    """All that the lowering asks of a chip."""

    def __init__(self, generation: int = 5) -> None:
        self.generation = generation


V5E = Chip(5)


@cache
def recorded() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))
    kernels: dict[str, Any] = data["kernels"]
    return kernels


def recorded_call(name: str) -> KernelCall:
    return read_call(recorded()[name]["call"])


def call_of(text: str, name: str = "kernel") -> KernelCall:
    """A call without a grid: the jaxpr's binders are its operands, the last one the output."""
    source = Source("kernel.jaxpr", text)
    body = parse_jaxpr(text, lambda line, column, end: Span(source, line, column, end))
    operands = []
    for position, var in enumerate(body.invars):
        assert isinstance(var.aval, RefAval)
        role = Role.OUTPUT if position == len(body.invars) - 1 else Role.INPUT
        operands.append(Operand(f"x{position}", role, var.aval.inner, var.aval))
    return KernelCall(name, body, (), tuple(operands))
