"""Kernels of scalar code about one thing each, as spec text: how many windows a step has and how their blocks move, who
goes over the grid, index maps, loops and branches.

Of a family every kernel differs from the next by one thing, so that a wrong rule shows as a wrong slope.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.oracles.kernel_text import TABLE, head_text, operand_text

_ROWS, _COLUMNS = 512, 2048  # of an operand, where it is not as many blocks as there are steps
_TILE = "o0_ref[0:8, 0:128]"

_WINDOWS: dict[str, tuple[list[str], list[str], list[int]]] = {
    "1": (["i, 0"], ["i, 0"], [6]),
    "2 alike": (["i, 0"] * 2, ["i, 0"], [6]),
    "3 alike": (["i, 0"] * 3, ["i, 0"], [6]),
    "4 alike": (["i, 0"] * 4, ["i, 0"], [6]),
    "2 apart": (["i, 0", "5 - i, 0"], ["i, 0"], [6]),
    "3 apart": (["i, 0", "5 - i, 0", "2 * i, 0"], ["i, 0"], [6]),
    "1 of two axes": (["i, j"], ["i, j"], [6, 3]),
    "2 of two axes": (["i, 0", "0, j"], ["i, j"], [6, 3]),
    "3 of two axes": (["i, 0", "0, j", "i, j"], ["i, j"], [6, 3]),
    "none in of two axes": ([], ["i, j"], [6, 3]),
    "1 of three axes": (["i, k"], ["i, j"], [3, 2, 4]),
    "2 of three axes": (["i, k", "k, j"], ["i, j"], [3, 2, 4]),
}
_MAPS = (
    "i", "j", "2 * i + 1", "5 - i", "i // 2", "j // 2", "i % 2", "i * 3 + j", "jnp.minimum(i, 3)", "jnp.maximum(i, 1)",
    "n[i]", "i * j", "3 * i", "i * 2 - j + 2",
)  # fmt: skip
_BODIES = {
    "when": ["@pl.when(pl.program_id(0) > 2)", "def _():", f"    {_TILE} = {_TILE} + 1.0"],
    "when elsewhere": ["@pl.when(pl.program_id(0) > 2)", "def _():", "    o0_ref[0:8, 128:256] = x0_ref[0:8, 0:128]"],
    "when zero": ["@pl.when(pl.program_id(0) > 2)", "def _():", f"    {_TILE} = jnp.zeros((8, 128), jnp.float32)"],
    "loop elsewhere": ["@pl.loop(0, 8)", "def _(t):", "    o0_ref[0:8, 128:256] = x0_ref[0:8, 0:128] * 2.0"],
    "loop carried": [f"{_TILE} = jax.lax.fori_loop(0, 8, lambda t, c: c * 2.0 + 1.0, x0_ref[0:8, 0:128])"],
}


def directed_kernels() -> Iterator[tuple[str, str]]:
    """(family and number, the spec's text)."""
    for family, steps, semantics in (("once", 1, ""), ("split", 2, 'semantics = ["parallel"]\n')):
        for inputs, outputs in ((0, 1), (1, 1), (2, 1), (3, 1), (1, 2)):
            places = ["i, 0"] * inputs, ["i, 0"] * outputs
            yield f"{family} {inputs} {outputs}", spec_text(*places, [steps], semantics=semantics, rows=8 * steps)
    for name, of in _WINDOWS.items():
        yield f"windows {name}", spec_text(*of)
    for index in _MAPS:
        yield f"map {index}", spec_text([f"{index}, 0"], ["i, j"], [6, 3])
        yield f"written {index}", spec_text([], [f"{index}, 0"], [6, 3])
    for trips in (2, 3, 4, 5, 8, 16):
        body = [f"@pl.loop(0, {trips})", "def _(t):", f"    {_TILE} = {_TILE} * 2.0"]
        yield f"loop {trips}", spec_text(["i, 0"], ["i, 0"], [6], body)
    for n in (1, 4, 12):
        for other in ("x", "jnp.tanh(x)"):
            yield f"conditional {n} {other}", spec_text(["i, 0"], ["i, 0"], [6], _conditional(n, other))
    total = "x + jnp.sum(x, axis=1, keepdims=True)"
    yield "conditional of a sum", spec_text(["i, 0"], ["i, 0"], [6], _conditional(0, total))
    for name, body in _BODIES.items():
        yield f"body {name}", spec_text(["i, 0"], ["i, 0"], [6], body)


def _conditional(n: int, other: str) -> list[str]:
    """A choice between `n` products and sums and something else."""
    one = "x"
    for k in range(n):
        one = f"({one} * 1.{k}5 + 0.{k}1)"
    sides = f"lambda x: {one}, lambda x: {other}"
    return [f"{_TILE} = jax.lax.cond(pl.program_id(0) > 2, {sides}, x0_ref[0:8, 0:128])"]


def spec_text(
    inputs: Sequence[str],
    outputs: Sequence[str],
    grid: Sequence[int],
    body: Sequence[str] = (),
    *,
    semantics: str = "",
    rows: int = _ROWS,
) -> str:
    """A kernel that adds up a tile of each input into each output, then does `body`; operands by their index maps."""
    read, written = ([f"{name}{n}" for n in range(len(of))] for name, of in (("x", inputs), ("o", outputs)))
    tables = ["n"] if any("n[" in index for index in (*inputs, *outputs)) else []
    total = " + ".join(f"{name}_ref[0:8, 0:128]" for name in read) or "jnp.zeros((8, 128), jnp.float32)"
    lines = [*(f"{name}_ref[0:8, 0:128] = {total}" for name in written), *body]
    text = head_text("Scalar code about one thing", (*tables, *read, *written), lines, grid, semantics)
    text += TABLE if tables else ""
    shape = [rows, 256 if rows < _ROWS else _COLUMNS]
    axes = ", ".join((*"ijk"[: len(grid)], *tables))
    for name, indices in zip((*read, *written), (*inputs, *outputs), strict=True):
        text += operand_text("inputs" if name in read else "outputs", name, shape, [8, 256], indices, axes=axes)
    return text
