"""The TPU compiler's verdict on our Mosaic text: libtpu compiles ahead of time, without a TPU, in a child process.

A child, because libtpu aborts the process on some inputs: such a kernel's verdict is a crash, and a new child goes on.
`python -m pipeline.oracles.libtpu` is the child: jobs as JSON lines in, verdicts as JSON lines out.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pipeline.dtypes import BOOL
from pipeline.ir.call import KernelCall, Role
from pipeline.ir.jaxpr import ShapedArray

_DUMP = "PIPELINE_LIBTPU_DUMP"  # tells the child where the compiler leaves its listings
_BUNDLE = re.compile(r"\s*(0x[0-9a-f]+|0)\s+(?:[A-Z]{2})?\s*:")  # address, maybe a mark of a branch target
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
    dynamic_bounds: int = 0  # grid axes whose steps are operands, before the others
    count_bundles: bool = False  # in the final listing, which takes the compiler longer

    @classmethod
    def of(cls, call: KernelCall, chip: str, text: str, *, count_bundles: bool = False) -> Job:
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
            len(call.dynamic_grid),
            count_bundles,
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """`accepted`, or the compiler's message; "crash: .." where the process died. `bundles`: if they were counted."""

    accepted: bool
    message: str = ""
    bundles: int | None = None
    stage: str = "compile"  # who refuses, where more than the compiler is asked: "trace" or "lower" before it


def _tensor(array: ShapedArray) -> tuple[tuple[int, ...], str]:
    """As the kernel is given it: bools come and go in words."""
    return array.shape, "int32" if array.dtype is BOOL else array.dtype.name


def compile_all(jobs: Sequence[Job]) -> list[Verdict]:
    """A verdict for each job, in order. Raises RuntimeError if the child cannot even start (no libtpu)."""
    verdicts: list[Verdict] = []
    while len(verdicts) < len(jobs):
        # dumping is an option of the whole process
        batch = list(next(itertools.groupby(jobs[len(verdicts) :], lambda job: job.count_bundles))[1])
        found, status, errors = _run(batch)
        if not found and "Error" in errors and status == 1:
            raise RuntimeError(f"the compiler's process failed: {errors.strip().splitlines()[-1]}")
        verdicts.extend(found)
        if len(found) < len(batch):
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
    if not jobs[0].count_bundles:
        return run_child("pipeline.oracles.libtpu", [json.dumps(asdict(job)) for job in jobs])
    memory = Path("/dev/shm")  # the listings are large and read once
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:  # a child that dies leaves it
        return run_child("pipeline.oracles.libtpu", [json.dumps(asdict(job)) for job in jobs], folder)


def run_child(module: str, questions: Sequence[str], dump: str | None = None) -> tuple[list[Verdict], int, str]:
    """What `python -m module` answers to each line until it ends or dies, its status, its standard error."""
    env = child_environment()
    if dump is not None:
        env["LIBTPU_INIT_ARGS"] = f"--xla_jf_dump_to={dump} --xla_jf_dump_llo_text=true"
        env[_DUMP] = dump
    seconds = _SECONDS * len(questions)
    try:
        done = subprocess.run(
            [sys.executable, "-m", module],
            input="".join(question + "\n" for question in questions),
            capture_output=True,
            text=True,
            env=env,
            timeout=seconds,
            check=False,
        )
        answers, status, errors = done.stdout, done.returncode, done.stderr
    except subprocess.TimeoutExpired as late:
        answers = (late.stdout or b"").decode(errors="replace")  # bytes, whatever `text` says
        status, errors = -signal.SIGKILL, f"no answer within {seconds} s"
    found = [Verdict(**json.loads(line)) for line in answers.splitlines() if line.startswith("{") and line[-1] == "}"]
    return found, status, errors


def _child(lines: Iterable[str]) -> None:
    devices: dict[str, Any] = {}
    for line in lines:
        job = Job(**json.loads(line))
        dump = os.environ.get(_DUMP)
        if dump is not None:
            for path in Path(dump).iterdir():
                path.unlink()
        try:
            _compile(job, devices)
            verdict = Verdict(True, bundles=None if dump is None else _bundles(Path(dump)))
        except Exception as error:  # any refusal is an answer; what kind is in its text
            verdict = Verdict(False, f"{type(error).__name__}: {error}"[:4000])
        print(json.dumps(asdict(verdict)), flush=True)


def _bundles(dump: Path) -> int | None:
    """Bundles of the kernel in the listing that the compiler left: one more than the last one's address.

    Of the computations that it lists, the kernel is the largest: the others copy operands.
    """
    counts = []
    for path in dump.glob("*-final_bundles.txt"):
        if "schedule-analysis" in path.name or "-TLP-" in path.name or "<late-" in path.name:
            continue
        with path.open(errors="replace") as lines:
            addresses = [found[1] for found in map(_BUNDLE.match, lines) if found is not None]
        if addresses:
            counts.append(int(addresses[-1], 16) + 1)
    return max(counts, default=None)


def device(chip: str, known: dict[str, Any]) -> Any:
    """A device of a topology that libtpu compiles for; `known` keeps those made so far."""
    from jax.experimental import topologies

    from pipeline.oracles.jax_mosaic import CHIPS

    if chip not in known:
        topology: Any = topologies.get_topology_desc
        known[chip] = topology(platform="tpu", topology_name=CHIPS[chip][1]).devices[0]
    return known[chip]


def _compile(job: Job, devices: dict[str, Any], *, alone: bool = False) -> None:
    """Compile a job's module, by itself in a function.

    alone: arrays come and go in the layout that the kernel wants, and those that alias a result are given away, so that
    the compiler has nothing to copy, and no time before the kernel in which to bring operands into VMEM.
    """
    import jax
    import jax.numpy as jnp
    from jax._src import tpu_custom_call
    from jax.experimental.layout import Format, Layout
    from jax.sharding import SingleDeviceSharding
    from jaxlib.mlir import ir

    from pipeline.oracles.jax_mosaic import context

    struct: Any = jax.ShapeDtypeStruct
    sharding = SingleDeviceSharding(device(job.chip, devices))

    def place(shape: Sequence[int]) -> Any:
        return Format(Layout(tuple(range(len(shape)))), sharding) if alone and shape else sharding

    def tensor(shape: Sequence[int], dtype: str) -> Any:
        return struct(tuple(shape), jnp.dtype(dtype), sharding=place(shape))

    with context(), ir.Location.unknown():
        call = tpu_custom_call.as_tpu_kernel(
            ir.Module.parse(job.text),
            tuple(struct(tuple(shape), jnp.dtype(dtype)) for shape, dtype in job.results),
            kernel_name=job.name,
            vmem_limit_bytes=job.vmem_limit_bytes,
            input_output_aliases=tuple((i + job.dynamic_bounds, o) for i, o in job.aliases),
        )
    # out_shardings names the device even when there are no operands
    places = [place(shape) for shape, _ in job.results]
    given = tuple(i + job.dynamic_bounds for i, _ in job.aliases) if alone else ()
    jitted = jax.jit(lambda *args: list(call(*args)), out_shardings=places, donate_argnums=given)
    operands = [*([((), "int32")] * job.dynamic_bounds), *job.operands]
    jitted.trace(*(tensor(*o) for o in operands)).lower(lowering_platforms=("tpu",)).compile()


if __name__ == "__main__":
    _child(sys.stdin)
