"""What hardware leaves open, chosen for one run: the order of parallel steps, when a copy lands, who hears messages."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

ORDERS = ("sequential", "reversed", "shuffled")


class Mode(NamedTuple):
    """order: of the parallel grid axes, one of ORDERS (`seed` for the last); axes that are not parallel keep theirs.

    eager: whether a copy lands when it is started, the earliest that it may, or when it is waited for.
    tell:  is given each message of `debug_print`; None: they are dropped.
    lenient: as `pallas_call(interpret=True)` runs a kernel: starts wrap and are clamped, an output block that is
           visited again keeps what it holds, what is stored to an input stays, no wait is without end.
    """

    order: str = "sequential"
    seed: int = 0
    eager: bool = False
    tell: Callable[[str], None] | None = None
    lenient: bool = False


SEQUENTIAL = Mode()
LENIENT = Mode(eager=True, lenient=True)


def ordered_steps(
    grid: tuple[int, ...], semantics: tuple[str, ...] | None, mode: Mode
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(flattened step, program ids) of all steps in the mode's order."""
    rng = random.Random(mode.seed)
    axes: list[list[int]] = []
    for axis, size in enumerate(grid):
        places = list(range(size))
        if semantics is not None and semantics[axis] == "parallel":
            if mode.order == "reversed":
                places.reverse()
            elif mode.order == "shuffled":
                rng.shuffle(places)
        axes.append(places)
    for index in product(*axes):
        step = 0
        for size, i in zip(grid, index, strict=True):
            step = step * size + i
        yield step, index


def message(template: str, values: tuple[Any, ...]) -> str:
    """`template` with a value for each `{..}`, in order; further values after it. Format specifications are ignored."""
    import numpy as np

    texts = [str(value) if np.ndim(value) == 0 else np.array2string(value, threshold=64) for value in values]
    left = iter(texts)
    filled = re.sub(r"\{[^{}]*\}", lambda hole: next(left, hole.group()), template)
    return " ".join([filled, *left])
