module @layernorm_kernel {
  func.func @main(%arg0: i32, %arg1: memref<128x1024xbf16, #tpu.memory_space<vmem>>, %arg2: memref<1x1024xf32, #tpu.memory_space<vmem>>, %arg3: memref<1x1024xf32, #tpu.memory_space<vmem>>, %arg4: memref<128x1024xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 1024>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 1, 1024>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_2, window_bounds = array<i64: 1, 1024>}, {transform_indices = @transform_3, window_bounds = array<i64: 128, 1024>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<128x1024xbf16, #tpu.memory_space<vmem>>, vector<128x1024xbf16>
    %1 = arith.extf %0 : vector<128x1024xbf16> to vector<128x1024xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<128xf32>
    %2 = vector.multi_reduction <add>, %1, %cst [1] : vector<128x1024xf32> to vector<128xf32>
    %3 = vector.shape_cast %2 : vector<128xf32> to vector<128x1xf32>
    %cst_1 = arith.constant 1.024000e+03 : f32
    %4 = vector.broadcast %cst_1 : f32 to vector<128x1xf32>
    %5 = arith.divf %3, %4 : vector<128x1xf32>
    %6 = vector.broadcast %5 : vector<128x1xf32> to vector<128x1024xf32>
    %7 = arith.subf %1, %6 : vector<128x1024xf32>
    %8 = arith.mulf %7, %7 : vector<128x1024xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : vector<128xf32>
    %9 = vector.multi_reduction <add>, %8, %cst_2 [1] : vector<128x1024xf32> to vector<128xf32>
    %10 = vector.shape_cast %9 : vector<128xf32> to vector<128x1xf32>
    %cst_3 = arith.constant 1.024000e+03 : f32
    %11 = vector.broadcast %cst_3 : f32 to vector<128x1xf32>
    %12 = arith.divf %10, %11 : vector<128x1xf32>
    %cst_4 = arith.constant 9.99999974E-6 : f32
    %13 = vector.broadcast %cst_4 : f32 to vector<128x1xf32>
    %14 = arith.addf %12, %13 : vector<128x1xf32>
    %15 = math.rsqrt %14 : vector<128x1xf32>
    %16 = vector.broadcast %15 : vector<128x1xf32> to vector<128x1024xf32>
    %17 = arith.mulf %7, %16 : vector<128x1024xf32>
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %18 = vector.load %arg2[%c0_5, %c0_6] : memref<1x1024xf32, #tpu.memory_space<vmem>>, vector<1x1024xf32>
    %19 = vector.broadcast %18 : vector<1x1024xf32> to vector<128x1024xf32>
    %20 = arith.mulf %17, %19 : vector<128x1024xf32>
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %21 = vector.load %arg3[%c0_7, %c0_8] : memref<1x1024xf32, #tpu.memory_space<vmem>>, vector<1x1024xf32>
    %22 = vector.broadcast %21 : vector<1x1024xf32> to vector<128x1024xf32>
    %23 = arith.addf %20, %22 : vector<128x1024xf32>
    %24 = arith.truncf %23 : vector<128x1024xf32> to vector<128x1024xbf16>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %25 = vector.load %arg4[%c0_9, %c0_10] : memref<128x1024xbf16, #tpu.memory_space<vmem>>, vector<128x1024xbf16>
    tpu.vector_store %arg4[%c0_9, %c0_10], %24 {strides = array<i32>} : memref<128x1024xbf16, #tpu.memory_space<vmem>>, vector<128x1024xbf16>,
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
    return %arg0, %c0_i32 : i32, i32
  }
}
