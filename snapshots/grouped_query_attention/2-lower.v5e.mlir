module @grouped_query_attention_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg3: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg4: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg5: memref<1x128x128xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 8, 2>, scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 256, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 256, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 1, 128, 128>}]} {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %0 = vector.load %arg2[%c0, %c0_0, %c0_1] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %1 = vector.shape_cast %0 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %c0_2 = arith.constant 0 : index
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %2 = vector.load %arg3[%c0_2, %c0_3, %c0_4] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %3 = vector.shape_cast %2 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %4 = tpu.transpose %3, [1, 0] : vector<256x128xbf16> -> vector<128x256xbf16>
    %cst = arith.constant dense<0.000000e+00> : vector<128x256xf32>
    %5 = tpu.matmul %1, %4, %cst {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x128xbf16>, vector<128x256xbf16>, vector<128x256xf32> -> vector<128x256xf32>
    %cst_5 = arith.constant 0.0883883461 : f32
    %6 = vector.broadcast %cst_5 : f32 to vector<128x256xf32>
    %7 = arith.mulf %5, %6 : vector<128x256xf32>
    %c128_i32 = arith.constant 128 : i32
    %8 = arith.muli %arg1, %c128_i32 : i32
    %9 = tpu.iota {dimensions = array<i32: 0>} : vector<128x256xi32>
    %10 = vector.broadcast %8 : i32 to vector<128x256xi32>
    %11 = arith.addi %10, %9 : vector<128x256xi32>
    %12 = tpu.iota {dimensions = array<i32: 1>} : vector<128x256xi32>
    %13 = arith.cmpi sle, %12, %11 : vector<128x256xi32>
    %cst_6 = arith.constant 0xFF800000 : f32
    %14 = vector.broadcast %cst_6 : f32 to vector<128x256xf32>
    %15 = arith.select %13, %7, %14 : vector<128x256xi1>, vector<128x256xf32>
    %cst_7 = arith.constant dense<0xFF800000> : vector<128xf32>
    %16 = vector.multi_reduction <maximumf>, %15, %cst_7 [1] : vector<128x256xf32> to vector<128xf32>
    %cst_8 = arith.constant 0xFF800000 : f32
    %17 = vector.broadcast %cst_8 : f32 to vector<128xf32>
    %18 = arith.maximumf %17, %16 : vector<128xf32>
    %19 = vector.shape_cast %18 : vector<128xf32> to vector<128x1xf32>
    %20 = vector.broadcast %19 : vector<128x1xf32> to vector<128x256xf32>
    %21 = arith.subf %15, %20 : vector<128x256xf32>
    %22 = math.exp %21 : vector<128x256xf32>
    %cst_9 = arith.constant dense<0.000000e+00> : vector<128xf32>
    %23 = vector.multi_reduction <add>, %22, %cst_9 [1] : vector<128x256xf32> to vector<128xf32>
    %24 = vector.shape_cast %23 : vector<128xf32> to vector<128x1xf32>
    %25 = vector.broadcast %24 : vector<128x1xf32> to vector<128x256xf32>
    %26 = arith.divf %22, %25 : vector<128x256xf32>
    %c0_10 = arith.constant 0 : index
    %c0_11 = arith.constant 0 : index
    %c0_12 = arith.constant 0 : index
    %27 = vector.load %arg4[%c0_10, %c0_11, %c0_12] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %28 = vector.shape_cast %27 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %cst_13 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %29 = tpu.matmul %26, %28, %cst_13 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xf32>, vector<256x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
    %30 = arith.truncf %29 : vector<128x128xf32> to vector<128x128xbf16>
    %c0_14 = arith.constant 0 : index
    %c0_15 = arith.constant 0 : index
    %c0_16 = arith.constant 0 : index
    %31 = vector.load %arg5[%c0_14, %c0_15, %c0_16] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %32 = vector.shape_cast %31 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %33 = vector.shape_cast %30 : vector<128x128xbf16> to vector<1x128x128xbf16>
    tpu.vector_store %arg5[%c0_14, %c0_15, %c0_16], %33 {strides = array<i32>} : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.divsi %arg0, %c4_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi sgt, %arg0, %c0_i32 : i32
    %2 = arith.extui %1 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %3 = arith.cmpi slt, %arg0, %c0_i32_0 : i32
    %4 = arith.extui %3 : i1 to i32
    %5 = arith.subi %2, %4 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %6 = arith.cmpi sgt, %c4_i32, %c0_i32_1 : i32
    %7 = arith.extui %6 : i1 to i32
    %c0_i32_2 = arith.constant 0 : i32
    %8 = arith.cmpi slt, %c4_i32, %c0_i32_2 : i32
    %9 = arith.extui %8 : i1 to i32
    %10 = arith.subi %7, %9 : i32
    %11 = arith.cmpi ne, %5, %10 : i32
    %12 = arith.remsi %arg0, %c4_i32 : i32
    %c0_i32_3 = arith.constant 0 : i32
    %13 = arith.cmpi ne, %12, %c0_i32_3 : i32
    %14 = arith.andi %11, %13 : i1
    %c1_i32 = arith.constant 1 : i32
    %15 = arith.subi %0, %c1_i32 : i32
    %16 = arith.select %14, %15, %0 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %c0_i32_6 = arith.constant 0 : i32
    return %16, %c0_i32_4, %c0_i32_5 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.divsi %arg0, %c4_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi sgt, %arg0, %c0_i32 : i32
    %2 = arith.extui %1 : i1 to i32
    %c0_i32_0 = arith.constant 0 : i32
    %3 = arith.cmpi slt, %arg0, %c0_i32_0 : i32
    %4 = arith.extui %3 : i1 to i32
    %5 = arith.subi %2, %4 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %6 = arith.cmpi sgt, %c4_i32, %c0_i32_1 : i32
    %7 = arith.extui %6 : i1 to i32
    %c0_i32_2 = arith.constant 0 : i32
    %8 = arith.cmpi slt, %c4_i32, %c0_i32_2 : i32
    %9 = arith.extui %8 : i1 to i32
    %10 = arith.subi %7, %9 : i32
    %11 = arith.cmpi ne, %5, %10 : i32
    %12 = arith.remsi %arg0, %c4_i32 : i32
    %c0_i32_3 = arith.constant 0 : i32
    %13 = arith.cmpi ne, %12, %c0_i32_3 : i32
    %14 = arith.andi %11, %13 : i1
    %c1_i32 = arith.constant 1 : i32
    %15 = arith.subi %0, %c1_i32 : i32
    %16 = arith.select %14, %15, %0 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %c0_i32_6 = arith.constant 0 : i32
    return %16, %c0_i32_4, %c0_i32_5 : i32, i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
}
