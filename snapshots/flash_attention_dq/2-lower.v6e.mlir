module @flash_attention_dq_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg4: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg5: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg6: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg7: memref<1x128x1xf32, #tpu.memory_space<vmem>>, %arg8: memref<1x128x1xf32, #tpu.memory_space<vmem>>, %arg9: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg10: memref<128x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 2, 2>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_4, window_bounds = array<i64: 1, 128, 1>}, {transform_indices = @transform_5, window_bounds = array<i64: 1, 128, 1>}, {transform_indices = @transform_6, window_bounds = array<i64: 1, 128, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg2, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst_30 = arith.constant 0.000000e+00 : f32
      %39 = vector.broadcast %cst_30 : f32 to vector<128x128xf32>
      %c0_31 = arith.constant 0 : index
      %c0_32 = arith.constant 0 : index
      %40 = vector.load %arg10[%c0_31, %c0_32] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %41 = vector.shape_cast %40 : vector<128x128xf32> to vector<128x128xf32>
      %42 = vector.shape_cast %39 : vector<128x128xf32> to vector<128x128xf32>
      tpu.vector_store %arg10[%c0_31, %c0_32], %42 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %3 = vector.load %arg3[%c0, %c0_1, %c0_2] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %4 = vector.shape_cast %3 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %5 = vector.load %arg4[%c0_3, %c0_4, %c0_5] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %6 = vector.shape_cast %5 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %7 = tpu.matmul %4, %6, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [1], [0], [0], [0, 0, 1, 0], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
    %cst_6 = arith.constant 0.0883883461 : f32
    %8 = vector.broadcast %cst_6 : f32 to vector<128x128xf32>
    %9 = arith.mulf %7, %8 : vector<128x128xf32>
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %10 = vector.load %arg7[%c0_7, %c0_8, %c0_9] : memref<1x128x1xf32, #tpu.memory_space<vmem>>, vector<1x128x1xf32>
    %11 = vector.shape_cast %10 : vector<1x128x1xf32> to vector<128x1xf32>
    %12 = vector.broadcast %11 : vector<128x1xf32> to vector<128x128xf32>
    %13 = arith.subf %9, %12 : vector<128x128xf32>
    %14 = math.exp %13 : vector<128x128xf32>
    %c0_10 = arith.constant 0 : index
    %c0_11 = arith.constant 0 : index
    %c0_12 = arith.constant 0 : index
    %15 = vector.load %arg6[%c0_10, %c0_11, %c0_12] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %16 = vector.shape_cast %15 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %c0_13 = arith.constant 0 : index
    %c0_14 = arith.constant 0 : index
    %c0_15 = arith.constant 0 : index
    %17 = vector.load %arg5[%c0_13, %c0_14, %c0_15] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %18 = vector.shape_cast %17 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %cst_16 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %19 = tpu.matmul %16, %18, %cst_16 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [1], [0], [0], [0, 0, 1, 0], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
    %c0_17 = arith.constant 0 : index
    %c0_18 = arith.constant 0 : index
    %c0_19 = arith.constant 0 : index
    %20 = vector.load %arg8[%c0_17, %c0_18, %c0_19] : memref<1x128x1xf32, #tpu.memory_space<vmem>>, vector<1x128x1xf32>
    %21 = vector.shape_cast %20 : vector<1x128x1xf32> to vector<128x1xf32>
    %22 = vector.broadcast %21 : vector<128x1xf32> to vector<128x128xf32>
    %23 = arith.subf %19, %22 : vector<128x128xf32>
    %24 = arith.mulf %14, %23 : vector<128x128xf32>
    %cst_20 = arith.constant 0.0883883461 : f32
    %25 = vector.broadcast %cst_20 : f32 to vector<128x128xf32>
    %26 = arith.mulf %24, %25 : vector<128x128xf32>
    %c0_21 = arith.constant 0 : index
    %c0_22 = arith.constant 0 : index
    %27 = vector.load %arg10[%c0_21, %c0_22] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
    %28 = arith.truncf %26 : vector<128x128xf32> to vector<128x128xbf16>
    %c0_23 = arith.constant 0 : index
    %c0_24 = arith.constant 0 : index
    %c0_25 = arith.constant 0 : index
    %29 = vector.load %arg4[%c0_23, %c0_24, %c0_25] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %30 = vector.shape_cast %29 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %cst_26 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %31 = tpu.matmul %28, %30, %cst_26 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
    %32 = arith.addf %27, %31 : vector<128x128xf32>
    %c0_27 = arith.constant 0 : index
    %c0_28 = arith.constant 0 : index
    %33 = vector.load %arg10[%c0_27, %c0_28] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
    %34 = vector.shape_cast %33 : vector<128x128xf32> to vector<128x128xf32>
    %35 = vector.shape_cast %32 : vector<128x128xf32> to vector<128x128xf32>
    tpu.vector_store %arg10[%c0_27, %c0_28], %35 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    %c1_i32 = arith.constant 1 : i32
    %36 = arith.cmpi eq, %arg2, %c1_i32 : i32
    %37 = arith.extui %36 : i1 to i32
    %c0_i32_29 = arith.constant 0 : i32
    %38 = arith.cmpi ne, %37, %c0_i32_29 : i32
    scf.if %38 {
      %c0_30 = arith.constant 0 : index
      %c0_31 = arith.constant 0 : index
      %39 = vector.load %arg10[%c0_30, %c0_31] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %40 = arith.truncf %39 : vector<128x128xf32> to vector<128x128xbf16>
      %c0_32 = arith.constant 0 : index
      %c0_33 = arith.constant 0 : index
      %c0_34 = arith.constant 0 : index
      %41 = vector.load %arg9[%c0_32, %c0_33, %c0_34] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
      %42 = vector.shape_cast %41 : vector<1x128x128xbf16> to vector<128x128xbf16>
      %43 = vector.shape_cast %40 : vector<128x128xbf16> to vector<1x128x128xbf16>
      tpu.vector_store %arg9[%c0_32, %c0_33, %c0_34], %43 {strides = array<i32>} : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>,
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg2, %c0_i32 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg2, %c0_i32 : i32, i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_4(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_5(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_6(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
}
