"""Kernels about one rule each, as spec text: index maps of Element blocks, ops on single values, rows inside a tile,
reshapes.

Unlike random ones they go through what there is: every map with every chip in turn, every op with every dtype.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.oracles.random_legality import CHIPS, kernel, operand, scratch

_MAPS = (
    "i * 8", "i * 8 + 8", "8 + i * 8", "i * 8 + i * 8", "(i + 1) * 8", "i * 8 - 8 + 8", "pl.multiple_of(i * 8 + 8, 8)",
    "jnp.minimum(i * 8, 16)", "jnp.where(i > 0, 8, 16)", "i * 16 + j * 8", "i * 16 - 16 * i", "i // 2 * 8", "i % 2 * 8",
    "i * 8 * 2", "j * (i * 8)", "jnp.maximum(i * 8, 8)", "n[i] * 8", "n[i] * 8 + 8", "i << 3", "i * 4 * 2", "8 * i",
    "i * 32 // 4", "i * 8 + 0", "(i * 8) | 0", "jnp.where(i > 0, i * 8, 16)", "jnp.where(i > 0, i * 8 + 8, 16)",
    "(i * 4) * (j * 2)", "(i * 2 + 2) * 4", "i * 8 % 16", "-i * -8", "i * 8 & 24", "jnp.minimum(i * 8, i * 8)",
    "jnp.clip(i * 8, 0, 16)", "jax.lax.select(i > 0, i * 8, j * 8)", "i * 8 // 1", "k * 8 + 8", "k + 8", "k", "k * 3",
    "j * 8 + k * 8", "jnp.where(k > 0, 8, i * 8)", "jnp.abs(i * 8)", "(i + j) * 8", "i * 8 + j * 8 - j * 8", "8", "0",
    "jax.lax.cond(i > 0, lambda: 8, lambda: 16)",
)  # fmt: skip

_NARROW = ("float32", "int32", "bfloat16", "int16", "uint16", "int8", "uint8", "int4", "uint4", "float8_e5m2", "bool")
# op -> expression of one or two loaded values and the dtype that comes of it, "" for theirs
_SCALARS = {
    "a + b": "", "a - b": "", "a * b": "", "jnp.maximum(a, b)": "", "jnp.minimum(a, b)": "", "-a": "", "a & b": "",
    "a << 1": "", "jax.lax.div(a, b)": "", "jax.lax.rem(a, b)": "", "jnp.exp(a)": "", "jnp.floor(a)": "", "~a": "",
    "jnp.where(a < b, 1.0, 2.0)": "float32", "jnp.where(a == b, 1.0, 2.0)": "float32", "jnp.where(i > 0, a, b)": "",
    "a.astype(jnp.float32)": "float32", "a.astype(jnp.int32)": "int32", "a.astype(jnp.bfloat16)": "bfloat16",
    "a.astype(jnp.int8)": "int8", "a": "", "jax.lax.fori_loop(0, 3, lambda k, c: c, a)": "", "jnp.{d}(1)": "",
}  # fmt: skip

_ROWS = (
    (1, 4), (4, 4), (1, 8), (3, 8), (8, 8), (4, 8), (1, 2), (1, 1), (3, 16), (7, 2), (2, 4), (6, 4), (1, 7), (8, 16),
    (12, 4), (1, 32),
)  # fmt: skip
_RESHAPES = (
    ((64, 256), (256, 64)), ((64, 256), (512, 32)), ((64, 128), (128, 64)), ((8, 256), (8, 4, 64)),
    ((8, 4, 64), (8, 256)), ((256,), (2, 128)), ((256,), (4, 64)), ((256,), (256, 1)), ((1, 256), (256, 1)),
    ((1, 64), (64, 1)), ((256, 1), (256,)), ((256, 1), (1, 256)), ((256, 1), (2, 128)), ((8, 32, 1), (8, 32)),
    ((8, 32), (8, 32, 1)), ((8, 32), (256, 1)), ((8, 128), (1024,)), ((8, 4, 128), (8, 512)), ((16, 384), (48, 128)),
    ((8, 100), (4, 200)), ((64, 64), (32, 128)), ((16, 128), (4, 4, 128)), ((8, 384), (16, 192)),
    ((64, 256), (32, 512)), ((8, 192), (8, 3, 64)), ((8, 64), (64, 8)), ((16, 8, 16), (16, 128)),
    ((4, 8, 128), (4, 16, 64)), ((1, 64), (1, 64, 1)), ((8, 8, 1), (64, 1)), ((16, 32), (8, 64)),
    ((4, 2, 8, 64), (8, 512)), ((8, 4, 64), (2048,)), ((2, 8, 256), (16, 4, 64)), ((8, 256), (8, 2, 2, 64)),
    ((2, 64, 512), (65536,)), ((4, 8, 128), (8, 512)), ((4, 8, 128), (4, 1024)),
)  # fmt: skip
_TAKEN = {
    "load": ("x_ref[{a}:{b}, :]", ""),
    "slice": ("x_ref[...][{a}:{b}, :]", ""),
    "load and widen": ("x_ref[{a}:{b}, :].astype(jnp.float32)", "float32"),
    "slice and widen": ("x_ref[...][{a}:{b}, :].astype(jnp.float32)", "float32"),
}


def directed_specs(chips: Sequence[str] = CHIPS) -> Iterator[tuple[str, str, str]]:
    """(name, text of a spec, chip) of each kernel; chips take turns."""
    turn = 0
    for group, found in (("map", _maps()), ("scalar", _scalars()), ("rows", _rows()), ("reshape", _reshapes())):
        for number, body in enumerate(found):
            chip = chips[turn % len(chips)]
            turn += 1
            name = f"{group}_{number}"
            yield name, f'name = "{name}"\nsummary = "One rule"\ntargets = ["{chip}"]\n\n{body}', chip


def _maps() -> Iterator[str]:
    for text in _MAPS:
        for dtype, unit in (("float32", 8), ("int8", 32)):
            said = text if unit == 8 else text.replace("16", "64").replace("8", "32")
            yield (
                kernel("def kernel(n_ref, x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n", (2, 2, 1))
                + operand("scalar_prefetch", "n", (4,), "int32")
                + operand("inputs", "x", (256, 128), dtype, "[{ element = 32 }, { element = 128 }]",
                          f"lambda i, j, k, n: ({said}, 0)")
                + operand("outputs", "o", (32, 128), dtype, "[32, 128]", "lambda i, j, k, n: (0, 0)")
            )  # fmt: skip


def _scalars() -> Iterator[str]:
    for text, result in _SCALARS.items():
        for dtype in _NARROW:
            value = text.format(d="bool_" if dtype == "bool" else dtype)
            source = (
                "def kernel(x_ref, o_ref, q_ref):\n    i = pl.program_id(0)\n    a = x_ref[i]\n    b = x_ref[i + 1]\n"
                f"    q_ref[0] = {value}\n    o_ref[...] = jnp.zeros(o_ref.shape, o_ref.dtype)\n"
            )
            yield (
                kernel(source, (2,))
                + operand("inputs", "x", (256,), dtype, space="smem")
                + operand("outputs", "o", (8, 128), "float32", "[8, 128]", "lambda i: (0, 0)")
                + scratch("q", "smem", (256,), result or dtype)
            )


def _rows() -> Iterator[str]:
    for expression, result in _TAKEN.values():
        for dtype in ("int8", "uint4"):
            for start, size in _ROWS:
                taken = expression.format(a=start, b=start + size)
                yield (
                    kernel(f"def kernel(x_ref, o_ref):\n    o_ref[...] = {taken}\n")
                    + operand("inputs", "x", (64, 128), dtype)
                    + operand("outputs", "o", (size, 128), result or dtype)
                )


def _reshapes() -> Iterator[str]:
    for before, after in _RESHAPES:
        for dtype in ("float32", "bfloat16", "int8"):
            yield (
                kernel(f"def kernel(x_ref, o_ref):\n    o_ref[...] = x_ref[...].reshape({after})\n")
                + operand("inputs", "x", before, dtype)
                + operand("outputs", "o", after, dtype)
            )
