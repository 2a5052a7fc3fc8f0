module @overlapping_windows_kernel {
  func.func @main(%arg0: i32, %arg1: memref<24x256xf32, #tpu.memory_space<vmem>>, %arg2: memref<8x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 14>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 24, 256>, window_kind = #tpu.element_window<[0, 0], [0, 0]>}, {transform_indices = @transform_1, window_bounds = array<i64: 8, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<24x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>
    %c8 = arith.constant 8 : index
    %c0_1 = arith.constant 0 : index
    %1 = vector.load %arg1[%c8, %c0_1] : memref<24x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>
    %2 = arith.addf %0, %1 : vector<8x256xf32>
    %c16 = arith.constant 16 : index
    %c0_2 = arith.constant 0 : index
    %3 = vector.load %arg1[%c16, %c0_2] : memref<24x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>
    %4 = arith.addf %2, %3 : vector<8x256xf32>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %5 = vector.load %arg2[%c0_3, %c0_4] : memref<8x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>
    tpu.vector_store %arg2[%c0_3, %c0_4], %4 {strides = array<i32>} : memref<8x256xf32, #tpu.memory_space<vmem>>, vector<8x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c8_i32 = arith.constant 8 : i32
    %0 = arith.muli %arg0, %c8_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %0, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
