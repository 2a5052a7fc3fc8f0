"""Orders of steps and messages."""

from __future__ import annotations

import numpy as np
from any_grid import Moves, call_of

from pipeline.dtypes import BY_NAME
from pipeline.ir.call import KernelCall
from pipeline.simulate.cores import shares
from pipeline.simulate.mode import Mode, message, ordered_steps, parallel_axes
from pipeline.simulate.numerics.dtypes import arbitrary


def test_only_parallel_axes_change_their_order() -> None:
    grid, semantics = (2, 3), ("parallel", "arbitrary")
    found = list(ordered_steps(grid, semantics, Mode("reversed")))
    assert found == [(3, (1, 0)), (4, (1, 1)), (5, (1, 2)), (0, (0, 0)), (1, (0, 1)), (2, (0, 2))]
    assert list(ordered_steps(grid, None, Mode("reversed"))) == list(enumerate(np.ndindex(2, 3)))


def test_a_shuffle_takes_every_step_once_and_is_the_same_again() -> None:
    grid, semantics = (5, 7), ("parallel", "parallel")
    once, again, other = (list(ordered_steps(grid, semantics, Mode("shuffled", seed))) for seed in (1, 1, 2))
    assert once == again != other
    assert sorted(once) == list(enumerate(np.ndindex(5, 7)))


def test_a_message_has_a_value_for_each_hole_and_reaches_nothing_else() -> None:
    values = (np.int32(3), np.float32(0.5))
    assert message("a {} b {x:>10}", values) == "a 3 b 0.5"
    assert message("no holes", values) == "no holes 3 0.5"
    assert message("{} {} {}", values) == "3 0.5 {}"
    assert message("{0.__class__}", values[:1]) == "3"
    assert message("{}", (np.arange(3),)) == "[0 1 2]"


def test_arbitrary_values_hang_on_their_key_alone() -> None:
    for name in ("float32", "bfloat16", "int8", "uint4", "bool", "float8_e4m3fn"):
        dtype = BY_NAME[name]
        assert arbitrary(dtype, "a") == arbitrary(dtype, "a")
        assert np.isfinite(np.float64(arbitrary(dtype, "a")))
    assert arbitrary(BY_NAME["float32"], "a") != arbitrary(BY_NAME["float32"], "b")


def test_any_order_shuffles_all_axes() -> None:
    found = list(ordered_steps((5, 7), ("parallel", "arbitrary"), Mode("any", 1)))
    assert sorted(found) == list(enumerate(np.ndindex(5, 7)))
    assert [j for _, (_, j) in found[:7]] != list(range(7))


def made(grid: tuple[int, int], semantics: tuple[str, str]) -> KernelCall:
    return call_of(grid, tuple(Moves(name, 8, "lambda i, j: (i, j)", False) for name in ("x", "o")), semantics)


def test_cores_share_the_steps_as_the_compiler_does() -> None:
    """An axis that they divide evenly, else all parallel axes as one, with step 0 again where there are too few."""
    even = [[step for step, _ in core] for core in shares(made((3, 4), ("arbitrary", "parallel")), Mode(cores=2))]
    assert even == [[0, 1, 4, 5, 8, 9], [2, 3, 6, 7, 10, 11]]
    odd = [[step for step, _ in core] for core in shares(made((2, 3), ("arbitrary", "parallel")), Mode(cores=2))]
    assert odd == [[0, 3, 1, 4], [2, 5, 0, 3]]
    alone = [list(core) for core in shares(made((2, 3), ("arbitrary", "arbitrary")), Mode(cores=2))]
    assert len(alone[0]) == 6 and alone[1] == []
    assert parallel_axes((4, 1), ("arbitrary", "parallel")) == ()
    assert parallel_axes((3, 2, 5), ("parallel", "arbitrary", "core_parallel")) == (0, 2)
