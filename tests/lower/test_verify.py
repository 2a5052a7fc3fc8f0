"""`verify_module` finds what is broken on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from kernels import V5E, recorded_call

from pipeline.ir.module import Dense, Func, Module, Op, Region, ScalarType, SymbolRef, Value, VectorType
from pipeline.ir.verify import verify_module
from pipeline.lower.mosaic_tpu.checks import CHECKS
from pipeline.lower.mosaic_tpu.lower import lower


def module_of(name: str) -> Module:
    return lower(recorded_call(name), V5E)


def edit(module: Module, change: Callable[[tuple[Op, ...]], tuple[Op, ...]]) -> Module:
    """The module with the ops of its kernel function changed."""
    main, *rest = module.funcs
    body = Region(main.body.args, change(main.body.ops))
    return replace(module, funcs=(replace(main, body=body), *rest))


def retype(ops: tuple[Op, ...], name: str, type_: VectorType | ScalarType) -> tuple[Op, ...]:
    """The result of the first op called `name` gets another type, and so do its uses."""
    (old,) = next(op for op in ops if op.name == name).results
    new = Value(type_)
    swap = {old: new}
    return tuple(
        replace(
            op,
            operands=tuple(swap.get(value, value) for value in op.operands),
            results=tuple(swap.get(value, value) for value in op.results),
        )
        for op in ops
    )


BF16_VECTOR = VectorType((256, 512), ScalarType("bf16"))

EDITS: dict[str, tuple[Callable[[tuple[Op, ...]], tuple[Op, ...]], str]] = {
    "use before definition": (lambda ops: (ops[2], *ops[:2], *ops[3:]), "is not defined here"),
    "defined twice": (lambda ops: (*ops[:1], ops[0], *ops[1:]), "a result is defined twice"),
    "no terminator": (lambda ops: ops[:-1], "a terminator stands last"),
    "early terminator": (lambda ops: (ops[-1], *ops), "a terminator stands last"),
    "types of subf": (lambda ops: retype(ops, "math.exp", BF16_VECTOR), "operands and result of 2 types"),
    "cast that does not grow": (lambda ops: retype(ops, "arith.extf", BF16_VECTOR), "bf16 to bf16"),
    "broadcast": (
        lambda ops: retype(ops, "vector.shape_cast", VectorType((2, 3), ScalarType("f32"))),
        "(2, 3) to (256, 512)",
    ),
    "constant of another type": (
        lambda ops: (replace(ops[0], attrs=(("value", Dense(0, ScalarType("i32"))),)), *ops[1:]),
        "value of another type",
    ),
    "attributes out of order": (
        lambda ops: (replace(ops[0], attrs=(*ops[0].attrs, ("a", True))), *ops[1:]),
        "attributes out of order",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_broken_module_is_found(name: str) -> None:
    change, complaint = EDITS[name]
    module = module_of("softmax_kernel")
    assert verify_module(module, CHECKS) == []
    assert any(complaint in found for found in verify_module(edit(module, change), CHECKS))


def test_branches_have_to_yield_the_results() -> None:
    module = module_of("cond_value")

    def change(ops: tuple[Op, ...]) -> tuple[Op, ...]:
        at = next(i for i, op in enumerate(ops) if op.name == "scf.if")
        then, other = ops[at].regions
        shorter = Region(other.args, (*other.ops[:-1], Op("scf.yield")))
        return (*ops[:at], replace(ops[at], regions=(then, shorter)), *ops[at + 1 :])

    assert any("branches yield" in found for found in verify_module(edit(module, change), CHECKS))


def test_signature_and_symbols() -> None:
    module = module_of("grid1")
    main, first, *rest = module.funcs
    wrong = replace(module, funcs=(main, replace(first, results=()), *rest))
    assert any("returns" in found for found in verify_module(wrong, CHECKS))
    dangling = replace(main, attrs=(*main.attrs, ("zone", SymbolRef("nowhere"))))
    assert "@main: no function @nowhere" in verify_module(replace(module, funcs=(dangling, first, *rest)), CHECKS)
    twice = Module("m", (Func("f", Region((), (Op("func.return"),))),) * 2)
    assert any("two functions of one name" in found for found in verify_module(twice, CHECKS))
