"""Random kernels, legal and illegal, as spec text: what a chip takes and what it does not. One seed, one text.

Five families, each about one set of rules: windows (ranks, dtypes, blocks, grids, scratch, limits), vector loads and
stores at static and computed starts, copies by DMA, ops by dtype, products by dtypes and shapes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

CHIPS = ("v4", "v5e", "v5p", "v6e", "7x")
EARLY_CHIPS = ("v2", "v3")
DTYPES = ("float32", "bfloat16", "int32", "int8", "uint8", "int16", "float8_e4m3fn", "int4", "uint32", "float8_e5m2")


def random_spec(seed: int, chips: Sequence[str] = CHIPS) -> tuple[str, str]:
    """(text of a spec, one of the chips) of a kernel; the families take turns."""
    rng = random.Random(seed)
    family = _FAMILIES[seed % len(_FAMILIES)]
    chip = rng.choice(chips)
    return f'name = "random_{seed}"\nsummary = "A random kernel"\ntargets = ["{chip}"]\n\n{family(rng)}', chip


def operand(
    table: str, name: str, shape: tuple[int, ...], dtype: str, block: str = "", index_map: str = "", space: str = ""
) -> str:
    lines = [f"[[{table}]]", f'name = "{name}"', f"shape = {list(shape)}", f'dtype = "{dtype}"']
    if block:
        lines.append(f"block = {block}")
    if index_map:
        lines.append(f'index_map = "{index_map}"')
    if space:
        lines.append(f'memory_space = "{space}"')
    return "\n".join(lines) + "\n\n"


def kernel(source: str, grid: tuple[int, ...] = ()) -> str:
    shape = f"[grid]\nshape = {list(grid)}\n\n" if grid else ""
    return f"[kernel]\nsource = '''\n{source}'''\n\n{shape}"


def scratch(name: str, kind: str, shape: tuple[int, ...] = (), dtype: str = "") -> str:
    said = f'dtype = "{dtype}"\n' if dtype else ""
    return f'[[scratch]]\nname = "{name}"\nkind = "{kind}"\nshape = {list(shape)}\n{said}\n'


def _windows(rng: random.Random) -> str:
    """A copy through windows of random rank, dtype and block, with scratch that is used, and perhaps a limit."""
    dtype = rng.choice(DTYPES)
    rank = rng.choice((1, 2, 2, 2, 3, 4))
    shape = _shape(rng, rank, rng.choice((1, 1, 1, 64)))
    block = [_block(rng, rank - axis, n) for axis, n in enumerate(shape)]
    grid = tuple(max(1, -(-n // b)) for n, b in zip(shape, block, strict=True))
    keep = max(range(rank), key=lambda axis: grid[axis])  # a grid of one axis, the others stay at their first block
    letters = ", ".join("i" if axis == keep else "0" for axis in range(rank))
    index_map = f"lambda i: ({letters}{',' if rank == 1 else ''})"
    limit, source, used = "", "def kernel(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n", ""
    if rng.random() < 0.5:
        rows, columns = rng.choice((8, 100, 512, 4096, 8192)), rng.choice((128, 200, 512, 1024))
        used = scratch("s", "vmem", (rows, columns), rng.choice(("float32", "bfloat16", "int8")))
        source = (
            "def kernel(x_ref, o_ref, s_ref):\n    o_ref[...] = x_ref[...]\n    s_ref[0:1, 0:128] = s_ref[1:2, 0:128]\n"
        )
    if rng.random() < 0.3:
        limit = f"vmem_limit_bytes = {rng.choice((1, 8, 24, 48, 100)) << 20}\n\n"
    said = str(block)
    parts = [operand(t, n, shape, dtype, said, index_map) for t, n in (("inputs", "x"), ("outputs", "o"))]
    return limit + kernel(source, (grid[keep],)) + "".join(parts) + used


def _shape(rng: random.Random, rank: int, times: int) -> tuple[int, ...]:
    if rank == 1:
        return (rng.choice((100, 128, 1000, 1024, 4096, 5000, 8192)) * times,)
    outer = [rng.choice((1, 2, 3, 4)) for _ in range(rank - 2)]
    rows = rng.choice((8, 12, 32, 48, 64, 96, 200, 256, 512)) * times
    return (*outer, rows, rng.choice((64, 100, 128, 256, 384, 1000, 1024)))


def _block(rng: random.Random, back: int, size: int) -> int:
    """A block along the axis `back` axes from the end: mostly one that may be legal."""
    if rng.random() < 0.35:
        return size
    if back == 1:
        return rng.choice((128, 128, 256, 512, 1024, 64, 200))
    if back == 2:
        return rng.choice((8, 8, 16, 32, 64, 128, 4, 12, 40, 1))
    return rng.choice((1, 1, 2, 3))


_STARTS = (
    "i * {k}", "i * {k} + {k}", "pl.multiple_of(i * 4, {k})", "jnp.minimum(i * {k}, 16)", "i", "i + 1",
    "i * {k} + i * 8", "(i * 2) * {k}", "n_ref[0]", "pl.multiple_of(n_ref[0], {k})", "n_ref[0] * {k}",
    "jnp.maximum(i * {k} - 8, 0)", "i // 2 * {k}", "jnp.where(i > 1, i * {k}, 8)",
)  # fmt: skip


def _loads(rng: random.Random) -> str:
    """A load or store of some rows or lanes at a random start."""
    dtype = rng.choice(DTYPES)
    rows, columns = rng.choice((64, 96, 256)), rng.choice((128, 256, 512))
    size = rng.choice((1, 8, 8, 16, 32))
    start = rng.choice(_STARTS).format(k=rng.choice((1, 2, 4, 8, 8, 16, 32)))
    static = str(rng.choice((0, 1, 3, 8, 16)))
    where = rng.random()
    if where < 0.5:
        entry, out = f"pl.ds({start}, {size}), :", (size, columns)
    elif where < 0.65:
        entry, out = f"pl.ds({static}, {size}), :", (size, columns)
    elif where < 0.8:
        wide = rng.choice((128, 128, 64))
        lanes = rng.choice(("i * 128", "i * 64", "pl.multiple_of(i * 64, 128)", "128", "64", "n_ref[0] * 128"))
        entry, out = f":, pl.ds({lanes}, {wide})", (rows, wide)
        columns = 512
    else:
        stride = rng.choice((2, 3))
        entry, out = f"pl.ds({static}, {size}, {stride}), :", (size, columns)
    load = rng.random() < 0.7
    line = f"o_ref[...] = x_ref[{entry}]" if load else f"o_ref[{entry}] = x_ref[...]"
    source = f"def kernel(n_ref, x_ref, o_ref):\n    i = pl.program_id(0)\n    {line}\n"
    whole, part = (rows, columns), out
    shapes = (whole, part) if load else (part, whole)
    zero = "lambda i, n: (0, 0)"
    return (
        kernel(source, (2,))
        + operand("scalar_prefetch", "n", (4,), "int32")
        + operand("inputs", "x", shapes[0], dtype, str(list(shapes[0])), zero)
        + operand("outputs", "o", shapes[1], dtype, str(list(shapes[1])), zero)
    )


def _copies(rng: random.Random) -> str:
    """A DMA of a slice of an array in HBM to scratch."""
    dtype = rng.choice(DTYPES)
    rows, columns = rng.choice((64, 96, 200, 256)), rng.choice((128, 256))
    size = rng.choice((1, 2, 4, 8, 8, 16, 32, 12))
    start = rng.choice((*_STARTS, "0", "8", "4", "16", "32")).format(k=rng.choice((1, 2, 4, 8, 16, 32)))
    source = (
        "def kernel(n_ref, x_ref, o_ref, s_ref, sem):\n    i = pl.program_id(0)\n"
        f"    copy = pltpu.make_async_copy(x_ref.at[pl.ds({start}, {size}), :], s_ref, sem)\n"
        "    copy.start()\n    copy.wait()\n    o_ref[...] = s_ref[...]\n"
    )
    block = (size, columns)
    return (
        kernel(source, (2,))
        + operand("scalar_prefetch", "n", (4,), "int32")
        + operand("inputs", "x", (rows, columns), dtype, space="any")
        + operand("outputs", "o", block, dtype, str(list(block)), "lambda i, n: (0, 0)")
        + scratch("s", "vmem", block, dtype)
        + scratch("sem", "dma_semaphore")
    )


_OPS = (
    "x + y", "x - y", "x * y", "-x", "jnp.maximum(x, y)", "jnp.minimum(x, y)", "jnp.abs(x)", "x // y", "x / y",
    "jnp.where(x < y, x, y)", "jnp.where(x == y, x, y)", "jnp.where(x != y, x, y)", "x & y", "x | y", "x ^ y",
    "x << 1", "x >> 1", "jnp.exp(x)", "jnp.tanh(x)", "jnp.sqrt(x)", "jax.lax.rsqrt(x)", "jnp.floor(x)", "jnp.sin(x)",
    "jnp.sum(x, axis=1, keepdims=True) + y", "jnp.max(x, axis=0, keepdims=True) + y", "jnp.clip(x, 1, 3)",
    "(x < y).astype(x.dtype)", "x.T.T", "jnp.concatenate([x, y], axis=0)[:x.shape[0]]", "jnp.roll(x, 1, axis=0)",
    "jnp.roll(x, 1, axis=1)", "x.reshape(-1, 128).reshape(x.shape)", "x[3:11]", "jnp.sign(x)", "jnp.square(x)",
    "jax.lax.population_count(x)", "jnp.sum(x, axis=1)[:, None] + y", "x.astype(jnp.float32) + 1",
    "jax.lax.broadcasted_iota(x.dtype, x.shape, 0)", "x[:, 0:1] + y", "(x > 0) & (y > 0)", "jnp.any(x > 0, axis=1)",
    "x.reshape(2, -1, x.shape[1])", "x.reshape(x.shape[0], 2, -1)", "jnp.log1p(x)", "x ** 2", "jax.nn.sigmoid(x)",
    "jax.nn.relu(x)", "jnp.isnan(x)", "x.astype(jnp.int8)", "x.astype(jnp.bfloat16)", "x.astype(jnp.int16)",
    "jax.lax.shift_right_logical(x, y)", "jnp.argmax(x, axis=1)", "jnp.sum(x)", "x[0, 0] + y", "jnp.swapaxes(x, 0, 1)",
)  # fmt: skip


def _ops(rng: random.Random) -> str:
    """One op on one dtype; the result is stored as int32 or float32 if it is of the operands' shape."""
    dtype = rng.choice(DTYPES)
    shape = rng.choice(((32, 128), (64, 256), (64, 256), (16, 384), (8, 128)))
    op = rng.choice(_OPS)
    source = (
        f"def kernel(x_ref, y_ref, o_ref):\n    x = x_ref[...]\n    y = y_ref[...]\n    z = {op}\n"
        "    if z.shape == x.shape and z.dtype == x.dtype:\n        o_ref[...] = z\n"
        "    else:\n        z = z.astype(jnp.float32)\n"
        "        o_ref[...] = jnp.broadcast_to(jnp.max(z), x.shape).astype(jnp.float32).astype(o_ref.dtype)\n"
    )
    return (
        kernel(source)
        + operand("inputs", "x", shape, dtype)
        + operand("inputs", "y", shape, dtype)
        + operand("outputs", "o", shape, dtype)
    )


def _products(rng: random.Random) -> str:
    """A product of random dtypes, shapes and orders, into a random accumulator."""
    lhs = rng.choice(DTYPES)
    rhs = lhs if rng.random() < 0.6 else rng.choice(DTYPES)
    out = rng.choice(("float32", "float32", "int32", "bfloat16"))
    m, k, n = (rng.choice((8, 64, 100, 128, 256)) for _ in range(3))
    left, right = rng.choice((((m, k), (k, n)), ((m, k), (n, k)), ((k, m), (k, n)), ((m, k), (k,))))
    contracted = (left.index(k) if left != (k, m) else 0, 0 if right[0] == k and right != (n, k) else len(right) - 1)
    if left == (m, k):
        contracted = (1, contracted[1])
    source = (
        "def kernel(x_ref, y_ref, o_ref):\n"
        f"    o_ref[...] = jax.lax.dot_general(x_ref[...], y_ref[...], ((({contracted[0]},), ({contracted[1]},)), "
        f"((), ())), preferred_element_type=jnp.{out})\n"
    )
    shape = (m, n) if len(right) == 2 else (m,)
    return (
        kernel(source)
        + operand("inputs", "x", left, lhs)
        + operand("inputs", "y", right, rhs)
        + operand("outputs", "o", shape, out)
    )


_FAMILIES: tuple[Callable[[random.Random], str], ...] = (_windows, _loads, _copies, _ops, _products)
