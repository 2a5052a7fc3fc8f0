module @batched_matmul_kernel {
  func.func @main(%arg0: i32, %arg1: memref<1x128x512xbf16, #tpu.memory_space<vmem>>, %arg2: memref<1x512x128xbf16, #tpu.memory_space<vmem>>, %arg3: memref<1x128x128xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 128, 512>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 512, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 128, 128>}]} {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = vector.broadcast %cst : f32 to vector<128x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %1 = arith.addi %c0_i32, %c4_i32 : i32
    %c1_i32 = arith.constant 1 : i32
    %2 = scf.for %arg4 = %c0_i32 to %1 step %c1_i32 iter_args(%arg5 = %0) -> (vector<128x128xf32>)  : i32 {
      %c128_i32 = arith.constant 128 : i32
      %7 = arith.muli %arg4, %c128_i32 : i32
      %8 = tpu.assume_multiple %7, 128 : i32
      %c0_3 = arith.constant 0 : index
      %c0_4 = arith.constant 0 : index
      %9 = arith.index_cast %8 : i32 to index
      %10 = vector.load %arg1[%c0_3, %c0_4, %9] : memref<1x128x512xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
      %11 = vector.shape_cast %10 : vector<1x128x128xbf16> to vector<128x128xbf16>
      %c0_5 = arith.constant 0 : index
      %12 = arith.index_cast %8 : i32 to index
      %c0_6 = arith.constant 0 : index
      %13 = vector.load %arg2[%c0_5, %12, %c0_6] : memref<1x512x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
      %14 = vector.shape_cast %13 : vector<1x128x128xbf16> to vector<128x128xbf16>
      %cst_7 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
      %15 = tpu.matmul %11, %14, %cst_7 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
      %16 = arith.addf %arg5, %15 : vector<128x128xf32>
      scf.yield %16 : vector<128x128xf32>
    }
    %c4_i32_0 = arith.constant 4 : i32
    %3 = arith.truncf %2 : vector<128x128xf32> to vector<128x128xbf16>
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %4 = vector.load %arg3[%c0, %c0_1, %c0_2] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %5 = vector.shape_cast %4 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %6 = vector.shape_cast %3 : vector<128x128xbf16> to vector<1x128x128xbf16>
    tpu.vector_store %arg3[%c0, %c0_1, %c0_2], %6 {strides = array<i32>} : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>,
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
  func.func @transform_2(%arg0: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
}
