module @fp8_matmul_kernel {
  func.func @main(%arg0: i32, %arg1: memref<2xf32, #tpu.memory_space<smem>>, %arg2: memref<128x512xf8E4M3FN, #tpu.memory_space<vmem>>, %arg3: memref<512x256xf8E4M3FN, #tpu.memory_space<vmem>>, %arg4: memref<128x256xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 512>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 512, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 128, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg2[%c0, %c0_0] : memref<128x512xf8E4M3FN, #tpu.memory_space<vmem>>, vector<128x512xf8E4M3FN>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg3[%c0_1, %c0_2] : memref<512x256xf8E4M3FN, #tpu.memory_space<vmem>>, vector<512x256xf8E4M3FN>
    %cst = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %2 = tpu.matmul %0, %1, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x512xf8E4M3FN>, vector<512x256xf8E4M3FN>, vector<128x256xf32> -> vector<128x256xf32>
    %c0_3 = arith.constant 0 : index
    %3 = memref.load %arg1[%c0_3] : memref<2xf32, #tpu.memory_space<smem>>
    %c1 = arith.constant 1 : index
    %4 = memref.load %arg1[%c1] : memref<2xf32, #tpu.memory_space<smem>>
    %5 = arith.mulf %3, %4 : f32
    %6 = vector.broadcast %5 : f32 to vector<128x256xf32>
    %7 = arith.mulf %2, %6 : vector<128x256xf32>
    %8 = arith.truncf %7 : vector<128x256xf32> to vector<128x256xbf16>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %9 = vector.load %arg4[%c0_4, %c0_5] : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>
    tpu.vector_store %arg4[%c0_4, %c0_5], %8 {strides = array<i32>} : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: memref<2xf32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: memref<2xf32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: memref<2xf32, #tpu.memory_space<smem>>) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
