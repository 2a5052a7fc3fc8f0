module @softmax_states_kernel {
  func.func @main(%arg0: i32, %arg1: memref<128x128xbf16, #tpu.memory_space<vmem>>, %arg2: memref<512x128xbf16, #tpu.memory_space<vmem>>, %arg3: memref<512x128xbf16, #tpu.memory_space<vmem>>, %arg4: memref<128x128xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_1, window_bounds = array<i64: 512, 128>}, {pipeline_mode = #tpu.pipeline_mode<synchronous>, transform_indices = @transform_2, window_bounds = array<i64: 512, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 128, 128>}]} {
    %c128_i32 = arith.constant 128 : i32
    %0 = arith.muli %arg0, %c128_i32 : i32
    %cst = arith.constant 0xFF800000 : f32
    %1 = vector.broadcast %cst : f32 to vector<128x1xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %2 = vector.broadcast %cst_0 : f32 to vector<128x1xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %3 = vector.broadcast %cst_1 : f32 to vector<128x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %4 = arith.addi %c0_i32, %c4_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %5:3 = scf.for %arg5 = %c0_i32 to %4 step %c1_i32 iter_args(%arg6 = %1, %arg7 = %2, %arg8 = %3) -> (vector<128x1xf32>, vector<128x1xf32>, vector<128x128xf32>)  : i32 {
      %c128_i32_4 = arith.constant 128 : i32
      %10 = arith.muli %arg5, %c128_i32_4 : i32
      %11 = tpu.assume_multiple %10, 128 : i32
      %12 = arith.index_cast %11 : i32 to index
      %c0_5 = arith.constant 0 : index
      %13 = vector.load %arg2[%12, %c0_5] : memref<512x128xbf16, #tpu.memory_space<vmem>>, vector<128x128xbf16>
      %14 = arith.index_cast %11 : i32 to index
      %c0_6 = arith.constant 0 : index
      %15 = vector.load %arg3[%14, %c0_6] : memref<512x128xbf16, #tpu.memory_space<vmem>>, vector<128x128xbf16>
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %16 = vector.load %arg1[%c0_7, %c0_8] : memref<128x128xbf16, #tpu.memory_space<vmem>>, vector<128x128xbf16>
      %cst_9 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
      %17 = tpu.matmul %16, %13, %cst_9 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [1], [0], [0], [0, 0, 1, 0], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
      %18 = tpu.iota {dimensions = array<i32: 0>} : vector<128x128xi32>
      %19 = vector.broadcast %0 : i32 to vector<128x128xi32>
      %20 = arith.addi %19, %18 : vector<128x128xi32>
      %21 = tpu.iota {dimensions = array<i32: 1>} : vector<128x128xi32>
      %22 = vector.broadcast %11 : i32 to vector<128x128xi32>
      %23 = arith.addi %22, %21 : vector<128x128xi32>
      %24 = arith.cmpi sle, %23, %20 : vector<128x128xi32>
      %cst_10 = arith.constant -3.40282347E+38 : f32
      %25 = vector.broadcast %cst_10 : f32 to vector<128x128xf32>
      %26 = arith.select %24, %17, %25 : vector<128x128xi1>, vector<128x128xf32>
      %cst_11 = arith.constant dense<0xFF800000> : vector<128xf32>
      %27 = vector.multi_reduction <maximumf>, %26, %cst_11 [1] : vector<128x128xf32> to vector<128xf32>
      %28 = vector.shape_cast %27 : vector<128xf32> to vector<128x1xf32>
      %29 = arith.maximumf %arg6, %28 : vector<128x1xf32>
      %30 = vector.broadcast %29 : vector<128x1xf32> to vector<128x128xf32>
      %31 = arith.subf %26, %30 : vector<128x128xf32>
      %32 = math.exp %31 : vector<128x128xf32>
      %33 = arith.subf %arg6, %29 : vector<128x1xf32>
      %34 = math.exp %33 : vector<128x1xf32>
      %35 = vector.broadcast %34 : vector<128x1xf32> to vector<128x128xf32>
      %36 = arith.mulf %arg8, %35 : vector<128x128xf32>
      %37 = arith.truncf %32 : vector<128x128xf32> to vector<128x128xbf16>
      %cst_12 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
      %38 = tpu.matmul %37, %15, %cst_12 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
      %39 = arith.addf %36, %38 : vector<128x128xf32>
      %40 = arith.mulf %arg7, %34 : vector<128x1xf32>
      %cst_13 = arith.constant dense<0.000000e+00> : vector<128xf32>
      %41 = vector.multi_reduction <add>, %32, %cst_13 [1] : vector<128x128xf32> to vector<128xf32>
      %42 = vector.shape_cast %41 : vector<128xf32> to vector<128x1xf32>
      %43 = arith.addf %40, %42 : vector<128x1xf32>
      scf.yield %29, %43, %39 : vector<128x1xf32>, vector<128x1xf32>, vector<128x128xf32>
    }
    %c4_i32_2 = arith.constant 4 : i32
    %6 = vector.broadcast %5#1 : vector<128x1xf32> to vector<128x128xf32>
    %7 = arith.divf %5#2, %6 : vector<128x128xf32>
    %8 = arith.truncf %7 : vector<128x128xf32> to vector<128x128xbf16>
    %c0 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %9 = vector.load %arg4[%c0, %c0_3] : memref<128x128xbf16, #tpu.memory_space<vmem>>, vector<128x128xbf16>
    tpu.vector_store %arg4[%c0, %c0_3], %8 {strides = array<i32>} : memref<128x128xbf16, #tpu.memory_space<vmem>>, vector<128x128xbf16>,
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
