module @int8_weight_matmul_kernel {
  func.func @main(%arg0: i32, %arg1: memref<128x512xbf16, #tpu.memory_space<vmem>>, %arg2: memref<512x256xi8, #tpu.memory_space<vmem>>, %arg3: memref<1x256xf32, #tpu.memory_space<vmem>>, %arg4: memref<128x256xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_0, window_bounds = array<i64: 128, 512>}, {transform_indices = @transform_1, window_bounds = array<i64: 512, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 256>}, {transform_indices = @transform_3, window_bounds = array<i64: 128, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg2[%c0, %c0_0] : memref<512x256xi8, #tpu.memory_space<vmem>>, vector<512x256xi8>
    %1 = arith.sitofp %0 : vector<512x256xi8> to vector<512x256xbf16>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %2 = vector.load %arg1[%c0_1, %c0_2] : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %3 = tpu.matmul %2, %1, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x512xbf16>, vector<512x256xbf16>, vector<128x256xf32> -> vector<128x256xf32>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %4 = vector.load %arg3[%c0_3, %c0_4] : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
    %5 = vector.broadcast %4 : vector<1x256xf32> to vector<128x256xf32>
    %6 = arith.mulf %3, %5 : vector<128x256xf32>
    %7 = arith.truncf %6 : vector<128x256xf32> to vector<128x256xbf16>
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %8 = vector.load %arg4[%c0_5, %c0_6] : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>
    tpu.vector_store %arg4[%c0_5, %c0_6], %7 {strides = array<i32>} : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
  func.func @transform_1(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %c0_i32, %arg0 : i32, i32
  }
  func.func @transform_2(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %c0_i32, %arg0 : i32, i32
  }
  func.func @transform_3(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %c0_i32, %arg0 : i32, i32
  }
}
