"""Kernels that use `pltpu.emit_pipeline`; what JAX traces for each is recorded in pipelines.json.

Run as `python -m tests.surface.pipelines` (which needs JAX) to record it anew. A kernel's refs are given as
(shape, dtype, memory space); the last one is its output. The grid of the call around it is (3, 2).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).with_name("pipelines.json")
Ref = tuple[tuple[int, ...], str, str]


def _kernel(body: str, *lines: str, refs: str = "x, y, o", out: str = "o_ref[...] = x_ref[...] * 2.0 + y_ref[...]",
            args: str = "x_ref, y_ref, o_ref") -> str:  # fmt: skip
    head = f"def kernel({refs}):\n    def body({args}):\n        {out}\n"
    return head + "".join(f"    {line}\n" for line in (body, *lines))


_ANY: list[Ref] = [((32, 256), "float32", "any")] * 3
_ROWS = "pl.BlockSpec((8, 256), lambda i: (i, 0))"
_TILES = "pl.BlockSpec((8, 128), lambda i, j: (i, j))"
_ONE_OF = "o_ref[...] = x_ref[...] + 1.0"

CASES: dict[str, tuple[str, list[Ref]]] = {
    "rows": (
        _kernel(f"pltpu.emit_pipeline(body, grid=(4,), in_specs=[{_ROWS}] * 2, out_specs=[{_ROWS}])(x, y, o)"),
        _ANY,
    ),
    "two_axes": (
        _kernel(
            f"pltpu.emit_pipeline(body, grid=(4, 2), in_specs=[{_TILES}] * 2, out_specs={_TILES},",
            "    dimension_semantics=(pltpu.PARALLEL, pltpu.ARBITRARY))(x, y, o)",
        ),
        _ANY,
    ),
    "three_axes_one_of_them_one": (
        _kernel(
            "blocks = pl.BlockSpec((8, 128), lambda i, j, k: (i, k))",
            "pltpu.emit_pipeline(body, grid=(4, 1, 2), in_specs=(blocks, blocks), out_specs=(blocks,))(x, y, o)",
        ),
        _ANY,
    ),
    "in_hbm": (
        _kernel(f"pltpu.emit_pipeline(body, grid=(4,), in_specs=[{_ROWS}] * 2, out_specs=[{_ROWS}])(x, y, o)"),
        [((32, 256), "float32", "hbm")] * 3,
    ),
    "from_vmem": (
        _kernel(f"pltpu.emit_pipeline(body, grid=(4,), in_specs=[{_ROWS}] * 2, out_specs=[{_ROWS}])(x, y, o)"),
        [((32, 256), "float32", "vmem"), ((32, 256), "float32", "any"), ((32, 256), "float32", "vmem")],
    ),
    "from_default": (
        _kernel(f"pltpu.emit_pipeline(body, grid=(4,), in_specs=[{_ROWS}] * 2, out_specs=[{_ROWS}])(x, y, o)"),
        [((32, 256), "float32", "default")] * 3,
    ),
    "whole_operand": (
        _kernel(
            "whole = pl.BlockSpec((8, 256), lambda i: (0, 0))",
            f"pltpu.emit_pipeline(body, grid=(4,), in_specs=[{_ROWS}, whole], out_specs=[{_ROWS}])(x, y, o)",
        ),
        [((32, 256), "float32", "any"), ((8, 256), "float32", "any"), ((32, 256), "float32", "any")],
    ),
    "whole_output": (
        _kernel(
            f"pltpu.emit_pipeline(body, grid=(4,), in_specs=[{_ROWS}, pl.BlockSpec()],",
            "    out_specs=[pl.BlockSpec((8, 256), lambda i: (0, 0))])(x, y, o)",
            out="o_ref[...] += x_ref[...] * y_ref[...]",
        ),
        [((32, 256), "float32", "any"), ((8, 256), "float32", "vmem"), ((8, 256), "float32", "any")],
    ),
    "one_buffer": (
        _kernel(
            "one = pl.BlockSpec((8, 256), lambda i: (i, 0), pipeline_mode=pl.Buffered(1))",
            f"pltpu.emit_pipeline(body, grid=(4,), in_specs=[one, {_ROWS}], out_specs=[one])(x, y, o)",
        ),
        _ANY,
    ),
    "four_buffers": (
        _kernel(
            "three = pl.BlockSpec((8, 128), lambda i, j: (i, j), pipeline_mode=pl.Buffered(3))",
            "four = pl.BlockSpec((8, 128), lambda i, j: (i, j), pipeline_mode=pl.Buffered(4))",
            f"pltpu.emit_pipeline(body, grid=(4, 2), in_specs=[three, four], out_specs=[{_TILES}])(x, y, o)",
        ),
        _ANY,
    ),
    "whole_with_two_buffers": (
        _kernel(
            "whole = pl.BlockSpec((8, 256), lambda i: (0, 0), pipeline_mode=pl.Buffered(2))",
            f"pltpu.emit_pipeline(body, grid=(4,), in_specs=[{_ROWS}, whole], out_specs=[{_ROWS}])(x, y, o)",
        ),
        [((32, 256), "float32", "any"), ((8, 256), "float32", "any"), ((32, 256), "float32", "any")],
    ),
    "dropped_dimension": (
        _kernel(
            "plane = pl.BlockSpec((None, 8, 128), lambda i, j: (j, i, 0))",
            "pltpu.emit_pipeline(body, grid=(4, 2), in_specs=[plane, plane], out_specs=[plane])(x, y, o)",
        ),
        [((2, 32, 128), "bfloat16", "any")] * 3,
    ),
    "one_dimension": (
        _kernel(
            "part = pl.BlockSpec((256,), lambda i: (i,))",
            "pltpu.emit_pipeline(body, grid=(4,), in_specs=[part, part], out_specs=[part])(x, y, o)",
        ),
        [((1024,), "float32", "any")] * 3,
    ),
    "uneven_rows": (
        _kernel(f"pltpu.emit_pipeline(body, grid=(4,), in_specs=[{_ROWS}] * 2, out_specs=[{_ROWS}])(x, y, o)"),
        [((29, 256), "float32", "any")] * 3,
    ),
    "uneven_both_bf16": (
        _kernel(
            "part = pl.BlockSpec((16, 128), lambda i, j: (i, j))",
            "pltpu.emit_pipeline(body, grid=(3, 2), in_specs=[part, part], out_specs=[part])(x, y, o)",
        ),
        [((37, 200), "bfloat16", "any")] * 3,
    ),
    "matmul_accumulates": (
        _kernel(
            "def run(acc):",
            "    pltpu.emit_pipeline(body, grid=(2, 2, 3), in_specs=[pl.BlockSpec((128, 128), lambda i, j, k: (i, k)),",
            "        pl.BlockSpec((128, 128), lambda i, j, k: (k, j))],",
            "        out_specs=[pl.BlockSpec((128, 128), lambda i, j, k: (i, j))])(x, y, o, scratches=[acc])",
            "pl.run_scoped(run, pltpu.VMEM((128, 128), jnp.float32))",
            args="x_ref, y_ref, o_ref, acc_ref",
            out="""@pl.when(pl.program_id(2) == 0)
        def _():
            acc_ref[...] = jnp.zeros_like(acc_ref)
        acc_ref[...] += jnp.dot(x_ref[...], y_ref[...], preferred_element_type=jnp.float32)
        @pl.when(pl.program_id(2) == pl.num_programs(2) - 1)
        def _():
            o_ref[...] = acc_ref[...].astype(o_ref.dtype)""",
        ),
        [((256, 384), "bfloat16", "any"), ((384, 256), "bfloat16", "any"), ((256, 256), "bfloat16", "any")],
    ),
    "inside_a_grid": (
        _kernel(
            "at = pl.program_id(0)",
            "part = pl.BlockSpec((8, 128), lambda i: (at, i))",
            "pltpu.emit_pipeline(body, grid=(2,), in_specs=[part, part], out_specs=[part])(x, y, o)",
        ),
        _ANY,
    ),
    "of_a_view": (
        _kernel(
            "half = pl.ds(pl.program_id(1) * 16, 16)",
            f"pltpu.emit_pipeline(body, grid=(2,), in_specs=[{_ROWS}] * 2, out_specs=[{_ROWS}])(",
            "    x.at[half], y.at[pl.ds(0, 16)], o.at[half])",
        ),
        _ANY,
    ),
    "in_a_loop": (
        _kernel(
            "@pl.loop(0, 3)",
            "def _(n):",
            f"    pltpu.emit_pipeline(body, grid=(4,), in_specs=[{_ROWS}] * 2, out_specs=[{_ROWS}])(x, y, o)",
        ),
        _ANY,
    ),
    "block_from_smem": (
        _kernel(
            "part = pl.BlockSpec((8, 256), lambda i: (y[i], 0))",
            f"pltpu.emit_pipeline(body, grid=(4,), in_specs=[part], out_specs=[{_ROWS}])(x, o)",
            args="x_ref, o_ref", out=_ONE_OF,
        ),
        [((32, 256), "float32", "any"), ((4,), "int32", "smem"), ((32, 256), "float32", "any")],
    ),
    "window_in_smem": (
        _kernel(
            "part = pl.BlockSpec((8, 128), lambda i: (i, 0), memory_space=pltpu.SMEM)",
            "fast = pl.BlockSpec((8, 256), lambda i: (i, 0), memory_space=pltpu.VMEM)",
            "pltpu.emit_pipeline(body, grid=(4,), in_specs=[part], out_specs=[fast])(y, o)",
            args="x_ref, o_ref", out="o_ref[...] = jnp.full(o_ref.shape, x_ref[1, 2])",
        ),
        [((32, 256), "float32", "any"), ((32, 128), "float32", "any"), ((32, 256), "float32", "any")],
    ),
    "only_outputs": (
        _kernel(
            f"pltpu.emit_pipeline(body, grid=(4,), out_specs=[{_ROWS}])(o)",
            args="o_ref", out="o_ref[...] = jnp.full(o_ref.shape, pl.program_id(0), jnp.float32)",
        ),
        _ANY,
    ),
    "one_step": (
        _kernel(f"pltpu.emit_pipeline(body, grid=(1,), in_specs=[{_ROWS}] * 2, out_specs=[{_ROWS}])(x, y, o)"),
        _ANY,
    ),
    "without_scopes": (
        _kernel(
            f"pltpu.emit_pipeline(body, grid=(4,), in_specs=[{_ROWS}] * 2, out_specs=[{_ROWS}],",
            "    trace_scopes=False)(x, y, o)",
        ),
        _ANY,
    ),
}  # fmt: skip

GRID = (3, 2)


def record(name: str) -> str:
    """The text of the jaxpr that JAX traces, for a chip of the fifth generation."""
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    from pipeline.frontend.jax_bridge import convert_jaxpr, pallas_eqns
    from pipeline.ir.jaxpr_text import print_jaxpr
    from pipeline.oracles.jax_mosaic import abstract_chip

    source, refs = CASES[name]
    scope: dict[str, Any] = {"jax": jax, "jnp": jnp, "pl": pl, "pltpu": pltpu}
    exec(compile(source, "<kernel>", "exec"), scope)
    spaces = {"any": pl.ANY, "hbm": pltpu.HBM, "vmem": pltpu.VMEM, "smem": pltpu.SMEM, "default": None}
    specs = [pl.BlockSpec(memory_space=spaces[space]) for _, _, space in refs]
    struct: Any = jax.ShapeDtypeStruct
    shapes = [struct(shape, dtype) for shape, dtype, _ in refs]
    call = pl.pallas_call(
        scope["kernel"], grid=GRID, in_specs=specs[:-1], out_specs=specs[-1], out_shape=shapes[-1], name="kernel"
    )
    with abstract_chip("v5e"):
        (eqn,) = pallas_eqns(jax.make_jaxpr(call)(*shapes[:-1]).jaxpr)
    return print_jaxpr(convert_jaxpr(eqn.params["jaxpr"]))


def main() -> None:
    import jax

    found = {name: record(name) for name in CASES}
    RECORDED.write_text(json.dumps({"jax": jax.__version__, "cases": found}, indent=1) + "\n")
    print(f"{len(found)} cases")


if __name__ == "__main__":
    main()
