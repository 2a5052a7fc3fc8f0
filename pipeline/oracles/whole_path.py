"""The verdict of JAX and libtpu on a spec: JAX traces and lowers its source, libtpu compiles what comes of it.

`python -m pipeline.oracles.whole_path` is the child process: questions as JSON lines in, verdicts as JSON lines out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.oracles.libtpu import Verdict, device, run_child


def judge_specs(questions: Sequence[tuple[Path, str]]) -> list[Verdict]:
    """A verdict for each (spec file of one variant, chip), in order."""
    lines = [json.dumps([str(path), chip]) for path, chip in questions]
    verdicts: list[Verdict] = []
    while len(verdicts) < len(lines):
        found, status, errors = run_child("pipeline.oracles.whole_path", lines[len(verdicts) :])
        if not found and "Error" in errors and status == 1:
            raise RuntimeError(f"the compiler's process failed: {errors.strip().splitlines()[-1]}")
        verdicts.extend(found)
        if len(verdicts) < len(lines):  # the compiler dies of some kernels; a new child goes on
            verdicts.append(Verdict(False, f"crash: status {status}"))
    return verdicts


def _child(lines: Iterable[str]) -> None:
    devices: dict[str, Any] = {}
    for line in lines:
        path, chip = json.loads(line)
        print(json.dumps(asdict(_judge(Path(path), chip, devices))), flush=True)


def _judge(path: Path, chip: str, devices: dict[str, Any]) -> Verdict:
    import jax
    from jax.sharding import SingleDeviceSharding

    from pipeline.oracles.jax_mosaic import abstract_chip
    from pipeline.oracles.spec_to_jax import spec_to_jax
    from pipeline.spec.load import load_specs

    [spec] = load_specs(path)
    struct: Any = jax.ShapeDtypeStruct
    stage = "trace"
    try:
        sharding = SingleDeviceSharding(device(chip, devices))
        call, args = spec_to_jax(spec)
        placed = [struct(arg.shape, arg.dtype, sharding=sharding) for arg in args]
        with abstract_chip(chip):
            traced = jax.jit(lambda *a: call(*a), out_shardings=sharding).trace(*placed)
            stage = "lower"
            lowered = traced.lower(lowering_platforms=("tpu",))
        stage = "compile"
        lowered.compile()
    except Exception as error:  # any refusal is an answer; what kind is in its text
        return Verdict(False, f"{type(error).__name__}: {error}"[:4000], stage=stage)
    return Verdict(True)


if __name__ == "__main__":
    _child(sys.stdin)
