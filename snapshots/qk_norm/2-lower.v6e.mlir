module @qk_norm_kernel {
  func.func @main(%arg0: i32, %arg1: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg2: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg3: memref<1x128xf32, #tpu.memory_space<vmem>>, %arg4: memref<1x128xf32, #tpu.memory_space<vmem>>, %arg5: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg6: memref<1x256x128xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 256, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 256, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_2, window_bounds = array<i64: 1, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_3, window_bounds = array<i64: 1, 128>}, {transform_indices = @transform_4, window_bounds = array<i64: 1, 256, 128>}, {transform_indices = @transform_5, window_bounds = array<i64: 1, 256, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0, %c0_1] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %1 = vector.shape_cast %0 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %2 = vector.load %arg3[%c0_2, %c0_3] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    %3 = arith.extf %1 : vector<256x128xbf16> to vector<256x128xf32>
    %4 = arith.mulf %3, %3 : vector<256x128xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<256xf32>
    %5 = vector.multi_reduction <add>, %4, %cst [1] : vector<256x128xf32> to vector<256xf32>
    %6 = vector.shape_cast %5 : vector<256xf32> to vector<256x1xf32>
    %cst_4 = arith.constant 1.280000e+02 : f32
    %7 = vector.broadcast %cst_4 : f32 to vector<256x1xf32>
    %8 = arith.divf %6, %7 : vector<256x1xf32>
    %cst_5 = arith.constant 9.99999997E-7 : f32
    %9 = vector.broadcast %cst_5 : f32 to vector<256x1xf32>
    %10 = arith.addf %8, %9 : vector<256x1xf32>
    %11 = math.rsqrt %10 : vector<256x1xf32>
    %12 = vector.broadcast %11 : vector<256x1xf32> to vector<256x128xf32>
    %13 = arith.mulf %3, %12 : vector<256x128xf32>
    %14 = vector.broadcast %2 : vector<1x128xf32> to vector<256x128xf32>
    %15 = arith.mulf %13, %14 : vector<256x128xf32>
    %cst_6 = arith.constant 0.0883883461 : f32
    %16 = vector.broadcast %cst_6 : f32 to vector<256x128xf32>
    %17 = arith.mulf %15, %16 : vector<256x128xf32>
    %18 = arith.truncf %17 : vector<256x128xf32> to vector<256x128xbf16>
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %19 = vector.load %arg5[%c0_7, %c0_8, %c0_9] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %20 = vector.shape_cast %19 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %21 = vector.shape_cast %18 : vector<256x128xbf16> to vector<1x256x128xbf16>
    tpu.vector_store %arg5[%c0_7, %c0_8, %c0_9], %21 {strides = array<i32>} : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>,
    %c0_10 = arith.constant 0 : index
    %c0_11 = arith.constant 0 : index
    %c0_12 = arith.constant 0 : index
    %22 = vector.load %arg2[%c0_10, %c0_11, %c0_12] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %23 = vector.shape_cast %22 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %c0_13 = arith.constant 0 : index
    %c0_14 = arith.constant 0 : index
    %24 = vector.load %arg4[%c0_13, %c0_14] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    %25 = arith.extf %23 : vector<256x128xbf16> to vector<256x128xf32>
    %26 = arith.mulf %25, %25 : vector<256x128xf32>
    %cst_15 = arith.constant dense<0.000000e+00> : vector<256xf32>
    %27 = vector.multi_reduction <add>, %26, %cst_15 [1] : vector<256x128xf32> to vector<256xf32>
    %28 = vector.shape_cast %27 : vector<256xf32> to vector<256x1xf32>
    %cst_16 = arith.constant 1.280000e+02 : f32
    %29 = vector.broadcast %cst_16 : f32 to vector<256x1xf32>
    %30 = arith.divf %28, %29 : vector<256x1xf32>
    %cst_17 = arith.constant 9.99999997E-7 : f32
    %31 = vector.broadcast %cst_17 : f32 to vector<256x1xf32>
    %32 = arith.addf %30, %31 : vector<256x1xf32>
    %33 = math.rsqrt %32 : vector<256x1xf32>
    %34 = vector.broadcast %33 : vector<256x1xf32> to vector<256x128xf32>
    %35 = arith.mulf %25, %34 : vector<256x128xf32>
    %36 = vector.broadcast %24 : vector<1x128xf32> to vector<256x128xf32>
    %37 = arith.mulf %35, %36 : vector<256x128xf32>
    %38 = arith.truncf %37 : vector<256x128xf32> to vector<256x128xbf16>
    %c0_18 = arith.constant 0 : index
    %c0_19 = arith.constant 0 : index
    %c0_20 = arith.constant 0 : index
    %39 = vector.load %arg6[%c0_18, %c0_19, %c0_20] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %40 = vector.shape_cast %39 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %41 = vector.shape_cast %38 : vector<256x128xbf16> to vector<1x256x128xbf16>
    tpu.vector_store %arg6[%c0_18, %c0_19, %c0_20], %41 {strides = array<i32>} : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>,
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
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
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
  func.func @transform_4(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_5(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
