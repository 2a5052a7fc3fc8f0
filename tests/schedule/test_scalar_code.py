"""Scalar code, and the pipeline's own code around a body: counts that can be done by hand."""

from __future__ import annotations

import pytest
from schedule_calls import affine_map, call, operand

from pipeline.chips.load import load_chip
from pipeline.ir.call import KernelCall, Role
from pipeline.schedule.bundles.emitter import Emitted, emit
from pipeline.schedule.bundles.scalar_code import Code, Timing
from pipeline.schedule.windows import plan_windows

ROWS = affine_map(1, [(0, [1]), (0, [0])])
FIXED = affine_map(1, [(0, [0]), (0, [0])])


def code(name: str = "v5e") -> Code:
    return Code(Timing.of(load_chip(name)))


def test_two_instructions_go_into_a_bundle() -> None:
    made = code()
    for _ in range(5):
        made.op()
    assert made.length == 3


def test_a_chain_takes_its_latencies() -> None:
    made = code()
    assert made.steps(4) == 4
    assert made.test(4) == 6
    assert made.load(6) == 12
    assert made.length == 7


def test_later_instructions_fill_the_bundles_before() -> None:
    made = code()
    made.op(10)
    assert made.op() == 1
    assert made.length == 11


@pytest.mark.parametrize(("name", "hbm", "vmem"), [("v4", 7, 7), ("v5e", 11, 11), ("v5p", 11, 10), ("v6e", 10, 10)])
def test_a_bounds_check_is_as_long_as_in_the_compilers_schedules(name: str, hbm: int, vmem: int) -> None:
    """One that ends a block and shares it with nothing; the pointer is there."""
    for side, bundles in ((True, hbm), (False, vmem)):
        made = code(name)
        made.check(0, 0, side)
        assert made.length == bundles


def test_an_unconditional_copy_is_checked_sooner() -> None:
    guarded, plain = code(), code()
    guarded.check(0, 0, True)
    plain.check(0, None, True)
    assert plain.length == guarded.length - 2


def windows(*maps: object, grid: tuple[int, ...] = (16,)) -> KernelCall:
    """An input for each map but the last, which is an output's."""
    roles = [Role.INPUT] * (len(maps) - 1) + [Role.OUTPUT]
    operands = [
        operand(f"x{n}", (4096, 1024), (256, 1024), m, role=role)
        for n, (m, role) in enumerate(zip(maps, roles, strict=True))
    ]
    made: KernelCall = call(operands, grid)
    return made


def emitted(name: str, made: KernelCall, semaphores: int = 0) -> Emitted:
    chip = load_chip(name)
    return emit(plan_windows(made, chip), made.grid, chip, semaphores)


def bundles(found: Emitted) -> int:
    return found.before + found.beside + found.after


@pytest.mark.parametrize(("name", "most"), [("v4", 3), ("v5e", 3), ("v5p", 3), ("v6e", 3)])
def test_one_input_and_one_output(name: str, most: int) -> None:
    """The compiler's schedules of such kernels with next to no body: 64, 66, 91 and 89 bundles."""
    said = {"v4": 64, "v5e": 66, "v5p": 91, "v6e": 89}[name]
    assert abs(bundles(emitted(name, windows(ROWS, ROWS))) - said) <= most


def test_more_windows_take_more_code() -> None:
    counts = [bundles(emitted("v5e", windows(*[ROWS] * n))) for n in (2, 3, 4, 5)]
    assert counts == sorted(set(counts))


def test_a_block_that_stays_takes_less_than_one_that_moves() -> None:
    assert bundles(emitted("v5e", windows(FIXED, ROWS))) < bundles(emitted("v5e", windows(ROWS, ROWS)))
    assert bundles(emitted("v5e", windows(ROWS, FIXED))) < bundles(emitted("v5e", windows(ROWS, ROWS)))


def test_a_grid_of_one_step_has_no_loop_but_sees_to_its_semaphores() -> None:
    once = windows(FIXED, FIXED, grid=(1,))
    plain, held = emitted("v5e", once), emitted("v5e", once, semaphores=2)
    assert bundles(plain) < bundles(emitted("v5e", windows(FIXED, FIXED)))
    assert held.before == plain.before
    assert held.after == plain.after + 2 * 7
