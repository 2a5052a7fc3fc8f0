module @bf16_pairs_kernel {
  func.func @main(%arg0: i32, %arg1: memref<16x256xi32, #tpu.memory_space<vmem>>, %arg2: memref<32x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 16, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 32, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<16x256xi32, #tpu.memory_space<vmem>>, vector<16x256xi32>
    %1 = tpu.bitcast %0 : vector<16x256xi32> -> vector<32x256xbf16>
    %2 = arith.extf %1 : vector<32x256xbf16> to vector<32x256xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %3 = vector.load %arg2[%c0_1, %c0_2] : memref<32x256xf32, #tpu.memory_space<vmem>>, vector<32x256xf32>
    tpu.vector_store %arg2[%c0_1, %c0_2], %2 {strides = array<i32>} : memref<32x256xf32, #tpu.memory_space<vmem>>, vector<32x256xf32>,
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
}
