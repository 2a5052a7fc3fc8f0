module @lora_matmul_kernel {
  func.func @main(%arg0: i32, %arg1: memref<128x256xbf16, #tpu.memory_space<vmem>>, %arg2: memref<256x256xbf16, #tpu.memory_space<vmem>>, %arg3: memref<256x16xbf16, #tpu.memory_space<vmem>>, %arg4: memref<16x256xbf16, #tpu.memory_space<vmem>>, %arg5: memref<128x256xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 256>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 256, 256>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_2, window_bounds = array<i64: 256, 16>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_3, window_bounds = array<i64: 16, 256>}, {transform_indices = @transform_4, window_bounds = array<i64: 128, 256>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg2[%c0_1, %c0_2] : memref<256x256xbf16, #tpu.memory_space<vmem>>, vector<256x256xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %2 = tpu.matmul %0, %1, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xbf16>, vector<256x256xbf16>, vector<128x256xf32> -> vector<128x256xf32>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %3 = vector.load %arg3[%c0_3, %c0_4] : memref<256x16xbf16, #tpu.memory_space<vmem>>, vector<256x16xbf16>
    %cst_5 = arith.constant dense<0.000000e+00> : vector<128x16xf32>
    %4 = tpu.matmul %0, %3, %cst_5 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xbf16>, vector<256x16xbf16>, vector<128x16xf32> -> vector<128x16xf32>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %5 = vector.load %arg4[%c0_6, %c0_7] : memref<16x256xbf16, #tpu.memory_space<vmem>>, vector<16x256xbf16>
    %6 = arith.extf %5 : vector<16x256xbf16> to vector<16x256xf32>
    %cst_8 = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %7 = tpu.matmul %4, %6, %cst_8 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x16xf32>, vector<16x256xf32>, vector<128x256xf32> -> vector<128x256xf32>
    %cst_9 = arith.constant 5.000000e-01 : f32
    %8 = vector.broadcast %cst_9 : f32 to vector<128x256xf32>
    %9 = arith.mulf %8, %7 : vector<128x256xf32>
    %10 = arith.addf %2, %9 : vector<128x256xf32>
    %11 = arith.truncf %10 : vector<128x256xf32> to vector<128x256xbf16>
    %c0_10 = arith.constant 0 : index
    %c0_11 = arith.constant 0 : index
    %12 = vector.load %arg5[%c0_10, %c0_11] : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>
    tpu.vector_store %arg5[%c0_10, %c0_11], %11 {strides = array<i32>} : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>,
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
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
  func.func @transform_2(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
  func.func @transform_3(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
  func.func @transform_4(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
