module @layernorm_backward_kernel {
  func.func @main(%arg0: i32, %arg1: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg2: memref<64x1xf32, #tpu.memory_space<vmem>>, %arg3: memref<64x1xf32, #tpu.memory_space<vmem>>, %arg4: memref<1x256xf32, #tpu.memory_space<vmem>>, %arg5: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg6: memref<64x256xf32, #tpu.memory_space<vmem>>, %arg7: memref<1x256xf32, #tpu.memory_space<vmem>>, %arg8: memref<1x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 64, 1>}, {transform_indices = @transform_2, window_bounds = array<i64: 64, 1>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_3, window_bounds = array<i64: 1, 256>}, {transform_indices = @transform_4, window_bounds = array<i64: 64, 256>}, {transform_indices = @transform_5, window_bounds = array<i64: 64, 256>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_6, window_bounds = array<i64: 1, 256>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_7, window_bounds = array<i64: 1, 256>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg0, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst_27 = arith.constant 0.000000e+00 : f32
      %45 = vector.broadcast %cst_27 : f32 to vector<1x256xf32>
      %c0_28 = arith.constant 0 : index
      %c0_29 = arith.constant 0 : index
      %46 = vector.load %arg7[%c0_28, %c0_29] : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
      tpu.vector_store %arg7[%c0_28, %c0_29], %45 {strides = array<i32>} : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>,
      %cst_30 = arith.constant 0.000000e+00 : f32
      %47 = vector.broadcast %cst_30 : f32 to vector<1x256xf32>
      %c0_31 = arith.constant 0 : index
      %c0_32 = arith.constant 0 : index
      %48 = vector.load %arg8[%c0_31, %c0_32] : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
      tpu.vector_store %arg8[%c0_31, %c0_32], %47 {strides = array<i32>} : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %3 = vector.load %arg5[%c0, %c0_1] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %4 = vector.load %arg1[%c0_2, %c0_3] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %5 = vector.load %arg2[%c0_4, %c0_5] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
    %6 = vector.broadcast %5 : vector<64x1xf32> to vector<64x256xf32>
    %7 = arith.subf %4, %6 : vector<64x256xf32>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %8 = vector.load %arg3[%c0_6, %c0_7] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
    %9 = vector.broadcast %8 : vector<64x1xf32> to vector<64x256xf32>
    %10 = arith.mulf %7, %9 : vector<64x256xf32>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %11 = vector.load %arg4[%c0_8, %c0_9] : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
    %12 = vector.broadcast %11 : vector<1x256xf32> to vector<64x256xf32>
    %13 = arith.mulf %3, %12 : vector<64x256xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<64xf32>
    %14 = vector.multi_reduction <add>, %13, %cst [1] : vector<64x256xf32> to vector<64xf32>
    %15 = vector.shape_cast %14 : vector<64xf32> to vector<64x1xf32>
    %cst_10 = arith.constant 2.560000e+02 : f32
    %16 = vector.broadcast %cst_10 : f32 to vector<64x1xf32>
    %17 = arith.divf %15, %16 : vector<64x1xf32>
    %18 = arith.mulf %13, %10 : vector<64x256xf32>
    %cst_11 = arith.constant dense<0.000000e+00> : vector<64xf32>
    %19 = vector.multi_reduction <add>, %18, %cst_11 [1] : vector<64x256xf32> to vector<64xf32>
    %20 = vector.shape_cast %19 : vector<64xf32> to vector<64x1xf32>
    %cst_12 = arith.constant 2.560000e+02 : f32
    %21 = vector.broadcast %cst_12 : f32 to vector<64x1xf32>
    %22 = arith.divf %20, %21 : vector<64x1xf32>
    %23 = vector.broadcast %17 : vector<64x1xf32> to vector<64x256xf32>
    %24 = arith.subf %13, %23 : vector<64x256xf32>
    %25 = vector.broadcast %22 : vector<64x1xf32> to vector<64x256xf32>
    %26 = arith.mulf %10, %25 : vector<64x256xf32>
    %27 = arith.subf %24, %26 : vector<64x256xf32>
    %c0_13 = arith.constant 0 : index
    %c0_14 = arith.constant 0 : index
    %28 = vector.load %arg3[%c0_13, %c0_14] : memref<64x1xf32, #tpu.memory_space<vmem>>, vector<64x1xf32>
    %29 = vector.broadcast %28 : vector<64x1xf32> to vector<64x256xf32>
    %30 = arith.mulf %27, %29 : vector<64x256xf32>
    %c0_15 = arith.constant 0 : index
    %c0_16 = arith.constant 0 : index
    %31 = vector.load %arg6[%c0_15, %c0_16] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    tpu.vector_store %arg6[%c0_15, %c0_16], %30 {strides = array<i32>} : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>,
    %c0_17 = arith.constant 0 : index
    %c0_18 = arith.constant 0 : index
    %32 = vector.load %arg7[%c0_17, %c0_18] : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
    %33 = vector.shape_cast %32 : vector<1x256xf32> to vector<1x256xf32>
    %34 = arith.mulf %3, %10 : vector<64x256xf32>
    %cst_19 = arith.constant dense<0.000000e+00> : vector<256xf32>
    %35 = vector.multi_reduction <add>, %34, %cst_19 [0] : vector<64x256xf32> to vector<256xf32>
    %36 = vector.shape_cast %35 : vector<256xf32> to vector<1x256xf32>
    %37 = arith.addf %33, %36 : vector<1x256xf32>
    %c0_20 = arith.constant 0 : index
    %c0_21 = arith.constant 0 : index
    %38 = vector.load %arg7[%c0_20, %c0_21] : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
    tpu.vector_store %arg7[%c0_20, %c0_21], %37 {strides = array<i32>} : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>,
    %c0_22 = arith.constant 0 : index
    %c0_23 = arith.constant 0 : index
    %39 = vector.load %arg8[%c0_22, %c0_23] : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
    %40 = vector.shape_cast %39 : vector<1x256xf32> to vector<1x256xf32>
    %cst_24 = arith.constant dense<0.000000e+00> : vector<256xf32>
    %41 = vector.multi_reduction <add>, %3, %cst_24 [0] : vector<64x256xf32> to vector<256xf32>
    %42 = vector.shape_cast %41 : vector<256xf32> to vector<1x256xf32>
    %43 = arith.addf %40, %42 : vector<1x256xf32>
    %c0_25 = arith.constant 0 : index
    %c0_26 = arith.constant 0 : index
    %44 = vector.load %arg8[%c0_25, %c0_26] : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>
    tpu.vector_store %arg8[%c0_25, %c0_26], %43 {strides = array<i32>} : memref<1x256xf32, #tpu.memory_space<vmem>>, vector<1x256xf32>,
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
    return %arg0, %c0_i32 : i32, i32
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
  func.func @transform_5(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_6(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
  func.func @transform_7(%arg0: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %c0_i32, %c0_i32_0 : i32, i32
  }
}
