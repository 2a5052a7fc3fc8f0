"""How many of the TPU kernels that are installed here use only what the pipeline supports.

`python benchmarks/census.py`. Kernels of the jax package (jax.experimental.pallas.ops.tpu), forward and backward, in
several configurations; those of one name, one primitive set and one lowering count once. Columns: the primitives that
no stage knows; whether JAX's trace becomes a spec; whether our module is JAX's, op by op. Needs the extra [oracle].
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"

import numpy as np

from pipeline.chips.load import load_chip
from pipeline.errors import SpecError
from pipeline.frontend.jax_bridge import nested_jaxprs
from pipeline.frontend.python_function import kernel_of, parse_argument, trace_function
from pipeline.ir.jaxpr import Prim
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.lower.mosaic_tpu.rules import RULES as LOWERING
from pipeline.lower.mosaic_tpu.text import print_mosaic
from pipeline.oracles.compare_mosaic import module_difference
from pipeline.oracles.jax_mosaic import emit_call
from pipeline.simulate.numerics.table import RULES as NUMERICS
from pipeline.simulate.program import INLINED
from pipeline.spec.spec import Target

if __package__:
    from benchmarks.real_kernels import CASES, module
else:
    from real_kernels import CASES, module

SUPPORTED = {prim.value for prim in Prim if prim in LOWERING and (prim in NUMERICS or prim in INLINED)}
Function = tuple[Callable[..., Any], str]


def functions() -> Iterator[tuple[str, Callable[[], Function]]]:
    """What calls kernels: the forward ones of `real_kernels.py`, and further configurations and gradients."""
    for name, make in CASES.items():
        yield name, lambda make=make: make()[:2]  # type: ignore[misc]
    q = "f32[1,2,512,128]"
    yield "flash attention, gradient", lambda: (_gradient(_flash(causal=True)), f"{q} {q} {q}")
    yield "flash attention, bias", lambda: (_flash_bias, f"{q} {q} {q} f32[1,2,512,512]")
    yield "flash attention, bias, gradient", lambda: (_gradient(_flash_bias), f"{q} {q} {q} f32[1,2,512,512]")
    yield "flash attention, one step", lambda: (_flash(causal=False), " ".join(["f32[1,2,128,128]"] * 3))
    q = "f32[2,512,128]"
    for local in (False, True):
        mask = "local" if local else "causal"
        yield f"splash attention, {mask}, gradient", lambda local=local: (_gradient(_splash(local)), f"{q} {q} {q}")
        yield (
            f"splash attention, {mask}, fused gradient",
            lambda local=local: (_gradient(_splash(local, fused=True)), f"{q} {q} {q}"),
        )
    yield (
        "splash attention, one head of keys",
        lambda: (
            _splash(False, mqa=True),
            f"{q} f32[512,128] f32[512,128]",
        ),
    )
    yield "splash attention, soft cap", lambda: (_splash(False, soft_cap=30.0), f"{q} {q} {q}")
    yield "splash attention, residuals", lambda: (_splash(False, residuals=True), f"{q} {q} {q}")
    yield "megablox gmm, gradient", lambda: (_gradient(_gmm), "f32[512,256] f32[4,256,128] i32[4]")
    yield "megablox tgmm", lambda: (module("megablox.gmm").tgmm, "f32[256,512] f32[512,128] i32[4]")
    pages = "bf16[2,64,16,128] bf16[2,64,16,128] i32[4] i32[4,16]"
    for heads in (8, 16):
        yield f"paged attention, {heads} heads, soft cap", lambda heads=heads: (_paged, f"bf16[4,{heads},128] {pages}")
    yield "paged attention, two cores", lambda: (_paged_cores, f"bf16[4,8,128] {pages}")
    yield "paged attention, int8", lambda: (_paged_int8, f"bf16[4,8,128] {pages}")
    ragged = "bf16[32,8,128] bf16[64,16,4,128] i32[4] i32[4,16] i32[5] i32[1]"
    yield "ragged paged attention, bf16, window", lambda: (_ragged, ragged)
    yield "philox", lambda: (lambda key: module("random.philox").philox_random_bits(key, 32, (512, 512)), "u32[2]")
    yield (
        "threefry",
        lambda: (
            lambda key: module("random.threefry").plthreefry_random_bits(key, 32, (512, 512)),
            "u32[2]",
        ),
    )
    yield "all gather", lambda: (_all_gather, "f32[8,128]")


def _gradient(function: Callable[..., Any]) -> Callable[..., Any]:
    """Forward and backward of the sum of its squares."""
    import jax

    def loss(*args: Any) -> Any:
        return (function(*args) ** 2).sum()

    return lambda *args: jax.grad(loss, argnums=(0, 1))(*args)


def _flash(causal: bool) -> Callable[..., Any]:
    return lambda q, k, v: module("flash_attention").flash_attention(q, k, v, causal=causal)


def _flash_bias(q: Any, k: Any, v: Any, bias: Any) -> Any:
    return module("flash_attention").flash_attention(q, k, v, ab=bias)


def _splash(
    local: bool, *, fused: bool = False, mqa: bool = False, soft_cap: float | None = None, residuals: bool = False
) -> Callable[..., Any]:
    ops, masks = module("splash_attention.splash_attention_kernel"), module("splash_attention.splash_attention_mask")
    one = masks.LocalMask((512, 512), (128, 64), 0) if local else masks.CausalMask((512, 512))
    mask = masks.MultiHeadMask([one for _ in range(2)])
    sizes = {f"block_{name}": 128 for name in ("q", "kv", "kv_compute", "q_dkv", "kv_dkv", "kv_dkv_compute")}
    if not fused:
        sizes |= {"block_q_dq": 128, "block_kv_dq": 128}
    blocks = ops.BlockSizes(**sizes, use_fused_bwd_kernel=fused)
    make = ops.make_splash_mqa if mqa else ops.make_splash_mha
    options: dict[str, Any] = {"head_shards": 1, "q_seq_shards": 1, "block_sizes": blocks}
    return make(mask, **options, attn_logits_soft_cap=soft_cap, save_residuals=residuals)  # type: ignore[no-any-return]


def _gmm(x: Any, w: Any, sizes: Any) -> Any:
    return module("megablox.ops").gmm(x, w, sizes, np.float32, (128, 128, 128))


def _paged(*args: Any) -> Any:
    ops = module("paged_attention.paged_attention_kernel")
    return ops.paged_attention(*args, pages_per_compute_block=8, attn_logits_soft_cap=20.0)


def _paged_cores(*args: Any) -> Any:
    ops = module("paged_attention.paged_attention_kernel")
    return ops.paged_attention(*args, pages_per_compute_block=4, megacore_mode="kv_head", inline_seq_dim=False)


def _paged_int8(q: Any, k: Any, v: Any, lengths: Any, pages: Any) -> Any:
    ops, quantized = module("paged_attention.paged_attention_kernel"), module("paged_attention.quantization_utils")
    k, v = (quantized.quantize_to_int8(x) for x in (k, v))
    tensor = quantized.QuantizedTensor
    return ops.paged_attention(q, tensor(*k), tensor(*v), lengths, pages, pages_per_compute_block=4)


def _ragged(*args: Any) -> Any:
    ops = module("ragged_paged_attention.kernel")
    blocks = {"num_kv_pages_per_block": 4, "num_queries_per_block": 8}
    return ops.ragged_paged_attention(*args, **blocks, sliding_window=64, soft_cap=20.0)


def _all_gather(x: Any) -> Any:
    import jax

    mesh = jax.sharding.Mesh(np.array(jax.devices() * 2)[:2], "x")
    return module("all_gather").all_gather(x, mesh=mesh, axis_name="x")


def primitives(jaxpr: Any) -> set[str]:
    """Names of the primitives in a JAX jaxpr, nested ones too."""
    found = set()
    for eqn in jaxpr.eqns:
        found.add(str(eqn.primitive.name))
        for inner in nested_jaxprs(eqn):
            found |= primitives(inner)
    return found


def main() -> int:
    from importlib.metadata import version

    chip = load_chip(Target("v5e", None))
    seen: set[tuple[str, frozenset[str]]] = set()
    good = equal = 0
    print(f"jax {version('jax')}, its own kernels, for v5e\n")
    print("| from | kernel | unsupported primitives | becomes a spec | module |\n|---|---|---|---|---|")
    for name, make in functions():
        try:
            function, args = make()
            traced = trace_function(function, [parse_argument(word) for word in args.split()], {})
        except Exception as error:  # whatever the package does
            print(f"| {name} | | not traced by JAX: {str(error)[:100]} | | |", flush=True)
            continue
        for eqn in traced.eqns:
            maps = [block.index_map_jaxpr.jaxpr for block in eqn.params["grid_mapping"].block_mappings]
            used = primitives(eqn.params["jaxpr"]).union(*map(primitives, maps))
            kernel = str(eqn.params["name"] or eqn.params["jaxpr"].debug_info.func_name)
            key = (kernel, frozenset(used))
            if key in seen:
                continue
            seen.add(key)
            missing = sorted(used - SUPPORTED)
            good += not missing
            spec = said = ""
            if not missing:
                spec, said = outcome(eqn, chip)
                equal += said == "equal"
            print(f"| {name} | {kernel} | {' '.join(missing)} | {spec} | {said} |", flush=True)
    print(f"\n{len(seen)} distinct kernels: {good} ({good / len(seen):.0%}) use only supported primitives, "
          f"{equal} ({equal / len(seen):.0%}) lower to JAX's module")  # fmt: skip
    return 0


def outcome(eqn: Any, chip: Any) -> tuple[str, str]:
    try:
        call = kernel_of(eqn)
    except SpecError as error:
        return str(error), ""
    try:
        ours = print_mosaic(lower(call, chip))
    except SpecError as error:
        return "yes", "; ".join(dict.fromkeys(f"{one.code}: {one.message}" for one in error.diagnostics))
    try:
        theirs = emit_call(eqn, chip.name)
    except Exception as error:  # how JAX refuses
        return "yes", f"refused by JAX: {str(error)[:100]}"
    if module_difference(ours, theirs, ignore_casts=True) is None:
        return "yes", "equal"
    return "yes", module_difference(ours, theirs) or ""


if __name__ == "__main__":
    sys.exit(main())
