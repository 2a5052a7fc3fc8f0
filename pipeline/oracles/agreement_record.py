"""Turns raw verdicts into the records of `agreement.py`: `python -m pipeline.oracles.agreement_record RAW FOLDER`.

RAW is a .jsonl file, a case a line: `id`, `group`, `src` (source that defines `build()`: a function and its arguments)
and `results` by groups of chips. The source is run and traced by JAX, so it has to be one's own. Of the compiler's
messages only sizes, operands and names of ops are kept.

`--made random|memory COUNT` records random kernels of seeds below COUNT (`random_legality.py`, `random_memory.py`)
instead, `--made directed` those of `directed_kernels.py`, under tests/agreement. With `--early` as the last argument
they are made for v2 and v3.

Left out: what JAX's trace refuses (no call comes of it), dtypes and primitives that the bridge has no form for, and
kernels compiled with flags.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pipeline.frontend.jax_bridge import BridgeError, kernel_calls
from pipeline.ir.call import KernelCall, Role
from pipeline.ir.jaxpr import MemorySpace
from pipeline.oracles.agreement import FOLDER
from pipeline.oracles.call_data import write_call
from pipeline.oracles.random_legality import CHIPS, EARLY_CHIPS

_CHIPS = {"tpu7x": "7x"}
_ORDER = ("v4", "v5e", "v5p", "v6e", "7x")
_OP = re.compile(r"""(?:legalize operation '|operation involved: (?:%\S+ = )?")([a-z_]+\.[a-z_0-9]+)""")
_OPERAND = re.compile(r"Block spec for (args|outputs)\[(\d+)\]|window params for (input|output) (\d+)")
_SCOPED = re.compile(r"Scoped allocation with size ([\d.]+[KMG]?) and limit")
_USED = re.compile(r"in memory space (vmem|smem|sflag)\. Used ([\d.]+[KMGB]?) of")
_ALLOCATION = re.compile(r"Allocation \(size=(\d+)\) would exceed memory")
_SPACES = {"vmem": "VMEM", "smem": "SMEM", "sflag": "SEMAPHORE"}
_LIMIT = 950_000  # bytes of one file


def convert(case: dict[str, Any]) -> dict[str, Any] | str:
    """The record of a case, or why there is none."""
    import jax

    config: Any = jax.config
    if all(result.get("stage") in ("trace", "build") for result in case["results"]):
        return "refused by the trace"
    wide = "jax_enable_x64" in case["src"]
    config.update("jax_enable_x64", wide)
    scope: dict[str, Any] = {}
    try:
        exec(compile(case["src"], "case.py", "exec"), scope)
        built = scope["build"]()
        if len(built) > 2:
            return "compiled with flags"
        [call] = kernel_calls(*built)
    except BridgeError as error:
        return f"no form for {error}"
    except Exception as error:  # whatever JAX raises, there is no call to judge
        return f"refused by this JAX's trace: {type(error).__name__}"
    finally:
        config.update("jax_enable_x64", False)
    # a module without arguments is compiled for the host, which is no verdict
    said = [_said(r, call) for r in case["results"] if "tpu_custom_call for Host" not in (r.get("error") or "")]
    if not said:
        return "compiled for the host"
    return {"id": case["id"], "group": case["group"], "call": write_call(call), "said": said}


def _said(result: dict[str, Any], call: KernelCall) -> dict[str, Any]:
    names = [_CHIPS.get(name, name) for name in result["chips"]]
    said: dict[str, Any] = {"chips": sorted(names, key=_ORDER.index), "ok": result["verdict"] == "ok"}
    error = result.get("error") or ""
    if not said["ok"]:
        said["stage"] = "compile" if result["stage"] == "compile" else "lower"
        said["kind"] = "crash" if result["verdict"] == "crash" else result["kind"]
        operand = _operand(error, call)
        op = _OP.search(error)
        if operand is not None:
            said["operand"] = operand
        elif op is not None and said["stage"] == "compile":
            said["op"] = op[1]
    spills = result.get("vmem_spill_bytes")
    if not spills:
        overflow(error, said)
    _allocations(result, said, call)
    return said


def _operand(error: str, call: KernelCall) -> str | None:
    found = _OPERAND.search(error)
    if found is None:
        return None
    output = (found[1] or found[3]) in ("outputs", "output")
    inside = [o for o in call.operands if (o.role is Role.OUTPUT) == output and o.role is not Role.SCALAR_PREFETCH]
    every = [o for o in call.operands if o.role is not Role.SCALAR_PREFETCH]
    number = int(found[2] or found[4])
    # the compiler counts outputs on after the inputs
    pool = every if found[3] else inside
    return pool[number].name if number < len(pool) else None


def overflow(error: str, said: dict[str, Any]) -> None:
    """Add to a record what a message says of a memory that is too small."""
    scoped, used, allocation = _SCOPED.search(error), _USED.search(error), _ALLOCATION.search(error)
    if scoped:
        said["space"], said["used"] = "VMEM", scoped[1]
    elif used:
        said["space"], said["used"] = _SPACES[used[1]], used[2]
    elif allocation:
        said["allocation"] = int(allocation[1])


def _allocations(result: dict[str, Any], said: dict[str, Any], call: KernelCall) -> None:
    """Window and scratch sizes, where the arrays are in HBM: an operand that XLA keeps in VMEM has no window."""
    if "allocs" not in result or result.get("result_in_vmem") or set(result.get("operand_space", ["hbm"])) != {"hbm"}:
        return
    rows = [a for a in result["allocs"] if a["space"] == "vmem" for _ in range(a.get("count", 1))]
    windows = sorted(a["bytes"] for a in rows if a["what"] in ("in", "out"))
    fast = (MemorySpace.VMEM, MemorySpace.DEFAULT)
    if len(windows) >= sum(o.ref.space in fast and o.array.size > 0 for o in call.operands):
        said["windows"] = windows
    said["scratch"] = sorted(a["bytes"] for a in rows if a["what"] == "scratch")


def spec_records(specs: Iterable[tuple[str, str, str]], group: str) -> list[dict[str, Any]]:
    """Records of the kernels among (name, text, chip) that JAX can trace, with the verdicts of JAX and libtpu."""
    import tempfile

    from pipeline.oracles.spec_to_jax import spec_to_jax
    from pipeline.oracles.whole_path import judge_specs
    from pipeline.spec.load import load_specs

    records: list[dict[str, Any]] = []
    questions: list[tuple[Path, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, text, chip in specs:
            path = Path(folder) / f"{name}.toml"
            path.write_text(text, encoding="utf-8")
            [spec] = load_specs(path)
            try:
                [call] = kernel_calls(*spec_to_jax(spec))
            except Exception:  # whatever JAX raises, there is no call to judge
                continue
            records.append({"id": name, "group": group, "call": write_call(call)})
            questions.append((path, chip))
        for record, (_, chip), verdict in zip(records, questions, judge_specs(questions), strict=True):
            said: dict[str, Any] = {"chips": [chip], "ok": verdict.accepted}
            if not verdict.accepted:
                said.update(stage=verdict.stage, kind=group)
            record["said"] = [said]
    return records


def _made(which: str, seeds: range, chips: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """(name, text, chip) of the kernels that we make ourselves."""
    from pipeline.oracles.directed_kernels import directed_specs
    from pipeline.oracles.random_legality import random_spec
    from pipeline.oracles.random_memory import random_memory_spec

    if which == "directed":
        yield from directed_specs(chips)
        return
    make = random_spec if which == "random" else random_memory_spec
    for seed in seeds:
        yield f"{which}_{seed}", *make(seed, chips)


def main(arguments: list[str]) -> int:
    import importlib.metadata

    versions = {name: importlib.metadata.version(name) for name in ("jax", "libtpu")}
    if arguments[0] == "--made":
        early = arguments[-1] == "--early"
        which, *seeds = arguments[1 : -1 if early else None]
        specs = _made(which, range(int(*seeds)), EARLY_CHIPS if early else CHIPS)
        which = f"early_{which}" if early else which
        rows = [json.dumps(record, separators=(",", ":")) for record in spec_records(specs, which)]
        how = f"{which} kernels, {len(rows)} of which JAX traces; compiled ahead of time on a CPU"
        text = "\n".join([json.dumps({**versions, "how": how}), *rows]) + "\n"
        (FOLDER / f"{which}.jsonl").write_text(text, encoding="utf-8", newline="\n")
        return 0
    raw, folder = map(Path, arguments)

    head = json.dumps({**versions, "how": "compiled ahead of time on a CPU; sizes in bytes, or as the compiler prints"})
    texts: list[list[str]] = [[head]]
    left_out: dict[str, int] = {}
    for line in raw.read_text(encoding="utf-8").splitlines():
        record = convert(json.loads(line))
        if isinstance(record, str):
            left_out[record] = left_out.get(record, 0) + 1
            continue
        text = json.dumps(record, separators=(",", ":"))
        if sum(len(t) + 1 for t in texts[-1]) + len(text) > _LIMIT:
            texts.append([head])
        texts[-1].append(text)
    for number, lines in enumerate(texts):
        (folder / f"cases_{number}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    for reason, count in sorted(left_out.items()):
        print(f"left out: {count} {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
