module @sgd_momentum_kernel {
  func.func @main(%arg0: i32, %arg1: memref<1xf32, #tpu.memory_space<smem>>, %arg2: memref<128x256xf32, #tpu.memory_space<vmem>>, %arg3: memref<128x256xf32, #tpu.memory_space<vmem>>, %arg4: memref<128x256xbf16, #tpu.memory_space<vmem>>, %arg5: memref<128x256xf32, #tpu.memory_space<vmem>>, %arg6: memref<128x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1>}, {transform_indices = @transform_1, window_bounds = array<i64: 128, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 128, 256>}, {transform_indices = @transform_3, window_bounds = array<i64: 128, 256>}, {transform_indices = @transform_4, window_bounds = array<i64: 128, 256>}, {transform_indices = @transform_5, window_bounds = array<i64: 128, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg3[%c0, %c0_0] : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>
    %cst = arith.constant 0.899999976 : f32
    %1 = vector.broadcast %cst : f32 to vector<128x256xf32>
    %2 = arith.mulf %1, %0 : vector<128x256xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %3 = vector.load %arg4[%c0_1, %c0_2] : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>
    %4 = arith.extf %3 : vector<128x256xbf16> to vector<128x256xf32>
    %5 = arith.addf %2, %4 : vector<128x256xf32>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %6 = vector.load %arg6[%c0_3, %c0_4] : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>
    tpu.vector_store %arg6[%c0_3, %c0_4], %5 {strides = array<i32>} : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>,
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %7 = vector.load %arg2[%c0_5, %c0_6] : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>
    %c0_7 = arith.constant 0 : index
    %8 = memref.load %arg1[%c0_7] : memref<1xf32, #tpu.memory_space<smem>>
    %9 = vector.broadcast %8 : f32 to vector<128x256xf32>
    %10 = arith.mulf %9, %5 : vector<128x256xf32>
    %11 = arith.subf %7, %10 : vector<128x256xf32>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %12 = vector.load %arg5[%c0_8, %c0_9] : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>
    tpu.vector_store %arg5[%c0_8, %c0_9], %11 {strides = array<i32>} : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32) -> i32 {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %c0_i32 : i32
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
  func.func @transform_3(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_4(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_5(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
