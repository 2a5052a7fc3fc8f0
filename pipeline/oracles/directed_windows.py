"""Kernels about one thing of a window each, as spec text: axes of the grid of one step, windows in scalar memory, axes
left out of a block, how the copies' segments lie, blocks that are cut off, one buffer slot, aliases, stores that nobody
reads.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.oracles.random_legality import kernel, operand, scratch

_HEAD = 'name = "directed"\nsummary = "A window"\ntargets = ["v4", "v5e", "v5p", "v6e", "7x"]\n\n'
_ROWS = (8, 128)
_FULL = "    o_ref[...] = jnp.full(o_ref.shape, {})\n"


def directed_windows() -> Iterator[tuple[str, str]]:
    """(name, text of a spec) of every kernel; the first word of a name is its family."""
    for family in (_unit, _scalars, _squeezed, _segments, _narrow, _cut, _slots, _aliases, _unread, _outputs):
        for name, text in family():
            yield f"{family.__name__[1:]} {name}", _HEAD + text


def _made(body: str, parts: dict[str, str], grid: tuple[int, ...] = ()) -> str:
    """A kernel of named refs, in the order of the call."""
    return kernel(f"def kernel({', '.join(f'{name}_ref' for name in parts)}):\n{body}", grid) + "".join(parts.values())


def _axes(grid: tuple[int, ...]) -> str:
    return ", ".join("ijk"[: len(grid)])


def _out(grid: tuple[int, ...], index: str = "0, 0", rows: int = 8, dtype: str = "float32") -> str:
    return operand("outputs", "o", (rows, 128), dtype, "[8, 128]", f"lambda {_axes(grid)}: ({index})")


def _unit() -> Iterator[tuple[str, str]]:
    """Grids with axes of one step beside others."""
    for grid, letter in (
        ((6, 1), "i"),
        ((1, 6), "j"),
        ((6, 1, 1), "i"),
        ((1, 6, 1), "j"),
        ((2, 1, 3), "k"),
        ((6,), "i"),
    ):
        index = f"lambda {_axes(grid)}: ({letter}, 0)"
        for way in ("in", "out", "both"):
            x = operand(
                "inputs",
                "x",
                (48, 128),
                "float32",
                "[8, 128]",
                index if way != "out" else index.replace(f"({letter},", "(0,"),
            )
            o = _out(grid, f"{letter}, 0" if way != "in" else "0, 0", 48)
            yield (
                f"{way} {' '.join(map(str, grid))} {letter}",
                _made("    o_ref[...] = x_ref[...]\n", {"x": x, "o": o}, grid),
            )


def _scalars() -> Iterator[tuple[str, str]]:
    """Operands in scalar memory, whole or in blocks, beside an output whose blocks move or do not."""
    for dtype, shape in (("int32", (8, 128)), ("int32", (256,)), ("float32", (16, 256)), ("bool", (16, 256))):
        value = f"x_ref[{'0, ' * (len(shape) - 1)}1].astype(jnp.float32)"
        x = operand("inputs", "x", shape, dtype, space="smem")
        for grid, index in (((), "0, 0"), ((4,), "i, 0"), ((4,), "0, 0"), ((4, 2), "i, 0")):
            out = operand("outputs", "o", (8, 128), "float32") if not grid else _out(grid, index, 32)
            yield (
                f"whole {dtype} {len(shape)} {' '.join(map(str, grid))} {index}",
                _made(_FULL.format(value), {"x": x, "o": out}, grid),
            )
    places: tuple[tuple[str, tuple[int, ...], str], ...] = (
        *(("int32", (n,), "i") for n in (64, 256, 1024)),
        *(("int32", (16, n), at) for n in (128, 256) for at in ("i, 0", "0, i", "i, i", "i, i + 1")),
        ("int32", (4, 8, 128), "i, i, i"),
        *((dtype, (1024,), "i") for dtype in ("bfloat16", "int8", "float32", "uint4")),
        *((dtype, (16, 256), "i, i") for dtype in ("bfloat16", "int8", "bool")),
    )
    for dtype, size, at in places:
        x = operand("inputs", "x", size, dtype, space="smem")
        body = "    i = pl.program_id(0)\n" + _FULL.format(f"x_ref[{at}].astype(jnp.float32)")
        yield f"at {dtype} {' '.join(map(str, size))} {at}", _made(body, {"x": x, "o": _out((4,), "i, 0", 32)}, (4,))
    moving = operand("inputs", "x", (32, 128), "int32", "[8, 128]", "lambda i: (i, 0)", "smem")
    for index in ("0, 0", "i, 0"):
        yield (
            f"blocks {index}",
            _made(_FULL.format("x_ref[0, 1].astype(jnp.float32)"), {"x": moving, "o": _out((4,), index, 32)}, (4,)),
        )
    whole = operand("inputs", "x", (8, 128), "int32", space="smem")
    more = operand("inputs", "y", (32, 128), "float32", "[8, 128]", "lambda i: (i, 0)")
    yield (
        "beside a window",
        _made(
            "    o_ref[...] = y_ref[...] * x_ref[0, 1].astype(jnp.float32)\n",
            {"x": whole, "y": more, "o": _out((4,), "i, 0", 32)},
            (4,),
        ),
    )


_MAPS = (
    "i", "j", "i * 2 + j", "i // 2", "j % 2", "jnp.minimum(i, 1)", "1", "i + 1", "jnp.maximum(i, 1)",
    "i // 2 * 2 + j % 2",
)  # fmt: skip


def _squeezed() -> Iterator[tuple[str, str]]:
    """Axes left out of the block: in front of the tiles, over a grid of two axes."""
    grid = (2, 2)
    for index in _MAPS:
        x = operand("inputs", "x", (8, 8, 128), "float32", '["squeezed", 8, 128]', f"lambda i, j: ({index}, 0, 0)")
        yield f"one {index}", _made("    o_ref[...] = x_ref[...]\n", {"x": x, "o": _out(grid)}, grid)
        o = operand("outputs", "o", (8, 8, 128), "float32", '["squeezed", 8, 128]', f"lambda i, j: ({index}, 0, 0)")
        yield f"out {index}", _made("    o_ref[...] = jnp.zeros((8, 128), jnp.float32)\n", {"o": o}, grid)
    for index in ("i, j", "1, i", "j, 1", "i, i", "0, jnp.minimum(i, 1)"):
        x = operand(
            "inputs",
            "x",
            (4, 4, 8, 128),
            "float32",
            '["squeezed", "squeezed", 8, 128]',
            f"lambda i, j: ({index}, 0, 0)",
        )
        yield f"two {index}", _made("    o_ref[...] = x_ref[...]\n", {"x": x, "o": _out(grid)}, grid)
    for index in ("i, j", "1, i", "j, 1", "i % 2, i * 2 + j"):
        x = operand("inputs", "x", (4, 64, 128), "float32", '["squeezed", 8, 128]', f"lambda i, j: ({index}, 0)")
        yield f"rows {index}", _made("    o_ref[...] = x_ref[...]\n", {"x": x, "o": _out(grid)}, grid)


def _segments() -> Iterator[tuple[str, str]]:
    """Blocks of three axes and of columns: copies of contiguous bytes, of segments in a row, of rows of them."""
    for name, shape, block, index in (
        ("rows", (4, 64, 128), (2, 8, 128), "0, i, 0"),
        ("rows wide", (4, 64, 256), (2, 8, 256), "0, i, 0"),
        ("planes", (8, 16, 128), (2, 16, 128), "i, 0, 0"),
        ("columns", (2, 16, 512), (2, 16, 128), "0, 0, i"),
        ("corner", (4, 64, 512), (2, 16, 128), "0, i, 0"),
        ("corner moving", (4, 64, 512), (2, 16, 128), "0, i, i"),
        ("all", (8, 64, 512), (2, 16, 128), "i, i, i"),
        ("four axes", (2, 4, 64, 256), (2, 2, 16, 128), "0, 0, i, 0"),
    ):
        zeros = ", ".join("0" * len(shape))
        o = operand("outputs", "o", _ROWS, "float32", "[8, 128]", "lambda i: (0, 0)")
        x = operand("inputs", "x", shape, "float32", str(list(block)), f"lambda i: ({index})")
        at = "0, " * (len(shape) - 2)
        yield f"in {name}", _made(f"    o_ref[...] = x_ref[{at}0:8, 0:128]\n", {"x": x, "o": o}, (2,))
        once = operand("inputs", "x", shape, "float32", str(list(block)), f"lambda i: ({zeros})")
        yield f"once {name}", _made(f"    o_ref[...] = x_ref[{at}0:8, 0:128]\n", {"x": once, "o": o}, (2,))
        out = operand("outputs", "o", shape, "float32", str(list(block)), f"lambda i: ({index})")
        yield f"out {name}", _made(f"    o_ref[{at}0:8, 0:128] = jnp.zeros((8, 128), jnp.float32)\n", {"o": out}, (2,))


def _narrow() -> Iterator[tuple[str, str]]:
    """Blocks of some columns: of arrays so many times as wide, so many rows, one or two of them."""
    o = _out((4,))
    for dtype, rows, columns, width in (
        *(("float32", 64, 128, width) for width in (256, 384, 512, 1024)),
        *(("float32", 64, 256, width) for width in (512, 768, 1024)),
        ("float32", 256, 128, 512),
        ("bfloat16", 64, 128, 512),
        ("bfloat16", 256, 128, 256),
        ("int8", 64, 256, 1024),
    ):
        index = "lambda i: (i // 2, i % 2)"
        x = operand("inputs", "x", (rows * 2, width), dtype, f"[{rows}, {columns}]", index)
        body = "    o_ref[...] = x_ref[0:8, 0:128].astype(jnp.float32)\n"
        yield f"{dtype} {rows} {columns} {width}", _made(body, {"x": x, "o": o}, (4,))
    for width in (256, 512):
        parts = {
            name: operand("inputs", name, (128, width), "float32", "[64, 128]", f"lambda i: ({index})")
            for name, index in (("x", "i // 2, i % 2"), ("y", "0, i // 2"))
        }
        yield f"two {width}", _made("    o_ref[...] = x_ref[0:8] + y_ref[0:8]\n", {**parts, "o": o}, (4,))


def _cut() -> Iterator[tuple[str, str]]:
    """Arrays that are no whole number of blocks, along one axis or another, or smaller than a block."""
    for name, shape, block, index in (
        ("rows", (40, 128), (16, 128), "i, 0"),
        ("rows within a tile", (44, 128), (16, 128), "i, 0"),
        ("columns", (8, 320), (8, 128), "0, i"),
        ("both", (20, 300), (8, 128), "i, i"),
        ("smaller", (8, 128), (16, 128), "0, 0"),
        ("smaller moving", (3, 8, 128), (1, 16, 128), "i, 0, 0"),
        ("last and all", (3, 12, 128), (1, 8, 128), "i, 1, 0"),
        ("planes", (5, 8, 128), (2, 8, 128), "i, 0, 0"),
    ):
        at = "0, " * (len(shape) - 2)
        x = operand("inputs", "x", shape, "float32", str(list(block)), f"lambda i: ({index})")
        o = operand("outputs", "o", _ROWS, "float32", "[8, 128]", "lambda i: (0, 0)")
        yield f"in {name}", _made(f"    o_ref[...] = x_ref[{at}0:8, 0:128]\n", {"x": x, "o": o}, (3,))
        out = operand("outputs", "o", shape, "float32", str(list(block)), f"lambda i: ({index})")
        yield f"out {name}", _made(f"    o_ref[{at}0:8, 0:128] = jnp.zeros((8, 128), jnp.float32)\n", {"o": out}, (3,))


def _slots() -> Iterator[tuple[str, str]]:
    """One buffer slot."""
    for grid, index in (((4,), "i, 0"), ((2, 2), "i, 0"), ((2, 2), "i * 2 + j, 0"), ((4,), "0, 0")):
        x = operand("inputs", "x", (64, 128), "float32", "[8, 128]", f"lambda {_axes(grid)}: ({index})")
        single = x.rstrip("\n") + "\nbuffer_count = 1\n\n"
        yield (
            f"one {' '.join(map(str, grid))} {index}",
            _made("    o_ref[...] = x_ref[...]\n", {"x": single, "o": _out(grid)}, grid),
        )


def _aliases() -> Iterator[tuple[str, str]]:
    """An output in an input's memory, in the same blocks or others, in a grid or none."""
    for grid, index in (((), ""), ((4,), "i, 0"), ((4, 1), "i, 0"), ((4, 2), "i, j")):
        for dtype in ("float32", "bfloat16"):
            said = ("[16, 128]", f"lambda {_axes(grid)}: ({index})") if grid else ()
            x = operand("inputs", "x", (64, 256), dtype, *said)
            o = operand("outputs", "o", (64, 256), dtype, *said).rstrip("\n") + '\nalias = "x"\n\n'
            yield (
                f"{dtype} {' '.join(map(str, grid))}",
                _made("    o_ref[0:16, 0:128] = x_ref[0:16, 0:128]\n", {"x": x, "o": o}, grid),
            )


def _outputs() -> Iterator[tuple[str, str]]:
    """Two or three outputs, of which each has its own work: the copy of one while another is computed."""
    works = {"a": "x_ref[...] * 2.0", "b": "x_ref[...] * x_ref[...] + 1.0", "c": "x_ref[...] - 3.0"}
    for grid in ((4,), ()):
        for rows in (64, 256):
            said = (f"[{rows}, 128]", "lambda i: (i, 0)") if grid else ()
            shape = (4 * rows, 128) if grid else (rows, 128)
            for order in ("a", "ab", "ba", "abc", "cba"):
                outs = {name: operand("outputs", name, shape, "float32", *said) for name in sorted(order)}
                body = "".join(f"    {name}_ref[...] = {works[name]}\n" for name in order)
                x = operand("inputs", "x", shape, "float32", *said)
                yield f"{order} {rows} {len(grid)}", _made(body, {"x": x, **outs}, grid)


def _unread() -> Iterator[tuple[str, str]]:
    """Stores to what is read again or not: scratch, an input's window, scalar memory; copies to what nobody reads."""
    zeros = "jnp.zeros((8, 128), jnp.float32)"
    done = f"    o_ref[...] = {zeros}\n"
    x = operand("inputs", "x", (64, 128), "float32")
    o = operand("outputs", "o", _ROWS, "float32")
    s = scratch("s", "vmem", (64, 128), "float32")
    m = scratch("m", "smem", (8,), "int32")
    yield "scratch", _made(f"    s_ref[0:8] = {zeros}\n{done}", {"o": o, "s": s})
    yield "scratch read", _made(f"    s_ref[0:8] = {zeros}\n    o_ref[...] = s_ref[0:8]\n", {"o": o, "s": s})
    yield "scratch computed", _made(f"    s_ref[...] = jnp.exp(x_ref[...])\n{done}", {"x": x, "o": o, "s": s})
    yield (
        "scratch read elsewhere",
        _made("    s_ref[8:16] = jnp.exp(x_ref[0:8])\n    o_ref[...] = s_ref[0:8]\n", {"x": x, "o": o, "s": s}),
    )
    yield (
        "scratch partly read",
        _made("    s_ref[...] = jnp.exp(x_ref[...])\n    o_ref[...] = s_ref[0:8]\n", {"x": x, "o": o, "s": s}),
    )
    turns = "    @pl.loop(0, 8)\n    def _(t):\n        at = pl.ds(pl.multiple_of(t * 8, 8), 8)\n"
    yield "scratch in a loop", _made(f"{turns}        s_ref[at] = jnp.exp(x_ref[at])\n{done}", {"x": x, "o": o, "s": s})
    yield (
        "scratch added to in a loop",
        _made(f"{turns}        s_ref[at] = s_ref[at] + x_ref[at]\n{done}", {"x": x, "o": o, "s": s}),
    )
    yield "scratch added to", _made(f"    s_ref[...] = s_ref[...] + x_ref[...]\n{done}", {"x": x, "o": o, "s": s})
    yield (
        "scratch through a view",
        _made(f"    s_ref.at[8:40][8:24] = jnp.exp(x_ref[0:16])\n{done}", {"x": x, "o": o, "s": s}),
    )
    scoped = "    def inside(t_ref):\n        t_ref[...] = jnp.exp(x_ref[...])\n"
    scoped += "    pl.run_scoped(inside, pltpu.VMEM((64, 128), jnp.float32))\n"
    yield "scratch scoped", _made(f"{scoped}{done}", {"x": x, "o": o})
    yield (
        "scalars computed",
        _made(f"    @pl.loop(0, 8)\n    def _(t):\n        m_ref[t] = t * 3\n{done}", {"o": o, "m": m}),
    )
    yield "input", _made(f"    x_ref[0:8] = {zeros}\n{done}", {"x": x, "o": o})
    yield "input changed", _made(f"    x_ref[...] = x_ref[...] * 2.0\n{done}", {"x": x, "o": o})
    yield "input read", _made(f"    x_ref[0:8] = {zeros}\n    o_ref[...] = x_ref[0:8]\n", {"x": x, "o": o})
    yield "scalars", _made(f"    m_ref[1] = 2\n{done}", {"o": o, "m": m})
    step = operand("inputs", "x", (256, 128), "float32", "[64, 128]", "lambda i: (i, 0)")
    out = _out((4,), "i, 0", 32)
    yield (
        "scratch in a grid",
        _made(f"    s_ref[...] = jnp.exp(x_ref[...])\n{done}", {"x": step, "o": out, "s": s}, (4,)),
    )
    yield "input in a grid", _made(f"    x_ref[...] = jnp.exp(x_ref[...])\n{done}", {"x": step, "o": out}, (4,))
    added = "    s_ref[...] = s_ref[...] + x_ref[...]\n"
    yield "scratch added to in a grid", _made(f"{added}{done}", {"x": step, "o": out, "s": s}, (4,))
    first = "    @pl.when(pl.program_id(0) == 0)\n    def _():\n        s_ref[...] = jnp.exp(x_ref[...])\n"
    yield "scratch in a branch", _made(f"{first}{done}", {"x": step, "o": out, "s": s}, (4,))
    once = operand("inputs", "x", (64, 128), "float32", "[64, 128]", "lambda i: (0, 0)")
    yield "input at one place", _made(f"    x_ref[...] = jnp.exp(x_ref[...])\n{done}", {"x": once, "o": out}, (4,))
    yield "output twice", _made("    o_ref[...] = x_ref[0:8] * 2.0\n    o_ref[...] = x_ref[8:16]\n", {"x": x, "o": o})
    unread = operand("inputs", "x", (64, 128), "float32")
    yield "input not read", _made(done, {"x": unread, "o": o})
    hbm = operand("inputs", "x", (64, 128), "float32", space="any")
    d = scratch("d", "dma_semaphore")
    copy = "    c = pltpu.make_async_copy(x_ref, s_ref, d_ref)\n    c.start()\n    c.wait()\n"
    yield "copied", _made(f"{copy}{done}", {"x": hbm, "o": o, "s": s, "d": d})
    yield "copied from a window", _made(f"{copy}{done}", {"x": x, "o": o, "s": s, "d": d})
    yield "copied and read", _made(f"{copy}    o_ref[...] = s_ref[0:8]\n", {"x": x, "o": o, "s": s, "d": d})
    yield (
        "stored and copied over",
        _made(f"    s_ref[0:8] = {zeros}\n{copy}    o_ref[...] = s_ref[0:8]\n", {"x": hbm, "o": o, "s": s, "d": d}),
    )
