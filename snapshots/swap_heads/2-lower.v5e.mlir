module @swap_heads_kernel {
  func.func @main(%arg0: i32, %arg1: memref<64x8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x64x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 8, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 64, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0, %c0_1] : memref<64x8x128xf32, #tpu.memory_space<vmem>>, vector<64x8x128xf32>
    %1 = tpu.transpose %0, [1, 0, 2] : vector<64x8x128xf32> -> vector<8x64x128xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %2 = vector.load %arg2[%c0_2, %c0_3, %c0_4] : memref<8x64x128xf32, #tpu.memory_space<vmem>>, vector<8x64x128xf32>
    tpu.vector_store %arg2[%c0_2, %c0_3, %c0_4], %1 {strides = array<i32>} : memref<8x64x128xf32, #tpu.memory_space<vmem>>, vector<8x64x128xf32>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %arg0, %c0_i32_0 : i32, i32, i32
  }
}
