"""A StableHLO module as text: what `pipeline show --stage lower --target interpret` prints."""

from __future__ import annotations

from pipeline.ir.module import Module
from pipeline.ir.module_text import print_module
from pipeline.lower.stablehlo.asm import FORMS


def print_stablehlo(module: Module) -> str:
    """MLIR text that jaxlib's parser takes and prints back the same way, with a final newline."""
    return print_module(module, FORMS)
