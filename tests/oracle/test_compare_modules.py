"""The comparison of modules itself: it has to see what it is there to see, and nothing else."""

from __future__ import annotations

import pytest

from pipeline.oracles.compare_mosaic import module_difference

TEXT = """\
module @double {
  func.func @main(%arg0: i32, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes \
{dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, \
scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, \
window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = vector.load %arg1[%c0, %c0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    %1 = arith.subf %0, %0 : vector<8x128xf32>
    %2 = arith.divf %0, %1 : vector<8x128xf32>
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
"""

SAME = {
    "itself": ("", ""),
    "names of values": ("%c1 = arith.constant 1", "%one = arith.constant 1"),
    "name of the module": ("module @double", "module"),
    "name of the function": ("@main", "@double"),
    "version": ("module @double", "module attributes {stable_mosaic.version = 11 : i64}"),
    "core type": ("scratch_operands = 0 : i64", "scratch_operands = 0 : i64, tpu.core_type = #tpu.core_type<tc>"),
}
DIFFERENT = {
    "op": ("arith.subf", "arith.addf", "op 3"),
    "operand": ("arith.divf %0, %1", "arith.divf %1, %0", "operand 0 is another value"),
    "index": ("%arg1[%c0, %c0]", "%arg1[%c0, %c1]", "operand 2 is another value"),
    "constant": ("arith.constant 1", "arith.constant 2", "attribute value"),
    "order": ("%c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index",
              "%c1 = arith.constant 1 : index\n    %c0 = arith.constant 0 : index", "attribute value"),
    "missing op": ("    %2 = arith.divf %0, %1 : vector<8x128xf32>\n", "", "func.return"),
    "semantics": ("semantics<parallel>", "semantics<arbitrary>", "dimension_semantics"),
    "window": ("array<i64: 8, 128>", "array<i64: 8, 64>", "window_params"),
    "bounds": ("array<i64: 4>", "array<i64: 5>", "iteration_bounds"),
    "type": ("8x128xf32", "8x128xbf16", "function_type"),
    "space": ("memory_space<vmem>", "memory_space<smem>", "function_type"),
    "index map": ("return %arg0, %c0_i32", "return %c0_i32, %arg0", "operand 0 is another value"),
    "name of an index map": ("@transform_0", "@transform_1", "transform_1"),
}  # fmt: skip


@pytest.mark.parametrize("change", SAME)
def test_sees_no_difference(change: str) -> None:
    old, new = SAME[change]
    assert module_difference(TEXT.replace(old, new) if old else TEXT, TEXT) is None


@pytest.mark.parametrize("change", DIFFERENT)
def test_sees_the_difference(change: str) -> None:
    old, new, said = DIFFERENT[change]
    assert old in TEXT
    found = module_difference(TEXT.replace(old, new), TEXT)
    assert found is not None
    assert said in found
