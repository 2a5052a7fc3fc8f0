"""Kernels made at random, for comparing steps at once with steps one by one: grids, index maps, scratch, branches.

`choose(options)` picks one; every choice is made by it, so that hypothesis can make and shrink them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.simulate.small_specs import small_spec, table

Choose = Callable[[Sequence[Any]], Any]

# statements that make a value of the block's shape: `{a}` and `{b}` are such values, `{i}` a program id
VALUES = (
    "{a} + {b}", "{a} * {b}", "{a} - {b} * 0.5", "jnp.exp(-jnp.abs({a}))", "jnp.where({a} > {b}, {a}, {b})",
    "jnp.tanh({a})", "jax.nn.softmax({a}, axis=-1)", "{a} - jnp.max({a}, axis=-1, keepdims=True)",
    "{a} / (1.0 + jnp.sum(jnp.abs({a}), axis=0, keepdims=True))", "{a} + jnp.sum({b})", "{a} * (1 + {i})",
    "jnp.sum({a}, axis=1, keepdims=True) + {b}", "jnp.mean({a}) + {b}", "jnp.where({i} % 2 == 0, {a}, {b})",
    "jax.lax.select(n_ref[{i}] > 0, {a}, {b})", "{a} + n_ref[{i}].astype(jnp.float32)", "jnp.cumsum({a}, axis=1)",
    "{a}.astype(jnp.bfloat16).astype(jnp.float32)", "{a}.astype(jnp.int32).astype(jnp.float32)",
    "jnp.dot({a}, {b}.T) @ {b}", "jnp.dot({a}.T, {b})[0:1, :] + {a}",
    "({a}.astype(jnp.bfloat16) @ {b}.astype(jnp.bfloat16).T) @ {b}",
    "jnp.concatenate([{a}[2:, :], {b}[:2, :]], axis=0)", "jnp.roll({a}, 1, axis=1)", "jnp.flip({a}, 1)",
    "x_ref[pl.ds({i} % 3, 2), :][0:1, :] + {a}", "x_ref[{i} % 2, :][None, :] + {a}",
    "w_ref[pl.ds(n_ref[{i}], 1), :] + {a}",
    "jnp.argmax({a}, axis=1)[:, None].astype(jnp.float32) + {b}", "jnp.transpose(jnp.transpose({a}) * 2.0)",
    "jax.lax.fori_loop(0, 3, lambda k, c: c * 0.5 + {a}, {b})",
    "jax.lax.fori_loop(0, 2, lambda k, c: c + {i} + k, {a})",
    "jax.lax.cond({i} > 1, lambda v: v + 1.0, lambda v: v * 2.0, {a})",
    "jnp.take_along_axis({a}, ({b} > 0).astype(jnp.int32), axis=1)",
    "jax.lax.cond({a}[0, 0] > 0, lambda: {a}, lambda: -{b})", "jnp.sort({a}, axis=1)", "jnp.minimum({a}, {i})",
    "jnp.broadcast_to(jnp.sum({a}, axis=0), {a}.shape)", "{a}.reshape(-1)[None, :].reshape({a}.shape) + {b}",
    "jnp.pad({a}[:, 1:], ((0, 0), (1, 0)))",
    "jax.lax.while_loop(lambda c: c[0] < {i}, lambda c: (c[0] + 1, c[1] * 0.5 + {b}), (0, {a}))[1]",
    "jax.lax.while_loop(lambda c: jnp.max(c) > 0.5, lambda c: c * 0.25, {a})",
    "jax.lax.fori_loop(0, n_ref[{i}], lambda k, c: c + k, {a})",
)  # fmt: skip
EFFECTS = (
    "o_ref[...] = {o}", "o_ref[...] += {o}", "o_ref[0:2, :] = {o}[0:2, :]", "o_ref[pl.ds({i} % 2, 2), :] = {o}[0:2, :]",
    "s_ref[...] = {a}", "s_ref[...] += {a}", "o_ref[...] = {o} + s_ref[...].astype(o_ref.dtype)",
    "@pl.when({i} == 1)\ndef _():\n    o_ref[...] = {o}", "@pl.when({i} == 0)\ndef _():\n    s_ref[...] = {a}",
    "@pl.when({i} % 3 != 1)\ndef _():\n    o_ref[1:3, :] = s_ref[1:3, :].astype(o_ref.dtype)",
    "o_ref[{i} % 3, :] = {o}[0]", "s_ref[1:3, :] = {a}[1:3, :]", "s_ref[pl.ds(n_ref[{i}], 2), :] += {a}[0:2, :]",
    "@pl.when(n_ref[{i}] > 0)\ndef _():\n    o_ref[...] = {o} + o_ref[...]",
    "def body(k, c):\n    o_ref[k, :] = {o}[0] * k\n    return c\njax.lax.fori_loop(0, 2, body, 0)",
    "def scoped(t_ref):\n    t_ref[...] = {o}\n    o_ref[...] = t_ref[...] * 2\n"
    "pl.run_scoped(scoped, pltpu.VMEM(o_ref.shape, o_ref.dtype))",
    "def rows(k, c):\n    o_ref[k, :] = {o}[k]\n    return c + 1\njax.lax.fori_loop(0, n_ref[{i}], rows, 0)",
    "def shrink(c):\n    s_ref[...] = s_ref[...] * 0.5\n    return c + 1\n"
    "jax.lax.while_loop(lambda c: (jnp.max(s_ref[...]) > 0.5) & (c < 9), shrink, 0)",
    "pltpu.store(o_ref, {o}, mask={a} > 0)", "@pl.when({a}[0, 0] > 0)\ndef _():\n    o_ref[...] = -{o}",
    "o_ref[n_ref[{i}], :] = {o}[0]", "o_ref[pl.ds(0, 2, 2), :] = {o}[0:2, :]",
)  # fmt: skip


def random_spec(choose: Choose) -> str:
    """The text of a spec. What it says may be wrong, in which case it has findings."""
    rank = choose((1, 2, 3))
    grid = [choose((1, 2, 3, 4)) for _ in range(rank)]
    names = ["i", "j", "k"][:rank]
    block = [choose((4, 8)), choose((8, 5, 16))]
    maps, shapes = [], []
    for role in ("x", "o"):
        entries, counts = [], []
        for _ in block:
            axis = choose(range(rank))
            options = [(names[axis], grid[axis]), ("0", 1), (names[0], grid[0]), (names[-1], grid[-1])]
            options.append((f"{names[-1]} // 2", (grid[-1] + 1) // 2))
            if role == "x":
                options += [(f"n[{names[axis]}]", 3), (f"({names[axis]} + 1) % {grid[axis]}", grid[axis])]
            if rank > 1:
                options.append((f"{names[0]} * {grid[1]} + {names[1]}", grid[0] * grid[1]))
            entry, count = choose(options)
            entries.append(entry)
            counts.append(count)
        cut = choose((0, 0, 0, 1))  # a partial block
        shapes.append([max(1, count * size - cut) for count, size in zip(counts, block, strict=True)])
        maps.append(", ".join(entries))
    body, dtype = _body(choose, rank), choose(("float32", "float32", "bfloat16", "int32"))
    windows = [
        table(
            section, name, shape=shape, dtype=dtype if name == "o" else "float32", block=block,
            index_map=f"lambda {', '.join(names)}, n: ({entries})",
        )
        for section, name, shape, entries in (
            ("inputs", "x", shapes[0], maps[0]),
            ("inputs", "w", block, "0, 0"),
            ("outputs", "o", shapes[1], maps[1]),
        )
    ]  # fmt: skip
    values = 'data = { kind = "values", values = [0, 2, 1, 0] }'
    return small_spec(
        f"def kernel(n_ref, x_ref, w_ref, o_ref, s_ref):\n{body}",
        grid,
        table("scalar_prefetch", "n", values, shape=[4], dtype="int32"),
        *windows,
        table("scratch", "s", kind="vmem", shape=block, dtype="float32"),
    )


def _body(choose: Choose, rank: int) -> str:
    lines = ["v0 = x_ref[...]", "v1 = w_ref[...]"]
    cleared = f"@pl.when(pl.program_id({rank - 1}) == 0)\ndef _():\n    s_ref[...] = v1"
    lines += [choose(("s_ref[...] = v0", cleared, "pass"))]
    lines += [choose(("o_ref[...] = jnp.zeros(o_ref.shape, o_ref.dtype)", "pass"))]
    values = ["v0", "v1"]
    for number in range(choose((1, 2, 3, 4))):
        template = choose(VALUES + EFFECTS[:1])
        text = _filled(template, choose, values, rank)
        if template in EFFECTS:
            lines.append(text)
        else:
            values.append(f"v{number + 2}")
            lines.append(f"{values[-1]} = {text}")
    for _ in range(choose((0, 1, 2))):
        lines.append(_filled(choose(EFFECTS), choose, values, rank))
    lines.append(f"o_ref[...] = ({values[-1]} + {choose(values)}).astype(o_ref.dtype)")
    if choose((False, False, False, True)):
        lines.pop()
    return "\n".join("    " + line for text in lines for line in text.split("\n"))


def _filled(template: str, choose: Choose, values: list[str], rank: int) -> str:
    first = choose(values)
    return template.format(
        a=first, b=choose(values), o=f"{first}.astype(o_ref.dtype)", i=f"pl.program_id({choose(range(rank))})"
    )
