"""Bounds on what a spec file may ask for. A spec is untrusted: reading one takes bounded time and memory."""

from __future__ import annotations

from collections.abc import Iterable

MAX_FILE_BYTES = 4 << 20  # spec files in TOML; an imported kernel has some 100 bytes an equation
MAX_YAML_BYTES = 1 << 17  # PyYAML's scanner takes about ten seconds per MiB
MAX_KERNEL_BYTES = 1 << 17  # kernel source; Python's parser takes about a second per MiB and 100 bytes a byte
MAX_JAXPR_BYTES = 3 << 20  # a kernel or an index map as a jaxpr's text; the parser takes about two seconds per MiB
MAX_DEPTH = 32  # arrays and tables inside each other
MAX_VALUES = 20_000  # values in a file; of a YAML file, aliases written out
MAX_OPERANDS = 64  # entries in one list of operands or of scratch
MAX_RANK = 8
MAX_DIM = 2**31 - 1  # array dimensions and scalar indices are 32-bit
MAX_GRID_DIM = 2**31 - 2  # so that a loop counter of 32 bits passes the end
MAX_GRID_STEPS = 2**31 - 1
MAX_OPERAND_BYTES = 1 << 30  # all operands together; the functional run holds them in memory
MAX_VARIANTS = 256
MAX_PARAMS = 64
MAX_NAME = 64  # characters; names become file names
MAX_EXPRESSION = 256  # characters
MAX_DIAGNOSTICS = 50

CHECKS = ("bounds", "nan", "div", "uninitialized", "debug")  # kinds of checks of the functional run


def all_checks(words: Iterable[str]) -> tuple[str, ...]:
    """The kinds that are named, in the order of CHECKS; "all" names all of them."""
    named = frozenset(words)
    return tuple(kind for kind in CHECKS if kind in named or "all" in named)
