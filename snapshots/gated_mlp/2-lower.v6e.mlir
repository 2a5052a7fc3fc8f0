module @gated_mlp_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<128x256xbf16, #tpu.memory_space<vmem>>, %arg3: memref<256x256xbf16, #tpu.memory_space<vmem>>, %arg4: memref<256x256xbf16, #tpu.memory_space<vmem>>, %arg5: memref<256x256xbf16, #tpu.memory_space<vmem>>, %arg6: memref<128x256xbf16, #tpu.memory_space<vmem>>, %arg7: memref<128x256xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 2>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 256, 256>}, {transform_indices = @transform_2, window_bounds = array<i64: 256, 256>}, {transform_indices = @transform_3, window_bounds = array<i64: 256, 256>}, {transform_indices = @transform_4, window_bounds = array<i64: 128, 256>}]} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
    %1 = arith.extui %0 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi ne, %1, %c0_i32_0 : i32
    scf.if %2 {
      %cst_16 = arith.constant 0.000000e+00 : f32
      %26 = vector.broadcast %cst_16 : f32 to vector<128x256xf32>
      %c0_17 = arith.constant 0 : index
      %c0_18 = arith.constant 0 : index
      %27 = vector.load %arg7[%c0_17, %c0_18] : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>
      %28 = vector.shape_cast %27 : vector<128x256xf32> to vector<128x256xf32>
      %29 = vector.shape_cast %26 : vector<128x256xf32> to vector<128x256xf32>
      tpu.vector_store %arg7[%c0_17, %c0_18], %29 {strides = array<i32>} : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>,
    } else {
    }
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %3 = vector.load %arg2[%c0, %c0_1] : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %4 = vector.load %arg3[%c0_2, %c0_3] : memref<256x256xbf16, #tpu.memory_space<vmem>>, vector<256x256xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %5 = tpu.matmul %3, %4, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xbf16>, vector<256x256xbf16>, vector<128x256xf32> -> vector<128x256xf32>
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    %6 = vector.load %arg4[%c0_4, %c0_5] : memref<256x256xbf16, #tpu.memory_space<vmem>>, vector<256x256xbf16>
    %cst_6 = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %7 = tpu.matmul %3, %6, %cst_6 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xbf16>, vector<256x256xbf16>, vector<128x256xf32> -> vector<128x256xf32>
    %8 = arith.negf %5 : vector<128x256xf32>
    %9 = math.exp %8 : vector<128x256xf32>
    %cst_7 = arith.constant 1.000000e+00 : f32
    %10 = vector.broadcast %cst_7 : f32 to vector<128x256xf32>
    %11 = arith.addf %10, %9 : vector<128x256xf32>
    %12 = arith.divf %10, %11 : vector<128x256xf32>
    %13 = arith.mulf %5, %12 : vector<128x256xf32>
    %14 = arith.mulf %13, %7 : vector<128x256xf32>
    %15 = arith.truncf %14 : vector<128x256xf32> to vector<128x256xbf16>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %16 = vector.load %arg7[%c0_8, %c0_9] : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>
    %c0_10 = arith.constant 0 : index
    %c0_11 = arith.constant 0 : index
    %17 = vector.load %arg5[%c0_10, %c0_11] : memref<256x256xbf16, #tpu.memory_space<vmem>>, vector<256x256xbf16>
    %cst_12 = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %18 = tpu.matmul %15, %17, %cst_12 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xbf16>, vector<256x256xbf16>, vector<128x256xf32> -> vector<128x256xf32>
    %19 = arith.addf %16, %18 : vector<128x256xf32>
    %c0_13 = arith.constant 0 : index
    %c0_14 = arith.constant 0 : index
    %20 = vector.load %arg7[%c0_13, %c0_14] : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>
    %21 = vector.shape_cast %20 : vector<128x256xf32> to vector<128x256xf32>
    %22 = vector.shape_cast %19 : vector<128x256xf32> to vector<128x256xf32>
    tpu.vector_store %arg7[%c0_13, %c0_14], %22 {strides = array<i32>} : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>,
    %c1_i32 = arith.constant 1 : i32
    %23 = arith.cmpi eq, %arg1, %c1_i32 : i32
    %24 = arith.extui %23 : i1 to i32
    %c0_i32_15 = arith.constant 0 : i32
    %25 = arith.cmpi ne, %24, %c0_i32_15 : i32
    scf.if %25 {
      %c0_16 = arith.constant 0 : index
      %c0_17 = arith.constant 0 : index
      %26 = vector.load %arg7[%c0_16, %c0_17] : memref<128x256xf32, #tpu.memory_space<vmem>>, vector<128x256xf32>
      %27 = arith.truncf %26 : vector<128x256xf32> to vector<128x256xbf16>
      %c0_18 = arith.constant 0 : index
      %c0_19 = arith.constant 0 : index
      %28 = vector.load %arg6[%c0_18, %c0_19] : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>
      tpu.vector_store %arg6[%c0_18, %c0_19], %27 {strides = array<i32>} : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>,
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %c0_i32, %arg1 : i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %c0_i32, %arg1 : i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg1, %c0_i32 : i32, i32
  }
  func.func @transform_4(%arg0: i32, %arg1: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %c0_i32 : i32, i32
  }
}
