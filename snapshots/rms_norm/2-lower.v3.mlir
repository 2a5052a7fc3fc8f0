module @rms_norm_kernel {
  func.func @main(%arg0: i32, %arg1: memref<128x1024xbf16, #tpu.memory_space<vmem>>, %arg2: memref<128x1024xbf16, #tpu.memory_space<vmem>>, %arg3: memref<1x1024xf32, #tpu.memory_space<vmem>>, %arg4: memref<128x1024xbf16, #tpu.memory_space<vmem>>, %arg5: memref<128x1024xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 1024>}, {transform_indices = @transform_1, window_bounds = array<i64: 128, 1024>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_2, window_bounds = array<i64: 1, 1024>}, {transform_indices = @transform_3, window_bounds = array<i64: 128, 1024>}, {transform_indices = @transform_4, window_bounds = array<i64: 128, 1024>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<128x1024xbf16, #tpu.memory_space<vmem>>, vector<128x1024xbf16>
    %1 = arith.extf %0 : vector<128x1024xbf16> to vector<128x1024xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %2 = vector.load %arg2[%c0_1, %c0_2] : memref<128x1024xbf16, #tpu.memory_space<vmem>>, vector<128x1024xbf16>
    %3 = arith.extf %2 : vector<128x1024xbf16> to vector<128x1024xf32>
    %4 = arith.addf %1, %3 : vector<128x1024xf32>
    %5 = arith.truncf %4 : vector<128x1024xf32> to vector<128x1024xbf16>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %6 = vector.load %arg5[%c0_3, %c0_4] : memref<128x1024xbf16, #tpu.memory_space<vmem>>, vector<128x1024xbf16>
    tpu.vector_store %arg5[%c0_3, %c0_4], %5 {strides = array<i32>} : memref<128x1024xbf16, #tpu.memory_space<vmem>>, vector<128x1024xbf16>,
    %7 = arith.mulf %4, %4 : vector<128x1024xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<128xf32>
    %8 = vector.multi_reduction <add>, %7, %cst [1] : vector<128x1024xf32> to vector<128xf32>
    %9 = vector.shape_cast %8 : vector<128xf32> to vector<128x1xf32>
    %cst_5 = arith.constant 1.024000e+03 : f32
    %10 = vector.broadcast %cst_5 : f32 to vector<128x1xf32>
    %11 = arith.divf %9, %10 : vector<128x1xf32>
    %cst_6 = arith.constant 9.99999997E-7 : f32
    %12 = vector.broadcast %cst_6 : f32 to vector<128x1xf32>
    %13 = arith.addf %11, %12 : vector<128x1xf32>
    %14 = math.rsqrt %13 : vector<128x1xf32>
    %15 = vector.broadcast %14 : vector<128x1xf32> to vector<128x1024xf32>
    %16 = arith.mulf %4, %15 : vector<128x1024xf32>
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %17 = vector.load %arg3[%c0_7, %c0_8] : memref<1x1024xf32, #tpu.memory_space<vmem>>, vector<1x1024xf32>
    %18 = vector.broadcast %17 : vector<1x1024xf32> to vector<128x1024xf32>
    %19 = arith.mulf %16, %18 : vector<128x1024xf32>
    %20 = arith.truncf %19 : vector<128x1024xf32> to vector<128x1024xbf16>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %21 = vector.load %arg4[%c0_9, %c0_10] : memref<128x1024xbf16, #tpu.memory_space<vmem>>, vector<128x1024xbf16>
    tpu.vector_store %arg4[%c0_9, %c0_10], %20 {strides = array<i32>} : memref<128x1024xbf16, #tpu.memory_space<vmem>>, vector<128x1024xbf16>,
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
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
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
}
