"""Writes down what JAX and libtpu say about the shipped specs: `python -m pipeline.oracles.record [NAME ..]`.

One file per spec and variant under tests/oracle_records/. A plain test holds our captures to them, so that it needs
neither. The modules are JAX's in the form of our captures (`normal_module`); of the compiler only the verdict and the
sizes it gives are kept, never its text.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipeline.frontend.jax_bridge import kernel_calls
from pipeline.ir.call import KernelCall
from pipeline.ir.jaxpr_text import print_jaxpr
from pipeline.oracles.compare_mosaic import IGNORED_ATTRIBUTES
from pipeline.oracles.jax_mosaic import emit, parse
from pipeline.oracles.libtpu import Job, Verdict, compile_all
from pipeline.oracles.random_legality import CHIPS, EARLY_CHIPS
from pipeline.oracles.shipped import shipped_specs, spec_id
from pipeline.oracles.spec_to_jax import dynamic_bounds, spec_to_jax
from pipeline.spec.spec import Spec

RECORDS = Path(__file__).resolve().parents[2] / "tests" / "oracle_records"
_SIZES = re.compile(r"Scoped allocation with size ([\d.]+)([KMG]?) and limit ([\d.]+)([KMG]?) exceeded")
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def trace_record(call: KernelCall) -> dict[str, Any]:
    """A trace as plain data, by our printer: what `trace` and JAX have to agree in."""
    return {
        "grid": list(call.grid),
        "semantics": None if call.semantics is None else list(call.semantics),
        "aliases": [list(pair) for pair in call.aliases],
        "body": print_jaxpr(call.body).splitlines(),
        "index_maps": [None if o.index_map is None else print_jaxpr(o.index_map).splitlines() for o in call.operands],
    }


def normal_module(text: str, name: str) -> str:
    """JAX's module in the form our captures have: named after the kernel, the function `main`, nothing ignored."""
    from jaxlib.mlir import ir

    module = parse(text)
    with module.context:
        for op in [module.operation, *(op.operation for op in module.body)]:
            for key in IGNORED_ATTRIBUTES:
                if key != "sym_name" and key in op.attributes:
                    del op.attributes[key]
        module.operation.attributes["sym_name"] = ir.StringAttr.get(name)
        module.body.operations[0].attributes["sym_name"] = ir.StringAttr.get("main")
    return "".join(line.rstrip() + "\n" for line in str(module).splitlines())


def vmem_sizes(message: str) -> tuple[int, int] | None:
    """(needed, limit) in bytes out of the compiler's refusal for lack of scoped VMEM; it prints two decimals."""
    found = _SIZES.search(message)
    if found is None:
        return None
    need, unit, limit, limit_unit = found.groups()
    return round(float(need) * _UNITS[unit]), round(float(limit) * _UNITS[limit_unit])


def record(spec: Spec) -> dict[str, Any]:
    """What JAX traces and emits for `spec` on each chip, and whether libtpu accepts JAX's module.

    The chips are those from v4 on; earlier ones where the spec names them.
    """
    import importlib.metadata

    from jax._src.pallas.mosaic.error_handling import MosaicError
    from jax._src.pallas.mosaic.lowering import LoweringException

    chips = [*CHIPS, *(target.name for target in spec.targets if target.name in EARLY_CHIPS)]
    fn, args = spec_to_jax(spec)
    [call] = kernel_calls(fn, args, dynamic_bounds(spec))
    modules: dict[str, list[str]] = {}
    verdicts: dict[str, Any] = {}
    jobs: list[Job] = []
    for chip in chips:
        try:
            [text] = emit(fn, args, chip)
        except (ValueError, NotImplementedError, MosaicError, LoweringException):  # so it refuses
            verdicts[chip] = {"refused_by": "lowering"}
            continue
        modules.setdefault(normal_module(text, spec.kernel.function), []).append(chip)
        jobs.append(Job.of(call, chip, text))
    for job, verdict in zip(jobs, compile_all(jobs), strict=True):
        verdicts[job.chip] = _verdict(verdict)
    return {
        "versions": {name: importlib.metadata.version(name) for name in ("jax", "jaxlib", "libtpu")},
        "trace": trace_record(call),
        "modules": [{"chips": sorted(on), "text": text.splitlines()} for text, on in sorted(modules.items())],
        "verdicts": dict(sorted(verdicts.items())),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    if verdict.accepted:
        return {"accepted": True}
    if verdict.message.startswith("crash"):
        return {"refused_by": "compiler", "how": "the process dies"}
    sizes = vmem_sizes(verdict.message)
    if sizes is not None:
        return {"refused_by": "compiler", "vmem_bytes": sizes[0], "vmem_limit_bytes": sizes[1]}
    return {"refused_by": "compiler"}


def main(names: Sequence[str]) -> None:
    """Write the records of the specs of these names (none: of all), and remove those of specs that are gone."""
    RECORDS.mkdir(parents=True, exist_ok=True)
    shipped = {RECORDS / f"{spec_id(spec)}.json": spec for spec in shipped_specs()}
    for path, spec in shipped.items():
        if not names or spec.name in names:
            path.write_text(json.dumps(record(spec), indent=1) + "\n", encoding="utf-8", newline="\n")
    for path in RECORDS.glob("*.json"):
        if path not in shipped:
            path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
