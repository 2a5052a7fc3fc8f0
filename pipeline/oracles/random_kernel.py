"""Random kernels, as spec text: programs that nobody wrote for this tool, to trace and lower here and in JAX.

A kernel is a list of statements drawn from templates; each is tried on abstract values by JAX first (`eval_shape`), so
that what is kept is a program JAX takes. The same seed gives the same text.
"""

from __future__ import annotations

import random
import re
from typing import Any

# `{f}` a float array, `{x}` any array, `{i}` an integer array, `{b}` a bool array, `{r}` a rank-2 float32 block,
# `{t}` a float dtype, `{c}` a float constant, `{n}` a small integer, `{a}` an axis
_TEMPLATES = (
    "{f} + {f}", "{f} - {f}", "{f} * {f}", "{f} / {f}", "{x} + {c}", "{c} * {f}", "{n} - {x}", "{f} / {n}", "-{x}",
    "{f} ** {n}", "{x} * {n}", "abs({f})", "{i} % {n}", "{i} // {n}", "{i} & {n}", "{i} << 1", "{i} >> 1", "~{i}",
    "{x} < {c}", "{x} >= {x}", "{f} == {f}", "{b} & {b}", "{b} | {b}", "~{b}", "{i} != {n}",
    "jnp.exp({f})", "jnp.tanh({f})", "jnp.log({f})", "jnp.sqrt({f})", "jax.lax.rsqrt({f})", "jnp.square({f})",
    "jnp.abs({x})", "jnp.floor({f})", "jnp.ceil({f})", "jnp.log1p({f})", "jnp.exp2({f})", "jnp.sin({f})",
    "jax.nn.sigmoid({f})", "jax.nn.relu({f})", "jax.nn.silu({f})", "jax.nn.gelu({f})", "jnp.sign({f})",
    "jax.nn.softmax({f}, axis=-1)", "jnp.maximum({f}, {f})", "jnp.minimum({x}, {c})", "jnp.clip({f}, 0.0, {c})",
    "jnp.where({b}, {f}, {f})", "jnp.where({b}, {f}, {c})", "jnp.where({f} > {c}, {f}, 0)", "jnp.isnan({f})",
    "jnp.sum({f}, axis={a}, keepdims=True)", "jnp.max({f}, axis={a}, keepdims=True)",
    "jnp.mean({f}, axis={a}, keepdims=True)",
    "jnp.min({f}, axis={a})[:, None]", "jnp.sum({f}, axis=-1)[:, None]", "jnp.sum({f})", "jnp.max({f})",
    "jnp.var({f}, axis=-1, keepdims=True)", "jnp.argmax({f}, axis=1)", "jnp.any({b}, axis=1, keepdims=True)",
    "{x}.astype({t})", "{f}.astype(jnp.int32)", "{b}.astype(jnp.float32)", "{f}.T", "jnp.transpose({f}, (1, 0))",
    "jnp.dot({r}, {r}, preferred_element_type=jnp.float32)", "jnp.dot({f}, {f})", "{f} @ {f}.T", "{f}.reshape(-1, 128)",
    "jax.lax.dot_general({f}, {f}, (((1,), (1,)), ((), ())), preferred_element_type=jnp.float32)",
    "jax.lax.broadcasted_iota(jnp.int32, {x}.shape, {a})", "jnp.zeros_like({x})", "jnp.full_like({f}, {c})",
    "jnp.zeros({f}.shape, {t})", "jnp.ones((8, 128), {t})", "jnp.full((8, 128), {c}, {t})", "jnp.arange(128)[None, :]",
    "jnp.concatenate([{f}, {f}], axis={a})", "{f}[:8]", "{f}[:, :128]", "{f}[0:1, :]", "{f}[:, None, :].sum(axis=1)",
    "jnp.broadcast_to({f}, (8, 128))", "pl.program_id(0) * {n}", "pl.num_programs(0) - 1", "pl.program_id(0) == {n}",
    "x_ref[pl.ds({n}, 8), :]", "x_ref[0:8, :]", "x_ref[{n}, :]", "x_ref[{n}]", "w_ref[...]",
    "x_ref[pl.ds(pl.program_id(0) * 8, 8)]",
    "jax.lax.fori_loop(0, {n}, lambda i, acc: acc + {f}, {f})",
    "jax.lax.fori_loop(0, {n}, lambda i, acc: acc * 2.0 + i, {f})",
    "jax.lax.cond(pl.program_id(0) > {n}, lambda v: v + 1, lambda v: v * 2, {f})", "jax.lax.select({b}, {f}, {f})",
    "n_ref[{n}]", "n_ref[pl.program_id(0)] + {n}", "x_ref[pl.ds(n_ref[0], 8), :]", "x_ref[n_ref[1], :]", "b_ref[1]",
    "b_ref[n_ref[{n}] % 2]", "x_ref[pl.ds(0, 4, 2), :]", "x_ref[pl.ds(pl.multiple_of(n_ref[0], 8), 8), :]",
    "jax.lax.fori_loop(0, n_ref[{n}], lambda i, acc: acc + {f}, {f})", "jnp.isfinite({f})", "jnp.nan_to_num({f})",
    "jax.lax.fori_loop({n}, 5, lambda i, acc: acc * {c} + {f}, {f}, unroll=True)", "jnp.tile({f}, (1, 2))",
    "jax.lax.while_loop(lambda c: c[0] < n_ref[0], lambda c: (c[0] + 1, c[1] * 0.5), ({n}, {f}))[1]",
    "jax.lax.cond(n_ref[0] < {n}, lambda: {f}, lambda: -{f})", "jnp.remainder({i}, {n})", "jnp.floor_divide({i}, {n})",
    "jax.lax.shift_right_logical({i}, jnp.int32({n}))", "jnp.bitwise_xor({i}, {i})", "jnp.mod({i}, 4) == {n}",
    "jnp.tril(jnp.ones((8, 128), jnp.float32))", "jax.nn.one_hot({i}[:8, 0], 128)", "{i}.astype(jnp.uint32)",
    "jax.lax.bitcast_convert_type({f}.astype(jnp.float32), jnp.int32)", "{f}.astype(jnp.int8)", "{i}.astype({t})",
    "jax.lax.dot_general({f}, {f}, (((1,), (0,)), ((), ())), precision=jax.lax.Precision.HIGHEST)",
    "jax.lax.dot_general({f}, {f}, (((0,), (0,)), ((), ())), preferred_element_type=jnp.float32)",
    "jnp.dot({f}, w_ref[...], preferred_element_type=jnp.float32)", "jnp.einsum('ij,kj->ik', {f}, {f})",
    "pl.reciprocal({f}, approx=True)", "jnp.take_along_axis({f}, {i} % 8, axis=0)", "jnp.stack([{f}, {f}])",
    "jnp.swapaxes({f}, 0, 1)", "jnp.expand_dims({f}, 0)", "jnp.squeeze({f}[:1], 0)", "jnp.zeros((), jnp.float32)",
    "{f}[..., :64]", "{f}[-8:]", "{f}[None]", "{f}[:, -1:]", "jnp.logical_not({b})", "jnp.reciprocal({f})",
    "jnp.log2({f})", "jnp.power({f}, 3)", "jax.lax.pow({f}, 2)", "jnp.round({f})", "{f} > {n}",
    "jnp.select([{b}, {b}], [{f}, {f}], {c})", "jnp.argmin({f}, axis=0)", "jnp.all({b}, axis=1, keepdims=True)",
    "jnp.roll({f}, {n}, axis=1)", "{f}.sum(axis=0)",
    "functools.reduce(jnp.maximum, [{f}, {f}, {f}])", "sum({f} * k for k in range({n}))", "jnp.logical_and({b}, {b})",
)  # fmt: skip
_EFFECTS = (
    "s_ref[...] = jnp.zeros_like(s_ref)",
    "s_ref[...] += {s}",
    "s_ref[pl.ds({n}, 8), :] = {s}[:8]",
    "@pl.when(pl.program_id(0) == {n})\ndef _():\n    s_ref[...] = {s}",
    "b_ref[{n} % 2] = {s}",
    "b_ref[pl.program_id(0) % 2, 0:8] = {s}[:8]",
    "b_ref[n_ref[0], pl.ds(n_ref[1], 8), :] += {s}[:8]",
    "s_ref[n_ref[2], :] = {s}[0]",
    "s_ref[pl.ds(1, 3, 2), :] = {s}[:3]",
    "pltpu.store(s_ref, {s}, mask={s} > {c})",
    "copy = pltpu.make_async_copy(h_ref.at[pl.ds(pl.program_id(0) * 8, 8)], s_ref.at[pl.ds(0, 8)], sem)\n"
    "copy.start()\ncopy.wait()",
    "copy = pltpu.make_async_copy(h_ref.at[pl.ds(0, 8)], b_ref.at[n_ref[{n}], pl.ds(0, 8), :], sem)\n"
    "copy.start()\ncopy.wait()",
    "copy = pltpu.make_async_copy(h_ref.at[pl.ds(0, 8)], b_ref.at[1, pl.ds(0, 8)], sem)\n"
    "@pl.when(pl.program_id(0) < {n})\ndef _():\n    copy.start()\n    copy.wait()",
    "pltpu.sync_copy(s_ref, b_ref.at[{n} % 2])",
    "def scoped(t_ref):\n    t_ref[...] = {s}\n    s_ref[...] += t_ref[...]\n"
    "pl.run_scoped(scoped, pltpu.VMEM({s}.shape, jnp.float32))",
    "@pl.loop(0, {n})\ndef _(i):\n    s_ref[pl.ds(i, 8), :] = s_ref[pl.ds(i, 8), :] * {c}",
    "def body(i, acc):\n    s_ref[i, :] = acc[0] * {c}\n    return acc + i\njax.lax.fori_loop(0, 4, body, {s})",
    "@pl.when((pl.program_id(0) > 0) & (n_ref[0] < {n}))\ndef _():\n    s_ref[...] = -{s}",
    "@pl.when({n} < pl.program_id(0))\ndef _():\n    s_ref[0:8, :] = s_ref[0:8, :] * {c}",
)
_SPEC = """\
name = "random_{seed}"
summary = "A random kernel"
targets = ["v5e"]

[kernel]
source = '''
{source}'''

[grid]
shape = [4]

[[scalar_prefetch]]
name = "n"
shape = [8]
dtype = "int32"

[[inputs]]
name = "x"
shape = [{all_rows}, 128]
dtype = "{dtype}"
block = [{rows}, 128]
index_map = "lambda i, n: (i, 0)"

[[inputs]]
name = "w"
shape = [512, 128]
dtype = "bfloat16"
block = [128, 128]
index_map = "lambda i, n: (n[i] + 1, 0)"

[[inputs]]
name = "h"
shape = [64, 128]
dtype = "float32"
memory_space = "any"

[[outputs]]
name = "o"
shape = [{all_rows}, 128]
dtype = "{dtype}"
block = [{rows}, 128]
index_map = "lambda i, n: (i, 0)"

[[scratch]]
name = "s"
kind = "vmem"
shape = [{rows}, 128]
dtype = "float32"

[[scratch]]
name = "b"
kind = "vmem"
shape = [2, {rows}, 128]
dtype = "float32"

[[scratch]]
name = "sem"
kind = "dma_semaphore"
"""
_REFS = ("n_ref", "x_ref", "w_ref", "h_ref", "o_ref", "s_ref", "b_ref", "sem")
_DTYPES = ("jnp.float32", "jnp.bfloat16")
_CONSTANTS = ("0.5", "2.0", "-1.0", "3", "1e-6", "0")


def random_kernel(seed: int, statements: int = 10) -> str:
    """The text of a spec whose kernel has about `statements` statements; needs JAX."""
    rng = random.Random(seed)
    dtype, rows = rng.choice(("float32", "bfloat16")), rng.choice((8, 16, 32))
    body = _body(rng, dtype, rows, statements)
    source = "def kernel(n_ref, x_ref, w_ref, h_ref, o_ref, s_ref, b_ref, sem):\n" + "".join(
        f"    {line}\n" for statement in body for line in statement.splitlines()
    )
    return _SPEC.format(seed=seed, source=source, dtype=dtype, rows=rows, all_rows=4 * rows)


def _body(rng: random.Random, dtype: str, rows: int, statements: int) -> list[str]:
    body = ["v0 = x_ref[...]", "v1 = v0.astype(jnp.float32)", "v2 = w_ref[...]"]
    values = _shapes(body, dtype, rows)
    assert values is not None
    for _ in range(20 * statements):
        if len(body) >= statements + 3:
            break
        effect = rng.random() < 0.2
        filled = _fill(rng, rng.choice(_EFFECTS if effect else _TEMPLATES), values, rows)
        if filled is None:
            continue
        line = filled if effect else f"v{len(body)} = {filled}"
        tried = _shapes([*body, line], dtype, rows)
        if tried is not None:
            body.append(line)
            values = tried
    text = "\n".join(body)
    unread = [name for name in values if len(re.findall(rf"\b{name}\b", text)) == 1]
    for name in unread:  # what nobody reads, JAX drops
        wide = f"{name}.astype(jnp.float32)"
        body.append(f"s_ref[...] += {f'jnp.sum({wide})' if values[name].shape else wide}")
    last = [name for name, value in values.items() if value.shape == (rows, 128) and value.dtype != bool]
    return [*body, f"o_ref[...] = {last[-1]}.astype(o_ref.dtype)"]


def _fill(rng: random.Random, template: str, values: dict[str, Any], rows: int) -> str | None:
    """The template with names and constants put in; None if no value fits."""
    import jax.numpy as jnp

    floats = [n for n, v in values.items() if jnp.issubdtype(v.dtype, jnp.floating)]
    pools = {
        "{f}": floats,
        "{x}": [n for n, v in values.items() if v.dtype != bool],
        "{i}": [n for n, v in values.items() if jnp.issubdtype(v.dtype, jnp.integer)],
        "{b}": [n for n, v in values.items() if v.dtype == bool],
        "{r}": [n for n in floats if values[n].ndim == 2 and values[n].shape[1] == 128],
        "{s}": [n for n in floats if values[n].shape == (rows, 128) and values[n].dtype == jnp.float32],
        "{t}": list(_DTYPES),
        "{c}": list(_CONSTANTS),
        "{n}": ["1", "2", "3"],
        "{a}": ["0", "1"],
    }
    for hole, pool in pools.items():
        while hole in template:
            if not pool:
                return None
            name = rng.choice(pool[-4:] if rng.random() < 0.6 else pool)  # rather what was just made
            template = template.replace(hole, name, 1)
    return template


def _shapes(body: list[str], dtype: str, rows: int) -> dict[str, Any] | None:
    """Each variable's shape and dtype after `body`, as JAX sees it in a kernel; None if JAX refuses it."""
    import functools

    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    values: dict[str, Any] = {}
    names = {"jax": jax, "jnp": jnp, "pl": pl, "pltpu": pltpu, "functools": functools}
    code = compile("\n".join(body), "kernel", "exec")

    def kernel(*refs: Any) -> None:
        scope = {**names, **dict(zip(_REFS, refs, strict=True))}
        exec(code, scope)
        made = {k: v for k, v in scope.items() if isinstance(v, jax.Array) and k[0] == "v" and k[1:].isdigit()}
        values.update({k: jax.typeof(v) for k, v in made.items()})

    struct: Any = jax.ShapeDtypeStruct
    block = pl.BlockSpec((rows, 128), lambda i, n: (i, 0))
    grid_spec = pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=1,
        grid=(4,),
        in_specs=[block, pl.BlockSpec((128, 128), lambda i, n: (n[i] + 1, 0)), pl.BlockSpec(memory_space=pl.ANY)],
        out_specs=block,
        scratch_shapes=[
            pltpu.VMEM((rows, 128), jnp.float32),
            pltpu.VMEM((2, rows, 128), jnp.float32),
            pltpu.SemaphoreType.DMA,
        ],
    )
    call = pl.pallas_call(kernel, grid_spec=grid_spec, out_shape=struct((4 * rows, 128), dtype))
    shapes = (((8,), "int32"), ((4 * rows, 128), dtype), ((512, 128), "bfloat16"), ((64, 128), "float32"))
    try:
        jax.eval_shape(call, *(struct(*shape) for shape in shapes))
    except Exception:  # whatever makes JAX refuse a statement, it is not kept
        return None
    return values
