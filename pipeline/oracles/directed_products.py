"""Kernels of a few products that have nothing to do with each other, as spec text: which matrix unit takes which.

Drawn at random by a seed, and recorded as drawn. Listings of even seeds were looked at, those of odd ones were not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from pipeline.ir.call import KernelCall
from pipeline.oracles.kernel_text import call_of, head_text, operand_text

SEEDS = {0: 20, 1: 20}  # kernels of each
_STEPS = 4


class Product(NamedTuple):
    """Of `rows` x `depth` and `depth` x `columns`; of the second one's transpose if `turned`."""

    dtype: str
    turned: bool
    rows: int
    depth: int
    columns: int


def products(seed: int) -> Iterator[tuple[Product, ...]]:
    draw = random.Random(seed)
    for _ in range(SEEDS[seed]):
        yield tuple(
            Product(
                draw.choice(("bfloat16", "float32")),
                draw.random() < 0.5,
                draw.choice((16, 64, 128, 256)),
                draw.choice((128, 256)),
                draw.choice((128, 256)),
            )
            for _ in range(draw.randint(2, 6))
        )


def product_call(found: tuple[Product, ...]) -> KernelCall:
    return call_of(_text(found))


def _text(found: tuple[Product, ...]) -> str:
    lines, inputs, outputs = [], "", ""
    for n, (dtype, turned, rows, depth, columns) in enumerate(found):
        weights = (columns, depth) if turned else (depth, columns)
        lines.append(
            f"o{n}_ref[...] = lax.dot_general(x{n}_ref[...], y{n}_ref[...], (((1,), ({int(turned)},)), ((), ())), "
            "preferred_element_type=jnp.float32)"
        )
        inputs += _operand("inputs", f"x{n}", (rows, depth), dtype, True)
        inputs += _operand("inputs", f"y{n}", weights, dtype, False)
        outputs += _operand("outputs", f"o{n}", (rows, columns), "float32", True)
    names = [f"{letter}{n}" for n in range(len(found)) for letter in "xy"] + [f"o{n}" for n in range(len(found))]
    return head_text("Products beside each other", names, lines, [_STEPS]) + inputs + outputs


def _operand(role: str, name: str, shape: tuple[int, int], dtype: str, moves: bool) -> str:
    array = [shape[0] * (_STEPS if moves else 1), shape[1]]
    return operand_text(role, name, array, shape, "i, 0" if moves else "0, 0", dtype)
