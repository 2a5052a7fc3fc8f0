"""Kernels made for one doubt each, as spec text, and what independent executors made of them.

    python tests/simulate/directed.py

records that in `data/directed.json` (the `oracle` extra): every output under JAX's interpret mode; where it lacks
something, under its TPU interpreter; where that does, too, what XLA makes of our StableHLO. The cases are in
`directed_*.py` beside this.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from pipeline.spec.load import parse_specs
from pipeline.spec.spec import Spec

RECORD = Path(__file__).parent / "data" / "directed.json"
Shape = tuple[int, ...]


class Ref(NamedTuple):
    """An operand or scratch of a case. `data` is TOML; `more` are further lines of its table."""

    name: str
    shape: Shape
    dtype: str = "float32"
    data: str = ""
    more: str = ""


def kernel(
    body: str, inputs: Sequence[Ref] = (), outputs: Sequence[Ref] = (), scratch: Sequence[Ref] = (),
    grid: Shape = (), prefetch: Sequence[Ref] = (),
) -> str:  # fmt: skip
    """The text of a spec."""
    names = ", ".join(ref.name for ref in (*prefetch, *inputs, *outputs, *scratch))
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    parts = [f"name = \"k\"\ntargets = [\"interpret\"]\n\n[kernel]\nsource = '''\ndef kernel({names}):\n{lines}'''\n"]
    parts += [f"[grid]\nshape = {list(grid)}\n"] if grid else []
    for table, refs in (("scalar_prefetch", prefetch), ("inputs", inputs), ("outputs", outputs), ("scratch", scratch)):
        for ref in refs:
            dtype = f'dtype = "{ref.dtype}"\n' if ref.dtype else ""
            data = f"data = {{ {ref.data} }}\n" if ref.data else ""
            parts.append(
                f'[[{table}]]\nname = "{ref.name}"\nshape = {list(ref.shape)}\n{dtype}{data}{_lines(table, ref.more)}'
            )
    return "\n".join(parts)


def _lines(table: str, more: str) -> str:
    return (more or ('kind = "vmem"' if table == "scratch" else "")) + "\n"


def parsed(cases: dict[str, str]) -> dict[str, Spec]:
    """The specs by name."""
    return {name: parse_specs(text, Path(f"{name}.toml"))[0] for name, text in cases.items()}


def all_cases() -> dict[str, str]:
    """Every case's text by name."""
    from directed_control import CONTROL
    from directed_indices import INDICES
    from directed_refs import REFS

    groups: Iterable[dict[str, str]] = (REFS, INDICES, CONTROL)
    found: dict[str, str] = {}
    for group in groups:
        assert not found.keys() & group.keys()
        found.update(group)
    return found


def record() -> None:
    from importlib.metadata import version

    from directed_control import STALE
    from record_jax import array

    from pipeline.ir.call import Role
    from pipeline.lower.stablehlo.lower import lower
    from pipeline.lower.stablehlo.text import print_stablehlo
    from pipeline.oracles.interpreters import interpret
    from pipeline.oracles.xla import run
    from pipeline.simulate.data import make_inputs
    from pipeline.trace.trace import trace

    entries: list[dict[str, Any]] = []
    for name, spec in parsed(all_cases()).items():
        inputs = make_inputs(spec)
        lacks = "a loop's test does not see what the loop stores" if name in STALE else ""
        found: Any = None
        if not lacks:
            seen = interpret(spec, inputs, "interpret")
            found, lacks = seen.outputs, seen.error
        by = "interpret"
        if found is None:
            found, by = interpret(spec, inputs, "tpu").outputs, "tpu"
        if found is None:
            call, by = trace(spec), "xla"
            given = [inputs[o.name] for o in call.operands if o.role is not Role.OUTPUT]
            found = run(print_stablehlo(lower(call)), given)
        entries.append({"name": name, "by": by, "lacks": lacks, "outputs": [array(x) for x in found]})
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    versions = {name: version(name) for name in ("jax", "jaxlib")}
    RECORD.write_text(f'{{"versions": {json.dumps(versions)}, "entries": [\n{lines}\n]}}\n')
    print(len(entries), RECORD.stat().st_size)


if __name__ == "__main__":
    record()
