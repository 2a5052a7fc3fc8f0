"""Kernels that the installed jax package brings along, imported as any user's: a table of how far each one goes.

`python benchmarks/real_kernels.py [NAME ..] [--libtpu] [--keep DIR]`. Each is traced by JAX, written as a spec, read
back without JAX; its module is compared with JAX's own op by op; then it is run on the CPU by our executor, inside the
function that calls it, and the results held against the package's own reference (or NumPy where it has none).
Nothing of the package is copied here. Needs the extra [oracle].
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

os.environ["JAX_PLATFORMS"] = "cpu"

import numpy as np

from pipeline.chips.load import load_chip
from pipeline.errors import Severity, SpecError
from pipeline.frontend.importing import import_kernels, spec_texts
from pipeline.frontend.python_function import parse_argument, trace_function
from pipeline.frontend.values import argument_values, run_function
from pipeline.ir.call import KernelCall, Role
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.compare import call_difference
from pipeline.oracles.compare_mosaic import module_difference
from pipeline.oracles.jax_mosaic import emit_call
from pipeline.oracles.libtpu import Job, compile_all
from pipeline.schedule.schedule import schedule
from pipeline.simulate.executor import execute
from pipeline.spec.load import load_specs
from pipeline.spec.spec import PythonOrigin, Target
from pipeline.trace.trace import trace

OPS = "jax.experimental.pallas.ops.tpu."
CHIPS = ("v5e", "v6e")


class Case(NamedTuple):
    """A function that calls kernels, its arguments in `pipeline import`'s form, and the results to expect."""

    function: Callable[..., Any]
    args: str
    reference: Callable[..., Any]
    relative: float  # of the largest expected element: kernels in bf16 round probabilities and sums in another order


def module(name: str) -> Any:
    return importlib.import_module(OPS + name)


def flash_attention(causal: bool = False) -> Case:
    ops = module("flash_attention")
    q = "bf16[1,2,512,128]"
    return Case(
        lambda q, k, v: ops.flash_attention(q, k, v, causal=causal, sm_scale=0.1),
        f"{q} {q} {q}",
        lambda q, k, v: ops.mha_reference(q, k, v, None, causal=causal, sm_scale=0.1),
        0.02,
    )


def flash_attention_segments() -> Case:
    ops = module("flash_attention")

    def segments(ids: Any) -> Any:
        return ops.SegmentIds(q=ids, kv=ids)

    return Case(
        lambda q, k, v, ids: ops.flash_attention(q, k, v, segment_ids=segments(ids), sm_scale=0.1),
        "f32[1,2,256,128] f32[1,2,256,128] f32[1,2,256,128] i32[1,256]=integers(0,3)",
        lambda q, k, v, ids: ops.mha_reference(q, k, v, None, segments(ids), sm_scale=0.1),
        1e-3,
    )


def matmul() -> Case:
    ops = module("matmul")
    return Case(
        lambda x, y: ops.matmul(x, y, block_shape=(256, 256), block_k=256),
        "bf16[512,512] bf16[512,512]",
        lambda x, y: np.asarray(x, np.float32) @ np.asarray(y, np.float32),
        0.01,
    )


def gmm(transposed: bool = False) -> Case:
    ops = module("megablox.gmm")

    def reference(x: Any, w: Any, sizes: Any) -> Any:
        x, w = np.asarray(x, np.float32), np.asarray(w, np.float32)
        ends = np.cumsum(sizes)
        parts = [
            x[end - size : end] @ (one.T if transposed else one) for size, end, one in zip(sizes, ends, w, strict=True)
        ]
        return np.concatenate(parts)

    return Case(
        lambda x, w, sizes: ops.gmm(x, w, sizes, np.float32, (128, 128, 128), transpose_rhs=transposed),
        f"bf16[512,256] bf16[4,{'128,256' if transposed else '256,128'}] i32[4]=values(100,28,300,84)",
        reference,
        0.01,
    )


def paged_attention(inline: bool = False) -> Case:
    ops, util = module("paged_attention.paged_attention_kernel"), module("paged_attention.util")

    def reference(q: Any, k: Any, v: Any, lengths: Any, pages: Any) -> Any:
        k, v = (np.moveaxis(np.asarray(x)[:, pages], 0, 1) for x in (k, v))
        k, v = (x.reshape(*x.shape[:2], -1, x.shape[-1]) for x in (k, v))
        return util.grouped_query_attention_reference(q, k, v, lengths)

    return Case(
        lambda *args: ops.paged_attention(*args, pages_per_compute_block=4, inline_seq_dim=inline),
        "f32[4,8,128]=normal(0,0.1) f32[2,64,16,128] f32[2,64,16,128] i32[4]=values(7,64,100,256) "
        "i32[4,16]=integers(0,64)",
        reference,
        0.02,  # keys and values are rounded to bf16 in the kernel
    )


def ragged_paged_attention() -> Case:
    ops = module("ragged_paged_attention.kernel")
    return Case(
        lambda *args: ops.ragged_paged_attention(*args, num_kv_pages_per_block=4, num_queries_per_block=8),
        "f32[32,8,128] f32[64,16,4,128] i32[4]=values(64,32,8,100) i32[4,16]=integers(0,64) "
        "i32[5]=values(0,8,11,12,32) i32[1]=values(4)",
        ops.ref_ragged_paged_attention,
        1e-3,
    )


def splash_attention(local: bool = False) -> Case:
    ops, masks = module("splash_attention.splash_attention_kernel"), module("splash_attention.splash_attention_mask")
    one = masks.LocalMask((512, 512), (128, 64), 0) if local else masks.CausalMask((512, 512))
    mask = masks.MultiHeadMask([one for _ in range(2)])
    kernel = ops.make_splash_mha(mask, head_shards=1, q_seq_shards=1)
    q = "bf16[2,512,128]"
    return Case(
        lambda q, k, v: kernel(q * 0.1, k, v),
        f"{q} {q} {q}",
        lambda q, k, v: ops.make_attention_reference(mask, is_mqa=False)(q * 0.1, k, v),
        0.03,
    )


CASES: dict[str, Callable[[], Case]] = {
    "flash attention": flash_attention,
    "flash attention, causal": lambda: flash_attention(True),
    "flash attention, segments": flash_attention_segments,
    "paged attention": paged_attention,
    "paged attention, inline": lambda: paged_attention(True),
    "ragged paged attention": ragged_paged_attention,
    "splash attention, causal": splash_attention,
    "splash attention, local": lambda: splash_attention(True),
    "megablox gmm": gmm,
    "megablox gmm, transposed": lambda: gmm(True),
    "matmul": matmul,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only kernels whose name has one of these words")
    parser.add_argument("--libtpu", action="store_true", help="compile with libtpu too, and count bundles")
    parser.add_argument("--keep", metavar="DIR", help="leave the specs there")
    args = parser.parse_args()
    from importlib.metadata import version

    print(f"jax {version('jax')}, its own kernels\n")
    print("| kernel | equations | import | trace | lower | schedule | simulate | trace, lower, schedule |")
    print("|---|---|---|---|---|---|---|---|")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, make in CASES.items():
            if not args.names or any(word in name for word in args.names):
                row, bad = check(name, make(), Path(args.keep or folder), args.libtpu)
                failed += bad
                print("| " + " | ".join((name, *row)) + " |", flush=True)
    return 1 if failed else 0


def check(name: str, case: Case, folder: Path, libtpu: bool) -> tuple[list[str], bool]:
    """The table's row, and whether anything in it is not as it should be."""
    words = case.args.split()
    arguments = [parse_argument(word) for word in words]
    try:
        traced = trace_function(case.function, arguments, {})
        kernels = import_kernels(traced, arguments, PythonOrigin(f"jax:{name}", tuple(words), (), 1))
    except SpecError as error:
        return ["", f"{error}", "", "", "", "", ""], True
    plain = "".join(c if c.isalnum() else "_" for c in name)
    calls: list[KernelCall] = []
    traces: list[str] = []
    lowered: list[str] = []
    findings: list[str] = []
    seconds = 0.0
    for (own, written), kernel, eqn in zip(
        spec_texts(kernels, plain, CHIPS).items(), kernels, traced.eqns, strict=True
    ):
        path = folder / f"{own}.toml"
        path.write_text(written.text)
        for file, array in written.arrays.items():
            np.save(folder / file, array)
        [spec] = load_specs(path)
        began = time.perf_counter()
        call = trace(spec)
        seconds += time.perf_counter() - began
        calls.append(call)
        traces.append(call_difference(call, kernel.call) or "equal")
        for chip_name in CHIPS:
            chip = load_chip(Target(chip_name, None))
            began = time.perf_counter()
            module = lower(call, chip)
            found = schedule(call, module, chip).findings
            seconds += (time.perf_counter() - began) / len(CHIPS)
            findings += [f"{f.code}" for f in found if f.severity is Severity.ERROR]
            text, theirs = print_mosaic(module), emit_call(eqn, chip_name)
            difference = module_difference(text, theirs)
            if difference is not None and module_difference(text, theirs, ignore_casts=True) is None:
                difference = None  # casts to the shape that is there: JAX's own, of arrays made under a mesh
            said = difference or "equal"
            if libtpu and difference is None:
                jobs = [Job.of(call, chip_name, one, count_bundles=True) for one in (text, theirs)]
                ours, other = compile_all(jobs)
                both = "equal bundles" if ours.bundles == other.bundles else f"{ours.bundles} of {other.bundles}"
                said += f", {both if ours.accepted else 'refused: ' + ours.message[:60]}"
            lowered.append(f"{chip_name} {said}")
    simulated = simulate(case, traced, calls, arguments)
    equations = sum(count(call) for call in calls)
    row = [str(equations), "yes", "; ".join(dict.fromkeys(traces)), "; ".join(dict.fromkeys(lowered)),
           "legal" if not findings else " ".join(dict.fromkeys(findings)), simulated,
           f"{seconds * 1000:.0f} ms"]  # fmt: skip
    bad = any(text != "equal" for text in traces) or any(" equal" not in text for text in lowered)
    return row, bad or bool(findings) or not simulated.startswith("equal")


def simulate(case: Case, traced: Any, calls: list[KernelCall], arguments: Any) -> str:
    """Run the function with our executor in the kernels' place, and hold its results against the reference."""
    hazards: list[str] = []

    def kernel(position: int, operands: list[Any]) -> list[Any]:
        call = calls[position]
        given = operands[len(call.dynamic_grid) :]
        inputs = [operand.name for operand in call.operands if operand.role is not Role.OUTPUT]
        run = execute(call, dict(zip(inputs, given, strict=True)), work_limit=10**13)
        hazards.extend(f.code for f in run.findings if f.severity is Severity.ERROR)
        return [run.outputs[operand.name] for operand in call.with_role(Role.OUTPUT)]

    values = argument_values(arguments)
    began = time.perf_counter()
    try:
        results = run_function(traced.closed, traced.eqns, values, kernel)
    except SpecError as error:
        return str(error)
    seconds = time.perf_counter() - began
    wanted = case.reference(*values)
    wanted = list(wanted) if isinstance(wanted, tuple | list) else [wanted]
    worst = 0.0
    for got, want in zip(results, wanted, strict=True):
        got, want = (np.asarray(one).astype(np.float32) for one in (got, want))
        worst = max(worst, float(np.abs(got - want).max() / np.abs(want).max()))
    said = "equal" if worst <= case.relative else "different"
    found = f", hazards {' '.join(dict.fromkeys(hazards))}" if hazards else ""
    return f"{said} within {worst:.1e} of the largest{found}, {seconds:.2f} s"


def count(call: KernelCall) -> int:
    from pipeline.cli.import_kernels import equations

    return equations(call.body)


if __name__ == "__main__":
    sys.exit(main())
