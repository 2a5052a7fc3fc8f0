module @linear_attention_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg3: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg4: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg5: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg6: memref<128x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 4>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 1, 128, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst_20 = arith.constant 0.000000e+00 : f32
      %30 = vector.broadcast %cst_20 : f32 to vector<128x128xf32>
      %c0_21 = arith.constant 0 : index
      %c0_22 = arith.constant 0 : index
      %31 = vector.load %arg6[%c0_21, %c0_22] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %32 = vector.shape_cast %31 : vector<128x128xf32> to vector<128x128xf32>
      %33 = vector.shape_cast %30 : vector<128x128xf32> to vector<128x128xf32>
      tpu.vector_store %arg6[%c0_21, %c0_22], %33 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %3 = vector.load %arg2[%c0, %c0_1, %c0_2] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %4 = vector.shape_cast %3 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %5 = vector.load %arg3[%c0_3, %c0_4, %c0_5] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %6 = vector.shape_cast %5 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %7 = vector.load %arg4[%c0_6, %c0_7, %c0_8] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %8 = vector.shape_cast %7 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %9 = tpu.matmul %4, %6, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [1], [0], [0], [0, 0, 1, 0], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
    %10 = tpu.iota {dimensions = array<i32: 0>} : vector<128x128xi32>
    %11 = tpu.iota {dimensions = array<i32: 1>} : vector<128x128xi32>
    %12 = arith.cmpi sge, %10, %11 : vector<128x128xi32>
    %cst_9 = arith.constant 0.000000e+00 : f32
    %13 = vector.broadcast %cst_9 : f32 to vector<128x128xf32>
    %14 = arith.select %12, %9, %13 : vector<128x128xi1>, vector<128x128xf32>
    %c0_10 = arith.constant 0 : index
    %c0_11 = arith.constant 0 : index
    %15 = vector.load %arg6[%c0_10, %c0_11] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
    %16 = arith.extf %8 : vector<128x128xbf16> to vector<128x128xf32>
    %cst_12 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %17 = tpu.matmul %14, %16, %cst_12 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xf32>, vector<128x128xf32>, vector<128x128xf32> -> vector<128x128xf32>
    %18 = arith.extf %4 : vector<128x128xbf16> to vector<128x128xf32>
    %cst_13 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %19 = tpu.matmul %18, %15, %cst_13 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xf32>, vector<128x128xf32>, vector<128x128xf32> -> vector<128x128xf32>
    %20 = arith.addf %17, %19 : vector<128x128xf32>
    %21 = arith.truncf %20 : vector<128x128xf32> to vector<128x128xbf16>
    %c0_14 = arith.constant 0 : index
    %c0_15 = arith.constant 0 : index
    %c0_16 = arith.constant 0 : index
    %22 = vector.load %arg5[%c0_14, %c0_15, %c0_16] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %23 = vector.shape_cast %22 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %24 = vector.shape_cast %21 : vector<128x128xbf16> to vector<1x128x128xbf16>
    tpu.vector_store %arg5[%c0_14, %c0_15, %c0_16], %24 {strides = array<i32>} : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>,
    %cst_17 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %25 = tpu.matmul %6, %8, %cst_17 {dimension_numbers = #tpu.dot_dimension_numbers<[0], [0], [1], [1], [0, 1, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
    %26 = arith.addf %15, %25 : vector<128x128xf32>
    %c0_18 = arith.constant 0 : index
    %c0_19 = arith.constant 0 : index
    %27 = vector.load %arg6[%c0_18, %c0_19] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
    %28 = vector.shape_cast %27 : vector<128x128xf32> to vector<128x128xf32>
    %29 = vector.shape_cast %26 : vector<128x128xf32> to vector<128x128xf32>
    tpu.vector_store %arg6[%c0_18, %c0_19], %29 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
}
