"""Turn recorded bundle counts of Pallas kernels into the form that `bundle_accuracy.py` and the tests read.

`python benchmarks/record_bundles.py DUMPS.jsonl OUT.jsonl`: a line of DUMPS is a kernel on a chip, with the kernel's
source, its windows and what the compiler's dumps say. JAX traces each kernel once; OUT keeps the jaxpr and one row a
chip. Needs the `[oracle]` extra.

Which part a kernel is in follows from its family's name alone: kernels of one operation and half of the families are
what op costs and constants may be fitted to ("fit"); accuracy is quoted on the other families ("quoted").
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from pipeline.frontend.jax_bridge import kernel_calls
from pipeline.ir.call import Blocked, KernelCall
from pipeline.ir.jaxpr_text import print_jaxpr

UNITS = ("MXU", "XLU", "VALU", "VPOP", "EUP", "VLOAD", "FILL", "VSTORE", "SPILL")
HEADER = {
    "jax": "0.10.2",
    "libtpu": "0.0.42.1",
    "how": "static schedules compiled ahead of time on a CPU",
    "said": "chip -> bundles of one trip of the grid loop, then busy unit-cycles in the bundles listed, each once",
    "units": [unit.lower() for unit in UNITS],
}


def part(family: str, group: str) -> str:
    """The part of the split: by a hash of the family's name, so that nobody chooses."""
    if not group.startswith("sweep"):
        return "fit"
    return "fit" if hashlib.sha256(family.encode()).digest()[0] % 2 else "quoted"


def traced(record: dict[str, Any]) -> KernelCall:
    """The kernel of a record, traced by JAX."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    names: dict[str, Any] = {"jax": jax, "jnp": jnp, "np": np, "lax": lax, "pl": pl, "pltpu": pltpu}
    exec("def kern(*refs):\n" + record["src"], names)

    shaped: Any = jax.ShapeDtypeStruct

    def struct(entry: list[Any]) -> Any:
        return shaped(tuple(entry[0]), jnp.dtype(entry[1]))

    def spec(entry: list[Any]) -> Any:
        return pl.BlockSpec(tuple(entry[2]), eval(entry[3], names))

    call = pl.pallas_call(
        names["kern"],
        grid=tuple(record["grid"]),
        in_specs=[spec(entry) for entry in record["ins"]],
        out_specs=[spec(entry) for entry in record["outs"]],
        out_shape=[struct(entry) for entry in record["outs"]],
        scratch_shapes=[pltpu.VMEM(tuple(shape), jnp.dtype(dtype)) for shape, dtype in record["scratch"]],
    )
    (found,) = kernel_calls(call, [struct(entry) for entry in record["ins"]])
    return found


def row(record: dict[str, Any], call: KernelCall) -> dict[str, Any]:
    operands = []
    for operand in call.operands:
        assert operand.block is not None and operand.index_map is not None
        blocks = [dim.size if isinstance(dim, Blocked) else None for dim in operand.block]
        operands.append(
            {
                "name": operand.name,
                "role": operand.role.name,
                "shape": list(operand.array.shape),
                "dtype": operand.array.dtype.name,
                "block": blocks,
                "map": print_jaxpr(operand.index_map).strip(),
            }
        )
    family = record["meta"].get("fam") or record["meta"].get("op") or record["name"]
    return {
        "name": record["name"],
        "family": family,
        "group": record["group"].partition(":")[0],
        "part": part(family, record["group"]),
        "grid": record["grid"],
        "operands": operands,
        "scratch": [s.name for s in call.scratch],
        "body": print_jaxpr(call.body).strip(),
        "said": {},
    }


def main(dumps: str, out: str) -> None:
    rows: dict[str, dict[str, Any]] = {}
    for line in Path(dumps).read_text().splitlines():
        record = json.loads(line)
        if record["group"] == "dma" and record["name"].startswith("nobc"):
            continue  # compiled without bounds checks, which no spec asks for
        name = record["name"]
        if name not in rows:
            rows[name] = row(record, traced(record))
        chip = {"v7x": "7x"}.get(record["chip"], record["chip"])
        rows[name]["said"][chip] = [record["loop_bundles"], *(record["slots"][unit] for unit in UNITS)]
    lines = [json.dumps(HEADER), *(json.dumps(rows[name], separators=(",", ":")) for name in sorted(rows))]
    Path(out).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:3])
