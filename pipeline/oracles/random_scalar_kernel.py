"""Random kernels of little arithmetic, as spec text: windows, index maps, tables, copies, loops and branches.

What a step of them takes is scalar code, the kernel's own and the pipeline's: they hold that part of the bundle
schedule to the compiler. The same seed gives the same text.
"""

from __future__ import annotations

import random
from math import prod
from typing import NamedTuple

from pipeline.ir.call import KernelCall
from pipeline.oracles.kernel_text import TABLE, call_of, head_text, operand_text

_LOOSE = """
[[inputs]]
name = "h"
shape = [64, 256]
dtype = "float32"
memory_space = "any"
"""
_SCRATCH = """
[[scratch]]
name = "buf"
kind = "vmem"
shape = [2, 8, 256]
dtype = "float32"

[[scratch]]
name = "sems"
kind = "dma_semaphore"
shape = [2]
"""
_COPY = "pltpu.make_async_copy(h_ref.at[pl.ds({at}, 8)], buf_ref.at[{slot}], sems_ref.at[{slot}])"


class _Window(NamedTuple):
    name: str
    role: str
    blocks: tuple[int, int]  # of the array, along each axis
    block: tuple[int, int]
    indices: tuple[str, str]
    cut: int  # rows that the last block has less


def scalar_kernel(seed: int) -> str:
    """The spec's text."""
    draw = random.Random(seed)
    grid = [draw.choice((2, 3, 4, 6)) for _ in range(draw.choice((1, 1, 2, 2, 3)))]
    axes = "ijk"[: len(grid)]
    reads = draw.random() < 0.5
    inputs, outputs = draw.choice((0, 1, 1, 2, 2, 3, 4)), draw.choice((1, 1, 1, 2))
    windows = [_window(draw, f"x{n}", "inputs", axes, grid, reads) for n in range(inputs)]
    windows += [_window(draw, f"o{n}", "outputs", axes, grid, reads) for n in range(outputs)]
    copies = draw.random() < 0.5
    body = _body(draw, windows, copies, reads)
    tables = ["n"] if reads else []
    loose, scratch = (["h"], ["buf", "sems"]) if copies else ([], [])
    names = [*tables, *(w.name for w in windows if w.role == "inputs"), *loose]
    names += [*(w.name for w in windows if w.role == "outputs"), *scratch]
    text = head_text("A random kernel of scalar code", names, body, grid, name=f"scalar_{seed}")
    text += TABLE if reads else ""
    for window in windows:
        if window.role == "outputs" and loose:
            text, loose = text + _LOOSE, []
        shape = [window.blocks[0] * window.block[0] - window.cut, window.blocks[1] * window.block[1]]
        indices, arguments = ", ".join(window.indices), ", ".join([*axes, *tables])
        text += operand_text(window.role, window.name, shape, window.block, indices, axes=arguments)
    return text + (_SCRATCH if copies else "")


def scalar_call(seed: int) -> KernelCall:
    """The kernel of a seed, traced."""
    return call_of(scalar_kernel(seed), f"scalar_{seed}")


def _window(draw: random.Random, name: str, role: str, axes: str, grid: list[int], reads: bool) -> _Window:
    block = (draw.choice((8, 16, 32)), draw.choice((128, 256)))
    blocks, indices = [], []
    for _ in range(2):
        size, index = _index(draw, axes, grid, reads and role == "inputs")
        blocks.append(size)
        indices.append(index)
    if not any(axis in index for index in indices for axis in axes) and draw.random() < 0.7:
        blocks[0], indices[0] = grid[0], axes[0]
    cut = 8 if block[0] > 8 and blocks[0] > 1 and draw.random() < 0.15 else 0
    return _Window(name, role, (blocks[0], blocks[1]), block, (indices[0], indices[1]), cut)


def _index(draw: random.Random, axes: str, grid: list[int], reads: bool) -> tuple[int, str]:
    """(blocks along the axis, block index)."""
    at = draw.randrange(len(axes))
    axis, size = axes[at], grid[at]
    kinds: list[tuple[int, str]] = [
        (1, "0"),
        (1, "0"),
        (size, axis),
        (size, axis),
        (size, axis),
        (size, f"{axis} // 2"),
    ]
    kinds += [(size, f"{size - 1} - {axis}"), (2 * size, f"2 * {axis} + 1")]
    if len(axes) == 2:
        kinds.append((prod(grid), f"{axes[0]} * {grid[1]} + {axes[1]}"))
    if reads:
        kinds += [(4, f"n[{axis}]"), (4, f"n[{axis}] + 1"), (4, f"n[{axis} + 1]")]
    return draw.choice(kinds)


def _body(draw: random.Random, windows: list[_Window], copies: bool, reads: bool) -> list[str]:
    """Every output gets a tile; beside that what the draw gives."""
    lines: list[str] = []
    inputs = [f"{w.name}_ref[0:8, 0:128]" for w in windows if w.role == "inputs"]
    value = " + ".join(inputs) if inputs else "jnp.zeros((8, 128), jnp.float32)"
    if copies:
        lines += _copies(draw, reads)
        value += " + buf_ref[0, :, 0:128]"
    first = next(w.name for w in windows if w.role == "outputs")
    for window in windows:
        if window.role == "outputs":
            lines.append(f"{window.name}_ref[0:8, 0:128] = {value}")
    for _ in range(draw.choice((0, 0, 1, 1, 2))):
        lines += _extra(draw, first, reads)
    return lines


def _copies(draw: random.Random, reads: bool) -> list[str]:
    place = draw.choice(["0", "pl.program_id(0) * 8", *(["n_ref[pl.program_id(0)] * 8"] if reads else [])])
    made = _COPY.format(at=place, slot=draw.choice(("0", "pl.program_id(0) % 2")))
    match draw.randrange(3):
        case 0:
            return [f"copy = {made}", "copy.start()", "copy.wait()"]
        case 1:
            return [
                f"copy = {made}",
                "@pl.when(pl.program_id(0) > 0)",
                "def _():",
                "    copy.start()",
                "    copy.wait()",
            ]
        case _:
            trips = draw.choice((2, 4))
            looped = _COPY.format(at="t * 8", slot=draw.choice(("0", "t % 2")))
            return [f"@pl.loop(0, {trips})", "def _(t):", f"    copy = {looped}", "    copy.start()", "    copy.wait()"]


def _extra(draw: random.Random, output: str, reads: bool) -> list[str]:
    tile = f"{output}_ref[0:8, 0:128]"
    limit = "n_ref[0]" if reads else "2"
    match draw.randrange(5):
        case 0:
            return ["@pl.when(pl.program_id(0) == 0)", "def _():", f"    {tile} = jnp.zeros((8, 128), jnp.float32)"]
        case 1:
            trips = draw.choice((2, 3, 8))
            return [f"@pl.loop(0, {trips})", "def _(t):", f"    {tile} = {tile} * 2.0"]
        case 2:
            return [f"@pl.when(pl.program_id(0) > {limit})", "def _():", f"    {tile} = {tile} + 1.0"]
        case 3:
            scale = "n_ref[pl.program_id(0)]" if reads else "pl.program_id(0)"
            return [f"{tile} = {tile} * {scale}.astype(jnp.float32)"]
        case _:
            add = "n_ref[1].astype(jnp.float32)" if reads else "1.0"
            return [f"{tile} = {tile} + {add}"]
