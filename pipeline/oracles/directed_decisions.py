"""Kernels with branches that may be decided before the kernel runs: by constants, by an axis of one step, by the range
of a grid index or of a loop's. Most are in pairs, of a branch that is always taken and one that never is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.oracles.directed_scalars import spec_text
from pipeline.oracles.directed_vectors import kernel_text

_WORK = "o0_ref[0:8, 128:256] = jnp.tanh(x0_ref[0:8, 0:128] * {n}.5) + jnp.exp(x0_ref[0:8, 128:256])"
# of a product that some chips have no instruction for: what it takes depends on the factor's bits
_FACTORS = {
    "of few bits": "jnp.uint32(11)",
    "shifted": "jax.lax.shift_right_logical(jnp.uint32(0xD2511F53), jnp.uint32(16))",
    "masked": "(jnp.uint32(0xCD9E8D57) & jnp.uint32(65535))",
    "shifted left": "jax.lax.shift_left(jnp.uint32(0xCD9E8D57), jnp.uint32(20))",
}


def directed_decisions() -> Iterator[tuple[str, str]]:
    """(family and what decides, the spec's text)."""
    for places, grid in ((["i, 0"], [6, 1]), (["j, 0"], [1, 6]), (["j, 0"], [1, 6, 1]), (["i, 0", "0, i"], [6, 1])):
        yield f"axes {' and '.join(places)} of {grid}", spec_text(places, places[:1], grid)
    for grid in ([6, 1], [1, 6], [3, 1, 2]):
        axis = grid.index(1)
        for test in ("== 0", "!= 0", "< 1"):
            yield f"one {axis} of {grid} {test}", _kernel(grid, _when(f"pl.program_id({axis}) {test}"))
    last = "pl.program_id(1) == pl.num_programs(1) - 1"
    yield f"one {last}", _kernel([6, 1], _when(last))
    both = "(pl.program_id(1) == 0) & (pl.program_id(0) > 2)"
    yield f"one {both}", _kernel([6, 1], _when(both))
    loop = ["@pl.loop(0, pl.program_id(1) + 3)", "def _(t):", f"    {_work(1)}"]
    yield "one as a bound", _kernel([6, 1], loop)
    for test in ("== 0", "!= 0"):
        yield f"whole {test}", _kernel([1], _when(f"pl.program_id(0) {test}"), 8)
    for test in (">= 0", "< 0", "< 6", "> 5", "== 6", "% 2 < 2", "// 6 == 0"):
        yield f"range {test}", _kernel([6], _when(f"pl.program_id(0) {test}"))
        yield f"ranges {test}", _kernel([6, 3], _when(f"pl.program_id(0) {test}"))
    for test in ("t >= 0", "t < 4", "t == 4", "t == 0"):
        yield f"looped {test}", _kernel([6], ["@pl.loop(0, 4)", "def _(t):", *_indented(_when(test))])
    for test in ("t == 0", "t != 0"):
        yield f"once {test}", _kernel([6], ["@pl.loop(0, 1)", "def _(t):", *_indented(_when(test))])
    never = "jnp.logical_and(False, pl.program_id(0) > 2)"
    always = "jnp.logical_or(True, pl.program_id(0) > 2)"
    for test in (never, always, "jnp.where(True, 0, 1) == 0", "jnp.bool_(False)"):
        yield f"constant {test}", _kernel([6], _when(test))
    for test in ("== 0", "!= 0"):
        sides = "lambda: jnp.sum(jnp.tanh(x), 1, keepdims=True), lambda: jnp.max(jnp.exp(x), 1, keepdims=True)"
        body = [
            "x = x0_ref[0:8, 0:128]",
            f"y = jax.lax.cond(pl.program_id(1) {test}, {sides})",
            "o0_ref[0:8, 128:256] = x * y",
        ]
        yield f"given {test}", _kernel([6, 1], body)
    words: tuple[tuple[int, ...], str] = ((64, 512), "uint32")
    for name, factor in _FACTORS.items():
        product = f"v = x_ref[...]\nw = y_ref[...]\no_ref[...] = (v * {factor}) ^ (w + v)"
        yield f"factor {name}", kernel_text(product, [words, words], words)


def _work(n: int) -> str:
    return _WORK.format(n=n)


def _when(test: str) -> list[str]:
    return [f"@pl.when({test})", "def _():", f"    {_work(1)}"]


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _kernel(grid: Sequence[int], body: Sequence[str], rows: int = 0) -> str:
    places = ["i, 0"], ["i, 0"]
    return spec_text(*places, grid, body, rows=rows) if rows else spec_text(*places, grid, body)
