module @alibi_attention_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<4xf32, #tpu.memory_space<smem>>, %arg3: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg4: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg5: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg6: memref<1x128x128xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 4, 2>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 256, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 256, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 1, 128, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %0 = vector.load %arg3[%c0, %c0_0, %c0_1] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %1 = vector.shape_cast %0 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %2 = vector.load %arg4[%c0_2, %c0_3, %c0_4] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %3 = vector.shape_cast %2 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %4 = tpu.matmul %1, %3, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [1], [0], [0], [0, 0, 1, 0], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<256x128xbf16>, vector<128x256xf32> -> vector<128x256xf32>
    %c128_i32 = arith.constant 128 : i32
    %5 = arith.muli %arg1, %c128_i32 : i32
    %6 = tpu.iota {dimensions = array<i32: 0>} : vector<128x256xi32>
    %7 = vector.broadcast %5 : i32 to vector<128x256xi32>
    %8 = arith.addi %7, %6 : vector<128x256xi32>
    %9 = tpu.iota {dimensions = array<i32: 1>} : vector<128x256xi32>
    %10 = arith.subi %8, %9 : vector<128x256xi32>
    %11 = arith.sitofp %10 : vector<128x256xi32> to vector<128x256xf32>
    %cst_5 = arith.constant 0.0883883461 : f32
    %12 = vector.broadcast %cst_5 : f32 to vector<128x256xf32>
    %13 = arith.mulf %4, %12 : vector<128x256xf32>
    %14 = arith.index_cast %arg0 : i32 to index
    %15 = memref.load %arg2[%14] : memref<4xf32, #tpu.memory_space<smem>>
    %16 = vector.broadcast %15 : f32 to vector<128x256xf32>
    %17 = arith.mulf %16, %11 : vector<128x256xf32>
    %18 = arith.subf %13, %17 : vector<128x256xf32>
    %19 = arith.cmpi sge, %8, %9 : vector<128x256xi32>
    %cst_6 = arith.constant 0xFF800000 : f32
    %20 = vector.broadcast %cst_6 : f32 to vector<128x256xf32>
    %21 = arith.select %19, %18, %20 : vector<128x256xi1>, vector<128x256xf32>
    %cst_7 = arith.constant dense<0xFF800000> : vector<128xf32>
    %22 = vector.multi_reduction <maximumf>, %21, %cst_7 [1] : vector<128x256xf32> to vector<128xf32>
    %23 = vector.shape_cast %22 : vector<128xf32> to vector<128x1xf32>
    %24 = vector.broadcast %23 : vector<128x1xf32> to vector<128x256xf32>
    %25 = arith.subf %21, %24 : vector<128x256xf32>
    %26 = math.exp %25 : vector<128x256xf32>
    %c0_8 = arith.constant 0 : index
    %c0_9 = arith.constant 0 : index
    %c0_10 = arith.constant 0 : index
    %27 = vector.load %arg5[%c0_8, %c0_9, %c0_10] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %28 = vector.shape_cast %27 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %29 = arith.extf %28 : vector<256x128xbf16> to vector<256x128xf32>
    %cst_11 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %30 = tpu.matmul %26, %29, %cst_11 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xf32>, vector<256x128xf32>, vector<128x128xf32> -> vector<128x128xf32>
    %cst_12 = arith.constant dense<0.000000e+00> : vector<128xf32>
    %31 = vector.multi_reduction <add>, %26, %cst_12 [1] : vector<128x256xf32> to vector<128xf32>
    %32 = vector.shape_cast %31 : vector<128xf32> to vector<128x1xf32>
    %33 = vector.broadcast %32 : vector<128x1xf32> to vector<128x128xf32>
    %34 = arith.divf %30, %33 : vector<128x128xf32>
    %35 = arith.truncf %34 : vector<128x128xf32> to vector<128x128xbf16>
    %c0_13 = arith.constant 0 : index
    %c0_14 = arith.constant 0 : index
    %c0_15 = arith.constant 0 : index
    %36 = vector.load %arg6[%c0_13, %c0_14, %c0_15] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %37 = vector.shape_cast %36 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %38 = vector.shape_cast %35 : vector<128x128xbf16> to vector<1x128x128xbf16>
    tpu.vector_store %arg6[%c0_13, %c0_14, %c0_15], %38 {strides = array<i32>} : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32, %arg2: memref<4xf32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32, %arg2: memref<4xf32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32, %arg2: memref<4xf32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32, %arg2: memref<4xf32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
}
