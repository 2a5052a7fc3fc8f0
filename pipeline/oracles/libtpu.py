"""The TPU compiler's verdict on our Mosaic text: libtpu compiles ahead of time, without a TPU, in a child process.

A child, because libtpu aborts the process on some inputs: such a kernel's verdict is a crash, and a new child goes on.
`python -m pipeline.oracles.libtpu` is the child: jobs as JSON lines in, verdicts as JSON lines out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pipeline.ir.call import KernelCall, Role
from pipeline.ir.jaxpr import ShapedArray

_SECONDS = 120  # for one kernel; those of the specs take well under one


@dataclass(frozen=True, slots=True)
class Job:
    """A module to compile: `operands` are (shape, dtype name) of scalar prefetch and inputs, `results` of outputs."""

    name: str
    chip: str
    text: str
    operands: tuple[tuple[tuple[int, ...], str], ...]
    results: tuple[tuple[tuple[int, ...], str], ...]
    aliases: tuple[tuple[int, int], ...] = ()
    vmem_limit_bytes: int | None = None

    @classmethod
    def of(cls, call: KernelCall, chip: str, text: str) -> Job:
        """The job of compiling `text`, our module for `call`."""
        results = [o for o in call.operands if o.role is Role.OUTPUT]
        operands = [o for o in call.operands if o.role is not Role.OUTPUT]
        return cls(
            call.name,
            chip,
            text,
            tuple(_tensor(o.array) for o in operands),
            tuple(_tensor(o.array) for o in results),
            call.aliases,
            call.vmem_limit_bytes,
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """`accepted`, or the compiler's message; "crash: .." where the process died."""

    accepted: bool
    message: str = ""


def _tensor(array: ShapedArray) -> tuple[tuple[int, ...], str]:
    return array.shape, array.dtype.name


def compile_all(jobs: Sequence[Job]) -> list[Verdict]:
    """A verdict for each job, in order. Raises RuntimeError if the child cannot even start (no libtpu)."""
    verdicts: list[Verdict] = []
    while len(verdicts) < len(jobs):
        found, status, errors = _run(jobs[len(verdicts) :])
        if not found and "Error" in errors and status == 1:
            raise RuntimeError(f"the compiler's process failed: {errors.strip().splitlines()[-1]}")
        verdicts.extend(found)
        if len(verdicts) < len(jobs):
            last = [line for line in errors.strip().splitlines() if line.strip()][-1:]
            verdicts.append(Verdict(False, f"crash: status {status} {' '.join(last)}"))
    return verdicts


def child_environment() -> dict[str, str]:
    """What the compiler's process needs to run on a machine without a TPU."""
    return dict(
        os.environ,
        JAX_PLATFORMS="cpu",
        TPU_SKIP_MDS_QUERY="1",  # no metadata server to ask
        TPU_ACCELERATOR_TYPE="v5litepod-4",
        TPU_WORKER_HOSTNAMES="localhost",
        ALLOW_MULTIPLE_LIBTPU_LOAD="1",  # no chip is opened, so its lock doesn't matter
    )


def _run(jobs: Sequence[Job]) -> tuple[list[Verdict], int, str]:
    """Verdicts until the child ends or dies, its status, its standard error."""
    env = child_environment()
    done = subprocess.run(
        [sys.executable, "-m", "pipeline.oracles.libtpu"],
        input="".join(json.dumps(asdict(job)) + "\n" for job in jobs),
        capture_output=True,
        text=True,
        env=env,
        timeout=_SECONDS * len(jobs),
        check=False,
    )
    found = [Verdict(**json.loads(line)) for line in done.stdout.splitlines() if line.startswith("{")]
    return found, done.returncode, done.stderr


def _child(lines: Iterable[str]) -> None:
    devices: dict[str, Any] = {}
    for line in lines:
        job = Job(**json.loads(line))
        try:
            _compile(job, devices)
            verdict = Verdict(True)
        except Exception as error:  # any refusal is an answer; what kind is in its text
            verdict = Verdict(False, f"{type(error).__name__}: {error}"[:4000])
        print(json.dumps(asdict(verdict)), flush=True)


def _compile(job: Job, devices: dict[str, Any]) -> None:
    import jax
    import jax.numpy as jnp
    from jax._src import tpu_custom_call
    from jax.experimental import topologies
    from jax.sharding import SingleDeviceSharding
    from jaxlib.mlir import ir

    from pipeline.oracles.jax_mosaic import CHIPS, context

    if job.chip not in devices:
        topology: Any = topologies.get_topology_desc
        devices[job.chip] = topology(platform="tpu", topology_name=CHIPS[job.chip][1]).devices[0]
    struct: Any = jax.ShapeDtypeStruct
    sharding = SingleDeviceSharding(devices[job.chip])

    def tensor(shape: Sequence[int], dtype: str) -> Any:
        return struct(tuple(shape), jnp.dtype(dtype), sharding=sharding)

    with context(), ir.Location.unknown():
        call = tpu_custom_call.as_tpu_kernel(
            ir.Module.parse(job.text),
            tuple(tensor(*result) for result in job.results),
            kernel_name=job.name,
            vmem_limit_bytes=job.vmem_limit_bytes,
            input_output_aliases=tuple((i, o) for i, o in job.aliases),
        )
    # out_shardings names the device even when there are no operands
    jitted = jax.jit(lambda *args: call(*args), out_shardings=sharding)
    jitted.trace(*(tensor(*o) for o in job.operands)).lower(lowering_platforms=("tpu",)).compile()


if __name__ == "__main__":
    _child(sys.stdin)
