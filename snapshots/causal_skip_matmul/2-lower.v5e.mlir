module @causal_skip_matmul_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<128x128xbf16, #tpu.memory_space<vmem>>, %arg3: memref<128x128xbf16, #tpu.memory_space<vmem>>, %arg4: memref<128x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 4, 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 128, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 128, 128>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst = arith.constant 0.000000e+00 : f32
      %6 = vector.broadcast %cst : f32 to vector<128x128xf32>
      %c0 = arith.constant 0 : index
      %c0_2 = arith.constant 0 : index
      %7 = vector.load %arg4[%c0, %c0_2] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      tpu.vector_store %arg4[%c0, %c0_2], %6 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    } else {
    }
    %3 = arith.cmpi sle, %arg1, %arg0 : i32
    %4 = arith.extui %3 : i1 to i32
    %c0_i32_1 = arith.constant 0 : i32
    %5 = arith.cmpi ne, %4, %c0_i32_1 : i32
    scf.if %5 {
      %c0 = arith.constant 0 : index
      %c0_2 = arith.constant 0 : index
      %6 = vector.load %arg2[%c0, %c0_2] : memref<128x128xbf16, #tpu.memory_space<vmem>>, vector<128x128xbf16>
      %c128_i32 = arith.constant 128 : i32
      %7 = arith.muli %arg0, %c128_i32 : i32
      %8 = tpu.iota {dimensions = array<i32: 0>} : vector<128x128xi32>
      %9 = vector.broadcast %7 : i32 to vector<128x128xi32>
      %10 = arith.addi %9, %8 : vector<128x128xi32>
      %c128_i32_3 = arith.constant 128 : i32
      %11 = arith.muli %arg1, %c128_i32_3 : i32
      %12 = tpu.iota {dimensions = array<i32: 1>} : vector<128x128xi32>
      %13 = vector.broadcast %11 : i32 to vector<128x128xi32>
      %14 = arith.addi %13, %12 : vector<128x128xi32>
      %15 = arith.cmpi sge, %10, %14 : vector<128x128xi32>
      %16 = arith.extf %6 : vector<128x128xbf16> to vector<128x128xf32>
      %cst = arith.constant 0.000000e+00 : f32
      %17 = vector.broadcast %cst : f32 to vector<128x128xf32>
      %18 = arith.select %15, %16, %17 : vector<128x128xi1>, vector<128x128xf32>
      %c0_4 = arith.constant 0 : index
      %c0_5 = arith.constant 0 : index
      %19 = vector.load %arg4[%c0_4, %c0_5] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %20 = vector.shape_cast %19 : vector<128x128xf32> to vector<128x128xf32>
      %c0_6 = arith.constant 0 : index
      %c0_7 = arith.constant 0 : index
      %21 = vector.load %arg3[%c0_6, %c0_7] : memref<128x128xbf16, #tpu.memory_space<vmem>>, vector<128x128xbf16>
      %22 = arith.extf %21 : vector<128x128xbf16> to vector<128x128xf32>
      %cst_8 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
      %23 = tpu.matmul %18, %22, %cst_8 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xf32>, vector<128x128xf32>, vector<128x128xf32> -> vector<128x128xf32>
      %24 = arith.addf %20, %23 : vector<128x128xf32>
      %c0_9 = arith.constant 0 : index
      %c0_10 = arith.constant 0 : index
      %25 = vector.load %arg4[%c0_9, %c0_10] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      tpu.vector_store %arg4[%c0_9, %c0_10], %24 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %0 = arith.minsi %arg0, %arg1 : i32
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %0 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %0 = arith.minsi %arg0, %arg1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %0, %c0_i32 : i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
