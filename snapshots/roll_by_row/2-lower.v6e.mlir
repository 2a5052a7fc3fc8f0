module @roll_by_row_kernel {
  func.func @main(%arg0: i32, %arg1: memref<8xi32, #tpu.memory_space<smem>>, %arg2: memref<1x8x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<1x8x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 8>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 8, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 8, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %0 = vector.load %arg2[%c0, %c0_0, %c0_1] : memref<1x8x256xf32, #tpu.memory_space<vmem>>, vector<1x8x256xf32>
    %1 = vector.shape_cast %0 : vector<1x8x256xf32> to vector<8x256xf32>
    %2 = arith.index_cast %arg0 : i32 to index
    %3 = memref.load %arg1[%2] : memref<8xi32, #tpu.memory_space<smem>>
    %4 = tpu.dynamic_rotate %1 by %3 dim 1 : vector<8x256xf32>, i32 -> vector<8x256xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %5 = vector.load %arg3[%c0_2, %c0_3, %c0_4] : memref<1x8x256xf32, #tpu.memory_space<vmem>>, vector<1x8x256xf32>
    %6 = vector.shape_cast %5 : vector<1x8x256xf32> to vector<8x256xf32>
    %7 = vector.shape_cast %4 : vector<8x256xf32> to vector<1x8x256xf32>
    tpu.vector_store %arg3[%c0_2, %c0_3, %c0_4], %7 {strides = array<i32>} : memref<1x8x256xf32, #tpu.memory_space<vmem>>, vector<1x8x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: memref<8xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: memref<8xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
