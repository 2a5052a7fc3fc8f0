module @matmul_bias_gelu_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: memref<128x256xbf16, #tpu.memory_space<vmem>>, %arg4: memref<256x128xbf16, #tpu.memory_space<vmem>>, %arg5: memref<1x128xf32, #tpu.memory_space<vmem>>, %arg6: memref<128x128xbf16, #tpu.memory_space<vmem>>, %arg7: memref<128x128xf32, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, 2, 2>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 128, 256>}, {transform_indices = @transform_1, window_bounds = array<i64: 256, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 128, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %0 = vector.load %arg3[%c0, %c0_0] : memref<128x256xbf16, #tpu.memory_space<vmem>>, vector<128x256xbf16>
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %1 = vector.load %arg4[%c0_1, %c0_2] : memref<256x128xbf16, #tpu.memory_space<vmem>>, vector<256x128xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %2 = tpu.matmul %0, %1, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xbf16>, vector<256x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %3 = arith.cmpi eq, %arg2, %c0_i32 : i32
    %4 = arith.extui %3 : i1 to i32
    %c0_i32_3 = arith.constant 0 : i32
    %5 = arith.cmpi ne, %4, %c0_i32_3 : i32
    scf.if %5 {
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %12 = vector.load %arg5[%c0_7, %c0_8] : memref<1x128xf32, #tpu.memory_space<vmem>>, vector<1x128xf32>
      %13 = vector.broadcast %12 : vector<1x128xf32> to vector<128x128xf32>
      %14 = arith.addf %2, %13 : vector<128x128xf32>
      %c0_9 = arith.constant 0 : index
      %c0_10 = arith.constant 0 : index
      %15 = vector.load %arg7[%c0_9, %c0_10] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %16 = vector.shape_cast %15 : vector<128x128xf32> to vector<128x128xf32>
      %17 = vector.shape_cast %14 : vector<128x128xf32> to vector<128x128xf32>
      tpu.vector_store %arg7[%c0_9, %c0_10], %17 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    } else {
    }
    %c0_i32_4 = arith.constant 0 : i32
    %6 = arith.cmpi sgt, %arg2, %c0_i32_4 : i32
    %7 = arith.extui %6 : i1 to i32
    %c0_i32_5 = arith.constant 0 : i32
    %8 = arith.cmpi ne, %7, %c0_i32_5 : i32
    scf.if %8 {
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %12 = vector.load %arg7[%c0_7, %c0_8] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %13 = arith.addf %12, %2 : vector<128x128xf32>
      %c0_9 = arith.constant 0 : index
      %c0_10 = arith.constant 0 : index
      %14 = vector.load %arg7[%c0_9, %c0_10] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %15 = vector.shape_cast %14 : vector<128x128xf32> to vector<128x128xf32>
      %16 = vector.shape_cast %13 : vector<128x128xf32> to vector<128x128xf32>
      tpu.vector_store %arg7[%c0_9, %c0_10], %16 {strides = array<i32>} : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>,
    } else {
    }
    %c1_i32 = arith.constant 1 : i32
    %9 = arith.cmpi eq, %arg2, %c1_i32 : i32
    %10 = arith.extui %9 : i1 to i32
    %c0_i32_6 = arith.constant 0 : i32
    %11 = arith.cmpi ne, %10, %c0_i32_6 : i32
    scf.if %11 {
      %c0_7 = arith.constant 0 : index
      %c0_8 = arith.constant 0 : index
      %12 = vector.load %arg7[%c0_7, %c0_8] : memref<128x128xf32, #tpu.memory_space<vmem>>, vector<128x128xf32>
      %13 = arith.mulf %12, %12 : vector<128x128xf32>
      %14 = arith.mulf %12, %13 : vector<128x128xf32>
      %cst_9 = arith.constant 4.471500e-02 : f32
      %15 = vector.broadcast %cst_9 : f32 to vector<128x128xf32>
      %16 = arith.mulf %15, %14 : vector<128x128xf32>
      %17 = arith.addf %12, %16 : vector<128x128xf32>
      %cst_10 = arith.constant 0.797884583 : f32
      %18 = vector.broadcast %cst_10 : f32 to vector<128x128xf32>
      %19 = arith.mulf %18, %17 : vector<128x128xf32>
      %20 = math.tanh %19 : vector<128x128xf32>
      %cst_11 = arith.constant 1.000000e+00 : f32
      %21 = vector.broadcast %cst_11 : f32 to vector<128x128xf32>
      %22 = arith.addf %21, %20 : vector<128x128xf32>
      %cst_12 = arith.constant 5.000000e-01 : f32
      %23 = vector.broadcast %cst_12 : f32 to vector<128x128xf32>
      %24 = arith.mulf %23, %22 : vector<128x128xf32>
      %25 = arith.mulf %12, %24 : vector<128x128xf32>
      %26 = arith.truncf %25 : vector<128x128xf32> to vector<128x128xbf16>
      %c0_13 = arith.constant 0 : index
      %c0_14 = arith.constant 0 : index
      %27 = vector.load %arg6[%c0_13, %c0_14] : memref<128x128xbf16, #tpu.memory_space<vmem>>, vector<128x128xbf16>
      tpu.vector_store %arg6[%c0_13, %c0_14], %26 {strides = array<i32>} : memref<128x128xbf16, #tpu.memory_space<vmem>>, vector<128x128xbf16>,
    } else {
    }
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %arg2 : i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg2, %arg1 : i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %c0_i32, %arg1 : i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    return %arg0, %arg1 : i32, i32
  }
}
