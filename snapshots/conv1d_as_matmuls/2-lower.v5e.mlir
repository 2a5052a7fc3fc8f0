module @conv1d_as_matmuls_kernel {
  func.func @main(%arg0: i32, %arg1: memref<1x130x128xbf16, #tpu.memory_space<vmem>>, %arg2: memref<3x128x256xbf16, #tpu.memory_space<vmem>>, %arg3: memref<1x128x256xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 130, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 3, 128, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 128, 256>}]} {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = vector.broadcast %cst : f32 to vector<128x256xf32>
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %1 = vector.load %arg1[%c0, %c0_0, %c0_1] : memref<1x130x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %2 = vector.shape_cast %1 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %3 = vector.load %arg2[%c0_2, %c0_3, %c0_4] : memref<3x128x256xbf16, #tpu.memory_space<vmem>>, vector<1x128x256xbf16>
    %4 = vector.shape_cast %3 : vector<1x128x256xbf16> to vector<128x256xbf16>
    %cst_5 = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %5 = tpu.matmul %2, %4, %cst_5 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x256xbf16>, vector<128x256xf32> -> vector<128x256xf32>
    %6 = arith.addf %0, %5 : vector<128x256xf32>
    %c0_6 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_7 = arith.constant 0 : index
    %7 = vector.load %arg1[%c0_6, %c1, %c0_7] : memref<1x130x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %8 = vector.shape_cast %7 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %c1_8 = arith.constant 1 : index
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %9 = vector.load %arg2[%c1_8, %c0_9, %c0_10] : memref<3x128x256xbf16, #tpu.memory_space<vmem>>, vector<1x128x256xbf16>
    %10 = vector.shape_cast %9 : vector<1x128x256xbf16> to vector<128x256xbf16>
    %cst_11 = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %11 = tpu.matmul %8, %10, %cst_11 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x256xbf16>, vector<128x256xf32> -> vector<128x256xf32>
    %12 = arith.addf %6, %11 : vector<128x256xf32>
    %c0_12 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c0_13 = arith.constant 0 : index
    %13 = vector.load %arg1[%c0_12, %c2, %c0_13] : memref<1x130x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %14 = vector.shape_cast %13 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %c2_14 = arith.constant 2 : index
    %c0_15 = arith.constant 0 : index
    %c0_16 = arith.constant 0 : index
    %15 = vector.load %arg2[%c2_14, %c0_15, %c0_16] : memref<3x128x256xbf16, #tpu.memory_space<vmem>>, vector<1x128x256xbf16>
    %16 = vector.shape_cast %15 : vector<1x128x256xbf16> to vector<128x256xbf16>
    %cst_17 = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %17 = tpu.matmul %14, %16, %cst_17 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x256xbf16>, vector<128x256xf32> -> vector<128x256xf32>
    %18 = arith.addf %12, %17 : vector<128x256xf32>
    %cst_18 = arith.constant 0.000000e+00 : f32
    %19 = vector.broadcast %cst_18 : f32 to vector<128x256xf32>
    %20 = arith.maximumf %18, %19 : vector<128x256xf32>
    %21 = arith.truncf %20 : vector<128x256xf32> to vector<128x256xbf16>
    %c0_19 = arith.constant 0 : index
    %c0_20 = arith.constant 0 : index
    %c0_21 = arith.constant 0 : index
    %22 = vector.load %arg3[%c0_19, %c0_20, %c0_21] : memref<1x128x256xbf16, #tpu.memory_space<vmem>>, vector<1x128x256xbf16>
    %23 = vector.shape_cast %22 : vector<1x128x256xbf16> to vector<128x256xbf16>
    %24 = vector.shape_cast %21 : vector<128x256xbf16> to vector<1x128x256xbf16>
    tpu.vector_store %arg3[%c0_19, %c0_20, %c0_21], %24 {strides = array<i32>} : memref<1x128x256xbf16, #tpu.memory_space<vmem>>, vector<1x128x256xbf16>,
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
    %c0_i32_2 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0, %c0_i32_1 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
