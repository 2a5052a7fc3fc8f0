"""Kernels made of several operations at random, for measuring the bundle schedule on what nobody chose.

`composite(seed)` is a kernel's source with its windows, in the form that `record_bundles.py` reads; the same seed gives
the same kernel. Even seeds are for looking at, odd ones only for quoting.
"""

from __future__ import annotations

import random
from typing import Any

_UNARY = (
    "jnp.exp({v})", "jnp.tanh({v})", "jnp.log({v})", "jnp.sqrt({v})", "jax.lax.rsqrt({v})", "jax.nn.sigmoid({v})",
    "jnp.abs({v})", "-{v}", "{v} * {v}", "{v} * 0.5 + 1.0", "jnp.maximum({v}, 0.0)", "jnp.clip({v}, -3.0, 3.0)",
    "jax.nn.silu({v})", "jax.nn.gelu({v}, approximate=True)", "1.0 / {v}", "jnp.exp2({v})",
)  # fmt: skip
_WIDE_ONLY = ("jnp.floor({v})", "jax.lax.erf({v})", "jnp.sin({v})")
_BINARY = ("{v} + {w}", "{v} - {w}", "{v} * {w}", "jnp.maximum({v}, {w})", "jnp.minimum({v}, {w})", "{v} / {w}")
_CHOICES = (
    "jnp.where({v} > {w}, {v}, {u} * 0.5)",
    "jnp.where({v} >= 0.5, {w}, {u} + 2.0)",
    "jnp.where({v} < {w}, 0.0, {u})",
)


class _Writer:
    """Statements so far, and the names of values by shape: `block` (rows, columns), `row` (1, columns), `column`."""

    def __init__(self, rng: random.Random, rows: int, columns: int, wide: bool) -> None:
        self.rng, self.rows, self.columns, self.wide = rng, rows, columns, wide
        self.lines: list[str] = []
        self.blocks: list[str] = []
        self.thin: list[str] = []
        self.count = 0

    def let(self, text: str) -> str:
        name = f"t{self.count}"
        self.count += 1
        self.lines.append(f"{name}={text}")
        return name

    def block(self) -> str:
        """A block; one made lately more often than not."""
        return self.rng.choice(self.blocks[-2:] if self.rng.random() < 0.7 else self.blocks)

    def other(self, than: str) -> str:
        """Another value than that block, maybe one to be broadcast; operations on twice the same fold away."""
        if self.thin and self.rng.random() < 0.4:
            return self.rng.choice(self.thin)
        rest = [name for name in (*self.blocks, *self.thin) if name != than]
        return self.rng.choice(rest) if rest else "2.0"


def _elementwise(out: _Writer) -> None:
    rng = out.rng
    if rng.random() < 0.45:
        unary = _UNARY + (_WIDE_ONLY if out.wide else ())
        out.blocks.append(out.let(rng.choice(unary).format(v=out.block())))
    else:
        left = out.block()
        out.blocks.append(out.let(rng.choice(_BINARY).format(v=left, w=out.other(left))))


def _choice(out: _Writer) -> None:
    left = out.block()
    right = out.other(left)
    made = out.rng.choice(_CHOICES).format(v=left, w=right, u=out.block())
    out.blocks.append(out.let(made))


def _iota_mask(out: _Writer) -> None:
    shape = f"({out.rows},{out.columns})"
    if out.rng.random() < 0.5:
        rows, columns = (f"lax.broadcasted_iota(jnp.int32,{shape},{axis})" for axis in (0, 1))
        test = f"{rows}>={columns}"
    else:
        axis = out.rng.randrange(2)
        limit = 1 + int(out.rng.random() * ((out.rows, out.columns)[axis] - 1))
        test = f"lax.broadcasted_iota(jnp.int32,{shape},{axis})<{limit}"
    out.blocks.append(out.let(f"jnp.where({test},{out.block()},{out.rng.choice(('0.0', '-1e30'))})"))


def _reduce(out: _Writer) -> None:
    axis = out.rng.choice((0, 1, 1))
    op = out.rng.choice(("sum", "max", "mean", "min", "sum"))
    held = out.let(f"jnp.{op}({out.block()},axis={axis},keepdims=True)")
    if out.rng.random() < 0.3:
        held = out.let(out.rng.choice(("lax.rsqrt({v})", "1.0/{v}", "jnp.log({v})", "{v}*0.25")).format(v=held))
    out.thin.append(held)
    out.blocks.append(out.let(out.rng.choice(_BINARY).format(v=out.block(), w=held)))


def _roll(out: _Writer) -> None:
    axis = out.rng.randrange(2) or int(not out.wide)  # rows of packed elements are not rolled
    by = out.rng.choice((1, 2, 8, 64, (out.rows, out.columns)[axis] - 1))
    out.blocks.append(out.let(f"pltpu.roll({out.block()},{by % (out.rows, out.columns)[axis]},{axis})"))


def _cast(out: _Writer) -> None:
    to = out.rng.choice(("jnp.int8", "jnp.int32", "jnp.bfloat16" if out.wide else "jnp.float32"))
    back = "jnp.float32" if out.wide else "jnp.bfloat16"
    rounded = f"jnp.round({out.block()}*127.0)" if "int" in to else out.block()
    if "int" in to:
        rounded = f"jnp.clip({rounded},-127.0,127.0)"
    wide = f"({rounded}).astype({to})"
    out.blocks.append(out.let(f"{wide}.astype(jnp.float32).astype({back})"))


_STEPS = (
    (_elementwise, 10),
    (_choice, 2),
    (_iota_mask, 1),
    (_reduce, 4),
    (_roll, 1),
    (_cast, 1),
)


def composite(seed: int, rows: int | None = None) -> dict[str, Any]:
    """The kernel of a seed; with another number of rows in its block, where given."""
    rng = random.Random(f"composite {seed}")
    wide = rng.random() < 0.65
    dtype = "float32" if wide else "bfloat16"
    drawn = rng.choice((16, 32, 64, 64, 128, 128, 256))
    same_rows, rows = rows is None, drawn if rows is None else rows
    columns = rng.choice((128, 128, 256, 384, 512, 512, 1024))
    steps = 8
    out = _Writer(rng, rows, columns, wide)
    refs, ins = ["x"], [[[rows * steps, columns], dtype, [rows, columns], "lambda i:(i,0)"]]
    out.blocks.append(out.let("x[...]"))
    if rng.random() < 0.5:
        refs.append("y")
        ins.append([[rows * steps, columns], dtype, [rows, columns], "lambda i:(i,0)"])
        out.blocks.append(out.let("y[...]"))
    if rng.random() < 0.4:
        refs.append("g")
        ins.append([[1, columns], dtype, [1, columns], "lambda i:(0,0)"])
        out.thin.append(out.let("g[...]"))
    if rng.random() < 0.15:
        refs.append("c")
        ins.append([[rows * steps, 1], dtype, [rows, 1], "lambda i:(i,0)"])
        out.thin.append(out.let("c[...]"))
    if not wide and rng.random() < 0.5:  # compute in float32, as careful kernels do
        out.wide = True
        for names in (out.blocks, out.thin):
            names[:] = [out.let(f"{name}.astype(jnp.float32)") for name in names]
    product = rng.random() < 0.35
    at = rng.randrange(3) if product else -1
    width = columns
    weighted, cost = [f for f, _ in _STEPS], [w for _, w in _STEPS]
    for turn in range(rng.randrange(2, 7)):
        if turn == at:
            width = rng.choice((128, 256, 512))
            held = rng.choice((dtype, "bfloat16"))
            refs.append("w")
            flipped = rng.random() < 0.3
            shape = [width, columns] if flipped else [columns, width]
            ins.append([shape, held, shape, "lambda i:(0,0)"])
            numbers = "((1,),(1,))" if flipped else "((1,),(0,))"
            left = out.block() + (".astype(jnp.bfloat16)" if held == "bfloat16" else "")
            made = f"lax.dot_general({left},w[...],({numbers},((),())),preferred_element_type=jnp.float32)"
            name = out.let(made if out.wide else f"({made}).astype(jnp.bfloat16)")
            out.columns = width
            out.blocks, out.thin = [name], []
        else:
            rng.choices(weighted, cost)[0](out)
    result = dtype if rng.random() < 0.8 else "bfloat16"
    last = out.blocks[-1]
    flip = rng.random() < 0.08 and rows >= 128 and same_rows
    body = f"{last}.T" if flip else last
    shape = [width, rows * steps] if flip else [rows * steps, width]
    block = [width, rows] if flip else [rows, width]
    outs = [[shape, result, block, "lambda i:(0,i)" if flip else "lambda i:(i,0)"]]
    out.lines.append(f"o[...]=({body}).astype(jnp.{result})")
    source = "\n".join(f"  {line}" for line in (f"{','.join(refs)},o=refs", *out.lines)) + "\n"
    return {
        "name": f"composite_{seed}" if same_rows else f"composite_{seed}_{rows}",
        "group": "composite",
        "meta": {"fam": f"composite_{seed}"},
        "grid": [steps],
        "ins": ins,
        "outs": outs,
        "scratch": [],
        "src": source,
    }
