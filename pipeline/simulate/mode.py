"""What hardware leaves open, chosen for one run: the order of parallel steps, when a copy lands, who hears messages."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

ORDERS = ("sequential", "reversed", "shuffled", "any")


class Mode(NamedTuple):
    """order: of the parallel grid axes, one of ORDERS; axes that are not parallel keep theirs, except that "any"
    shuffles them, too, which no chip does. `seed` is for what is shuffled and for the turns of cores.

    cores: how many share the steps (`cores.py`), each with memory of its own.
    eager: whether a copy lands when it is started, the earliest that it may, or when it is waited for.
    tell:  is given each message of `debug_print`; None: they are dropped.
    checks: what is looked for beyond what is wrong in every kernel (`checks.py` has the kinds).
    record: whether steps that race are found, where the program does not show that there are none.
    progress: is told, after some steps, how many they were.
    reorder: sums and contractions add their terms up in another order, drawn with this seed (`reorder.py`).
    perturb: which roundings are made larger, to see how far they move the outputs (`conditioning.py`); "": none.
    lenient: as `pallas_call(interpret=True)` runs a kernel: starts wrap and are clamped, an output block that is
           visited again keeps what it holds, what is stored to an input stays, no wait is without end.
    """

    order: str = "sequential"
    seed: int = 0
    eager: bool = False
    tell: Callable[[str], None] | None = None
    record: bool = False
    cores: int = 1
    checks: tuple[str, ...] = ()
    lenient: bool = False
    progress: Callable[[int], None] | None = None
    reorder: int | None = None
    perturb: str = ""

    @property
    def in_order(self) -> bool:
        """Whether the steps are run one after another in the grid's own order."""
        return self.order == "sequential" and self.cores == 1

    @property
    def watched(self) -> bool:
        """Whether equations are compiled with something around them."""
        return bool(self.checks or self.perturb) or self.reorder is not None


SEQUENTIAL = Mode()
LENIENT = Mode(eager=True, lenient=True)
# words of `dimension_semantics` for axes whose steps may run in any order, and at once
PARALLEL = frozenset({"parallel", "core_parallel", "subcore_parallel"})


def parallel_axes(grid: tuple[int, ...], semantics: tuple[str, ...] | None) -> tuple[int, ...]:
    """Grid axes of two steps or more whose steps may run at once."""
    return tuple(
        a for a, (word, n) in enumerate(zip(semantics or (), grid, strict=False)) if word in PARALLEL and n > 1
    )


def ordered_steps(
    grid: tuple[int, ...], semantics: tuple[str, ...] | None, mode: Mode
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(flattened step, program ids) of all steps in the mode's order."""
    rng = random.Random(mode.seed)
    axes: list[list[int]] = []
    for axis, size in enumerate(grid):
        places = list(range(size))
        if mode.order == "any":
            rng.shuffle(places)
        elif semantics is not None and semantics[axis] in PARALLEL:
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
