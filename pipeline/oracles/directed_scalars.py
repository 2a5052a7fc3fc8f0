"""Kernels of scalar code about one thing each, as spec text: how many windows a step has, and who goes over the grid.

Of a family every kernel differs from the next by one number, so that a wrong rule shows as a wrong slope.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline.ir.call import KernelCall
from pipeline.spec.load import parse_specs
from pipeline.trace.trace import trace

_HEAD = """\
name = "directed"
summary = "Scalar code about one thing"
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
shape = [{rows}, 256]
dtype = "float32"
block = [8, 256]
index_map = "lambda i: ({index}, 0)"
"""


def directed_kernels() -> Iterator[tuple[str, str]]:
    """(family and number, the spec's text)."""
    for family, steps, semantics in (("once", 1, ""), ("split", 2, 'semantics = ["parallel"]\n')):
        for inputs, outputs in ((0, 1), (1, 1), (2, 1), (3, 1), (1, 2)):
            yield f"{family} {inputs} {outputs}", windows(steps, inputs, outputs, semantics)


def directed_call(text: str) -> KernelCall:
    (spec,) = parse_specs(text, Path("directed.toml"))
    return trace(spec)


def windows(steps: int, inputs: int, outputs: int, semantics: str = "") -> str:
    """Blocks of one row of tiles, all of them added up into each output."""
    total = " + ".join(f"x{n}_ref[...]" for n in range(inputs)) or "jnp.zeros((8, 256), jnp.float32)"
    body = [f"o{n}_ref[...] = {total}" for n in range(outputs)]
    return spec_text(steps, [f"x{n}" for n in range(inputs)], [f"o{n}" for n in range(outputs)], body, semantics)


def spec_text(steps: int, inputs: list[str], outputs: list[str], body: list[str], semantics: str = "") -> str:
    """A kernel over `steps` blocks of one row of tiles for each operand."""
    names = [*inputs, *outputs]
    text = _HEAD.format(
        arguments=", ".join(f"{name}_ref" for name in names),
        body="".join(f"    {line}\n" for line in body),
        grid=[steps],
        semantics=semantics,
    )
    for name in names:
        role = "inputs" if name in inputs else "outputs"
        text += _OPERAND.format(role=role, name=name, rows=8 * steps, index="i")
    return text
