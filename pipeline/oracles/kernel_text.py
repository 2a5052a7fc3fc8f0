"""A small kernel's spec as text, piece by piece: for the families of kernels that are made to be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pipeline.ir.call import KernelCall
from pipeline.spec.load import parse_specs
from pipeline.trace.trace import trace

_HEAD = """\
name = "{name}"
summary = "{summary}"
targets = ["v4", "v5e", "v5p", "v6e", "7x"]

[kernel]
source = '''
def kernel({arguments}):
{body}'''

[grid]
shape = {grid}
{semantics}"""
_OPERAND = """
[[{role}]]
name = "{name}"
shape = {shape}
dtype = "{dtype}"
block = {block}
index_map = "lambda {axes}: ({indices})"
"""
TABLE = """
[[scalar_prefetch]]
name = "n"
shape = [64]
dtype = "int32"
data = { kind = "integers", low = 0, high = 2, seed = 0 }
"""


def head_text(
    summary: str, refs: Iterable[str], body: Iterable[str], grid: Sequence[int], semantics: str = "",
    name: str = "directed",
) -> str:  # fmt: skip
    """The spec down to its grid: `refs` by their operands' names, the body's lines as they stand in the function."""
    arguments = ", ".join(f"{ref}_ref" for ref in refs)
    lines = "".join(f"    {line}\n" for line in body)
    return _HEAD.format(
        name=name, summary=summary, arguments=arguments, body=lines, grid=list(grid), semantics=semantics
    )


def operand_text(
    role: str, name: str, shape: Sequence[int], block: Sequence[int], indices: str, dtype: str = "float32",
    axes: str = "i",
) -> str:  # fmt: skip
    """A blocked operand; `indices`: what its index map gives."""
    return _OPERAND.format(
        role=role, name=name, shape=list(shape), dtype=dtype, block=list(block), axes=axes, indices=indices
    )


def call_of(text: str, name: str = "directed") -> KernelCall:
    """The kernel of a spec's text, traced."""
    (spec,) = parse_specs(text, Path(f"{name}.toml"))
    return trace(spec)
