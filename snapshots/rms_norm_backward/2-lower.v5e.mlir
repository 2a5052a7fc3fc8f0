module @rms_norm_backward_kernel {
  func.func @main(%arg0: i32, %arg1: memref<128x512xbf16, #tpu.memory_space<vmem>>, %arg2: memref<1x512xf32, #tpu.memory_space<vmem>>, %arg3: memref<128x512xbf16, #tpu.memory_space<vmem>>, %arg4: memref<128x512xbf16, #tpu.memory_space<vmem>>, %arg5: memref<1x512xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 512>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 1, 512>}, {transform_indices = @transform_2, window_bounds = array<i64: 128, 512>}, {transform_indices = @transform_3, window_bounds = array<i64: 128, 512>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_4, window_bounds = array<i64: 1, 512>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg1[%c0, %c0_0] : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>
    %1 = arith.extf %0 : vector<128x512xbf16> to vector<128x512xf32>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %2 = vector.load %arg3[%c0_1, %c0_2] : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>
    %3 = arith.extf %2 : vector<128x512xbf16> to vector<128x512xf32>
    %4 = arith.mulf %1, %1 : vector<128x512xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<128xf32>
    %5 = vector.multi_reduction <add>, %4, %cst [1] : vector<128x512xf32> to vector<128xf32>
    %6 = vector.shape_cast %5 : vector<128xf32> to vector<128x1xf32>
    %cst_3 = arith.constant 5.120000e+02 : f32
    %7 = vector.broadcast %cst_3 : f32 to vector<128x1xf32>
    %8 = arith.divf %6, %7 : vector<128x1xf32>
    %cst_4 = arith.constant 9.99999997E-7 : f32
    %9 = vector.broadcast %cst_4 : f32 to vector<128x1xf32>
    %10 = arith.addf %8, %9 : vector<128x1xf32>
    %11 = math.rsqrt %10 : vector<128x1xf32>
    %12 = vector.broadcast %11 : vector<128x1xf32> to vector<128x512xf32>
    %13 = arith.mulf %1, %12 : vector<128x512xf32>
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %14 = vector.load %arg2[%c0_5, %c0_6] : memref<1x512xf32, #tpu.memory_space<vmem>>, vector<1x512xf32>
    %15 = vector.broadcast %14 : vector<1x512xf32> to vector<128x512xf32>
    %16 = arith.mulf %3, %15 : vector<128x512xf32>
    %17 = arith.mulf %16, %13 : vector<128x512xf32>
    %cst_7 = arith.constant dense<0.000000e+00> : vector<128xf32>
    %18 = vector.multi_reduction <add>, %17, %cst_7 [1] : vector<128x512xf32> to vector<128xf32>
    %19 = vector.shape_cast %18 : vector<128xf32> to vector<128x1xf32>
    %cst_8 = arith.constant 5.120000e+02 : f32
    %20 = vector.broadcast %cst_8 : f32 to vector<128x1xf32>
    %21 = arith.divf %19, %20 : vector<128x1xf32>
    %22 = vector.broadcast %21 : vector<128x1xf32> to vector<128x512xf32>
    %23 = arith.mulf %13, %22 : vector<128x512xf32>
    %24 = arith.subf %16, %23 : vector<128x512xf32>
    %25 = vector.broadcast %11 : vector<128x1xf32> to vector<128x512xf32>
    %26 = arith.mulf %24, %25 : vector<128x512xf32>
    %27 = arith.truncf %26 : vector<128x512xf32> to vector<128x512xbf16>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %28 = vector.load %arg4[%c0_9, %c0_10] : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>
    tpu.vector_store %arg4[%c0_9, %c0_10], %27 {strides = array<i32>} : memref<128x512xbf16, #tpu.memory_space<vmem>>, vector<128x512xbf16>,
    %c0_i32 = arith.constant 0 : i32
    %29 = arith.cmpi eq, %arg0, %c0_i32 : i32
    %30 = arith.extui %29 : i1 to i32
    %c0_i32_11 = arith.constant 0 : i32
    %31 = arith.cmpi ne, %30, %c0_i32_11 : i32
    scf.if %31 {
      %cst_17 = arith.constant 0.000000e+00 : f32
      %39 = vector.broadcast %cst_17 : f32 to vector<1x512xf32>
      %c0_18 = arith.constant 0 : index
      %c0_19 = arith.constant 0 : index
      %40 = vector.load %arg5[%c0_18, %c0_19] : memref<1x512xf32, #tpu.memory_space<vmem>>, vector<1x512xf32>
      tpu.vector_store %arg5[%c0_18, %c0_19], %39 {strides = array<i32>} : memref<1x512xf32, #tpu.memory_space<vmem>>, vector<1x512xf32>,
    } else {
    }
    %c0_12 = arith.constant 0 : index
    %c0_13 = arith.constant 0 : index
    %32 = vector.load %arg5[%c0_12, %c0_13] : memref<1x512xf32, #tpu.memory_space<vmem>>, vector<1x512xf32>
    %33 = vector.shape_cast %32 : vector<1x512xf32> to vector<1x512xf32>
    %34 = arith.mulf %3, %13 : vector<128x512xf32>
    %cst_14 = arith.constant dense<0.000000e+00> : vector<512xf32>
    %35 = vector.multi_reduction <add>, %34, %cst_14 [0] : vector<128x512xf32> to vector<512xf32>
    %36 = vector.shape_cast %35 : vector<512xf32> to vector<1x512xf32>
    %37 = arith.addf %33, %36 : vector<1x512xf32>
    %c0_15 = arith.constant 0 : index
    %c0_16 = arith.constant 0 : index
    %38 = vector.load %arg5[%c0_15, %c0_16] : memref<1x512xf32, #tpu.memory_space<vmem>>, vector<1x512xf32>
    tpu.vector_store %arg5[%c0_15, %c0_16], %37 {strides = array<i32>} : memref<1x512xf32, #tpu.memory_space<vmem>>, vector<1x512xf32>,
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
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
}
