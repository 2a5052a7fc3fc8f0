"""Scalar code of a kernel's body: what is folded, what waits, how loops, branches and copies end their blocks."""

from __future__ import annotations

import pytest

from pipeline.chips.costs import load_costs
from pipeline.chips.load import load_chip
from pipeline.ir.module import Dense, Func, MemRefType, Module, Op, Raw, Region, ScalarType, Type, Value, VectorType
from pipeline.schedule.bundles.step import Step, schedule_step

I32, INDEX, TILE = ScalarType("i32"), ScalarType("index"), VectorType((8, 128), ScalarType("f32"))
SMEM = MemRefType((8,), I32, "smem")
VMEM, HBM = (MemRefType((64, 128), ScalarType("f32"), space) for space in ("vmem", "any"))
SEMAPHORE = MemRefType((), ScalarType("!tpu.dma_semaphore"), "semaphore_mem")


def value(kind: Type = I32) -> Value:
    return Value(kind)


def constant(n: int) -> tuple[Op, Value]:
    made = value()
    return Op("arith.constant", (), (made,), (("value", Dense(n, I32)),)), made


def step(*ops: Op, args: tuple[Value, ...] = (), chip: str = "v5e") -> Step:
    profile = load_chip(chip)
    costs = load_costs(profile)
    assert costs is not None
    module = Module("k", (Func("main", Region(args, (*ops, Op("func.return")))),))
    return schedule_step(module, profile, costs, ())


def lengths(made: Step) -> list[tuple[int, int]]:
    return [(block.packed.length, block.trips) for block in made.blocks if block.packed.length]


def stored(read: Value, *ops: Op) -> tuple[Op, ...]:
    """`ops`, and a store of `read` to scalar memory."""
    return (*ops, Op("memref.store", (read, value(SMEM), value(INDEX))))


def test_a_chain_of_scalars_takes_its_latencies() -> None:
    table, at, read, total = value(SMEM), value(INDEX), value(), value()
    ops = (Op("memref.load", (table, at), (read,)), Op("arith.addi", (read, read), (total,)))
    assert lengths(step(*stored(total, *ops))) == [(6 + 1 + 1, 1)]
    assert lengths(step(*stored(total, *ops), chip="v4")) == [(4 + 1 + 1, 1)]


def test_what_nobody_uses_takes_nothing() -> None:
    table, at, read = value(SMEM), value(INDEX), value()
    assert lengths(step(Op("memref.load", (table, at), (read,)))) == []


@pytest.mark.parametrize(("name", "n"), [("arith.addi", 0), ("arith.muli", 1), ("arith.divsi", 1)])
def test_an_operation_that_changes_nothing_is_none(name: str, n: int) -> None:
    made, zero = constant(n)
    x, y = value(), value()
    assert lengths(step(*stored(y, made, Op(name, (x, zero), (y,))), args=(x,))) == [(1, 1)]


def test_equal_operations_are_made_once() -> None:
    x, y, z = value(), value(), value()
    sums = [Op("arith.addi", (x, x), (r,)) for r in (y, z)]
    made = step(*stored(y, *sums), *stored(z), args=(x,))
    assert sum(kind.unit == "salu" for kind in made.low.graph.kinds) == 1 + 2


def read_back(guarded: bool, other: bool) -> int:
    """Scalar instructions of a store to a table, maybe under a predicate, maybe one to elsewhere, and a read of it."""
    table, x, test, read, somewhere = value(SMEM), value(), value(ScalarType("i1")), value(), value(INDEX)
    made, at = constant(0)
    store = Op("memref.store", (x, table, at))
    ops = [made, branched(test, store) if guarded else store]
    if other:
        ops.append(Op("memref.store", (x, table, somewhere)))
    total = value()
    ops += [Op("memref.load", (table, at), (read,)), Op("arith.addi", (read, x), (total,))]
    step_made = step(*stored(total, *ops), args=(x, test, somewhere))
    return sum(kind.unit == "salu" for kind in step_made.low.graph.kinds)


def branched(test: Value, *ops: Op) -> Op:
    return Op("scf.if", (test,), (), (), (Region((), (*ops, Op("scf.yield"))),))


@pytest.mark.parametrize(("guarded", "other", "made"), [(False, False, 3), (True, False, 4), (False, True, 5)])
def test_a_scalar_that_was_stored_is_not_loaded(guarded: bool, other: bool, made: int) -> None:
    """But where its store, or one that may be to the same place, makes that unknown."""
    assert read_back(guarded, other) == made


def compared(predicate: str, x: Value, y: Value) -> tuple[Op, Value]:
    made = value(ScalarType("i1"))
    return Op("arith.cmpi", (x, y), (made,), (("predicate", Raw(predicate)),)), made


@pytest.mark.parametrize(("other", "made"), [("ne", 1), ("sle", 3)])
def test_of_two_comparisons_with_zero_the_stricter_one_is_made(other: str, made: int) -> None:
    x, both = value(), value(ScalarType("i1"))
    zero, none = constant(0)
    (first, less), (second, more) = compared("slt", x, none), compared(other, x, none)
    ops = (zero, first, second, Op("arith.andi", (less, more), (both,)))
    assert sum(kind.unit == "salu" for kind in step(*stored(both, *ops), args=(x,)).low.graph.kinds) == made + 1


def test_a_number_that_folds_is_that_number() -> None:
    """`x % 2` as JAX writes it: the divisor is chosen between two constants, by a comparison of constants."""
    x = value()
    remainders, ops = [], []
    for _ in range(2):
        (one, a), (two, b), (none, c) = constant(1), constant(2), constant(0)
        test, zero = compared("eq", b, c)
        by, rest = value(), value()
        chosen, divided = Op("arith.select", (zero, a, b), (by,)), Op("arith.remsi", (x, by), (rest,))
        ops += [one, two, none, test, chosen, divided]
        remainders.append(rest)
    total = value()
    made = step(*stored(total, *ops, Op("arith.addi", tuple(remainders), (total,))), args=(x,))
    assert sum(kind.unit == "salu" for kind in made.low.graph.kinds) == 5 + 1 + 1


def looped(low: Value, high: Value, by: Value, *ops: Op) -> Op:
    return Op("scf.for", (low, high, by), (), (), (Region((value(),), (*ops, Op("scf.yield"))),))


def tile_op() -> tuple[Op, ...]:
    a, ref = value(TILE), value(VMEM)
    return Op("vector.load", (ref,), (a,)), Op("tpu.vector_store", (ref, a))


def test_a_trip_takes_the_counter_the_comparison_and_the_branch() -> None:
    (a, low), (b, high), (c, by) = constant(0), constant(5), constant(1)
    made = step(a, b, c, looped(low, high, by, *tile_op()))
    assert lengths(made) == [(1 + 2 + 1 + 4, 5)]
    assert made.bundles == 1 + 5 * 8


def test_a_loop_of_unknown_length_may_be_skipped() -> None:
    (a, low), (c, by), high = constant(0), constant(1), value()
    made = step(a, c, looped(low, high, by, *tile_op()), args=(high,))
    assert made.unknown_loops == 1
    assert lengths(made) == [(2 + 1 + 4, 1), (8, 1)]


def test_the_rest_of_a_loop_that_another_has_done_is_none() -> None:
    """JAX makes two loops of a dynamic one: from 0 to n // 1 * 1, and from there to n."""
    (a, low), (c, one), high = constant(0), constant(1), value()
    times, product, end = value(), value(), value()
    ops = (
        Op("arith.divsi", (high, one), (times,)),
        Op("arith.muli", (times, one), (product,)),
        Op("arith.addi", (low, product), (end,)),
    )
    made = step(a, c, *ops, looped(low, end, one, *tile_op()), looped(end, high, one, *tile_op()), args=(high,))
    assert made.unknown_loops == 1


def test_a_while_runs_its_condition_before_the_loop_and_in_it() -> None:
    x, y, test = value(), value(), value(ScalarType("i1"))
    condition = Region((x,), (Op("arith.cmpi", (x, x), (test,), (("predicate", None),)), Op("scf.condition", (test,))))
    body = Region((), (*tile_op(), Op("scf.yield")))
    made = step(Op("scf.while", (x,), (y,), (), (condition, body)), args=(x,))
    assert [n for n, _ in lengths(made)] == [7, 7]


def branch(*ops: Op) -> tuple[tuple[Op, ...], Value]:
    x, test = value(), value(ScalarType("i1"))
    compare = Op("arith.cmpi", (x, x), (test,), (("predicate", None),))
    regions = (Region((), (*ops, Op("scf.yield"))), Region((), (Op("scf.yield"),)))
    return (compare, Op("scf.if", (test,), (), (), regions)), x


def test_an_if_with_vectors_is_a_branch_with_its_delay_slots() -> None:
    ops, x = branch(*tile_op())
    made = step(*ops, args=(x,))
    assert lengths(made)[0] == (2 + 1 + 4, 1)
    assert made.branches == 1


def copy(source: Value, target: Value) -> Op:
    return Op("tpu.enqueue_dma", (source, target, value(SEMAPHORE)))


def test_an_if_with_only_a_copy_is_a_predicate() -> None:
    ops, x = branch(copy(value(HBM), value(VMEM)))
    made = step(*ops, args=(x,))
    assert made.branches == 0
    assert lengths(made) == [(2 + 2 + 1, 1)]  # behind the pointers of both ends, which are constants


@pytest.mark.parametrize(("chip", "blocks"), [("v5e", 1), ("v6e", 2), ("v4", 3), ("v5p", 3)])
def test_each_checked_end_of_a_copy_is_a_block(chip: str, blocks: int) -> None:
    """Places that are known: v5e checks neither end, v6e the one in VMEM, v4 and v5p both."""
    assert len(lengths(step(copy(value(HBM), value(VMEM)), chip=chip))) == blocks


def test_a_place_that_is_not_known_is_checked_everywhere() -> None:
    i, zero, part = value(), value(), value(HBM)
    slices = Op("tpu.memref_slice", (value(HBM), i, zero), (part,))
    assert len(lengths(step(slices, copy(part, value(VMEM)), args=(i, zero)))) == 2


def test_a_copy_within_hbm_is_not_checked() -> None:
    assert len(lengths(step(copy(value(HBM), value(HBM)), chip="v4"))) == 1


def test_a_load_waits_for_its_place() -> None:
    table, at, read, a, ref = value(SMEM), value(INDEX), value(), value(TILE), value(VMEM)
    ops = (
        Op("memref.load", (table, at), (read,)),
        Op("vector.load", (ref, read), (a,)),
        Op("tpu.vector_store", (ref, value(INDEX), a)),
    )
    assert lengths(step(*ops)) == [(6 + 2 + 1 + 1, 1)]


def test_a_scalar_spread_over_a_vector_is_waited_for() -> None:
    table, at, read, wide, a, total = value(SMEM), value(INDEX), value(), value(TILE), value(TILE), value(TILE)
    ref = value(VMEM)
    ops = (
        Op("memref.load", (table, at), (read,)),
        Op("vector.broadcast", (read,), (wide,)),
        Op("vector.load", (ref,), (a,)),
        Op("arith.addi", (a, wide), (total,)),
        Op("tpu.vector_store", (ref, total)),
    )
    assert lengths(step(*ops)) == [(6 + 1 + 2 + 1, 1)]


def test_a_table_of_one_element_is_a_register() -> None:
    table, at, read = value(MemRefType((1,), I32, "smem")), value(INDEX), value()
    assert lengths(step(*stored(read, Op("memref.load", (table, at), (read,))), args=(table,))) == [(1, 1)]
