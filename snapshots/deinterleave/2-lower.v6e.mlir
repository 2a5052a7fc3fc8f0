module @deinterleave_kernel {
  func.func @main(%arg0: i32, %arg1: memref<64x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<32x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<32x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 32, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 32, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = tpu.strided_load %arg1[%c0, %c0_0] {strides = array<i32: 2, 1>} : memref<64x128xf32, #tpu.memory_space<vmem>>, vector<32x128xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg2[%c0_1, %c0_2] : memref<32x128xf32, #tpu.memory_space<vmem>>, vector<32x128xf32>
    tpu.vector_store %arg2[%c0_1, %c0_2], %0 {strides = array<i32>} : memref<32x128xf32, #tpu.memory_space<vmem>>, vector<32x128xf32>,
    %c1 = arith.constant 1 : index
    %c0_3 = arith.constant 0 : index
    %2 = tpu.strided_load %arg1[%c1, %c0_3] {strides = array<i32: 2, 1>} : memref<64x128xf32, #tpu.memory_space<vmem>>, vector<32x128xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %3 = vector.load %arg3[%c0_4, %c0_5] : memref<32x128xf32, #tpu.memory_space<vmem>>, vector<32x128xf32>
    tpu.vector_store %arg3[%c0_4, %c0_5], %2 {strides = array<i32>} : memref<32x128xf32, #tpu.memory_space<vmem>>, vector<32x128xf32>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_2(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
