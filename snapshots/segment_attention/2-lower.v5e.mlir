module @segment_attention_kernel {
  func.func @main(%arg0: i32, %arg1: i32, %arg2: memref<3xi32, #tpu.memory_space<smem>>, %arg3: memref<1x128x128xbf16, #tpu.memory_space<vmem>>, %arg4: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg5: memref<1x256x128xbf16, #tpu.memory_space<vmem>>, %arg6: memref<1x128x128xbf16, #tpu.memory_space<vmem>>) attributes {dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2, 2>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64, window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 1, 128, 128>}, {transform_indices = @transform_1, window_bounds = array<i64: 1, 256, 128>}, {transform_indices = @transform_2, window_bounds = array<i64: 1, 256, 128>}, {transform_indices = @transform_3, window_bounds = array<i64: 1, 128, 128>}]} {
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
    %cst_5 = arith.constant 0.00441941759 : f32
    %5 = vector.broadcast %cst_5 : f32 to vector<128x256xf32>
    %6 = arith.mulf %4, %5 : vector<128x256xf32>
    %7 = math.tanh %6 : vector<128x256xf32>
    %cst_6 = arith.constant 2.000000e+01 : f32
    %8 = vector.broadcast %cst_6 : f32 to vector<128x256xf32>
    %9 = arith.mulf %8, %7 : vector<128x256xf32>
    %c128_i32 = arith.constant 128 : i32
    %10 = arith.muli %arg1, %c128_i32 : i32
    %11 = tpu.iota {dimensions = array<i32: 0>} : vector<128x1xi32>
    %12 = vector.broadcast %10 : i32 to vector<128x1xi32>
    %13 = arith.addi %12, %11 : vector<128x1xi32>
    %14 = tpu.iota {dimensions = array<i32: 1>} : vector<1x256xi32>
    %c1 = arith.constant 1 : index
    %15 = memref.load %arg2[%c1] : memref<3xi32, #tpu.memory_space<smem>>
    %16 = vector.broadcast %15 : i32 to vector<128x1xi32>
    %17 = arith.cmpi sge, %13, %16 : vector<128x1xi32>
    %18 = arith.extui %17 : vector<128x1xi1> to vector<128x1xi32>
    %c2 = arith.constant 2 : index
    %19 = memref.load %arg2[%c2] : memref<3xi32, #tpu.memory_space<smem>>
    %20 = vector.broadcast %19 : i32 to vector<128x1xi32>
    %21 = arith.cmpi sge, %13, %20 : vector<128x1xi32>
    %22 = arith.extui %21 : vector<128x1xi1> to vector<128x1xi32>
    %23 = arith.addi %18, %22 : vector<128x1xi32>
    %c1_7 = arith.constant 1 : index
    %24 = memref.load %arg2[%c1_7] : memref<3xi32, #tpu.memory_space<smem>>
    %25 = vector.broadcast %24 : i32 to vector<1x256xi32>
    %26 = arith.cmpi sge, %14, %25 : vector<1x256xi32>
    %27 = arith.extui %26 : vector<1x256xi1> to vector<1x256xi32>
    %c2_8 = arith.constant 2 : index
    %28 = memref.load %arg2[%c2_8] : memref<3xi32, #tpu.memory_space<smem>>
    %29 = vector.broadcast %28 : i32 to vector<1x256xi32>
    %30 = arith.cmpi sge, %14, %29 : vector<1x256xi32>
    %31 = arith.extui %30 : vector<1x256xi1> to vector<1x256xi32>
    %32 = arith.addi %27, %31 : vector<1x256xi32>
    %33 = vector.broadcast %23 : vector<128x1xi32> to vector<128x256xi32>
    %34 = vector.broadcast %32 : vector<1x256xi32> to vector<128x256xi32>
    %35 = arith.cmpi eq, %33, %34 : vector<128x256xi32>
    %cst_9 = arith.constant 0xFF800000 : f32
    %36 = vector.broadcast %cst_9 : f32 to vector<128x256xf32>
    %37 = arith.select %35, %9, %36 : vector<128x256xi1>, vector<128x256xf32>
    %cst_10 = arith.constant dense<0xFF800000> : vector<128xf32>
    %38 = vector.multi_reduction <maximumf>, %37, %cst_10 [1] : vector<128x256xf32> to vector<128xf32>
    %39 = vector.shape_cast %38 : vector<128xf32> to vector<128x1xf32>
    %40 = vector.broadcast %39 : vector<128x1xf32> to vector<128x256xf32>
    %41 = arith.subf %37, %40 : vector<128x256xf32>
    %42 = math.exp %41 : vector<128x256xf32>
    %cst_11 = arith.constant dense<0.000000e+00> : vector<128xf32>
    %43 = vector.multi_reduction <add>, %42, %cst_11 [1] : vector<128x256xf32> to vector<128xf32>
    %44 = vector.shape_cast %43 : vector<128xf32> to vector<128x1xf32>
    %45 = arith.truncf %42 : vector<128x256xf32> to vector<128x256xbf16>
    %c0_12 = arith.constant 0 : index
    %c0_13 = arith.constant 0 : index
    %c0_14 = arith.constant 0 : index
    %46 = vector.load %arg5[%c0_12, %c0_13, %c0_14] : memref<1x256x128xbf16, #tpu.memory_space<vmem>>, vector<1x256x128xbf16>
    %47 = vector.shape_cast %46 : vector<1x256x128xbf16> to vector<256x128xbf16>
    %cst_15 = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %48 = tpu.matmul %45, %47, %cst_15 {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs_hint = false} : vector<128x256xbf16>, vector<256x128xbf16>, vector<128x128xf32> -> vector<128x128xf32>
    %49 = vector.broadcast %44 : vector<128x1xf32> to vector<128x128xf32>
    %50 = arith.divf %48, %49 : vector<128x128xf32>
    %51 = arith.truncf %50 : vector<128x128xf32> to vector<128x128xbf16>
    %c0_16 = arith.constant 0 : index
    %c0_17 = arith.constant 0 : index
    %c0_18 = arith.constant 0 : index
    %52 = vector.load %arg6[%c0_16, %c0_17, %c0_18] : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>
    %53 = vector.shape_cast %52 : vector<1x128x128xbf16> to vector<128x128xbf16>
    %54 = vector.shape_cast %51 : vector<128x128xbf16> to vector<1x128x128xbf16>
    tpu.vector_store %arg6[%c0_16, %c0_17, %c0_18], %54 {strides = array<i32>} : memref<1x128x128xbf16, #tpu.memory_space<vmem>>, vector<1x128x128xbf16>,
    return
  }
  func.func @transform_0(%arg0: i32, %arg1: i32, %arg2: memref<3xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
  func.func @transform_1(%arg0: i32, %arg1: i32, %arg2: memref<3xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_2(%arg0: i32, %arg1: i32, %arg2: memref<3xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    return %arg0, %c0_i32, %c0_i32_0 : i32, i32, i32
  }
  func.func @transform_3(%arg0: i32, %arg1: i32, %arg2: memref<3xi32, #tpu.memory_space<smem>>) -> (i32, i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    return %arg0, %arg1, %c0_i32 : i32, i32, i32
  }
}
