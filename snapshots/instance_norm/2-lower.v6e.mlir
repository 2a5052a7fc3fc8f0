module @instance_norm_kernel {
  func.func @main(%arg0: i32, %arg1: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg2: memref<1x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<1x128xf32, #tpu.memory_space<vmem>>, %arg4: memref<1x256x128xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 256, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 1, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_2, window_bounds = array<i64: 1, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 1, 256, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0, %c0_1] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %1 = vector.shape_cast %0 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %2 = arith.extf %1 : vector<256x128xbf16> to vector<256x128xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<128xf32>
    %3 = vector.multi_reduction <add>, %2, %cst [0] : vector<256x128xf32> to vector<128xf32>
    %4 = vector.shape_cast %3 : vector<128xf32> to vector<1x128xf32>
    %cst_2 = arith.constant 2.560000e+02 : f32
    %5 = vector.broadcast %cst_2 : f32 to vector<1x128xf32>
    %6 = arith.divf %4, %5 : vector<1x128xf32>
    %7 = vector.broadcast %6 : vector<1x128xf32> to vector<256x128xf32>
    %8 = arith.subf %2, %7 : vector<256x128xf32>
    %9 = arith.mulf %8, %8 : vector<256x128xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : vector<128xf32>
    %10 = vector.multi_reduction <add>, %9, %cst_3 [0] : vector<256x128xf32> to vector<128xf32>
    %11 = vector.shape_cast %10 : vector<128xf32> to vector<1x128xf32>
    %cst_4 = arith.constant 2.560000e+02 : f32
    %12 = vector.broadcast %cst_4 : f32 to vector<1x128xf32>
    %13 = arith.divf %11, %12 : vector<1x128xf32>
    %cst_5 = arith.constant 9.99999974E-6 : f32
    %14 = vector.broadcast %cst_5 : f32 to vector<1x128xf32>
    %15 = arith.addf %13, %14 : vector<1x128xf32>
    %16 = math.rsqrt %15 : vector<1x128xf32>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %17 = vector.load %arg2[%c0_6, %c0_7] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    %18 = arith.mulf %16, %17 : vector<1x128xf32>
    %19 = vector.broadcast %18 : vector<1x128xf32> to vector<256x128xf32>
    %20 = arith.mulf %2, %19 : vector<256x128xf32>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %21 = vector.load %arg3[%c0_8, %c0_9] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
    %22 = arith.mulf %6, %18 : vector<1x128xf32>
    %23 = arith.subf %21, %22 : vector<1x128xf32>
    %24 = vector.broadcast %23 : vector<1x128xf32> to vector<256x128xf32>
    %25 = arith.addf %20, %24 : vector<256x128xf32>
    %26 = arith.truncf %25 : vector<256x128xf32> to vector<256x128xbf16>
    %c0_10 = arith.constant 0 : index
    %c0_11 = arith.constant 0 : index
    %c0_12 = arith.constant 0 : index
    %27 = vector.load %arg4[%c0_10, %c0_11, %c0_12] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %28 = vector.shape_cast %27 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %29 = vector.shape_cast %26 : vector<256x128xbf16> to vector<1x256x128xbf16>
    tpu.vector_store %arg4[%c0_10, %c0_11, %c0_12], %29 {strides = array<i32>} : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>,
    return
  }
  func.func @transform_0(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
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
  func.func @transform_3(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
