module @int4_weight_matmul_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<64x128xbf16, #tpu.memory_space<vmem>>, %arg3: memref<128x256xi4, #tpu.memory_space<vmem>>, %arg4: memref<1x1x256xf32, #tpu.memory_space<vmem>>, %arg5: memref<64x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 4>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 64, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 128, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 1, 256>}, {transform_indices = @transform_3, window_bounds = array<i64: 64, 256>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst_11 = arith.constant 0.000000e+00 : f32
      %15 = vector.broadcast %cst_11 : f32 to vector<64x256xf32>
      %c0_12 = arith.constant 0 : index
      %c0_13 = arith.constant 0 : index
      %16 = vector.load %arg5[%c0_12, %c0_13] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
      tpu.vector_store %arg5[%c0_12, %c0_13], %15 {strides = array<i32>} : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %3 = vector.load %arg3[%c0, %c0_1] : memref<128x256xi4, #tpu.memory_space<vmem>>, vector<128x256xi4>
    %4 = arith.sitofp %3 : vector<128x256xi4> to vector<128x256xbf16>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %5 = vector.load %arg5[%c0_2, %c0_3] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    %6 = vector.shape_cast %5 : vector<64x256xf32> to vector<64x256xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %7 = vector.load %arg2[%c0_4, %c0_5] : memref<64x128xbf16, #tpu.memory_space<vmem>>, vector<64x128xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<64x256xf32>
    %8 = tpu.matmul %7, %4, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<64x128xbf16>, vector<128x256xbf16>, vector<64x256xf32> -> vector<64x256xf32>
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %9 = vector.load %arg4[%c0_6, %c0_7, %c0_8] : memref<1x1x256xf32, #tpu.memory_space<vmem>>, vector<1x1x256xf32>
    %10 = vector.shape_cast %9 : vector<1x1x256xf32> to vector<1x256xf32>
    %11 = vector.broadcast %10 : vector<1x256xf32> to vector<64x256xf32>
    %12 = arith.mulf %8, %11 : vector<64x256xf32>
    %13 = arith.addf %6, %12 : vector<64x256xf32>
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %14 = vector.load %arg5[%c0_9, %c0_10] : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>
    tpu.vector_store %arg5[%c0_9, %c0_10], %13 {strides = array<i32>} : memref<64x256xf32, #tpu.memory_space<vmem>>, vector<64x256xf32>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %arg1 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg1, %c0_i32 : i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg1, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
