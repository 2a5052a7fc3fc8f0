"""Random kernels about memories, as spec text: where operands are, how windows move, what is copied and sliced.

Nine families beside those of `random_legality`: operands of any dtype in any memory, Element blocks, squeezed axes
over grids of two axes, `run_scoped`, slices of packed dtypes, scalars in SMEM, copies of parts of an array, aliases,
reshapes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from pipeline.oracles.random_legality import CHIPS, DTYPES, kernel, operand, scratch

_ALL = (*DTYPES, "float16", "bool", "uint4", "uint16", "float8_e4m3b11fnuz")
_WORD = "    copy{n} = pltpu.make_async_copy({a}, {b}, {sem})\n    copy{n}.start()\n    copy{n}.wait()\n"
_ZERO = "    o_ref[...] = jnp.zeros(o_ref.shape, o_ref.dtype)\n"


def random_memory_spec(seed: int, chips: Sequence[str] = CHIPS) -> tuple[str, str]:
    """(text of a spec, one of the chips) of a kernel; the families take turns."""
    rng = random.Random(f"memory {seed}")
    family = _FAMILIES[seed % len(_FAMILIES)]
    chip = rng.choice(chips)
    return f'name = "memory_{seed}"\nsummary = "A random kernel"\ntargets = ["{chip}"]\n\n{family(rng)}', chip


def _spaces(rng: random.Random) -> str:
    """An operand of any dtype in any memory: left alone, copied whole, or read one element at a time."""
    dtype = rng.choice(_ALL)
    shape = rng.choice(((64, 256), (16, 128), (8, 100), (4, 8, 128), (512,), (50, 100), (1024,)))
    space = rng.choice(("any", "hbm", "smem", "vmem"))
    out = operand("outputs", "o", (8, 128), "float32")
    use = rng.choice(("nothing", "copy out", "copy in", "scalar", "store"))
    if use == "copy out":
        source = "def kernel(x_ref, o_ref, sem):\n" + _WORD.format(n="", a="x_ref", b="o_ref", sem="sem")
        out = operand("outputs", "o", shape, dtype, space=rng.choice(("any", "hbm", "vmem")))
        return (
            kernel(source) + operand("inputs", "x", shape, dtype, space=space) + out + scratch("sem", "dma_semaphore")
        )
    if use == "copy in":
        source = "def kernel(x_ref, o_ref, s_ref, sem):\n" + _WORD.format(n="", a="x_ref", b="s_ref", sem="sem") + _ZERO
        used = scratch("s", rng.choice(("vmem", "vmem", "smem")), shape, dtype) + scratch("sem", "dma_semaphore")
        return kernel(source) + operand("inputs", "x", shape, dtype, space=space) + out + used
    at = ", ".join(rng.choice(("0", "1", "pl.program_id(0)")) for _ in shape)
    body = {
        "nothing": _ZERO,
        "scalar": f"    o_ref[...] = jnp.full(o_ref.shape, x_ref[{at}].astype(jnp.float32))\n",
        "store": f"    x_ref[{at}] = x_ref[{at}]\n{_ZERO}",
    }[use]
    grid = (2,) if "program_id" in at else ()
    return kernel(f"def kernel(x_ref, o_ref):\n{body}", grid) + operand("inputs", "x", shape, dtype, space=space) + out


def _elements(rng: random.Random) -> str:
    """Windows that start at any element that their index map says."""
    dtype = rng.choice(DTYPES)
    rank = rng.choice((2, 2, 3))
    shape = (*((4,) * (rank - 2)), rng.choice((64, 96, 256)), rng.choice((128, 256, 512)))
    sizes = [rng.choice((1, 2)) for _ in range(rank - 2)]
    sizes += [rng.choice((8, 16, 32, 64, 24)), rng.choice((128, shape[-1]))]
    entries = [f"{{ element = {n} }}" for n in sizes]
    if rng.random() < 0.15:
        entries[0] = str(sizes[0])
    rows = rng.choice(("i * 8", "i * 16", "i * 32", "i", "i * 4", "0", "8", "i * 8 + 8", "(i + 1) * 16", "i // 2 * 32"))
    lanes = rng.choice(("0", "0", "0", "i * 128", "128", "i * 64"))
    index_map = f"lambda i: ({'0, ' * (rank - 2)}{rows}, {lanes if sizes[-1] < shape[-1] else '0'})"
    source = "def kernel(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n"
    zero = f"lambda i: ({', '.join('0' * rank)})"
    return (
        kernel(source, (2,))
        + operand("inputs", "x", shape, dtype, f"[{', '.join(entries)}]", index_map)
        + operand("outputs", "o", tuple(sizes), dtype, str(sizes), zero)
    )


def _squeezed(rng: random.Random) -> str:
    """Blocks with axes left out, and index maps over a grid of two axes; perhaps with one buffer slot."""
    dtype = rng.choice(DTYPES)
    rank = rng.choice((2, 3, 3, 4))
    outer = [rng.choice((2, 3, 8)) for _ in range(rank - 2)]
    shape = (*outer, rng.choice((8, 32, 64, 96, 200)), rng.choice((128, 256, 200)))
    block: list[str | int] = []
    for axis, n in enumerate(shape):
        back = rank - axis
        if rng.random() < (0.5 if back > 2 else 0.08):
            block.append('"squeezed"')
        else:
            block.append(rng.choice((n, n, 1, 2) if back > 2 else (n, n, 8, 16, 32, 128) if back == 2 else (n, 128)))
    index = [rng.choice(("0", "i", "j", "i // 2", "j % 2", "i * 2 + j", "jnp.minimum(i, 1)", "1")) for _ in shape]
    index = [text if b != n else "0" for text, b, n in zip(index, block, shape, strict=True)]
    said = f"[{', '.join(map(str, block))}]"
    index_map = f"lambda i, j: ({', '.join(index)})"
    inner = tuple(b for b in block if isinstance(b, int))
    if not inner:
        return _squeezed(rng)
    zero = f"lambda i, j: ({'0, ' * len(inner)})"
    source = "def kernel(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n"
    more = "buffer_count = 1\n\n" if rng.random() < 0.2 else ""
    return (
        kernel(source, rng.choice(((2, 2), (2, 1), (1, 2), (2, 3))))
        + operand("inputs", "x", shape, dtype, said, index_map).rstrip("\n") + "\n" + more + "\n"
        + operand("outputs", "o", inner, dtype, str(list(inner)), zero)
    )  # fmt: skip


def _scoped(rng: random.Random) -> str:
    """Allocations inside `run_scoped`, in a row, inside one another or in a loop, near the limit at times."""
    dtype = rng.choice(("float32", "float32", "bfloat16", "int8", "int32"))
    rows = [rng.choice((8, 16, 512, 2048, 4096, 8192, 12288)) for _ in range(2)]
    columns = rng.choice((128, 200, 512, 1024))
    kind = rng.choice(("VMEM", "VMEM", "VMEM", "SMEM"))
    if kind == "SMEM":
        rows, columns = [rng.choice((8, 64, 512, 1024)) for _ in range(2)], rng.choice((8, 128, 256))
    use = "        o_ref[...] = s_ref[0:8, 0:128].astype(o_ref.dtype)\n"
    if kind == "SMEM":
        use = "        o_ref[...] = jnp.full(o_ref.shape, s_ref[1, 1], o_ref.dtype)\n"
    first, second = (f"pltpu.{kind}(({n}, {columns}), jnp.{dtype})" for n in rows)
    how = rng.choice(("one", "row", "nested", "loop", "copy"))
    if how == "copy":
        body = (
            "    def step(s_ref, sem):\n"
            "        copy = pltpu.make_async_copy(x_ref, s_ref, sem)\n        copy.start()\n        copy.wait()\n"
            f"{use}    pl.run_scoped(step, {first}, pltpu.SemaphoreType.DMA)\n"
        )
    elif how == "nested":
        inner = use.replace("s_ref", "t_ref").replace("        ", "            ")
        body = (
            f"    def step(s_ref):\n        def inside(t_ref):\n{inner}"
            f"        pl.run_scoped(inside, {second})\n{use}    pl.run_scoped(step, {first})\n"
        )
    else:
        body = f"    def step(s_ref):\n{use}    pl.run_scoped(step, {first})\n"
        if how == "row":
            body += f"    pl.run_scoped(step, {second})\n"
        if how == "loop":
            body = (
                f"    def turn(k, carry):\n        def step(s_ref):\n{use.replace('        ', '            ')}"
                f"        pl.run_scoped(step, {first})\n        return carry\n    jax.lax.fori_loop(0, 3, turn, 0)\n"
            )
    limit = f"vmem_limit_bytes = {rng.choice((4, 24, 60)) << 20}\n\n" if rng.random() < 0.3 else ""
    shape = (rows[0], columns)
    return (
        limit
        + kernel(f"def kernel(x_ref, o_ref):\n{body}")
        + operand("inputs", "x", shape, dtype, space="any")
        + operand("outputs", "o", (8, 128), rng.choice(("float32", "float32", "int32")))
    )


def _slices(rng: random.Random) -> str:
    """Loads and stores of part of a ref of rank 2 or 3, of any dtype, in a loop or not, through views at times."""
    dtype = rng.choice((*DTYPES, "uint16", "uint4"))
    rank = rng.choice((2, 3, 3))
    shape = (*((4,) * (rank - 2)), rng.choice((32, 64, 128)), rng.choice((128, 256)))
    entries: list[str] = []
    part: list[int] = []
    for axis, n in enumerate(shape):
        back = rank - axis
        roll = rng.random()
        if back > 2:
            if roll < 0.6:
                entries.append(rng.choice(("k", "i", "0", "3")))
            else:
                size = rng.choice((1, 2))
                entries.append(f"pl.ds({rng.choice(('i', 'k', '1', 'i * 2'))}, {size})")
                part.append(size)
        elif back == 2:
            size = rng.choice((1, 2, 4, 8, 8, 16, 32))
            unit = rng.choice((1, 2, 4, 8, 8, 16, 32))
            start = rng.choice(("k * {u}", "i * {u}", "pl.multiple_of(k * 2, {u})", "{u}", "0", "i * {u} + {u}", "k"))
            if roll < 0.15:
                entries.append(rng.choice(("k", "3", "0")))
            else:
                entries.append(f"pl.ds({start.format(u=unit)}, {size})")
                part.append(size)
        elif roll < 0.7:
            entries.append(":")
            part.append(n)
        else:
            entries.append(rng.choice(("pl.ds(0, 128)", "pl.ds(i * 128, 128)", "0:64", "pl.ds(k * 128, 128)")))
            part.append(64 if entries[-1] == "0:64" else 128)
    ref = "x_ref" if rng.random() < 0.7 else "x_ref.at[...]"
    if ref != "x_ref" and rank == 3 and entries[0] in ("i", "0", "3", "k"):
        ref, entries = f"x_ref.at[{entries[0]}]", entries[1:]
    load = rng.random() < 0.65
    line = f"o_ref[...] = {ref}[{', '.join(entries)}]" if load else f"{ref}[{', '.join(entries)}] = o_ref[...]"
    if any("k" in entry for entry in (*entries, ref)):
        body = f"    def turn(k, carry):\n        {line}\n        return carry\n    jax.lax.fori_loop(0, 2, turn, 0)\n"
    else:
        body = f"    {line}\n"
    if not load:
        body = "    o_ref[...] = jnp.zeros(o_ref.shape, o_ref.dtype)\n" + body
    source = f"def kernel(x_ref, o_ref):\n    i = pl.program_id(0)\n{body}"
    zeros = [f"lambda i: ({'0, ' * n})" for n in (len(shape), len(part))]
    return (
        kernel(source, (2,))
        + operand("inputs", "x", shape, dtype, str(list(shape)), zeros[0])
        + operand("outputs", "o", tuple(part), dtype, str(part), zeros[1])
    )


def _scalars(rng: random.Random) -> str:
    """Scalars out of SMEM: operands with or without blocks, scratch and scalar prefetch of many shapes and dtypes."""
    dtype = rng.choice(("int32", "float32", "uint32", "bfloat16", "int16", "int8", "bool", "int4", "float8_e5m2"))
    shape: tuple[int, ...] = rng.choice(
        (
            (4,),
            (256,),
            (1024,),
            (8, 128),
            (16, 256),
            (2, 8, 128),
            (100, 3),
            (1, 4096),
            (2048, 1),
            (1 << 18,),
            (512, 512),
        )
    )
    at = ", ".join(rng.choice(("0", "i", "1", "i + 1") if n > 2 else ("0", "i")) for n in shape)
    where = rng.choice(("prefetch", "operand", "window", "scratch"))
    value = f"x_ref[{at}]"
    cast = rng.choice(
        (f"{value}.astype(jnp.float32)", f"({value} > 0).astype(jnp.float32)", f"({value} + 1).astype(jnp.float32)")
    )
    line = f"    o_ref[...] = jnp.full(o_ref.shape, {cast})\n"
    letters = "i, x" if where == "prefetch" else "i"
    out = operand("outputs", "o", (16, 128), "float32", "[8, 128]", f"lambda {letters}: (i, 0)")
    if where == "scratch":
        source = f"def kernel(o_ref, x_ref):\n    i = pl.program_id(0)\n    {value} = jnp.{dtype}(1)\n{line}"
        source = source.replace("jnp.bool(1)", "True")
        return kernel(source, (2,)) + out + scratch("x", "smem", shape, dtype)
    source = f"def kernel(x_ref, o_ref):\n    i = pl.program_id(0)\n{line}"
    if where == "prefetch":
        return kernel(source, (2,)) + operand("scalar_prefetch", "x", shape, dtype) + out
    if where == "operand":
        return kernel(source, (2,)) + operand("inputs", "x", shape, dtype, space="smem") + out
    block = [rng.choice((n, n, 8, 128, 1)) for n in shape]
    index_map = f"lambda i: ({', '.join('i' if b < n else '0' for b, n in zip(block, shape, strict=True))},)"
    return kernel(source, (2,)) + operand("inputs", "x", shape, dtype, str(block), index_map, "smem") + out


def _parts(rng: random.Random) -> str:
    """Copies of part of an array of rank 2 or 3 in HBM, into scratch or another array, with an array of semaphores."""
    dtype = rng.choice((*DTYPES, "uint16"))
    rank = rng.choice((2, 3, 3))
    shape = (*((4,) * (rank - 2)), rng.choice((32, 64, 96)), rng.choice((128, 256, 200)))
    entries: list[str] = []
    part: list[int] = []
    for axis, n in enumerate(shape):
        back = rank - axis
        if back > 2:
            if rng.random() < 0.6:
                entries.append(rng.choice(("i", "i + 1", "2")))
            else:
                size = rng.choice((1, 2))
                entries.append(f"pl.ds({rng.choice(('i', '1'))}, {size})")
                part.append(size)
        elif rng.random() < 0.5:
            entries.append(":")
            part.append(n)
        elif back == 2 and rng.random() < 0.15:
            entries.append(rng.choice(("i", "3", "i * 8")))
        else:
            size = rng.choice((8, 8, 16, 32, 1, 2, 4) if back == 2 else (128, 128, 64))
            unit = rng.choice((1, 4, 8, 16, 32) if back == 2 else (64, 128))
            start = rng.choice(("i * {u}", "{u}", "0", "pl.multiple_of(i * 2, {u})", "i // 2 * {u}")).format(u=unit)
            entries.append(f"pl.ds({start}, {size})")
            part.append(size)
    source = "def kernel(x_ref, o_ref, s_ref, sem):\n    i = pl.program_id(0)\n"
    inside = f"x_ref.at[{', '.join(entries)}]"
    way = rng.choice(("in", "in", "out", "across"))
    outputs = operand("outputs", "o", shape, dtype, space="any")
    if way == "in":
        source += _WORD.format(n="", a=inside, b="s_ref", sem="sem.at[0]") + _ZERO
        outputs = operand("outputs", "o", (8, 128), "float32", "[8, 128]", "lambda i: (0, 0)")
    elif way == "out":
        source += _WORD.format(n="", a="s_ref", b=inside.replace("x_ref", "o_ref"), sem="sem.at[1]")
    else:
        source += _WORD.format(n="", a=inside, b=inside.replace("x_ref", "o_ref"), sem="sem.at[i]")
    return (
        kernel(source, (2,))
        + operand("inputs", "x", shape, dtype, space="any")
        + outputs
        + scratch("s", "vmem", tuple(part), dtype)
        + scratch("sem", "dma_semaphore", (2,))
    )


def _aliases(rng: random.Random) -> str:
    """An output in an input's memory, with blocks of their own; sizes near the limits at times."""
    dtype = rng.choice(DTYPES)
    shape = (rng.choice((64, 256, 8192)), rng.choice((128, 256, 2048)))
    blocks = [(min(rng.choice((8, 32, 64, 2048, 4096)), shape[0]), rng.choice((128, shape[1]))) for _ in range(2)]
    if rng.random() < 0.5:
        blocks[1] = blocks[0]
    grid = tuple(-(-n // b) for n, b in zip(shape, blocks[0], strict=True))
    source = "def kernel(x_ref, o_ref):\n    o_ref[0:8, 0:128] = x_ref[0:8, 0:128]\n"
    maps = [rng.choice(("lambda i, j: (i, j)", "lambda i, j: (i, j)", "lambda i, j: (i, 0)")) for _ in range(2)]
    spaces = [rng.choice(("", "", "vmem")) for _ in range(2)]
    out = operand("outputs", "o", shape, dtype, str(list(blocks[1])), maps[1], spaces[1]).rstrip("\n")
    limit = f"vmem_limit_bytes = {rng.choice((1, 24, 60)) << 20}\n\n" if rng.random() < 0.3 else ""
    return (
        limit
        + kernel(source, grid)
        + operand("inputs", "x", shape, dtype, str(list(blocks[0])), maps[0], spaces[0])
        + f'{out}\nalias = "x"\n'
    )


def _moves(rng: random.Random) -> str:
    """A value whose data are moved: axes cut, joined or exchanged, parts taken and put together."""
    dtype = rng.choice(DTYPES)
    rank = rng.choice((1, 2, 2, 2, 3))
    shape = [rng.choice((2, 4, 8)) for _ in range(rank - 2)]
    shape += [rng.choice((8, 16, 32, 64))] * (rank > 1) + [rng.choice((64, 128, 256, 256, 512, 1))]
    value, moved = "x_ref[...]", list(shape)
    for _ in range(rng.choice((1, 1, 2))):
        how = rng.choice(("cut", "join", "cut", "join", "exchange", "slice", "concatenate"))
        at = rng.randrange(len(moved))
        if how == "cut" and moved[at] > 1:
            part = rng.choice((2, 4, 8))
            if moved[at] % part == 0:
                moved[at : at + 1] = rng.choice(([part, moved[at] // part], [moved[at] // part, part]))
            value = f"{value}.reshape({tuple(moved)})"
        elif how == "join" and at + 1 < len(moved):
            moved[at : at + 2] = [moved[at] * moved[at + 1]]
            value = f"{value}.reshape({tuple(moved)})"
        elif how == "exchange" and at + 1 < len(moved):
            moved[at], moved[at + 1] = moved[at + 1], moved[at]
            value = f"jnp.swapaxes({value}, {at}, {at + 1})"
        elif how == "slice" and moved[at] > 2:
            start, size = rng.choice((0, 1, 3, 8, 64, 128)), rng.choice((1, 2, 8, 16, 64, 128))
            start = min(start, moved[at] - 1)
            size = min(size, moved[at] - start)
            value = f"{value}[{':, ' * at}{start}:{start + size}]"
            moved[at] = size
        elif how == "concatenate":
            value = f"jnp.concatenate([{value}, {value}], axis={at})"
            moved[at] *= 2
    return (
        kernel(f"def kernel(x_ref, o_ref):\n    o_ref[...] = {value}\n")
        + operand("inputs", "x", tuple(shape), dtype)
        + operand("outputs", "o", tuple(moved), dtype)
    )


_FAMILIES: tuple[Callable[[random.Random], str], ...] = (
    _spaces, _elements, _squeezed, _scoped, _slices, _scalars, _parts, _aliases, _moves
)  # fmt: skip
