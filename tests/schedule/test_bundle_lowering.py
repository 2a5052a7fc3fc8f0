"""Register operations that a kernel becomes: counts that can be done by hand, for what the compiler folds or splits.

The rules are what bundle dumps of libtpu 0.0.42.1 show for such kernels.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pipeline.chips.costs import load_costs
from pipeline.chips.load import load_chip
from pipeline.lower.mosaic_tpu.lower import lower
from pipeline.schedule.bundles.matrix_units import share_out
from pipeline.schedule.bundles.matrix_work import Weights
from pipeline.schedule.bundles.step import Step, schedule_step
from pipeline.spec.load import parse_candidate
from pipeline.trace.trace import trace

SPEC = """
name = "k"
summary = "a body"
targets = ["v5e"]

[kernel]
source = '''
def k(x_ref, y_ref, o_ref):
    x, y = x_ref[...], y_ref[...]
    o_ref[...] = {body}
'''

[grid]
shape = [8]
"""
ARRAY = """
[[{role}]]
name = "{name}"
shape = [{rows}, {columns}]
dtype = "{dtype}"
block = [{block}, {columns}]
index_map = "lambda i: (i, 0)"
"""


def step(body: str, chip_name: str = "v5e", dtype: str = "float32", block: int = 64, columns: int = 512) -> Step:
    """The step of a kernel of two blocks and a result of the same shape."""
    size = {"rows": 8 * block, "columns": columns, "dtype": dtype, "block": block}
    roles = {"x": "inputs", "y": "inputs", "o": "outputs"}
    arrays = [ARRAY.format(role=role, name=name, **size) for name, role in roles.items()]
    chip = load_chip(chip_name)
    costs = load_costs(chip)
    assert costs is not None
    text = SPEC.format(body=body) + "".join(arrays)
    call = trace(parse_candidate(text, Path("k.toml"), None, {}))
    return schedule_step(lower(call, chip), chip, costs, call.grid)


def units(made: Step) -> Counter[str]:
    return Counter(kind.unit for kind in made.low.graph.kinds)


def names(made: Step) -> Counter[str]:
    return Counter(kind.name for kind in made.low.graph.kinds)


def test_registers_that_feed_no_store_are_not_made() -> None:
    read = units(step("jnp.where(jax.lax.broadcasted_iota(jnp.int32, (64, 512), 1) < 128, x, y)"))
    assert read["vload"] == 32  # of 64: of each place one of the two


@pytest.mark.parametrize(("limit", "compared"), [(128, 0), (300, 1), (512, 0)])
def test_a_comparison_of_counters_is_made_only_where_it_is_open(limit: int, compared: int) -> None:
    made = names(step(f"jnp.where(jax.lax.broadcasted_iota(jnp.int32, (64, 512), 1) < {limit}, x, y)"))
    assert made["cmp slt"] == compared
    assert made["select"] == 8 * compared


def test_a_triangle_has_one_comparison_for_each_tile_on_the_diagonal() -> None:
    rows, columns = (f"jax.lax.broadcasted_iota(jnp.int32, (64, 512), {axis})" for axis in (0, 1))
    assert names(step(f"jnp.where({rows} >= {columns}, x, 0.0)"))["cmp sge"] == 8


def test_packed_elements_are_selected_packed_where_masks_can_be() -> None:
    body = "jnp.where(x > y, x, y)"
    v5e, v4 = (names(step(body, chip, "bfloat16")) for chip in ("v5e", "v4"))
    assert (v5e["cmp ogt"], v5e["mask"], v5e["select"], v5e["pack"]) == (32, 16, 16, 0)
    assert (v4["cmp ogt"], v4["mask"], v4["select"], v4["pack"]) == (32, 0, 32, 16)


def test_a_maximum_is_taken_before_rounding() -> None:
    """Of products in bfloat16, which v5e computes in float32: they are not packed first."""
    made = names(step("jnp.maximum(x * x, y * y)", dtype="bfloat16"))
    assert (made["unpack"], made["pack"]) == (64, 16)
    assert names(step("x * x + y * y", dtype="bfloat16"))["pack"] == 48


@pytest.mark.parametrize(("op", "passes"), [("sum", 2), ("min", 2)])
def test_an_integer_goes_through_the_lane_reduction_twice(op: str, passes: int) -> None:
    made = units(step(f"x + jnp.{op}(y, axis=1, keepdims=True)", dtype="int32"))
    assert made["xlu"] == 8 * passes


def test_a_product_with_one_is_none() -> None:
    assert units(step("x * 1.0 + y"))["valu"] == units(step("x + y"))["valu"] == 32


def test_the_same_operation_with_another_constant_is_another() -> None:
    assert names(step("(x * 0.5) + (x * 0.25)"))["arith.mulf"] == 64
    assert names(step("(x * 0.5) + (x * 0.5)"))["arith.mulf"] == 32


def test_a_product_with_a_constant_is_shifts_where_products_are_dear() -> None:
    made = names(step("x * 640", "v4", "int32"))  # 512 + 128
    assert (made["shl"], made["addi"]) == (64, 32)
    assert names(step("x * 640", "v5e", "int32"))["shl"] == 0


def test_v4_adds_and_multiplies_in_one_vector_unit_each() -> None:
    products = "x * y * x * y * x * y"
    assert step(products, "v4").bundles >= 5 * 32
    assert step(products, "v5e").bundles < 5 * 32


def _weights(groups: int, pushes: int = 8, push_cycles: int = 4, hold: int = 8) -> Weights:
    return Weights(0, 0, 0, 128, 128, pushes, push_cycles, False, 16, groups, hold)


@pytest.mark.parametrize("staged", [1, 2])
def test_units_share_what_is_left_of_the_weights(staged: int) -> None:
    *whole, last = share_out([_weights(16)] * 5, 4, staged)
    assert last == {unit: 4 for unit in range(4)}
    assert whole == [{unit: 16} for unit in range(4)]
    assert share_out([_weights(16)] * 3, 4, staged) == [{unit: 12, 3: 4} for unit in range(3)]
    assert share_out([_weights(1)], 4, staged) == [{0: 1}]


def test_rows_move_only_where_their_weights_are_in_in_time() -> None:
    wide, narrow = _weights(16, push_cycles=8), _weights(8, push_cycles=8)
    assert share_out([wide, narrow], 2, 1) == [{0: 16}, {1: 8}]  # turned weights: in when the first unit is done
    assert share_out([_weights(16), _weights(8)], 2, 1) == [{0: 12, 1: 4}, {1: 8}]


def test_the_unit_that_is_done_first_is_next() -> None:
    heads = [
        _weights(1, pushes, hold=16) for _ in range(4) for pushes in (16, 8)
    ]  # scores, their weights turned; values
    assert [list(part) for part in share_out(heads, 2, 1)] == [[0], [1], [1], [0], [0], [1], [1], [0]]
    assert [list(part) for part in share_out(heads, 4, 1)] == [[0], [1], [2], [3], [1], [3], [0], [2]]


@pytest.mark.parametrize(("groups", "scores"), [(8, [0, 1, 1, 1]), (4, [0, 1, 0, 1])])
def test_rows_hide_the_next_weights_where_there_are_enough(groups: int, scores: list[int]) -> None:
    """Products by turned weights and by others in turn: the first wait for their weights, where rows are few."""
    work = [_weights(groups, push_cycles=cycles) for _ in range(4) for cycles in (8, 4)]
    parts = [list(part) for part in share_out(work, 2, 1)]
    assert [part[0] for part in parts[::2]] == scores
    assert [part[0] for part in parts[1::2]] == [1 - unit for unit in scores]


@pytest.mark.parametrize("blocks", range(1, 10))
@pytest.mark.parametrize("groups", [1, 2, 3, 7, 16])
def test_every_row_meets_every_block_of_weights_once(blocks: int, groups: int) -> None:
    for push_cycles in (0, 4):
        work = [_weights(groups, push_cycles=push_cycles)] * blocks
        parts = share_out(work, 4, 1)
        assert [sum(part.values()) for part in parts] == [groups] * blocks
    rows = [sum(part.get(unit, 0) for part in share_out([_weights(groups, 0)] * blocks, 4, 1)) for unit in range(4)]
    assert max(rows) - min(rows) <= 1


def test_a_product_that_is_added_to_another_comes_after_it() -> None:
    found = step("jnp.dot(x, x) + jnp.dot(x, y)", block=128, columns=128)
    x, y = [op.results[0] for op in found.ops if op.name == "vector.load"][:2]
    assert [op.operands[1] for op in found.ops if op.name == "tpu.matmul"] == [y, x]


def test_sine_and_cosine_share_what_brings_an_angle_into_range() -> None:
    both = units(step("jnp.sin(x) + jnp.cos(x)"))["valu"]
    one = units(step("jnp.sin(x) + x"))["valu"]
    assert one < both < 1.1 * one


def test_a_remainder_by_a_number_that_folds_divides_nothing() -> None:
    body = "jnp.where(jax.lax.broadcasted_iota(jnp.int32, (64, 512), 1) % 2 == 0, x, y)"
    assert names(step(body))["cmp uge"] == 0


def test_a_scalar_root_is_computed_in_a_vector_register() -> None:
    made = names(step("x * jnp.sqrt(jnp.sum(x * x))"))
    assert made["math.sqrt"] and made["to scalar"] == 2


def test_lanes_of_a_slice_are_rotated_only_to_be_stored() -> None:
    """Half of each row of tiles: operations on it stay where it is, its sum with the other half costs two rotations."""
    made = units(step("jnp.concatenate([jnp.exp(x[:, 64:]), x[:, :64]], axis=1)", block=8, columns=128))
    assert made["xlu"] == 2
    assert units(step("jnp.concatenate([x[:, 64:], x[:, :64]], axis=1)", block=8, columns=128))["xlu"] == 1
