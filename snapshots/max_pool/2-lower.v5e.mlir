module @max_pool_kernel {
  func.func @main(%arg0: i32, %arg1: memref<1x16x16x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<1x8x8x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 16, 16, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 8, 8, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0, %c0_1, %c0_2] : memref<1x16x16x128xf32, #tpu.memory_space<vmem>>, vector<1x16x16x128xf32>
    %1 = vector.shape_cast %0 : vector<1x16x16x128xf32> to vector<16x16x128xf32>
    %2 = vector.shape_cast %1 : vector<16x16x128xf32> to vector<8x2x8x2x128xf32>
    %cst = arith.constant dense<0xFF800000> : vector<8x2x8x128xf32>
    %3 = vector.multi_reduction <maximumf>, %2, %cst [3] : vector<8x2x8x2x128xf32> to vector<8x2x8x128xf32>
    %cst_3 = arith.constant dense<0xFF800000> : vector<8x8x128xf32>
    %4 = vector.multi_reduction <maximumf>, %3, %cst_3 [1] : vector<8x2x8x128xf32> to vector<8x8x128xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %5 = vector.load %arg2[%c0_4, %c0_5, %c0_6, %c0_7] : memref<1x8x8x128xf32, #tpu.memory_space<vmem>>, vector<1x8x8x128xf32>
    %6 = vector.shape_cast %5 : vector<1x8x8x128xf32> to vector<8x8x128xf32>
    %7 = vector.shape_cast %4 : vector<8x8x128xf32> to vector<1x8x8x128xf32>
    tpu.vector_store %arg2[%c0_4, %c0_5, %c0_6, %c0_7], %7 {strides = array<i32>} : memref<1x8x8x128xf32, #tpu.memory_space<vmem>>, vector<1x8x8x128xf32>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0, %c0_i32_1 : i32, i32, i32, i32
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %c0_i32_2 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0, %c0_i32_1 : i32, i32, i32, i32
  }
}
